/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Differences derived by hand.  The two profiles:
 *
 *	          OLD                      NEW
 *	a.c main  1: 10 1                  1: 10 1
 *	            2: work twice, 100 10    2: work twice, 150 12
 *	            3: gone once, 7 1        3: fresh once, 7 1
 *	a.c work  20: 60 6, 21: 40 4       20: 60 6, 22: 90 6
 *	a.c gone  40: 7 1                  -
 *	a.c fresh -                        40: 7 1
 */
#include "tests/common/model_fixture.h"

#include "profile/analysis/difference.h"
#include "profile/filters/filters.h"

#define OLD_BODY                                                       \
 "fl=a.c\nfn=main\n1 10 1\ncfn=work\ncalls=2 20\n2 100 10\ncfn=gone\n" \
 "calls=1 40\n3 7 1\nfn=work\n20 60 6\n21 40 4\nfn=gone\n40 7 1\n"
#define NEW_BODY                                                          \
 "fl=./a.c\nfn=main\n1 10 1\ncfn=work\ncalls=2 20\n2 150 12\ncfn=fresh\n" \
 "calls=1 40\n3 7 1\nfn=work\n20 60 6\n22 90 6\nfn=fresh\n40 7 1\n"

static const char old_text[] = "events: Ir Dr\nob=v1/prog\n" OLD_BODY;
static const char new_text[] = "events: Ir Dr\nob=v2/prog\n" NEW_BODY;

struct pair {
	struct model old_model, new_model;
	struct difference difference;
};

static void pair_init(struct pair *pair, const char *a, const char *b)
{
	model_of(&pair->old_model, a);
	model_of(&pair->new_model, b);
	CHECK_EQ_U64((uint64_t)difference_init(&pair->difference, &pair->old_model,
					       &pair->new_model, SYMBOLNAME_ALIKE),
		     PROFILE_OK);
}

static void pair_release(struct pair *pair)
{
	difference_release(&pair->difference);
	model_release(&pair->old_model);
	model_release(&pair->new_model);
}

/* The row of a function; n_rows if there is none, or several. */
static size_t row_named(const struct difference *difference, const char *name)
{
	size_t found = difference->n_rows;

	for (size_t row = 0; row < difference->n_rows; row++) {
		if (strcmp(difference_name(difference, row, NAME_FUNCTION).text, name) != 0)
			continue;
		if (found != difference->n_rows)
			return difference->n_rows;
		found = row;
	}
	return found;
}

/* "self OLD to NEW, inclusive OLD to NEW" of a row, each as "Ir Dr". */
static const char *costs_of(const struct difference *difference, const char *name)
{
	static char text[256];
	size_t row = row_named(difference, name);
	const uint64_t *costs[4];

	if (row == difference->n_rows)
		return "no such row";
	costs[0] = difference_self(difference, row, false);
	costs[1] = difference_self(difference, row, true);
	costs[2] = difference_inclusive(difference, row, false);
	costs[3] = difference_inclusive(difference, row, true);
	snprintf(text, sizeof(text),
		 "self %" PRId64 " %" PRId64 " to %" PRId64 " %" PRId64 ", inclusive %" PRId64
		 " %" PRId64 " to %" PRId64 " %" PRId64,
		 (int64_t)costs[0][0], (int64_t)costs[0][1], (int64_t)costs[1][0],
		 (int64_t)costs[1][1], (int64_t)costs[2][0], (int64_t)costs[2][1],
		 (int64_t)costs[3][0], (int64_t)costs[3][1]);
	return text;
}

TEST(functions)
{
	struct pair pair;
	const struct difference *d = &pair.difference;

	pair_init(&pair, old_text, new_text);
	CHECK_EQ_U64(d->n_rows, 4);
	CHECK_STR(costs_of(d, "main"), "self 10 1 to 10 1, inclusive 117 12 to 167 14");
	CHECK_STR(costs_of(d, "work"), "self 100 10 to 150 12, inclusive 100 10 to 150 12");
	CHECK_STR(costs_of(d, "gone"), "self 7 1 to 0 0, inclusive 7 1 to 0 0");
	CHECK_STR(costs_of(d, "fresh"), "self 0 0 to 7 1, inclusive 0 0 to 7 1");
	CHECK(!difference_self_changed(d, row_named(d, "main")));
	CHECK(difference_inclusive_changed(d, row_named(d, "main")));
	CHECK(difference_self_changed(d, row_named(d, "work")));
	CHECK_EQ_U64(d->rows[row_named(d, "gone")].new_function, MODEL_NO_FUNCTION);
	CHECK_EQ_U64(d->rows[row_named(d, "fresh")].old_function, MODEL_NO_FUNCTION);
	CHECK_EQ_U64(d->old_totals[0], 117);
	CHECK_EQ_U64(d->new_totals[0], 167);
	CHECK_EQ_U64(d->old_totals[1], 12);
	CHECK_EQ_U64(d->new_totals[1], 14);
	pair_release(&pair);
}

