/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine: the simulated processor, as generated code calls it.  Its state is a struct machine (sim/machinelayout.h).
 *
 * Who calls whom, and who includes whom; nothing goes the other way:
 *
 *	cores.c			several of them: how they begin, what the kernel writes
 *	  |
 *	machine.c		what generated code calls: references, evictions, prefetches; all state at once
 *	  |    |
 *	  |    '-> coherence.c	what a reference does to the caches of other cores
 *	  |    |
 *	  v    v
 *	plain.c, called.c	a first level by its kind: what is no plain hit, how lines come and go
 *	  |    |
 *	  |    '-> tlbs/machinetlbs.c	pages; lines have names only while their page is in the first TLB
 *	  |    |
 *	  |    '-> misses/twin.c	fully associative caches by the same stamps
 *	  v    v
 *	machinelayout.h		the state: filter, ways and their stamps, lines of code, predictors
 *	  |
 *	lower.c			the lower levels, and their inclusion policies
 *	  |
 *	cache.c, policy.c, policies/, geometry.c, shorttags.h, stamped.h, basics.h
 *
 * With several cores (sim/cores.h), each has a machine, and machine->coherence says what its last reference did.
 *
 * An inclusive level that takes a line out of the first one does so through a pointer (struct first_level), and a line
 * whose page leaves the first TLB, or that leaves its twin, loses its name in the layout.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/lower.h"
#include "sim/machinelayout.h"
#include "sim/misses/twin.h"

/* Bytes of memory that the machine takes; all geometries must be legal. */
size_t machine_size(const struct hierarchy_config *config);

/*
 * Makes a machine with empty caches in machine_size() bytes of the caller's,
 * aligned to 64, all zero.
 */
void machine_init(struct machine *machine, const struct hierarchy_config *config);

/*
 * Takes lines that have a byte in the range out of all caches, and pages out of TLBs, of all cores; dirty lines are not
 * written.
 */
void machine_evict(struct machine *machine, struct address_range range);

/* Empties TLBs and all caches but the last level, of this core only; dirty lines are not written. */
void machine_empty_own(struct machine *machine);

/*
 * Makes the line of code that holds address, not in I1.  The struct is the
 * caller's, is never moved or freed, and is the only one of its line.
 */
void machine_add_code_line(struct machine *machine, struct code_line *line, uint64_t address);

/* Lines that a reference covers at most, whatever its address; it needs that many stamps. */
unsigned machine_data_lines(const struct machine *machine, uint64_t size);

/*
 * Reads size bytes (1 or more) of data at address, or writes them if dirty lines are not known: the first line gets
 * the stamp, the next one stamp + 1, and so on.  Returns the level that served
 * it (sim/lower.h).  Complete: generated code need not have looked.
 */
unsigned machine_data(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp);

/* The same for a write, or a modify, which makes its lines dirty if dirty lines are known. */
unsigned machine_write(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp);

/*
 * The place that was just read, by machine_data() or generated code, is written too: no reference of its own, unless a
 * line of it has left D1 since.
 */
void machine_modify(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp);

/*
 * Fetches an instruction of size bytes at address from the last n_lines (1 or more) of the
 * lines of code that it covers, in ascending order, which get stamp, stamp + 1, ...
 * Complete, as machine_data().  If machine_is_called_for_code(), n_lines is 0.
 */
unsigned machine_fetch(struct machine *machine, struct code_line *const *lines, unsigned n_lines,
		       uint64_t address, uint64_t size, uint64_t stamp);

/* Takes pages with a byte in the range, which are mapped no more, out of all TLBs, of all cores; caches stay. */
void machine_unmap(struct machine *machine, struct address_range range);

/* True if a level, 0 being D1, has the line of that address. */
bool machine_has(const struct machine *machine, unsigned level, uint64_t line);

/*
 * Unless a level (not a victim) has a line, does to it and to those below what a read of one byte of the line would do.
 * A line that comes into D1 gets the stamp, and is hidden, so that its first use calls C.  Returns what
 * prefetch_caches.bring() does.
 */
unsigned machine_prefetch(struct machine *machine, unsigned level, uint64_t line, uint64_t stamp);

/*
 * Hides lines that have a byte in the range from generated code: the next reference to each of them is a call.  Nothing
 * else changes, and what is a hit stays one.
 */
void machine_hide(struct machine *machine, struct address_range range);

/*
 * Makes its state again what machine_init() made it, with the same config: nothing is in a cache or TLB, predictors know
 * nothing.  near and the clock stay; lines of code are absent.  Not with twins or several cores, here and below.
 */
void machine_clear(struct machine *machine, const struct hierarchy_config *config);

/* Copies its state into machine_size() bytes of the caller's, and hides all lines. */
void machine_keep(struct machine *machine, const struct hierarchy_config *config, void *kept);

/* Makes its state what machine_keep() has kept of the same machine; near and the clock stay. */
void machine_restore(struct machine *machine, const struct hierarchy_config *config,
		     const void *kept);

/*
 * --- twins ------------------------------------------------------------------------------
 *
 * The twins (sim/misses/twin.h) of the machine's first level, one for data and one for code, which see all references that
 * it does.  In a plain first level, slots are ways; in a called one, sets, if newest lines are kept; else there are none,
 * and C is called for each reference anyway.
 *
 * Invariant: generated code touches no line without a call unless its twin has it in a slot: lines that have left the
 * twin are taken out of the line filter, and lines of code lose their stamp.
 *
 * Prefetches are no references: a line that they bring is in the twin when it is used.
 */

/* Gives a machine, whose caches are empty, twins in the caller's struct, which stays as long as it. */
void machine_attach_twins(struct machine *machine, struct machine_twins *twins,
			  const struct hierarchy_config *config,
			  const struct misses_memory *memory);

/* Gives their memory back. */
void machine_release_twins(struct machine_twins *twins);

#endif
