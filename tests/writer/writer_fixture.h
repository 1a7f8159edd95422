/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of writer/ share: a writer whose text is kept, and its calls in short. */
#ifndef TESTS_WRITER_WRITER_FIXTURE_H
#define TESTS_WRITER_WRITER_FIXTURE_H

#include "writer/writer.h"

#include "tests/common/check.h"
#include "tests/common/test_env.h"

static const struct writer_options plain = { POSITION_LINE, false, false };
static const struct writer_options compressed = { POSITION_LINE, true, true };
static const struct writer_options instr_plain = { POSITION_INSTR | POSITION_LINE, false, false };
static const struct writer_options instr_compressed = { POSITION_INSTR | POSITION_LINE, true,
							true };

/* A writer whose text is kept; the writer borrows env, so the struct is not moved. */
struct recording {
	struct test_env env;
	struct writer writer;
};

static inline struct writer *begin(struct recording *s, const struct writer_options *options)
{
	test_env_init(&s->env);
	writer_init(&s->writer, &s->env.env, options);
	return &s->writer;
}

static inline void end(struct recording *s, const char *want)
{
	CHECK_EQ_U64((uint64_t)writer_finish(&s->writer), 0);
	CHECK_STR(s->env.text, want);
	writer_release(&s->writer);
	CHECK(test_env_release(&s->env));
}

static inline void events(struct writer *w, const char *a, const char *b, const char *c)
{
	const char *const names[] = { a, b, c };

	writer_events(w, names, 1 + (b != NULL) + (c != NULL));
}

static inline void position(struct writer *w, enum position_spec spec, const char *text,
			    uint32_t key)
{
	const struct name name = { text, strlen(text), key };

	writer_position(w, spec, &name);
}

static inline struct position at(uint64_t instr, uint64_t line)
{
	return (struct position){ .instr = instr, .line = line };
}

static inline void cost(struct writer *w, struct position where, uint64_t a)
{
	writer_cost(w, &where, &a, 1);
}

static inline void cost3(struct writer *w, struct position where, uint64_t a, uint64_t b,
			 uint64_t c)
{
	const uint64_t costs[] = { a, b, c };

	writer_cost(w, &where, costs, 3);
}

static inline void calls(struct writer *w, uint64_t count, struct position target)
{
	writer_calls(w, count, &target);
}

static inline void jump(struct writer *w, uint64_t count, struct position target,
			struct position source)
{
	writer_jump(w, count, &target, &source);
}

/* Begins a body with one column: "events: Ir\nfl=f\nfn=g\n". */
static inline struct writer *begin_body(struct recording *s, const struct writer_options *options)
{
	struct writer *w = begin(s, options);

	if (options->positions != POSITION_LINE)
		writer_positions(w);
	events(w, "Ir", NULL, NULL);
	position(w, SPEC_FL, "f", 0);
	position(w, SPEC_FN, "g", 0);
	return w;
}

#endif
