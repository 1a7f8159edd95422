/* SPDX-License-Identifier: MIT-0 */
/*
 * bench.h: benchmarks in C (C11 or later) and C++ (C++14 or later), for people and for gates.
 *
 * This file may be copied into any program, and changed, without any condition.  It needs
 * costgrind.h next to it and valgrind.h, which comes with Valgrind, and no library.
 *
 *	#include <costgrind/bench.h>
 *
 *	static void crc(struct costgrind_bench *bench)
 *	{
 *		unsigned char *data = random_bytes(bench->argument);	// not measured
 *
 *		COSTGRIND_MEASURE(bench)
 *			costgrind_keep(crc32(data, bench->argument));
 *		free(data);						// not measured
 *	}
 *
 *	COSTGRIND_BENCH_MAIN
 *	{
 *		COSTGRIND_BENCH(crc, 64, 4096);				// crc/64, crc/4096
 *		COSTGRIND_BENCH(sort);
 *	}
 *
 * By itself the program times its benchmarks in rounds, each benchmark once a round, so that a
 * change of the clock frequency affects all of them, and prints medians with their 95 % confidence
 * intervals.  Under costgrind, or any tool of Valgrind, each benchmark is called twice, first to
 * warm up and then to be measured, and its measured part runs once in each call.  The second one is
 * a region with the benchmark's name.  Its instruction counts do not depend on which benchmarks run
 * before it, unless the benchmark itself does so: by global data, or by addresses of memory that it
 * allocates.
 *
 *	./bench				all benchmarks
 *	./bench 'crc/?*' sort		those with such names: * is any text, ? any character
 *	./bench --list			prints the names, one a line
 *	./bench --no-warm-up		under a tool: calls each benchmark only once
 *	./bench --rounds=N --time=SEC	without one: N rounds (25), SEC seconds a benchmark (0.5)
 *
 * It exits with 0, with 1 if a benchmark was not measured, or with 2 if the command line is wrong.
 */
#ifndef HARNESS_BENCH_H
#define HARNESS_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
# include <type_traits>
#endif

#include "costgrind.h"

/* What a benchmark's function is called with; it lives as long as the call. */
struct costgrind_bench {
	/* The argument given to COSTGRIND_BENCH(), which is in the name; 0 if there is none. */
	long long argument;

	/* The rest belongs to this file. */
	const char *name;
	long long iterations;     /* of the measured part */
	int is_region;            /* the measured part is counted, not timed */
	double began;             /* seconds */
	double seconds;           /* that all iterations took */
	unsigned n_begun, n_done; /* measured parts in this call */
};

typedef void costgrind_bench_function(struct costgrind_bench *bench);

/* Region names may have 255 bytes. */
enum { COSTGRIND_BENCH_NAME = 256 };

struct costgrind_bench_entry {
	char name[COSTGRIND_BENCH_NAME];
	costgrind_bench_function *function;
	long long argument;
	int is_selected;
	long long iterations;
	double *samples; /* seconds an iteration took, one a round */
};

/* The benchmarks of a program, in the order in which they were added. */
struct costgrind_suite {
	const char *program;
	int argc;
	char **argv;
	struct costgrind_bench_entry *entries;
	size_t n_entries, n_allocated;
	int is_list, is_cold, status;
	long rounds;
	double time; /* seconds that the rounds of a benchmark shall take */
};

/* -- in benchmarks -------------------------------------------------------- */

/*
 * Before the statement or block that is measured.  It must not leave the block by break, return,
 * goto or an exception, and a benchmark has one such part.
 *
 * Nothing is executed between the request that begins the region and the block, nor between the
 * block and the marker that pauses the region: a loop with a condition would need a jump, so this
 * one has none, and is left by goto.  (break in a statement expression means the loop around it to
 * gcc, and the loop itself to clang.)
 */
#define COSTGRIND_MEASURE(bench)        COSTGRIND_MEASURE_(bench, __LINE__)
#define COSTGRIND_MEASURE_(bench, line) COSTGRIND_MEASURE_UNTIL_(bench, costgrind_measured_##line)
/* clang-format off */
#define COSTGRIND_MEASURE_UNTIL_(bench, end) \
	for (long long costgrind_left = costgrind_measure_begin_(bench); costgrind_left != 0;) \
