/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a sequence of calls of writer/ with their arguments.  Either
 * they are out of order, and writer_finish() says so, or the text must be of
 * the format's grammar and say what the calls said (line_check.h).
 *
 * Input: a byte of options (bits 0, 1: positions, 2: names, 3: positions
 * compressed, 4: begin with a whole header), then calls: a byte (enum op) and
 * the arguments, zeros where the input ends.
 */
#include "writer/writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/test_env.h"
#include "tests/fuzz/line_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum op {
	OP_FORMAT,
	OP_VERSION,
	OP_CREATOR,
	OP_BEGIN_PART,
	OP_PID,
	OP_PART,
	OP_THREAD,
	OP_CMD,
	OP_DESC,
	OP_EVENT,
	OP_POSITIONS,
	OP_EVENTS,
	OP_SUMMARY,
	OP_TOTALS,
	OP_BLANK,
	OP_POSITION,
	OP_COST,
	OP_CALLS,
	OP_JUMP,
	OP_CONDITIONAL_JUMP,
	OP_WHOLE_CALL, /* callee, calls, cost */
	N_OPS,
};

enum {
	MAX_SAID = 4096,
	MAX_TEXT = 24,
	MAX_ARGS = 3,
};

/* The calls, on their way from the input to the writer. */
struct driver {
	const uint8_t *data;
	size_t left;
	struct writer *writer;
	struct position last; /* most positions are near to it */
	size_t n_said;
	struct said said[MAX_SAID];
};

static unsigned take_byte(struct driver *d)
{
	if (d->left == 0)
		return 0;
	d->left--;
	return *d->data++;
}

static uint64_t take_number(struct driver *d)
{
	unsigned byte = take_byte(d);
	uint64_t value = 0;

	if (byte < 192)
		return byte;
	if (byte < 224) /* around a power of two */
		return (UINT64_C(1) << (take_byte(d) % 64)) + take_byte(d) - 128;
	for (unsigned i = 0; i < 8; i++)
		value = value << 8 | take_byte(d);
	return value;
}

static uint64_t take_near(struct driver *d, uint64_t last)
{
	unsigned byte = take_byte(d);

	if (byte < 64)
		return last + byte;
	if (byte < 128)
		return last - (byte - 64);
	return byte < 160 ? last + take_number(d) : take_number(d);
}

static struct position take_position(struct driver *d)
{
	d->last.instr = take_near(d, d->last.instr);
	d->last.line = take_near(d, d->last.line);
	return d->last;
}

/* Up to MAX_TEXT - 1 bytes; the text ends at the first NUL among them, len counts all. */
static size_t take_text(struct driver *d, char text[MAX_TEXT])
{
	size_t len = take_byte(d) % MAX_TEXT;

	for (size_t i = 0; i < len; i++)
		text[i] = (char)take_byte(d);
	text[len] = '\0';
	return len;
}

static struct said *say(struct driver *d, enum what what)
{
	struct said *said = &d->said[d->n_said++];

	*said = (struct said){ .what = what };
	return said;
}

static void call_position(struct driver *d, enum position_spec spec)
{
	struct said *said = say(d, SAID_NAME);
	char text[MAX_TEXT];
	struct name name = { .text = text };
	unsigned key = take_byte(d);

	name.len = take_text(d, text);
	name.key = key == 255 ? NAME_NO_KEY : key < 128 ? key : key * 16 + take_byte(d) % 16;
	said->spec = spec;
	said->key = name.key;
	writer_position(d->writer, spec, &name);
}

static void call_cost(struct driver *d)
{
	struct said *said = say(d, SAID_COST);
	size_t n = take_byte(d) % (MAX_COLUMNS + 1);

	said->at = take_position(d);
	for (size_t i = 0; i < n; i++)
		said->costs[i] = take_number(d);
	writer_cost(d->writer, &said->at, said->costs, n);
}

static void call_calls(struct driver *d)
{
	struct said *said = say(d, SAID_CALLS);

	said->counts[0] = take_number(d);
	said->target = take_position(d);
	writer_calls(d->writer, said->counts[0], &said->target);
}

static void call_jump(struct driver *d, bool conditional)
{
	struct said *said = say(d, conditional ? SAID_CONDITIONAL_JUMP : SAID_JUMP);

	said->counts[0] = take_number(d);
	said->target = take_position(d);
	said->at = take_position(d);
	if (!conditional) {
		writer_jump(d->writer, said->counts[0], &said->target, &said->at);
		return;
	}
	said->counts[1] = take_number(d);
	writer_conditional_jump(d->writer, said->counts[0], said->counts[1], &said->target,
				&said->at);
}

