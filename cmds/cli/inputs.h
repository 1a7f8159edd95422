/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that a command is to read: a list of them, one as a whole in memory, and how far the reading has
 * come.
 */
#ifndef CMDS_CLI_INPUTS_H
#define CMDS_CLI_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/cli/option.h"
#include "profile/common/error.h"

/* Fields are for reading; {0} is an empty list. */
struct inputs {
	const char **paths; /* the array is owned, the texts may be */
	size_t n;
	size_t capacity;
	char **texts; /* owned; what was read of these files */
	size_t n_texts;
	/*
	 * An option's: files that list paths ("-" is standard input), for inputs_collect(): each ended by
	 * a NUL, if there is any in it, else by a line feed or CR LF.
	 */
	struct option_list lists;
};

void inputs_release(struct inputs *inputs);

/*
 * Adds the paths in the lists, then n operands, which must outlive
 * the list.  False after a message by the command's name.
 */
bool inputs_collect(struct inputs *inputs, const char *command, char *const *operands, int n);

/*
 * Warns of each path that is the same file as an earlier one, whatever it is called: it
 * will be added twice.  Pipes and what cannot be looked at are not compared.
 */
void inputs_warn_repeated(const char *command, const char *const *paths, size_t n);

/* How many of them are standard input. */
size_t inputs_standard(const struct inputs *inputs);

/* A file as a whole, in memory; plain or compressed. */

struct wholefile {
	char *data; /* owned */
	size_t len;
};

/*
 * Looks at what was read so far, each time more arrives, and stops what would never
 * end: returns a status, which is passed on with its error.
 */
typedef int wholefile_check(const struct wholefile *file, size_t n_new,
			    struct profile_error *error);

/*
 * Reads a file ("-" is standard input), as far as check() lets it; NULL = all.  Returns a status;
 * release it in any case.
 */
int wholefile_read(struct wholefile *file, const char *path, wholefile_check *check,
		   struct profile_error *error);
void wholefile_release(struct wholefile *file);

/* A check of text: no line is longer than READER_MAX_LINE (profile/format/reader.h). */
int wholefile_check_lines(const struct wholefile *file, size_t n_new, struct profile_error *error);

/* True if a file, not standard input, begins with a text; false if it cannot be read. */
bool wholefile_begins(const char *path, const char *text);

/* How far the reading of files has come, shown on a terminal when it takes over two seconds. */

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