end: \
		for (; costgrind_left != 0; costgrind_left = 0) \
			for (COSTGRIND_REGION_BEGIN_IF((bench)->is_region, (bench)->name);; __extension__({ \
				COSTGRIND_REGION_PAUSE; \
				/* (Unlikely to repeat: compilers align loops, and padding is executed.) */ \
				if (__builtin_expect(--costgrind_left == 0, 1)) { \
					costgrind_measure_end_(bench); \
					goto end; \
				} \
			}))
/* clang-format on */

/* Registers, or memory, that a value of any type can be in. */
#if defined(__x86_64__) || defined(__i386__)
# define COSTGRIND_ANYWHERE_ "r,x,m"
#elif defined(__aarch64__)
# define COSTGRIND_ANYWHERE_ "r,w,m"
#else
# define COSTGRIND_ANYWHERE_ "r,m"
#endif

/* costgrind_keep(value): the compiler has to compute value here, and memory that it points to. */
#ifdef __cplusplus
/* (Of an object in memory, gcc would copy all for a register that it does not use.) */
template <bool IS_SMALL> struct costgrind_keeper_ {
	template <typename T> static inline __attribute__((always_inline)) void keep(const T &value)
	{
		__asm__ volatile("" : : COSTGRIND_ANYWHERE_(value) : "memory");
	}
};

template <> struct costgrind_keeper_<false> {
	template <typename T> static inline __attribute__((always_inline)) void keep(const T &value)
	{
		__asm__ volatile("" : : "m"(value) : "memory");
	}
};

template <typename T>
static inline __attribute__((always_inline)) void costgrind_keep(const T &value)
{
	costgrind_keeper_<std::is_scalar<T>::value>::keep(value);
}
#else
/* (The type is the one that an array has as a value.) */
# define costgrind_keep(value)                                              \
  do {                                                                      \
   __typeof__(((void)0, (value))) costgrind_kept = (value);                 \
   __asm__ volatile("" : : COSTGRIND_ANYWHERE_(costgrind_kept) : "memory"); \
  } while (0)
#endif

/* The compiler has to assume here that all memory whose address others know is read and written. */
static inline __attribute__((always_inline)) void costgrind_clobber(void)
{
	__asm__ volatile("" : : : "memory");
}

/* -- programs ------------------------------------------------------------- */

/*
 * The program: a main(), and the head of a function that adds the benchmarks.  A program that has a
 * main() of its own calls the functions below.
 *
 *	COSTGRIND_BENCH_MAIN
 *	{
 *		COSTGRIND_BENCH(crc, 64, 4096);
 *		COSTGRIND_BENCH(sort);
 *	}
 */
#define COSTGRIND_BENCH_MAIN                                                     \
 static void costgrind_bench_add_all(struct costgrind_suite *costgrind_benches); \
 int main(int argc, char **argv)                                                 \
 {                                                                               \
  struct costgrind_suite suite;                                                  \
                                                                                 \
  costgrind_suite_init(&suite, argc, argv);                                      \
  costgrind_bench_add_all(&suite);                                               \
  return costgrind_suite_run(&suite);                                            \
 }                                                                               \
 static void costgrind_bench_add_all(struct costgrind_suite *costgrind_benches)

/*
 * COSTGRIND_BENCH(function, integers...): a benchmark with the function's name or, if there are
 * integers, one for each, with the name function/integer.
 */
#define COSTGRIND_BENCH(...)                                                                \
 do {                                                                                       \
  const long long costgrind_arguments[] = { COSTGRIND_REST_(__VA_ARGS__, 0) };              \
                                                                                            \
  costgrind_suite_add_each(costgrind_benches, COSTGRIND_NAME_(__VA_ARGS__, 0),              \
			   COSTGRIND_FIRST_(__VA_ARGS__, 0), costgrind_arguments,           \
			   sizeof(costgrind_arguments) / sizeof(*costgrind_arguments) - 1); \
 } while (0)

/* The added 0 sees to it that "..." is never nothing. */
#define COSTGRIND_NAME_(first, ...)  #first
#define COSTGRIND_FIRST_(first, ...) first
#define COSTGRIND_REST_(first, ...)  __VA_ARGS__

