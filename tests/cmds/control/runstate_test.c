/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States of running programs: what is read, what is refused; what differs between two of them. */
#include <stdio.h>
#include <string.h>

#include "tests/common/check.h"

#include "cmds/control/control.h"
#include "profile/common/heap.h"

#define HEAD "instrumentation: on\nevents: Ir Dr\npart: 2\n"

/* What is wrong with a text, "fine" if nothing is. */
static const char *wrong_with(const char *text)
{
	struct runstate state;
	const char *wrong = runstate_read(&state, text, strlen(text));

	runstate_release(&state);
	return wrong ? wrong : "fine";
}

/* As Callgrind 3.19 prints it: zeros at the end are left out, and so are frames of no call. */
TEST(all_of_callgrind)
{
	static const char text[] = "instrumentation: on\nexecuted-bbs: 69246\n"
				   "executed-calls: 4919\ndistinct-bbs: 3561\n"
				   "distinct-calls: 607\ndistinct-functions: 468\n"
				   "distinct-contexts: 470\nevents: Ir Dr\npart: 3\nthreads: 1 12\n"
				   "current-tid: 1\nevents-1: 296807\nframes-1: 3\n"
				   "function-1-0: (below main)\ncalls-1-0: 1\nevents-1-0: 7 8\n"
				   "function-1-2: main\ncalls-1-2: 18446744073709551615\n"
				   "events-1-2: 5\nfunction-1-3: read\nevents-12: 1 2\n"
				   "frames-12: 0\nfunction-12-0: start: here\nnew-line: 5\n";
	struct runstate state;

	CHECK(runstate_read(&state, text, sizeof(text) - 1) == NULL);
	CHECK(state.instrumenting);
	CHECK_EQ_U64(state.executed_blocks, 69246);
	CHECK_EQ_U64(state.executed_calls, 4919);
	CHECK_EQ_U64(state.blocks, 3561);
	CHECK_EQ_U64(state.calls, 607);
	CHECK_EQ_U64(state.functions, 468);
	CHECK_EQ_U64(state.contexts, 470);
	CHECK_EQ_U64(state.part, 3);
	CHECK_EQ_U64(state.n_events, 2);
	CHECK_EQ_U64(runstate_event(&state, "Dr", 2), 1);
	CHECK_EQ_U64(runstate_event(&state, "D", 1), 2);
	if (!CHECK(state.n_threads == 2 && state.threads[0].n_frames == 3 &&
		   state.threads[1].n_frames == 1))
		return;
	CHECK_EQ_U64(state.threads[0].totals[0], 296807);
	CHECK_EQ_U64(state.threads[0].totals[1], 0);
	CHECK_EQ_U64(state.threads[0].totals[2], 1); /* that many were given */
	CHECK_STR(state.threads[0].frames[1].function, "main");
	CHECK_EQ_U64(state.threads[0].frames[1].calls, UINT64_MAX);
	CHECK_EQ_U64(state.threads[0].frames[0].costs[1], 8);
	CHECK(state.threads[0].frames[2].costs == NULL);
	CHECK_EQ_U64(state.threads[1].number, 12);
	CHECK_EQ_U64(state.threads[1].totals[1], 2);
	CHECK_STR(state.threads[1].frames[0].function, "start: here");
	CHECK(state.totals == NULL);
	runstate_release(&state);
}

TEST(functions)
{
	static const char text[] = HEAD "totals: 12 3\nfunction: 7 3\t/bin/a b\tf(int, long)\n"
					"function: 5\t\t\n";
	struct runstate state;

	CHECK(runstate_read(&state, text, sizeof(text) - 1) == NULL);
	CHECK_EQ_U64(state.totals[0], 12);
	if (!CHECK(state.n_hottest == 2))
		return;
	CHECK_STR(state.hottest[0].object, "/bin/a b");
	CHECK_STR(state.hottest[0].name, "f(int, long)");
	CHECK_EQ_U64(state.hottest[0].costs[1], 3);
	CHECK_STR(state.hottest[1].name, "");
	runstate_release(&state);
}

static bool drops(const char *text)
{
	struct runstate state;
	bool does = runstate_read(&state, text, strlen(text)) == NULL && runstate_drops(&state);

	runstate_release(&state);
	return does;
}

TEST(collection)
{
	static const char text[] = HEAD "collection: off in threads 2 30\n";
	struct runstate state;

	CHECK(runstate_read(&state, text, sizeof(text) - 1) == NULL);
	CHECK_STR(state.collection, "off in threads 2 30");
	runstate_release(&state);
	CHECK(drops(text));
	CHECK(drops(HEAD "collection: off\n"));
	CHECK(!drops(HEAD "collection: on\n"));
	CHECK(!drops(HEAD));
	CHECK(!drops("instrumentation: off\ncollection: off\n"));
}

