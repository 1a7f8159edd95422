/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks of the POSIX threads library: who takes them where, and how much runs while they are held.
 *
 * A lock is held from when the function that took it has returned to when the one that releases it is entered, or waits
 * for a condition: what is executed in between does not depend on the turns of threads.  Functions that fail take
 * nothing.  A recursive mutex is taken by the outermost call.  Readers of a lock hold it each for itself.
 *
 * Calls by the library itself do not count: only the outermost of nested calls does.
 */
#include "tool/data/state.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/callhook.h"
#include "tool/calls/state.h"
#include "tool/symbols/symbol.h"

/* What a function does to the lock that is its first argument. */
enum lock_act {
	ACT_INIT, /* or destroys it: what follows is another lock */
	ACT_TAKE,
	ACT_TAKE_TO_READ,
	ACT_RELEASE,
	ACT_WAIT, /* the mutex is its second argument */
	ACT_NONE,
};

static const struct lock_function {
	const HChar *name;
	enum lock_act act;
	enum lock_kind kind;
} lock_functions[] = {
	{ "pthread_mutex_init", ACT_INIT, LOCK_MUTEX },
	{ "pthread_mutex_destroy", ACT_INIT, LOCK_MUTEX },
	{ "pthread_mutex_lock", ACT_TAKE, LOCK_MUTEX },
	{ "pthread_mutex_trylock", ACT_TAKE, LOCK_MUTEX },
	{ "pthread_mutex_timedlock", ACT_TAKE, LOCK_MUTEX },
	{ "pthread_mutex_clocklock", ACT_TAKE, LOCK_MUTEX },
	{ "pthread_mutex_unlock", ACT_RELEASE, LOCK_MUTEX },
	{ "pthread_cond_wait", ACT_WAIT, LOCK_MUTEX },
	{ "pthread_cond_timedwait", ACT_WAIT, LOCK_MUTEX },
	{ "pthread_cond_clockwait", ACT_WAIT, LOCK_MUTEX },
	{ "pthread_rwlock_init", ACT_INIT, LOCK_RWLOCK },
	{ "pthread_rwlock_destroy", ACT_INIT, LOCK_RWLOCK },
	{ "pthread_rwlock_rdlock", ACT_TAKE_TO_READ, LOCK_RWLOCK },
	{ "pthread_rwlock_tryrdlock", ACT_TAKE_TO_READ, LOCK_RWLOCK },
	{ "pthread_rwlock_timedrdlock", ACT_TAKE_TO_READ, LOCK_RWLOCK },
	{ "pthread_rwlock_clockrdlock", ACT_TAKE_TO_READ, LOCK_RWLOCK },
	{ "pthread_rwlock_wrlock", ACT_TAKE, LOCK_RWLOCK },
	{ "pthread_rwlock_trywrlock", ACT_TAKE, LOCK_RWLOCK },
	{ "pthread_rwlock_timedwrlock", ACT_TAKE, LOCK_RWLOCK },
	{ "pthread_rwlock_clockwrlock", ACT_TAKE, LOCK_RWLOCK },
	{ "pthread_rwlock_unlock", ACT_RELEASE, LOCK_RWLOCK },
	/* In glibc this is the same function as unlock. */
	{ "pthread_spin_init", ACT_RELEASE, LOCK_SPIN },
	{ "pthread_spin_destroy", ACT_INIT, LOCK_SPIN },
	{ "pthread_spin_lock", ACT_TAKE, LOCK_SPIN },
	{ "pthread_spin_trylock", ACT_TAKE, LOCK_SPIN },
	{ "pthread_spin_unlock", ACT_RELEASE, LOCK_SPIN },
};

enum {
	N_LOCK_FUNCTIONS = sizeof(lock_functions) / sizeof(lock_functions[0]),
	OWNER_DIED = 130, /* EOWNERDEAD: the mutex was taken all the same */
};

