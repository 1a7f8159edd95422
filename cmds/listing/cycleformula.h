/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --cycles of annotate and report: the formula of EstCyc, or what hits and mispredictions count in it. */
#ifndef CMDS_LISTING_CYCLEFORMULA_H
#define CMDS_LISTING_CYCLEFORMULA_H

#include "writer/shared/events.h"

#define CYCLEFORMULA_VALUE "FORMULA"
#define CYCLEFORMULA_HELP                                                             \
 "what EstCyc, the estimate, is: 'Ir + 0.5*D1m + 30 LLm', or L1,LL,RAM[,B], cycles\n" \
 "of a hit in L1, in the last level, in memory, and of a mispredicted branch;\n"      \
 "it then comes first, also where Cyc was recorded [" EVENT_CYCLES_TEXT "]"

/* A formula that is made of an option. */
struct cycleformula {
	char text[128];
};

/*
 * Reads the value of the option; *estimate is then a formula that lies in `made` or is the value itself
 * (metric.h).  Returns NULL, or what was expected.
 */
const char *cycleformula_read(const char *value, struct cycleformula *made, const char **estimate);

#endif
