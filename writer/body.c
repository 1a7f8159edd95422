/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The body of a part: names, costs, calls and jumps; and the nodes of a call tree. */
#include "writer/escape.h"
#include "writer/order.h"
#include "writer/out.h"
#include "writer/writer.h"

/* Deltas that readers with 32-bit ints take. */
#define MAX_DELTA ((UINT64_C(1) << 31) - 1)

enum {
	POSITIONS_MAX = 2,    /* numbers at the start of a line */
	NUMBERS_AT_ONCE = 64, /* of a row, however long that is */
};

/*
 * Lines of numbers are put together in the buffer: each function gets the place where the line
 * goes on, and returns where it has come to.
 */

/* Room for n numbers, with a byte before each, and the line feed; NULL after a failure. */
static char *room_for_numbers(struct writer *writer, size_t n)
{
	return out_room(&writer->out, n * (1 + NUMBER_MAX) + 1);
}

static void end_line(struct writer *writer, char *p)
{
	*p++ = '\n';
	out_advance(&writer->out, p, 1);
}

/* A cost or a count. */
static inline char *put_count(const struct writer *writer, char *p, uint64_t count)
{
	return writer->signed_counts ? number_put_signed(p, count) : number_put_decimal(p, count);
}

void writer_put_costs(struct writer *writer, const uint64_t *costs, size_t n_costs)
{
	for (size_t i = 0; i < n_costs;) {
		size_t end = n_costs - i < NUMBERS_AT_ONCE ? n_costs : i + NUMBERS_AT_ONCE;
		char *p = room_for_numbers(writer, end - i);

		if (!p)
			return;
		for (; i < end; i++) {
			*p++ = ' ';
			p = put_count(writer, p, costs[i]);
		}
		out_advance(&writer->out, p, 0);
	}
	out_char(&writer->out, '\n');
}

/* True if a body line may be written; legal is what else must hold for it. */
static inline bool reach_body(struct writer *writer, bool legal)
{
	bool in_body = writer->stage >= STAGE_EVENTS && writer->stage <= STAGE_BODY;

	if (!proceed(writer, in_body && legal))
		return false;
	writer->stage = STAGE_BODY;
	return true;
}

/* The ids that the name of a position specification belongs to, by its kind. */
static struct names *names_of(struct writer *writer, enum position_spec spec)
{
	switch (spec) {
	case SPEC_OB:
	case SPEC_COB:
		return &writer->objects;
	case SPEC_FL:
	case SPEC_FI:
	case SPEC_FE:
	case SPEC_CFI:
	case SPEC_JFI:
		return &writer->files;
	case SPEC_FN:
	case SPEC_CFN:
	case SPEC_JFN:
		break;
	}
	return &writer->functions;
}

/* True if a position specification is in order; makes the changes that it implies. */
static bool enter_position(struct writer *writer, enum position_spec spec)
{
	bool of_callee = spec == SPEC_COB || spec == SPEC_CFI || spec == SPEC_CFN;
	bool of_jump = spec == SPEC_JFI || spec == SPEC_JFN;
	bool needs_function = of_callee || of_jump || spec == SPEC_FI || spec == SPEC_FE;
	bool in_order = writer->call <= (of_callee ? CALL_PLACE : CALL_NONE) ||
			(spec == SPEC_JFN && writer->call == CALL_JUMP);
	bool legal = (unsigned)spec <= SPEC_JFN && in_order &&
		     (writer->in_function || !needs_function);

	if (!reach_body(writer, legal))
		return false;
	if (of_callee)
		writer->call = spec == SPEC_CFN ? CALL_NAMED : CALL_PLACE;
	else if (of_jump)
		writer->call = CALL_JUMP;
	else
		writer->keep_zeros = true;
	if (spec == SPEC_OB)
		writer->in_function = false;
	if (spec == SPEC_FN) {
		writer->in_function = true;
		writer->last_valid = false;
	}
	return true;
}

/* True if an id is written in place of a name, or before it. */
static bool has_id(struct writer *writer, enum position_spec spec, uint32_t key)
{
	if (!writer->options.compress_names || key == NAME_NO_KEY)
		return false;
	return (spec != SPEC_JFI && spec != SPEC_JFN) ||
	       names_known_id(names_of(writer, spec), key) != 0;
}

void writer_position(struct writer *writer, enum position_spec spec, const struct name *name)
{
	static const char prefixes[][5] = {
		[SPEC_OB] = "ob=",   [SPEC_FL] = "fl=",   [SPEC_FI] = "fi=",   [SPEC_FE] = "fe=",
		[SPEC_FN] = "fn=",   [SPEC_COB] = "cob=", [SPEC_CFI] = "cfi=", [SPEC_CFN] = "cfn=",
		[SPEC_JFI] = "jfi=", [SPEC_JFN] = "jfn=",
	};
	struct out *out = &writer->out;
	bool is_new = true;

	if (!enter_position(writer, spec))
		return;
	out_text(out, prefixes[spec]);
	if (has_id(writer, spec, name->key)) {
		uint32_t id = names_id(names_of(writer, spec), out->env, name->key, &is_new);

		if (id == 0) {
			out_fail(out, OUT_NO_MEMORY);
			return;
		}
		out_char(out, '(');
		out_decimal(out, id);
		out_char(out, ')');
		if (is_new)
			out_char(out, ' ');
	}
	if (is_new)
		escape_name(out, name->text, name->len);
	out_char(out, '\n');
}

/*
 * Puts "+n", "-n" or "*" if readers understand it and it is not longer than
 * the absolute_len bytes of the absolute number; otherwise nothing.
 */
