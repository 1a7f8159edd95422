/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_ANNOTATE_H
#define CMDS_ANNOTATE_H

#include "cmds/option.h"

/* costgrind annotate: what profiles say, for people and programs.  Returns an exit code. */
int annotate_main(int argc, char **argv);

extern const struct option_rule annotate_options[];

#endif
