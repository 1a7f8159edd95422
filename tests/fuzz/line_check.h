/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the text of a profile line by line.  It shares no code with writer/:
 * every line must be of the format's grammar, in the order in which readers
 * want it, and say, names and relative positions resolved, what the test has
 * noted.  What does not hold is printed with its line, then abort().
 */
#ifndef TESTS_FUZZ_LINE_CHECK_H
#define TESTS_FUZZ_LINE_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "writer/writer.h"

enum {
	MAX_COLUMNS = 5,
	N_KEYS = 4096, /* keys of names are below, or NAME_NO_KEY */
	N_KINDS = 3,   /* objects, files, functions */
};

/* What a body line is to say. */
enum what {
	SAID_NAME,
	SAID_COST,
	SAID_CALLS,
	SAID_JUMP,
	SAID_CONDITIONAL_JUMP,
};

struct said {
	enum what what;
	enum position_spec spec;
	uint32_t key;
	uint64_t counts[2]; /* calls, or jumps followed and executed */
	struct position target;
	struct position at;
	uint64_t costs[MAX_COLUMNS]; /* zeros at the end */
};

struct reader {
	const char *line;
	const char *at;  /* what is not yet read of the line */
	const char *end; /* of the line */
	struct writer_options options;
	const struct said *said, *said_end; /* what is still to be said */
	unsigned rank;                      /* of the header line before */
	size_t n_columns;
	uint64_t last[2]; /* instr, line */
	bool last_valid;
	bool in_function;
	bool keeps_zeros; /* the next self cost is the first after a file or function */
	unsigned callee; /* 1: its place is known, 2: its name; 3: the file of a jump's target is */
	uint32_t last_id[N_KINDS];
	uint32_t id_of_key[N_KINDS][N_KEYS]; /* 0 = none */
};

/* Places in the file, in their order; a rank is the last one reached. */
enum {
	RANK_VERSION = 1,
	RANK_CREATOR,
	RANK_PID,
	RANK_CMD,
	RANK_PART,
	RANK_THREAD,
	RANK_DESC,
	RANK_EVENT,
	RANK_POSITIONS,
	RANK_EVENTS,
	RANK_SUMMARY,
	RANK_BODY,
	RANK_TOTALS,
};

static inline void require(const struct reader *r, bool held, const char *what)
{
	if (held)
		return;
	fprintf(stderr, "line_check: %s: %.*s\n", what, (int)(r->end - r->line), r->line);
	abort();
}

static inline bool skip(struct reader *r, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(r->end - r->at) < len || memcmp(r->at, text, len) != 0)
		return false;
	r->at += len;
	return true;
}

static inline bool at_digit(const struct reader *r)
{
	return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

/* A number without sign, needless zeros or, in hex, capitals. */
static inline uint64_t read_number(struct reader *r, unsigned base)
{
	static const char digits[] = "0123456789abcdef";
	const char *start = r->at;
	uint64_t value = 0;

	for (; r->at < r->end; r->at++) {
		const char *digit = memchr(digits, *r->at, base);

		if (!digit)
			break;
		require(r, value <= (UINT64_MAX - (uint64_t)(digit - digits)) / base, "too large");
		value = value * base + (uint64_t)(digit - digits);
	}
	require(r, r->at > start, "number expected");
	require(r, *start != '0' || r->at == start + 1, "needless zero");
	return value;
}

static inline void check_number_line(struct reader *r, const char *key)
{
	require(r, skip(r, key), "key");
	read_number(r, 10);
	require(r, r->at == r->end, "end of line expected");
}

/* One code point, decoded by its bits. */
static inline uint32_t read_code_point(struct reader *r)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned lead = (unsigned char)*r->at++, n = 1;
	uint32_t value = lead;

	if (lead >= 0x80) {
		for (n = 0; n < 5 && lead & (0x80U >> n); n++)
			;
		require(r, n >= 2 && n <= 4, "no UTF-8");
		value = lead & (0x7fU >> n);
	}
	for (unsigned i = 1; i < n; i++) {
		require(r, r->at < r->end && ((unsigned char)*r->at & 0xc0) == 0x80, "no UTF-8");
		value = value << 6 | ((unsigned char)*r->at++ & 0x3f);
	}
	require(r, value >= least[n] && value <= 0x10ffff, "no UTF-8");
	require(r, value < 0xd800 || value > 0xdfff, "surrogate");
	return value;
}

