/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stretches of source files that a report has: lines that cost, and those about them. */
#ifndef CMDS_REPORT_REPORTSOURCES_H
#define CMDS_REPORT_REPORTSOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/json.h"
#include "cmds/report/reportdata.h"
#include "cmds/report/reportnames.h"

enum { REPORTSOURCES_LINE = 1000 }; /* bytes of a line; of longer ones the rest is left out */

struct report_wanted {
	uint32_t file; /* of the report */
	uint64_t line;
};

/* A file that was taken in. */
struct report_file {
	char *path; /* resolved; owned */
	uint64_t n_lines;
};

/* Fields are private; {0} has none. */
struct reportsources {
	struct report_wanted *wanted; /* owned */
	size_t n, capacity;
	struct report_file *files; /* taken in; owned */
	size_t n_files, files_capacity;
};

void reportsources_release(struct reportsources *sources);

/* A line that is wanted, if it is not 0.  False if memory ran out. */
bool reportsources_add(struct reportsources *sources, uint32_t file, uint64_t line);

/*
 * "sources" of the data; files that are not there or are no text are left out, and what is
 * there is counted in taken.  Returns a status.
 */
int reportsources_write(struct reportsources *sources, const struct report_input *input,
			const struct reportnames *names, struct report_taken *taken,
			struct json *json);

/* "taken" and "refused" of the data: which files were read, and which were not allowed to be. */
void reportsources_write_files(const struct reportsources *sources,
			       const struct report_input *input, struct json *json);

#endif
