/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_CONVERT_CONVERT_H
#define CMDS_CONVERT_CONVERT_H

#include "cmds/common/option.h"

/* costgrind convert: a profile in another format.  Returns an exit code. */
int convert_main(int argc, char **argv);

extern const struct option_rule convert_options[];

#endif