TEST(forms)
{
	static const char bad[] = "a line is not of its form";

	CHECK_STR(wrong_with("instrumentation: off\n"), "fine");
	CHECK_STR(wrong_with("instrumentation: off"), "fine");
	CHECK_STR(wrong_with(HEAD), "fine");
	CHECK_STR(wrong_with(HEAD "\nanything\n: \n"), "fine");
	CHECK_STR(wrong_with(""), "expected the state of a run");
	CHECK_STR(wrong_with("events: Ir\n"), "expected the state of a run");
	CHECK_STR(wrong_with("instrumentation: on\n"), "expected events");
	CHECK_STR(wrong_with("instrumentation: maybe\n"), bad);
	CHECK_STR(wrong_with("instrumentation: on\nevents:\n"), bad);
	CHECK_STR(wrong_with(HEAD "collection: on\n"), "fine");
	CHECK_STR(wrong_with(HEAD "collection: off in thread 2\n"), "fine");
	CHECK_STR(wrong_with(HEAD "collection:\n"), bad);
	CHECK_STR(wrong_with(HEAD "collection: one\n"), bad);
	CHECK_STR(wrong_with(HEAD "collection: off in threads 2 \033[2J\n"), bad);
	CHECK_STR(wrong_with(HEAD "events: Ir\n"), bad);
	CHECK_STR(wrong_with("instrumentation: on\nevents-1:\nevents: Ir\n"), bad);
	CHECK_STR(wrong_with("instrumentation: on\ntotals:\nevents: Ir\n"), bad);
	CHECK_STR(wrong_with(HEAD "part: x\n"), bad);
	CHECK_STR(wrong_with(HEAD "part: 1 2\n"), bad);
	CHECK_STR(wrong_with(HEAD "executed-bbs: 18446744073709551616\n"), bad);
	CHECK_STR(wrong_with(HEAD "events-1: 1 2 3\n"), bad);
	CHECK_STR(wrong_with(HEAD "events-1: 1 x\n"), bad);
	CHECK_STR(wrong_with(HEAD "events-1: 1x\n"), bad);
	CHECK_STR(wrong_with(HEAD "events-1: 1\t2\n"), bad);
	CHECK_STR(wrong_with(HEAD "events-x: 1\n"), bad);
	CHECK_STR(wrong_with(HEAD "events-1-0: 1\n"), bad);
	CHECK_STR(wrong_with(HEAD "calls-1-0: 1\n"), bad);
	CHECK_STR(wrong_with(HEAD "calls-1: 1\n"), bad);
	CHECK_STR(wrong_with(HEAD "function-1: f\n"), bad);
	CHECK_STR(wrong_with(HEAD "function-1000000000-0: f\n"), bad);
	CHECK_STR(wrong_with(HEAD "function-1-0: f\nfunction-1-0: g\n"), bad);
	CHECK_STR(wrong_with(HEAD "function-1-0: f\ncalls-1-1: 1\n"), bad);
	CHECK_STR(wrong_with(HEAD "function: 1 2 /bin/a f\n"), bad);
	CHECK_STR(wrong_with(HEAD "function: 1 2\t/bin/a\n"), bad);
}

/* The hottest functions between two states, "name Ir Dr, ...", and "anew: " before. */
static const char *hottest(const char *before, const char *now, size_t sort_by)
{
	static char text[512];
	struct runstate states[2];
	struct hotlist list;
	size_t len = 0;
	bool has_before = before != NULL;

	CHECK(!has_before || !runstate_read(&states[0], before, strlen(before)));
	CHECK(!runstate_read(&states[1], now, strlen(now)));
	hotlist_make(&list, has_before ? &states[0] : NULL, &states[1], sort_by);
	len += (size_t)snprintf(text, sizeof(text), "%s%d %d:", list.is_anew ? "anew " : "",
				(int)list.totals[0], (int)list.totals[1]);
	for (size_t i = 0; i < list.n; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " %s/%s %d %d",
					list.functions[i].object, list.functions[i].name,
					(int)list.functions[i].costs[0],
					(int)list.functions[i].costs[1]);
	hotlist_release(&list);
	if (has_before)
		runstate_release(&states[0]);
	runstate_release(&states[1]);
	return text;
}

