/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of functions where there is little room, as on the page of costgrind report
 * (cmds/report/page/format.js): template arguments are folded first, the innermost before the others, then
 * the function's arguments, then classes around it are left out; what is still too long is cut in the
 * middle.  "..." is what was left out.
 */
#ifndef CMDS_EMIT_SHORTNAME_H
#define CMDS_EMIT_SHORTNAME_H

#include <stddef.h>

#include "profile/common/heap.h"

/*
 * Puts the longest form of len bytes of a name that has at most `room` bytes into out, whose contents go;
 * room is 8 at least.
 */
void shortname_make(struct bytes *out, const char *name, size_t len, size_t room);

#endif
