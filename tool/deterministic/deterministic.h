/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --deterministic=yes: what a program can learn of the machine, of time and of
 * chance is given values that are the same in every run and on every machine.
 * docs/DETERMINISM.md lists item by item what the program gets.
 *
 * Nothing here is called without the option, but for the functions that say
 * that they do nothing then.
 */
#ifndef TOOL_DETERMINISTIC_DETERMINISTIC_H
#define TOOL_DETERMINISTIC_DETERMINISTIC_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "tool/deterministic/descriptor_reads.h"
#include "tool/deterministic/processor.h"
#include "tool/deterministic/timedwait.h"
#include "writer/shared/optionlist.h"

/* What is made the same; each can be left as it is (--leave). */
enum deterministic_item {
#define ITEM(item, name, help) DETERMINISTIC_##item,
	LEAVE_ITEMS(ITEM)
#undef ITEM
		N_DETERMINISTIC_ITEMS,
};

/* As the user gave them. */
struct deterministic_options {
	Bool on;
	UInt left;        /* bits of enum deterministic_item */
	const HChar *cpu; /* as given, NULL: not given */
	struct processor processor;
	UInt n_cpus; /* 1..DETERMINISTIC_MAX_CPUS */
	UInt seed;
	UInt clock_start; /* seconds since 1970, of the clock that all programs see */
	UInt clock_rate;  /* of it, in thousandths: 1..DETERMINISTIC_MAX_RATE */
};

enum {
	DETERMINISTIC_MAX_CPUS = 64,
	DETERMINISTIC_MAX_RATE = 1000000,
	/* 1 January 2026, 00:00 UTC. */
	DETERMINISTIC_CLOCK_START = 1767225600,
};

/* What is kept of a thread of the program's. */
struct deterministic_thread {
	ULong asked;   /* ns: for questions for the time */
	ULong begun;   /* what threads of its number had executed when it began */
	ULong waiting; /* since when, really, for a child: ns of the kernel's clock */
	struct timed_wait wait;
};

struct deterministic_program {
	UInt items; /* bits of those that are made the same; 0 if the option is off */
	UInt n_threads;
	struct deterministic_thread **threads; /* by number; NULL: never asked for */
	UInt sent[65];                         /* signals that the program sent itself, by number */
	Bool is_random
		[DESCRIPTOR_READS_MAX_SEALED]; /* by descriptor; known when the program seals itself off */
};

/* Reads a list of items to leave; ends the run with a message if arg is wrong. */
void deterministic_parse_leave(const HChar *arg, const HChar *list, UInt *left);

/* Reads a processor's name; likewise. */
void deterministic_parse_cpu(const HChar *arg, const HChar *value,
			     struct deterministic_options *options);

/* The two as they would be given; for --leave in size bytes. */
const HChar *deterministic_cpu_text(const struct deterministic_options *options);
void deterministic_leave_text(UInt left, HChar *text, SizeT size);

/* The items by their names, for --help. */
void deterministic_usage(void);

/*
 * After the options are known: makes what the program is started with
 * canonical.  Ends the run with a message if this machine cannot carry the
 * processor.  Does nothing if the option is off.
 */
void deterministic_init(const struct deterministic_options *options);

/* Whether an item is made the same; False for all if the option is off. */
Bool deterministic_has(enum deterministic_item item);

/* What is kept of the thread of a number. */
struct deterministic_thread *deterministic_thread_of(ThreadId tid);

/* Adds a statement of the program to code that is being translated. */
void deterministic_add(IRSB *out, IRStmt *stmt);

/*
 * Whether the totals of instructions are asked for in the statement, and must be
 * up to date.  False if the option is off.
 */
Bool deterministic_reads_totals(const IRStmt *stmt);

/* A superblock is complete; does nothing if it is not one that makes a system call. */
void deterministic_end(IRSB *out);

/* A system call is about to be made; it is over.  Do nothing if the option is off. */
void deterministic_before_syscall(ThreadId tid, UInt number, const UWord *args);
void deterministic_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);

/* A signal is about to be delivered; is_fault if an instruction raised it. */
void deterministic_signal(ThreadId tid, Int signal, Bool is_fault);

/* A thread other than the first begins; it has not run. */
void deterministic_thread(ThreadId tid);

/* Before a fork, and in the child of one. */
void deterministic_fork_parent(ThreadId tid);
void deterministic_fork_child(void);

/* The process is about to become another program, profiled or not; that has failed. */
void deterministic_exec(Bool is_traced);
void deterministic_exec_failed(void);

/* It ends: says what could not be made the same. */
void deterministic_exit(void);

#endif
