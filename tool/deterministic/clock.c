/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of --deterministic=yes, timers by it, and how it goes on in other processes. */
#include "tool/deterministic/state.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/calls/thread.h"
#include "tool/common/filesystem.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"

static struct clock *const clock = &tool_deterministic.clock;
static struct process_tree *const process_tree = &tool_deterministic.process_tree;

enum {
	UPTIME = 1000,   /* seconds that the machine has been up when a program starts */
	QUESTION = 1000, /* ns */
};

void clock_init(UInt start, UInt rate)
{
	*clock = (struct clock){ .start = start * CLOCK_SECOND, .rate = rate };
}

/* Scales ns to the clock's rate. */
static ULong at_rate(ULong ns)
{
	return ns / CLOCK_USUAL_RATE * clock->rate +
	       ns % CLOCK_USUAL_RATE * clock->rate / CLOCK_USUAL_RATE;
}

ULong clock_instructions(void)
{
	ULong totals[N_EVENTS];

	threads_totals(totals);
	return clock->instructions + totals[EVENT_IR];
}

ULong clock_counter(void)
{
	return at_rate(clock_instructions());
}

ULong clock_now(void)
{
	return UPTIME * CLOCK_SECOND + at_rate(clock_instructions() + clock->asked) + clock->slept;
}

ULong clock_date_offset(void)
{
	return clock->start - UPTIME * CLOCK_SECOND;
}

ULong clock_process_time(void)
{
	return at_rate(clock_instructions() + clock->asked - clock->inherited);
}

ULong clock_thread_time(ThreadId tid)
{
	ULong all = threads_instructions(tid);
	const struct deterministic_thread *thread = deterministic_thread_of(tid);

	/* If costs were set to zero in between, it is what came after that. */
	return at_rate((all > thread->begun ? all - thread->begun : all) + thread->asked);
}

void clock_ask(ThreadId tid)
{
	deterministic_thread_of(tid)->asked += QUESTION;
	clock->asked += QUESTION;
	clock->n_questions += deterministic_has(DETERMINISTIC_CLOCK);
}

ULong clock_questions(void)
{
	return clock->n_questions - clock->n_earlier;
}

void clock_wait_until(ULong then)
{
	ULong now = clock_now();

	if (then > now)
		clock->slept += then - now;
}

void clock_keep(ULong instructions)
{
	clock->instructions += instructions - clock_instructions();
}

void clock_fork(void)
{
	clock->inherited = clock_instructions() + clock->asked;
	clock->n_questions = 0;
	clock->n_earlier = 0;
}

/* --- timers ------------------------------------------------------------------------------ */

static struct timer *find_timer(enum timer_kind kind, Int id)
{
	struct timer *timer = tool_deterministic.timers;

	while (timer != NULL && (timer->kind != kind || timer->id != id))
		timer = timer->next;
	return timer;
}

static struct timer *make_timer(enum timer_kind kind, Int id)
{
	struct timer *timer = find_timer(kind, id);

	if (timer != NULL)
		return timer;
	timer = VG_(malloc)("costgrind.timer", sizeof(*timer));
	*timer = (struct timer){
		.next = tool_deterministic.timers,
		.kind = kind,
		.id = id,
		.signal = kind == TIMER_FILE ? 0 : VKI_SIGALRM,
	};
	tool_deterministic.timers = timer;
	return timer;
}

void timers_create(enum timer_kind kind, Int id, Int signal)
{
	struct timer *timer = make_timer(kind, id);

	timer->signal = signal;
	timer->armed = False;
}

void timers_set(enum timer_kind kind, Int id, ULong due, ULong interval)
{
	struct timer *timer = make_timer(kind, id);

	nondeterminism_note(NONDETERMINISM_TIMERS);
	timer->armed = True;
	timer->due = due;
	timer->interval = interval;
}

void timers_stop(enum timer_kind kind, Int id)
{
	struct timer *timer = find_timer(kind, id);

	if (timer != NULL)
		timer->armed = False;
}

ULong timers_left(enum timer_kind kind, Int id, ULong *interval)
{
	const struct timer *timer = find_timer(kind, id);
	ULong now = clock_now();

	*interval = 0;
	if (timer == NULL || !timer->armed)
		return 0;
	*interval = timer->interval;
	return timer->due > now ? timer->due - now : 1;
}

