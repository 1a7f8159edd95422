/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An annotation as a document (cmds/emit/document.h).  What people read and what programs read are
 * put by a file each; the formats of both are the document's.
 */
#ifndef CMDS_ANNOTATE_RENDER_H
#define CMDS_ANNOTATE_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/annotate/annotation.h"
#include "cmds/emit/document.h"

/* What is printed, and how. */
struct rendering {
	const struct annotation *annotation;
	const struct document_backend *backend;
	FILE *out;               /* errors stay in it */
	bool color;              /* text only */
	size_t terminal_columns; /* text only: of the terminal, to which it is fitted; 0 = it is not */
	/* The rest is private to render*.c. */
	struct arena arena; /* for what is needed on the way */
	struct document document;
	size_t n_shown;            /* metrics that have a column: the first ones of those shown */
	size_t room;               /* of what stands behind the counts; 0 = any */
	int128 *totals;            /* of the metrics shown */
	struct decimals *decimals; /* theirs */
	struct document_column *columns; /* theirs, for people, and one more */
	bool *has_inclusive;             /* by metric shown: it has inclusive costs */
	bool is_inclusive;  /* costs of the row at work are: metrics that are not have none */
	uint64_t *clipped;  /* costs of the call at work */
	uint32_t recursive; /* its callee, if its costs are clipped, else MODEL_NO_FUNCTION */
	bool has_clipped;   /* some call of the section */
	struct {
		int128 *values;
		bool *can_happen;
	} counting[2]; /* for programs */
};

/* Prints it; false if memory ran out. */
bool render(struct rendering *rendering);

/* -- this is for render*.c only ------------------------------------------------------------ */

enum {
	RENDER_LEAST_NAME = 24, /* columns of a function's name, however small the terminal is */
};

/* What prints each section of an annotation; render.c says which there are, and in which order. */
struct render_sections {
	void (*head)(struct rendering *rendering); /* what is first, and totals */
	void (*listing)(struct rendering *rendering);
	void (*nesting)(struct rendering *rendering, const struct nesting *nesting);
	void (*layout)(struct rendering *rendering);
	void (*objects)(struct rendering *rendering);
	void (*types)(struct rendering *rendering);
	void (*code)(struct rendering *rendering);
	void (*sources)(struct rendering *rendering);
};

/* For people, in render_prose.c; for programs, in render_data.c. */
extern const struct render_sections render_prose, render_data;

/* What text begins with. */
void render_preamble(struct rendering *rendering);

/* Machine code, for people. */
void render_code(struct rendering *rendering);

/* Loops that could be placed better, for people and for programs. */
void render_layout_prose(struct rendering *rendering);
void render_layout_data(struct rendering *rendering);

/* Objects of data, for people and for programs. */
void render_objects_prose(struct rendering *rendering);
void render_objects_data(struct rendering *rendering);

/* Types of data, for people and for programs. */
void render_types_prose(struct rendering *rendering);
void render_types_data(struct rendering *rendering);

/*
 * For programs: the counts of the metrics shown; costs NULL = no cell.  They stay until the next ones
 * of this number: a row can have two, 0 and 1.
 */
struct cell render_counts(struct rendering *rendering, size_t number, const uint64_t *costs);

/* For people: a table of counts and a last column with this title, whose rows are then put. */
void render_table(struct rendering *rendering, enum document_form form, const char *title,
		  void (*put_rows)(struct document *document, void *ctx), void *ctx);

/*
 * The cells of the counts of a row, and the percentages of sums so far.  costs NULL = nothing can happen
 * there; cumulative NULL = no sums.
 */
void render_parts(struct rendering *rendering, const uint64_t *costs, const uint64_t *cumulative);

/* Begins a row: its counts, and the last cell, which document_end_cell() ends. */
void render_begin_row(struct rendering *rendering, const uint64_t *costs);

/*
 * The same of calls, by a function or any (MODEL_NO_FUNCTION).  Within a recursion, what an inner call costs is in all outer ones, too: they are shown with no
 * more than inclusive_bound(), and render_recursion() marks them in the cell.
 */
void render_begin_call(struct rendering *rendering, uint32_t caller, uint32_t callee,
		       const uint64_t *costs);
void render_recursion(struct rendering *rendering);

/* Ends a section: what the marks in it mean, if there are any. */
void render_recursion_note(struct rendering *rendering);

/* A row whose last cell is these words. */
void render_row(struct rendering *rendering, const uint64_t *costs, const char *words);

/*
 * Makes names short enough for a line of `room` columns, 0 = any, of which `used` are taken: folders go first,
 * then what is in the function's name.  The text is the arena's.
 */
void render_fold(struct rendering *rendering, struct annotation_names *names, size_t room,
		 size_t used);

/* "=> file:function (1,234x)", behind some columns that are taken. */
void render_call(struct rendering *rendering, const struct annotated_call *call, size_t used);

/* What a kind of coverage is called, in JSON and by people. */
struct coverage_words {
	const char *key, *text;
};

extern const struct coverage_words coverage_words[N_COVERAGE];

#endif
