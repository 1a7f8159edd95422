/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind bench: benchmarks, which are regions of programs (profile/common/region.h), with what they cost in a
 * stable run, and compared with a baseline, a text file.
 */
#ifndef CMDS_BENCH_BENCH_H
#define CMDS_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmds/cli/launch.h"
#include "cmds/cli/option.h"
#include "cmds/stable/stable.h"
#include "profile/analysis/limit.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"

extern const struct option_rule bench_options[];

/* argv[0] is "bench".  Returns an exit code. */
int bench_main(int argc, char **argv);

/* -- results ------------------------------------------------------------------------------- */

enum {
	BENCH_EVENTS = 16,   /* of a set, at most */
	BENCH_FUNCTIONS = 8, /* of a result, at most */
};

/* Counts are as people see them: of Cyc with one decimal. */
struct bench_event {
	const char *name;
	unsigned decimals;
};

/* What results depend on besides the program: "C library", "GNU C Library ...".  Of one kind there may be several. */
struct bench_fact {
	const char *what, *text;
};

/* What a function costs in a benchmark, by itself. */
struct bench_function {
	const char *name; /* "crc.c:crc", or "crc" if the file is not known */
	int128 ir;
};

struct bench_result {
	const char *name;
	int128 values[BENCH_EVENTS]; /* by the set's events */
	bool has[BENCH_EVENTS];
	bool is_unmatched; /* never entered, or not over */
	bool is_empty; /* no instruction was executed in it, whether Ir is among the events or not */
	size_t job;    /* whose it is */
	/*
	 * The functions that cost most, by name; none below 1 % of the benchmark.  What is not among them costs at most as
	 * little.  0 if they are not known.
	 */
	struct bench_function functions[BENCH_FUNCTIONS];
	size_t n_functions;
};

/* A program that did not end well, and how it ended: "exited with 1". */
struct bench_failure {
	const char *program, *text;
};

/* Results of a run, or of a baseline.  For reading, but by what fills it; memory is the arena's or owned. */
struct bench_set {
	struct arena arena;
	struct bench_event events[BENCH_EVENTS];
	size_t n_events;
	struct bench_fact *facts; /* by kind, then text */
	size_t n_facts, facts_capacity;
	struct bench_result *all; /* by name */
	size_t n, capacity;
	struct bench_failure *failures;
	size_t n_failures, failures_capacity;
};

void bench_set_init(struct bench_set *set);
void bench_set_release(struct bench_set *set);

/* The number of an event; n_events if there is none. */
size_t bench_set_event(const struct bench_set *set, const char *name);

/* The same, which is added if there is none; BENCH_EVENTS if there are too many. */
size_t bench_set_add_event(struct bench_set *set, const char *name);

/* Adds a fact, unless it is known.  Texts are copied, up to their first line feed. */
void bench_set_add_fact(struct bench_set *set, const char *what, const char *text);

/* Adds a result of this name, which is copied. */
struct bench_result *bench_set_add(struct bench_set *set, const char *name, size_t len);

/* All results are there: puts them in order.  The second of two results of one name, if there are such, else NULL. */
const struct bench_result *bench_set_sort(struct bench_set *set);

/* A result by its name; NULL = there is none. */
const struct bench_result *bench_set_find(const struct bench_set *set, const char *name);

/* -- baselines (benchfile.c) ---------------------------------------------------------------- */

/*
 * The file of a baseline: a line for each benchmark and event, by name, so that a diff of two versions says what
 * changed, after lines of what it was made with.  The name is the rest of its line.  The functions that cost most follow, if
 * they are known, each below its benchmark.
 *
 *	# costgrind bench, version 1: event, count, benchmark
 *	# C library: GNU C Library (Debian GLIBC 2.36-9+deb12u14) stable release version 2.36
 *	# ...
 *	Ir 5401 crc/64
 *	Cyc 2211.4 crc/64
 *	  5120 crc.c:crc
 *
 * The same results make the same bytes.
 */
void benchfile_write(const struct bench_set *set, FILE *out);

/*
 * Reads one from a text of len bytes into a set that is initialised; name is the file's.  Returns an exit code, after a
 * message by the command's name, unless that is NULL.
 */
