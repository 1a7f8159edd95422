/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulated machine: which one the options ask for, and how it configures caches, TLBs, branch predictors and cycles.
 *
 * cacheconf.c makes the choice.  machineconf.c finds the machine that --machine names: a preset of data/machines, a file like
 * these (sim/machines/machinefile.h), or the computer's.
 */
#ifndef TOOL_OPTIONS_MACHINECONF_H
#define TOOL_OPTIONS_MACHINECONF_H

#include "pub_tool_basics.h"

#include "sim/lower.h"
#include "sim/machines/hostcaches.h"
#include "tool/simulate/branching.h"

struct cycles_state;
struct machinetlbs_misfit;
struct options;
struct paging;

/* Machines that the tool chooses by itself. */
#define MACHINECONF_HOST       "host"       /* the computer's */
#define MACHINECONF_TWO_LEVELS "cachegrind" /* its first and last level, as in Cachegrind */
#define MACHINECONF_FIXED      "generic"    /* the same everywhere */

/* -- the choice, by options (cacheconf.c) -------------------------------------------------------- */

/*
 * Fills *config: the caches that options ask for, and the machine's for the rest.  Ends the run with a message if the machine's
 * caches cannot be simulated and no option replaces them, or if a line is shorter than the largest register of the simulated
 * CPU.
 */
void cacheconf_choose(const struct options *options, struct hierarchy_config *config);

/*
 * Switches on cycles, and what they need, if no option says whether to count them (cycles_if_core) and the machine that
 * cacheconf_choose() has chosen can tell them.  Returns true if options have changed.  A machine that has levels of its own but no
 * core gets a text for the profile that says so.
 */
Bool cacheconf_choose_cycles(struct options *options, const struct hierarchy_config *config,
			     struct cycles_state *cycles);

/*
 * Fills *paging with the TLBs of the same machine (--tlb-sim), and makes *config point into it.  Ends the run with a message if
 * the machine has none, or they cannot be simulated.
 */
void cacheconf_choose_tlbs(const struct options *options, struct hierarchy_config *config,
			   struct paging *paging);

/* Fills *config with the branch predictors of the same machine, or of --branch-model. */
void cacheconf_choose_branches(const struct options *options, struct branching_config *config);

/*
 * The shortest line that a cache may have, a power of two: a reference must not need three lines, so lines are at least as long
 * as the largest register.
 */
UInt cacheconf_min_line_size(void);

/* Ends the run with a message if a line is shorter than that; option is what the user wrote. */
void cacheconf_check_line(const HChar *option, const struct cache_geometry *geometry);

/* -- the machine of a name (machineconf.c) --------------------------------------------------------- */

/*
 * Makes the machine of a name, or of a file (any text that is not a machine's name), the simulated one.  Fills *config; its policies
 * and texts stay.  Ends the run with a message if there is no such machine, or if its text is invalid.  To be called once.  Returns
 * False, and sets only the machine's name, if it has no caches of its own, but the first and last level of the computer.
 * may_be_measured: use the result of "costgrind machine --measure" for the host, if there is one.
 */
Bool machineconf_take(const HChar *name, Bool may_be_measured, struct hierarchy_config *config);

/* True if machineconf_take() has returned False. */
Bool machineconf_is_two_levels(void);

/* How many cores it has, that share its last level. */
UInt machineconf_cores(void);

/* Fills *paging with its TLBs, and their descriptions; False if it has none. */
Bool machineconf_tlbs(struct paging *paging);

/* Ends the run with a message: which machine, which line of its file, and what was expected. */
void machineconf_refuse_tlbs(const struct machinetlbs_misfit *misfit) __attribute__((noreturn));

/*
 * Fills *config, except what options say, with its branch predictors as model asks for them, and their description.  Reads the
 * machine of the name, only for that, if none has been taken in this run.
 */
void machineconf_branches(const HChar *name, Bool may_be_measured, enum branch_model model,
			  struct branching_config *config);

/* True if it has a core, by whose table cycles can be counted. */
Bool machineconf_has_core(void);

/*
 * Fills *cycles for --cycles=yes.  Ends the run with a message if the machine has no core, or does not say what a level of its
 * caches costs.
 */
void machineconf_cycles(struct cycles_state *cycles);

/* Prints all names to stdout, with a line each: --machine=help. */
void machineconf_list(void);

/* -- the caches of the computer (machineconf.c) ------------------------------------------------------ */

enum hostdetect_verdict {
	HOSTDETECT_KNOWN,
	HOSTDETECT_UNKNOWN, /* neither CPUID nor the kernel says anything */
	HOSTDETECT_DOUBTED, /* a line was printed about that; nothing else should be asked */
};

/*
 * Asks CPUID, and the kernel as a second witness (sim/machines/hostcaches.h).  Fills *machine if it is known.  instead: what is used
 * if it is doubted, for the message.
 */
enum hostdetect_verdict hostdetect_caches(struct hostcaches *machine, const HChar *instead);

/* Says that nothing is known, and what is used instead. */
void hostdetect_note_unknown(const HChar *instead);

#endif
