/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/work/worktable.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

struct work_node {
	struct work_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	UShort number;
	struct work work;
};

static Word compare_works(const void *a, const void *b)
{
	const struct work_node *left = a, *right = b;

	return VG_(memcmp)(left->work.counts, right->work.counts, sizeof(left->work.counts));
}

static void list_counted(struct work *work)
{
	work->n_counted = 0;
	for (UInt i = 0; i < N_WORK_EVENTS; i++)
		if (work->counts[i] != 0)
			work->counted[work->n_counted++] = (UChar)i;
}

/* They stay for good. */
static UShort add_node(struct worktable *table, const struct work_node *wanted)
{
	struct work_node *node = VG_(perm_malloc)(sizeof(*node), 8);

	if (table->n == table->room) {
		table->room = table->room == 0 ? 64 : 2 * table->room;
		table->works = VG_(realloc)("costgrind.works", table->works,
					    table->room * sizeof(table->works[0]));
	}
	*node = *wanted;
	list_counted(&node->work);
	table->works[table->n++] = &node->work;
	tl_assert(table->n <= WORKTABLE_MOST);
	node->number = (UShort)table->n;
	VG_(HT_add_node)(table->nodes, node);
	return node->number;
}

UShort worktable_add(struct worktable *table, UShort number, enum event event, UInt n)
{
	struct work_node wanted = { .key = 0 };
	const struct work_node *known;
	UShort *count = &wanted.work.counts[event - EVENT_FLS];

	tl_assert(work_has(event));
	if (n == 0)
		return number;
	if (number != WORK_NONE)
		wanted.work = *table->works[number - 1];
	tl_assert(*count + n <= 65535);
	*count = (UShort)(*count + n);
	for (UInt i = 0; i < N_WORK_EVENTS; i++)
		wanted.key = wanted.key * 31 + wanted.work.counts[i];
	if (table->nodes == NULL)
		table->nodes = VG_(HT_construct)("costgrind.works");
	known = VG_(HT_gen_lookup)(table->nodes, &wanted, compare_works);
	return known != NULL ? known->number : add_node(table, &wanted);
}
