/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Caches and TLBs are measured by walks: each load's address is what the load before it has loaded, so a step takes a
 * whole latency, and the order is random, so no prefetcher knows the next line. A level shows as a step in the latency
 * over the size of what is walked through (Saavedra and Smith, "Measuring Cache and TLB Performance and Their Effect on
 * Benchmark Run Times", 1995). Walks are in huge pages, so that pages add nothing, and TLBs are what small pages add.
 *
 * Memory is measured with lines that were flushed, which does not depend on how large the last level is.  They are spread
 * over more than the rows of memory that are open at a time, as programs' walks do: in 4 MiB, a step takes two thirds of that.
 * That is more pages than a TLB holds, and the cost of those misses is known.
 */
#define _GNU_SOURCE
#include "cmds/machine/probes.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	HUGE_PAGE = 2 << 20,
	TRIALS = 5,
	STEPS = 100000, /* of a walk */
	LEAST_MIB = 96, /* of the large area, whatever is free */
	MOST_MIB = 1024,
	SMALL_PAGES = 16384,
	FLUSHED = 64 << 20,
	NEAR = 4 << 20, /* bytes that second TLBs reach, with pages of 4 KiB */
	CHAINS = 64,
};

/* Memory is at least this many times as far as the last level, if there is one. */
#define FARTHER 1.2

/* A load that is neither left out nor moved: of an address, there. */
#define LOAD(at) (*(char *const volatile *)(const void *)(at))

/* Makes the compiler forget what it knows about x. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* xorshift64* (Marsaglia, Vigna). */
static uint32_t random_below(uint64_t *state, uint32_t n)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * UINT64_C(2685821657736338717) >> 32) * n >> 32);
}

/* -- memory ------------------------------------------------------------------------------------ */

/* Aligned for huge pages, and there. */
static char *map(size_t size, int advice)
{
	char *at = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return NULL;
	/* What is before and after is never touched, and costs nothing. */
	at += HUGE_PAGE - (uintptr_t)at % HUGE_PAGE;
	madvise(at, size, advice);
	for (size_t i = 0; i < size; i += PAGE)
		at[i] = 1;
	return at;
}

/* The bytes that a file allows a container to have; SIZE_MAX if it names no number, or is not there. */
static size_t read_limit(const char *path)
{
	FILE *in = fopen(path, "r");
	char text[32] = "", *end = text;
	size_t limit = 0;

	if (in == NULL)
		return SIZE_MAX;
	if (fgets(text, sizeof(text), in) != NULL)
		limit = strtoull(text, &end, 10);
	fclose(in);
	return end == text ? SIZE_MAX : limit;
}

bool probes_init(struct probes *probes, const struct probe_hints *hints)
{
	/* Twice the last level, if a quarter of what is free is that much. */
	const size_t free_bytes = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	const size_t allowed = read_limit("/sys/fs/cgroup/memory.max");
	const size_t room = (free_bytes < allowed ? free_bytes : allowed) / 4;
	size_t size = 2 * hints->l3;

	size = size > room ? room : size;
	size = size >> 20 > MOST_MIB ? (size_t)MOST_MIB << 20 : size;
	size = size >> 20 < LEAST_MIB ? (size_t)LEAST_MIB << 20 : size;
	*probes = (struct probes){ .hints = *hints, .clock = 1 };
	probes->large_size = size / HUGE_PAGE * HUGE_PAGE;
	probes->small_size = (size_t)SMALL_PAGES * PAGE;
	probes->large = map(probes->large_size, MADV_HUGEPAGE);
	probes->small = map(probes->small_size, MADV_NOHUGEPAGE);
	probes->order = calloc(probes->large_size / hints->line, sizeof(*probes->order));
	return probes->large != NULL && probes->small != NULL && probes->order != NULL;
}

void probes_release(struct probes *probes)
{
	if (probes->large != NULL)
		munmap(probes->large, probes->large_size);
	if (probes->small != NULL)
		munmap(probes->small, probes->small_size);
	free(probes->order);
}

