/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the annotate scripts of Valgrind know of profiles: costs by "file:function", by line of a file,
 * and of calls between these.  A function is one for each file that its code is in, whatever
 * object that is of, and an event that a line did not count is told from a 0.  The model of a profile
 * (profile/model/model.h) knows more, but not that.
 */
#ifndef CMDS_ANNOTATE_SCRIPTSUMS_H
#define CMDS_ANNOTATE_SCRIPTSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/common/naming.h"
#include "profile/common/dictionary.h"
#include "profile/common/visitor.h"

/* -- tables of costs by key -- */

/* Rows are numbered from 0 by the first appearance of their keys. */
struct script_table {
	struct dictionary keys;  /* bytes of a struct of those below */
	uint64_t *counts;        /* owned; of row i from i * stride on; as of cost.h */
	size_t counts_capacity;  /* rows */
	struct script_row *rows; /* owned */
	size_t rows_capacity;
	size_t stride; /* counts of a row: the events */
};

struct script_row {
	uint64_t times; /* of calls: how often */
	/* Events that some line counted: the first n; the others have 0. */
	uint32_t n_defined;
};

struct script_pair_key {
	uint32_t file, function;
};

struct script_line_key {
	uint64_t line; /* 0 = not known */
	uint64_t file;
};

struct script_call_key {
	uint32_t caller, callee; /* pairs */
};

struct script_line_call_key {
	uint64_t line;
	uint32_t file, callee; /* a pair */
};

/* Counts of a row, n_events numbers. */
static inline const uint64_t *script_counts(const struct script_table *table, size_t row)
{
	return table->counts + row * table->stride;
}

/* Copies the key of a row to *key, a struct of the table's kind. */
void script_key(const struct script_table *table, size_t row, void *key, size_t size);

/* -- sums -- */

/* Set before the first file; texts and rules outlive the sums. */
struct script_sums_options {
	struct name_rules *rules; /* what is done to names; NULL = nothing */
	const char *folder; /* ends in "/"; cut off names of files that begin so; NULL = none */
	bool lines;         /* keep costs of lines, and calls from them */
	bool unspecified;   /* each file has a function <unspecified>, if only of cost 0 */
	bool difference;    /* the first file counts negative */
	bool no_options;    /* "desc: Option:" is left out */
};

struct script_pair {
	uint32_t object; /* DICTIONARY_NONE = none was said */
	bool has_code;   /* costs were said of it, not only calls to it */
	bool has_own;    /* and that the function is of this file, not only inlined there */
};

/* The header of a file's first part; NULL = not said. */
struct script_header {
	const char *descs; /* lines behind "desc: ", each with a line feed */
	const char *cmd, *creator;
	uint64_t pid, number, thread;
	bool has_pid, has_number, has_thread;
};

/* Fields are for reading; options are the caller's. */
struct script_sums {
	struct visitor_filter filter;
	struct script_sums_options options;
	struct arena arena;
	struct dictionary files, functions, objects;
	struct dictionary names_of_files; /* as the profiles have them, before --mod-filename */
	uint32_t *file_of_name;           /* owned; by key of these: key of files */
	size_t file_of_name_capacity;
	struct script_table pairs;      /* self costs, by script_pair_key */
	struct script_table lines;      /* by script_line_key */
	struct script_table calls;      /* by script_call_key */
	struct script_table line_calls; /* by script_line_call_key */
	struct script_pair *by_pair;    /* owned; by row of pairs */
	size_t by_pair_capacity;
	bool *file_has_code; /* owned; by key of files: costs were said of it */
	size_t file_has_code_capacity;
	const char *events[PROFILE_MAX_EVENTS];
	size_t n_events;
	struct script_header *headers; /* owned; by file read */
	size_t n_headers, headers_capacity;
	uint32_t n_total; /* events of which a total was said: the first n; 0 = of none */
	bool is_signed;   /* counts are, see cost.h */
	bool failed;      /* memory ran out, with nobody to tell */
	/* The rest is private. */
	bool has_negative;                    /* a file has a count below 0 */
	uint32_t columns[PROFILE_MAX_EVENTS]; /* of the part: by its event */
	uint32_t pair, source;                /* of the place */
};

/* Takes no memory yet. */
void script_sums_init(struct script_sums *sums);
void script_sums_release(struct script_sums *sums);

/*
 * The visitor that is to be told the next file, which passes all on to `to`: for through() of struct
 * loader_options.  ctx is the sums.
 */
const struct visitor *script_sums_through(void *ctx, const struct visitor *to);

/* The number of an event, or n_events. */
size_t script_event(const struct script_sums *sums, const char *name, size_t len);

/* The pair of these names as a profile has them, DICTIONARY_NONE if there is none. */
uint32_t script_find_pair(struct script_sums *sums, struct name file, struct name function);

/* Names of a pair. */
static inline struct name script_pair_file(const struct script_sums *sums, uint32_t pair)
{
	struct script_pair_key key;

	script_key(&sums->pairs, pair, &key, sizeof(key));
	return dictionary_name(&sums->files, key.file);
}

static inline struct name script_pair_function(const struct script_sums *sums, uint32_t pair)
{
	struct script_pair_key key;

	script_key(&sums->pairs, pair, &key, sizeof(key));
	return dictionary_name(&sums->functions, key.function);
}

#endif
