/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind stable: whether the counts of a program depend on what should not matter, and
 * on what.
 */
#ifndef CMDS_STABLE_STABLE_H
#define CMDS_STABLE_STABLE_H

#include <stdio.h>

#include "cmds/cli/option.h"
#include "cmds/emit/document.h"
#include "cmds/stable/stability.h"

extern const struct option_rule stable_options[];

int stable_main(int argc, char **argv);

/* What is reported beside the comparison. */
struct stable_report {
	struct stability *stability;   /* finished */
	char *const *program;          /* PROG and ARGS, ended by NULL */
	unsigned skipped;              /* bits of causes that were not tried... */
	const char *reasons[N_CAUSES]; /* ... and why not */
	bool exits_differ;             /* runs ended in different ways */
};

/* Whether nothing depends on anything. */
bool stable_is_stable(const struct stable_report *report);

/*
 * Writes the report in the format of a back end; false if memory ran out, errors of writing stay in
 * the stream.  Nothing of the report is changed.  (stablereport.c)
 */
bool stable_print(struct stable_report *report, const struct document_backend *backend, FILE *out);

#endif
