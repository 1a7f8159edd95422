/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/simulate/missobserver.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "tool/common/message.h"
#include "tool/counts/state.h"
#include "tool/simulate/miss_path.h"
#include "tool/simulate/state.h"
#include "tool/symbols/symbol.h"

static const struct miss_observer *const all_observers[N_MISS_OBSERVERS] = {
#define OBSERVER(id, name) [MISS_OBSERVER_##id] = &(name),
	MISS_OBSERVERS(OBSERVER)
#undef OBSERVER
};

static Bool is_asked_for(void)
{
	for (UInt i = 0; i < N_MISS_OBSERVERS; i++)
		if (tool_simulate.options.observes[i])
			return True;
	return False;
}

void missobservers_start(void)
{
	for (UInt i = 0; i < N_MISS_OBSERVERS; i++)
		if (tool_simulate.options.observes[i] && all_observers[i]->start != NULL)
			all_observers[i]->start();
}

void missobservers_create_thread(UInt number)
{
	for (UInt i = 0; i < N_MISS_OBSERVERS; i++)
		if (tool_simulate.options.observes[i] && all_observers[i]->create_thread != NULL)
			all_observers[i]->create_thread(number);
}

void missobservers_fork(void)
{
	for (UInt i = 0; i < N_MISS_OBSERVERS; i++)
		if (tool_simulate.options.observes[i] && all_observers[i]->fork != NULL)
			all_observers[i]->fork();
}

void missobservers_zero(void)
{
	for (UInt i = 0; i < N_MISS_OBSERVERS; i++)
		if (tool_simulate.options.observes[i] && all_observers[i]->zero != NULL)
			all_observers[i]->zero();
}

void missobservers_finish(void)
{
	for (UInt i = 0; i < N_MISS_OBSERVERS; i++)
		if (tool_simulate.options.observes[i] && all_observers[i]->finish != NULL)
			all_observers[i]->finish();
}

void missobserver_report(const struct site *site, enum reference_kind kind, Addr address, UInt size,
			 UInt served)
{
	struct miss miss;

	if (served == 0 || tool_simulate.watched == NULL)
		return;
	miss = (struct miss){
		.address = address,
		.size = size,
		.kind = kind,
		.served = served,
		.site = site,
		.context = tool_counts.hot->counters->context,
		.thread = VG_(get_running_tid)(),
		};
	for (UInt i = 0; i < N_MISS_OBSERVERS; i++)
		if (tool_simulate.options.observes[i])
			all_observers[i]->missed(&miss);
}

/* --- slow paths ---------------------------------------------------------------------- */

static VG_REGPARM(2) UInt observed_data(Addr address, UWord index)
{
	const struct reference *reference = miss_path_reference(index);
	UInt served = tool_simulate.watched->data(address, index);

	if (served != 0)
		missobserver_report(miss_path_site(reference), reference->kind, address,
				    reference->size, served);
	return served;
}

static VG_REGPARM(1) UInt observed_fetch(UWord index)
{
	const struct reference *reference = miss_path_reference(index);
	UInt served = tool_simulate.watched->fetch(index);

	if (served != 0) {
		const struct site *site = miss_path_site(reference);

		missobserver_report(site, REFERENCE_FETCH, site->address, site->size, served);
	}
	return served;
}

const struct miss_paths *missobserver_wrap(const struct miss_paths *paths)
{
	static const struct miss_paths observed = { observed_data, observed_fetch, NULL, NULL };

	if (!is_asked_for())
		return paths;
	tool_simulate.watched = paths;
	return &observed;
}

/* --- the one of --trace-misses ------------------------------------------------------- */

/* The name of a level after the first one, or of memory. */
static const HChar *name_of_server(UInt level)
{
	const struct hierarchy_config *caches = &tool_simulate.caches;

	return level <= caches->n_lower ? caches->lower[level - 1].name : "memory";
}

static void print_miss(const struct miss *miss)
{
	static const HChar *const kinds[N_REFERENCE_KINDS] = {
		[REFERENCE_FETCH] = "fetch",
		[REFERENCE_READ] = "read",
		[REFERENCE_WRITE] = "write",
	};

	HChar *function = VG_(strdup)("costgrind.miss", miss->context->function->name->chars);

	message_clean(function);
	VG_(umsg)("miss: thread %u, %s of %u at 0x%lx by 0x%lx in %s, from %s\n", miss->thread,
		  kinds[miss->kind], miss->size, miss->address, miss->site->address, function,
		  name_of_server(miss->served));
	VG_(free)(function);
}

const struct miss_observer trace_misses = { .missed = print_miss };