/* Takes lines out of all caches; false where a program cannot. */
static bool flush(const struct probes *probes, const char *area, size_t size)
{
#if defined(__x86_64__)
	for (size_t i = 0; i < size; i += probes->hints.line)
		__asm__ volatile("clflush (%0)" ::"r"(area + i) : "memory");
	__asm__ volatile("mfence" ::: "memory");
	return true;
#else
	(void)probes;
	(void)area;
	(void)size;
	return false;
#endif
}

/* -- the clock --------------------------------------------------------------------------------- */

double probe_clock(struct probes *probes)
{
	enum { TURNS = 20000, CHAIN = 32 };
	double best = 0;

	for (int trial = 0; trial < 4 * TRIALS; trial++) {
		const double began = now();
		uint64_t sum = 0, one = 1;
		double rate;

		OPAQUE(one);
		for (int turn = 0; turn < TURNS; turn++) {
#pragma GCC unroll 32
			for (int i = 0; i < CHAIN; i++) {
				/* Of two registers: one of a constant may be done away with when registers are renamed. */
				sum += one;
				OPAQUE(sum);
			}
		}
		rate = (double)TURNS * CHAIN / (now() - began);
		best = rate > best ? rate : best;
	}
	probes->clock = best;
	return best;
}

/* Cycles of each of n, of what began then. */
static double cycles_since(const struct probes *probes, double began, double n)
{
	return (now() - began) * probes->clock / n;
}

/* -- walks ------------------------------------------------------------------------------------- */

/* Where the place of a walk with this number is. */
struct places {
	char *area;
	size_t stride; /* bytes between two */
	size_t skew;   /* bytes more of each, below a page: one line a page would be one set */
};

static char *place_of(const struct places *places, size_t i)
{
	return places->area + i * places->stride + i * places->skew % PAGE;
}

