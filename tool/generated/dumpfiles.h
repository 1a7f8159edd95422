/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and lines from the program's jitdump files (tool/generated/jitdump.h), as far as they have been
 * written.  A program that writes one maps it executable, which is how perf finds it, too.
 */
#ifndef TOOL_GENERATED_DUMPFILES_H
#define TOOL_GENERATED_DUMPFILES_H

#include "pub_tool_basics.h"

#include "tool/generated/growingfile.h"
#include "tool/symbols/namedcode.h"

enum {
	MAX_DUMP_FILES = 16, /* of one process: more are not read */
};

struct dumpfile {
	struct growingfile file;
	Bool is_over; /* it is closed, or damaged */
	/* Lines of code whose record has not come yet. */
	Addr address;
	struct named_lines *lines; /* NULL: none */
};

struct dumpfiles {
	UInt n;
	struct dumpfile files[MAX_DUMP_FILES];
};

/* A file is mapped: if that is named as a jitdump file, it is one. */
void dumpfiles_mapped(const HChar *path);

/* A child begins without any. */
void dumpfiles_forget(void);

/* Reads what has been added. */
void dumpfiles_read(void);

#endif