/* Begins a suite without benchmarks.  argv remains the caller's and must outlive the suite. */
static inline void costgrind_suite_init(struct costgrind_suite *suite, int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;

	memset(suite, 0, sizeof(*suite));
	suite->program = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "bench";
	suite->argc = argc;
	suite->argv = argv;
	suite->rounds = 25;
	suite->time = 0.5;
}

static inline void *costgrind_bench_alloc_(struct costgrind_suite *suite, void *old, size_t n,
					   size_t size)
{
	void *memory = n > (size_t)-1 / size ? NULL : realloc(old, n * size);

	if (memory == NULL) {
		fprintf(stderr, "%s: out of memory\n", suite->program);
		exit(1);
	}
	return memory;
}

/* Says what is wrong with a benchmark; the program will exit with 1. */
static inline void costgrind_bench_fail_(struct costgrind_suite *suite, const char *name,
					 const char *what)
{
	fflush(stdout);
	fprintf(stderr, "%s: %s: %s\n", suite->program, name, what);
	suite->status = 1;
}

static inline void costgrind_bench_put_(struct costgrind_suite *suite, const char *name,
					int has_argument, long long argument,
					costgrind_bench_function *function)
{
	struct costgrind_bench_entry *entry;
	int len;

	if (suite->n_entries == suite->n_allocated) {
		suite->n_allocated = suite->n_allocated * 2 + 16;
		suite->entries = (struct costgrind_bench_entry *)costgrind_bench_alloc_(
			suite, suite->entries, suite->n_allocated, sizeof(*suite->entries));
	}
	entry = &suite->entries[suite->n_entries];
	memset(entry, 0, sizeof(*entry));
	if (has_argument)
		len = snprintf(entry->name, sizeof(entry->name), "%s/%lld", name, argument);
	else
		len = snprintf(entry->name, sizeof(entry->name), "%s", name);
	if (len < 0 || (size_t)len >= sizeof(entry->name)) {
		costgrind_bench_fail_(suite, name, "the name is longer than 255 bytes");
		return;
	}
	for (size_t i = 0; i < suite->n_entries; i++) {
		if (strcmp(suite->entries[i].name, entry->name) == 0) {
			costgrind_bench_fail_(suite, entry->name, "two benchmarks have this name");
			return;
		}
	}
	entry->function = function;
	entry->argument = argument;
	suite->n_entries++;
}

/* Adds a benchmark.  Its name is unique and is copied; it has 255 bytes at most. */
static inline void costgrind_suite_add(struct costgrind_suite *suite, const char *name,
				       costgrind_bench_function *function)
{
	costgrind_bench_put_(suite, name, 0, 0, function);
}

/* Adds a benchmark called name/argument; its function finds the argument in the struct. */
static inline void costgrind_suite_add_argument(struct costgrind_suite *suite, const char *name,
						costgrind_bench_function *function,
						long long argument)
{
	costgrind_bench_put_(suite, name, 1, argument, function);
}

/* Adds a benchmark for each of n arguments or, if there are none, one without. */
static inline void costgrind_suite_add_each(struct costgrind_suite *suite, const char *name,
					    costgrind_bench_function *function,
					    const long long *arguments, size_t n)
{
	if (n == 0)
		costgrind_suite_add(suite, name, function);
	for (size_t i = 0; i < n; i++)
		costgrind_suite_add_argument(suite, name, function, arguments[i]);
}

/* -- how benchmarks are measured ------------------------------------------ */

