/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/jump.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/numbers.h"
#include "tool/counts/context.h"
#include "tool/counts/site.h"

void jumps_init(struct jumps *jumps)
{
	jumps->table = VG_(HT_construct)("costgrind.jumps");
	jumps->counts = VG_(HT_construct)("costgrind.jump_counts");
	jumps->computed = VG_(HT_construct)("costgrind.computed_jumps");
}

static Bool is_entry(const struct source_location *place)
{
	return !place->function->anonymous && place->address == place->function->entry;
}

/* The same rules as the call stack's: tool/calls/callstack.h. */
static Bool stays_inside(const struct function *from, const struct source_location *to)
{
	if (from->body != to->function->body)
		return to->function->anonymous && !to->function->plt && !from->plt &&
		       to->function->object == from->object;
	return from == to->function || from->cold || to->function->cold || !is_entry(to);
}

static Word jump_compare(const void *a, const void *b)
{
	const struct jump_edge *left = a, *right = b;

	return left->site != right->site || left->target.address != right->target.address ||
	       left->target.function != right->target.function ||
	       left->target.file != right->target.file || left->target.line != right->target.line ||
	       left->target.inlined != right->target.inlined ||
	       left->conditional != right->conditional;
}

const struct jump_edge *jumps_find(struct jumps *jumps, struct site *site,
				   const struct source_location *target, Bool conditional)
{
	const struct jump_edge wanted = {
		.key = (Addr)site * 31 + target->address,
		.site = site,
		.target = *target,
		.conditional = conditional,
		.to_entry = is_entry(target) && target->function == site->scope->function,
	};
	struct jump_edge *jump;

	if (!stays_inside(site->scope->function, target))
		return NULL;
	jump = VG_(HT_gen_lookup)(jumps->table, &wanted, jump_compare);
	if (jump != NULL)
		return jump;
	jump = VG_(perm_malloc)(sizeof(*jump), 8);
	*jump = wanted;
	VG_(HT_add_node)(jumps->table, jump);
	return jump;
}

static Word count_compare(const void *a, const void *b)
{
	const struct jump_count *left = a, *right = b;

	return left->context != right->context || left->jump != right->jump;
}

struct jump_count *jumps_count(struct jumps *jumps, struct context *context,
			       const struct jump_edge *jump)
{
	const struct jump_count wanted = {
		.key = (Addr)jump * 31 + (Addr)context,
		.context = context,
		.jump = jump,
	};
	struct jump_count *count;

	/* The interpreter's jumps are not between lines of the functions that it runs. */
	if (context->owner != NULL || context->function->only_site != NULL)
		return NULL;
	count = VG_(HT_gen_lookup)(jumps->counts, &wanted, count_compare);
	if (count != NULL)
		return count;
	count = VG_(perm_malloc)(sizeof(*count), 8);
	*count = wanted;
	VG_(HT_add_node)(jumps->counts, count);
	return count;
}

void jumps_add(struct jumps *jumps, struct context *context, const struct jump_edge *jump,
	       ULong executed, ULong taken)
{
	struct jump_count *count;

	if (executed == 0 && taken == 0)
		return;
	count = jumps_count(jumps, context, jump);
	if (count == NULL)
		return;
	count->executed += executed;
	count->taken += taken;
}

void jumps_zero(struct jumps *jumps, UInt thread)
{
	struct jump_count *count;

	VG_(HT_ResetIter)(jumps->counts);
	while ((count = VG_(HT_Next)(jumps->counts)) != NULL) {
		if (thread != 0 && count->context->thread != thread)
			continue;
		count->executed = 0;
		count->taken = 0;
	}
}

static Int jump_order(const struct jump_count *left, const struct jump_count *right,
		      Bool by_address)
{
	const struct jump_edge *a = left->jump, *b = right->jump;
	const struct function *function = left->context->function;
	Int order = by_number(left->context->rank, right->context->rank);

	if (order == 0)
		order = place_order(function, site_place(a->site), site_place(b->site), by_address);
	if (order == 0)
		order = place_order(function, a->target, b->target, by_address);
	if (order == 0)
		order = by_number(a->conditional, b->conditional);
	return order != 0 ? order : by_number(a->site->address, b->site->address);
}

static Int address_order(const void *a, const void *b)
{
	return jump_order(*(struct jump_count *const *)a, *(struct jump_count *const *)b, True);
}

static Int line_order(const void *a, const void *b)
{
	return jump_order(*(struct jump_count *const *)a, *(struct jump_count *const *)b, False);
}

void jumps_sort(struct jump_count **jumps, UInt n, Bool by_address)
{
	if (n != 0)
		VG_(ssort)(jumps, n, sizeof(*jumps), by_address ? address_order : line_order);
}

struct jump_count **jumps_sorted(struct jumps *jumps, Bool by_address, UInt *n)
{
	UInt n_all;
	struct jump_count **all = (struct jump_count **)VG_(HT_to_array)(jumps->counts, &n_all);

	*n = 0;
	for (UInt i = 0; i < n_all; i++)
		if (all[i]->taken != 0 && !all[i]->context->dropped)
			all[(*n)++] = all[i];
	if (*n == 0) {
		if (all != NULL)
			VG_(free)(all);
		return NULL;
	}
	jumps_sort(all, *n, by_address);
	return all;
}
