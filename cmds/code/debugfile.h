/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the file that has the symbols and line numbers of a stripped one. */
#ifndef CMDS_CODE_DEBUGFILE_H
#define CMDS_CODE_DEBUGFILE_H

#include <stdbool.h>

#include "cmds/code/elffile.h"
#include "cmds/code/objectfile.h"

/*
 * Looks, in this order, for DIR/.build-id/xx/yyyy.debug; for what .gnu_debuglink names,
 * beside the object, in .debug there, and in DIR with the object's folder below it; and for what
 * debuginfod has fetched before (nothing is fetched now).  DIRs are those of the options, then
 * /usr/lib/debug.  A file counts if it has the object's build-id, or, if there is none, the
 * checksum of the link.  *found says whether one was opened, and is to be released.  False if
 * memory ran out; then there is none.
 */
bool debugfile_find(struct elffile *debug, const struct elffile *object,
		    const struct objectfile_options *options, bool *found);

/*
 * Opens the object of a build-id if debuginfod has fetched it before; true if it is there
 * and has that build-id, and is to be released.
 */
bool debugfile_fetched(struct elffile *object, const char *build_id);

#endif
