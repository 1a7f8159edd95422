/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a profile is written to, in one of two formats. */
#ifndef CMDS_COMMON_SINK_H
#define CMDS_COMMON_SINK_H

#include "cmds/common/cachegrind.h"
#include "cmds/common/outfile.h"
#include "profile/format/emit.h"

enum sink_format {
	SINK_CALLGRIND,
	SINK_CACHEGRIND,
};

/* Fields are private, but visitor and what is below it, to be read.  Not to be moved. */
struct sink {
	const struct visitor *visitor; /* what is told here is written */
	enum sink_format format;
	struct outfile *file;
	struct emitter emitter;
	struct cachegrind cachegrind;
};

/*
 * Writes to a file that is open; names is the dictionaries of what will be told.  Returns
 * a status (release it all the same).
 */
int sink_init(struct sink *sink, enum sink_format format, struct outfile *file,
	      const struct dictionary *names);
void sink_release(struct sink *sink);

/* Ends the profile.  Returns what writer_finish() does. */
int sink_finish(struct sink *sink);

#endif
