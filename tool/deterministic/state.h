/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program sees with --deterministic=yes: the state of this room, and what its files share.
 */
#ifndef TOOL_DETERMINISTIC_STATE_H
#define TOOL_DETERMINISTIC_STATE_H

#include "pub_tool_basics.h"

#include "tool/deterministic/deterministic.h"
#include "tool/deterministic/splitmix.h"

struct guest;

/* --- the clock (clock.c) --------------------------------------------------------------------
 *
 * The time that the program sees begins at a fixed moment and goes on with what the program does:
 *
 *	an instruction		1 ns
 *	a question for the time	1 us, so that a program that waits by asking again and again is soon done
 *	sleeping, or waiting until a timeout is over
 *				what was asked for
 *
 * At another rate, instructions and questions take more or less time; this shows which counts depend on how fast time
 * passes.  The clock never goes back, in a process and its children.
 */

#define CLOCK_SECOND 1000000000ULL /* ns */

struct clock {
	ULong start; /* ns since 1970 */
	UInt rate;   /* at twice CLOCK_USUAL_RATE, instructions and questions take twice as long */
	ULong instructions; /* executed before costs were last set to zero */
	ULong asked;        /* ns: for questions */
	ULong n_questions;  /* including rdtsc, which takes no time */
	ULong n_earlier;    /* those before costs were last set to zero */
	ULong slept;        /* ns */
	ULong inherited;    /* ns of CPU time that belong to the process that forked */
};

/* Linux's clocks, as clock_gettime() numbers them. */
enum {
	CLOCK_OF_DATE = 0,
	CLOCK_MONOTONIC_TIME = 1,
	CLOCK_PROCESS_TIME = 2,
	CLOCK_THREAD_TIME = 3,
	CLOCK_RAW = 4,
	CLOCK_COARSE_DATE = 5,
	CLOCK_COARSE = 6,
	CLOCK_SINCE_BOOT = 7,
	CLOCK_DATE_ALARM = 8,
	CLOCK_BOOT_ALARM = 9,
	CLOCK_TAI_TIME = 11,
};

enum {
	CLOCK_COARSE_STEP = 4000000, /* ns: coarse clocks show multiples of this */
	CLOCK_FEW_QUESTIONS = 300,   /* programs that do not measure time ask at most this often */
};

void clock_init(UInt start, UInt rate);

/* Instructions executed by this process and by those that it was forked from. */
ULong clock_instructions(void);

/* What RDTSC shows: instructions, at the clock's rate. */
ULong clock_counter(void);

/* ns since the machine was started. */
ULong clock_now(void);

/* ns to add to clock_now() for the date. */
ULong clock_date_offset(void);

/* ns of CPU time: of the process; of a thread. */
ULong clock_process_time(void);
ULong clock_thread_time(ThreadId tid);

/* A thread has asked for the time. */
void clock_ask(ThreadId tid);

/* How often the time was asked for since costs were zero; 0 if another clock answers. */
ULong clock_questions(void);

/* Moves clock_now() on to then, if that is later. */
void clock_wait_until(ULong then);

/* All costs are zero from now on; instructions: clock_instructions() before that. */
void clock_keep(ULong instructions);

/* In the child of a fork. */
void clock_fork(void);

/*
 * Timers that the program has set, by this clock.  They run in real time; when the program hears of one, the clock
 * moves on to when it was due.
 */
enum timer_kind {
	TIMER_ALARM, /* setitimer, alarm; its id is 0 */
	TIMER_POSIX, /* timer_create */
	TIMER_FILE,  /* timerfd_create; its id is the descriptor */
};

struct timer {
	struct timer *next;
	enum timer_kind kind;
	Int id;
	Int signal;
	Bool armed;
	ULong due;      /* by clock_now() */
	ULong interval; /* ns, 0: it fires once */
};

/* A timer sends that signal from now on. */
void timers_create(enum timer_kind kind, Int id, Int signal);

/* It is set to fire at due, and each interval after that; it is stopped. */
void timers_set(enum timer_kind kind, Int id, ULong due, ULong interval);
void timers_stop(enum timer_kind kind, Int id);

/* ns until a timer fires, by the program's clock, 0 if it will not; and its interval. */
ULong timers_left(enum timer_kind kind, Int id, ULong *interval);