void timers_write(enum timer_kind kind, Int id, Long *time)
{
	ULong interval;
	ULong left = timers_left(kind, id, &interval);

	time[0] = (Long)(interval / CLOCK_SECOND);
	time[1] = (Long)(interval % CLOCK_SECOND);
	time[2] = (Long)(left / CLOCK_SECOND);
	time[3] = (Long)(left % CLOCK_SECOND);
}

/* It has fired n times. */
static void fire(struct timer *timer, ULong n)
{
	if (n == 0 || !timer->armed)
		return;
	clock_wait_until(timer->due + (n - 1) * timer->interval);
	timer->due += n * timer->interval;
	timer->armed = timer->interval != 0;
}

/* The timer of a signal (0: of a descriptor) that is due first. */
static struct timer *first_due(Int signal)
{
	struct timer *first = NULL;

	for (struct timer *timer = tool_deterministic.timers; timer != NULL; timer = timer->next)
		if (timer->armed && timer->signal == signal &&
		    (first == NULL || timer->due < first->due))
			first = timer;
	return first;
}

Bool timers_signal(Int signal)
{
	struct timer *timer = signal > 0 ? first_due(signal) : NULL;

	if (timer != NULL)
		fire(timer, 1);
	return timer != NULL;
}

void timers_read(Int fd, ULong n)
{
	struct timer *timer = find_timer(TIMER_FILE, fd);

	/* A copy, by dup() or of the parent's. */
	if (timer == NULL || !timer->armed)
		timer = first_due(0);
	if (timer != NULL)
		fire(timer, n);
}

void timers_fork(void)
{
	for (struct timer *timer = tool_deterministic.timers; timer != NULL; timer = timer->next)
		if (timer->kind != TIMER_FILE)
			timer->armed = False;
}

/* --- processes --------------------------------------------------------------------------- */

/* Notes are 16 bytes for each pid, in a file in memory (tool/common/filesystem.h). */
#define NOTES_NAME "costgrind.family"

/* A note of a process that has ended, or becomes another program; all 0: none. */
struct note {
	ULong now;      /* of its clock */
	ULong splitmix; /* the state of its random numbers */
};

static void write_note(Int pid, const struct note *note)
{
	if (process_tree->notes >= 0 && !tool_self.sealed)
		syscall_make(__NR_pwrite64, (UWord)process_tree->notes, (UWord)note, sizeof(*note),
			     (UWord)pid * sizeof(*note), 0);
}

/* Reads a note and removes it. */
static Bool take_note(Int pid, struct note *note)
{
	static const struct note none = { 0, 0 };

	*note = none;
	if (process_tree->notes < 0 || tool_self.sealed)
		return False;
	syscall_make(__NR_pread64, (UWord)process_tree->notes, (UWord)note, sizeof(*note),
		     (UWord)pid * sizeof(*note), 0);
	if (note->now == 0)
		return False;
	write_note(pid, &none);
	return True;
}

void process_tree_init(void)
{
	struct note note;

	*process_tree = (struct process_tree){ .notes = memfile_find(NOTES_NAME) };
	if (process_tree->notes < 0) {
		process_tree->notes = memfile_make(NOTES_NAME);
		return;
	}
	if (!take_note(VG_(getpid)(), &note))
		return;
	clock_wait_until(note.now);
	tool_deterministic.random_source.splitmix.state = note.splitmix;
}

static void leave_note(void)
{
	const struct note note = { clock_now(), tool_deterministic.random_source.splitmix.state };

	write_note(VG_(getpid)(), &note);
}

/* A program that is not profiled does not inherit the descriptor. */
static void keep_notes(Bool keep)
{
	if (process_tree->notes >= 0)
		syscall_fcntl(process_tree->notes, VKI_F_SETFD, keep ? 0 : VKI_FD_CLOEXEC);
}

void process_tree_exec(Bool is_traced)
{
	keep_notes(is_traced);
	if (is_traced)
		leave_note();
}

void process_tree_exec_failed(void)
{
	struct note note;

	keep_notes(True);
	take_note(VG_(getpid)(), &note);
}

void process_tree_exit(void)
{
	leave_note();
}

void process_tree_waited(Int pid, ULong ns)
{
	struct note note;
	ULong seconds;

	if (take_note(pid, &note)) {
		clock_wait_until(note.now);
		return;
	}
	process_tree->waited += ns;
	seconds = process_tree->waited / CLOCK_SECOND;
	process_tree->waited -= seconds * CLOCK_SECOND;
	clock_wait_until(clock_now() + seconds * CLOCK_SECOND);
}
