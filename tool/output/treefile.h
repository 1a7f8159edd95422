/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file that the call tree goes to: tree.<pid>.costgrind in the directory of
 * the profile.  docs/FORMAT.md has its form.
 */
#ifndef TOOL_OUTPUT_TREEFILE_H
#define TOOL_OUTPUT_TREEFILE_H

#include "pub_tool_basics.h"

/* At the start of the run, after the profile's output_init(): where it will go. */
void treefile_init(void);

/*
 * Writes it, after the profile of the same suffix and trigger, whose costs and
 * calls have been brought up to date.  An error is reported in one line, and with
 * closing_line success too.
 */
Bool treefile_write(const HChar *suffix, const HChar *trigger, Bool closing_line);

#endif