/* Calls that are the same (none here but main to work, in number) are not listed. */
TEST(arcs)
{
	static const struct {
		const char *callee;
		uint64_t old_count, new_count, old_cost, new_cost;
	} want[] = { { "work", 2, 2, 100, 150 }, { "gone", 1, 0, 7, 0 }, { "fresh", 0, 1, 0, 7 } };
	struct pair pair;
	const struct difference *d = &pair.difference;

	pair_init(&pair, old_text, new_text);
	CHECK(d->has_calls);
	if (!CHECK_EQ_U64(d->n_arcs, 3))
		return;
	for (size_t i = 0; i < 3; i++) {
		const struct difference_arc *arc = &d->arcs[i];

		CHECK_EQ_U64(arc->caller, row_named(d, "main"));
		CHECK_EQ_U64(arc->callee, row_named(d, want[i].callee));
		CHECK_EQ_U64(arc->old_count, want[i].old_count);
		CHECK_EQ_U64(arc->new_count, want[i].new_count);
		CHECK_EQ_U64(arc->old_costs[0], want[i].old_cost);
		CHECK_EQ_U64(arc->new_costs[0], want[i].new_cost);
	}
	pair_release(&pair);
}

TEST(changed_lines)
{
	struct pair pair;
	struct arena arena;
	struct difference_line *lines;
	size_t n;

	pair_init(&pair, old_text, new_text);
	arena_init(&arena);
	CHECK_EQ_U64((uint64_t)difference_lines(&pair.difference,
						row_named(&pair.difference, "work"), &arena, &lines,
						&n),
		     PROFILE_OK);
	if (CHECK_EQ_U64(n, 2)) {
		CHECK_EQ_U64(lines[0].line, 21);
		CHECK_EQ_U64(lines[0].old_costs[0], 40);
		CHECK_EQ_U64(lines[0].new_costs[0], 0);
		CHECK_EQ_U64(lines[1].line, 22);
		CHECK_EQ_U64(lines[1].old_costs[1], 0);
		CHECK_EQ_U64(lines[1].new_costs[1], 6);
		CHECK_STR(lines[1].file.text, "a.c");
	}
	CHECK_EQ_U64((uint64_t)difference_lines(&pair.difference,
						row_named(&pair.difference, "main"), &arena, &lines,
						&n),
		     PROFILE_OK);
	CHECK_EQ_U64(n, 0);
	arena_release(&arena);
	pair_release(&pair);
}

TEST(itself)
{
	struct pair pair;

	pair_init(&pair, old_text, old_text);
	CHECK_EQ_U64(pair.difference.n_rows, 3);
	CHECK_EQ_U64(pair.difference.n_arcs, 0);
	for (size_t row = 0; row < pair.difference.n_rows; row++)
		CHECK(!difference_self_changed(&pair.difference, row) &&
		      !difference_inclusive_changed(&pair.difference, row));
	pair_release(&pair);
}

/* Two objects of OLD have f: NEW's may be either, so both are gone. */
TEST(objects)
{
	struct pair pair;
	const struct difference *d = &pair.difference;

	pair_init(&pair,
		  "events: Ir\nob=x\nfl=a.c\nfn=f\n1 1\nfn=g\n1 3\nob=y\nfl=a.c\nfn=f\n1 2\n",
		  "events: Ir\nob=z\nfl=a.c\nfn=f\n1 1\nfn=g\n1 3\n");
	CHECK_EQ_U64(d->n_rows, 4); /* f of x, g, f of y, f of z */
	CHECK_EQ_U64(d->rows[0].new_function, MODEL_NO_FUNCTION);
	CHECK(d->rows[1].old_function == 1 && d->rows[1].new_function == 1);
	CHECK_EQ_U64(d->rows[2].new_function, MODEL_NO_FUNCTION);
	CHECK_EQ_U64(d->rows[3].old_function, MODEL_NO_FUNCTION);
	pair_release(&pair);

	/* The same object is the same function, whatever the others are. */
	pair_init(&pair, "events: Ir\nob=x\nfl=a.c\nfn=f\n1 1\nob=y\nfl=a.c\nfn=f\n1 2\n",
		  "events: Ir\nob=y\nfl=a.c\nfn=f\n1 5\nob=z\nfl=a.c\nfn=f\n1 7\n");
	CHECK_EQ_U64(d->n_rows, 2);
	CHECK(d->rows[0].new_function == 1); /* x and z: the only ones left */
	CHECK(d->rows[1].new_function == 0);
	pair_release(&pair);
}

