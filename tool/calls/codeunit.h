/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which unit (tool/counts/counters.h) code is of: its function's, or that of what was called there.
 */
#ifndef TOOL_CALLS_CODEUNIT_H
#define TOOL_CALLS_CODEUNIT_H

struct site;
struct unit;

/* The unit that a block beginning at a site is to be of. */
struct unit *codeunit_find(struct site *site);

#endif
