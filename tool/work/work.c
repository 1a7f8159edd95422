/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/work/work.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

struct found {
	struct insnevent *events;
	UInt n;
};

static void add(struct found *found, enum event event, UInt n)
{
	if (n != 0)
		found->events[found->n++] = (struct insnevent){ event, n };
}

UInt insnevents_find(const UChar *code, UInt size, struct insnevent events[INSNEVENTS_MOST])
{
	struct found found = { events, 0 };
	struct insn_work work;

	if (!tool_work.has_operations || !insn_may_float(code, size))
		return 0;
	insn_work_decode(&tool_work.decoder, code, size, &work);
	add(&found, EVENT_FLS, work.singles);
	add(&found, EVENT_FLD, work.doubles);
	add(&found, EVENT_FLX, work.extendeds);
	add(&found, EVENT_FL128, work.bits == 128);
	add(&found, EVENT_FL256, work.bits == 256);
	return found.n;
}

enum event insnevents_class(const UChar *code, UInt size)
{
	static const enum event classes[N_INSN_CLASSES] = {
		[CLASS_INTEGER] = EVENT_AL,    [CLASS_FLOATING] = EVENT_FA,
		[CLASS_MULTIPLY] = EVENT_MUL,  [CLASS_DIVIDE] = EVENT_DIV,
		[CLASS_CONVERSION] = EVENT_CV, [CLASS_SHUFFLE] = EVENT_SHF,
		[CLASS_MOVE] = EVENT_MOV,      [CLASS_BRANCH] = EVENT_JMP,
		[CLASS_NOP] = EVENT_NOP,       [CLASS_SYSTEM] = EVENT_SYS,
	};
	struct insn_work work;

	insn_work_decode(&tool_work.decoder, code, size, &work);
	return classes[work.class];
}

/* -- sums ----------------------------------------------------------------------------------- */

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
