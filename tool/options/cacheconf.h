/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which caches are simulated: what the user asked for, for the rest what this
 * machine has.  The rules give Cachegrind's geometry in every case.
 */
#ifndef TOOL_OPTIONS_CACHECONF_H
#define TOOL_OPTIONS_CACHECONF_H

#include "sim/lower.h"
#include "tool/options/options.h"

struct cycles_state;

/*
 * Fills *config.  Ends the run with a message if the machine's caches
 * cannot be simulated and the user gave no others, or if a line is shorter
 * than the largest register of the simulated CPU.
 */
void cacheconf_choose(const struct options *options, struct hierarchy_config *config);

/*
 * Has cycles counted, and what they need, if no option says whether (cycles_if_core) and the machine that
 * cacheconf_choose() has chosen can tell them.  True if options have changed.  A machine that has levels of
 * its own but no core gets a text for the profile that says so.
 */
Bool cacheconf_choose_cycles(struct options *options, const struct hierarchy_config *config,
			     struct cycles_state *cycles);

/*
 * The same with TLBs (--tlb-sim), those of the machine that cacheconf_choose() has chosen: fills *paging, and has
 * *config point into it.  Ends the run with a message if that machine has none, or they cannot be simulated.
 */
void cacheconf_choose_tlbs(const struct options *options, struct hierarchy_config *config,
			   struct paging *paging);

/*
 * Which branch predictors are simulated: those of the same machine, unless --branch-model asks for others.
 * Fills *config.
 */
void cacheconf_choose_branches(const struct options *options, struct branching_config *config);

/*
 * The shortest line that a cache may have, a power of two: a reference must not
 * need three lines, so none is shorter than the largest register.
 */
UInt cacheconf_min_line_size(void);

/* Ends the run with a message if the line is shorter than that; option is what the user wrote. */
void cacheconf_check_line(const HChar *option, const struct cache_geometry *geometry);

#endif
