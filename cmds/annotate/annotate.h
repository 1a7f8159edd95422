/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_ANNOTATE_ANNOTATE_H
#define CMDS_ANNOTATE_ANNOTATE_H

#include "cmds/common/option.h"

/* costgrind annotate: what profiles say, for people and programs.  Returns an exit code. */
int annotate_main(int argc, char **argv);

/*
 * The same with options argv[1] and on; if script is not NULL, in the form of this script,
 * "cg_annotate" or "callgrind_annotate".
 */
int annotate_as(const char *script, char **argv);

/* What it is under the scripts' names (argv[0]): their options, their sections. */
int cg_annotate_main(int argc, char **argv);
int callgrind_annotate_main(int argc, char **argv);

extern const struct option_rule annotate_options[];

#endif