/* By normal forms, if there is one on each side that has no counterpart. */
TEST(renamed)
{
	struct pair pair;
	const struct difference *d = &pair.difference;

	pair_init(&pair,
		  "events: Ir Dr\nfl=a.c\nfn=f.constprop.0\n1 1\nfn=g\n1 3\nfn=g.part.0\n1 4\n"
		  "fn=r::h0123456789abcdef\n1 5\nfn=twice.part.1\n1 6\nfn=twice.part.2\n1 7\n"
		  "fl=b.c\nfn=k.cold\n1 8\n",
		  "events: Ir Dr\nfl=a.c\nfn=f.constprop.1\n1 10\nfn=g\n1 30\n"
		  "fn=r::hfedcba9876543210\n1 50\nfn=twice.part.3\n1 60\nfl=c.c\nfn=k\n1 80\n");
	/* OLD has twice two times; g is g, so its part has gone; k is in another file under another name. */
	CHECK_STR(costs_of(d, "f.constprop.1"), "self 1 0 to 10 0, inclusive 1 0 to 10 0");
	CHECK_STR(costs_of(d, "g"), "self 3 0 to 30 0, inclusive 3 0 to 30 0");
	CHECK_STR(costs_of(d, "g.part.0"), "self 4 0 to 0 0, inclusive 4 0 to 0 0");
	CHECK_STR(costs_of(d, "r::hfedcba9876543210"), "self 5 0 to 50 0, inclusive 5 0 to 50 0");
	CHECK_STR(costs_of(d, "twice.part.1"), "self 6 0 to 0 0, inclusive 6 0 to 0 0");
	CHECK_STR(costs_of(d, "twice.part.2"), "self 7 0 to 0 0, inclusive 7 0 to 0 0");
	CHECK_STR(costs_of(d, "twice.part.3"), "self 0 0 to 60 0, inclusive 0 0 to 60 0");
	CHECK_STR(costs_of(d, "k.cold"), "self 8 0 to 0 0, inclusive 8 0 to 0 0");
	CHECK_STR(costs_of(d, "k"), "self 0 0 to 80 0, inclusive 0 0 to 80 0");
	CHECK(difference_renamed(d, row_named(d, "f.constprop.1")));
	CHECK_STR(difference_old_name(d, row_named(d, "f.constprop.1"), NAME_FUNCTION).text,
		  "f.constprop.0");
	CHECK(!difference_renamed(d, row_named(d, "g")));
	CHECK(!difference_renamed(d, row_named(d, "g.part.0")));
	CHECK(!difference_renamed(d, row_named(d, "k")));
	pair_release(&pair);
}

/* "FILE:NAME [OBJECT] > FILE:NAME [OBJECT]; " of each function that is in both, by OLD's order, or that is in one alone. */
static const char *rows_of(const char *a, const char *b, unsigned renames)
{
	static char text[2048];
	struct model models[2];
	struct difference difference;
	size_t len = 0;

	model_of(&models[0], a);
	model_of(&models[1], b);
	CHECK_EQ_U64((uint64_t)difference_init(&difference, &models[0], &models[1], renames),
		     PROFILE_OK);
	text[0] = '\0';
	for (size_t row = 0; row < difference.n_rows; row++) {
		const uint32_t pair[2] = { difference.rows[row].old_function,
					   difference.rows[row].new_function };

		for (size_t i = 0; i < 2; i++) {
			const struct model_function *function;

			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s",
						i == 0                         ? ""
						: pair[0] == MODEL_NO_FUNCTION ? "> "
									       : " > ");
			if (pair[i] == MODEL_NO_FUNCTION)
				continue;
			function = &models[i].functions[pair[i]];
			len += (size_t)snprintf(
				text + len, sizeof(text) - len, "%s:%s [%s]",
				model_name(&models[i], NAME_FILE, function->file).text,
				model_name(&models[i], NAME_FUNCTION, function->name).text,
				model_name(&models[i], NAME_OBJECT, function->object).text);
		}
		len += (size_t)snprintf(text + len, sizeof(text) - len, "; ");
		CHECK(!difference_moved(&difference, row) || !difference_renamed(&difference, row));
	}
	difference_release(&difference);
	model_release(&models[0]);
	model_release(&models[1]);
	return text;
}

#define PROGRAM(body) "events: Ir\nob=p\n" body

