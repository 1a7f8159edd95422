/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/render.h"

#include <string.h>

#include "writer/origin.h"

const struct renderer renderer_table[] = {
	{ "text", render_text }, { "markdown", render_markdown },
	{ "json", render_json }, { "csv", render_csv },
	{ NULL, NULL },
};

const char render_rule[] =
	"--------------------------------------------------------------------------------\n";

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

bool render_is_shared(const struct model *model, const struct part_desc *desc)
{
	for (size_t i = 0; i < model->n_parts; i++)
		if (look_up(&model->parts[i].header, desc) < 0)
			return false;
	return true;
}

bool render_leaves_out(const struct part_desc *desc)
{
	return strcmp(desc->type, "Option") == 0 || strcmp(desc->type, ORIGIN_DESC) == 0;
}

bool render_is_first(const struct model *model, size_t part, const struct part_desc *desc)
{
	for (size_t i = 0; i < part; i++)
		if (look_up(&model->parts[i].header, desc) > 0)
			return false;
	return true;
}

bool render_is_empty(const struct annotation *annotation, const uint64_t *costs)
{
	for (size_t i = 0; i < annotation->model->n_events; i++)
		if (costs[i] != 0)
			return false;
	return true;
}

static const struct {
	const char *key, *text;
} coverages[N_COVERAGE] = {
	[COVERAGE_SHOWN] = { "shown", "annotated: in the lines above" },
	[COVERAGE_PAST_END] = { "past_end", "annotated: in lines past the end of a file" },
	[COVERAGE_LINELESS] = { "lineless", "annotated: in no particular line" },
	[COVERAGE_NOT_FOUND] = { "not_found", "not annotated: file not found" },
	[COVERAGE_REFUSED] = { "refused", "not annotated: file not to be read, see --include" },
	[COVERAGE_NOT_CHOSEN] = { "not_chosen", "not annotated: file not chosen" },
	[COVERAGE_UNKNOWN] = { "unknown", "not annotated: file not known" },
};

const char *render_coverage_text(enum coverage_kind kind)
{
	return coverages[kind].text;
}

const char *render_coverage_key(enum coverage_kind kind)
{
	return coverages[kind].key;
}

const char *render_totals_key(enum annotation_totals kind)
{
	if (kind == TOTALS_SAID)
		return "summary";
	return kind == TOTALS_CALCULATED ? "calculated" : "corrected";
}
