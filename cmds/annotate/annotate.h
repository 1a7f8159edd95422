/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_ANNOTATE_ANNOTATE_H
#define CMDS_ANNOTATE_ANNOTATE_H

#include "cmds/cli/option.h"

/* costgrind annotate: what profiles say, for people and programs.  Returns an exit code. */
int annotate_main(int argc, char **argv);

/* What costs most in a profile, for who has just run a program: a screen of text on standard output. */
int annotate_briefly(const char *path);

extern const struct option_rule annotate_options[];

#endif
