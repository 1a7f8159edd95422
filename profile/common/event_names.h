/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that are known by name: what they count, and their old names. */
#ifndef PROFILE_COMMON_EVENT_NAMES_H
#define PROFILE_COMMON_EVENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who knows that an event happens: of the table writer/shared/events.h. */
enum event_origin {
	EVENT_ORIGIN_INSTRUCTION,
	EVENT_ORIGIN_PREDICTION,
	EVENT_ORIGIN_MISS,
	EVENT_ORIGIN_ROUND,
	EVENT_ORIGIN_TRAIT,
	EVENT_ORIGIN_LOSS,
	EVENT_ORIGIN_CYCLE,
	EVENT_ORIGIN_WORK,
	EVENT_ORIGIN_SELDOM_BRANCH,
	EVENT_ORIGIN_PAGE_MISS,
	EVENT_ORIGIN_COHERENCE,
	EVENT_ORIGIN_SELDOM_MISS,
	EVENT_ORIGIN_SYSTEM,
	EVENT_ORIGIN_CLASS,
	EVENT_ORIGIN_SIZE,
	EVENT_ORIGIN_LINE_USE,
};

struct event_info {
	const char *name;
	const char *long_name; /* as costgrind writes it into profiles */
	const char *text;      /* a sentence or two for people */
	const char *old_name;  /* in files of Valgrind 3.2 and the like; NULL = none */
	const char *of;        /* must have happened for it to be possible; NULL = it is always */
	const char *unit;      /* what a count of 1 is */
	enum event_origin origin;
	bool is_own; /* costgrind's: no tool of Valgrind's has it */
};

/* What is known about an event, by its name or its old name; NULL if nothing is. */
const struct event_info *event_find(const char *name);

/* Name if it is an old one: "ILmr" of "I2mr"; else what was given. */
const char *event_name(const char *name);

/* True if an event is counted in tenths of what people count, as cycles are. */
bool event_is_tenths(const char *name);

/* A part of Cyc as people know it. */
struct cycle_part {
	const char *name; /* of the event: "CyMem" */
	const char *term; /* of top-down analysis: "memory bound" */
	const char *word; /* where there is little room: "memory" */
};

/* The part that is this event; NULL if it is none. */
const struct cycle_part *cycle_part_find(const char *name);

/* True if calls have a cost of an event: false of origin LINE_USE.  Events that are not known have one. */
bool event_is_inclusive(const char *name);

/* True if an event is of a curve by size of cache, which costgrind curve shows in a table of its own. */
bool event_is_of_curve(const char *name);

/* The index among n names of an event that is called so, or by another name of it; n if there is none. */
size_t event_index(const char *const *names, size_t n, const char *name);

/* True if Callgrind or Cachegrind, of any version, has an event of this name. */
bool event_is_of_valgrind(const char *name);

/*
 * The option of costgrind's tool without which an event, or a derived one, is not recorded: it says "yes"
 * unless a value is in it.  NULL: of what is always recorded, or not known.
 */
const char *event_option(const char *name);

/* True if a text can be the name of a column: graphic ASCII characters, as in "Time_(10ns)". */
bool event_is_column(const char *text);

/* All that are known, n of them, in the order in which costgrind writes them. */
const struct event_info *event_all(size_t *n);

/* -- formulas ------------------------------------------------------------------ */

/*
 * Formulas of derived events: "Ir + 10 Bm - 2*L1m".  Terms are event names, with
 * an integer factor before them and perhaps a "*" between; the specification has
 * sums only, KCachegrind differences too.
 */

struct formula_term {
	int64_t factor;
	const char *name; /* in the formula's text; [A-Za-z_][A-Za-z0-9_]* */
	size_t len;
	unsigned decimals; /* of the factor: 15 and 1 is 1.5; 0 in files */
};

/*
 * The next term of the NUL-terminated text that *rest points into; *rest is
 * moved past it.  1: term is filled; 0: the end; -1: no formula, and *rest is
 * where it went wrong.  first: no term came before.
 */
int formula_next(const char **rest, bool first, struct formula_term *term);

/* True if all of text is a formula of at least one term. */
bool formula_is_valid(const char *text);

/* The same of formulas that people give to commands: factors may have decimals, FORMULA_DECIMALS at most. */
enum { FORMULA_DECIMALS = 3 };
int formula_next_weighted(const char **rest, bool first, struct formula_term *term);
bool formula_is_weighted(const char *text);

#endif
