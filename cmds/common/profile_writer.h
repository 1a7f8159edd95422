/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a profile is written to, in one of two formats. */
#ifndef CMDS_COMMON_PROFILE_WRITER_H
#define CMDS_COMMON_PROFILE_WRITER_H

#include "cmds/common/cachegrind.h"
#include "cmds/common/outfile.h"
#include "profile/format/emit.h"

enum profile_writer_format {
	PROFILE_WRITER_CALLGRIND,
	PROFILE_WRITER_CACHEGRIND,
};

/* Fields are private, but visitor and what is below it, to be read.  Not to be moved. */
struct profile_writer {
	const struct visitor *visitor; /* what is reported here is written */
	enum profile_writer_format format;
	struct outfile *file;
	struct emitter emitter;
	struct cachegrind cachegrind;
};

/*
 * Writes to a file that is open; names is the dictionaries of what will be reported.  Returns
 * a status (release it all the same).
 */
int profile_writer_init(struct profile_writer *writer, enum profile_writer_format format,
			struct outfile *file, const struct dictionary *names);
void profile_writer_release(struct profile_writer *writer);

/* Ends the profile.  Returns what writer_finish() does. */
int profile_writer_finish(struct profile_writer *writer);

#endif
