/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that costgrind annotate has to say about profiles, as data; render.h
 * makes a document of it.
 */
#ifndef CMDS_ANNOTATE_ANNOTATION_H
#define CMDS_ANNOTATE_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/annotate/annotated.h"
#include "cmds/annotate/run_rates.h"
#include "cmds/cli/loader.h"
#include "cmds/code/machinecode.h"
#include "cmds/data/objectcosts.h"
#include "cmds/data/objecttypes.h"
#include "cmds/listing/column.h"
#include "cmds/listing/listing.h"
#include "cmds/placement/placement.h"
#include "cmds/types/typecosts.h"
#include "profile/analysis/inclusive.h"
#include "profile/analysis/self_costs.h"
#include "profile/model/model.h"

struct annotation_options {
	const char *command; /* for messages */
	struct column_choice choice;
	struct listing_options listing;
	struct annotated_options annotated;
	struct machinecode_options code;
	struct placement_options placement;
	struct typecosts_options types;
	bool shows_types;      /* types of data are asked for */
	bool shows_code;       /* machine code is asked for */
	bool shows_bytes;      /* of it */
	bool shows_layout;     /* placement of hot loops is asked for */
	bool shows_objects;    /* objects of data are asked for */
	bool list_functions;   /* the list of functions */
	bool list_by_file;     /* file:function */
	bool list_by_function; /* function:file */
	bool percents;         /* behind counts */
	bool difference;       /* of two profiles, NEW - OLD */
	bool brief;            /* text without a preamble and metrics */
	bool quiet;            /* no warnings on standard error */
	bool verbose;          /* name each source file that is not read */
};

/* Where the totals come from. */
enum annotation_totals {
	TOTALS_SAID,       /* the files said them, in summary: or totals: */
	TOTALS_CALCULATED, /* they did not: sum of all costs */
	TOTALS_CORRECTED, /* what they said of some events cannot be: there, the sum of all costs */
};

/* What a run cost in all: what its profile says, if that can be. Numbers of the model's events, the arena's. */
struct program_totals {
	const uint64_t *costs;
	enum annotation_totals kind;
	const uint64_t *outside; /* of the costs, what no function has; NULL = nothing */
};

struct annotation {
	struct placement placement;  /* if has_layout */
	struct object_costs objects; /* if shows_objects */
	struct object_types object_types;
	struct type_costs types; /* if has_types */
	struct run_rate rates[METRICS_MAX];
	size_t n_rates;
	const struct annotation_options *options;
	const struct loaded *loaded;
	const struct model *model;
	const char *lineless; /* what code has no lines, for people; NULL = that does not matter */
	struct program_totals totals; /* that percentages are of */
	struct listing listing;
	struct nesting by_file, by_function;
	struct self_costs self_costs;
	struct arena arena;
	struct columns columns;
	struct inclusive inclusive; /* if has_inclusive, or has_bounds */
	struct annotated annotated;
	struct machinecode code;
	bool has_inclusive; /* inclusive costs, or callers and callees, were asked for */
	bool has_bounds;    /* inclusive_bound() is known: calls may be shown */
	bool has_sources;   /* sources were asked for */
	bool has_code;      /* machine code was asked for */
	bool has_layout;    /* placement of hot loops was asked for */
	bool has_types;     /* types of data were asked for */
};

/*
 * Makes all that the options ask for of a finished model with an event at least; options,
 * loaded and model outlive it.  Returns an exit code, a message was printed unless it is
 * EXIT_FINE.  To be released in any case.
 */
int annotation_make(struct annotation *annotation, const struct model *model,
		    const struct loaded *loaded, const struct annotation_options *options);
void annotation_release(struct annotation *annotation);

/* The function's three names; unknown ones are "???". */
struct annotation_names {
	struct name function, file, object;
	bool has_object; /* some object was named in the profile, and this one is known */
};

struct annotation_names annotation_names(const struct annotation *annotation, uint32_t function);

#endif
