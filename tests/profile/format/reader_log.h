/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of the reader share: a visitor that notes what it receives, a line
 * for each call, and the reading of a text.
 *
 *	part 0 instr line: Ir Dr
 *	@object|file|function|source
 *	0x10,16 20 3				a cost: position, counts
 *	call 3 object|file|function >0x20,5 from 0x10,16 400
 *	jump 3 file >0x20,5 from 0x10,16	jcnd 1/4 file|function ... the same
 *	end
 */
#ifndef TESTS_PROFILE_FORMAT_READER_LOG_H
#define TESTS_PROFILE_FORMAT_READER_LOG_H

#include "profile/common/heap.h"
#include "profile/format/reader.h"

#include "tests/common/check.h"
#include "tests/common/models.h"

struct reader_log {
	char text[8192];
	size_t len;
	bool is_signed;
};

static inline void log_text(struct reader_log *log, const char *text, size_t len)
{
	if (log->len + len + 1 > sizeof(log->text))
		return;
	memcpy(log->text + log->len, text, len);
	log->len += len;
	log->text[log->len] = '\0';
}

static inline void log_string(struct reader_log *log, const char *text)
{
	log_text(log, text, strlen(text));
}

static inline void log_name(struct reader_log *log, const char *before, const struct name *name)
{
	log_string(log, before);
	log_text(log, name->text, name->len);
}

static inline void log_number(struct reader_log *log, const char *before, uint64_t number)
{
	char text[32];

	log_string(log, before);
	if (log->is_signed)
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)number);
	else
		snprintf(text, sizeof(text), "%" PRIu64, number);
	log_string(log, text);
}

static inline void log_position(struct reader_log *log, const char *before,
				const struct position *at)
{
	char text[64];

	log_string(log, before);
	if (at->instr != 0)
		snprintf(text, sizeof(text), "0x%" PRIx64 ",%" PRIu64, at->instr, at->line);
	else
		snprintf(text, sizeof(text), "%" PRIu64, at->line);
	log_string(log, text);
}

static inline void log_costs(struct reader_log *log, const uint64_t *costs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		log_number(log, " ", costs[i]);
	log_string(log, "\n");
}

static inline int log_part(void *ctx, const struct part *part)
{
	struct reader_log *log = ctx;

	log_number(log, "part ", part->index);
	if (part->positions & POSITION_INSTR)
		log_string(log, " instr");
	if (part->positions & POSITION_LINE)
		log_string(log, " line");
	log_string(log, ":");
	for (size_t i = 0; i < part->n_events; i++) {
		log_string(log, " ");
		log_string(log, part->events[i]);
	}
	log_string(log, "\n");
	return PROFILE_OK;
}

static inline int log_place(void *ctx, const struct place *place)
{
	struct reader_log *log = ctx;

	log_name(log, "@", &place->object);
	log_name(log, "|", &place->file);
	log_name(log, "|", &place->function);
	log_name(log, "|", &place->source);
	log_string(log, "\n");
	return PROFILE_OK;
}

static inline int log_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n)
{
	log_position(ctx, "", at);
	log_costs(ctx, costs, n);
	return PROFILE_OK;
}

static inline int log_call(void *ctx, const struct call *call)
{
	struct reader_log *log = ctx;

	log_number(log, "call ", call->count);
	log_name(log, " ", &call->callee.object);
	log_name(log, "|", &call->callee.file);
	log_name(log, "|", &call->callee.function);
	log_position(log, " >", &call->target);
	log_position(log, " from ", &call->at);
	log_costs(log, call->costs, call->n_costs);
	return PROFILE_OK;
}

static inline int log_jump(void *ctx, const struct jump *jump)
{
	struct reader_log *log = ctx;

	log_number(log, jump->is_conditional ? "jcnd " : "jump ", jump->followed);
	if (jump->is_conditional)
		log_number(log, "/", jump->executed);
	log_name(log, " ", &jump->file);
	if (jump->has_function)
		log_name(log, "|", &jump->function);
	log_position(log, " >", &jump->target);
	log_position(log, " from ", &jump->at);
	log_string(log, "\n");
	return PROFILE_OK;
}

static inline int log_end(void *ctx, const struct part *part)
{
	(void)part;
	log_string(ctx, "end\n");
	return PROFILE_OK;
}

static inline int log_negative(void *ctx)
{
	struct reader_log *log = ctx;

	log->is_signed = true;
	return PROFILE_OK;
}

/* Reads a text; what was reported is in log, or if it failed, "line:column: message". */
static inline int log_read(struct reader_log *log, const char *text, size_t len, bool lenient,
			   struct reader_report *report)
{
	const struct visitor visitor = { log,      log_part, log_place, log_cost,
					 log_call, log_jump, log_end,   log_negative };
	const struct reader_options options = { .lenient = lenient };
	struct profile_error error;
	char line[PROFILE_ERROR_LINE];
	int status;

	log->len = 0;
	log->text[0] = '\0';
	log->is_signed = false;
	status = read_profile(&(struct reader_text){ text, len, NULL }, &options, &visitor, report,
			      &error);
	if (status == PROFILE_OK)
		return status;
	log->len = 0;
	profile_error_line(&error, line, sizeof(line));
	snprintf(log->text, sizeof(log->text), "%s", line);
	return status;
}

/* A text is reported so. */
#define CHECK_TOLD(text, want) check_told((text), (want), __FILE__, __LINE__)

static inline void check_told(const char *text, const char *want, const char *file, int line)
{
	struct reader_log log;

	log_read(&log, text, strlen(text), false, NULL);
	check_str(log.text, want, "what was told", file, line);
}

#endif
