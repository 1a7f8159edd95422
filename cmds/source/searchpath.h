/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options about where sources, objects and debug information are looked for. */
#ifndef CMDS_SOURCE_SEARCHPATH_H
#define CMDS_SOURCE_SEARCHPATH_H

#include "cmds/cli/option.h"
#include "cmds/object/fetcher.h"
#include "cmds/object/objectfile.h"

enum { SEARCHPATH_MOST = 256 }; /* folders of each kind */

/* Empty as zeros.  Texts are argv's; not to be moved once options were read. */
struct searchpath {
	const char *directories[SEARCHPATH_MOST]; /* of sources: --include */
	size_t n_directories;
	struct objectfile_options objects;
	const char *debug_directories[SEARCHPATH_MOST]; /* what objects point to */
	struct fetcher
		fetcher; /* objects points to it with --debuginfod; its command is the caller's to say */
	char *rc_text; /* what searchpath_read_rc() has read, with NULs for the ends of options */
};

/* --include, --sysroot, --debug-dir, --debuginfod.  Their context is a struct searchpath. */
extern const struct option_rule searchpath_options[];

/*
 * Takes the options of the user's file, which hold wherever argv has no others: costgrind/rc below
 * $XDG_CONFIG_HOME, or ~/.config.  Each line is one of searchpath_options, empty, or a comment after
 * '#'.  Returns OPTIONS_GO_ON, also if there is no such file, or an exit code after a message.
 */
int searchpath_read_rc(struct searchpath *path);

void searchpath_release(struct searchpath *path);

#endif
