/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats of costgrind convert: one row of the list below and one file each.
 *
 * A format is written from a model. Those that are lists (callgrind, csv...) are visitors of a
 * walk of the model; the others ask the model for what they need, or have a
 * call graph or a call tree (callgraph.h) made of it.
 */
#ifndef CMDS_CONVERT_FORMATS_H
#define CMDS_CONVERT_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/cli/inputs.h"
#include "cmds/cli/loader.h"
#include "profile/analysis/callgraph.h"
#include "profile/analysis/metric.h"
#include "profile/common/dictionary.h"
#include "profile/common/error.h"
#include "profile/common/visitor.h"
#include "profile/filters/filters.h"
#include "profile/format/reader.h"
#include "profile/model/model.h"
#include "writer/out.h"

struct pathtree;
struct typecosts_options;

/* What a format needs of its input, and can do; or-ed. */
enum {
	FORMAT_LINES = 1,     /* positions are lines only (profile/filters/filters.h) */
	FORMAT_FUNCTIONS = 2, /* positions are not needed at all */
	FORMAT_JUMPS = 4,     /* jumps are written */
	FORMAT_PARTS = 8,     /* parts are written as parts; else they are added up */
	FORMAT_ONE_EVENT = 16,
	FORMAT_NEGATIVE = 32,   /* counts may be below 0 */
	FORMAT_TWO = 64,        /* is of two profiles */
	FORMAT_TREE = 128,      /* is of stacks: a call tree is read or derived */
	FORMAT_EXACT = 256,     /* the same, but only if it is exact */
	FORMAT_PAIR = 512,      /* can be a pair of files in a directory */
	FORMAT_FORMULAS = 1024, /* formulas of derived events are written */
	FORMAT_VERBOSE =
		2048, /* names are written out each time: it can be much larger than the profile */
};

#define CONVERSION_MAX_CALLS   1000000000
#define CONVERSION_USUAL_CALLS 1000000

/* One conversion, to be written. */
struct conversion {
	const struct env *env;       /* writes to the output; memory */
	const struct model *model;   /* has at least one event */
	const struct model *other;   /* FORMAT_TWO: the newer profile; else NULL */
	struct pathtree *tree;       /* FORMAT_TREE, FORMAT_EXACT: of model; NULL = none */
	struct pathtree *other_tree; /* FORMAT_TWO: of other; else NULL */
	const char *name;            /* of the profile, for viewers that show one */
	unsigned variant;      /* of the format: the version of webgrind; profiles of collapsed */
	bool ids;              /* names may be numbered */
	bool break_cycles;     /* xdebug leaves calls out that close a cycle */
	uint64_t max_calls;    /* of xdebug, 1 to CONVERSION_MAX_CALLS */
	uint64_t most_address; /* of webgrind, for tests; 0 = 2^32 - 1 */
	const char *output; /* the file, NULL = standard output; for what is written next to it */
	const struct typecosts_options *types; /* how the program's types are found out */
	char left_out[256]; /* events that the format left out, with blanks between */
	size_t n_formulas;  /* of other events than the one chosen, which the profile has no more */
	char note[256];     /* what else the format could not keep; "" = nothing */
	struct profile_error error; /* why it was refused, if there is more to say */
	int output_error;           /* what out_flush() returned (writer/out.h) */
};

/* Writes it all.  Returns a status; an output error is in the conversion instead. */
typedef int format_write(struct conversion *conversion);

