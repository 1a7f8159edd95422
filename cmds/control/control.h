/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_CONTROL_CONTROL_H
#define CMDS_CONTROL_CONTROL_H

#include "cmds/common/option.h"

/* costgrind control: looks at and steers programs that run.  Returns an exit code. */
int control_main(int argc, char **argv);

/* The same under the name callgrind_control, with its options and output. */
int callgrind_control_main(int argc, char **argv);

extern const struct option_rule control_options[];

#endif
