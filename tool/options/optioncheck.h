/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What options say together: what cannot be, and what one needs of another. */
#ifndef TOOL_OPTIONS_OPTIONCHECK_H
#define TOOL_OPTIONS_OPTIONCHECK_H

struct options;

/*
 * Ends the run with a message if options contradict each other, or if one was given that does
 * nothing without another; mends what has only one sensible meaning, and says so in a line.
 * Under another tool's name, all that this tool accepts is accepted.
 */
void optioncheck(struct options *options);

#endif
