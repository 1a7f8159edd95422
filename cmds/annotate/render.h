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
#include "cmds/listing/costcells.h"

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
	struct costcells cells;
	uint64_t *clipped;  /* costs of the call at work */
	uint32_t recursive; /* its callee, if its costs are clipped, else MODEL_NO_FUNCTION */
	bool has_clipped;   /* some call of the section */
};

/* Prints it; false if memory ran out. */
bool render(struct rendering *rendering);

/* -- this is for render*.c only ------------------------------------------------------------ */

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

/* costcells_counts(), costcells_table() and costcells_begin_row() of an annotation. */
static inline struct cell render_counts(struct rendering *rendering, size_t number,
					const uint64_t *costs)
{
	return costcells_counts(&rendering->cells, number, costs);
}

static inline void render_table(struct rendering *rendering, enum document_form form,
				const char *title,
				void (*put_rows)(struct document *document, void *ctx), void *ctx)
{
	costcells_table(&rendering->cells, form, title, put_rows, ctx);
}

static inline void render_begin_row(struct rendering *rendering, const uint64_t *costs)
{
	costcells_begin_row(&rendering->cells, costs);
}

/*
 * Begins a row of calls, by a function or any (MODEL_NO_FUNCTION).  Within a recursion, what an inner call costs is in all outer ones, too: they are shown with no
 * more than inclusive_bound(), and render_recursion() marks them in the cell.
 */
void render_begin_call(struct rendering *rendering, uint32_t caller, uint32_t callee,
		       const uint64_t *costs);
void render_recursion(struct rendering *rendering);

/* Ends a section: what the marks in it mean, if there are any. */
void render_recursion_note(struct rendering *rendering);

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
