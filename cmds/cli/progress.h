/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the reading of files has come, shown on a terminal when it takes over two seconds. */
#ifndef CMDS_CLI_PROGRESS_H
#define CMDS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Fields are private; {0} tells nothing. */
struct progress {
	bool shows;    /* standard error is a terminal, and it was not asked to be quiet */
	bool is_shown; /* there is a line to be wiped */
	time_t began;
	size_t n_files; /* in all */
	size_t n_read;
};

void progress_init(struct progress *progress, bool quiet, size_t n_files);

/* For reader_options.progress; ctx is the struct progress. */
int progress_show(void *ctx, uint64_t bytes, uint64_t size);

/* A file has been read: wipes the line, so that messages may follow. */
void progress_end_file(struct progress *progress);

#endif
