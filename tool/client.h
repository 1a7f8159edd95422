/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes on around generated code: the program's threads start and stop,
 * fault, get signals, and lose translations.  And the costs so far, whichever
 * engine counts them.
 */
#ifndef TOOL_CLIENT_H
#define TOOL_CLIENT_H

#include "pub_tool_basics.h"

#include "tool/event.h"

/* Has the core call this file; in pre_clo_init. */
void client_register(void);

/* At the end of the run, before the last totals: a fault may have been the end. */
void client_finish(void);

/* Brings all costs to the sites, and adds them up. */
void client_totals(ULong totals[N_EVENTS]);

/* Superblocks entered so far. */
ULong client_blocks_entered(void);

/* Sets all costs to zero; caches and predictors stay as they are. */
void client_zero(void);

#endif
