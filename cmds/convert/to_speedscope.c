/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * speedscope: its own JSON, as an evented profile: each node of the call tree is opened
 * and closed once, at the cost spent until then.  First a node's own cost, then what it calls.
 */
#include <stdio.h>
#include <string.h>

#include "cmds/convert/formats.h"
#include "cmds/emit/json.h"
#include "profile/analysis/callgraph.h"
#include "profile/common/event_names.h"

struct speedscope {
	const struct conversion *conversion;
	const struct pathtree *tree;
	struct pathtree_shape shape;
	struct json json;
	unsigned decimals; /* of costs */
};

/* The functions of the model, then "<rest>". */
static void put_frames(struct speedscope *speedscope)
{
	const struct model *model = speedscope->conversion->model;
	struct json *json = &speedscope->json;

	json_object(json, "shared", false);
	json_array(json, "frames", false);
	for (size_t i = 0; i < model->n_functions; i++) {
		const struct model_function *function = &model->functions[i];
		const struct name name = model_name(model, NAME_FUNCTION, function->name);
		const struct name file = model_name(model, NAME_FILE, function->file);

		json_object(json, NULL, true);
		json_text(json, "name", name.text, name.len);
		json_text(json, "file", file.text, file.len);
		json_close(json);
	}
	json_object(json, NULL, true);
	json_string(json, "name", "<rest>");
	json_close(json);
	json_close(json);
	json_close(json);
}

static void put_event(struct speedscope *speedscope, const char *type, uint32_t node, uint64_t at)
{
	const struct model *model = speedscope->conversion->model;
	uint32_t function = speedscope->tree->nodes[node].function;
	struct json *json = &speedscope->json;

	json_object(json, NULL, true);
	json_string(json, "type", type);
	json_count(json, "frame", function == PATHTREE_REST ? model->n_functions : function);
	json_decimal(json, "at", at, speedscope->decimals);
	json_close(json);
}

/* Opens and closes nodes; those without any cost are left out, with all below them. */
static void put_events(struct speedscope *speedscope)
{
	const struct pathtree *tree = speedscope->tree;
	const struct pathtree_shape *shape = &speedscope->shape;
	uint64_t at = 0;
	uint32_t node = shape->root, n_left;

	json_array(&speedscope->json, "events", false);
	while (node != PATHTREE_NONE) {
		uint32_t closed = node;

		if (shape->inclusive[node] > 0)
			put_event(speedscope, "O", node, at);
		at += pathtree_costs(tree, node)[0];
		node = pathtree_shape_next(shape, node, &n_left);
		for (; n_left > 0; n_left--) {
			if (shape->inclusive[closed] > 0)
				put_event(speedscope, "C", closed, at);
			closed = tree->nodes[closed].parent;
		}
	}
	json_close(&speedscope->json);
}

static void put_profile(struct speedscope *speedscope, uint64_t total)
{
	const struct conversion *conversion = speedscope->conversion;
	struct json *json = &speedscope->json;
	const struct event_info *info = event_find(format_event(conversion));
	const char *unit =
		"none"; /* which speedscope has; of other events, the profile's name says it */
	char name[512];

	if (info && strcmp(info->unit, "byte") == 0)
		unit = "bytes";
	else if (info && strcmp(info->unit, "ns") == 0)
		unit = "nanoseconds";

	snprintf(name, sizeof(name), "%s%s%s", format_event(conversion),
		 speedscope->decimals ? ", cycles" : "",
		 speedscope->tree->is_exact ? "" : ", stacks " PATHTREE_DERIVED);
	json_array(json, "profiles", false);
	json_object(json, NULL, false);
	json_string(json, "type", "evented");
	json_string(json, "name", name);
	json_string(json, "unit", unit);
	json_count(json, "startValue", 0);
	json_decimal(json, "endValue", total, speedscope->decimals);
	put_events(speedscope);
	json_close(json);
	json_close(json);
}

static int print_all(struct speedscope *speedscope)
{
	const struct model *model = speedscope->conversion->model;
	struct json *json = &speedscope->json;
	uint64_t totals[PROFILE_MAX_EVENTS];
	const char *cmd = model->n_parts > 0 ? model->parts[0].header.cmd : NULL;

	if (!model_totals(model, totals))
		return PROFILE_RANGE;
	json_object(json, NULL, false);
	json_string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_string(json, "exporter", "costgrind-" COSTGRIND_VERSION);
	json_string(json, "name", cmd ? cmd : speedscope->conversion->name);
	json_count(json, "activeProfileIndex", 0);
	put_frames(speedscope);
	put_profile(speedscope, totals[0]);
	json_close(json);
	json_end(json);
	return PROFILE_OK;
}

int to_speedscope(struct conversion *conversion)
{
	struct speedscope speedscope = { .conversion = conversion,
					 .tree = conversion->tree,
					 .decimals = format_decimals(conversion) };
	int status = pathtree_shape_init(&speedscope.shape, conversion->tree);
	struct out out;

	out_init(&out, conversion->env);
	if (!status) {
		json_init(&speedscope.json, &out, JSON_READABLE);
		status = print_all(&speedscope);
	}
	format_close(conversion, &out);
	pathtree_shape_release(&speedscope.shape);
	return status;
}
