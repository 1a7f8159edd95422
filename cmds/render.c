/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/render.h"

#include <string.h>

const struct renderer renderer_table[] = {
	{ "text", render_text }, { "markdown", render_markdown },
	{ "json", render_json }, { "csv", render_csv },
	{ NULL, NULL },
};

static bool has_desc(const struct part *part, const struct part_desc *desc)
{
	for (size_t i = 0; i < part->n_descs; i++)
		if (strcmp(part->descs[i].type, desc->type) == 0 &&
		    strcmp(part->descs[i].value, desc->value) == 0)
			return true;
	return false;
}

bool render_is_shared(const struct model *model, const struct part_desc *desc)
{
	for (size_t i = 0; i < model->n_parts; i++)
		if (!has_desc(&model->parts[i].header, desc))
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
