/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of costgrind annotate: each takes the same annotation to a stream. */
#ifndef CMDS_ANNOTATE_RENDER_H
#define CMDS_ANNOTATE_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/annotate/annotation.h"

/* What stands above and below the heads of text. */
extern const char render_rule[];

/* What is printed, and how; errors stay in the stream. */
struct rendering {
	const struct annotation *annotation;
	FILE *out;
	struct arena *arena; /* for what is needed on the way */
	bool color;          /* text only */
	/* Text only: in the form of this script, "cg_annotate" or "callgrind_annotate"; NULL = ours. */
	const char *script;
	bool failed; /* memory ran out */
};

struct renderer {
	const char *name; /* of --format; NULL ends the table */
	void (*render)(struct rendering *rendering);
};

extern const struct renderer renderer_table[];

/* The preamble of a script, for render_text(). */
void render_script_preamble(struct rendering *rendering);

/* In render_text.c, render_markdown.c, render_data.c (both JSON and CSV). */
void render_text(struct rendering *rendering);
void render_markdown(struct rendering *rendering);
void render_json(struct rendering *rendering);
void render_csv(struct rendering *rendering);

/* Machine code of a function as text, with a head; and where it is: object and addresses. */
void render_code(struct rendering *rendering, const struct code_function *function);
void render_code_place(FILE *out, const struct code_function *function);

/* The counts of instructions whose addresses the profile does not say, as text. */
void render_code_unplaced(struct rendering *rendering);

/* The lines of a source that is found, as text with a head. */
void render_source(struct rendering *rendering, const struct annotated_file *file);

/*
 * A desc: line is of the run if no part says otherwise (Callgrind writes those of caches
 * into the first part only); others are of their parts.
 */
bool render_is_shared(const struct model *model, const struct part_desc *desc);

/* Whether it is not what one looks for in a head: an option of the tool, or the folder with its seal. */
bool render_leaves_out(const struct part_desc *desc);

/* Whether no part before this one has the same line. */
bool render_is_first(const struct model *model, size_t part, const struct part_desc *desc);

/* Whether all counts are 0. */
bool render_is_empty(const struct annotation *annotation, const uint64_t *costs);

/* "L1 hits" of a kind of coverage. */
const char *render_coverage_text(enum coverage_kind kind);
const char *render_coverage_key(enum coverage_kind kind);

/* What annotation totals are, as in JSON: "summary", "calculated", "corrected". */
const char *render_totals_key(enum annotation_totals kind);

#endif
