/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Somebody who waits at a terminal is told, once, how to look at what runs: after 10 seconds, if
 * standard error is a terminal, without -q, and not under the names of other tools, which say no
 * such thing.  Forked children leave it to their parent.
 */
#ifndef TOOL_COMMON_LONGRUN_H
#define TOOL_COMMON_LONGRUN_H

#include "pub_tool_basics.h"

/* In post_clo_init, when options are known. */
void longrun_init(void);

/* Whenever the program goes on: says it if it is time.  As long as it is not, asks for the time. */
void longrun_look(void);

#endif
