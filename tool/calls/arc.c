/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/arc.h"

#include <stddef.h>

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/ordering.h"
#include "tool/counts/context.h"
#include "tool/counts/site.h"

enum {
	LINE = 64, /* bytes of the host's caches: a call mostly needs but one of an arc with many costs */
};

_Static_assert(offsetof(struct arc, returns) == LINE,
	       "returns, count and the first costs lie together");

SizeT arc_size(const struct arcs *arcs)
{
	return sizeof(struct arc) + arcs->events->n_kept * sizeof(ULong);
}

void arcs_init(struct arcs *arcs, const struct event_set *events)
{
	*arcs = (struct arcs){
		.table = VG_(HT_construct)("costgrind.arcs"), .events = events,
		};
	pool_init(&arcs->with_many_costs, arc_size(arcs), "costgrind.arcs");
}

static Word arc_compare(const void *a, const void *b)
{
	const struct arc_key *left = &((const struct arc *)a)->ends;
	const struct arc_key *right = &((const struct arc *)b)->ends;

	return left->from != right->from || left->site != right->site || left->to != right->to ||
	       left->entered != right->entered || left->parked != right->parked;
}

static UWord key_of(const struct arc_key *ends)
{
	return ((Addr)ends->from * 31 + (Addr)ends->site) * 31 + (Addr)ends->to;
}

struct arc *arcs_known(struct arcs *arcs, const struct arc_key *ends)
{
	const struct arc wanted = { .key = key_of(ends), .ends = *ends };

	return VG_(HT_gen_lookup)(arcs->table, &wanted, arc_compare);
}

struct arc *arcs_find(struct arcs *arcs, const struct arc_key *ends, struct site *target)
{
	struct arc *arc = arcs_known(arcs, ends);
	SizeT size = arc_size(arcs);

	if (arc != NULL)
		return arc;
	arc = arcs->events->n_kept <= N_COUNTED_IR_REP ? VG_(perm_malloc)(size, 8)
						       : pool_take(&arcs->with_many_costs);
	VG_(memset)(arc, 0, size);
	*arc = (struct arc){ .key = key_of(ends), .ends = *ends, .target = target };
	VG_(HT_add_node)(arcs->table, arc);
	return arc;
}

static Bool costs_saturate(ULong *costs, UInt n)
{
	Bool saturated = False;

	for (UInt i = 0; i < n; i++) {
		if (costs[i] <= ARC_MAX)
			continue;
		costs[i] = ARC_MAX;
		saturated = True;
	}
	return saturated;
}

void arc_saturate(struct arcs *arcs, struct arc *arc)
{
	if (costs_saturate(arc->costs, arcs->events->n_kept))
		arcs->saturated = True;
}

void arc_sum(const struct arcs *arcs, const struct arc *arc, ULong sums[N_EVENTS])
{
	event_add_kept(arcs->events, arc->costs, sums);
	if (arcs->saturated)
		costs_saturate(sums, N_EVENTS);
}

void arcs_zero(struct arcs *arcs, UInt thread)
{
	struct arc *arc;

	if (thread == 0)
		arcs->saturated = False;
	VG_(HT_ResetIter)(arcs->table);
	while ((arc = VG_(HT_Next)(arcs->table)) != NULL) {
		if (thread != 0 && arc->ends.from->thread != thread)
			continue;
		arc->count = 0;
		VG_(memset)(arc->costs, 0, arcs->events->n_kept * sizeof(arc->costs[0]));
	}
}

static Int arc_order(const struct arc *left, const struct arc *right, Bool by_address)
{
	const struct context *from = left->ends.from;
	Int order = by_number(from->rank, right->ends.from->rank);

	if (order == 0)
		order = place_order(from->function, site_place(left->ends.site),
				    site_place(right->ends.site), by_address);
	if (order == 0)
		order = by_number(left->ends.to->rank, right->ends.to->rank);
	if (order == 0)
		order = by_number(left->ends.entered->rank, right->ends.entered->rank);
	return order != 0 ? order : by_number(left->ends.site->address, right->ends.site->address);
}

static Int address_order(const void *a, const void *b)
{
	return arc_order(*(struct arc *const *)a, *(struct arc *const *)b, True);
}

static Int line_order(const void *a, const void *b)
{
	return arc_order(*(struct arc *const *)a, *(struct arc *const *)b, False);
}

void arcs_sort(struct arc **arcs, UInt n, Bool by_address)
{
	if (n != 0)
		VG_(ssort)(arcs, n, sizeof(*arcs), by_address ? address_order : line_order);
}

struct arc **arcs_sorted(struct arcs *arcs, Bool by_address, UInt *n)
{
	UInt n_all;
	struct arc **all = (struct arc **)VG_(HT_to_array)(arcs->table, &n_all);

	*n = 0;
	for (UInt i = 0; i < n_all; i++)
		if (all[i]->count != 0 && all[i]->ends.to->owner == NULL &&
		    !all[i]->ends.from->dropped)
			all[(*n)++] = all[i];
	if (*n == 0) {
		if (all != NULL)
			VG_(free)(all);
		return NULL;
	}
	arcs_sort(all, *n, by_address);
	return all;
}
