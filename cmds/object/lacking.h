/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What would give the code of an object names or lines, by what its file on this machine lacks: nobody is advised to compile with -g
 * what was.
 */
#ifndef CMDS_OBJECT_LACKING_H
#define CMDS_OBJECT_LACKING_H

#include <stdint.h>

#include "profile/model/model.h"

enum lacking {
	LACKS_NAMES, /* functions have addresses for names */
	LACKS_LINES, /* functions have no source file */
};

/*
 * What to do about an object of a profile, by its number: "install libc6-dbg, and run it again".  A part of a sentence,
 * without a full stop, to be freed.  NULL if its file is not here or is not the one that was profiled, so that nothing is
 * known about it.
 */
char *lacking_advice(const struct model *model, uint32_t object, enum lacking what);

/*
 * The package of Debian or Ubuntu that has the debug symbols of a file, "lua5.4-dbgsym"; to be freed.  NULL if dpkg installed
 * no such file, or this is another system.
 */
char *lacking_package(struct name path);

#endif
