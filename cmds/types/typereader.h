/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions, variables and their types of an object, from its DWARF debug information, versions 2 to 5.  Functions
 * of units without types (-g1, -gline-tables-only) are not known.
 */
#ifndef CMDS_TYPES_TYPEREADER_H
#define CMDS_TYPES_TYPEREADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/objectfile.h"
#include "cmds/types/typeflow.h"
#include "cmds/types/typestate.h"
#include "cmds/types/typetable.h"

struct code_range {
	uint64_t start, end; /* end is behind it */
};

/* A variable in memory, in a stretch of code. */
struct frame_fact {
	uint64_t start, end;
	int8_t reg; /* its address is this register's value + offset; -1 = the CFA's */
	int64_t offset;
	uint64_t size;           /* bytes */
	struct data_value value; /* a pointer to it */
};

/* A function with its variables.  To be released.  Fields are for reading. */
struct type_function {
	uint64_t entry; /* the address that calls go to */
	bool has_lost_parameters; /* nothing says where some are there: the compiler may have made others of them */
	struct code_range *ranges; /* owned, as all arrays */
	size_t n_ranges, ranges_capacity;
	struct register_fact *facts;
	size_t n_facts, facts_capacity;
	struct frame_fact *places;
	size_t n_places, places_capacity;
};

struct typereader; /* opaque */

/*
 * Of an object that outlives it, into a table that does, too.  *reader has no functions if there is no debug
 * information that can be read.  False if memory ran out.
 */
bool typereader_open(struct typereader **reader, struct objectfile *object,
		     struct typetable *table);
void typereader_free(struct typereader *reader);

/* The function that has code at an address; false if none is known, or (*failed) memory ran out. */
bool typereader_function(struct typereader *reader, uint64_t address,
			 struct type_function *function, bool *failed);
void type_function_release(struct type_function *function);

/* What the function that begins at an address returns; VALUE_NONE = not known. */
struct data_value typereader_result(struct typereader *reader, uint64_t address);

/* A pointer to what the variable that an address lies in has there; VALUE_NONE = none is known. */
struct data_value typereader_variable(struct typereader *reader, uint64_t address);

/* Whether memory ran out meanwhile, so that something was not found that is there. */
bool typereader_failed(const struct typereader *reader);

/* Whether numbers in its code may be addresses. */
bool typereader_is_fixed(const struct typereader *reader);

#endif
