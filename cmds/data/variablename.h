/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of variables as their source has them.  A data profile has those of functions demangled, by Valgrind, and variables by
 * their symbols: "_ZN3app1C7membersE", "_ZL8counters (thread-local)".
 */
#ifndef CMDS_DATA_VARIABLENAME_H
#define CMDS_DATA_VARIABLENAME_H

#include <stdbool.h>

#include "profile/common/bytes.h"
#include "profile/model/model.h"

/*
 * Whether an object of data, of a group "[heap]" or of a file, has a variable's name that is mangled; then that is
 * appended as the source has it: "app::C::members".  A failed allocation is in text->failed.
 */
bool variablename_add(struct bytes *text, struct name name, struct name group);

/* Whether objects of a group are named by calls, not as variables are. */
bool variablename_is_of_calls(struct name group);

#endif
