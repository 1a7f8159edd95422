/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is in a profile, reported piece by piece to a visitor: by the reader (reader.h), or
 * by a walk of a finished model (model.h).  The builder of a model (build.h), the writer
 * (emit.h) and each converter are visitors.  A new format is one visitor.
 *
 * Order of calls for each part of a profile:
 *
 *	part   (place (cost | call | jump)*)*   part_end
 *
 * Any callback may be NULL: what it would be called with is ignored.  So call them by
 * visitor_part() and the like, which look.  Each returns PROFILE_OK to go on, or an enum
 * profile_status that ends it all and that is passed up to the first caller.
 * Pointers are borrowed: valid during the call, unless something else is said.
 *
 * What lies between the source and the last visitor is a filter, see struct visitor_filter.
 */
#ifndef PROFILE_COMMON_VISITOR_H
#define PROFILE_COMMON_VISITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/error.h"
#include "writer/writer.h"

enum {
	PROFILE_MAX_EVENTS = 256, /* columns of a part, and of a model */
};

/* "desc: type: value" */
struct part_desc {
	const char *type;  /* not empty; all of the line if it has no second colon */
	const char *value; /* may be empty */
};

/*
 * A region that the program named by client requests, with what was spent in it by this part.  Names may have
 * anything but control characters; blanks at the ends are escaped.
 */
struct part_region {
	const char *name;      /* not empty */
	uint64_t times;        /* entered */
	uint64_t threads;      /* different ones that entered it */
	bool is_open;          /* it began and did not end */
	const uint64_t *costs; /* inclusive, by the part's events, never below 0; the rest is 0 */
	size_t n_costs;
};

/* The type of what costgrind check --salvage adds: what was wrong with the file. */
#define SALVAGED_DESC "Salvaged"

/* "event: name = formula : long name" */
struct part_event {
	const char *name;
	const char *formula;   /* NULL = none */
	const char *long_name; /* NULL = none */
};

/*
 * The header of a part.  Texts end in NUL, without blanks around them; they and names are as the
 * writer would write them: UTF-8 without control characters, other bytes escaped.  At
 * part(), positions, is_inherited_... and events are final; the other fields
 * are so at part_end(), since some writers put them after the costs.
 */
struct part {
	size_t index;        /* of the part in its file, from 0 */
	const char *creator; /* NULL = not said, in this part */
	const char *cmd;     /* NULL = not said, in this part; escaped as it was */
	uint64_t pid, number, thread;
	bool has_pid, has_number, has_thread;
	const struct part_desc *descs;
	size_t n_descs;
	/* By desc: all after "desc:" and blanks, as it stands; NULL where no file was read. */
	const char *const *desc_lines;
	/* By first beginning.  Filters that change costs report none. */
	const struct part_region *regions;
	size_t n_regions;
	const struct part_event *definitions;
	size_t n_definitions;
	const char *const *events;
	size_t n_events;    /* columns, 1 to PROFILE_MAX_EVENTS */
	unsigned positions; /* POSITION_ bits that cost lines have; 0 if there was only "bb" */
	const uint64_t *summary;
	size_t n_summary; /* numbers there, the rest is 0; 0 = no such line */
	const uint64_t *totals;
	size_t n_totals;       /* the same */
	uint64_t first_line;   /* of its header, 1.. */
	uint64_t summary_line; /* 0 = none */
	uint64_t totals_line;  /* 0 = none */
	bool is_signed;        /* the file had a count below 0 so far: see cost.h */
};

/*
 * Where costs belong.  Names have keys: equal keys are equal texts, of one kind
 * (objects, files, functions), for as long as the reader or the model lives.
 * What is not known, or not said, is "???", key 0.
 * A name that its teller made up ("<rest>") has NAME_NO_KEY; there is one of a kind at most.
 */
struct place {
	struct name object;
	struct name file; /* of the function: by "fl=" */
	struct name function;
	struct name source; /* that positions are in: by "fi=" or "fe=", else file */
	bool has_object;    /* it was said, if only as "???" */
};