/* Seconds since some point in the past. */
static inline double costgrind_bench_now_(void)
{
	struct timespec now;

	/* (Strict C11 hides clocks that are not set, but has this one.) */
#ifdef CLOCK_MONOTONIC
	clock_gettime(CLOCK_MONOTONIC, &now);
#else
	timespec_get(&now, TIME_UTC);
#endif
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns how often the measured part shall run. */
static inline long long costgrind_measure_begin_(struct costgrind_bench *bench)
{
	bench->n_begun++;
	if (!bench->is_region)
		bench->began = costgrind_bench_now_();
	return bench->iterations;
}

static inline void costgrind_measure_end_(struct costgrind_bench *bench)
{
	if (bench->is_region)
		COSTGRIND_REGION_END_PAUSED(bench->name);
	else
		bench->seconds = costgrind_bench_now_() - bench->began;
	bench->n_done++;
}

/* Calls a benchmark; false if it was not measured once, which has been said. */
static inline int costgrind_bench_call_(struct costgrind_suite *suite,
					struct costgrind_bench_entry *entry, long long iterations,
					int is_region, double *seconds)
{
	struct costgrind_bench bench;

	memset(&bench, 0, sizeof(bench));
	bench.argument = entry->argument;
	bench.name = entry->name;
	bench.iterations = iterations;
	bench.is_region = is_region;
	entry->function(&bench);
	*seconds = bench.seconds;
	if (bench.n_begun == 1 && bench.n_done == 1)
		return 1;
	costgrind_bench_fail_(
		suite, entry->name,
		bench.n_begun == 0  ? "not measured: it did not reach COSTGRIND_MEASURE"
		: bench.n_begun > 1 ? "not measured: it reached COSTGRIND_MEASURE more than once"
				    : "not measured: it left COSTGRIND_MEASURE before its end");
	entry->is_selected = 0;
	return 0;
}

/* Under a tool: one run whose counts are no region, and one whose counts are. */
static inline void costgrind_bench_count_(struct costgrind_suite *suite,
					  struct costgrind_bench_entry *entry)
{
	double ignored;

	if (suite->is_cold || costgrind_bench_call_(suite, entry, 1, 0, &ignored))
		costgrind_bench_call_(suite, entry, 1, 1, &ignored);
}

/* Finds out how many iterations take at least as long as a round shall. */
static inline void costgrind_bench_calibrate_(struct costgrind_suite *suite,
					      struct costgrind_bench_entry *entry)
{
	const double wanted = suite->time / (double)suite->rounds;
	/* More are only wanted by what the optimizer has removed. */
	const double most = 1e12;
	double seconds;

	entry->iterations = 1;
	while (costgrind_bench_call_(suite, entry, entry->iterations, 0, &seconds)) {
		double iterations = (double)entry->iterations;

		if (seconds >= wanted || iterations >= most)
			return;
		/* A short time says little of how long more will take. */
		iterations *= seconds > wanted / 50 ? 1.1 * wanted / seconds : 10;
		entry->iterations = (long long)(iterations < most ? iterations + 1 : most);
	}
}

static inline int costgrind_bench_compare_(const void *a, const void *b)
{
	const double *left = (const double *)a, *right = (const double *)b;

	return (*left > *right) - (*left < *right);
}

/*
 * How many of n sorted samples, at each end, lie outside a 95 % confidence interval of the median.
 * How many lie below the true median is binomial: the largest k is chosen such that fewer than k do
 * with a probability of 2.5 % at most, and the k-th sample begins the interval.
 */
static inline size_t costgrind_bench_outside_(size_t n)
{
	double probability = 1, sum = 0;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		probability /= 2;
	while (sum + probability <= 0.025) {
		sum += probability;
		probability *= (double)(n - k) / (double)(k + 1);
		k++;
	}
	return k - 1;
}

static inline void costgrind_bench_print_(struct costgrind_bench_entry *entry, size_t n, int width)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 } };
	const size_t outside = costgrind_bench_outside_(n);
	const double *samples = entry->samples;
	double median;
	size_t unit = 0;

	qsort(entry->samples, n, sizeof(*samples), costgrind_bench_compare_);
	median = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
	while (unit < 3 && median < units[unit].seconds)
		unit++;
	printf("%-*s %9.2f %-2s %9.2f to %9.2f %-2s %12lld\n", width, entry->name,
	       median / units[unit].seconds, units[unit].name,
	       samples[outside] / units[unit].seconds,
	       samples[n - 1 - outside] / units[unit].seconds, units[unit].name, entry->iterations);
}

/* Without a tool: rounds; each benchmark runs in each of them. */
static inline void costgrind_bench_time_(struct costgrind_suite *suite)
{
	const size_t n_rounds = (size_t)suite->rounds;
	struct costgrind_bench_entry *end = suite->entries + suite->n_entries;
	int width = 9;

	for (struct costgrind_bench_entry *entry = suite->entries; entry < end; entry++) {
		if (!entry->is_selected)
			continue;
		if (width < (int)strlen(entry->name))
			width = (int)strlen(entry->name);
		entry->samples = (double *)costgrind_bench_alloc_(suite, NULL, n_rounds,
								  sizeof(*entry->samples));
		costgrind_bench_calibrate_(suite, entry);
	}
	for (size_t round = 0; round < n_rounds; round++) {
		for (struct costgrind_bench_entry *entry = suite->entries; entry < end; entry++) {
			double seconds;

			if (entry->is_selected &&
			    costgrind_bench_call_(suite, entry, entry->iterations, 0, &seconds))
				entry->samples[round] = seconds / (double)entry->iterations;
		}
	}
	printf("%-*s %12s %25s %12s\n", width, "benchmark", "median", "95 % confidence interval",
	       "iterations");
	for (struct costgrind_bench_entry *entry = suite->entries; entry < end; entry++) {
		if (entry->is_selected)
			costgrind_bench_print_(entry, n_rounds, width);
		free(entry->samples);
	}
}

