/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks that are taken a known number of times.  Between lock and unlock of some are WORK(n) instructions, and the
 * three that call unlock.
 */
#include <pthread.h>
#include <stdlib.h>

enum { N_THREADS = 4, ROUNDS = 20000 };

#define WORK(n) __asm__ volatile(".rept " #n "\n\tnop\n\t.endr")

static pthread_mutex_t many = PTHREAD_MUTEX_INITIALIZER, waited = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t nested, tried = PTHREAD_MUTEX_INITIALIZER, remade;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *take_many(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&many);
		WORK(100);
		pthread_mutex_unlock(&many);
	}
	return unused;
}

static void *try_it(void *unused)
{
	for (int i = 0; i < 10; i++)
		if (pthread_mutex_trylock(&tried) == 0)
			pthread_mutex_unlock(&tried);
	return unused;
}

static void *wait_for_it(void *unused)
{
	pthread_mutex_lock(&waited);
	while (!ready)
		pthread_cond_wait(&condition, &waited);
	pthread_mutex_unlock(&waited);
	return unused;
}

static void run(void *(*function)(void *), int n)
{
	pthread_t threads[N_THREADS];

	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, function, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static void nest(void)
{
	pthread_mutexattr_t recursive;

	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&nested, &recursive);
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&nested);
		pthread_mutex_lock(&nested);
		pthread_mutex_unlock(&nested);
		pthread_mutex_unlock(&nested);
	}
}

int main(void)
{
	pthread_mutex_t *in_heap = malloc(sizeof(*in_heap));
	pthread_t waiter;

	run(take_many, N_THREADS);
	nest();
	pthread_mutex_lock(&tried);
	run(try_it, 1);
	pthread_mutex_unlock(&tried);
	for (int i = 0; i < 3; i++) {
		pthread_rwlock_rdlock(&shared);
		pthread_rwlock_unlock(&shared);
	}
	pthread_rwlock_wrlock(&shared);
	pthread_rwlock_unlock(&shared);
	pthread_spin_init(&spin, 0);
	for (int i = 0; i < 7; i++) {
		pthread_spin_lock(&spin);
		WORK(1000);
		pthread_spin_unlock(&spin);
	}
	pthread_create(&waiter, NULL, wait_for_it, NULL);
	pthread_mutex_lock(&waited);
	ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&waited);
	pthread_join(waiter, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_init(&remade, NULL);
		pthread_mutex_lock(&remade);
		pthread_mutex_unlock(&remade);
		pthread_mutex_destroy(&remade);
	}
	pthread_mutex_init(in_heap, NULL);
	pthread_mutex_lock(in_heap);
	pthread_mutex_unlock(in_heap);
	free(in_heap);
	return 0;
}
