/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_RUN_VIEW_H
#define CMDS_RUN_VIEW_H

#include "cmds/common/option.h"

/*
 * costgrind view: becomes a viewer of profiles, or shows them as text where there is
 * none.  Returns an exit code, if it does.
 */
int view_main(int argc, char **argv);

extern const struct option_rule view_options[];

#endif
