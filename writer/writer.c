/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A writer from its beginning to its end, and the lines that may stand anywhere. */
#include "writer/writer.h"

#include "writer/escape.h"
#include "writer/order.h"

void writer_init(struct writer *writer, const struct env *env, const struct writer_options *options)
{
	*writer = (struct writer){ .options = *options };
	out_init(&writer->out, env);
	names_init(&writer->objects);
	names_init(&writer->files);
	names_init(&writer->functions);
	if (options->positions == 0 || options->positions & ~(POSITION_LINE | POSITION_INSTR))
		out_fail(&writer->out, OUT_MISUSE);
}

void writer_allow_foreign(struct writer *writer)
{
	writer->foreign = true;
}

void writer_allow_negative(struct writer *writer)
{
	writer->signed_counts = true;
}

void writer_fill_rows(struct writer *writer)
{
	writer->full_rows = true;
}

void writer_release(struct writer *writer)
{
	const struct env *env = writer->out.env;

	names_release(&writer->objects, env);
	names_release(&writer->files, env);
	names_release(&writer->functions, env);
	out_release(&writer->out);
}

int writer_finish(struct writer *writer)
{
	bool in_header = writer->stage > STAGE_CREATOR && writer->stage < STAGE_EVENTS;

	proceed(writer, !in_header && writer->call == CALL_NONE);
	return out_flush(&writer->out);
}

void writer_begin_part(struct writer *writer)
{
	if (!proceed(writer, writer->stage >= STAGE_EVENTS && writer->call == CALL_NONE))
		return;
	writer->stage = STAGE_CREATOR;
	writer->in_function = false; /* and SPEC_FN makes positions absolute */
	names_reset(&writer->objects);
	names_reset(&writer->files);
	names_reset(&writer->functions);
}

void writer_change_positions(struct writer *writer, unsigned positions)
{
	bool legal = positions != 0 && !(positions & ~(POSITION_LINE | POSITION_INSTR));

	if (proceed(writer, legal && writer->stage <= STAGE_CREATOR))
		writer->options.positions = positions;
}

/* A line that means nothing; the three special lines must come before all others. */
static bool reach_anywhere(struct writer *writer)
{
	if (!proceed(writer, writer->call != CALL_COUNTED))
		return false;
	if (writer->stage < STAGE_CREATOR)
		writer->stage = STAGE_CREATOR;
	return true;
}

void writer_blank(struct writer *writer)
{
	if (reach_anywhere(writer))
		out_char(&writer->out, '\n');
}
