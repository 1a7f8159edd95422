/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What text begins with: which run it is of, and what is shown of it. */
#include <inttypes.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "profile/analysis/comparability.h"
#include "writer/origin.h"

enum { LABEL_WIDTH = 18 };

static void put_label(struct document *document, const char *label)
{
	document_prose(document, "%-*s", LABEL_WIDTH, label);
}

/* 1: it has the line; -1: one of that type with another value; 0: none. */
static int look_up(const struct part *part, const struct part_desc *desc)
{
	int found = 0;

	for (size_t i = 0; i < part->n_descs; i++) {
		if (strcmp(part->descs[i].type, desc->type) != 0)
			continue;
		if (strcmp(part->descs[i].value, desc->value) == 0)
			return 1;
		found = -1;
	}
	return found;
}

/*
 * A desc: line is of the run if no part says otherwise (Callgrind writes those of caches into the
 * first part only); others are of their parts.  Whether it is, and no part before this one has it.
 */
static bool is_shared(const struct model *model, const struct part_desc *desc, size_t part)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		int found = look_up(&model->parts[i].header, desc);

		if (found < 0 || (found > 0 && i < part))
			return false;
	}
	return true;
}

/* Whether it is not what one looks for in a head: an option of the tool, or the folder with its seal. */
static bool is_left_out(const struct part_desc *desc)
{
	return strcmp(desc->type, "Option") == 0 || strcmp(desc->type, ORIGIN_DESC) == 0;
}

static void put_desc(struct document *document, const struct part_desc *desc)
{
	int len = (int)strlen(desc->type) + 1;

	document_words(document, desc->type);
	if (desc->value[0] != '\0')
		document_prose(document, ":%*s", len < LABEL_WIDTH ? LABEL_WIDTH - len : 1, "");
	document_words(document, desc->value);
	document_prose(document, "\n");
}

/* What is of the run, in lines of their own. */
static void put_shared_descs(struct document *document, const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const struct part_desc *desc = &part->descs[j];

			if (!is_left_out(desc) && is_shared(model, desc, i))
				put_desc(document, desc);
		}
	}
}

static void put_commands(struct document *document, const struct model *model)
{
	const char *last = NULL;

	for (size_t i = 0; i < model->n_parts; i++) {
		const char *cmd = model->parts[i].header.cmd;

		if (!cmd || (last && strcmp(last, cmd) == 0))
			continue;
		put_label(document, last ? "" : "Command:");
		document_words(document, cmd);
		document_prose(document, "\n");
		last = cmd;
	}
}

static void put_own_descs(struct document *document, const struct model *model,
			  const struct part *part)
{
	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];

		if (is_left_out(desc) || is_shared(model, desc, 0))
			continue;
		document_prose(document, ", ");
		document_words(document, desc->type);
		document_prose(document, "%s", desc->value[0] != '\0' ? ": " : "");
		document_words(document, desc->value);
	}
}

/* NEW - OLD is told from a sum by the line that `costgrind diff -o` writes. */
static void put_compared(struct document *document, const struct model *model)
{
	put_label(document, DESC_FILES_COMPARED ":");
	document_words(document, model->parts[0].file);
	document_prose(document, "; ");
	document_words(document, model->parts[model->n_parts - 1].file);
	document_prose(document, "\n");
}

static void put_parts(struct document *document, const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *header = &model->parts[i].header;

		put_label(document, i == 0 ? "Data file:" : "");
		document_words(document, model->parts[i].file ? model->parts[i].file : "???");
		if (header->has_pid)
			document_prose(document, ", PID %" PRIu64, header->pid);
		if (header->has_number)
			document_prose(document, ", part %" PRIu64, header->number);
		if (header->has_thread)
			document_prose(document, ", thread %" PRIu64, header->thread);
		if (header->creator) {
			document_prose(document, ", by ");
			document_words(document, header->creator);
		}
		put_own_descs(document, model, header);
		document_prose(document, "\n");
	}
}

/* -- columns ------------------------------------------------------------------------------- */

static void put_event(struct document *document, const char *separator, const struct metric *metric)
{
	document_prose(document, "%s", separator);
	document_words(document, metric->name);
}

static void put_events(struct document *document, const struct columns *columns, size_t n_shown)
{
	const struct metric *metrics = columns->metrics.all;

	put_label(document, "Events recorded:");
	for (size_t i = 0; i < columns->metrics.n_events; i++)
		put_event(document, i > 0 ? " " : "", &metrics[i]);
	document_prose(document, " \n");
	put_label(document, "Events shown:");
	for (size_t i = 0; i < n_shown; i++)
		put_event(document, i > 0 ? " " : "", &metrics[columns->shown[i]]);
	document_prose(document, " \n");
	put_label(document, "Event sort order:");
	for (size_t i = 0; i < columns->n_keys; i++)
		put_event(document, i > 0 ? " " : "", &metrics[columns->keys[i].metric]);
	document_prose(document, " \n");
}

static void put_thresholds(struct document *document, const struct columns *columns,
			   bool is_coverage)
{
	const char *separator = "";

	put_label(document, is_coverage ? "Coverage:" : "Threshold:");
	for (size_t i = 0; i < columns->n_keys; i++) {
		if (!columns->keys[i].has_threshold)
			continue;
		put_event(document, separator, &columns->metrics.all[columns->keys[i].metric]);
		document_prose(document, " %g%%", columns->keys[i].threshold);
		separator = ", ";
	}
	document_prose(document, "\n");
}

static void put_derived(struct document *document, const struct columns *columns, size_t n_shown)
{
	for (size_t i = 0; i < n_shown; i++) {
		const struct metric *metric = &columns->metrics.all[columns->shown[i]];

		if (!metric->formula)
			continue;
		put_label(document, "Derived:");
		put_event(document, "", metric);
		document_prose(document, " = ");
		document_words(document, metric->formula);
		document_prose(document, "\n");
	}
}

/* -- options --------------------------------------------------------------------------------- */

static void put_include_dirs(struct document *document, const struct annotated_options *options)
{
	for (size_t i = 0; i < options->policy->n_directories; i++) {
		put_label(document, i == 0 ? "Include dirs:" : "");
		document_words(document, options->policy->directories[i]);
		document_prose(document, "\n");
	}
}

static void put_options(struct document *document, const struct annotated_options *options)
{
	put_include_dirs(document, options);
	put_label(document, "User annotated:");
	for (size_t i = 0; i < options->n_named; i++) {
		document_prose(document, "%s", i == 0 ? "" : ", ");
		document_words(document, options->named[i]);
	}
	document_prose(document, "\n");
	put_label(document, "Auto-annotation:");
	document_prose(document, "%s\n\n", options->automatic ? "on" : "off");
}

void render_preamble(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	struct document *document = &rendering->document;

	document_prose(document, "%s", document_rule);
	put_shared_descs(document, annotation->model);
	put_commands(document, annotation->model);
	if (annotation->options->difference)
		put_compared(document, annotation->model);
	put_parts(document, annotation->model);
	put_events(document, &annotation->columns, rendering->cells.n_shown);
	put_thresholds(document, &annotation->columns, annotation->options->listing.coverage >= 0);
	put_derived(document, &annotation->columns, rendering->cells.n_shown);
	put_options(document, &annotation->options->annotated);
}
