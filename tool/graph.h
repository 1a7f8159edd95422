/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The body of a profile: each context as a function with its self costs, and
 * behind them, line by line, the calls that it made.
 */
#ifndef TOOL_GRAPH_H
#define TOOL_GRAPH_H

#include <stdint.h>

#include "pub_tool_basics.h"

#include "tool/event.h"

struct tool;
struct writer;

/* The recorded events out of all, in the order of the columns. */
void graph_columns(const struct event_set *events, const ULong *counts, uint64_t columns[N_EVENTS]);

/*
 * Writes the costs of all threads (0) or of one.  What is counted must have
 * been settled (client.h), symbols and contexts ranked.
 */
void graph_write(struct writer *writer, struct tool *state, UInt thread);

#endif
