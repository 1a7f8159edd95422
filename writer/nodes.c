/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writer/nodes.h"

#include "writer/order.h"

void nodes_format(struct writer *writer)
{
	if (!proceed(writer, writer->stage < STAGE_FORMAT))
		return;
	writer->stage = STAGE_FORMAT;
	out_text(&writer->out, "# costgrind call tree\n");
}

/* Whether a line of the body may be written. */
static bool reach_nodes(struct writer *writer, bool legal)
{
	bool in_body = writer->stage >= STAGE_EVENTS && writer->stage <= STAGE_BODY;

	if (!proceed(writer, in_body && legal))
		return false;
	writer->stage = STAGE_BODY;
	return true;
}

void nodes_section(struct writer *writer, const char *kind, uint64_t thread)
{
	if (!reach_nodes(writer, true))
		return;
	out_text(&writer->out, kind);
	out_text(&writer->out, ": ");
	out_decimal(&writer->out, thread);
	out_char(&writer->out, '\n');
}

bool nodes_is_named(const struct writer *writer, const struct name *function)
{
	return names_known_id(&writer->functions, function->key) != 0;
}

void nodes_function(struct writer *writer, const struct nodes_function *function)
{
	if (!reach_nodes(writer, !nodes_is_named(writer, &function->name)))
		return;
	if (!function->same_object)
		writer_position(writer, SPEC_OB, &function->object);
	if (!function->same_file)
		writer_position(writer, SPEC_FL, &function->file);
	writer_position(writer, SPEC_FN, &function->name);
}

void nodes_write(struct writer *writer, uint32_t depth, const struct name *function, uint64_t calls,
		 const uint64_t *costs)
{
	struct out *out = &writer->out;
	uint32_t id = function ? names_known_id(&writer->functions, function->key) : 0;
	size_t n_costs = writer->n_events;

	if (!reach_nodes(writer, !function || id != 0))
		return;
	out_decimal(out, depth);
	out_char(out, ' ');
	out_decimal(out, id);
	out_char(out, ' ');
	out_decimal(out, calls);
	while (n_costs > 0 && costs[n_costs - 1] == 0)
		n_costs--;
	writer_put_costs(writer, costs, n_costs);
}
