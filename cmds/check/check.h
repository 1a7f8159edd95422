/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_CHECK_CHECK_H
#define CMDS_CHECK_CHECK_H

#include "cmds/common/option.h"

/* costgrind check: whether profiles are sound, and who can read them.  Returns an exit code. */
int check_main(int argc, char **argv);

extern const struct option_rule check_options[];

#endif
