/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An engine turns the events that tool/instrument.c finds in a superblock
 * into generated code that counts and simulates them.  For each superblock
 * begin comes first; then, in the order in which the program does these
 * things, one call an event.  An engine may add statements to sb_out at each
 * call; what the event belongs to is added after the call returns, so code
 * emitted here runs before the access or branch itself.
 */
#ifndef TOOL_ENGINE_H
#define TOOL_ENGINE_H

#include "libvex.h"
#include "libvex_ir.h"
#include "pub_tool_basics.h"

#include "tool/site.h"

enum access_kind {
	ACCESS_READ,
	ACCESS_WRITE,
};

/* A reference to memory.  A modify (read, then write of the same place) is one read. */
struct access {
	enum access_kind kind;
	UInt size;       /* bytes, at least 1 */
	IRExpr *address; /* an atom */
	IRExpr *guard;   /* an atom of type I1, or NULL: always done */
};

struct engine {
	const HChar *name;
	/* A superblock is entered. */
	void (*begin)(IRSB *sb_out);
	/* An instruction begins; the events that follow are its own. */
	void (*fetch)(IRSB *sb_out, struct site *site);
	void (*access)(IRSB *sb_out, struct site *site, const struct access *access);
	/* A conditional branch; taken is an atom of type I1, inverted if the branch is taken when it is 0. */
	void (*branch)(IRSB *sb_out, struct site *site, IRExpr *taken, Bool inverted);
	/* An indirect jump or call; target is an atom of the guest's word type. */
	void (*indirect)(IRSB *sb_out, struct site *site, IRExpr *target);
};

/* Calls into C for every event: slow and plain, the one that the others are checked against. */
extern const struct engine engine_plain;

#endif