struct format {
	const char *name; /* of --to; NULL ends the table */
	unsigned traits;  /* FORMAT_ bits */
	unsigned variant; /* of formats that are written by one function */
	format_write *write;
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

/* How many decimals its counts have where people see them: cycles are counted in tenths. */
static inline unsigned format_decimals(const struct conversion *conversion)
{
	const struct model_event *event = &conversion->model->events[0];

	return metric_is_tenths(event->name, event->long_name);
}

/*
 * Of a format of whole numbers: what is to be written of a cost, so that what has been written is what all costs
 * were in whole units.  *rest begins as 0.
 */
static inline uint64_t format_whole(uint64_t cost, unsigned decimals, uint64_t *rest)
{
	uint64_t sum = cost % 10 + *rest;

	if (decimals == 0)
		return cost;
	*rest = sum % 10;
	return cost / 10 + sum / 10;
}

/*
 * FORMATS(ROW)	ROW(name, traits, variant, function, help)
 *
 * The formats, in the order of the help of --to; the function is in to_NAME.c.  help: a line or
 * more there, text from the 21st column on; "" if another row explains it.
 */
/* clang-format off */
#define FORMATS(ROW) \
	ROW("callgrind", FORMAT_JUMPS | FORMAT_PARTS | FORMAT_NEGATIVE | FORMAT_FORMULAS, 0, to_callgrind, \
	    "\ncallgrind           all there is: KCachegrind, callgrind_annotate") \
	ROW("callgrind-portable", FORMAT_LINES | FORMAT_NEGATIVE | FORMAT_FORMULAS, 0, to_callgrind_portable, \
	    "\ncallgrind-portable  lines, in one part, events of Valgrind's tools only: speedscope," \
	    "\n                    Qt Creator, gprof2dot; with --ids=no gungraun") \
	ROW("cachegrind", FORMAT_LINES | FORMAT_NEGATIVE, 0, to_cachegrind, \
	    "\ncachegrind          lines without calls: cg_annotate, cg_diff, cg_merge") \
	ROW("xdebug", FORMAT_LINES | FORMAT_ONE_EVENT, 0, to_xdebug, \
	    "\nxdebug              one event, a trace as Xdebug writes it: a block for each call, when it" \
	    "\n                    has ended; at most --max-calls") \
	ROW("webgrind", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR, 7, to_webgrind, \
	    "\nwebgrind            one event: Webgrind since 2015; webgrind4, webgrind5, webgrind6 for" \
	    "\n                    older ones, webgrind7; DIR/ as FILE: with the file that it looks for") \
	ROW("webgrind4", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR | FORMAT_EXACT, 4, to_webgrind, "") \
	ROW("webgrind5", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR, 5, to_webgrind, "") \
	ROW("webgrind6", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR, 6, to_webgrind, "") \
	ROW("webgrind7", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR, 7, to_webgrind, "") \
	ROW("collapsed", FORMAT_FUNCTIONS | FORMAT_ONE_EVENT | FORMAT_TREE | FORMAT_VERBOSE, 1, to_collapsed, \
	    "\ncollapsed           stacks of one event: flamegraph.pl, inferno, speedscope") \
	ROW("collapsed-diff", FORMAT_FUNCTIONS | FORMAT_ONE_EVENT | FORMAT_TREE | FORMAT_TWO | FORMAT_VERBOSE, 2, to_collapsed, \
	    "\ncollapsed-diff      stacks of two profiles, FILE and NEW") \
	ROW("speedscope", FORMAT_FUNCTIONS | FORMAT_ONE_EVENT | FORMAT_TREE, 0, to_speedscope, \
	    "\nspeedscope          stacks of one event") \
	ROW("pprof", FORMAT_LINES | FORMAT_TREE, 0, to_pprof, \
	    "\npprof               stacks by line, all events: go tool pprof") \
	ROW("dot", FORMAT_FUNCTIONS | FORMAT_ONE_EVENT, 0, to_dot, \
	    "\ndot                 a call graph of one event: graphviz; best with --threshold") \
	ROW("types", 0, 0, to_types, \
	    "\ntypes               types of data with their members as functions with lines, called by what" \
	    "\n                    refers to them: KCachegrind; a listing is written next to -o FILE") \
	ROW("json", FORMAT_JUMPS | FORMAT_NEGATIVE | FORMAT_FORMULAS | FORMAT_VERBOSE, 0, to_json, \
	    "\njson, csv           for programs and tables; docs/FORMAT.md explains them") \
	ROW("csv", FORMAT_NEGATIVE | FORMAT_VERBOSE, 0, to_csv, "")
/* clang-format on */

format_write to_callgrind, to_callgrind_portable, to_cachegrind, to_collapsed, to_csv, to_dot,
	to_json, to_pprof, to_speedscope, to_types, to_webgrind, to_xdebug;

/*
 * A profile as costgrind convert reads it: a model in the shape that a format asks for,
 * and a call tree if it wants one.  Messages are printed here.
 */

/* What a file is; those that the reader of profiles recognises by itself are text. */
enum importer_from {
	IMPORTER_TEXT,
	IMPORTER_WEBGRIND,
	IMPORTER_TREE, /* found out by itself too, unless it comes from a pipe */
};

struct importer_options {
	struct loader_options loading; /* what the user may choose of it; the rest is set here */
	enum importer_from from;
	const char *event; /* this one only; NULL = all, or the first if the format has one */
	const char *to;    /* name of the format, for messages */
	unsigned traits;   /* FORMAT_ bits of it (formats.h) */
	double threshold;  /* percent; functions of less become one; 0 = none */
};

/* Fields are for reading; not to be moved. */
struct importer {
	struct model model;
	struct pathtree tree; /* of the model; its model is NULL if there is none */
	/* What may appear between reader and model; private. */
	struct eventview events;
	struct lineview lines;
	struct trace *trace; /* NULL = none */
	unsigned traits;
	const char *event;
	bool has_events;
};

/*
 * Reads a file.  Returns an exit code, EXIT_FINE if the model has an event; a
 * message was printed otherwise.  To be released in any case.
 */
int importer_read(struct importer *importer, const struct importer_options *options, char *path);
void importer_release(struct importer *importer);

/*
 * Reads call trees, as the tool writes them with --call-tree=yes (docs/FORMAT.md): the tree
 * itself, and a profile that says as much of it as a profile can.
 */

/* The first line of such a file. */
#define FROM_TREE_HEAD "# costgrind call tree\n"

struct from_tree_options {
	/* This event only, which may be derived, or, if it is NULL and first_only, the first one. */
	const char *event;
	bool first_only;
};

/*
 * Reads a file in memory into an empty, initialised model, and into a tree that it
 * initialises, of this model: exact, nodes in pre-order, whose lines are not known.  What was folded is
 * of a function "<rest>".  Returns a status; of PROFILE_SYNTAX the error says in which line.
 */
int from_tree_text(const struct reader_text *text, const struct from_tree_options *options,
		   struct model *model, struct pathtree *tree, struct profile_error *error);

/*
 * A visitor that passes on what is reported to it, and makes a call tree of it if it is a
 * trace as Xdebug writes: each function that returns has a block of its own cost and
 * its calls, after the blocks of what it called.  If anything is otherwise, there is no tree.
 * (xdebug.c)
 */
struct trace;

/* `to` is borrowed; *visitor is what receives the trace. */
struct trace *trace_new(const struct visitor *to, const struct visitor **visitor);
void trace_free(struct trace *trace);

/*
 * Fills an initialised tree without nodes, of the model that was built of what was reported; the
 * model has one event.  Leaves it without nodes if it was no trace.
 */
void trace_finish(struct trace *trace, struct pathtree *tree);

/*
 * Reads Webgrind's preprocessed files, versions 4 to 7, and reports to a visitor what is
 * in them: one part with one event, a cost for each function, its calls.
 *
 * It is strict: records follow each other without gaps, each pointer is followed, of a
 * call both ends say the same.  Versions 4 to 6 have no line of a function, so its cost is at
 * line 0.  In version 4 each call counts 1.
 */

/*
 * Reads a file in memory.  Names get their keys from names (reader_dictionaries_init()).
 * Returns a status; of PROFILE_SYNTAX the error says at which byte.
 */
int from_webgrind_text(const struct reader_text *text, struct dictionary *names,
		       const struct visitor *visitor, struct profile_error *error);

/*
 * A check while such a file is read: it begins with a version that is known, and has no more than
 * READER_MAX_LINE bytes from where it says that the headers are.
 */
int from_webgrind_check(const struct wholefile *file, size_t n_new, struct profile_error *error);

#endif