/* By a function's name, which may have underscores before it and a version after it. */
static const struct lock_function *function_of(const struct hooked_call *call)
{
	static const struct lock_function none = { "", ACT_NONE, LOCK_MUTEX };
	const HChar *name = call->function->name->chars;

	while (*name == '_')
		name++;
	for (UInt i = 0; i < N_LOCK_FUNCTIONS; i++) {
		const HChar *known = lock_functions[i].name;
		const SizeT len = VG_(strlen)(known);

		if (VG_(strncmp)(name, known, len) == 0 && (name[len] == '\0' || name[len] == '@'))
			return &lock_functions[i];
	}
	return &none;
}

/* --- holding ----------------------------------------------------------------------------- */

/* All that a thread has executed so far, whatever was set to zero. */
static ULong instructions_of(UInt number)
{
	ULong totals[N_EVENTS];

	thread_ever(threads_get(number), totals);
	return totals[EVENT_IR];
}

static struct lock_hold *find_hold(const struct lock *lock, UInt thread)
{
	for (UInt i = 0; i < lock->n_holds; i++)
		if (lock->holds[i].thread == thread)
			return &lock->holds[i];
	return NULL;
}

/* Adds what the holder has executed since the lock was taken or this was last called. */
static void charge(struct lock *lock, struct lock_hold *hold)
{
	struct lock_site *site = &lock->sites[hold->site];
	const ULong now = instructions_of(hold->thread);

	lock->held += now - hold->charged;
	site->held += now - hold->charged;
	hold->charged = now;
	if (now - hold->began > lock->longest)
		lock->longest = now - hold->began;
	if (now - hold->began > site->longest)
		site->longest = now - hold->began;
}

static void end_hold(struct lock *lock, struct lock_hold *hold)
{
	charge(lock, hold);
	*hold = lock->holds[--lock->n_holds];
}

/* The lock at an address, made if there is none. */
static struct lock *lock_at(Addr address, enum lock_kind kind)
{
	struct lock *lock = VG_(HT_lookup)(tool_data.locks.by_address, address);

	if (lock != NULL && lock->kind == kind)
		return lock;
	if (lock != NULL)
		VG_(HT_remove)(tool_data.locks.by_address, address);
	lock = VG_(calloc)("costgrind.lock", 1, sizeof(*lock));
	lock->key = address;
	lock->kind = kind;
	lock->object = data_object_at(address, &lock->offset);
	lock->older = tool_data.locks.last;
	tool_data.locks.last = lock;
	VG_(HT_add_node)(tool_data.locks.by_address, lock);
	return lock;
}

/* The number of the place that calls, among the lock's. */
static UInt site_of(struct lock *lock, Addr return_address)
{
	for (UInt i = 0; i < lock->n_sites; i++)
		if (lock->sites[i].return_address == return_address)
			return i;
	lock->sites = VG_(realloc)("costgrind.lock_sites", lock->sites,
				   (lock->n_sites + 1) * sizeof(lock->sites[0]));
	lock->sites[lock->n_sites] = (struct lock_site){ .return_address = return_address };
	/* The call is the instruction before. */
	symbols_lookup(&tool_symbols, return_address - 1, NULL, &lock->sites[lock->n_sites].place);
	return lock->n_sites++;
}

static void take(Addr address, const struct lock_function *function, const struct hooked_call *call)
{
	struct lock *lock = lock_at(address, function->kind);
	struct lock_hold *hold = find_hold(lock, call->thread);
	ULong now;

	if (hold != NULL) {
		hold->depth++;
		return;
	}
	lock->holds = VG_(realloc)("costgrind.lock_holds", lock->holds,
				   (lock->n_holds + 1) * sizeof(lock->holds[0]));
	now = instructions_of(call->thread);
	lock->holds[lock->n_holds++] = (struct lock_hold){
		.thread = call->thread,
		.depth = 1,
		.site = site_of(lock, call->return_address),
		.reads = function->act == ACT_TAKE_TO_READ,
		.began = now,
		.charged = now,
	};
	lock->n++;
	lock->sites[site_of(lock, call->return_address)].n++;
	if (lock->last_thread != 0 && lock->last_thread != call->thread)
		lock->n_changes++;
	lock->last_thread = call->thread;
}