static inline void check_text(struct reader *r)
{
	while (r->at < r->end) {
		uint32_t c = read_code_point(r);

		require(r, c >= 0x20 && (c < 0x7f || c > 0x9f), "control character");
	}
	require(r, r->end == r->line || r->end[-1] != ' ', "blank at the end");
	r->at = r->line;
}

static inline void new_part(struct reader *r)
{
	r->rank = RANK_CREATOR;
	r->last_valid = false;
	r->in_function = false;
	memset(r->last_id, 0, sizeof(r->last_id));
	memset(r->id_of_key, 0, sizeof(r->id_of_key));
}

static inline void check_word(struct reader *r)
{
	const char *start = r->at;

	while (r->at<r->end && * r->at> ' ' && *r->at <= '~')
		r->at++;
	require(r, r->at > start, "word expected");
}

/* Name [= formula] [: long name] */
static inline void check_event(struct reader *r)
{
	static const char name_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
					 "0123456789";
	static const char more_chars[] = " +-*";
	const char *start = r->at;

	require(r, !at_digit(r), "digit begins a name");
	while (r->at < r->end && memchr(name_chars, *r->at, sizeof(name_chars) - 1))
		r->at++;
	require(r, r->at > start, "name of an event");
	if (skip(r, " = "))
		while (r->at < r->end && strncmp(r->at, " :", 2) != 0 &&
		       (memchr(name_chars, *r->at, sizeof(name_chars) - 1) ||
			memchr(more_chars, *r->at, sizeof(more_chars) - 1)))
			r->at++;
	require(r, r->at == r->end || skip(r, " :"), "long name expected");
}

/* The numbers of summary: and totals: are all there. */
static inline void check_sums(struct reader *r, const char *key)
{
	require(r, skip(r, key), "key");
	for (size_t i = 0; i < r->n_columns; i++) {
		require(r, skip(r, " "), "blank expected");
		read_number(r, 10);
	}
	require(r, r->at == r->end, "end of line expected");
}

static inline void check_positions(struct reader *r)
{
	static const char *const lines[] = { "", "positions: line", "positions: instr",
					     "positions: instr line" };

	require(r, skip(r, lines[r->options.positions]) && r->at == r->end, "positions");
}

static inline void check_events(struct reader *r)
{
	require(r, r->rank == RANK_POSITIONS || r->options.positions == POSITION_LINE,
		"positions: is missing");
	require(r, skip(r, "events:"), "key");
	for (r->n_columns = 0; skip(r, " "); r->n_columns++)
		check_word(r);
	require(r, r->n_columns > 0 && r->at == r->end, "names of events expected");
}

static inline void check_header_line(struct reader *r, unsigned rank)
{
	bool repeated = rank == r->rank && (rank == RANK_DESC || rank == RANK_EVENT);

	if (r->rank >= RANK_EVENTS && rank <= RANK_EVENTS)
		new_part(r);
	require(r, rank > r->rank || repeated, "order of the header");
	if (rank == RANK_VERSION)
		require(r, r->end - r->line == 10 && skip(r, "version: 1"), "version");
	else if (rank == RANK_PID)
		check_number_line(r, "pid: ");
	else if (rank == RANK_PART)
		check_number_line(r, "part: ");
	else if (rank == RANK_THREAD)
		check_number_line(r, "thread: ");
	else if (rank == RANK_DESC)
		require(r, skip(r, "desc: ") && memchr(r->at, ':', (size_t)(r->end - r->at)),
			"desc");
	else if (rank == RANK_EVENT && skip(r, "event: "))
		check_event(r);
	else if (rank == RANK_POSITIONS)
		check_positions(r);
	else if (rank == RANK_EVENTS)
		check_events(r);
	else if (rank == RANK_SUMMARY || rank == RANK_TOTALS)
		check_sums(r, rank == RANK_SUMMARY ? "summary:" : "totals:");
	if (rank == RANK_SUMMARY)
		require(r, r->rank == RANK_EVENTS, "summary not right after the events");
	if (rank == RANK_TOTALS)
		require(r, r->rank >= RANK_EVENTS && r->callee == 0, "totals out of place");
	r->rank = rank;
}

static inline const struct said *next_said(struct reader *r, enum what what)
{
	require(r, r->said < r->said_end && r->said->what == what, "nobody said so");
	return r->said++;
}