int benchfile_parse(struct bench_set *set, const char *data, size_t len, const char *name,
		    const char *command);

/* The same from a file. */
int benchfile_read(struct bench_set *set, const char *path, const char *command);

/* -- runs (benchrun.c) --------------------------------------------------------------------- */

struct bench_request {
	const char *command; /* for messages */
	const struct stable_keep *keep;
	const struct runwords *words; /* the program, or programs, and options for Valgrind */
	bool is_several;              /* each word is a program */
	const char *each; /* a command that lists benchmarks, each to be run by itself; NULL = none */
	const char *
		events; /* "A,B": whose counts are wanted; NULL = bench_usual_events, as far as they are there */
	size_t jobs; /* runs at a time, 1 or more */
	bool is_quiet;
};

extern const char bench_usual_events[];

/* A program to be run. */
struct bench_job {
	char **words;     /* owned, ended by NULL; what they point to is the arena's, or argv's */
	const char *text; /* all of them, for messages */
	const char *name; /* the benchmark that it is run for; NULL = all that it has */
};

struct bench_jobs {
	struct arena arena;
	struct bench_job *all; /* owned */
	size_t n, capacity;
};

/* Finds what is to be run.  Returns an exit code, after a message; release it in any case. */
int bench_jobs_find(struct bench_jobs *jobs, const struct bench_request *request);
void bench_jobs_release(struct bench_jobs *jobs);

/*
 * Runs all programs, and fills a set that is initialised.  Returns an exit code, after a message; EXIT_FINE also if
 * programs failed, which the set says.
 */
int bench_run(struct bench_set *set, const struct bench_request *request,
	      const struct bench_jobs *jobs);

/* Where most of an event is spent in a region. */
struct bench_place {
	const char *function; /* NULL = not known */
	const char *file;     /* NULL = not known */
	uint64_t line;        /* that costs most in it; 0 = not known */
	int128 part, whole;   /* what the line, or else the function, costs, and the region */
};

/* The function whose Ir grew most. */
struct bench_growth {
	struct bench_place
		place;      /* the line is the one that costs most now; function NULL = not known */
	int128 change, was; /* change: more than 0 */
	bool is_bound;      /* it grew at least by this, from this at most */
};

/* A region that is looked into. */
struct bench_question {
	const struct bench_result *result;
	const char *event;
	/* For the answers, whose texts are the set's arena's. */
	struct bench_place *hottest;
	struct bench_growth *growth;
	const struct bench_result *old_result; /* for growth; NULL = it is not wanted */
	int128 old_ir;                         /* of it */
};

/* Runs programs again, once for each question, to answer them as far as that is possible. */
void bench_ask(struct bench_set *set, const struct bench_request *request,
	       const struct bench_jobs *jobs, const struct bench_question *questions, size_t n);

/*
 * Runs all programs once more, to find the functions of their benchmarks; none of one that another region is open in, or
 * around.  Nothing is run if Ir is not among the set's events.
 */
void bench_find_functions(struct bench_set *set, const struct bench_request *request,
			  const struct bench_jobs *jobs);

/* -- comparisons (benchcompare.c) ------------------------------------------------------------ */

/* In the order in which rows are listed.  Those up to BENCH_BROKEN fail. */
enum bench_state {
	BENCH_GONE,      /* it is in the baseline only */
	BENCH_UNMATCHED, /* never entered, or not over */
	BENCH_EMPTY,     /* no instructions, or only a harness's */
	BENCH_BROKEN,    /* a limit */
	BENCH_SOFT,      /* a soft limit */
	BENCH_CHANGED,   /* by more than BENCH_TOLERANCE */
	BENCH_NEW,       /* it is not in the baseline */
	BENCH_SAME,
	N_BENCH_STATES,
};

extern const char *const bench_states[N_BENCH_STATES];

/* Millionths of the first event that a benchmark may change by, up or down, and be the same. */
enum { BENCH_TOLERANCE = 5000 };