static void release(Addr address, enum lock_kind kind, UInt thread)
{
	struct lock *lock = VG_(HT_lookup)(tool_data.locks.by_address, address);
	struct lock_hold *hold;

	if (lock == NULL || lock->kind != kind)
		return;
	hold = find_hold(lock, thread);
	/* Any thread may release a spin lock. */
	if (hold == NULL && kind == LOCK_SPIN && lock->n_holds != 0)
		hold = &lock->holds[0];
	if (hold != NULL && --hold->depth == 0)
		end_hold(lock, hold);
}

/* Another thread has the lock. */
static Bool is_taken(const struct lock *lock, const struct lock_function *function, UInt thread)
{
	for (UInt i = 0; i < lock->n_holds; i++)
		if (lock->holds[i].thread != thread &&
		    !(lock->holds[i].reads && function->act == ACT_TAKE_TO_READ))
			return True;
	return False;
}

/* --- calls ------------------------------------------------------------------------------- */

static void note_entered(const struct hooked_call *call, Bool is_outermost)
{
	const struct lock_function *function = function_of(call);
	struct lock *lock;

	if (!is_outermost)
		return;
	switch (function->act) {
	case ACT_INIT:
		VG_(HT_remove)(tool_data.locks.by_address, call->args[0]);
		break;
	case ACT_TAKE:
	case ACT_TAKE_TO_READ:
		lock = VG_(HT_lookup)(tool_data.locks.by_address, call->args[0]);
		if (lock != NULL && lock->kind == function->kind &&
		    is_taken(lock, function, call->thread))
			lock->n_taken++;
		break;
	case ACT_RELEASE:
		release(call->args[0], function->kind, call->thread);
		break;
	case ACT_WAIT:
		release(call->args[1], function->kind, call->thread);
		break;
	case ACT_NONE:
		break;
	}
}

static void note_returned(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	const struct lock_function *function = function_of(call);
	const Int error = (Int)result;

	if (!is_outermost)
		return;
	/* Who has waited has the mutex again, also when time ran out. */
	if (function->act == ACT_WAIT)
		take(call->args[1], function, call);
	else if ((function->act == ACT_TAKE || function->act == ACT_TAKE_TO_READ) &&
		 (error == 0 || error == OWNER_DIED))
		take(call->args[0], function, call);
}

void locks_start(void)
{
	static const struct call_hook hook = { note_entered, note_returned, NULL };
	static const HChar *const patterns[] = {
		"pthread_mutex_*",     "pthread_rwlock_*",      "pthread_spin_*",
		"pthread_cond_*wait*", "__pthread_mutex_*",     "__pthread_rwlock_*",
		"__pthread_spin_*",    "__pthread_cond_*wait*",
	};

	tool_data.locks.by_address = VG_(HT_construct)("costgrind.locks");
	for (UInt i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		callhooks_add(patterns[i], &hook);
}

/* --- the run ----------------------------------------------------------------------------- */

void locks_settle(void)
{
	for (struct lock *lock = tool_data.locks.last; lock != NULL; lock = lock->older)
		for (UInt i = 0; i < lock->n_holds; i++)
			charge(lock, &lock->holds[i]);
}

void locks_zero(void)
{
	locks_settle();
	for (struct lock *lock = tool_data.locks.last; lock != NULL; lock = lock->older) {
		lock->n = lock->n_changes = lock->n_taken = lock->held = lock->longest = 0;
		for (UInt i = 0; i < lock->n_sites; i++)
			lock->sites[i].n = lock->sites[i].held = lock->sites[i].longest = 0;
		for (UInt i = 0; i < lock->n_holds; i++)
			lock->holds[i].began = lock->holds[i].charged;
	}
}

void locks_fork(void)
{
	const struct thread *running = tool_calls.threads.running;

	for (struct lock *lock = tool_data.locks.last; lock != NULL; lock = lock->older)
		for (UInt i = lock->n_holds; i-- > 0;)
			if (running == NULL || lock->holds[i].thread != running->number)
				lock->holds[i] = lock->holds[--lock->n_holds];
}

void locks_create_thread(UInt child)
{
	/* An earlier thread of this number may have ended with locks. */
	for (struct lock *lock = tool_data.locks.last; lock != NULL; lock = lock->older) {
		struct lock_hold *hold = find_hold(lock, child);

		if (hold != NULL)
			end_hold(lock, hold);
	}
}
