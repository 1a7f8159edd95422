/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_REPORT_REPORT_H
#define CMDS_REPORT_REPORT_H

#include "cmds/common/option.h"

/* costgrind report: a profile as one HTML file.  Returns an exit code. */
int report_main(int argc, char **argv);

extern const struct option_rule report_options[];

#endif
