/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts of a report, each once, and which of them are files and objects. */
#ifndef CMDS_REPORT_REPORTNAMES_H
#define CMDS_REPORT_REPORTNAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/json.h"
#include "profile/common/dictionary.h"
#include "profile/format/idtable.h"

/* Texts with numbers of their own. */
struct reportnames_list {
	struct idtable numbers; /* by text */
	uint32_t *texts;        /* by number; owned */
	size_t n, capacity;
};

/* A text that is two others with "'" between: "f'main" of "f" and "main". */
struct reportnames_pair {
	uint32_t head, tail; /* 0, 0 = it is not */
};

/* Text 0 is "".  Fields are for reading. */
struct reportnames {
	const struct env *env;
	struct dictionary strings;
	struct reportnames_list files, objects;
	struct reportnames_pair *pairs; /* by text; those behind the last one are none; owned */
	size_t pairs_capacity;
	bool failed; /* memory ran out; sticky, numbers are 0 then */
};

void reportnames_init(struct reportnames *names, const struct env *env);
void reportnames_release(struct reportnames *names);

/*
 * The number of a function's name.  With callers in it ("f'g'main") it is written as a pair, so that
 * each function is there once, not once for each of its callers.
 */
uint32_t reportnames_function(struct reportnames *names, const char *text, size_t len);

/* The numbers of a text, of a file, and of an object, which are made if they are new. */
uint32_t reportnames_text(struct reportnames *names, const char *text, size_t len);
uint32_t reportnames_file(struct reportnames *names, struct name name);
uint32_t reportnames_object(struct reportnames *names, struct name name);

/* "strings", "objects" and "files" of the data, last of all. */
void reportnames_write(const struct reportnames *names, struct json *json);

#endif
