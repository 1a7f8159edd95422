/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each instruction of a profile that refers to data reads and writes: which type, and where in it.
 *
 * By the machine code and debug information of functions, one function at a time (typeflow.h).
 */
#ifndef CMDS_TYPES_TYPEPLACES_H
#define CMDS_TYPES_TYPEPLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/codeobject.h"
#include "cmds/types/typestate.h"
#include "cmds/types/typetable.h"
#include "profile/model/model.h"

struct data_reference {
	uint64_t address; /* of the instruction */
	uint32_t object;
	bool has_debug_information; /* the function that it is in is known */
	struct data_place read, written;
};

/* Fields are for reading.  To be released. */
struct type_places {
	struct typetable table;
	struct data_reference *references; /* owned; by object and address */
	size_t n, capacity;
};

/*
 * Finds those of a finished model with instructions where one of two events was counted: numbers of events, n_events =
 * not recorded.  Objects are opened in Intel's syntax.  Returns a status.  To be released in any case.
 */
int typeplaces_make(struct type_places *places, const struct model *model,
		    struct code_objects *objects, const size_t events[2]);

/*
 * The same by hand: none is known; then instructions are added, by object and address, the same one as often as one
 * likes; then they are found.  False if memory ran out; to be released in any case.
 */
bool typeplaces_init(struct type_places *places);
bool typeplaces_add(struct type_places *places, uint32_t object, uint64_t address);
/* Returns a status. */
int typeplaces_resolve(struct type_places *places, struct code_objects *objects);

void typeplaces_release(struct type_places *places);

/* The reference of an instruction, or NULL. */
const struct data_reference *typeplaces_find(const struct type_places *places, uint32_t object,
					     uint64_t address);

#endif
