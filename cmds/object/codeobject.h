/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of a profile with their files, and the functions in them as stretches of
 * addresses: by the symbols of the file, and where it has none, or is not there, from
 * the lowest address of a function in the profile to the next function's.
 */
#ifndef CMDS_OBJECT_CODEOBJECT_H
#define CMDS_OBJECT_CODEOBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/disassembly.h"
#include "cmds/object/objectfile.h"
#include "profile/common/dictionary.h"
#include "profile/model/model.h"

/* A function of the profile, by its lowest address. */
struct code_entry {
	uint64_t address;
	uint32_t function;
};

struct code_object {
	uint32_t number;            /* of its name */
	const char *name;           /* to be shown */
	struct objectfile *file;    /* owned; NULL = there is none */
	const char *wrong;          /* why there is none, or its code cannot be shown; else NULL */
	struct disassembly *text;   /* owned; NULL = cannot be shown */
	bool is_stale;              /* changed after the profile was made */
	size_t n_outside;           /* instructions of the profile where the file has no code */
	size_t n_out_of_step;       /* that begin within other instructions */
	struct code_entry *entries; /* owned; by address, each address once */
	size_t n_entries;
	struct idtable names; /* by start of a stretch: function that begins there */
};

struct code_objects {
	const struct model *model;
	const struct objectfile_options *options;
	enum assembly_syntax syntax;
	const struct timespec *oldest;  /* modification of the profile; NULL = not known */
	bool refuses_stale;             /* files that are newer are not opened */
	struct code_object **by_number; /* owned; NULL = not opened */
};

/* A stretch of addresses. */
struct code_stretch {
	uint64_t start, end; /* end is after it; UINT64_MAX = no end is known */
	const char *symbol;  /* NULL = none */
};

static inline bool code_stretch_has(const struct code_stretch *stretch, uint64_t address)
{
	return address >= stretch->start && (address < stretch->end || stretch->end == UINT64_MAX);
}

/* None is opened yet. */
void code_objects_init(struct code_objects *objects, const struct model *model);
void code_objects_release(struct code_objects *objects);

/* The object of a number, opened if it was not. */
struct code_object *code_objects_get(struct code_objects *objects, uint32_t number);

/*
 * Warns of what is wrong with an object, and what is lost by that ("its instructions are ..."), or that it was changed
 * after the profile was made.
 */
void code_object_warn(const char *command, const struct code_object *object, const char *lost);

/* The stretch that an address lies in. */
struct code_stretch code_object_stretch(const struct code_object *object, uint64_t address);

/*
 * The profile's function that begins where a stretch does: of several, the one with the shortest name,
 * which is that without callers and level of recursion.  MODEL_NO_FUNCTION if there is none.
 */
uint32_t code_object_function(const struct code_object *object, uint64_t start);

/*
 * The profile's function that has a name which the profile does not show: an alias, or a function that the
 * linker has folded into it.  is_wanted() is given functions with their other names, demangled, and takes one.
 * MODEL_NO_FUNCTION if it takes none, or there is no file.
 */
uint32_t code_object_find_alias(const struct code_object *object, const struct model *model,
				bool (*is_wanted)(void *ctx, uint32_t function, struct name alias),
				void *ctx);

/* True if a function's name in a profile is its address: there was no symbol where it was made. */
bool code_object_is_nameless(const struct model *model, uint32_t function);

/*
 * The name of a function: as in the profile, without callers and level of recursion if these can be
 * separated; else, or if it has only an address there, by its symbol, not demangled; "" if neither is
 * known.  *len bytes.
 */
const char *code_object_name(const struct code_object *object, const struct model *model,
			     const struct code_stretch *stretch, size_t *len);

/*
 * A copy of that name, its symbol demangled; a text of the arena's.  "" if it is not known.
 */
const char *code_object_copy_name(const struct code_object *object, const struct model *model,
				  const struct code_stretch *stretch, struct arena *arena);

/*
 * The name of an address: "main+0x12", or a variable's name; symbols demangled.  A text of the arena's.  "" if
 * that is not known, or says no more than the address.
 */
const char *code_object_label(const struct code_object *object, const struct model *model,
			      uint64_t address, struct arena *arena);

/*
 * The name of a mangled one of C++, Rust (without its hash) or D; what follows an "@" stays: "operator new(unsigned long)@plt"
 * of "_Znwm@plt".  C++ is by its library of this machine.  NULL if it is no such name, or there is no such library; else to
 * be freed.
 */
char *demangle(const char *symbol);

#endif
