/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --deterministic=yes: what a program can learn of the machine, of time and of chance is the same in every run and on
 * every machine.  docs/DETERMINISM.md lists item by item what the program gets.
 *
 * Without the option these functions do nothing.
 */
#ifndef TOOL_DETERMINISTIC_DETERMINISTIC_H
#define TOOL_DETERMINISTIC_DETERMINISTIC_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "tool/deterministic/processor.h"
#include "writer/shared/optionlist.h"

/* --- options ----------------------------------------------------------------------------- */

/* What is made the same; --leave leaves an item as it is. */
enum deterministic_item {
#define ITEM(item, name, help) DETERMINISTIC_##item,
	LEAVE_ITEMS(ITEM)
#undef ITEM
		N_DETERMINISTIC_ITEMS,
};

enum {
	DETERMINISTIC_MAX_CPUS = 64,
	DETERMINISTIC_MAX_RATE = 1000000,
	/* 1 January 2026, 00:00 UTC. */
	DETERMINISTIC_CLOCK_START = 1767225600,
	CLOCK_USUAL_RATE = 1000, /* thousandths */
};

/* As the user gave them. */
struct deterministic_options {
	Bool on;
	UInt left;        /* bits of enum deterministic_item */
	const HChar *cpu; /* NULL: not given */
	struct processor processor;
	UInt n_cpus; /* 1..DETERMINISTIC_MAX_CPUS */
	UInt seed;
	UInt clock_start; /* seconds since 1970, of the clock that all programs see */
	UInt clock_rate;  /* of it, in thousandths: 1..DETERMINISTIC_MAX_RATE */
};

/* Reads a list of items to leave; ends the run with a message if arg is wrong. */
void deterministic_parse_leave(const HChar *arg, const HChar *list, UInt *left);

/* Reads a processor's name; ends the run with a message if arg is wrong. */
void deterministic_parse_cpu(const HChar *arg, const HChar *value,
			     struct deterministic_options *options);

/* Both as they would be given; --leave in size bytes. */
const HChar *deterministic_cpu_text(const struct deterministic_options *options);
void deterministic_leave_text(UInt left, HChar *text, SizeT size);

/* Prints the items by name, for --help. */
void deterministic_usage(void);

/* --- the run ----------------------------------------------------------------------------- */

/*
 * After the options are known: fixes what the program is started with.  Ends the run with a message if this machine
 * cannot execute the processor's instructions.
 */
void deterministic_init(const struct deterministic_options *options);

/*
 * Before the program has begun, with or without the option: moves where its memory begins.  Valgrind puts that at the same addresses in
 * all runs, which hides what depends on an address.  The heap (brk) begins heap_bytes later, at most 1 MiB, and libraries
 * and mappings load_pages further up; stack and program stay.  Ends the run with a message if there is no room.
 */
void placement_shift(UInt heap_bytes, UInt load_pages);

/* Adds a statement of the program to code that is being translated. */
void deterministic_add(IRSB *out, IRStmt *stmt);

/* True if the statement asks for the totals of instructions, which must be up to date then. */
Bool deterministic_reads_totals(const IRStmt *stmt);

/* A superblock is complete; it may end in a system call. */
void deterministic_end(IRSB *out);

/* A system call is about to be made; it is over. */
void deterministic_before_syscall(ThreadId tid, UInt number, const UWord *args);
void deterministic_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);

/* A signal is about to be delivered; is_fault if an instruction raised it. */
void deterministic_signal(ThreadId tid, Int signal, Bool is_fault);

/* A thread other than the first begins; it has not run. */
void deterministic_thread(ThreadId tid);

/* Before a fork; in its child. */
void deterministic_fork_parent(void);
void deterministic_fork_child(void);

/* The process is about to become another program, profiled or not; that has failed. */
void deterministic_exec(Bool is_traced);
void deterministic_exec_failed(void);

/* The program is about to seal itself off (seccomp): from then on, what a descriptor is cannot be asked. */
void deterministic_seal(void);

/* The process ends: reports what could not be made the same. */
void deterministic_exit(void);

#endif
