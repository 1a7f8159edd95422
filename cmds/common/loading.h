/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options about what of a profile is read, the same in all commands that have them. */
#ifndef CMDS_COMMON_LOADING_H
#define CMDS_COMMON_LOADING_H

#include "cmds/common/option.h"

/* --part, --thread, --pid: the parts to read.  Their context is a struct loader_options. */
extern const struct option_rule loading_options[];

/* --lenient.  Its context is a bool. */
extern const struct option_rule lenient_options[];

#endif