/* By names alone, where each side has one that is left. */
TEST(other_files)
{
	/* A file that was renamed; one that another object has; both at once. */
	CHECK_STR(rows_of(PROGRAM("fl=a.c\nfn=f\n1 1\n"), PROGRAM("fl=b.c\nfn=f\n1 1\n"),
			  SYMBOLNAME_ALIKE),
		  "a.c:f [p] > b.c:f [p]; ");
	CHECK_STR(rows_of(PROGRAM("fl=a.c\nfn=f\n1 1\n"), "events: Ir\nob=q\nfl=b.c\nfn=f\n1 1\n",
			  SYMBOLNAME_ALIKE),
		  "a.c:f [p] > b.c:f [q]; ");
	CHECK_STR(rows_of(PROGRAM("fl=a.c\nfn=f\n1 1\n"), PROGRAM("fl=b.c\nfn=f\n1 1\n"), 0),
		  "a.c:f [p] > ; > b.c:f [p]; ");
	/* Of static functions, the one whose file is there is itself; of two that are left, nobody knows. */
	CHECK_STR(rows_of(PROGRAM("fl=a.c\nfn=f\n1 1\nfl=b.c\nfn=f\n1 2\n"),
			  PROGRAM("fl=a.c\nfn=f\n1 1\nfl=c.c\nfn=f\n1 2\n"), SYMBOLNAME_ALIKE),
		  "a.c:f [p] > a.c:f [p]; b.c:f [p] > c.c:f [p]; ");
	CHECK_STR(rows_of(PROGRAM("fl=a.c\nfn=f\n1 1\nfl=b.c\nfn=f\n1 2\n"),
			  PROGRAM("fl=c.c\nfn=f\n1 1\n"), SYMBOLNAME_ALIKE),
		  "a.c:f [p] > ; b.c:f [p] > ; > c.c:f [p]; ");
	CHECK_STR(rows_of(PROGRAM("fl=a.c\nfn=f\n1 1\n"),
			  PROGRAM("fl=b.c\nfn=f\n1 1\nfl=c.c\nfn=f\n1 2\n"), SYMBOLNAME_ALIKE),
		  "a.c:f [p] > ; > b.c:f [p]; > c.c:f [p]; ");
	/* ... but where only folders have moved, the files tell; else the objects do. */
	CHECK_STR(rows_of(PROGRAM("fl=/1/a.c\nfn=f\n1 1\nfl=/1/b.c\nfn=f\n1 2\n"),
			  PROGRAM("fl=/2/b.c\nfn=f\n1 1\nfl=/2/a.c\nfn=f\n1 2\n"),
			  SYMBOLNAME_ALIKE),
		  "/1/a.c:f [p] > /2/a.c:f [p]; /1/b.c:f [p] > /2/b.c:f [p]; ");
	CHECK_STR(rows_of(PROGRAM("fl=a.c\nfn=f\n1 1\nob=q\nfl=b.c\nfn=f\n1 2\n"),
			  "events: Ir\nob=q\nfl=c.c\nfn=f\n1 1\nob=p\nfl=d.c\nfn=f\n1 2\n",
			  SYMBOLNAME_ALIKE),
		  "a.c:f [p] > d.c:f [p]; b.c:f [q] > c.c:f [q]; ");
	/* Of templates, each is a function. */
	CHECK_STR(rows_of(PROGRAM("fl=a.h\nfn=t<int>::f()\n1 1\nfn=t<char>::f()\n1 1\n"),
			  PROGRAM("fl=b.h\nfn=t<char>::f()\n1 1\nfn=t<long>::f()\n1 1\n"),
			  SYMBOLNAME_ALIKE),
		  "a.h:t<int>::f() [p] > ; a.h:t<char>::f() [p] > b.h:t<char>::f() [p]; "
		  "> b.h:t<long>::f() [p]; ");
	/* What is alike in its own file is better evidence than the same name elsewhere. */
	CHECK_STR(rows_of(PROGRAM("fl=a.c\nfn=f.part.0\n1 1\n"),
			  PROGRAM("fl=a.c\nfn=f.part.1\n1 1\nfl=b.c\nfn=f.part.0\n1 1\n"),
			  SYMBOLNAME_ALIKE),
		  "a.c:f.part.0 [p] > a.c:f.part.1 [p]; > b.c:f.part.0 [p]; ");
	/* Names that tell nothing. */
	CHECK_STR(
		rows_of(PROGRAM("fl=a.c\nfn=0x77\n1 1\nfl=a.py\nfn=py::<module>\n1 1\nfn=<lambda>\n1 1\n"),
			PROGRAM("fl=b.c\nfn=0x77\n1 1\nfl=b.py\nfn=py::<module>\n1 1\nfn=<lambda>\n1 1\n"),
			SYMBOLNAME_ALIKE),
		"a.c:0x77 [p] > ; a.py:py::<module> [p] > ; a.py:<lambda> [p] > ; "
		"> b.c:0x77 [p]; > b.py:py::<module> [p]; > b.py:<lambda> [p]; ");
}

/* A function's lines move with it to another file; other functions' lines do not. */
TEST(lines_of_other_files)
{
	struct pair pair;
	struct arena arena;
	struct difference_line *lines;
	size_t n;

	pair_init(&pair, PROGRAM("fl=a.c\nfn=f\n1 1\n2 5\nfi=x.h\n7 2\n"),
		  PROGRAM("fl=b.c\nfn=f\n1 1\n2 6\nfi=x.h\n7 2\n"));
	arena_init(&arena);
	CHECK_EQ_U64((uint64_t)difference_lines(&pair.difference, 0, &arena, &lines, &n),
		     PROFILE_OK);
	if (CHECK_EQ_U64(n, 1)) {
		CHECK_STR(lines[0].file.text, "b.c");
		CHECK_EQ_U64(lines[0].line, 2);
		CHECK_EQ_U64(lines[0].old_costs[0], 5);
		CHECK_EQ_U64(lines[0].new_costs[0], 6);
	}
	arena_release(&arena);
	pair_release(&pair);
}

