/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entries: why a block need not test, when it is entered, that its unit is the one that runs (hot->unit).  There are three ways
 * into a block, and each sees to that before:
 *
 *	a jump to a constant address	*expects* that the code there is of its own unit, and does nothing.  If it has
 *					been translated as code of another unit, the jump calls C like the next ones
 *	a call, return, computed jump	calls C, which finds the block at the target and has control arrive there
 *					(calls_arrive())
 *	the core			the tool does the same whenever the core enters generated code: at the start of
 *					threads and handlers and after them, after system calls and client requests, in
 *					code that has just been translated, after discards
 *
 * If there is no block at the target yet, the core translates it, which is the third way.  Some blocks do test their
 * entry, and nothing is done before:
 *
 *	- those of another unit than jumps expect that were translated earlier;
 *	- the rest of a superblock, which control falls into;
 *	- a redirected function that runs itself for once, whose address another block has, too;
 *	- code that first checks whether it has been modified: if so, it is other code.
 *
 * Expectations are never forgotten: a jump may outlive the code that it leads to.  With --check-entries=yes all blocks
 * test, and one that should not have had to panics.
 */
#ifndef TOOL_COUNTS_ENTRIES_H
#define TOOL_COUNTS_ENTRIES_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct blocks;
struct unit;

struct entries {
	VgHashTable *expected; /* struct expectation by address */
};

void entries_init(struct entries *entries);

/*
 * A jump from a unit to a constant address is being translated.  Returns whether nothing has to be done when
 * it is made: now and whenever that is translated again, the block there is of this unit, or tests.
 */
Bool entries_expect(struct entries *entries, struct blocks *blocks, Addr target,
		    const struct unit *unit);

/* Whether jumps expect that a block which is translated now, at an address, is of another unit than it is. */
Bool entries_surprise(const struct entries *entries, Addr address, const struct unit *unit);

#endif
