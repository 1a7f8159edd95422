/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void progress_init(struct progress *progress, bool quiet, size_t n_files)
{
	*progress = (struct progress){ .shows = !quiet && isatty(STDERR_FILENO),
				       .began = time(NULL),
				       .n_files = n_files };
}

int progress_show(void *ctx, uint64_t bytes, uint64_t size)
{
	struct progress *progress = ctx;

	/* Seconds are whole: two of them are over for sure when the third has begun. */
	if (!progress->shows || time(NULL) - progress->began < 3)
		return 0;
	progress->is_shown = true;
	if (size > 0)
		fprintf(stderr, "\rreading: %3d %%",
			(int)(100 * ((double)progress->n_read + (double)bytes / (double)size) /
			      (double)progress->n_files));
	else
		fprintf(stderr, "\rreading: %" PRIu64 " MiB", bytes >> 20);
	return 0;
}

void progress_end_file(struct progress *progress)
{
	progress->n_read++;
	if (progress->is_shown)
		fprintf(stderr, "\r%24s\r", "");
	progress->is_shown = false;
}