/* Events in another order, one of them under its old name, and one in one profile only. */
TEST(event_names)
{
	struct pair pair;
	const struct difference *d = &pair.difference;

	pair_init(&pair, "events: Ir I2mr Dw\nfn=f\n1 5 6 7\n",
		  "events: ILmr Dr Ir\nfn=f\n1 1 2 3\n");
	if (CHECK_EQ_U64(d->n_events, 2)) {
		CHECK_STR(d->events[0], "ILmr");
		CHECK_STR(d->events[1], "Ir");
	}
	CHECK_STR(costs_of(d, "f"), "self 6 5 to 1 3, inclusive 6 5 to 1 3");
	pair_release(&pair);
}

/* A profile with counts below 0 against one with counts above 2^63. */
TEST(signs)
{
	struct pair pair;
	struct metrics metrics;
	struct arena arena;
	char text[INT128_TEXT];
	int128 change;

	pair_init(&pair, "events: Ir\nfn=f\n1 -5\nfn=g\n1 18\n",
		  "events: Ir\nfn=f\n1 18446744073709551615\n");
	arena_init(&arena);
	difference_metric(&pair.difference, &metrics, &arena);
	change = difference_change(&pair.difference, &metrics.all[0],
				   difference_self(&pair.difference, 0, false),
				   difference_self(&pair.difference, 0, true));
	int128_print(text, change, true);
	CHECK_STR(text, "18,446,744,073,709,551,620"); /* 2^64 - 1 + 5 */
	int128_print(text, -change, false);
	CHECK_STR(text, "-18446744073709551620");
	arena_release(&arena);
	pair_release(&pair);
}

/* "what: OLD, NEW; ..." of two texts. */
static const char *unlike(const char *a, const char *b)
{
	static char text[4096];
	struct model old_model, new_model;
	struct mismatch *list;
	struct arena arena;
	size_t n, len = 0;

	model_of(&old_model, a);
	model_of(&new_model, b);
	arena_init(&arena);
	comparability_check(&old_model, &new_model, &arena, &list, &n);
	text[0] = '\0';
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s%s: %s, %s; ",
					list[i].is_minor ? "minor " : "",
					list[i].is_of_machine ? "machine's " : "",
					list[i].is_end ? "end " : "", list[i].what,
					list[i].old_text ? list[i].old_text : "-",
					list[i].new_text ? list[i].new_text : "-");
	arena_release(&arena);
	model_release(&old_model);
	model_release(&new_model);
	return text;
}

TEST(likeness)
{
	CHECK_STR(unlike(old_text, new_text), "");
	CHECK_STR(unlike("events: Ir Dr\n", "events: Dr Ir\n"), "");
	CHECK_STR(unlike("events: Ir I2mr\n", "events: Ir ILmr\n"), "");
	CHECK_STR(unlike("events: Ir Dr\n", "events: Ir\n"), "events: Ir Dr, Ir; ");
	CHECK_STR(unlike("events: Ir Dr\n", "events: Ir Dw\n"), "events: Ir Dr, Ir Dw; ");
	CHECK_STR(unlike("desc: D1 cache:    1 B, 2 B\nevents: Ir\n",
			 "desc: D1 cache: 1 B, 2 B\nevents: Ir\n"),
		  "");
	CHECK_STR(unlike("desc: D1 cache: 1 B\ndesc: Trigger: a\ndesc: Timerange: 1\nevents: Ir\n",
			 "desc: Counting: architectural\ndesc: D1 cache: 2 B\ndesc: Trigger: b\n"
			 "events: Ir\n"),
		  "D1 cache: 1 B, 2 B; Counting: -, architectural; ");
}

/* An end that is not said differs only from a signal. */
TEST(ends)
{
#define PART(end) "desc: Ended: " end "\nevents: Ir\n"
	CHECK_STR(unlike(PART("exit 0"), PART("exit 0")), "");
	CHECK_STR(unlike(PART("exit 0"), PART("exit 1")), "end Ended: exit 0, exit 1; ");
	CHECK_STR(unlike(PART("signal 6"), PART("signal 11")), "end Ended: signal 6, signal 11; ");
	CHECK_STR(unlike("events: Ir\n", PART("exit 1")), "");
	CHECK_STR(unlike("events: Ir\n", PART("signal 11")), "end Ended: -, signal 11; ");
	CHECK_STR(unlike(PART("signal 11"), "events: Ir\n"), "end Ended: signal 11, -; ");
	/* Of several parts, the worst end. */
	CHECK_STR(unlike(PART("exit 0") "1 1\npart: 2\n" PART("signal 9"), PART("exit 0")),
		  "end Ended: signal 9, exit 0; ");
	CHECK_STR(unlike(PART("exit 2") "1 1\npart: 2\n" PART("exit 10"), PART("exit 10")), "");
	/* The others are compared by limits alone. */
	CHECK_STR(unlike("desc: Collected: 1 of 2 instructions\ndesc: Time asked: 400 times\n"
			 "desc: Not profiled: 1 program: /bin/sh\nevents: Ir\n",
			 "events: Ir\n"),
		  "");
#undef PART
}

