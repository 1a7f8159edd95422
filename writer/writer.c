/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A writer from its beginning to its end, the ids of names, and the lines that may appear anywhere. */
#include "writer/writer.h"

#include "writer/freestanding.h"
#include "writer/order.h"

/* --- ids of names --- */

enum {
	FIRST_CAPACITY = 64, /* elements */
};

void names_init(struct names *names)
{
	*names = (struct names){ 0 };
}

void names_release(struct names *names, const struct env *env)
{
	env->release(env->ctx, names->ids);
	names_init(names);
}

void names_reset(struct names *names)
{
	if (names->ids)
		memset(names->ids, 0, names->capacity * sizeof(*names->ids));
	names->last_id = 0;
}

/* Makes room for key.  There is no realloc() in an env, so elements are copied. */
static bool grow(struct names *names, const struct env *env, uint32_t key)
{
	size_t max = SIZE_MAX / sizeof(*names->ids);
	size_t capacity = names->capacity <= max / 2 ? names->capacity * 2 : max;
	uint32_t *ids;

	if (key >= max)
		return false;
	if (capacity < FIRST_CAPACITY)
		capacity = FIRST_CAPACITY;
	if (capacity <= key)
		capacity = (size_t)key + 1;
	ids = env->alloc(env->ctx, capacity * sizeof(*ids));
	if (!ids)
		return false;
	if (names->ids)
		memcpy(ids, names->ids, names->capacity * sizeof(*ids));
	memset(ids + names->capacity, 0, (capacity - names->capacity) * sizeof(*ids));
	env->release(env->ctx, names->ids);
	names->ids = ids;
	names->capacity = capacity;
	return true;
}

uint32_t names_id(struct names *names, const struct env *env, uint32_t key, bool *is_new)
{
	*is_new = false;
	if (key >= names->capacity && !grow(names, env, key))
		return 0;
	if (names->ids[key] == 0) {
		names->ids[key] = ++names->last_id;
		*is_new = true;
	}
	return names->ids[key];
}

uint32_t names_known_id(const struct names *names, uint32_t key)
{
	return key < names->capacity ? names->ids[key] : 0;
}

/* --- the writer --- */
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
