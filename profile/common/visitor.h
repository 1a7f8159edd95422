/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is in a profile, told piece by piece: the reader tells it (reader.h), a
 * finished model tells it (walk.h); the builder of a model (build.h), the
 * writer (emit.h) and each converter listen.  A new format is one listener.
 *
 * Order of calls for each part of a profile:
 *
 *	part   (place (cost | call | jump)*)*   part_end
 *
 * comment() may come anywhere, before the first part too.  Calls and jumps that are
 * left out by the listener are NULL.  Each function returns 0 to go on, or an
 * enum profile_status that ends it all, and that whoever tells returns.
 * Pointers are borrowed: valid during the call, unless something else is said.
 */
#ifndef PROFILE_COMMON_VISITOR_H
#define PROFILE_COMMON_VISITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/error.h"
#include "writer/names.h"
#include "writer/writer.h"

enum {
	PROFILE_MAX_EVENTS = 256, /* columns of a part, and of a model */
};

/* "desc: type: value" */
struct part_desc {
	const char *type;  /* not empty; all of the line if it has no second colon */
	const char *value; /* may be empty */
};

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
 * are so at part_end(), since some writers put them behind the costs.
 */
struct part {
	size_t index;        /* of the part in its file, from 0 */
	const char *creator; /* NULL = not said, in this part */
	const char *cmd;     /* NULL = not said, in this part; escaped as it was */
	uint64_t pid, number, thread;
	bool has_pid, has_number, has_thread;
	const struct part_desc *descs;
	size_t n_descs;
	const struct part_event *definitions;
	size_t n_definitions;
	const char *const *events;
	size_t n_events;    /* columns, 1 to PROFILE_MAX_EVENTS */
	unsigned positions; /* POSITION_ bits that cost lines have; 0 if there was only "bb" */
	const uint64_t *summary;
	size_t n_summary; /* numbers there, the rest is 0; 0 = no such line */
	const uint64_t *totals;
	size_t n_totals;       /* likewise */
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
	bool has_function; /* "jfn=" was said; else function is that of the place */
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
	/* Behind its '#'. */
	int (*comment)(void *ctx, const char *text, size_t len);
};

#endif
