/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The source files of machine code.  A file is known by its name in the profile, or in an
 * object's debug information; both are one where they tell the same line for an instruction.
 */
#ifndef CMDS_CODE_CODESOURCE_H
#define CMDS_CODE_CODESOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/code/sourcetext.h"
#include "profile/format/idtable.h"
#include "profile/model/model.h"
#include "profile/names/normal.h"

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
	struct admission *admission; /* by which files are looked for; NULL = none is */
	struct normal *normal;   /* what is done to names of debug information; NULL = nothing */
	struct idtable by_file;  /* file of the profile: place in sources */
	struct dictionary names; /* of debug information */
	struct idtable by_name;  /* key of the name: place in sources */
};

/* The model's names are in the normal form already; model, admission and normal outlive it. */
void code_sources_init(struct code_sources *sources, const struct model *model,
		       struct admission *admission, struct normal *normal);
void code_sources_release(struct code_sources *sources);

/* The place in sources of a file of the profile, which is looked for; false if memory ran out. */
bool code_sources_file(struct code_sources *sources, uint32_t file, uint32_t *place);

/* The same of a file of debug information, by the name that it has there. */
bool code_sources_name(struct code_sources *sources, const char *name, uint32_t *place);

/* A name of debug information means this file of the profile, if it was not learnt before. */
bool code_sources_learn(struct code_sources *sources, const char *name, uint32_t file);

#endif
