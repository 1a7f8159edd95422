/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_RUN_DOCTOR_H
#define CMDS_RUN_DOCTOR_H

#include "cmds/common/option.h"

/*
 * costgrind doctor: what costgrind needs and what of it is there; profiles a program to
 * see that it works.  Returns an exit code.
 */
int doctor_main(int argc, char **argv);

extern const struct option_rule doctor_options[];

#endif
