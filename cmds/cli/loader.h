/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles named on the command line, added up into one model: with parts and
 * threads chosen, and names in a normal form.  Messages are printed here.
 */
#ifndef CMDS_CLI_LOADER_H
#define CMDS_CLI_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/cli/option.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"

struct loader_options {
	const char *command; /* for messages */
	/* Lists of numbers and ranges, "1-3,5", NULL = all. */
	const char *parts, *threads, *pids;
	struct name_rules *rules; /* what is done to names; NULL = nothing */
	bool positions;           /* keep lines; else costs and calls of functions only */
	bool jumps;               /* keep them, if positions are kept */
	bool lenient;             /* skip lines that are no part of the grammar, with a warning */
	bool quiet;               /* no warnings */
	bool verbose;             /* say which file is being read */
	/* By path, the profile that names that file; NULL = the user does.  NULL = the user names all. */
	const char *const *named_by;
	bool parts_apart; /* keep costs of each part (struct model's separate_parts) */
	/* Subtracts the first file from the others, which must have its events; the model is signed. */
	bool difference;
	/* The command's option that shows a source, for who names one among the profiles; NULL = it has none. */
	const char *source_option;
	/*
	 * Puts a filter between reader and model: returns the visitor that the reader
	 * reports to, which passes on to `to`.  NULL = none.  Called once for each file.
	 */
	const struct visitor *(*through)(void *ctx, const struct visitor *to);
	void *through_ctx; /* first argument of it */
};

/* What was read. */
struct loaded {
	struct timespec oldest; /* modification of the oldest file; if has_time */
	bool has_time;
};

/* True if a file's time is later than the oldest profile's; false if that is not known (NULL). */
static inline bool loaded_before(const struct timespec *oldest, const struct timespec *time)
{
	if (!oldest)
		return false;
	return time->tv_sec != oldest->tv_sec ? time->tv_sec > oldest->tv_sec
					      : time->tv_nsec > oldest->tv_nsec;
}

/*
 * Reads n files ("-" is standard input) into an empty, initialised model and finishes
 * it.  Returns an exit code, EXIT_FINE if the model has at least one event; a
 * message was printed otherwise.  The model is to be released in any case.
 */
int loader_read(struct model *model, const struct loader_options *options, const char *const *paths,
		size_t n, struct loaded *loaded);

/* -- options, the same in all commands that have them ----------------------- */

/* --part, --thread, --pid: the parts to read.  Their context is a struct loader_options. */
extern const struct option_rule loading_options[];

/* --lenient.  Its context is a bool. */
extern const struct option_rule lenient_options[];

/*
 * Options for names in a normal form (profile/names/name_rules.h), the
 * same in all commands that read profiles:
 *
 *	struct naming naming;
 *	struct option_common common = { .groups = { { naming_options, &naming } } };
 *
 *	naming_init(&naming);
 *	code = options_read(rules, &common, argv, &n, ctx);
 *	... read with naming.rules as the hook of the builder ...
 *	if (!naming_is_fine(&naming.rules, command))
 *		code = EXIT_FAILED;
 *	naming_release(&naming);
 */

/* Fields are private, but rules.  Not to be moved. */
struct naming {
	struct name_rules rules; /* what the options ask for; empty without any */
	char wrong[PROFILE_ERROR_LINE];
};

/* Their context is a struct naming. */
extern const struct option_rule naming_options[];

/* Names stay as they are. */
void naming_init(struct naming *naming);
void naming_release(struct naming *naming);

/* True if all options and names could be handled; if not, prints a message. */
bool naming_is_fine(const struct name_rules *rules, const char *command);

/*
 * Makes a model's first part say which names are folded, "desc: Names folded: --fold-names", by what
 * it says already and by the options: folded names cannot be compared with others.  Memory is
 * the arena's, which outlives the model's use.
 */
void naming_note(const struct naming *naming, struct model *model, struct arena *arena);

#endif
