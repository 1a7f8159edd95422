/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/data/line_uses.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/counts/context.h"
#include "tool/data/state.h"
#include "tool/simulate/memsim.h"
#include "tool/simulate/missobserver.h"
#include "tool/simulate/state.h"

/*
 * Whom lines are charged to: a piece of what an instruction has missed on an object.  There is one for
 * all lines of a piece, so that they are not more than pieces.
 */
struct data_line_owner {
	struct data_line_owner *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct data_view *view; /* NULL: of a context that is dropped */
	SizeT offset;           /* in the object */
	struct line_owner base;
};

static struct data_line_owner *owner_of(struct line_owner *base)
{
	return (void *)((HChar *)base - __builtin_offsetof(struct data_line_owner, base));
}

static Word compare(const void *a, const void *b)
{
	const struct data_line_owner *left = a, *right = b;

	if (left->view != right->view || left->offset != right->offset)
		return 1;
	return left->view == NULL &&
	       (left->base.site != right->base.site || left->base.context != right->base.context);
}

static struct data_line_owner *find_owner(const struct data_at *at, const struct line_owner *by)
{
	struct data_line_owner wanted = {
		.view = at->view,
		.offset = at->offset,
		.base = *by,
	};
	struct data_line_owner *owner;

	wanted.key = at->view == NULL ? (UWord)by->site / 8 * 31 + (UWord)by->context / 16
				      : (UWord)at->view / 16 * 31 + at->offset;
	owner = VG_(HT_gen_lookup)(tool_data.line_owners, &wanted, compare);
	if (owner != NULL)
		return owner;
	owner = VG_(malloc)("costgrind.line_owner", sizeof(*owner));
	*owner = wanted;
	VG_(HT_add_node)(tool_data.line_owners, owner);
	return owner;
}

static void count_line(const struct data_at *at)
{
	const UInt column = tool_data.n_columns - 1;

	at->view->counts[column]++;
	data_object_row(&tool_data.objects, at->view->object, at->offset)[column]++;
}

static struct line_owner *note_came(const struct line_owner *by, const struct miss *miss)
{
	const struct data_user user = data_user_of(miss);
	struct data_at at = { NULL, 0 };

	if (!user.context->dropped) {
		at = data_look_up(miss, &user);
		if (miss->served == 1)
			count_line(&at);
		at.offset = data_object_piece(at.view->object, at.offset);
	}
	return &find_owner(&at, by)->base;
}

static void add(ULong *counts, const struct line_charge *charge)
{
	const Bool is_first = charge->level == 1;
	ULong *access_cost = &counts[tool_data.column_of[is_first ? EVENT_ACCOST1 : EVENT_ACCOST2]];
	ULong *space_loss = &counts[tool_data.column_of[is_first ? EVENT_SPLOSS1 : EVENT_SPLOSS2]];

	*access_cost += charge->is_undone ? -charge->access_cost : charge->access_cost;
	*space_loss += charge->is_undone ? -charge->space_loss : charge->space_loss;
}

static void note_charged(struct line_owner *base, const struct line_charge *charge)
{
	const struct data_line_owner *owner = owner_of(base);

	if (owner->view == NULL)
		return;
	add(owner->view->counts, charge);
	add(data_object_row(&tool_data.objects, owner->view->object, owner->offset), charge);
}

Bool line_uses_watch(void)
{
	static const struct line_watcher watcher = { note_came, note_charged };

	if (!tool_simulate.has_memsim || !memsim_watch(&tool_simulate.memsim, &watcher))
		return False;
	tool_data.line_owners = VG_(HT_construct)("costgrind.line_owners");
	return True;
}