/* The runs can be compared: with more lines, fewer are looked at. */
TEST(curves)
{
	CHECK_STR(unlike("desc: Miss curve: exact\nevents: M64K\n",
			 "desc: Miss curve: sampled, one line of 8\nevents: M64K\n"),
		  "minor Miss curve: exact, sampled, one line of 8; ");
	CHECK_STR(unlike("events: M64K\n",
			 "desc: Miss curve: sampled, one line of 8\nevents: M64K\n"),
		  "");
}

#define MACHINE(name, cache, branches)                                                      \
 "desc: Machine: " name ", of a test\ndesc: D1 cache: " cache "\ndesc: Branches: " branches \
 "\nevents: Ir\n"

/* What is asked for in comparing two machines, or two branch predictors. */
TEST(machines)
{
	CHECK_STR(unlike(MACHINE("a", "1 B", "TAGE of 8 KB"), MACHINE("a", "1 B", "TAGE of 8 KB")),
		  "");
	CHECK_STR(unlike(MACHINE("a", "1 B", "TAGE of 8 KB"), MACHINE("a", "2 B", "TAGE of 64 KB")),
		  "D1 cache: 1 B, 2 B; machine's Branches: TAGE of 8 KB, TAGE of 64 KB; ");
	CHECK_STR(unlike(MACHINE("a", "1 B", "TAGE of 8 KB"), MACHINE("b", "2 B", "TAGE of 64 KB")),
		  "machine's Machine: a, of a test, b, of a test; machine's D1 cache: 1 B, 2 B; "
		  "machine's Branches: TAGE of 8 KB, TAGE of 64 KB; ");
	CHECK_STR(
		unlike("desc: Machine: a\ndesc: DTLB: 64\ndesc: Prefetcher: L2 stream\nevents: Ir\n",
		       "desc: Machine: b\ndesc: DTLB: 72\ndesc: Prefetcher: L2 adjacent\nevents: Ir\n"),
		"machine's Machine: a, b; machine's DTLB: 64, 72; "
		"machine's Prefetcher: L2 stream, L2 adjacent; ");
	CHECK_STR(unlike("desc: Machine: a\ndesc: DTLB: 64\nevents: Ir\n",
			 "desc: Machine: a\ndesc: DTLB: 72\nevents: Ir\n"),
		  "DTLB: 64, 72; ");
	CHECK_STR(unlike("desc: Options: --branch-sim=yes --branch-model=tage8k\nevents: Ir\n",
			 "desc: Options: --branch-sim=yes --branch-model=tage64k\nevents: Ir\n"),
		  "machine's Options: --branch-sim=yes --branch-model=tage8k, "
		  "--branch-sim=yes --branch-model=tage64k; ");
	CHECK_STR(unlike("desc: Options: --branch-sim=yes --branch-model=tage8k\nevents: Ir\n",
			 "desc: Options: --branch-model=tage8k\nevents: Ir\n"),
		  "Options: --branch-sim=yes --branch-model=tage8k, --branch-model=tage8k; ");
}

/* What the runs may depend on, and what they cannot be compared without. */
TEST(fingerprints)
{
	static const char same[] =
		"desc: Counting: valgrind\ndesc: CPU: avx\n"
		"desc: Kernel: Linux 6\ndesc: Environment: 1\n"
		"desc: C library: glibc 2.36\ndesc: Program: 0a /x/prog\n"
		"desc: Build-id: 01 /lib/ld.so\ndesc: Build-id: 02 /lib/libc.so\n"
		"desc: Build-id: none /lib/libm.so\nevents: Ir\n";
	static const char other[] =
		"desc: Counting: architectural\ndesc: CPU: avx2\n"
		"desc: Kernel: Linux 7\ndesc: Environment: 2\n"
		"desc: C library: glibc 2.37\ndesc: Program: 0b /y/prog\n"
		"desc: Build-id: 01 /lib/ld.so\ndesc: Build-id: 03 /usr/libc.so\n"
		"desc: Build-id: 04 /lib/libm.so\ndesc: Build-id: 05 /lib/new.so\n"
		"events: Ir\n";

	CHECK_STR(unlike(same, same), "");
	CHECK_STR(unlike(same, "events: Ir\n"), "");
	CHECK_STR(unlike("events: Ir\n", other), "Counting: -, architectural; ");
	CHECK_STR(unlike(same, other),
		  "Counting: valgrind, architectural; CPU: avx, avx2; "
		  "minor Kernel: Linux 6, Linux 7; minor Environment: 1, 2; "
		  "minor C library: glibc 2.36, glibc 2.37; minor build of libc.so: 02, 03; ");
	CHECK_STR(unlike("desc: Options: --fn-skip=f\nevents: Ir\n", "events: Ir\n"),
		  "Options: --fn-skip=f, -; ");
	/* Plug-ins may share a name: one with its like is not another build's. */
	CHECK_STR(unlike("desc: Build-id: 01 /a/p.so\ndesc: Build-id: 02 /b/p.so\nevents: Ir\n",
			 "desc: Build-id: 02 /a/p.so\ndesc: Build-id: 01 /b/p.so\nevents: Ir\n"),
		  "");
	CHECK_STR(unlike("desc: Build-id: 01 /a/p.so\ndesc: Build-id: 02 /b/p.so\nevents: Ir\n",
			 "desc: Build-id: 03 /a/p.so\ndesc: Build-id: 04 /b/p.so\nevents: Ir\n"),
		  "minor build of p.so: 01, 03; ");
}

