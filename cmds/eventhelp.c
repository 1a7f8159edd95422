/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/eventhelp.h"

#include <stdio.h>

#include "cmds/annotate/run_rates.h"
#include "profile/common/event_names.h"
#include "writer/shared/events.h"

static const struct {
	const char *name, *formula, *text;
} derived[] = {
#define DERIVED(name, formula, needs, long_name, text) { name, formula, text },
	DERIVED_EVENTS(DERIVED)
#undef DERIVED
		{ EVENT_ESTIMATE, EVENT_ESTIMATE_FORMULA, EVENT_ESTIMATE_HELP },
};

void eventhelp_print(void)
{
	const char *label, *part, *whole;
	size_t n;
	const struct event_info *all = event_all(&n);

	printf("Events that are recorded:\n\n");
	for (size_t i = 0; i < n; i++) {
		printf("  %-11s %s", all[i].name, all[i].text);
		if (all[i].old_name)
			printf(" (Once %s.)", all[i].old_name);
		putchar('\n');
	}
	printf("\nA rep instruction (rep movsb, say) goes round until a register has counted down to 0.\n"
	       "It is one Ir, as for the processor, and each iteration is one Rep. With\n"
	       "--counting=valgrind, and in profiles of Callgrind and Cachegrind, each iteration is one\n"
	       "Ir with its branches, and so is finding the register at 0; there is no Rep.\n"
	       "\nAn instruction that reads and writes one place is a read; with --modify=write, and in\n"
	       "profiles of Callgrind, a write.\n");
	printf("\nColumns that annotate derives from them, for --show and --sort:\n\n");
	for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
		printf("  %-11s %s: %s\n", derived[i].name, derived[i].formula, derived[i].text);
	printf("\nFormulas in a profile (\"event: name = formula\") are columns too.\n"
	       "\nRates of the whole run:\n\n");
	for (size_t i = 0; run_rate_explain(i, &label, &part, &whole); i++) {
		if (whole == NULL)
			continue;
		printf("  %-16s (%s) / (%s)\n", label, part, whole);
	}
	printf("\nMPKI is per 1000 instructions, a miss rate in percent. The miss rate of the last\n"
	       "level is of all references, not of those that the first level missed.\n"
	       "\nIn tables, a dot is a count that cannot be: misses of reads where nothing is\n"
	       "read, say; 0 is one that could have been, but was not.\n"
	       "\nInclusive costs are those of a function and all that it calls. Functions that\n"
	       "call each other in a circle are a cycle: of each, calls within it are left out.\n");
}
