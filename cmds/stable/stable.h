/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind stable: whether the counts of a program depend on what should not matter, and
 * on what.
 */
#ifndef CMDS_STABLE_STABLE_H
#define CMDS_STABLE_STABLE_H

#include <stdio.h>

#include "cmds/common/option.h"
#include "cmds/stable/stability.h"

extern const struct option_rule stable_options[];

int stable_main(int argc, char **argv);

/* What is reported beside the comparison. */
struct stable_report {
	const struct stability *stability; /* finished */
	char *const *program;              /* PROG and ARGS, ended by NULL */
	unsigned skipped;                  /* bits of causes that were not tried... */
	const char *reasons[N_CAUSES];     /* ... and why not */
	bool exits_differ;                 /* runs ended in different ways */
};

/* Whether nothing depends on anything. */
bool stable_is_stable(const struct stable_report *report);

/* The formats, each to a stream; false if memory ran out.  (stablereport.c) */
bool stable_render_text(const struct stable_report *report, FILE *out, struct arena *arena);
bool stable_render_json(const struct stable_report *report, FILE *out, struct arena *arena);

#endif