/* What passes is what differs, and minus what passes the other way round. */
TEST(back_and_forth)
{
	struct model old_model, new_model, forth, back, sum;
	struct builder builder;
	struct filter_nonzero nonzero;
	struct model_call call;
	uint64_t n_lines = 0, n_calls = 0;

	model_of(&old_model, "events: Ir Dr\n" OLD_BODY);
	model_of(&new_model, "events: Ir Dr\n" NEW_BODY);
	model_init(&forth);
	model_init(&back);
	model_init(&sum);
	CHECK(model_add(&forth, &new_model, 1) == PROFILE_OK &&
	      model_add(&forth, &old_model, -1) == PROFILE_OK);
	CHECK(model_add(&back, &old_model, 1) == PROFILE_OK &&
	      model_add(&back, &new_model, -1) == PROFILE_OK);
	builder_init(&builder, &sum, NULL);
	filter_nonzero_init(&nonzero, &builder.visitor, false, NULL);
	builder_begin_file(&builder, NULL, forth.names);
	CHECK_EQ_U64((uint64_t)model_walk(&forth, NULL, &nonzero.filter.visitor), PROFILE_OK);
	builder_begin_file(&builder, NULL, back.names);
	CHECK_EQ_U64((uint64_t)model_walk(&back, NULL, &nonzero.filter.visitor), PROFILE_OK);
	CHECK_EQ_U64((uint64_t)builder_finish(&builder), PROFILE_OK);
	builder_release(&builder);
	/* Of all lines, 21, 22 of work and 40 of gone and fresh have passed; they cancel out. */
	for (uint32_t i = 0; i < sum.n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(&sum, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			CHECK(line.costs[0] == 0 && line.costs[1] == 0);
			CHECK(line.at.line == 21 || line.at.line == 22 || line.at.line == 40);
			n_lines++;
		}
		model_calls(&sum, i, 0, &cursor);
		while (model_next_call(&cursor, &call)) {
			CHECK(call.count == 0 && call.costs[0] == 0 && call.costs[1] == 0);
			n_calls++;
		}
	}
	CHECK_EQ_U64(n_lines, 4);
	CHECK_EQ_U64(n_calls, 3);
	model_release(&forth);
	model_release(&back);
	model_release(&sum);
	model_release(&old_model);
	model_release(&new_model);
}

