/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cg_annotate and callgrind_annotate of Valgrind 3.19 print before their totals. */
#include <inttypes.h>
#include <string.h>

#include "cmds/annotate/render.h"
#include "cmds/text/visible.h"

static bool is_callgrind(const struct rendering *rendering)
{
	return strcmp(rendering->script, "callgrind_annotate") == 0;
}

static void put_descs(struct rendering *rendering, const struct part *part)
{
	for (size_t i = 0; i < part->n_descs; i++) {
		const struct part_desc *desc = &part->descs[i];

		if (render_leaves_out(desc))
			continue;
		visible_text(rendering->out, desc->type);
		/* Cachegrind aligns these lines; the blanks are no part of the model. */
		if (desc->value[0] != '\0' && is_callgrind(rendering))
			fputs(": ", rendering->out);
		else if (desc->value[0] != '\0')
			fprintf(rendering->out, ":%*s",
				strlen(desc->type) < 17 ? (int)(17 - strlen(desc->type)) : 1, "");
		visible_text(rendering->out, desc->value);
		fputc('\n', rendering->out);
	}
}

static void put_target(struct rendering *rendering, const struct part *part)
{
	FILE *out = rendering->out;

	fputs("Profiled target:  ", out);
	visible_text(rendering->out, part->cmd ? part->cmd : "");
	if (part->has_pid) {
		fprintf(out, " (PID %" PRIu64, part->pid);
		if (part->has_number)
			fprintf(out, ", part %" PRIu64, part->number);
		if (part->has_thread)
			fprintf(out, ", thread %" PRIu64, part->thread);
		fputc(')', out);
	}
	fputc('\n', out);
}

static void put_events(struct rendering *rendering)
{
	const struct columns *columns = &rendering->annotation->columns;
	double other = is_callgrind(rendering) ? 0 : 100;
	size_t n_thresholds = 0;
	FILE *out = rendering->out;

	fputs("Events recorded: ", out);
	for (size_t i = 0; i < columns->metrics.n_events; i++) {
		fputc(' ', out);
		visible_text(rendering->out, columns->metrics.all[i].name);
	}
	fputs("\nEvents shown:    ", out);
	for (size_t i = 0; i < columns->n_shown; i++) {
		fputc(' ', out);
		visible_text(rendering->out, columns->metrics.all[columns->shown[i]].name);
	}
	fputs("\nEvent sort order:", out);
	for (size_t i = 0; i < columns->n_keys; i++) {
		n_thresholds += columns->keys[i].has_threshold;
		fputc(' ', out);
		visible_text(rendering->out, columns->metrics.all[columns->keys[i].metric].name);
	}
	fputs("\nThresholds:      ", out);
	if (n_thresholds > 1)
		other = 0;
	for (size_t i = 0; i < columns->n_keys; i++)
		fprintf(out, " %g",
			columns->keys[i].has_threshold ? columns->keys[i].threshold : other);
	fputc('\n', out);
}

void render_script_preamble(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct annotated_options *options = &annotation->options->annotated;
	const struct model *model = annotation->model;
	const struct part *part = &model->parts[0].header;
	FILE *out = rendering->out;

	fputs(render_rule, out);
	if (is_callgrind(rendering)) {
		fputs("Profile data file '", out);
		visible_text(rendering->out, model->parts[0].file ? model->parts[0].file : "");
		fputc('\'', out);
		if (part->creator) {
			fputs(" (creator: ", out);
			visible_text(rendering->out, part->creator);
			fputc(')', out);
		}
		fprintf(out, "\n%s", render_rule);
	}
	put_descs(rendering, part);
	if (is_callgrind(rendering)) {
		put_target(rendering, part);
	} else {
		fputs("Command:          ", out);
		visible_text(rendering->out, part->cmd ? part->cmd : "");
		for (size_t i = 0; i < model->n_parts; i++) {
			fprintf(out, "\n%s", i == 0 ? "Data file:        " : "                  ");
			visible_text(rendering->out,
				     model->parts[i].file ? model->parts[i].file : "");
		}
		fputc('\n', out);
	}
	put_events(rendering);
	fputs("Include dirs:     ", out);
	for (size_t i = 0; i < options->policy->n_directories; i++) {
		size_t len = strlen(options->policy->directories[i]);

		fputs(i > 0 ? "\n                  " : "", out);
		visible_text(rendering->out, options->policy->directories[i]);
		if (len > 0 && options->policy->directories[i][len - 1] != '/')
			fputc('/', out);
	}
	fputs("\nUser annotated:   ", out);
	for (size_t i = 0; i < options->n_named; i++) {
		fputs(i > 0 ? " " : "", out);
		visible_text(rendering->out, options->named[i]);
	}
	fprintf(out, "\nAuto-annotation:  %s\n\n", options->automatic ? "on" : "off");
}
