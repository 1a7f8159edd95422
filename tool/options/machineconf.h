/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine that --machine names: one of data/machines, or a file like those (sim/machines/machinefile.h).
 */
#ifndef TOOL_OPTIONS_MACHINECONF_H
#define TOOL_OPTIONS_MACHINECONF_H

#include "pub_tool_basics.h"

#include "sim/lower.h"
#include "tool/simulate/branching.h"

struct cycles_state;
struct machinetlbs_misfit;
struct paging;

/* Machines that the tool chooses by itself. */
#define MACHINECONF_HOST "host" /* that of the computer */
#define MACHINECONF_TWO_LEVELS \
 "cachegrind"                       /* first and last level of that, as Cachegrind has them */
#define MACHINECONF_FIXED "generic" /* the same everywhere */

/*
 * Makes the machine of a name, or of a file (a path, or any text that is no machine's name), the one
 * that is simulated: fills *config, whose policies and texts stay.  Ends the run with a message if
 * there is no such machine, or if its text is none: file, line, column, what was expected.  Once in a
 * run.  Returns False, and *config as it was but for the machine's name, if it has no caches of its own, but
 * the first and the last level of the computer.  may_be_measured: the host is as "costgrind machine --measure" found it, if it has.
 */
Bool machineconf_take(const HChar *name, Bool may_be_measured, struct hierarchy_config *config);

/* The TLBs of that machine, and what there is to say of them; False if it has none. */
Bool machineconf_tlbs(struct paging *paging);

/* Ends the run with a message: which machine it is, in which line of its file, and what was expected. */
void machineconf_refuse_tlbs(const struct machinetlbs_misfit *misfit) __attribute__((noreturn));

/*
 * The branch predictors of a machine, as model asks for them, and what there is to say of them: fills *config but for
 * what options say.  name: the machine, which is read if none has been taken in this run; it then gives nothing else.
 */
void machineconf_branches(const HChar *name, Bool may_be_measured, enum branch_model model,
			  struct branching_config *config);

/* True if that machine has a core, by whose table cycles are counted. */
Bool machineconf_has_core(void);

/* True if it is the first and the last level of the computer: machineconf_take() has returned False. */
Bool machineconf_is_two_levels(void);

/*
 * What cycles of that machine are counted by (--cycles=yes): fills *cycles. Ends the run with a message if it has no
 * core, or does not say what a level of its caches costs.
 */
void machineconf_cycles(struct cycles_state *cycles);

/* Prints to stdout all names with a line each: --machine=help. */
void machineconf_list(void);

#endif
