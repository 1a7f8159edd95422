/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An engine turns the events that tool/instrument/instrument.c finds in a superblock
 * into generated code that counts and simulates them.
 *
 * For each block begin comes first and end last; between them, in the
 * order in which the program does these things, one call an event.  An engine
 * may add statements to translation->out at each call.  What the event belongs
 * to is added after the call returns, so code emitted here runs before the
 * access, branch or exit itself.
 *
 * The product has one engine, engine_inline; tests/oracle/ has another, which is why this is an interface.
 */
#ifndef TOOL_INSTRUMENT_ENGINE_H
#define TOOL_INSTRUMENT_ENGINE_H

#include "libvex.h"
#include "libvex_ir.h"
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "tool/counts/site.h"

struct block;
struct block_builder;
struct block_jump;
struct jump_edge;
struct path;
struct path_weight;
struct unit;

/*
 * A superblock on its way through the engine.  Where it goes from one unit
 * into another (tool/counts/counters.h), one block ends and another begins.
 */
struct translation {
	IRSB *out;
	struct unit *unit; /* of the current block */
	struct site *site; /* of the current instruction */
	Addr entry; /* where the current block begins; of the first where the program entered */
	const VexGuestExtents *extents;
	const VexGuestLayout *layout;
	struct block *last; /* the block that ended last, NULL before the first one has */
	IRExpr *base;       /* tool_counts.base */
	IRExpr *own;        /* the same of the running core's own (tool/simulate/threadcores.h) */
	struct block_builder *builder;
	Bool cold;         /* to run a few times only: tool/instrument/cold.h */
	Bool tests;        /* the current block does, its entry: tool/counts/block.h */
	Bool no_redir;     /* a function that is redirected runs itself for once */
	Bool looks_first;  /* whether its code has been changed */
	struct path *path; /* where cycles are counted; else NULL, as the next */
	const struct path_weight *weight; /* of the current instruction */
	Bool repeats; /* the instruction does, and is one when it is complete: a rep instruction */
	Bool by_operands; /* its references are what its operands say: the code may not make them */
	IRExpr *taken; /* what engine_taken() made of the guard of the branch added last; or NULL */
};

enum access_kind {
	ACCESS_READ,
	ACCESS_WRITE,
};

/* A reference to memory.  A modify (read, then write of the same place) is one read. */
struct access {
	enum access_kind kind;
	UInt size;          /* bytes, at least 1 */
	IRExpr *address;    /* an atom */
	IRExpr *guard;      /* an atom of type I1, or NULL: always done */
	Bool makes_dirty;   /* it writes, alone or as a modify, and engine_writes_matter() */
	UInt read, written; /* bytes, where they are counted, and not by count_some() */
};

/* A conditional branch. */
struct branch {
	IRExpr *guard; /* an atom of type I1 */
	Bool inverted; /* the branch is taken when guard is 0 */
};

/* A direct jump that stays in its function. */
struct jump_event {
	const struct jump_edge *jump;
	IRExpr *guard; /* an atom of type I1, or NULL: always taken */
	Bool inverted; /* it is taken when guard is 0 */
};

/* A way out of a superblock: a side exit, or its end. */
struct departure {
	IRJumpKind kind;
	IRExpr *target; /* an atom */
	IRExpr *guard;  /* of a side exit: an atom of type I1; else NULL */
};

struct engine {
	const HChar *name;
	/* A block begins; translation->unit and entry are its own. */
	void (*begin)(struct translation *translation);
	/* The instruction of translation->site begins; the events that follow are its own. */
	void (*fetch)(struct translation *translation);
	void (*access)(struct translation *translation, const struct access *access);
	/* The program asks for the line of an address, an atom, at a level (isa/x86/bytes.h). */
	void (*prefetch)(struct translation *translation, IRExpr *address, UInt level);
	/*
	 * n of an event that is a trait of the instruction (EVENT_REP and later ones), at most 255
	 * of each in all, or one of its work (tool/work/work.h); before an access of it that may fault.  Nothing is done where the event
	 * is not recorded.
	 */
	void (*count)(struct translation *translation, enum event event, UInt n);
	/*
	 * amount (an atom of type I64) of such an event of work, as is known when it is executed; before the access that
	 * it is of.
	 */
	void (*count_some)(struct translation *translation, enum event event, IRExpr *amount);
	/* An instruction that repeats is complete, if guard (an atom of type I1, or NULL) holds. */
	void (*complete)(struct translation *translation, IRExpr *guard);
	/* The bus is about to be locked, for the access given last: EVENT_GE. */
	void (*lock)(struct translation *translation);
	/* The place of the access before, a read without a guard, is written: access is that read. */
	void (*modify)(struct translation *translation, const struct access *access);
	void (*branch)(struct translation *translation, const struct branch *branch);
	/* An indirect jump or call; target is an atom of the guest's word type. */
	void (*indirect)(struct translation *translation, IRExpr *target);
	/*
	 * These only with predictors of a machine: a jump or call to a constant address; a return (target: an
	 * atom); and a call, whatever kind, after that or indirect.
	 */
	void (*direct)(struct translation *translation);
	void (*returns)(struct translation *translation, IRExpr *target);
	void (*calls)(struct translation *translation);
	/* Only with --collect-jumps; after branch or indirect. */
	void (*jump)(struct translation *translation, const struct jump_event *event);
	/* Behind a side exit, the instruction is about to refer to memory. */
	void (*resume)(struct translation *translation);
	/* What follows may fault though it is no access: a division. */
	void (*trap)(struct translation *translation);
	/* What follows asks how much has been executed: all events so far. */
	void (*observe)(struct translation *translation);
	/* The superblock may be left here, by a branch or otherwise. */
	void (*exit)(struct translation *translation, const struct departure *departure);
	/* The block ends; departure is NULL if the superblock goes on in another unit. */
	void (*end)(struct translation *translation, const struct departure *departure);
};

/* Counts and simulates in generated code; calls C only where a fast path does not apply. */
extern const struct engine engine_inline;

/* True if writes differ from reads: dirty lines are known, or several cores are simulated. */
Bool engine_writes_matter(void);

/* 1 if a jump is taken, else 0, in a word: an atom. */
IRExpr *engine_taken(const struct translation *translation, IRExpr *guard, Bool inverted);

/* A computed jump, with --collect-jumps; target is an atom. */
void engine_compute_jump(const struct translation *translation, IRExpr *target);

/* True if a jump goes to the first instruction of the function that it is in. */
Bool engine_is_to_entry(const struct translation *translation, const IRExpr *target);

/* Declares that the call emitted last gets the guest's state, and reads the stack pointer there. */
void engine_reads_sp(const struct translation *translation);

/* A block as block_new() makes it, and where the calls that leave it are to be known. */
struct block *engine_new_block(const struct translation *translation, UInt n_references,
			       UInt n_charges, const struct block_jump *jumps, UInt n_jumps);

/* Completes a block with what the translation knows about it, and registers it. */
void engine_add_block(struct translation *translation, struct block *block);

#endif