static char *put_relative(char *p, uint64_t value, uint64_t last, size_t absolute_len)
{
	uint64_t delta = value >= last ? value - last : last - value;

	if (delta == 0) {
		*p++ = '*';
		return p;
	}
	if (delta > MAX_DELTA || 1 + decimal_digits(delta) > absolute_len)
		return p;
	*p++ = value > last ? '+' : '-';
	return number_put_decimal(p, delta);
}

/* The numbers at the start of a cost line, which the next line may be relative to. */
static char *put_source(struct writer *writer, char *p, const struct position *at)
{
	unsigned positions = writer->options.positions;
	bool relative = writer->last_valid && writer->options.compress_positions;
	char *start = p;

	if (positions & POSITION_INSTR) {
		if (relative)
			p = put_relative(p, at->instr, writer->last.instr,
					 2 + hex_digits(at->instr));
		if (p == start)
			p = number_put_hex(p, at->instr);
		if (positions & POSITION_LINE)
			*p++ = ' ';
	}
	if (positions & POSITION_LINE) {
		start = p;
		if (relative)
			p = put_relative(p, at->line, writer->last.line, decimal_digits(at->line));
		if (p == start)
			p = number_put_decimal(p, at->line);
	}
	writer->last = *at;
	writer->last_valid = true;
	return p;
}

/* " position", always absolute: readers disagree about anything else. */
static char *put_target(const struct writer *writer, char *p, const struct position *target)
{
	if (writer->options.positions & POSITION_INSTR) {
		*p++ = ' ';
		p = number_put_hex(p, target->instr);
	}
	if (writer->options.positions & POSITION_LINE) {
		*p++ = ' ';
		p = number_put_decimal(p, target->line);
	}
	return p;
}

void writer_cost(struct writer *writer, const struct position *at, const uint64_t *costs,
		 size_t n_costs)
{
	static const uint64_t zero = 0;
	bool in_order = writer->call == CALL_NONE || writer->call == CALL_COUNTED;
	bool keep_zeros;
	char *p;

	if (!reach_body(writer, in_order && writer->in_function && n_costs <= writer->n_events))
		return;
	/*
	 * callgrind_annotate complains of a file in which no line has a number
	 * in some column.
	 */
	keep_zeros = writer->keep_zeros && writer->call == CALL_NONE && n_costs == writer->n_events;
	if (keep_zeros)
		writer->keep_zeros = false;
	writer->call = CALL_NONE;
	keep_zeros = keep_zeros || writer->full_rows;
	while (!keep_zeros && n_costs > 0 && costs[n_costs - 1] == 0)
		n_costs--;
	if (n_costs == 0) { /* a line without costs looks like one of a jump */
		costs = &zero;
		n_costs = 1;
	}
	p = room_for_numbers(writer, POSITIONS_MAX);
	if (!p)
		return;
	out_advance(&writer->out, put_source(writer, p, at), 0);
	writer_put_costs(writer, costs, n_costs);
}

void writer_calls(struct writer *writer, uint64_t count, const struct position *target)
{
	char *p;

	/* No calls at all would make readers add the cost that follows to the caller's own. */
	if (!reach_body(writer, writer->call == CALL_NAMED && (count > 0 || writer->foreign)))
		return;
	writer->call = CALL_COUNTED;
	out_text(&writer->out, "calls=");
	p = room_for_numbers(writer, 1 + POSITIONS_MAX);
	if (p)
		end_line(writer, put_target(writer, put_count(writer, p, count), target));
}

static bool reach_jump(struct writer *writer)
{
	bool in_order = writer->call == CALL_NONE || writer->call == CALL_JUMP;

	if (!reach_body(writer, in_order && writer->in_function))
		return false;
	writer->call = CALL_NONE;
	return true;
}

/* The line after a jump's. */
static void put_jump_source(struct writer *writer, const struct position *source)
{
	char *p = room_for_numbers(writer, POSITIONS_MAX);

	if (p)
		end_line(writer, put_source(writer, p, source));
}

void writer_jump(struct writer *writer, uint64_t count, const struct position *target,
		 const struct position *source)
{
	char *p;

	if (!reach_jump(writer))
		return;
	out_text(&writer->out, "jump=");
	p = room_for_numbers(writer, 1 + POSITIONS_MAX);
	if (p)
		end_line(writer, put_target(writer, put_count(writer, p, count), target));
	put_jump_source(writer, source);
}

void writer_conditional_jump(struct writer *writer, uint64_t followed, uint64_t executed,
			     const struct position *target, const struct position *source)
{
	char *p;

	if (!reach_jump(writer))
		return;
	out_text(&writer->out, "jcnd=");
	p = room_for_numbers(writer, 2 + POSITIONS_MAX);
	if (p) {
		p = put_count(writer, p, followed);
		*p++ = '/';
		p = put_count(writer, p, executed);
		end_line(writer, put_target(writer, p, target));
	}
	put_jump_source(writer, source);
}

/* --- call trees --- */

void nodes_format(struct writer *writer)
{
	if (!proceed(writer, writer->stage < STAGE_FORMAT))
		return;
	writer->stage = STAGE_FORMAT;
	out_text(&writer->out, "# costgrind call tree\n");
}

void nodes_section(struct writer *writer, const char *kind, uint64_t thread)
{
	if (!reach_body(writer, true))
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
	if (!reach_body(writer, !nodes_is_named(writer, &function->name)))
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

	if (!reach_body(writer, !function || id != 0))
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