/* (id) name, (id) or name; only_known: not the first */
static inline void check_name(struct reader *r, unsigned kind, uint32_t key, bool only_known)
{
	bool has_id = r->options.compress_names && key != NAME_NO_KEY &&
		      (!only_known || r->id_of_key[kind][key] != 0);
	uint32_t *known = has_id ? &r->id_of_key[kind][key] : NULL;

	if (has_id) {
		uint64_t id;

		require(r, skip(r, "("), "id expected");
		id = read_number(r, 10);
		require(r, skip(r, ")"), "parenthesis expected");
		if (*known != 0) {
			require(r, id == *known && r->at == r->end, "known name");
			return;
		}
		require(r, id == ++r->last_id[kind], "next id expected");
		*known = r->last_id[kind];
		require(r, skip(r, " "), "definition expected");
	}
	require(r, r->at < r->end && *r->at != ' ', "name expected");
	if (skip(r, "("))
		require(r, !at_digit(r), "name like an id");
}

static inline void check_position_spec(struct reader *r, enum position_spec spec)
{
	static const unsigned kind_of_spec[] = { 0, 1, 1, 1, 2, 0, 1, 2, 1 };
	const struct said *said = next_said(r, SAID_NAME);

	require(r, spec == said->spec, "position specification");
	if (spec == SPEC_JFI) {
		require(r, r->in_function && r->callee == 0, "target of a jump out of place");
		r->callee = 3;
	} else if (spec >= SPEC_COB) {
		require(r, r->in_function && r->callee < 2, "callee out of place");
		r->callee = spec == SPEC_CFN ? 2 : 1;
	} else {
		require(r, r->callee == 0, "calls= expected");
		require(r, r->in_function || (spec != SPEC_FI && spec != SPEC_FE), "no function");
		r->keeps_zeros = true;
	}
	if (spec == SPEC_OB)
		r->in_function = false;
	if (spec == SPEC_FN) {
		r->in_function = true;
		r->last_valid = false;
	}
	check_name(r, kind_of_spec[spec], said->key, spec == SPEC_JFI);
}

/* One subposition; last is NULL if it must be absolute. */
static inline uint64_t read_subposition(struct reader *r, bool hex, const uint64_t *last)
{
	const char *start = r->at;
	bool relative = last && (*r->at == '+' || *r->at == '-' || *r->at == '*');
	char absolute[32], shortest[32];
	uint64_t value;

	if (last && skip(r, "*"))
		value = *last;
	else if (last && skip(r, "+"))
		value = *last + read_number(r, 10);
	else if (last && skip(r, "-"))
		value = *last - read_number(r, 10);
	else {
		require(r, !hex || skip(r, "0x"), "address expected");
		value = read_number(r, hex ? 16 : 10);
	}
	snprintf(absolute, sizeof(absolute), hex ? "0x%" PRIx64 : "%" PRIu64, value);
	if (last) {
		uint64_t delta = value > *last ? value - *last : *last - value;

		if (delta == 0)
			snprintf(shortest, sizeof(shortest), "*");
		else
			snprintf(shortest, sizeof(shortest), "%c%" PRIu64,
				 value > *last ? '+' : '-', delta);
		require(r,
			relative ==
				(delta < UINT64_C(1) << 31 && strlen(shortest) <= strlen(absolute)),
			"relative or not");
	}
	require(r, strncmp(start, relative ? shortest : absolute, (size_t)(r->at - start)) == 0,
		"number");
	return value;
}

static inline void check_place(struct reader *r, const struct position *want, bool target)
{
	bool relative = !target && r->last_valid && r->options.compress_positions;
	uint64_t instr = 0, line = 0;

	if (r->options.positions & POSITION_INSTR) {
		instr = read_subposition(r, true, relative ? &r->last[0] : NULL);
		require(r, instr == want->instr, "address");
		if (r->options.positions & POSITION_LINE)
			require(r, skip(r, " "), "blank expected");
	}
	if (r->options.positions & POSITION_LINE) {
		line = read_subposition(r, false, relative ? &r->last[1] : NULL);
		require(r, line == want->line, "line number");
	}
	if (target)
		return;
	r->last[0] = instr;
	r->last[1] = line;
	r->last_valid = true;
}

