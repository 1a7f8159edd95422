/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of which Valgrind 3 the output is that costgrind has under the names of its scripts. */
#ifndef CMDS_COMMON_LAYOUT_H
#define CMDS_COMMON_LAYOUT_H

#include <stdbool.h>

/* cg_annotate and cg_merge were written anew, in Python. */
enum { LAYOUT_PYTHON = 21 };

/* The minor version: that of the last --layout=3.N among the words, else of the one built for. */
unsigned layout_wanted(char *const *argv);

/* Whether the value of --layout names a layout: 3.19 or 3.21. */
bool layout_is_known(const char *value);

#endif