/* Of each kind one that is 0 and one that is not; and a header in place of another. */
TEST(filtered)
{
	static const char text[] = "pid: 7\ncmd: a\ndesc: x: y\nevents: Ir\nfn=f\n1 0\n2 5\ncfn=g\n"
				   "calls=0 1\n3 0\ncalls=0 1\n4 1\ncalls=1 1\n5 0\n"
				   "jump=0 1\n6\njump=1 1\n7\njcnd=0/3 1\n8\nfn=g\n1 -1\n";
	static const char passed[] =
		"cmd: b\ndesc: z\nevents: Ir\nfn=f\n2 5\ncfn=g\ncalls=0 1\n4 1\n"
		"calls=1 1\n5 0\njump=1 1\n7\njcnd=0/3 1\n8\nfn=g\n1 -1\n";
	const struct part_desc desc = { "z", "" };
	const struct part header = { .cmd = "b", .descs = &desc, .n_descs = 1 };
	struct model whole, some, want;
	struct builder builder;
	struct filter_nonzero nonzero;
	const struct reader_options reading = { .lenient = false };

	model_of(&whole, text);
	model_init(&some);
	builder_init(&builder, &some, NULL);
	filter_nonzero_init(&nonzero, &builder.visitor, false, &header);
	builder_begin_file(&builder, NULL, whole.names);
	CHECK_EQ_U64((uint64_t)model_walk(&whole, NULL, &nonzero.filter.visitor), PROFILE_OK);
	CHECK_EQ_U64((uint64_t)builder_finish(&builder), PROFILE_OK);
	builder_release(&builder);
	model_of(&want, passed);
	CHECK_EQUAL_MODELS(&some, &want);
	model_release(&want);
	model_release(&some);

	/* With zeros, all passes. */
	model_init(&some);
	builder_init(&builder, &some, NULL);
	filter_nonzero_init(&nonzero, &builder.visitor, true, NULL);
	builder_begin_file(&builder, NULL, whole.names);
	CHECK_EQ_U64((uint64_t)model_walk(&whole, NULL, &nonzero.filter.visitor), PROFILE_OK);
	CHECK_EQ_U64((uint64_t)builder_finish(&builder), PROFILE_OK);
	builder_release(&builder);
	CHECK_EQUAL_MODELS(&some, &whole);
	model_release(&some);
	model_release(&whole);

	/* Without a visitor nothing is reported. */
	{
		const struct visitor nobody = { 0 };
		static const char commented[] = "# x\nevents: Ir\nfn=f\n1 -1\ncfn=f\ncalls=1 1\n"
						"1 1\njump=1 1\n1\n";

		const struct reader_text input = { commented, sizeof(commented) - 1, "x" };

		filter_nonzero_init(&nonzero, &nobody, true, NULL);
		CHECK_EQ_U64((uint64_t)read_profile(&input, &reading, &nonzero.filter.visitor, NULL,
						    NULL),
			     PROFILE_OK);
	}
}

/* Lines of files that both have, in two spellings, and that one has; two instructions of a line. */
TEST(line_files)
{
	static const char *const want[] = { "a.h:3 4 0", "b.c:1 3 4", "c.h:3 0 4" };
	struct pair pair;
	struct arena arena;
	struct difference_line *lines;
	size_t n;

	pair_init(&pair,
		  "positions: instr line\nevents: Ir\nfl=b.c\nfn=f\n0x1 1 1\n0x2 1 2\nfi=a.h\n"
		  "0x3 3 4\nfi=./d.h\n0x4 1 1\n",
		  "positions: instr line\nevents: Ir\nfl=b.c\nfn=f\n0x1 1 4\nfi=d.h\n0x3 1 1\n"
		  "fi=c.h\n0x4 3 4\n");
	arena_init(&arena);
	CHECK_EQ_U64((uint64_t)difference_lines(&pair.difference, 0, &arena, &lines, &n),
		     PROFILE_OK);
	CHECK_EQ_U64(n, 3);
	for (size_t i = 0; i < n && i < 3; i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s:%d %d %d", lines[i].file.text, (int)lines[i].line,
			 (int)lines[i].old_costs[0], (int)lines[i].new_costs[0]);
		CHECK_STR(text, want[i]);
	}
	arena_release(&arena);
	pair_release(&pair);
}

/* The program is another file; of what it does, main is as it was. */
TEST(moved)
{
	struct pair pair;
	struct model sum, want;
	struct builder builder;
	struct filter_renamed moved;

	pair_init(&pair, old_text, new_text);
	model_init(&sum);
	builder_init(&builder, &sum, NULL);
	filter_renamed_init(&moved, &pair.difference, &builder.visitor);
	builder_begin_file(&builder, NULL, pair.old_model.names);
	CHECK_EQ_U64((uint64_t)model_walk(&pair.old_model, NULL, &moved.filter.visitor),
		     PROFILE_OK);
	CHECK_EQ_U64((uint64_t)builder_finish(&builder), PROFILE_OK);
	builder_release(&builder);
	/* gone is in no object of NEW, and stays where it was. */
	model_of(&want, "events: Ir Dr\nob=v2/prog\nfl=a.c\nfn=main\n1 10 1\ncfn=work\n"
			"calls=2 20\n2 100 10\ncob=v1/prog\ncfn=gone\ncalls=1 40\n3 7 1\n"
			"fn=work\n20 60 6\n21 40 4\nob=v1/prog\nfn=gone\n40 7 1\n");
	CHECK_EQUAL_MODELS(&sum, &want);
	model_release(&want);
	model_release(&sum);
	pair_release(&pair);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(functions),     CHECK_TEST(arcs),
		CHECK_TEST(changed_lines), CHECK_TEST(itself),
		CHECK_TEST(objects),       CHECK_TEST(renamed),
		CHECK_TEST(other_files),   CHECK_TEST(lines_of_other_files),
		CHECK_TEST(event_names),   CHECK_TEST(signs),
		CHECK_TEST(likeness),      CHECK_TEST(ends),
		CHECK_TEST(curves),        CHECK_TEST(machines),
		CHECK_TEST(fingerprints),  CHECK_TEST(back_and_forth),
		CHECK_TEST(filtered),      CHECK_TEST(line_files),
		CHECK_TEST(moved),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