static void call_events(struct driver *d)
{
	static const char *const names[] = { "Ir", "Dr", "Dw", "Time_(10ns)", "Bim" };

	writer_events(d->writer, names, take_byte(d) % (MAX_COLUMNS + 1));
}

static void call_costs(struct driver *d, void (*call)(struct writer *, const uint64_t *))
{
	uint64_t costs[MAX_COLUMNS];

	for (size_t i = 0; i < MAX_COLUMNS; i++)
		costs[i] = take_number(d);
	call(d->writer, costs);
}

static void call_cmd(struct driver *d)
{
	char texts[MAX_ARGS][MAX_TEXT];
	const char *args[MAX_ARGS];
	size_t n = take_byte(d) % (MAX_ARGS + 1);

	for (size_t i = 0; i < n; i++) {
		take_text(d, texts[i]);
		args[i] = texts[i];
	}
	writer_cmd(d->writer, args, n);
}

static void call_with_texts(struct driver *d, enum op op)
{
	char a[MAX_TEXT], b[MAX_TEXT] = "", c[MAX_TEXT] = "";
	unsigned which = op == OP_EVENT ? take_byte(d) : 0;

	take_text(d, a);
	if (op == OP_DESC || which & 1)
		take_text(d, b);
	if (which & 2)
		take_text(d, c);
	if (op == OP_CREATOR)
		writer_creator(d->writer, a);
	else if (op == OP_DESC)
		writer_desc(d->writer, a, b);
	else
		writer_event(d->writer, a, which & 1 ? b : NULL, which & 2 ? c : NULL);
}

static void call_body(struct driver *d, enum op op)
{
	switch ((unsigned)op) {
	case OP_POSITION:
		call_position(d, (enum position_spec)(take_byte(d) % 9));
		break;
	case OP_COST:
		call_cost(d);
		break;
	case OP_CALLS:
		call_calls(d);
		break;
	case OP_JUMP:
	case OP_CONDITIONAL_JUMP:
		call_jump(d, op == OP_CONDITIONAL_JUMP);
		break;
	case OP_WHOLE_CALL:
		call_position(d, SPEC_CFN);
		call_calls(d);
		call_cost(d);
		break;
	default:
		call_with_texts(d, op);
	}
}

static void call(struct driver *d, enum op op)
{
	switch ((unsigned)op) {
	case OP_FORMAT:
		writer_format(d->writer);
		break;
	case OP_VERSION:
		writer_version(d->writer);
		break;
	case OP_BEGIN_PART:
		writer_begin_part(d->writer);
		break;
	case OP_PID:
		writer_pid(d->writer, take_number(d));
		break;
	case OP_PART:
		writer_part(d->writer, take_number(d));
		break;
	case OP_THREAD:
		writer_thread(d->writer, take_number(d));
		break;
	case OP_CMD:
		call_cmd(d);
		break;
	case OP_POSITIONS:
		writer_positions(d->writer);
		break;
	case OP_EVENTS:
		call_events(d);
		break;
	case OP_SUMMARY:
		call_costs(d, writer_summary);
		break;
	case OP_TOTALS:
		call_costs(d, writer_totals);
		break;
	case OP_BLANK:
		writer_blank(d->writer);
		break;
	default:
		call_body(d, op);
	}
}

/* A header that suits the options, so that the calls can go straight to the body. */
static void whole_header(struct driver *d)
{
	static const char *const names[] = { "Ir", "I1mr", "ILmr" };

	writer_format(d->writer);
	writer_version(d->writer);
	writer_positions(d->writer);
	writer_events(d->writer, names, 3);
	call_position(d, SPEC_FN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct driver driver; /* too large for the stack */
	struct driver *d = &driver;
	struct writer_options options;
	struct test_env env;
	struct writer writer;
	unsigned bits;
	int error;

	d->data = data;
	d->left = size;
	d->writer = &writer;
	d->last = (struct position){ 0 };
	d->n_said = 0;
	bits = take_byte(d);
	options.positions = bits & 3;
	options.compress_names = bits & 4;
	options.compress_positions = bits & 8;
	test_env_init(&env);
	writer_init(&writer, &env.env, &options);
	if (bits & 16)
		whole_header(d);
	while (d->left > 0 && d->n_said + 4 < MAX_SAID)
		call(d, (enum op)(take_byte(d) % N_OPS));
	error = writer_finish(&writer);
	if (error == 0 && (env.len != writer.out.bytes))
		abort();
	if (error == 0)
		check_lines(env.text, env.len, &options, d->said, d->n_said);
	else if (error != OUT_MISUSE)
		abort();
	writer_release(&writer);
	d->writer = NULL;
	if (!test_env_release(&env))
		abort();
	return 0;
}
