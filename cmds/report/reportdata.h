/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of a report: a profile, and an older one, as JSON (docs/REPORT.md). */
#ifndef CMDS_REPORT_REPORTDATA_H
#define CMDS_REPORT_REPORTDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/objectfile.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/metric.h"
#include "profile/analysis/pathtree.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"
#include "writer/out.h"

enum { REPORT_CONTEXT = 8 }; /* lines, or instructions, about each that costs */

/* What --detail is by default, in percent. */
#define REPORT_DETAIL 0.05

/* The formula of EstCyc by which code is chosen: mispredictions have to be set against misses. */
#define REPORT_ESTIMATE \
 METRIC_ESTIMATE_USUAL  \
 " + " EVENT_TEXT(EVENT_CYCLES_WRONG_BRANCH) " Bm"

/* What a report is made of; all is borrowed. */
struct report_input {
	const struct model *model;           /* finished; with lines */
	const struct model *parts;           /* the same with its parts apart; NULL = it has one */
	const struct difference *difference; /* to an older profile; NULL = none */
	const struct model *data;            /* its data profile, finished; NULL = none */
	const struct pathtree *tree;         /* a call tree, of a model of its own; NULL = none */
	const struct pathtree *other_tree;   /* of the older profile, likewise */
	const char *title, *other_title;
	double detail;        /* percent; functions of less have no lines and code */
	const char *event;    /* shown first, derived ones too; NULL = metrics_main() */
	const char *estimate; /* of EstCyc, as in metric.h; NULL = the usual one */
	bool no_source, no_code, no_data;
	struct read_policy *policy; /* by which sources are looked for; NULL if no_source */
	struct objectfile_options objects;
	struct name_rules *rules;            /* of names in debug information; NULL = they stay */
	const struct timespec *oldest;       /* modification of the profile; NULL = not known */
	const struct timespec *other_oldest; /* of the older one */
	const char *command;                 /* for messages */
	bool quiet;                          /* no warnings */
	bool verbose;                        /* name each source file */
};

/* What was taken in from elsewhere than the profile. */
struct report_taken {
	size_t n_files; /* of source */
	uint64_t n_lines;
};

/*
 * Writes the data, and adds to taken.  Returns a status, of which PROFILE_EVENTS is that the event is not
 * there; errors of out stick there.
 */
int reportdata_write(const struct report_input *input, struct report_taken *taken, struct out *out);

#endif
