/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind diff. */
#ifndef CMDS_DIFF_DIFF_H
#define CMDS_DIFF_DIFF_H

#include <stdbool.h>

#include "cmds/cli/option.h"

extern const struct option_rule diff_options[];

/* argv[0] is "diff".  Returns an exit code. */
int diff_main(int argc, char **argv);

#endif
