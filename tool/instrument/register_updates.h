/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which registers of the program are up to date where an instruction faults.
 *
 * Valgrind keeps the stack and frame pointer up to date at each access to memory, and others
 * where it is convenient.  A handler of the fault, and the program when it goes on at the
 * instruction, see what there is: a program that protects memory to see who writes to it (the
 * garbage collectors of SBCL and others, databases) computes wrongly, or dies.  So
 * all registers are, from when it may need them: when it has a handler of SIGSEGV or
 * SIGBUS and takes memory's protection down to reading, or less, or has survived a fault.
 * Code that was translated before is translated again then.
 *
 * Not with --counting=valgrind: that counts what is left of the instructions, as the other
 * tools do, and registers that are kept up to date leave more.
 */
#ifndef TOOL_INSTRUMENT_REGISTER_UPDATES_H
#define TOOL_INSTRUMENT_REGISTER_UPDATES_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

struct register_updates {
	Bool handles_segv, handles_bus; /* the program does */
	Bool wanted, kept; /* all at each access; kept: it is so, if --counting allows it */
	Bool once;         /* the next translation has them at each instruction */
	VexRegisterUpdates usual, usual_of_files; /* the core's, but for that one */
};

/* The program has set what becomes of a signal: a handler, or not. */
void register_updates_handle(struct register_updates *updates, Int signal, Bool handler);

/* The program can only read some memory now, or not even that. */
void register_updates_protect(struct register_updates *updates);

/* The program's handler is about to see a fault of one of its instructions. */
void register_updates_fault(struct register_updates *updates, Int signal);

/* Makes all requested changes.  To be called after a system call, where code may be discarded. */
void register_updates_apply(struct register_updates *updates);

/* The next translation, which is to be made at once, is to have all registers at each instruction. */
void register_updates_ask_once(struct register_updates *updates);

/* True if the translation that is being made is that one. */
Bool register_updates_take_once(struct register_updates *updates);

#endif
