/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which machine code of a profile is wanted: by names, addresses, lines, or costs. */
#ifndef CMDS_CODE_CODECHOICE_H
#define CMDS_CODE_CODECHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/listing/listing.h"
#include "cmds/object/codeobject.h"

/* What is wanted of an object: sorted by start, each once. */
struct code_wish {
	uint32_t object;
	struct code_stretch stretch;
	bool is_named; /* by the user: whatever it costs */
};

/* Arrays are the struct's. */
struct code_choice {
	struct code_wish *wishes; /* by object, then start */
	size_t n, capacity;
	uint64_t *unplaced; /* the arena's: costs of the functions chosen that have no address */
};

/*
 * Adds what a word of the user's stands for; *found says whether it is anything:
 *
 *	NAME        functions of that name; of several files, with any parameters, callers and
 *	            level of recursion; * and ? stand for any characters, for one
 *	0xADDRESS   the function there, in each object that has costs there; OBJECT:0xADDRESS,
 *	            an object called by its name or its last components
 *	FILE:LINE   the functions that have code of this line, FILE likewise
 *
 * Returns a status.
 */
int code_choice_add(struct code_choice *choice, const struct basis *basis,
		    struct code_objects *objects, const char *word, bool *found);

/* Adds a function of the model; returns a status. */
int code_choice_add_function(struct code_choice *choice, const struct basis *basis,
			     struct code_objects *objects, uint32_t function);

/* Sorts what was added.  code_choice_release() may be called at any time, of one that was {0}. */
void code_choice_finish(struct code_choice *choice);
void code_choice_release(struct code_choice *choice);

/* The wish that an address of an object is in, or NULL. */
const struct code_wish *code_choice_find(const struct code_choice *choice, uint32_t object,
					 uint64_t address);

#endif
