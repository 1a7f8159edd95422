/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tool under another tool's name (--tool=callgrind, --tool=cachegrind), in its
 * place: then the defaults are that tool's, of the Valgrind that this one was built with.
 */
#ifndef TOOL_COMMON_DROPIN_H
#define TOOL_COMMON_DROPIN_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

enum dropin {
	DROPIN_NONE, /* costgrind */
	DROPIN_CALLGRIND,
	DROPIN_CACHEGRIND,
};

/* What --tool= says; from pre_clo_init on. */
enum dropin dropin_name(void);

/* Whether it is Cachegrind that simulates caches unless asked not to, as until 3.20. */
Bool dropin_is_before_3_21(void);

/* Whether caches have lines in the header though they are not simulated: Cachegrind before 3.21. */
Bool dropin_describes_caches(void);

/* Name and description, as the core prints them at the start. */
void dropin_details(void);

/* What it says at the start, where the core has said its own. */
void dropin_greet(void);

/* What Callgrind prints at the end before its summary; otherwise nothing. */
void dropin_print_totals(const struct event_set *events, const ULong totals[N_EVENTS]);

#endif