static inline void check_cost_line(struct reader *r)
{
	const struct said *said = next_said(r, SAID_COST);
	uint64_t value = 0;
	size_t n;

	require(r, r->in_function, "no function");
	check_place(r, &said->at, false);
	for (n = 0; skip(r, " "); n++) {
		require(r, n < r->n_columns, "too many costs");
		value = read_number(r, 10);
		require(r, value == said->costs[n], "cost");
	}
	require(r, n > 0 && r->at == r->end, "cost expected");
	require(r, n == 1 || value != 0 || (r->keeps_zeros && r->callee == 0 && n == r->n_columns),
		"zero at the end");
	if (r->callee == 0 && n == r->n_columns)
		r->keeps_zeros = false;
	for (; n < MAX_COLUMNS; n++)
		require(r, said->costs[n] == 0, "cost is missing");
}

/* calls=, jump= or jcnd= and the line that must follow. */
static inline void check_pair(struct reader *r, enum what what, const char *text_end)
{
	const struct said *said = next_said(r, what);

	require(r, r->in_function, "no function");
	require(r, what == SAID_CALLS ? r->callee == 2 : r->callee == 0 || r->callee == 3,
		"callee");
	require(r, read_number(r, 10) == said->counts[0], "count");
	require(r, what != SAID_CALLS || said->counts[0] > 0, "no calls");
	if (what == SAID_CONDITIONAL_JUMP) {
		require(r, skip(r, "/"), "slash expected");
		require(r, read_number(r, 10) == said->counts[1], "count");
	}
	require(r, skip(r, " "), "blank expected");
	check_place(r, &said->target, true);
	require(r, r->at == r->end && r->end + 1 < text_end, "end of line expected");
	r->line = r->at = r->end + 1;
	r->end = memchr(r->line, '\n', (size_t)(text_end - r->line));
	check_text(r);
	if (what == SAID_CALLS) {
		check_cost_line(r); /* while there is a callee: no self cost */
		r->callee = 0;
		return;
	}
	r->callee = 0;
	check_place(r, &said->at, false);
	require(r, r->at == r->end, "end of line expected");
}

static inline void check_body_line(struct reader *r, const char *text_end)
{
	static const char specs[][5] = { "ob=",  "fl=",  "fi=",  "fe=", "fn=",
					 "cob=", "cfi=", "cfn=", "jfi=" };

	require(r, r->rank >= RANK_EVENTS && r->rank <= RANK_BODY, "body line out of place");
	r->rank = RANK_BODY;
	for (unsigned i = 0; i < 9; i++)
		if (skip(r, specs[i])) {
			check_position_spec(r, (enum position_spec)i);
			return;
		}
	if (skip(r, "calls="))
		check_pair(r, SAID_CALLS, text_end);
	else if (skip(r, "jump="))
		check_pair(r, SAID_JUMP, text_end);
	else if (skip(r, "jcnd="))
		check_pair(r, SAID_CONDITIONAL_JUMP, text_end);
	else {
		require(r, r->callee == 0, "calls= expected");
		check_cost_line(r);
	}
}

static inline void check_line(struct reader *r, const char *text_end)
{
	static const char keys[][12] = {
		"",      "version:", "creator:",   "pid:",    "cmd:",     "part:", "thread:",
		"desc:", "event:",   "positions:", "events:", "summary:", "",      "totals:",
	};

	check_text(r);
	if (r->at == r->end || *r->at == '#')
		return;
	for (unsigned rank = 1; rank <= RANK_TOTALS; rank++)
		if (rank != RANK_BODY && skip(r, keys[rank])) {
			r->at = r->line;
			check_header_line(r, rank);
			return;
		}
	check_body_line(r, text_end);
}

/* text must say exactly what said[0..n_said - 1] says, and be as the options want it. */
static inline void check_lines(const char *text, size_t len, const struct writer_options *options,
			       const struct said *said, size_t n_said)
{
	static struct reader reader; /* too large for the stack */
	struct reader *r = &reader;
	const char *text_end = text + len;

	*r = (struct reader){ .options = *options, .said = said, .said_end = said + n_said };
	for (r->end = text; r->end < text_end; r->end++) {
		r->line = r->at = r->end;
		r->end = memchr(r->line, '\n', (size_t)(text_end - r->line));
		if (!r->end) {
			r->end = text_end;
			require(r, false, "line feed is missing");
		}
		check_line(r, text_end);
	}
	require(r, r->said == r->said_end, "not all was said");
	require(r, r->callee == 0, "calls= is missing");
	require(r, r->rank <= RANK_CREATOR || r->rank >= RANK_EVENTS, "events: is missing");
}

#endif
