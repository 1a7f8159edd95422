/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls and hardly anything else: recursion, chains of small functions, calls
 * through pointers, calls in the last place (which become jumps) and two
 * functions that call each other.  A profiler that does something at each call
 * and return does most of it here.
 */
#include "tests/bench/bench.h"

enum {
	FIBONACCI = 35,
	DEPTH = 2000,
	DESCENTS = 5000,
	CHAINS = 4000000,
	INDIRECT = 16000000,
	CHOICES = 1024,
	JUMPS = 7000,
};

NOINLINE static uint64_t fibonacci(unsigned int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

NOINLINE static uint64_t descend(unsigned int depth, uint64_t x)
{
	return depth ? descend(depth - 1, x) * 3 + depth : x;
}

NOINLINE static uint64_t is_odd(unsigned int n);

NOINLINE static uint64_t is_even(unsigned int n)
{
	return n == 0 ? 1 : is_odd(n - 1);
}

NOINLINE static uint64_t is_odd(unsigned int n)
{
	return n == 0 ? 0 : is_even(n - 1);
}

NOINLINE static uint64_t chain_end(uint64_t x)
{
	return x ^ x >> 7;
}

NOINLINE static uint64_t chain_third(uint64_t x)
{
	return chain_end(x + 3) + 1;
}

NOINLINE static uint64_t chain_second(uint64_t x)
{
	return chain_third(x * 5) + chain_end(x);
}

NOINLINE static uint64_t chain_first(uint64_t x)
{
	return chain_second(x) ^ chain_third(x);
}

NOINLINE static uint64_t plus_one(uint64_t x)
{
	return x + 1;
}

NOINLINE static uint64_t times_five(uint64_t x)
{
	return x * 5;
}

NOINLINE static uint64_t rotated(uint64_t x)
{
	return x << 13 | x >> 51;
}

NOINLINE static uint64_t inverted(uint64_t x)
{
	return ~x;
}

typedef uint64_t operation(uint64_t x);

/* A pattern that a table of targets by places and history cannot hold. */
static uint64_t run_indirect(uint64_t sum)
{
	static operation *const operations[] = { plus_one, times_five, rotated, inverted };
	unsigned char choices[CHOICES];
	uint64_t seed = 19;

	for (size_t i = 0; i < CHOICES; i++)
		choices[i] = (unsigned char)random_below(&seed, 4);
	for (size_t i = 0; i < INDIRECT; i++)
		sum = operations[choices[i % CHOICES]](sum);
	return sum;
}

int main(void)
{
	uint64_t sum = 0;

	sum = checksum_add(sum, fibonacci(FIBONACCI));
	for (int i = 0; i < DESCENTS; i++)
		sum = descend(DEPTH, sum);
	for (uint32_t i = 0; i < JUMPS; i++)
		sum = checksum_add(sum, is_even(i));
	for (int i = 0; i < CHAINS; i++)
		sum += chain_first(sum);
	sum = run_indirect(sum);
	return report("calls", sum);
}
