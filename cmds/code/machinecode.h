/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine code of functions with what each instruction cost: bytes and text, what is called
 * and jumped to and how often, and the source lines.
 *
 * Code is shown by where it is: a function is a stretch of addresses (codeobject.h), and an
 * instruction has the costs of all functions of the profile that have it, those with
 * callers and levels of recursion in their names and inlined ones too.  Where an
 * object is missing, its addresses and costs are there all the same.
 */
#ifndef CMDS_CODE_MACHINECODE_H
#define CMDS_CODE_MACHINECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/code/codework.h"
#include "cmds/emit/drawing.h"
#include "cmds/listing/listing.h"
#include "cmds/object/codeobject.h"
#include "cmds/source/sources.h"
#include "profile/common/dictionary.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"

/* -- source lines -------------------------------------------------------------- */

/*
 * The source files of machine code.  A file is known by its name in the profile, or in an
 * object's debug information; both are one file where they give the same line for an instruction.
 */

#define CODE_NO_SOURCE UINT32_MAX

struct code_source {
	const char *name; /* lives as long as the model and the struct code_sources */
	bool is_found;    /* and in text */
	struct sourcetext text;
};

/* Fields but sources and n are private. */
struct code_sources {
	struct code_source *sources;
	size_t n, capacity;
	const struct model *model;
	struct read_policy *policy; /* by which files are looked for; NULL = none is */
	struct name_rules *rules;   /* what is done to names of debug information; NULL = nothing */
	struct idtable by_file;     /* file of the profile: place in sources */
	struct dictionary names;    /* of debug information */
	struct idtable by_name;     /* key of the name: place in sources */
};

/* The model's names are in the normal form already; model, policy and rules outlive it.  To be released. */
void code_sources_init(struct code_sources *sources, const struct model *model,
		       struct read_policy *policy, struct name_rules *rules);
void code_sources_release(struct code_sources *sources);

/*
 * The place in sources of a file of the profile, which is looked for, or CODE_NO_SOURCE of one that is unknown.
 */
void code_sources_file(struct code_sources *sources, uint32_t file, uint32_t *place);

/*
 * The place in sources of a file of debug information, by the name that it has there; the file is
 * looked for.
 */
void code_sources_name(struct code_sources *sources, const char *name, uint32_t *place);

/* -- functions --------------------------------------------------------------------- */

struct machinecode_options {
	bool automatic;            /* code of what is listed, and reaches the threshold */
	const char *const *wanted; /* what the user wants, see code_choice_add() */
	size_t n_wanted;
	enum assembly_syntax syntax;
	uint64_t context; /* instructions to show about each that has costs */
	struct objectfile_options objects;
	struct read_policy *policy; /* by which sources are looked for; NULL = none is */
	struct name_rules *rules;   /* of names of sources in debug information; NULL = they stay */
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
	bool refuses_stale;            /* objects that are newer are as if they were not there */
};

struct code_instruction {
	uint64_t address;
	size_t len;                 /* bytes; 0 = the code is not there, nor are texts */
	const unsigned char *bytes; /* of the object */
	const char *mnemonic, *operands, *note; /* "callq", "0x1030", "<puts@plt>"; may be "" */
	const struct code_record *record;       /* NULL = nothing is recorded */
	const struct code_jump *jumps;          /* recorded, or seen in the instruction */
	size_t n_jumps;
	uint32_t source;    /* place in sources, or CODE_NO_SOURCE */
	uint64_t line;      /* 0 = not known */
	bool is_behind_gap; /* instructions before it are left out */
};

struct code_function {
	const char *name;
	uint32_t function; /* of the profile: the one that begins here */
	struct code_object *object;
	struct code_stretch stretch;
	const uint64_t *costs;              /* of all its instructions */
	const struct code_records *records; /* private */
	struct code_instruction *instructions;
	size_t n;
	bool is_cut;          /* instructions after the last are left out */
	struct arrow *arrows; /* between instructions, by their places; placed */
	size_t n_arrows;
	unsigned n_lanes;
};

/* Memory is the arena's, except for objects and sources. */
struct machinecode {
	struct code_function *functions; /* those that cost most first */
	size_t n;
	const uint64_t *unplaced; /* costs of functions chosen that have no address; NULL = none */
	const char *unknown;      /* what the user wanted and the profile has not; NULL = nothing */
	struct code_objects objects;
	struct code_sources sources;
	bool has_jumps; /* in the profile */
};

/*
 * Makes it, of a model with instructions (POSITION_INSTR).  Returns a status.  To be
 * released in any case.
 */
int machinecode_make(struct machinecode *code, const struct basis *basis,
		     const struct listing *listing, const struct machinecode_options *options);
void machinecode_release(struct machinecode *code);

/* The place of the instruction at an address; function->n if it is not shown. */
size_t machinecode_find(const struct code_function *function, uint64_t address);

/* The next object of those that were opened, from *i on, which is moved past it; or NULL. */
const struct code_object *machinecode_next_object(const struct machinecode *code, size_t *i);

#endif