/* -- the command line ----------------------------------------------------- */

/* True if the name is the pattern's, in which * is any text and ? any character. */
static inline int costgrind_bench_matches_(const char *pattern, const char *name)
{
	const char *star = NULL, *after_star = name;

	while (*name != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			after_star = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star != NULL) {
			pattern = star + 1;
			name = ++after_star;
		} else {
			return 0;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

static inline void costgrind_bench_misuse_(struct costgrind_suite *suite, const char *word,
					   const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", suite->program, word, what);
	exit(2);
}

/* Selects benchmarks by name; all if there are no names. */
static inline void costgrind_bench_select_(struct costgrind_suite *suite, int first)
{
	for (size_t i = 0; i < suite->n_entries; i++)
		suite->entries[i].is_selected = first >= suite->argc;
	for (int word = first; word < suite->argc; word++) {
		int is_found = 0;

		for (size_t i = 0; i < suite->n_entries; i++) {
			if (costgrind_bench_matches_(suite->argv[word], suite->entries[i].name))
				is_found = suite->entries[i].is_selected = 1;
		}
		if (!is_found)
			costgrind_bench_misuse_(suite, suite->argv[word],
						"no benchmark has such a name (--list has all)");
	}
}

static inline void costgrind_bench_parse_(struct costgrind_suite *suite)
{
	int word = 1;

	for (; word < suite->argc && suite->argv[word][0] == '-'; word++) {
		const char *option = suite->argv[word];
		char *end;

		if (strcmp(option, "--") == 0) {
			word++;
			break;
		}
		if (strcmp(option, "--list") == 0) {
			suite->is_list = 1;
		} else if (strcmp(option, "--no-warm-up") == 0) {
			suite->is_cold = 1;
		} else if (strncmp(option, "--rounds=", 9) == 0) {
			suite->rounds = strtol(option + 9, &end, 10);
			/* Fewer have no such interval, of more the probabilities are too small for a double. */
			if (end == option + 9 || *end != '\0' || suite->rounds < 6 ||
			    suite->rounds > 1000)
				costgrind_bench_misuse_(suite, option,
							"expected a number from 6 to 1000");
		} else if (strncmp(option, "--time=", 7) == 0) {
			suite->time = strtod(option + 7, &end);
			if (end == option + 7 || *end != '\0' ||
			    !(suite->time > 0 && suite->time <= 3600))
				costgrind_bench_misuse_(suite, option,
							"expected seconds, at most 3600");
		} else if (strcmp(option, "--help") == 0) {
			printf("usage: %s [--list] [--no-warm-up] [--rounds=N] [--time=SECONDS] [NAME...]\n",
			       suite->program);
			exit(0);
		} else {
			costgrind_bench_misuse_(suite, option, "unknown option (--help has all)");
		}
	}
	costgrind_bench_select_(suite, word);
}

/* Does what the command line asks for, releases the suite, returns the program's exit status. */
static inline int costgrind_suite_run(struct costgrind_suite *suite)
{
	costgrind_bench_parse_(suite);
	if (suite->is_list || RUNNING_ON_VALGRIND) {
		for (size_t i = 0; i < suite->n_entries; i++) {
			struct costgrind_bench_entry *entry = &suite->entries[i];

			if (!entry->is_selected)
				continue;
			if (suite->is_list)
				printf("%s\n", entry->name);
			else
				costgrind_bench_count_(suite, entry);
		}
	} else {
		costgrind_bench_time_(suite);
	}
	free(suite->entries);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "%s: cannot write to standard output\n", suite->program);
		suite->status = 1;
	}
	return suite->status;
}

#endif