struct bench_row {
	const char *name;
	const struct bench_result *old_result, *new_result; /* NULL = not there */
	enum bench_state state;
	const struct limit *limit;  /* that is broken; NULL = none */
	size_t event;               /* that the state is by, of NEW's events */
	struct bench_place hottest; /* where most of that is spent now; function NULL = not known */
	struct bench_growth growth;
};

struct bench_comparison {
	const struct bench_set *old_set, *new_set; /* old_set NULL = there is no baseline */
	const char *against;                       /* the baseline's file */
	size_t old_events[BENCH_EVENTS];           /* by NEW's events: OLD's; BENCH_EVENTS = none */
	struct bench_row *rows; /* owned: by state, the largest changes first, then by name */
	size_t n, n_shown;      /* those after n_shown are the same */
	size_t n_states[N_BENCH_STATES];
	const struct limit **unmatched; /* owned: limits that fit no benchmark */
	size_t n_unmatched;
};

/*
 * Compares a run with a baseline (NULL = none), by the limits of regions among these.  All is borrowed.  Returns an
 * exit code, after a message by the command's name about the limits, whose file is `path`; if that is NULL, the limits of
 * events that the run has not are left out.  Release it in any case.
 */
int bench_compare(struct bench_comparison *comparison, const struct bench_set *old_set,
		  const struct bench_set *new_set, const struct limits *limits, const char *path,
		  const char *command);
void bench_comparison_release(struct bench_comparison *comparison);

/* True if a benchmark, a limit or a program fails. */
bool bench_comparison_fails(const struct bench_comparison *comparison);

/* Values of a row; has says if there is one. */
int128 bench_row_old(const struct bench_comparison *comparison, const struct bench_row *row,
		     size_t event, bool *has);
int128 bench_row_new(const struct bench_row *row, size_t event, bool *has);

/*
 * What a row says, in words: "Ir 1,200 to 1,500 (+25.00%), limit: region * Ir +1%"; "gone: ...".  Into a buffer of size bytes.
 */
void bench_row_print(const struct bench_comparison *comparison, const struct bench_row *row,
		     char *text, size_t size);

/* Where to look, in words: "changed most: crc, +300 Ir (was 1,200), line 41 of crc.c", or "most Ir now: ..."; "" = not known. */
void bench_row_print_place(const struct bench_comparison *comparison, const struct bench_row *row,
			   char *text, size_t size);

/*
 * Which of n functions, each with what it costs now, has grown most since a baseline in which the benchmark had old_ir; n
 * if that is not certain.
 */
size_t bench_find_growth(struct bench_growth *growth, const struct bench_result *old_result,
			 int128 old_ir, const struct bench_function *now, size_t n);

/* -- what is printed (benchview.c, benchforms.c) ---------------------------------------------- */

/* Words of --format. */
#define BENCH_FORMATS "text|markdown|json|junit|github|customSmallerIsBetter|bmf"

/* How columns and reports call an event: "D1 misses", counted in "misses".  Of one that is not usual, its name and "events". */
struct bench_words {
	const char *title, *unit;
};

struct bench_words bench_words_of(const char *event);

struct bench_form;

/* NULL = no form has this name. */
const struct bench_form *bench_form_find(const char *name);

/* width: of text, as document_fit() takes it. */
void bench_print(const struct bench_comparison *comparison, const struct bench_form *form,
		 size_t width, FILE *out);

/* Text, Markdown and JSON are documents; these are not. */
void bench_print_document(const struct bench_comparison *comparison,
			  const struct document_backend *backend, size_t width, size_t n_rows,
			  FILE *out);

/* -- history (benchhistory.c) ------------------------------------------------------------------ */

/* Words of --format with --history. */
#define BENCH_HISTORY_FORMATS "text|markdown|json|svg|html"

struct bench_history_request {
	const char *path;    /* of the baseline */
	const char *event;   /* NULL = the first one of the newest version */
	const char *pattern; /* of benchmarks; NULL = all */
	const char *format;  /* one of these words */
	size_t width;        /* of text, as document_fit() takes it */
	const char *output;  /* NULL = standard output */
};

/*
 * Prints the series of an event of each benchmark in the versions that git has of a baseline's file, the oldest
 * first.  Returns an exit code, after a message.
 */
int bench_history(const struct bench_history_request *request, const char *command);

#endif
