/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/entries.h"

#include "pub_tool_mallocfree.h"

#include "tool/counts/block.h"

struct expectation {
	struct expectation *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct unit *unit; /* NULL: of several, so that whatever is there tests */
};

void entries_init(struct entries *entries)
{
	entries->expected = VG_(HT_construct)("costgrind.expected");
}

Bool entries_expect(struct entries *entries, struct blocks *blocks, Addr target,
		    const struct unit *unit)
{
	struct expectation *known = VG_(HT_lookup)(entries->expected, target);
	const struct block *block;

	if (known != NULL && known->unit == unit)
		return True;
	block = blocks_at(blocks, target);
	if (block != NULL && !block->tests && (known != NULL || block->unit != unit))
		return False;
	if (known == NULL) {
		known = VG_(perm_malloc)(sizeof(*known), 8);
		*known = (struct expectation){ .key = target, .unit = unit };
		VG_(HT_add_node)(entries->expected, known);
	} else {
		known->unit = NULL;
	}
	return True;
}

Bool entries_surprise(const struct entries *entries, Addr address, const struct unit *unit)
{
	const struct expectation *known = VG_(HT_lookup)(entries->expected, address);

	return known != NULL && known->unit != unit;
}
