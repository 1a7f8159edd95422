/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	dataobjects SCENE
 *
 * Misses on data whose number follows by hand, with lines of 64 bytes and a D1 of 4 KiB.
 */
#define _GNU_SOURCE /* mremap() */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "tool/costgrind.h"
#include <valgrind/valgrind.h>

#define APART __attribute__((noinline, noclone))

enum { N = 1024 };

struct node {
	struct node *next;
	long filler[6];
	long key; /* at 56 */
};

static volatile long sink;

/* --- a list, each node a line --- */

static APART struct node *make_node(struct node *next)
{
	struct node *node = aligned_alloc(64, sizeof(*node));

	node->next = next;
	node->key = 1;
	return node;
}

static APART long walk(const struct node *node)
{
	long sum = 0;

	for (; node != NULL; node = node->next)
		sum += (long)(node->next != NULL);
	return sum;
}

static APART long add_keys(const struct node *const *nodes)
{
	long sum = 0;

	for (int i = 0; i < N; i++)
		sum += nodes[i]->key;
	return sum;
}

static const struct node *by_number[N] __attribute__((aligned(64)));

static void list(void)
{
	struct node *first = NULL;

	for (int i = 0; i < N; i++)
		by_number[i] = first = make_node(first);
	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	sink = walk(first);
	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	sink = add_keys(by_number);
}

/* --- an array of structs, and a struct of arrays --- */

static APART double add_every(const double *values, int n, int step)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += values[i * step];
	return sum;
}

static APART double *array_of_structs(void)
{
	return calloc(N + 1, 64);
}

static APART double *struct_of_arrays(void)
{
	return calloc(N + 8, sizeof(double));
}

/* The first byte of a line. */
static double *aligned(double *values)
{
	return (double *)(((uintptr_t)values + 63) & ~(uintptr_t)63);
}

static void arrays(void)
{
	double *structs = array_of_structs(), *plain = struct_of_arrays();

	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	sink = (long)add_every(aligned(structs), N, 8);
	sink = (long)add_every(aligned(plain), N, 1);
}

/* --- variables, and the stack --- */

static char table[64 * N] __attribute__((aligned(64)));
static char other_table[64 * N] __attribute__((aligned(64)));

static APART long read_lines(const char *lines, int n)
{
	long sum = 0;

	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	for (int i = 0; i < n; i++)
		sum += ((const volatile char *)lines)[64 * i];
	return sum;
}

static APART void on_stack(void)
{
	char lines[64 * N] __attribute__((aligned(64)));

	__asm__ volatile("" : : "r"(lines) : "memory");
	sink = read_lines(lines, N);
}

static void variables(void)
{
	sink = read_lines(table, N);
	sink = read_lines(other_table, N / 2);
	on_stack();
}

/* --- blocks that change hands --- */

static APART char *first_owner(void)
{
	return malloc((size_t)64 * N);
}

static APART char *second_owner(void)
{
	return malloc((size_t)64 * N);
}

static APART void *release(void *block)
{
	free(block);
	return NULL;
}

static void reuse(void)
{
	pthread_t thread;
	char *block;

	/* What a thread needs, it has from then on. */
	pthread_create(&thread, NULL, release, NULL);
	pthread_join(thread, NULL);
	block = first_owner();
	sink = read_lines(block, N);
	pthread_create(&thread, NULL, release, block);
	pthread_join(thread, NULL);
	if (second_owner() != block)
		puts("not the same place");
	sink = read_lines(block, N / 2);
}

static APART char *grow(char *block, size_t size)
{
	return realloc(block, size);
}

static void moved(void)
{
	char *block = first_owner(), *behind = malloc(1000);

	block = grow(block, (size_t)128 * N);
	sink = read_lines((char *)(((uintptr_t)block + 63) & ~(uintptr_t)63), N);
	free(behind);
	free(block);
}

/* --- pools --- */

static char *pool, *pool_end;

APART char *pool_get(int kind, size_t size)
{
	char *got = pool;

	if (pool + size > pool_end)
		return NULL;
	pool += size;
	sink = kind;
	return got;
}

static APART char *of_pool(void)
{
	return pool_get(1, 64);
}

