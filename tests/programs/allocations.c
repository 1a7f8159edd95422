/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that are allocated and freed.  What each function allocates with all that it calls is said
 * after it: blocks, bytes, blocks freed (tests/tool/alloc/alloc_count.sh).
 */
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#define APART __attribute__((noinline, noclone))

static void *volatile kept;
static volatile size_t too_much = (size_t)1 << 60;

static APART void *leaf(size_t size) /* in all: 1 + 55 + 1 + 9 */
{
	void *block = malloc(size);

	kept = block;
	return block;
}

APART void simple(void) /* 1, 100, 1 */
{
	free(leaf(100));
	free(NULL);
}

APART void kinds(void) /* 5, 21 + 1000 + 128 + 64 + 4096, 5 */
{
	void *block = calloc(3, 7);

	free(block);
	if (posix_memalign(&block, 64, 1000) == 0)
		free(block);
	free(aligned_alloc(64, 128));
	free(memalign(32, 64));
	free(valloc(4096));
}

APART void reallocations(void) /* 4, 5 + 50 + 500 + 0 bytes of reallocarray: 120, 4 */
{
	void *block = realloc(NULL, 5);

	block = realloc(block, 50);
	block = realloc(block, 500);
	block = reallocarray(block, 10, 12);
	kept = realloc(block, 0); /* frees it */
}

APART void failures(void) /* 1, 8, 1 */
{
	void *block = malloc(8);

	kept = realloc(block, too_much); /* the old block stays */
	free(block);
	kept = malloc(too_much);
	kept = calloc(too_much, 1024);
	if (posix_memalign((void **)&kept, 3, 10) == 0)
		abort();
}

APART void nothing(void) /* 1, 0, 1 */
{
	void *block = malloc(0);

	kept = block;
	free(block);
}

APART int recursion(int n) /* 10, 55, 10 */
{
	void *block = leaf((size_t)n);
	int below = n == 1 ? 0 : recursion(n - 1);

	free(block);
	return below + 1;
}

APART void *tail(size_t size) /* 1, 30: by a jump to malloc() */
{
	return malloc(size);
}

APART void tails(void) /* 1, 30, 1 */
{
	void *block = tail(30);

	kept = block;
	free(block);
}

static sigjmp_buf out;

static APART void jump(void) /* 1, 40: what it calls is left, that block is not */
{
	kept = malloc(40);
	siglongjmp(out, 1);
}

APART void jumps(void) /* 1, 40, 1 */
{
	if (sigsetjmp(out, 1) == 0)
		jump();
	free(kept);
}

static void handler(int signal)
{
	(void)signal;
	kept = leaf(9);
}

APART void handlers(void) /* 0, 0, 1: the block is the handler's */
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	free(kept);
}

/* A thread frees what another one has allocated. */
static void *thread(void *block)
{
	free(block);
	return malloc(77);
}

/* Starting a thread allocates, too. */
APART void threads(void)
{
	pthread_t id;
	void *block = leaf(70);

	if (pthread_create(&id, NULL, thread, block) == 0 && pthread_join(id, &block) == 0)
		free(block);
}

static char arena[4096];
static size_t used;

/* An allocator of the program's own, which no list has. */
APART void *pool_take(int unused, size_t size)
{
	(void)unused;
	used += size;
	return used <= sizeof(arena) ? arena + (used - size) : NULL;
}

APART void pools(void) /* with --alloc-fn=pool_take:size=2: 2, 300; the third one fails */
{
	kept = pool_take(0, 100);
	kept = pool_take(0, 200);
	kept = pool_take(0, 5000);
}

static ucontext_t outside, inside;

/* Comes back to the stack that it has left. */
static void on_stack(void)
{
	kept = leaf(1);
	swapcontext(&inside, &outside);
	free(kept);
}

APART void stacks(void) /* nothing: what runs on the other stack, on_stack(), has 1, 1, 1 */
{
	static char room[65536];

	getcontext(&inside);
	inside.uc_stack.ss_sp = room;
	inside.uc_stack.ss_size = sizeof(room);
	inside.uc_link = &outside;
	makecontext(&inside, on_stack, 0);
	swapcontext(&outside, &inside);
	swapcontext(&outside, &inside);
}

int main(int argc, char **argv)
{
	(void)argv;
	simple();
	kinds();
	reallocations();
	nothing();
	recursion(10);
	tails();
	jumps();
	handlers();
	pools();
	stacks();
	if (argc == 1)
		failures();
	else
		threads();
	return 0;
}
