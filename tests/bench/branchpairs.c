/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branchpairs: kernels in two variants, whose only difference is whether their branches can be predicted: the same code
 * on the same amount of data, in another order.
 *
 *	branchpairs				the names of the kernels
 *	branchpairs KERNEL steady|random ROUNDS
 *						runs kernel_...() so often, and prints the time of a round
 *						in nanoseconds and a sum
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 4096 };

static uint32_t data[N];
static uint32_t table[256];
static uint64_t state = 88172645463325252U;

static uint32_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32);
}

/* 0 .. n - 1: random, or again and again the same short list. */
static void fill(int is_random, uint32_t n)
{
	for (uint32_t i = 0; i < N; i++)
		data[i] = is_random ? draw() % n : i % 4 * (n - 1) / 3;
}

/* Those of a random filling, sorted. */
static int ascending(const void *a, const void *b)
{
	const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

static void fill_sorted(int is_random, uint32_t n)
{
	fill(1, n);
	if (!is_random)
		qsort(data, N, sizeof(data[0]), ascending);
}

/* Keeps the compiler from doing both and choosing. */
static inline void here(void)
{
	__asm__ volatile("" ::: "memory");
}

/* Adds up what is small. */
static uint64_t kernel_filter(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < N; i++)
		if (data[i] < 128) {
			here();
			sum += data[i];
		}
	return sum;
}

/* Counts what is on either side of a pivot. */
static uint64_t kernel_partition(void)
{
	uint32_t low = 0, high = 0;

	for (uint32_t i = 0; i < N; i++)
		if (data[i] < 100) {
			here();
			low++;
		} else {
			here();
			high += 3;
		}
	return low + (uint64_t)high;
}

/* Four cases by a chain of comparisons. */
static uint64_t kernel_chain(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < N; i++) {
		if (data[i] < 64) {
			here();
			sum += 1;
		} else if (data[i] < 128) {
			here();
			sum += 3;
		} else if (data[i] < 192) {
			here();
			sum ^= 5;
		} else {
			here();
			sum -= 7;
		}
	}
	return sum;
}

/* A table of jumps. */
static uint64_t kernel_switch(void)
{
	uint64_t sum = 1;

	for (uint32_t i = 0; i < N; i++)
		switch (data[i]) {
		case 0:
			sum += 3;
			break;
		case 1:
			sum ^= 0x55;
			break;
		case 2:
			sum = sum << 1 | sum >> 63;
			break;
		case 3:
			sum -= 11;
			break;
		case 4:
			sum ^= sum >> 3;
			break;
		case 5:
			sum += i;
			break;
		case 6:
			sum = ~sum;
			break;
		default:
			sum *= 3;
			break;
		}
	return sum;
}

static __attribute__((noinline)) uint64_t add_one(uint64_t x)
{
	return x + 1;
}

static __attribute__((noinline)) uint64_t add_two(uint64_t x)
{
	return x + 2;
}

static __attribute__((noinline)) uint64_t flip(uint64_t x)
{
	return x ^ 0x33;
}

static __attribute__((noinline)) uint64_t half(uint64_t x)
{
	return x - (x >> 1);
}

/* Calls by pointers. */
static uint64_t kernel_pointers(void)
{
	static uint64_t (*const functions[4])(uint64_t) = { add_one, add_two, flip, half };
	uint64_t sum = 1;

	for (uint32_t i = 0; i < N; i++)
		sum = functions[data[i]](sum);
	return sum;
}

/* Short loops, of four turns on the average. */
static uint64_t kernel_turns(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < N; i++)
		for (uint32_t turn = 0; turn <= data[i]; turn++) {
			here();
			sum += turn;
		}
	return sum;
}

/* Binary search in 256 numbers. */
static uint64_t kernel_search(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < N; i++) {
		uint32_t low = 0, high = 256;

		while (high - low > 1) {
			const uint32_t middle = (low + high) / 2;

			if (table[middle] <= data[i]) {
				here();
				low = middle;
			} else {
				here();
				high = middle;
			}
		}
		sum += low;
	}
	return sum;
}

/* Two bits of each number, looked at one after the other. */
static uint64_t kernel_bits(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < N; i++) {
		if ((data[i] & 1) != 0) {
			here();
			sum += 2;
		}
		if ((data[i] & 2) != 0) {
			here();
			sum += 5;
		}
	}
	return sum;
}

/* Letters of words, until they differ. */
static uint64_t kernel_words(void)
{
	static const char word[9] = "aaaaaaab";
	uint64_t sum = 0;

	for (uint32_t i = 0; i < N; i++) {
		uint32_t at = 0;

		while (at < 8 && (at < data[i] ? 'a' : 'c') == word[at]) {
			here();
			at++;
		}
		sum += at;
	}
	return sum;
}

/* A state machine of two states. */
static uint64_t kernel_states(void)
{
	uint64_t sum = 0;
	int inside = 0;

	for (uint32_t i = 0; i < N; i++) {
		if (data[i] == 0) {
			here();
			inside = !inside;
		} else if (inside) {
			here();
			sum += data[i];
		} else {
			here();
			sum ^= 1;
		}
	}
	return sum;
}

static const struct kernel {
	const char *name;
	uint64_t (*run)(void);
	uint32_t n;    /* numbers are below that */
	int is_sorted; /* steady is sorted, not periodic */
} kernels[] = {
	{ "filter", kernel_filter, 256, 1 },   { "partition", kernel_partition, 200, 1 },
	{ "chain", kernel_chain, 256, 1 },     { "switch", kernel_switch, 8, 0 },
	{ "pointers", kernel_pointers, 4, 0 }, { "turns", kernel_turns, 7, 0 },
	{ "search", kernel_search, 256, 0 },   { "bits", kernel_bits, 4, 0 },
	{ "words", kernel_words, 8, 0 },       { "states", kernel_states, 2, 0 },
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void run(const struct kernel *kernel, int is_random, long rounds)
{
	uint64_t sum = 0;
	double best = 0;

	for (uint32_t i = 0; i < 256; i++)
		table[i] = i;
	for (long i = 0; i < rounds; i++) {
		double began, took;

		/* Anew: a processor learns 4,096 numbers by heart. */
		if (kernel->is_sorted)
			fill_sorted(is_random, kernel->n);
		else
			fill(is_random, kernel->n);
		began = now();
		sum += kernel->run();
		took = now() - began;
		if (i == 0 || took < best)
			best = took;
	}
	printf("%.0f %llu\n", best, (unsigned long long)sum);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		if (argc < 4)
			puts(kernels[i].name);
		else if (strcmp(argv[1], kernels[i].name) == 0) {
			run(&kernels[i], strcmp(argv[2], "random") == 0, strtol(argv[3], NULL, 10));
			return 0;
		}
	}
	return argc < 4 ? 0 : 2;
}
