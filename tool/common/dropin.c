/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/dropin.h"

#include "libvex.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"
#include "valgrind.h"

/* The word of --tool=; no header of the core's has it. */
extern const HChar *VG_(clo_toolname);

enum dropin dropin_name(void)
{
	if (VG_(strcmp)(VG_(clo_toolname), "callgrind") == 0)
		return DROPIN_CALLGRIND;
	if (VG_(strcmp)(VG_(clo_toolname), "cachegrind") == 0)
		return DROPIN_CACHEGRIND;
	return DROPIN_NONE;
}

Bool dropin_is_before_3_21(void)
{
	return __VALGRIND_MAJOR__ == 3 && __VALGRIND_MINOR__ < 21;
}

Bool dropin_describes_caches(void)
{
	return dropin_name() == DROPIN_CACHEGRIND && dropin_is_before_3_21();
}

void dropin_details(void)
{
	switch (dropin_name()) {
	case DROPIN_NONE:
		VG_(details_name)("Costgrind");
		VG_(details_version)(COSTGRIND_VERSION);
		VG_(details_description)("a profiler of instructions, caches and branches");
		break;
	case DROPIN_CALLGRIND:
		VG_(details_name)("Callgrind");
		VG_(details_description)("a call-graph generating cache profiler");
		break;
	case DROPIN_CACHEGRIND:
		/* Fewer loads are left, now and then, and it counts what is left. */
		VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdSpAtMemAccess;
		VG_(clo_px_file_backed) = VexRegUpdSpAtMemAccess;
		VG_(details_name)("Cachegrind");
		VG_(details_description)(dropin_is_before_3_21()
						 ? "a cache and branch-prediction profiler"
						 : "a high-precision tracing profiler");
		break;
	}
}

void dropin_greet(void)
{
	const HChar *prefix = VG_(arg_vgdb_prefix);

	if (dropin_name() != DROPIN_CALLGRIND || VG_(clo_verbosity) == 0)
		return;
	VG_(umsg)("For interactive control, run 'callgrind_control%s%s -h'.\n",
		  prefix != NULL ? " " : "", prefix != NULL ? prefix : "");
}

void dropin_print_totals(const struct event_set *events, const ULong totals[N_EVENTS])
{
	UInt n = events->n;

	if (dropin_name() != DROPIN_CALLGRIND)
		return;
	VG_(umsg)("Events    :");
	for (UInt i = 0; i < events->n; i++)
		VG_(umsg)(" %s", event_table[events->events[i]].name);
	while (n > 1 && totals[events->events[n - 1]] == 0)
		n--;
	VG_(umsg)("\nCollected :");
	for (UInt i = 0; i < n; i++)
		VG_(umsg)(" %llu", totals[events->events[i]]);
	VG_(umsg)("\n\n");
}
