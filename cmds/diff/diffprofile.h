/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles that costgrind diff writes: differences, and baselines. */
#ifndef CMDS_DIFF_DIFFPROFILE_H
#define CMDS_DIFF_DIFFPROFILE_H

#include <stdbool.h>

#include "profile/analysis/difference.h"

struct diffprofile {
	const struct model *old_model, *new_model;
	const char *old_path, *new_path;
	/*
	 * Functions of OLD stand where they are in NEW (profile/filters/filters.h); NULL = where
	 * they were.
	 */
	const struct difference *difference;
	const char *const *events; /* n_events of them are written; NULL = all of both */
	size_t n_events;
	/*
	 * In Cachegrind's format, in the form of cg_diff: what each function of a
	 * file costs, without lines and calls.  Else in the Callgrind format, so that added to
	 * OLD it gives NEW.
	 */
	bool flat;
	/*
	 * As increases and decreases (updown.h), where both have the same code (samecode.h); not
	 * with flat.  Needs the difference.
	 */
	bool apart;
	bool quiet; /* does not warn of counts that KCachegrind takes for 0 */
};

/*
 * Writes NEW - OLD to a file that appears when it is whole ("-" is standard
 * output), with a message by the command's name on failure.  Returns an exit code.
 */
int diffprofile_write(const struct diffprofile *profile, const char *command, const char *path);

/*
 * Writes a model as one part, functions by name, without pid, part and thread, so that the
 * same profile gives the same bytes.  Returns an exit code.
 */
int diffprofile_save(const struct model *model, const char *command, const char *path);

#endif
