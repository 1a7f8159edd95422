/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options in the environment variable COSTGRIND_OPTS. */
#ifndef TOOL_OPTIONS_OPTIONENV_H
#define TOOL_OPTIONS_OPTIONENV_H

/*
 * Puts them behind those of ~/.valgrindrc, VALGRIND_OPTS and ./.valgrindrc and before those of the
 * command line, so that the last word is the nearest one.  Before the core reads any: in
 * pre_clo_init.  Nothing under another tool's name, or with --command-line-only=yes.  Words that
 * are no options end the run with a message.
 */
void optionenv_insert(void);

#endif
