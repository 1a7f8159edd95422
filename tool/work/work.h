/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What instructions do: floating-point operations, bytes and classes, counted with --collect-flops=yes,
 * --collect-bytes=yes and --mix=yes (events of origin WORK, writer/shared/events.h).
 *
 * The state of this room; what an instruction counts, by its code (isa/x86/decoder.h); the sums that its
 * executions add; and what it reads and writes, by Valgrind's representation.
 */
#ifndef TOOL_WORK_WORK_H
#define TOOL_WORK_WORK_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "isa/x86/decoder.h"
#include "tool/common/event.h"

struct work_state {
	Bool has_operations; /* floating-point operations are counted */
	Bool has_bytes;      /* the bytes that instructions read and write are counted */
	Bool has_mix;        /* instructions are counted by class */
	struct insn_decoder decoder;
};

extern struct work_state tool_work;

/* --- what each execution of an instruction counts ---------------------------------------- */

enum { INSNEVENTS_MOST = 8 };

struct insnevent {
	enum event event;
	UInt n; /* 1 or more */
};

/*
 * Writes all events of the instruction of size bytes at code, which must be readable, except its class.
 * Returns how many: 0 if no option asks for any.
 */
UInt insnevents_find(const UChar *code, UInt size, struct insnevent events[INSNEVENTS_MOST]);

/* The event of its class: EVENT_JMP or a later one. */
enum event insnevents_class(const UChar *code, UInt size);

/* --- sums -----------------------------------------------------------------------------------
 *
 * What one execution of an instruction adds.  The instructions of a program have few different sums, so each is
 * kept once and has a number.
 */

/* EVENT_FLS and the events after it. */
struct work {
	UShort counts[N_WORK_EVENTS];
	UChar n_counted;              /* counts that are not 0 */
	UChar counted[N_WORK_EVENTS]; /* their indices */
};

enum {
	WORK_NONE = 0,          /* the number of the sum that is all zeroes */
	WORKTABLE_MOST = 65535, /* sums: a charge keeps the number in 16 bits */
};

/* All sums; zero is an empty table. */
struct worktable {
	VgHashTable *nodes;  /* by counts; NULL before the first */
	struct work **works; /* by number, from 1 */
	UInt n, room;
};

/* True of the events that are counted here. */
static inline Bool work_has(enum event event)
{
	return event >= EVENT_FLS && event < EVENT_AFTER_WORK;
}

/*
 * The number of the sum that counts n more of an event (work_has()) than sum number does.  One instruction has at
 * most 65535 of an event.
 */
UShort worktable_add(struct worktable *table, UShort number, enum event event, UInt n);

/* Adds what n executions count to costs, by event. */
static inline void worktable_cost(const struct worktable *table, UShort number, ULong n,
				  ULong costs[N_EVENTS])
{
	const struct work *work;

	if (number == WORK_NONE)
		return;
	work = table->works[number - 1];
	for (UInt i = 0; i < work->n_counted; i++)
		costs[EVENT_FLS + work->counted[i]] += n * work->counts[work->counted[i]];
}

/* --- memory references of an instruction ------------------------------------------------- */

/* May refer to memory; instructions with a false guard, and rep instructions with no rounds, count too. */
struct references {
	Bool reads, writes;
};

/* The references of the instruction whose IMark is statement imark. */
struct references references_find(const IRSB *sb, Int imark);

/*
 * True if the read of size bytes at address (an atom) by statement at is half of a modify: the same instruction writes
 * the same place right after it.
 *
 * most: the size that accesses of helper functions were cut to, or 0.  once: a locked instruction reads once, though
 * the representation has a load before the compare-and-swap.
 */
Bool references_modify(const IRSB *sb, Int at, const IRExpr *address, UInt size, UInt most,
		       Bool once);

/* --- lanes (enum lanes of isa/x86/bytes.h) --------------------------------------------------
 *
 * Valgrind lets a gather load each masked lane from where the stack pointer is, and maskmovq and maskmovdqu load and
 * store all lanes.
 */

/*
 * For a gather whose IMark is statement imark: an atom of type I1 that is true unless the lane that statement at loads
 * from address (an atom) is masked.  NULL: it never is.
 */
IRExpr *lanes_guard(const IRSB *sb, Int imark, Int at, const IRExpr *address);

/*
 * Number of lanes that an instruction reads or writes.  Adding needs few words of the representation, which has little
 * room where there are many lanes.
 */
struct lane_sum {
	IRExpr *lanes; /* an atom of type I64; NULL: none so far */
	UInt size;     /* bytes of each: a power of two */
};

/* Adds a lane if guard (an atom of type I1) holds. */
void lanes_add(IRSB *out, struct lane_sum *sum, UInt size, IRExpr *guard);

/* Empties the sum and returns the bytes of its lanes, an atom of type I64; NULL if there were none. */
IRExpr *lanes_take(IRSB *out, struct lane_sum *sum);

/*
 * Number of bytes that the maskmovq or maskmovdqu whose load is statement at writes: an atom of type I64.  NULL: all of
 * them, as far as is known.
 */
IRExpr *lanes_written(IRSB *out, const IRSB *sb, Int at);

#endif