/* What is derived is there as if it had been reported, of totals, calls and functions. */
TEST(derived)
{
	static const char text[] = "instrumentation: on\n"
				   "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\npart: 2\n"
				   "totals: 1000\nthreads: 1\n"
				   "events-1: 1000 200 100 10 20 30 1 2 3\nframes-1: 2\n"
				   "function-1-0: main\ncalls-1-0: 1\nevents-1-0: 500\n"
				   "function-1-1: f\nfunction: 10\to\tf\n";
	static const char counted[] = "instrumentation: on\nevents: Ir CyBase CyMem\npart: 1\n"
				      "totals: 100 50 25\nthreads: 0\n";
	struct runstate state;
	size_t cycles, misses;

	if (!CHECK(runstate_read(&state, text, sizeof(text) - 1) == NULL))
		return;
	derivedcosts_add(&state);
	cycles = runstate_event(&state, "EstCyc", 6);
	misses = runstate_event(&state, "D1m", 3);
	CHECK_EQ_U64(state.n_recorded, 9);
	CHECK_EQ_U64(state.main_event, cycles);
	if (CHECK(cycles < state.n_events && misses < state.n_events)) {
		CHECK_EQ_U64(state.totals[cycles], 1000);
		CHECK_EQ_U64(state.threads[0].totals[cycles], 1240 + 5 * 54 + 35 * 6);
		CHECK_EQ_U64(state.threads[0].totals[misses], 50);
		CHECK_EQ_U64(state.threads[0].totals[state.n_events], state.n_events);
		CHECK_EQ_U64(state.threads[0].frames[0].costs[cycles], 500);
		CHECK_EQ_U64(state.hottest[0].costs[cycles], 10);
	}
	runstate_release(&state);
	/* Cycles, which are counted in tenths. */
	CHECK(runstate_read(&state, counted, sizeof(counted) - 1) == NULL);
	derivedcosts_add(&state);
	cycles = runstate_event(&state, "Cyc", 3);
	CHECK_EQ_U64(state.main_event, cycles);
	if (CHECK(cycles < state.n_events)) {
		CHECK_EQ_U64(state.totals[cycles], 75);
		CHECK_EQ_U64(state.decimals[cycles].people, 1);
		CHECK_EQ_U64(state.decimals[cycles].programs, 0);
		CHECK_EQ_U64(state.decimals[1].people, 1);
		CHECK_EQ_U64(state.decimals[0].people, 0);
	}
	runstate_release(&state);
	/* Where nothing can be estimated, the first event is shown first. */
	CHECK(runstate_read(&state, HEAD, sizeof(HEAD) - 1) == NULL);
	derivedcosts_add(&state);
	CHECK_EQ_U64(runstate_event(&state, "EstCyc", 6), state.n_events);
	CHECK_EQ_U64(state.main_event, 0);
	runstate_release(&state);
}

TEST(differences)
{
	static const char one[] = HEAD "function: 10 1\to\tf\nfunction: 5 5\to\tg\n"
				       "function: 4 4\tp\tf\n";
	static const char two[] = HEAD "function: 10 1\to\tf\nfunction: 6 9\to\tg\n"
				       "function: 7 5\tp\tf\nfunction: 3 0\tp\tnew\n";
	/* Two static functions of one name are one. */
	static const char twin[] = HEAD "function: 6 1\to\tf\nfunction: 9 5\to\tg\n"
					"function: 5 2\to\tf\nfunction: 4 4\tp\tf\n";
	static const char part[] = "instrumentation: on\nevents: Ir Dr\npart: 3\n"
				   "function: 20 20\to\tf\n";

	CHECK_STR(hottest(NULL, one, 0), "anew 19 10: o/f 10 1 o/g 5 5 p/f 4 4");
	CHECK_STR(hottest(one, one, 0), "0 0:");
	CHECK_STR(hottest(one, two, 0), "7 5: p/f 3 1 p/new 3 0 o/g 1 4");
	CHECK_STR(hottest(one, two, 1), "7 5: o/g 1 4 p/f 3 1 p/new 3 0");
	CHECK_STR(hottest(one, twin, 0), "5 2: o/g 4 0 o/f 1 2");
	CHECK_STR(hottest(one, part, 0), "anew 20 20: o/f 20 20");
	/* Set to zero meanwhile: less than before, or not there any more. */
	CHECK_STR(hottest(two, one, 0), "anew 19 10: o/f 10 1 o/g 5 5 p/f 4 4");
	CHECK_STR(hottest(one, HEAD "function: 99 99\to\tf\n", 0), "anew 99 99: o/f 99 99");
	CHECK_STR(hottest(one, HEAD, 0), "anew 0 0:");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(all_of_callgrind), CHECK_TEST(functions),
		CHECK_TEST(collection),       CHECK_TEST(forms),
		CHECK_TEST(derived),          CHECK_TEST(differences),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
