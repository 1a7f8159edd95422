/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A struct env that keeps what is written in memory, counts what is allocated
 * and fails on demand.
 *
 *	struct test_env t;
 *
 *	test_env_init(&t);
 *	t.fail_alloc = 2;		second allocation gives NULL
 *	out_init(&out, &t.env);
 *	...
 *	CHECK_STR(t.text, "...");
 *	CHECK(test_env_release(&t));	nothing leaked, nothing written after a failure
 */
#ifndef TESTS_COMMON_TEST_ENV_H
#define TESTS_COMMON_TEST_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "writer/out.h"

enum {
	TEST_ENV_ENOSPC = 28, /* what a failing write returns */
};

#define TEST_ENV_NEVER SIZE_MAX

/* Invariant: text has len bytes and a NUL after them. */
struct test_env {
	struct env env; /* ctx is this struct: it must not be moved */
	char *text;     /* owned; what has been written */
	size_t len;
	size_t capacity;
	size_t n_allocs;   /* so far, failed ones too */
	size_t n_live;     /* given and not yet given back */
	size_t n_writes;   /* so far */
	size_t fail_alloc; /* 1 is the first; 0 = none */
	size_t disk_size;  /* bytes that can be written; TEST_ENV_NEVER = no end */
	bool failed;       /* a write has failed */
	bool wrote_after_failure;
};

static inline void *test_env_alloc(void *ctx, size_t size)
{
	struct test_env *t = ctx;
	void *memory;

	if (++t->n_allocs == t->fail_alloc)
		return NULL;
	memory = malloc(size);
	if (!memory)
		return NULL;
	memset(memory, 0xa5, size); /* nobody may count on zeros */
	t->n_live++;
	return memory;
}

static inline void test_env_free(void *ctx, void *memory)
{
	struct test_env *t = ctx;

	t->n_live -= memory != NULL;
	free(memory);
}

/* Like a full disk, takes what still fits and fails at the rest. */
static inline int test_env_write(void *ctx, const void *data, size_t len)
{
	struct test_env *t = ctx;
	bool full = len > t->disk_size - t->len;
	size_t fits = full ? t->disk_size - t->len : len;

	t->n_writes++;
	t->wrote_after_failure |= t->failed;
	if (t->len + fits + 1 > t->capacity) {
		t->capacity = 2 * (t->len + fits + 1);
		t->text = realloc(t->text, t->capacity);
		if (!t->text)
			abort();
	}
	memcpy(t->text + t->len, data, fits);
	t->len += fits;
	t->text[t->len] = '\0';
	t->failed |= full;
	return full ? TEST_ENV_ENOSPC : 0;
}

static inline void test_env_init(struct test_env *t)
{
	*t = (struct test_env){
		.env = { test_env_alloc, test_env_free, test_env_write, t },
		.text = calloc(1, 1),
		.capacity = 1,
		.disk_size = TEST_ENV_NEVER,
	};
	if (!t->text)
		abort();
}

/* Frees the text.  Returns whether all else had been given back, and no write followed a failure.
 */
static inline bool test_env_release(struct test_env *t)
{
	free(t->text);
	t->text = NULL;
	return t->n_live == 0 && !t->wrote_after_failure;
}

#endif
