/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats of costgrind convert: one row of a table and one file each.
 *
 * A format is written from a model. Those that are lists (callgrind, csv...) are visitors that
 * a walk of the model tells; the others ask the model for what they need, or have a
 * call graph (callgraph.h) or a call tree (pathtree.h) made of it.
 */
#ifndef CMDS_CONVERT_FORMATS_H
#define CMDS_CONVERT_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/common/error.h"
#include "profile/model/model.h"
#include "writer/out.h"

struct pathtree;

/* What a format needs of its input, and can do; or-ed. */
enum {
	FORMAT_LINES = 1,     /* positions are lines only (profile/filters/narrow.h) */
	FORMAT_FUNCTIONS = 2, /* positions are not needed at all */
	FORMAT_JUMPS = 4,     /* jumps are written */
	FORMAT_PARTS = 8,     /* parts are written as parts; else they are added up */
	FORMAT_ONE_EVENT = 16,
	FORMAT_NEGATIVE = 32, /* counts may be below 0 */
	FORMAT_TWO = 64,      /* is of two profiles */
	FORMAT_TREE = 128,    /* is of stacks: a call tree is read or derived */
	FORMAT_EXACT = 256,   /* likewise, but only if it is exact */
	FORMAT_PAIR = 512,    /* can be a pair of files in a directory */
};

/* One conversion, to be written. */
struct conversion {
	const struct env *env;       /* writes to the output; memory */
	const struct model *model;   /* has at least one event */
	const struct model *other;   /* FORMAT_TWO: the newer profile; else NULL */
	struct pathtree *tree;       /* FORMAT_TREE, FORMAT_EXACT: of model; NULL = none */
	struct pathtree *other_tree; /* likewise; else NULL */
	const char *name;            /* of the profile, for viewers that show one */
	bool ids;                    /* names may be numbered */
	bool break_cycles;           /* what cannot have cycles leaves calls out */
	uint64_t most_address;       /* of webgrind, for tests; 0 = 2^32 - 1 */
	char left_out[256];          /* events that the format left out, with blanks between */
	struct profile_error error;  /* why it was refused, if there is more to say */
	int output_error;            /* what out_flush() returned (writer/out.h) */
};

struct format {
	const char *name; /* of --to; NULL ends the table */
	unsigned traits;  /* FORMAT_ bits */
	/* Writes it all.  Returns a status; an output error is in the conversion instead. */
	int (*write)(struct conversion *conversion);
};

extern const struct format format_table[];

/* The format of this name, or NULL. */
const struct format *format_find(const char *name);

/* Flushes and releases what a format wrote to, and notes its error. */
static inline void format_close(struct conversion *conversion, struct out *out)
{
	conversion->output_error = out_flush(out);
	out_release(out);
}

/* The event of a format that has one. */
static inline const char *format_event(const struct conversion *conversion)
{
	return conversion->model->events[0].name;
}

/* In to_NAME.c. */
int to_callgrind(struct conversion *conversion);
int to_callgrind_portable(struct conversion *conversion);
int to_cachegrind(struct conversion *conversion);
int to_xdebug(struct conversion *conversion);
int to_webgrind4(struct conversion *conversion);
int to_webgrind5(struct conversion *conversion);
int to_webgrind6(struct conversion *conversion);
int to_webgrind7(struct conversion *conversion);
int to_collapsed(struct conversion *conversion);
int to_collapsed_diff(struct conversion *conversion);
int to_speedscope(struct conversion *conversion);
int to_pprof(struct conversion *conversion);
int to_dot(struct conversion *conversion);
int to_json(struct conversion *conversion);
int to_csv(struct conversion *conversion);

#endif