static APART char *requested(void)
{
	char *got = pool;

	pool += 64;
	VALGRIND_MALLOCLIKE_BLOCK(got, 64, 0, 0);
	return got;
}

static void pools(void)
{
	char *block = first_owner(), *lines[N / 2];

	pool = block;
	pool_end = block + (size_t)64 * N;
	for (int i = 0; i < N / 4; i++) {
		lines[2 * i] = of_pool();
		lines[2 * i + 1] = requested();
	}
	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	for (int i = 0; i < N / 2; i++)
		sink = *(volatile char *)lines[i];
	VALGRIND_FREELIKE_BLOCK(lines[1], 0);
	COSTGRIND_EVICT(lines[1], 64);
	sink = *(volatile char *)lines[1]; /* the pool's again */
}

/* --- mappings --- */

static APART char *map(size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static APART char *remap(char *mapping, size_t size)
{
	return mremap(mapping, (size_t)64 * N, size, MREMAP_MAYMOVE);
}

static void mappings(void)
{
	char *mapping = map((size_t)64 * N);

	sink = read_lines(mapping, N);
	mapping = remap(mapping, (size_t)640 * N);
	sink = read_lines(mapping, N / 2);
	munmap(mapping, (size_t)640 * N);
}

/* --- constants --- */

static const char constants[64 * N] __attribute__((aligned(64))) = { 1 };
static const char more_constants[64 * N] __attribute__((aligned(64))) = { 2 };

static void read_constants(void)
{
	sink = read_lines(constants, N);
	sink = read_lines(more_constants, N / 2);
}

/* --- stacks of coroutines --- */

enum { STACK_SIZE = 256 * N };

static ucontext_t of_main, of_coroutine;

static APART void on_own_stack(void)
{
	char lines[64 * N] __attribute__((aligned(64)));

	__asm__ volatile("" : : "r"(lines) : "memory");
	swapcontext(&of_coroutine, &of_main);
	sink = read_lines(lines, N);
}

static void run_coroutine(char *stack)
{
	getcontext(&of_coroutine);
	of_coroutine.uc_stack = (stack_t){ .ss_sp = stack, .ss_size = STACK_SIZE };
	of_coroutine.uc_link = &of_main;
	makecontext(&of_coroutine, on_own_stack, 0);
	swapcontext(&of_main, &of_coroutine);
	swapcontext(&of_main, &of_coroutine);
}

static APART char *stack_of_heap(void)
{
	return malloc(STACK_SIZE);
}

static void coroutines(void)
{
	char *stack = stack_of_heap();

	run_coroutine(stack);
	free(stack);
	stack = map(STACK_SIZE);
	run_coroutine(stack);
	munmap(stack, STACK_SIZE);
}

/* --- a block that grows where it is --- */

static void grown(void)
{
	char *block = first_owner();

	if (grow(block, (size_t)96 * N) != block) /* nothing is after it */
		puts("not the same place");
	sink = read_lines(block, N + N / 2);
}

/* --- a child, and parts --- */

static APART long in_child(const char *lines)
{
	return read_lines(lines, N / 2);
}

static void children(void)
{
	const char *block = first_owner();
	pid_t child;

	sink = read_lines(block, N);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		sink = in_child(block);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void parts(void)
{
	const char *block = first_owner();

	sink = read_lines(block, N);
	COSTGRIND_DUMP("first");
	sink = read_lines(block, N / 2);
}

/* --- many --- */

static APART void *small(void)
{
	return malloc(24);
}

static void many(void)
{
	enum { BLOCKS = 200000 };
	void **blocks = calloc(BLOCKS, sizeof(*blocks));

	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = small();
	for (int i = 0; i < BLOCKS; i += 2)
		free(blocks[i]);
	free(blocks);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} scenes[] = {
		{ "list", list },
		{ "arrays", arrays },
		{ "variables", variables },
		{ "reuse", reuse },
		{ "moved", moved },
		{ "pools", pools },
		{ "children", children },
		{ "parts", parts },
		{ "many", many },
		{ "mappings", mappings },
		{ "constants", read_constants },
		{ "coroutines", coroutines },
		{ "grown", grown },
	};

	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		if (argc == 2 && strcmp(argv[1], scenes[i].name) == 0) {
			scenes[i].run();
			return 0;
		}
	return 2;
}