/* Writes the interval and timers_left() as a struct itimerspec. */
void timers_write(enum timer_kind kind, Int id, Long *time);

/* A signal has come; returns True if it is a timer's. */
Bool timers_signal(Int signal);

/* n expirations were read from a descriptor. */
void timers_read(Int fd, ULong n);

/* In the child of a fork, which inherits descriptors only. */
void timers_fork(void);

/*
 * Processes that are profiled together: time goes on from one to the next.  A program that is started by exec begins when
 * the one before it ended, and with its random numbers; a process that waits for a child waits until the child's time.
 *
 * A child that is not profiled has no such time.  The time that waiting for it really took passes in whole seconds, so that short waits make no
 * difference, and a program that waits for a moment by starting "sleep" again and again gets there.
 */
struct process_tree {
	Int notes;    /* a file in memory that all share, or -1 */
	ULong waited; /* ns of real time for children that are not profiled, less than a second */
};

/* Goes on where the program before left off, if there was one; after clock_init(). */
void process_tree_init(void);

/*
 * This process is about to become another program, profiled or not; that has failed; the process ends.
 */
void process_tree_exec(Bool is_traced);
void process_tree_exec_failed(void);
void process_tree_exit(void);

/* A child has ended or stopped, after a wait of ns of real time. */
void process_tree_waited(Int pid, ULong ns);

/* --- waiting (timecalls.c) ------------------------------------------------------------------
 *
 * System calls that wait until a time is over.  They really wait as long as the program asked for; then the program's clock
 * has moved on by that.  If what they waited for came earlier, no time has passed.  A moment that a call waits for is one of the
 * program's clock; the kernel gets the moment of its own clock that is as far away.
 */

struct timed_call;

/* An argument that the kernel gets instead of the program's own. */
struct changed_argument {
	UInt argument; /* 0..5 */
	ULong given;   /* the program's own */
};

/* What a thread waits for. */
struct timed_wait {
	const struct timed_call *call; /* NULL: nothing */
	ULong due;                     /* by clock_now() */
	ULong time;                    /* ns that were asked for */
	ULong interval;                /* ns, of a timer */
	Bool stops;                    /* a timer is stopped */
	Addr given;                    /* the program's time, 0: none */
	UInt n_changed;
	struct changed_argument changed[2];
	Long passed[4]; /* to the kernel: a struct itimerspec, or half of it */
};

/*
 * Generated code calls this right before each system call, with the guest's state, where it may change arguments.
 */
void timedwait_begin(struct guest *guest);

/* The system call is over: arguments are the program's again, and time has passed. */
void timedwait_end(ThreadId tid, const UWord *args, SysRes result);

/* A handler is about to run in a thread: arguments are the program's again. */
void timedwait_interrupt(ThreadId tid);

/* --- answers (timecalls.c, sysanswer.c) -------------------------------------------------- */

/* A system call that has succeeded. */
struct finished_call {
	ThreadId tid;
	const UWord *args;
	UWord result;
};

/* Overwrites what the kernel has answered. */
typedef void syscall_answer(const struct finished_call *call);

/* Times. */
syscall_answer answer_clock_gettime, answer_clock_getres, answer_gettimeofday, answer_time;

/* What the process has used. */
syscall_answer answer_times, answer_getrusage, answer_wait4, answer_waitid;

/* Timers. */
syscall_answer answer_alarm, answer_setitimer, answer_getitimer;
syscall_answer answer_timer_create, answer_timer_gettime, answer_timerfd_gettime;

/*
 * Times of files: whole seconds, as some file systems have no others, and a file was last read when it was changed, as on
 * file systems that do not record reading.  So a program that works with such times takes equally long for each, and that it
 * has read the file in an earlier run makes no difference.  answer_stat is for lstat and fstat, too.
 */
syscall_answer answer_stat, answer_newfstatat, answer_statx;

/* The machine. */
syscall_answer answer_uname, answer_sysinfo, answer_sched_getaffinity, answer_getcpu;

/* The machine's name and its Linux, as it reports them. */
#define SYSANSWER_NODE    "localhost"
#define SYSANSWER_RELEASE "5.10.0"
#define SYSANSWER_VERSION "#1 SMP"

