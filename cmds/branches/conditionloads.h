/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loads that the condition of a jump depends on, as far as the code right before it says: from the jump
 * back to what set its flags, and on through registers and slots of the stack frame, up to 32
 * instructions, and no further than where control can come from elsewhere.
 */
#ifndef CMDS_BRANCHES_CONDITIONLOADS_H
#define CMDS_BRANCHES_CONDITIONLOADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/codeobject.h"
#include "cmds/object/disassembly.h"
#include "profile/common/arena.h"

enum {
	CONDITION_MOST_LOADS = 4,
	CONDITION_WINDOW = 32, /* instructions */
	CONDITION_MOST_CODE =
		1 << 20, /* bytes of a function; in a longer one nothing is looked for */
};

struct condition_load {
	uint64_t address;
	const char *operand; /* the text of what is loaded, "(%rax,%rdx,4)" */
	bool has_reference;  /* to memory at an address that is known */
	uint64_t reference;
};

struct condition {
	struct disassembled jump;                          /* len 0: it is not known */
	struct condition_load loads[CONDITION_MOST_LOADS]; /* the one next to the jump first */
	size_t n_loads;
	bool has_call; /* it depends on what a call returned */
	uint64_t call; /* address of that */
};

/*
 * Fills in what is known of the jump at an address of an object whose code can be disassembled; texts are
 * the arena's.  Returns a status.
 */
int condition_find(struct condition *condition, const struct code_object *object, uint64_t address,
		   struct arena *arena);

#endif
