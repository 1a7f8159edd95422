/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Coherence of several cores (sim/cores.h), each a machine: MESI by line, among the caches that are a core's own.  The
 * last level is shared.  A core has a line if any of its own caches has it.  The line is then
 *
 *	modified	in no other core, and written by this one
 *	exclusive	in no other core
 *	shared		perhaps in others, too
 *
 * A reference is first served by the core's own caches and the shared level, as if there were no other cores
 * (sim/machine.h).  Then each of its lines is settled, in ascending order:
 *
 *	read, the core had the line	nothing changes
 *	read, the core did not		if others have it, it becomes shared in all, and what they have dirty is written
 *					down; else it is exclusive
 *	write, the core had the line	if it was modified or exclusive, it becomes modified.  If it was shared, this
 *					is an *upgrade*: the line is invalidated in the others, if they still have it,
 *					and leaves a shared level that is a victim level; then it is modified.
 *	write, the core did not		the line is invalidated in the others, and becomes modified
 *
 * Another core serves a line that this one did not have if it is modified there, or if another core has it and the
 * shared level did not.  Own caches lose lines silently, and write dirty ones down as in sim/lower.h.
 *
 * The reference then counts as served by the shared level, unless another of its lines came from memory.
 *
 * What an inclusive shared level evicts leaves the own caches of all cores; a victim level takes in what the last own level
 * of any core evicts.  A prefetch is a read that is not counted; one into the shared level only changes no state.
 *
 * The *directory* knows for each line which cores may have it: all that do, and some that did.  Which ones really have it
 * is looked up in their caches when it matters.  There is room for twice the lines of all own caches together.  When
 * three quarters are taken, lines that no core has any more are swept out.
 *
 * The directory also remembers in which cores a line was invalidated that have not had it since.  If no core has the line,
 * that is forgotten at the second sweep, or at the first one if there is no room otherwise: half as many lines as all own
 * caches have, or more, have come by then.
 *
 * Memory: 64 bytes for each line of all own caches together, touched as it is needed: for 64 cores with 2 MiB
 * each, 140 MB.
 */
#ifndef SIM_COHERENCE_H
#define SIM_COHERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/machinelayout.h"

enum {
	CORES_MAX = 64,
	COHERENCE_NOTED =
		64, /* lines of a reference; of those after them, the directory decides if the core had them */
};

enum line_state {
	LINE_ABSENT,
	LINE_SHARED,
	LINE_EXCLUSIVE,
	LINE_MODIFIED,
};

/*
 * A line in the directory.  Invariant: each core that has the line is among the holders; there is one holder at most if
 * state is not LINE_SHARED.
 */
struct directory_entry {
	uint64_t tag;         /* the line's address, with bit 0 set; 0: none */
	uint64_t holders;     /* cores that may have it, as bits */
	uint64_t invalidated; /* cores that it was invalidated in, and that have not had it since */
	uint32_t swept_at;    /* the first sweep since which no core has had it; 0: none yet */
	uint8_t state;        /* enum line_state, of cores that have it; not LINE_ABSENT */
};

/* Several cores. */
struct cores {
	unsigned n;
	unsigned shared; /* index of the shared level among lower ones */
	uint32_t line_bits;
	bool write_back;
	struct machine *machines[CORES_MAX];
	/* The directory: open addressing by line, of n_used entries in n_entries. */
	struct directory_entry *entries;
	uint32_t n_entries, n_used;
	uint32_t n_sweeps;
};

/* How many entries it needs for that many lines of all own caches. */
size_t directory_entries(size_t n_lines);

/* The entry of a line, or NULL; the same, which is made if there is none, without holders: others may move then. */
struct directory_entry *directory_find(const struct cores *cores, uint64_t line);
struct directory_entry *directory_add(struct cores *cores, uint64_t line);

/* True if a core's own caches have a line, by its address. */
bool coherence_has(const struct machine *machine, uint64_t line);

/* first_level.take() of lower_levels.all, of the machine that refers: the line leaves the own caches of all cores. */
bool coherence_take(void *machine, uint64_t line);

/* A line is invalidated in all cores but one; what is dirty of it is lost if is_written, else written down. */
void coherence_invalidate(struct cores *cores, struct directory_entry *entry, unsigned but,
			  bool is_written);

/* --- a reference ------------------------------------------------------------------------- */

struct coherence_reference {
	uint64_t address, size;
	enum coherence_kind {
		COHERENCE_FETCH,
		COHERENCE_READ,
		COHERENCE_WRITE,
		COHERENCE_MODIFY,
		COHERENCE_PREFETCH, /* a read that is not counted */
	} kind;
};

/* Which of its lines the core and the shared level have, as bits; not noted if the level that serves it will tell. */
struct coherence_before {
	bool is_noted;
	uint64_t in_core, in_shared;
};

/* A reference is about to be served. */
struct coherence_before coherence_note(const struct machine *machine,
				       const struct coherence_reference *reference);

/* It was, by that level: settles its lines.  Returns the level that served it, and says the rest in machine->coherence. */
unsigned coherence_settle(struct machine *machine, const struct coherence_reference *reference,
			  const struct coherence_before *before, unsigned served);

#endif