/* sched_setaffinity() has failed; it succeeds all the same for CPUs that the program has been shown. */
void sysanswer_setaffinity(ThreadId tid, const UWord *args);

/*
 * Before the program runs: fixes the auxiliary vector, which the kernel puts on its stack, and what /proc/self/auxv will
 * have: the bytes of AT_RANDOM; AT_HWCAP and AT_HWCAP2 by the processor.
 */
void auxvector_init(Bool random, Bool cpu);

/*
 * Files of /proc and /sys that describe the machine.  When the program has opened a known one, under whatever name, its
 * descriptor becomes one of a file in memory with the canonical text.  Unknown ones are counted.
 */
void sysfile_opened(Int fd);

/*
 * A file does not exist, or may not be read: a known one is opened all the same, as on other machines.  name is the
 * program's.
 */
void sysfile_missing(ThreadId tid, const HChar *name, UInt flags);

/* --- chance, and what comes from outside (descriptor_reads.c) ---------------------------- */

/*
 * Random bytes of the kernel and of the processor: all come from one sequence, in the order in which the program asks.
 * The child of a fork has a sequence of its own.
 */
struct random_source {
	struct splitmix splitmix;
	UInt n_children; /* forked so far */
};

void random_source_init(UInt seed);

/* After a fork: the parent counts it, the child goes on with another sequence. */
void random_source_fork_parent(void);
void random_source_fork_child(void);

syscall_answer answer_getrandom;

/*
 * What a program reads from descriptors that are no files: bytes of devices of random numbers come from the sequence;
 * data of other processes is counted.  A descriptor is judged by what it refers to when it is read, so it does not matter
 * how the program got it.
 *
 * A system call has succeeded: it may be one that reads, or connects to a peer that will be read.
 */
void descriptor_reads_done(UInt number, const UWord *args, UWord result);

/* A system call has failed with EAGAIN: the time limit of a socket may be over. */
void descriptor_reads_timed_out(UInt number, const UWord *args);

enum { DESCRIPTOR_READS_MAX_SEALED = 256 }; /* descriptors that are known in a sealed program */

/* --- what could not be made the same ----------------------------------------------------- */

enum nondeterminism_kind {
	NONDETERMINISM_THREADS,
	NONDETERMINISM_CHILDREN,
	NONDETERMINISM_PIDS,
	NONDETERMINISM_SIGNALS,
	NONDETERMINISM_TIMERS,
	NONDETERMINISM_SLEEPS,
	NONDETERMINISM_SOCKETS,
	NONDETERMINISM_PIPES,
	NONDETERMINISM_TERMINALS,
	NONDETERMINISM_DEVICES,
	NONDETERMINISM_NOTICES,
	NONDETERMINISM_FILES,
	NONDETERMINISM_CLOCKS,
	NONDETERMINISM_RANDOM,
	N_NONDETERMINISM_KINDS,
};

/* Counts it; the counts are reported at the end. */
void nondeterminism_note(enum nondeterminism_kind kind);

/* --- the state --------------------------------------------------------------------------- */

/* One thread of the program. */
struct deterministic_thread {
	ULong asked;   /* ns: for questions for the time */
	ULong begun;   /* what threads of its number had executed when it began */
	ULong waiting; /* ns of the kernel's clock: when it began to wait for a child */
	struct timed_wait wait;
};

struct deterministic_program {
	UInt items; /* bits of the items that are made the same; 0 if the option is off */
	UInt n_threads;
	struct deterministic_thread **threads; /* by number; NULL: never asked for */
	UInt sent[65];                         /* signals that the program sent itself, by number */
	/* Descriptors of random numbers; known when the program seals itself off. */
	Bool is_random[DESCRIPTOR_READS_MAX_SEALED];
};

struct deterministic_state {
	struct deterministic_options options;
	struct deterministic_program program;
	struct clock clock;
	struct random_source random_source;
	struct timer *timers; /* a list */
	ULong nondeterminism[N_NONDETERMINISM_KINDS];
	struct process_tree process_tree;
};

extern struct deterministic_state tool_deterministic;

/* True if an item is made the same; False for all if the option is off. */
Bool deterministic_has(enum deterministic_item item);

/* The thread of a number. */
struct deterministic_thread *deterministic_thread_of(ThreadId tid);

#endif
