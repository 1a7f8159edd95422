/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a struct is laid out: which members are hot, what is lost between them, and in which order hot ones would be together
 * and holes filled.
 *
 * Hot are the members with most references that together have 95 % of them.  The lines that hot members touch are an
 * average over places of the struct: it may begin at any multiple of 16 bytes, as what malloc() gives does.
 */
#ifndef CMDS_TYPES_TYPELAYOUT_H
#define CMDS_TYPES_TYPELAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"

enum {
	LAYOUT_LINE = 64, /* bytes of a cache line */
	LAYOUT_STEP = 16, /* bytes: where structs may begin */
	LAYOUT_PLACES = LAYOUT_LINE / LAYOUT_STEP,
	LAYOUT_HOT_PERCENT = 95, /* of references that hot members have */
};

/* Where it has to stay. */
enum layout_pin {
	PIN_NONE,
	PIN_FIRST, /* bases of classes, pointers to virtual tables */
	PIN_LAST,  /* arrays without a bound */
};

struct layout_member {
	uint64_t offset, size, align; /* bytes; align: a power of two */
	uint64_t references;
	enum layout_pin pin;
	/* What is found. */
	bool is_hot;
	uint64_t hole;       /* bytes behind it that are no member's */
	uint64_t new_offset; /* in the order that is proposed */
};

/* Arrays are the arena's. */
struct type_layout {
	struct layout_member *members; /* by offset */
	size_t n;
	const size_t *order; /* places in members, as proposed */
	uint64_t size, new_size;
	uint64_t holes; /* bytes in all, those at the end too */
	/* Lines that hot members touch, summed over LAYOUT_PLACES places. */
	uint64_t lines, new_lines;
	bool is_worthwhile; /* the order proposed is smaller, or touches fewer lines */
};

/*
 * Fills a layout whose members, n and size are set; members do not overlap.  False if memory ran out.
 */
bool typelayout_make(struct type_layout *layout, struct arena *arena);

#endif