/* Calls of one function from one position. */
struct call {
	struct place callee; /* source is file */
	uint64_t count;      /* 0 where the writer does not count (pprof) */
	struct position target;
	struct position at;    /* in the source of the place */
	const uint64_t *costs; /* inclusive */
	size_t n_costs;        /* numbers there; the rest is 0 */
};

/* Jumps from one position to another. */
struct jump {
	bool is_conditional;
	uint64_t followed;
	uint64_t executed; /* equals followed if not conditional */
	struct name file;  /* of the target */
	struct name function;
	bool has_function; /* "jfn=" was said; else function is the place's */
	struct position target;
	struct position at;
};

struct visitor {
	void *ctx; /* first argument of all */
	/* A header; the struct stays the same, and is valid, up to part_end(). */
	int (*part)(void *ctx, const struct part *part);
	/* All that follows, up to the next call, is of this place. */
	int (*place)(void *ctx, const struct place *place);
	/* Self cost; n_costs numbers, the rest is 0.  Positions repeat, and come in any order. */
	int (*cost)(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs);
	int (*call)(void *ctx, const struct call *call);
	int (*jump)(void *ctx, const struct jump *jump);
	int (*part_end)(void *ctx, const struct part *part);
	/* From now on, counts are signed: called once, before the first number below 0. */
	int (*negative)(void *ctx);
};

static inline int visitor_part(const struct visitor *visitor, const struct part *part)
{
	return visitor->part ? visitor->part(visitor->ctx, part) : PROFILE_OK;
}

static inline int visitor_place(const struct visitor *visitor, const struct place *place)
{
	return visitor->place ? visitor->place(visitor->ctx, place) : PROFILE_OK;
}

static inline int visitor_cost(const struct visitor *visitor, const struct position *at,
			       const uint64_t *costs, size_t n_costs)
{
	return visitor->cost ? visitor->cost(visitor->ctx, at, costs, n_costs) : PROFILE_OK;
}

static inline int visitor_call(const struct visitor *visitor, const struct call *call)
{
	return visitor->call ? visitor->call(visitor->ctx, call) : PROFILE_OK;
}

static inline int visitor_jump(const struct visitor *visitor, const struct jump *jump)
{
	return visitor->jump ? visitor->jump(visitor->ctx, jump) : PROFILE_OK;
}

static inline int visitor_part_end(const struct visitor *visitor, const struct part *part)
{
	return visitor->part_end ? visitor->part_end(visitor->ctx, part) : PROFILE_OK;
}

static inline int visitor_negative(const struct visitor *visitor)
{
	return visitor->negative ? visitor->negative(visitor->ctx) : PROFILE_OK;
}

/* The same, unless it was done, which *is_done says. */
static inline int visitor_negative_once(const struct visitor *visitor, bool *is_done)
{
	if (*is_done)
		return PROFILE_OK;
	*is_done = true;
	return visitor_negative(visitor);
}

/*
 * A visitor that forwards to another one.  It is the first member of the struct of each filter,
 * which says only what it changes:
 *
 *	struct lines {
 *		struct visitor_filter filter;
 *		...
 *	};
 *
 *	static int visit_cost(void *ctx, ...)
 *	{
 *		struct lines *lines = ctx;
 *		...
 *		return visitor_cost(lines->filter.to, &line, costs, n_costs);
 *	}
 *
 *	visitor_filter_init(&lines->filter, to, &(struct visitor){ .cost = visit_cost });
 *
 * A filter that holds something back sets that callback of its visitor to NULL afterwards.
 */
struct visitor_filter {
	struct visitor visitor; /* what is reported to it is forwarded */
	const struct visitor *to;
};

/*
 * `to` is borrowed.  Callbacks that are NULL in `changes` forward; ctx there is not looked at, the
 * filter is the ctx of all.  Do not move the filter afterwards.
 */
void visitor_filter_init(struct visitor_filter *filter, const struct visitor *to,
			 const struct visitor *changes);

#endif
