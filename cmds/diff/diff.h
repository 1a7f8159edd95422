/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind diff, and what it is under the name cg_diff. */
#ifndef CMDS_DIFF_DIFF_H
#define CMDS_DIFF_DIFF_H

#include <stdbool.h>

#include "cmds/common/option.h"

extern const struct option_rule diff_options[];

/* argv[0] is "diff".  Returns an exit code. */
int diff_main(int argc, char **argv);

/* Takes the options of cg_diff and writes what it writes.  (dropin_diff.c) */
int cg_diff_main(int argc, char **argv);

#endif