/* Has each of n places point to another one, all in one round: in random order. */
static void link_randomly(struct probes *probes, const struct places *places, size_t n)
{
	uint32_t *const order = probes->order;
	uint64_t state = 88172645463325252;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	for (size_t i = n - 1; i > 0; i--) {
		const uint32_t other = random_below(&state, (uint32_t)i + 1);
		const uint32_t kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
	for (size_t i = 0; i < n; i++)
		*(char **)(void *)place_of(places, order[i]) =
			place_of(places, order[i + 1 < n ? i + 1 : 0]);
}

/* Goes on from *at. */
static double walk(const struct probes *probes, char **at, size_t steps)
{
	const double began = now();
	char *here = *at;

	for (size_t i = 0; i < steps; i += 8) {
#pragma GCC unroll 8
		for (int k = 0; k < 8; k++)
			here = LOAD(here);
	}
	*at = here;
	return cycles_since(probes, began, (double)steps);
}

/* The fastest of some walks through n places, which are linked here; the first one brings them. */
static double fastest_walk(struct probes *probes, const struct places *places, size_t n)
{
	char *at = places->area;
	double best = INFINITY;

	link_randomly(probes, places, n);
	walk(probes, &at, n);
	for (int trial = 0; trial < TRIALS; trial++)
		best = smaller(best, walk(probes, &at, STEPS));
	return best;
}

double probe_chase(struct probes *probes, size_t size)
{
	const size_t line = probes->hints.line;

	size = size > probes->large_size ? probes->large_size : size;
	return fastest_walk(probes, &(struct places){ probes->large, line, 0 }, size / line);
}

double probe_memory(struct probes *probes, double second_tlb, double page_walk)
{
	const size_t line = probes->hints.line;
	/* The part of these pages that the second TLB has. */
	const double near = smaller(1, (double)probes->hints.stlb / SMALL_PAGES);
	double best = INFINITY;
	char *at = probes->small;

	link_randomly(probes, &(struct places){ probes->small, line, 0 },
		      probes->small_size / line);
	for (int trial = 0; trial < TRIALS; trial++) {
		if (!flush(probes, probes->small, probes->small_size))
			return NAN;
		best = smaller(best, walk(probes, &at, STEPS));
	}
	return isnan(page_walk) ? best : best - near * second_tlb - (1 - near) * page_walk;
}

double probe_line(struct probes *probes)
{
	/*
	 * As many places as five eighths of L1D have pieces, each two pieces after the previous one, and one
	 * more in each second page, so that all sets are used: they fit if a line is no larger than a piece.
	 */
	const double near = probe_chase(probes, probes->hints.l1d / 2);

	for (size_t piece = 16; piece <= 512; piece *= 2) {
		const size_t n = probes->hints.l1d * 5 / 8 / piece;
		uint32_t *const order = probes->order;
		char *at = probes->large;
		double best = INFINITY;
		uint64_t state = 1;

		for (size_t i = 0; i < n; i++)
			order[i] = (uint32_t)(i * 2 * piece + i * 2 * piece / PAGE % 2 * piece);
		for (size_t i = n - 1; i > 1; i--) {
			const uint32_t other = 1 + random_below(&state, (uint32_t)i),
				       kept = order[i];

			order[i] = order[other];
			order[other] = kept;
		}
		for (size_t i = 0; i < n; i++)
			*(char **)(void *)(probes->large + order[i]) =
				probes->large + order[i + 1 < n ? i + 1 : 0];
		for (int trial = 0; trial < TRIALS; trial++)
			best = smaller(best, walk(probes, &at, STEPS));
		if (best < 1.2 * near)
			return (double)piece;
	}
	return NAN;
}

double probe_level_size(struct probes *probes, size_t claimed, double near, double far)
{
	/* Steps of an eighth: from a quarter of what is claimed to twice that. The first size beyond is one with a third of the step. */
	const size_t step = claimed / 8;

	for (size_t size = claimed / 4; size <= 2 * claimed; size += step)
		if (probe_chase(probes, size) > near + (far - near) / 3)
			return (double)(size - step);
	return NAN;
}

double probe_l1d_ways(struct probes *probes)
{
	/* The first lines of all pages share a set, in caches indexed by the offset in a page, as on all x86. */
	const double near = probe_chase(probes, probes->hints.l1d / 2);

	for (size_t n = 2; n <= 64; n++)
		if (fastest_walk(probes, &(struct places){ probes->large, PAGE, 0 }, n) >
		    1.3 * near)
			return (double)(n - 1);
	return NAN;
}

double probe_last_level(struct probes *probes, double memory, double *last)
{
	enum { MOST = 32 };
	const size_t first = 2 * probes->hints.l2;
	double took[MOST], sizes[MOST], near = INFINITY, far, most = 0;
	size_t n = 0, walked;

	*last = probe_chase(probes, first);
	/*
	 * By streams, not by walks: where a hypervisor backs huge pages with small ones, a walk of more than the second TLB reaches takes
	 * as long as memory, whatever L3 holds.  A stream through less than there is hits; of a larger one, the part that hits follows from
	 * its time.  What there is, is the most that has hit, of any size.
	 */
	far = probe_stream_within(probes, probes->large_size);
	for (size_t size = first; size <= probes->large_size && n < MOST; size += size / 3) {
		sizes[n] = (double)size;
		took[n] = probe_stream_within(probes, size);
		near = smaller(near, took[n]);
		n++;
	}
	if (memory < FARTHER * *last || far < FARTHER * near) {
		*last = memory < FARTHER * *last ? NAN : *last;
		return NAN;
	}
	for (size_t i = 0; i < n; i++) {
		const double hit = (far - took[i]) / (far - near) * sizes[i];

		most = hit > most ? hit : most;
	}
	most = smaller(most, (double)probes->hints.l3);
	/* A quarter of it: little of that is in L2, and neighbors take little. But no more than the second TLB reaches. */
	walked = (size_t)smaller(most / 4, probes->hints.stlb == 0
						   ? most
						   : 0.75 * PAGE * (double)probes->hints.stlb);
	if (walked > first) {
		const double larger = probe_chase(probes, walked);

		/* Where neighbors take the lines meanwhile, it is memory's. */
		*last = larger * FARTHER < memory ? larger : *last;
	}
	return most;
}

/* -- pages ------------------------------------------------------------------------------------- */

double probe_pages(struct probes *probes, size_t n_pages)
{
	const struct places sparse = { probes->small, PAGE, probes->hints.line };
	const struct places dense = { probes->large, probes->hints.line, 0 };

	n_pages = n_pages > SMALL_PAGES ? SMALL_PAGES : n_pages;
	return fastest_walk(probes, &sparse, n_pages) - fastest_walk(probes, &dense, n_pages);
}

double probe_tlb_reach(struct probes *probes, size_t from, size_t to, double least)
{
	size_t reach = 0;

	for (size_t n = from; n <= to; n += n / 8 > 0 ? n / 8 : 1) {
		if (probe_pages(probes, n) > least)
			return reach != 0 ? (double)reach : NAN;
		reach = n;
	}
	return NAN;
}

/* -- transfers, and misses at a time ------------------------------------------------------------ */

/*
 * Reads all of each line of n streams, a line of each in turn; part: bytes of each. Returns cycles a line.  By 16 bytes: words
 * of 8 would take four cycles a line where two are loaded at a time, more than some L2 takes.
 */
static double read_streams(const struct probes *probes, unsigned n, size_t part)
{
	typedef uint64_t words __attribute__((vector_size(16)));
	const size_t line = probes->hints.line;
	const double began = now();
	size_t n_lines;

	for (size_t at = 0; at < part; at += line)
		for (unsigned stream = 0; stream < n; stream++) {
			/* (A sum of them would take a cycle for each.) */
			const volatile words *all =
				(const void *)(probes->large + stream * part + at);

			for (size_t i = 0; i < line / sizeof(*all); i += 4) {
#pragma GCC unroll 4
				for (size_t k = 0; k < 4; k++)
					(void)all[i + k];
			}
		}
	n_lines = part / line * n;
	return cycles_since(probes, began, (double)n_lines);
}

double probe_streams(struct probes *probes, unsigned n)
{
	const size_t line = probes->hints.line;
	double best = INFINITY;

	/* All of the area, which is more than the last level holds; flushed lines would come more slowly than others. */
	for (int trial = 0; trial < TRIALS; trial++)
		best = smaller(best, read_streams(probes, n, probes->large_size / n / line * line));
	return best;
}

double probe_stream_within(struct probes *probes, size_t size)
{
	double best = INFINITY;

	/* (The first one brings it.) */
	for (int trial = 0; trial < TRIALS + (size < (size_t)LEAST_MIB << 18 ? 7 * TRIALS : 0);
	     trial++)
		best = smaller(best, read_streams(probes, 1, size));
	return best;
}

double probe_parallel_misses(struct probes *probes)
{
	const size_t line = probes->hints.line, n_lines = FLUSHED / line;
	double best = INFINITY, latency = INFINITY;

	link_randomly(probes, &(struct places){ probes->large, line, 0 }, n_lines);
	/* That many walks at a time, each through a part of the round. */
	for (unsigned n = 1; n <= CHAINS; n += n > 1 ? n / 2 : 1) {
		const size_t steps = STEPS / n;
		char *at[CHAINS];

		for (int trial = 0; trial < 2; trial++) {
			double began;

			for (unsigned k = 0; k < n; k++)
				at[k] = place_of(&(struct places){ probes->large, line, 0 },
						 probes->order[k * (n_lines / n)]);
			if (!flush(probes, probes->large, FLUSHED))
				return NAN;
			began = now();
			for (size_t i = 0; i < steps; i++)
				for (unsigned k = 0; k < n; k++)
					at[k] = LOAD(at[k]);
			best = smaller(best, cycles_since(probes, began, (double)(steps * n)));
			latency = n == 1 ? best : latency;
		}
	}
	return latency / best;
}

/* Loads that do not wait for each other, of every stride-th byte of the area's beginning, in random order. */
static double load_apart(struct probes *probes, size_t size, size_t stride)
{
	const size_t n = size / stride;
	double best = INFINITY;

	link_randomly(probes, &(struct places){ probes->large, stride, 0 }, n);
	for (int trial = 0; trial < TRIALS; trial++) {
		const double began = now();
		uint64_t sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += *(volatile unsigned char *)(probes->large +
							   (size_t)probes->order[i] * stride);
		OPAQUE(sum);
		/* (The first one brings them.) */
		if (trial > 0)
			best = smaller(best, cycles_since(probes, began, (double)n));
	}
	return best;
}

double probe_same_set(struct probes *probes, size_t size, double *others)
{
	size = size > probes->large_size ? probes->large_size : size;
	*others = load_apart(probes, size, probes->hints.line);
	return load_apart(probes, size, PAGE);
}

double probe_ordered(struct probes *probes, size_t size, size_t stride, bool is_flushed)
{
	const size_t line = probes->hints.line * stride, n = size / line;
	double best = INFINITY;

	for (size_t i = 0; i < n; i++)
		*(char **)(void *)(probes->large + i * line) =
			probes->large + (i + 1 < n ? i + 1 : 0) * line;
	for (int trial = 0; trial < TRIALS; trial++) {
		char *at = probes->large;

		if (is_flushed && !flush(probes, probes->large, size))
			return NAN;
		best = smaller(best, walk(probes, &at, n / 8 * 8));
	}
	return best;
}

double probe_pair(struct probes *probes, double memory)
{
	const size_t line = probes->hints.line, n = NEAR / (2 * line);
	const struct places pairs = { probes->large, 2 * line, 0 };
	double best = INFINITY;

	/* From the first line of a pair to its second one, and from there to the next pair. */
	link_randomly(probes, &pairs, n);
	for (size_t i = 0; i < n; i++) {
		char *const first = place_of(&pairs, i), *const next = *(char **)(void *)first;

		*(char **)(void *)first = first + line;
		*(char **)(void *)(first + line) = next;
	}
	for (int trial = 0; trial < TRIALS; trial++) {
		char *at = probes->large;

		if (!flush(probes, probes->large, NEAR))
			return NAN;
		best = smaller(best, walk(probes, &at, NEAR / line));
	}
	return 2 * best - memory;
}

/* -- the core ---------------------------------------------------------------------------------- */

/*
 * A branch for each bit, taken if it is set; what it jumps over does nothing. Bits come from a register, so that
 * no branch waits for a load.
 */
static double branches(const struct probes *probes, const uint64_t *words, size_t n)
{
	double best = INFINITY;

	for (int trial = 0; trial < TRIALS; trial++) {
		const double began = now();
		uint64_t sum = 0;

		for (size_t i = 0; i < n; i++) {
			uint64_t word = words[i];

			for (int k = 0; k < 64; k++) {
				if (word & 1) {
					/* (No conditional move instead.) */
					__asm__ volatile("" ::: "memory");
					sum += 3;
				}
				word >>= 1;
			}
		}
		OPAQUE(sum);
		best = smaller(best, cycles_since(probes, began, 64.0 * (double)n));
	}
	return best;
}

double probe_mispredict(struct probes *probes)
{
	enum { WORDS = 1 << 14 };
	uint64_t *const words = (void *)probes->large;
	double known, random;
	uint64_t state = 1;

	memset(words, 0, WORDS * sizeof(*words));
	known = branches(probes, words, WORDS);
	memset(words, 0xff, WORDS * sizeof(*words));
	known = (known + branches(probes, words, WORDS)) / 2;
	for (size_t i = 0; i < WORDS; i++)
		words[i] = (uint64_t)random_below(&state, UINT32_MAX) << 32 |
			   random_below(&state, UINT32_MAX);
	random = branches(probes, words, WORDS);
	/* Every other one is mispredicted; shift and branch take a cycle each until that is known. */
	return 2 * (random - known) - 2;
}

double probe_forward(struct probes *probes, bool is_same_place)
{
	/* Additions between hide that a processor stores but once or twice a cycle. */
	enum { PLACES = 64, BETWEEN = 8 };
	double best = INFINITY;
	uint64_t one = 1;

	OPAQUE(one);

	for (int trial = 0; trial < TRIALS; trial++) {
		const double began = now();
		uint64_t value = 1;

		for (int i = 0; i < STEPS; i += 8) {
			/* Either always the same, or by two registers that do not show that they are the same. */
			char *to = probes->large + (is_same_place ? 0 : i % PLACES * 8), *from = to;

			OPAQUE(to);
			from = is_same_place ? to : from;
			if (!is_same_place)
				OPAQUE(from);
#pragma GCC unroll 8
			for (int k = 0; k < 8; k++) {
				*(volatile uint64_t *)(void *)(to + (size_t)64 * k) = value;
				value = *(volatile uint64_t *)(void *)(from + (size_t)64 * k);
#pragma GCC unroll 8
				for (int add = 0; add < BETWEEN; add++) {
					value += one;
					OPAQUE(value);
				}
			}
		}
		OPAQUE(value);
		best = smaller(best, cycles_since(probes, began, STEPS));
	}
	return best > BETWEEN ? best - BETWEEN : 0;
}

#if defined(__x86_64__)

enum { APART = 32, CODE_SIZE = 1 << 17, RETURN = 0xc3 };

/* A jump or call (E9, E8), or the last bytes of a conditional one (0F 85), from here to there. */
static void put_transfer(unsigned char *code, size_t at, unsigned char opcode, size_t to)
{
	const int32_t distance = (int32_t)to - (int32_t)(at + 5);

	code[at] = opcode;
	memcpy(code + at + 1, &distance, sizeof(distance));
}

/* Calls code that ends there, n of something, after it was made to go round rdi times. */
static double run_code(const struct probes *probes, unsigned char *code, size_t end, unsigned n)
{
	static const unsigned char decrement[] = { 0x48, 0xff, 0xcf, 0x0f }; /* dec %rdi; jnz */
	void (*function)(uint64_t);
	double best = INFINITY;
	uint64_t turns;

	assert(n > 0);
	turns = STEPS / n;
	memcpy(code + end, decrement, sizeof(decrement));
	put_transfer(code, end + sizeof(decrement), 0x85, 0);
	code[end + sizeof(decrement) + 5] = RETURN;
	if (mprotect(code, CODE_SIZE, PROT_READ | PROT_EXEC) != 0)
		return NAN;
	memcpy(&function, &code, sizeof(function));
	for (int trial = 0; trial < TRIALS; trial++) {
		const double began = now();

		function(turns);
		best = smaller(best, cycles_since(probes, began, (double)(turns * n)));
	}
	return best;
}

/* NULL if there is no memory. */
static unsigned char *map_code(void)
{
	unsigned char *code =
		mmap(NULL, CODE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return code == MAP_FAILED ? NULL : code;
}

double probe_jumps(struct probes *probes, unsigned n)
{
	unsigned char *code = map_code();
	double result;

	if (code == NULL)
		return NAN;
	for (unsigned i = 0; i < n; i++)
		put_transfer(code, (size_t)i * APART, 0xe9, (size_t)(i + 1) * APART);
	result = run_code(probes, code, (size_t)n * APART, n);
	munmap(code, CODE_SIZE);
	return result;
}

double probe_call(struct probes *probes)
{
	enum { CALLS = 32, FUNCTIONS = CODE_SIZE / 2 };
	unsigned char *code = map_code();
	double result;

	if (code == NULL)
		return NAN;
	for (unsigned i = 0; i < CALLS; i++) {
		code[FUNCTIONS + (size_t)i * APART] = RETURN;
		put_transfer(code, (size_t)i * 5, 0xe8, FUNCTIONS + (size_t)i * APART);
	}
	result = run_code(probes, code, (size_t)CALLS * 5, CALLS) / 2;
	munmap(code, CODE_SIZE);
	return result;
}

#else

double probe_jumps(struct probes *probes, unsigned n)
{
	(void)probes;
	(void)n;
	return NAN;
}

double probe_call(struct probes *probes)
{
	(void)probes;
	return NAN;
}

#endif
