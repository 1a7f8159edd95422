/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model makes of what it receives: functions, sums, files, events, parts. */
#include "tests/common/model_fixture.h"

#include <inttypes.h>

#include "profile/common/dictionary.h"
#include "profile/common/event_names.h"

static const char extended[] =
	"# callgrind format\nevents: Instructions\nfl=file1.c\nfn=main\n16 20\ncfn=func1\n"
	"calls=1 50\n16 400\ncfi=file2.c\ncfn=func2\ncalls=3 20\n16 400\nfn=func1\n51 100\n"
	"cfi=file2.c\ncfn=func2\ncalls=2 20\n51 300\nfl=file2.c\nfn=func2\n20 700\n";

static uint64_t inclusive_named(const struct inclusive *inclusive, const struct model *model,
				const char *name)
{
	return inclusive_of(inclusive, function_named(model, name))[0];
}

/* "Inclusive cost of main is 820" */
TEST(extended_example)
{
	struct model model;
	struct inclusive inclusive;
	struct model_cursor cursor;
	struct model_call call;
	uint64_t total;

	model_of(&model, extended);
	CHECK_EQ_U64(model.n_functions, 3);
	CHECK(model_totals(&model, &total));
	CHECK_EQ_U64(total, 820);
	CHECK_EQ_U64((uint64_t)inclusive_compute(&inclusive, &model, NULL), PROFILE_OK);
	CHECK_EQ_U64(inclusive_named(&inclusive, &model, "main"), 820);
	CHECK_EQ_U64(inclusive_named(&inclusive, &model, "func1"), 400);
	CHECK_EQ_U64(inclusive_named(&inclusive, &model, "func2"), 700);
	CHECK_EQ_U64(inclusive_self(&inclusive, function_named(&model, "func1"))[0], 100);
	CHECK_EQ_U64(inclusive.called[function_named(&model, "func2")], 5);
	CHECK_EQ_U64(inclusive.n_cycles, 0);
	inclusive_release(&inclusive);
	model_calls(&model, function_named(&model, "main"), 0, &cursor);
	CHECK(model_next_call(&cursor, &call));
	CHECK_EQ_U64(call.callee, function_named(&model, "func1"));
	CHECK_EQ_U64(call.count, 1);
	CHECK_EQ_U64(call.at.line, 16);
	CHECK_EQ_U64(call.target.line, 50);
	CHECK_EQ_U64(call.costs[0], 400);
	CHECK(model_next_call(&cursor, &call));
	CHECK_EQ_U64(call.callee, function_named(&model, "func2"));
	CHECK(!model_next_call(&cursor, &call));
	model_release(&model);
}

/* The canonical text is checked once by hand; other tests compare with it. */
TEST(canonical_text)
{
	struct model model;
	struct test_env t;

	model_of(&model,
		 "creator: me\ncmd: ./a\npid: 7\ndesc: Trigger: End\nevent: Ir : Instr\n"
		 "event: S = 2 Ir\npositions: instr line\nevents: Ir Dr\nsummary: 9 9\nob=o\n"
		 "fl=a.c\nfn=f\n0x20 5 1\n0x10 4 2 3\nfi=b.h\n0x20 6 0\nfe=a.c\n0x20 5 1 1\n"
		 "cfn=g\ncalls=2 0x40 8\n0x10 4 7\njump=3 0x20 5\n0x10 4\n"
		 "jcnd=1/2 0x10 4\n0x20 5\ntotals: 4 4\n");
	test_env_init(&t);
	CHECK_STR(canon_of(&model, &t),
		  "part creator 2:me cmd 3:./a pid 7 positions 3\n"
		  "desc 7:Trigger 3:End\nevent 2:Ir : 5:Instr\nevent 1:S = 4:2 Ir\n 2:Ir 2:Dr\n"
		  "summary = 9 9\n"
		  "in 1:o 3:a.c 1:f 3:a.c\n"
		  "0x10 4 = 2 3\n0x10 4 calls 2 1:o 3:a.c 1:g at 0x40 8 = 7\n"
		  "0x10 4 jump 3/3 3:a.c to 0x20 5\n"
		  "0x20 5 = 2 1\n0x20 5 jcnd 1/2 3:a.c to 0x10 4\n"
		  "in 1:o 3:a.c 1:f 3:b.h\n0x20 6 =\n"
		  "totals = 4 4\n");
	CHECK(test_env_release(&t));
	model_release(&model);
}

/* The same position is one, the same function is one, wherever they come. */
TEST(repeated_positions)
{
	struct model a, b;

	model_of(&a, "events: Ir Dr\nfl=a.c\nfn=f\n3 1\n1 2 5\n3 4 1\n2 0\n3 1\nfn=g\n1 1\nfn=f\n"
		     "1 1\n9 9\ncfn=g\ncalls=1 5\n1 2\ncfn=h\ncalls=1 6\n1 1 1\ncfn=g\n"
		     "calls=2 4\n1 3 4\njump=1 2\n1\njump=2 2\n1\njcnd=1/2 2\n1\n");
	model_of(&b, "events: Ir Dr\nfl=a.c\nfn=f\n1 3 5\ncfn=g\ncalls=3 4\n1 5 4\ncfn=h\n"
		     "calls=1 6\n1 1 1\njump=3 2\n1\njcnd=1/2 2\n1\n2 0\n3 6 1\n9 9\n"
		     "fn=g\n1 1\n");
	CHECK_EQUAL_MODELS(&a, &b);
	model_release(&a);
	model_release(&b);
}

TEST(who_is_who)
{
	struct model model;

	model_of(&model, "events: Ir\nob=o\nfl=a.c\nfn=f\n1 1\nfl=b.c\nfn=f\n1 1\nob=p\nfn=f\n1 1\n"
			 "fn=f'2\n1 1\nfn=f\n1 1\n");
	CHECK_EQ_U64(model.n_functions, 4); /* a.c:f b.c:f in o, b.c:f b.c:f'2 in p */
	CHECK(model.has_objects);
	model_release(&model);
	model_of(&model, "events: Ir\nfn=f\n1 1\n");
	CHECK(!model.has_objects);
	model_release(&model);
}

TEST(file_names)
{
	static const struct {
		const char *name, *clean;
	} names[] = {
		{ "a.c", NULL },
		{ "./a.c", "a.c" },
		{ "dir//a.c", "dir/a.c" },
		{ "/./a//b/./c", "/a/b/c" },
		{ "//a", "/a" },
		{ "a/../b", NULL },
		{ ".", NULL },
		{ "./", "." },
		{ "././.", "." },
		{ "/", NULL },
		{ "//", "/" },
		{ "a/", "a" },
		{ "a/.", "a" },
		{ "", NULL },
		{ "???", NULL },
		{ ".a/b.", NULL },
		{ "..", NULL },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *name = names[i].name;
		char clean[16] = "";

		clean[filename_clean(name, strlen(name), clean)] = '\0';
		CHECK_STR(clean, names[i].clean ? names[i].clean : name);
		CHECK(filename_is_unclean(name, strlen(name)) == (names[i].clean != NULL));
	}
}

/* Spellings of a file are one file, shown as the least of them, whichever comes first. */
TEST(spellings)
{
	static const char *const texts[] = {
		"events: Ir\nob=./o\nfl=./a.c\nfn=f\n1 1\nob=o\nfl=a.c\nfn=f\n1 2\nfi=.//a.c\n2 3\n",
		"events: Ir\nob=o\nfl=.//a.c\nfn=f\n1 1\nob=./o\nfl=./a.c\nfn=f\n1 2\nfi=a.c\n2 3\n",
	};

	for (size_t i = 0; i < 2; i++) {
		struct model model;
		struct model_cursor cursor;
		struct model_line line;
		struct name file, object;

		model_of(&model, texts[i]);
		CHECK_EQ_U64(model.n_functions, 1);
		file = model_name(&model, NAME_FILE, model.functions[0].file);
		CHECK_STR(file.text, ".//a.c");
		CHECK_EQ_U64(file.key, model.functions[0].file);
		object = model_name(&model, NAME_OBJECT, model.functions[0].object);
		CHECK_STR(object.text, "./o");
		model_lines(&model, 0, 0, &cursor);
		CHECK(model_next_line(&cursor, &line) && line.file == file.key);
		CHECK_EQ_U64(line.costs[0], 3);
		CHECK(model_next_line(&cursor, &line) && line.file == file.key);
		CHECK(!model_next_line(&cursor, &line));
		model_release(&model);
	}
}

TEST(events_by_name)
{
	struct model model;
	struct model_cursor cursor;
	struct model_line line;
	uint64_t totals[4];

	/* By their names, whatever the columns; I2mr of Valgrind 3.2 is ILmr. */
	model_of(&model, "events: Ir I2mr\nfn=f\n1 1 2\nevents: Dr ILmr Ir\nfn=f\n1 10 20 30\n");
	CHECK_EQ_U64(model.n_events, 3);
	CHECK_STR(model.events[1].name, "I2mr");
	CHECK_STR(model.events[2].name, "Dr");
	CHECK_EQ_U64(model_event(&model, "ILmr"), 1);
	CHECK_EQ_U64(model_event(&model, "DLmr"), 3);
	model_lines(&model, 0, 0, &cursor);
	CHECK(model_next_line(&cursor, &line));
	CHECK_EQ_U64(line.costs[0], 31);
	CHECK_EQ_U64(line.costs[1], 22);
	CHECK_EQ_U64(line.costs[2], 10);
	CHECK(!model_next_line(&cursor, &line));
	CHECK(model_totals(&model, totals));
	CHECK_EQ_U64(totals[0], 31);
	CHECK_EQ_U64(totals[1], 22);
	CHECK_EQ_U64(totals[2], 10);
	model_release(&model);
	CHECK_STR(event_name("D2mw"), "DLmw");
	CHECK_STR(event_name("Foo"), "Foo");
	CHECK_STR(event_find("Ir")->long_name, "Instructions executed");
	CHECK(event_find("Foo") == NULL);
}

TEST(chosen_events)
{
	static const char *const wanted[] = { "Dw", "Ir" };
	const struct builder_options options = { .events = wanted, .n_events = 2 };
	struct model model;
	uint64_t totals[2];

	model_init(&model);
	CHECK_EQ_U64((uint64_t)add_text(&model, "events: Ir Dr Dw\nfn=f\n1 1 2 3\n2 4\n", &options),
		     PROFILE_OK);
	CHECK_EQ_U64(model.n_events, 2);
	CHECK(model_totals(&model, totals));
	CHECK_EQ_U64(totals[0], 3);
	CHECK_EQ_U64(totals[1], 5);
	model_release(&model);
}

static bool wants_second(void *ctx, const struct part *part)
{
	(void)ctx;
	return part->number == 2;
}

static const char two_parts[] =
	"pid: 1\npart: 1\nevents: Ir\nsummary: 4\nfn=f\n1 1\n2 2\ntotals: 3\n"
	"part: 2\nthread: 5\nevents: Ir Dr\nfn=f\n2 10 20\ntotals: 10 20\n";

TEST(parts)
{
	const struct builder_options separate = { .separate_parts = true };
	const struct builder_options second = { .wants_part = wants_second };
	struct model model, other;
	struct model_cursor cursor;
	struct model_line line;
	uint64_t sums[2];

	model_of(&model, two_parts);
	CHECK_EQ_U64(model.n_parts, 2);
	CHECK_EQ_U64(model_cost_parts(&model), 1);
	CHECK_EQ_U64(model.parts[1].header.thread, 5);
	CHECK_STR(model.parts[0].file, "text");
	CHECK_EQ_U64(model.parts[0].sums[0], 3);
	CHECK_EQ_U64(model.parts[0].summary[0], 4);
	CHECK_EQ_U64(model.parts[1].totals[1], 20);
	CHECK(model.parts[1].summary == NULL);
	CHECK(model_summary(&model, sums));
	CHECK_EQ_U64(sums[0], 14); /* what the first says, and the totals of the second */
	model_lines(&model, 0, 0, &cursor);
	CHECK(model_next_line(&cursor, &line) && line.costs[0] == 1);
	CHECK(model_next_line(&cursor, &line) && line.costs[0] == 12);
	model_release(&model);

	model_init(&model);
	CHECK_EQ_U64((uint64_t)add_text(&model, two_parts, &separate), PROFILE_OK);
	CHECK_EQ_U64(model_cost_parts(&model), 2);
	model_lines(&model, 0, 0, &cursor);
	CHECK(model_next_line(&cursor, &line) && line.costs[0] == 1);
	CHECK(model_next_line(&cursor, &line) && line.costs[0] == 2);
	CHECK(!model_next_line(&cursor, &line));
	model_lines(&model, 0, 1, &cursor);
	CHECK(model_next_line(&cursor, &line) && line.costs[0] == 10);
	CHECK(!model_next_line(&cursor, &line));
	CHECK(model_has(&model, 0, 1));
	model_release(&model);

	model_init(&model);
	CHECK_EQ_U64((uint64_t)add_text(&model, two_parts, &second), PROFILE_OK);
	model_of(&other, "part: 2\nthread: 5\nevents: Ir Dr\nfn=f\n2 10 20\ntotals: 10 20\n");
	CHECK_EQUAL_MODELS(&model, &other);
	model_release(&other);
	model_release(&model);
}

/* Parts that are kept apart can be walked as one. */
TEST(parts_as_one)
{
	const struct builder_options separate = { .separate_parts = true };
	const struct walk_options one = { .one_part = true };
	struct model apart, joined, sum;
	struct builder builder;

	model_init(&apart);
	CHECK_EQ_U64((uint64_t)add_text(&apart, two_parts, &separate), PROFILE_OK);
	model_of(&sum, two_parts);
	model_init(&joined);
	builder_init(&builder, &joined, NULL);
	builder_begin_file(&builder, NULL, apart.names);
	CHECK_EQ_U64((uint64_t)model_walk(&apart, &one, &builder.visitor), PROFILE_OK);
	CHECK_EQ_U64((uint64_t)builder_finish(&builder), PROFILE_OK);
	builder_release(&builder);
	CHECK_EQUAL_MODELS(&joined, &sum);
	model_release(&apart);
	model_release(&sum);
	model_release(&joined);
}

/* What is added up does not depend on the order. */
TEST(order_of_files)
{
	static const char *const texts[] = {
		"events: Ir\nfl=./a.c\nfn=f\n1 1\n2 1\ncfn=g\ncalls=1 9\n1 5\nfi=z.h\n1 1\n",
		"events: Ir\nfl=a.c\nfn=g\n9 9\nfn=f\n2 5\ncfn=g\ncalls=1 8\n1 5\nfi=b.h\n1 1\n",
		"events: Ir\nfl=b.c\nfn=f\n1 1\nfl=a.c\nfn=f\n1 7\njump=1 2\n1\n",
	};
	static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					  { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	struct test_env first, t;

	test_env_init(&first);
	for (int i = 0; i < 6; i++) {
		struct model model;

		model_init(&model);
		for (int j = 0; j < 3; j++)
			CHECK_EQ_U64((uint64_t)add_text(&model, texts[orders[i][j]], NULL),
				     PROFILE_OK);
		test_env_init(&t);
		emitted(&model, WALK_BY_NAME, i == 0 ? &first : &t);
		if (i > 0)
			CHECK_STR(t.text, first.text);
		CHECK(test_env_release(&t));
		model_release(&model);
	}
	CHECK(test_env_release(&first));
}

/* In each function, names decide between files, callees and targets of jumps, not when they came. */
TEST(order_in_a_function)
{
	static const char *const texts[] = {
		"events: Ir\nfl=a.c\nfn=f\nfi=y.h\n1 1\nfi=b.h\n1 2\nfn=g\n1 3\ncfn=k\ncalls=1 1\n"
		"1 4\ncfn=h\ncalls=1 1\n1 5\nfn=j\njfi=y.h\njump=1 2\n1\njfi=b.h\njump=1 2\n1\n",
		"events: Ir\nfl=a.c\nfn=h\nfn=f\nfi=b.h\n1 2\nfi=y.h\n1 1\nfn=g\n1 3\ncfn=h\n"
		"calls=1 1\n1 5\ncfn=k\ncalls=1 1\n1 4\nfn=j\njfi=b.h\njump=1 2\n1\njfi=y.h\n"
		"jump=1 2\n1\n",
	};
	struct test_env emissions[2];

	for (int i = 0; i < 2; i++) {
		struct model model;

		model_of(&model, texts[i]);
		test_env_init(&emissions[i]);
		emitted(&model, WALK_BY_NAME, &emissions[i]);
		model_release(&model);
	}
	CHECK(strstr(emissions[0].text, "b.h\n"));
	CHECK_STR(emissions[0].text, emissions[1].text);
	CHECK(test_env_release(&emissions[0]));
	CHECK(test_env_release(&emissions[1]));
}

/* Around each number of bits and of digits, as a count and as a step from line to line. */
TEST(numbers_of_all_lengths)
{
	static const uint64_t bases[] = { 2, 10 };

	for (size_t i = 0; i < 2; i++)
		for (uint64_t power = 1; power <= UINT64_MAX / bases[i]; power *= bases[i])
			for (int step = -1; step <= 1; step++) {
				uint64_t number = power * bases[i] + (uint64_t)step;
				struct model_cursor cursor;
				struct model_line line;
				struct model model;
				char text[160];

				snprintf(text, sizeof(text),
					 "events: Ir Dr\nfn=f\n%" PRIu64 " %" PRIu64 " 0\n0 0 7\n",
					 number, number);
				model_of(&model, text);
				model_lines(&model, function_named(&model, "f"), 0, &cursor);
				CHECK(model_next_line(&cursor, &line));
				CHECK_EQ_U64(line.at.line, 0);
				CHECK_EQ_U64(line.costs[0], 0);
				CHECK_EQ_U64(line.costs[1], 7);
				CHECK(model_next_line(&cursor, &line));
				CHECK_EQ_U64(line.at.line, number);
				CHECK_EQ_U64(line.costs[0], number);
				CHECK_EQ_U64(line.costs[1], 0);
				CHECK(!model_next_line(&cursor, &line));
				model_release(&model);
			}
}

/* Functions only: one line each, at no position. */
TEST(no_positions)
{
	const struct builder_options options = { .no_positions = true };
	struct model a, b;

	model_init(&a);
	CHECK_EQ_U64((uint64_t)add_text(&a,
					"events: Ir\nfl=a.c\nfn=f\n1 1\nfi=b.h\n7 2\ncfn=g\n"
					"calls=1 5\n7 3\ncalls=2 6\n8 4\njump=1 2\n3\nfn=g\n5 0\n",
					&options),
		     PROFILE_OK);
	model_of(&b, "events: Ir\nfl=a.c\nfn=f\n0 3\ncfn=g\ncalls=1 0\n0 3\ncfi=b.h\ncalls=2 0\n"
		     "0 4\nfn=g\n0 0\n");
	model_release(&b);
	/* The callee is in the file of the moment, so both calls are of g in b.h. */
	model_of(&b, "events: Ir\nfl=a.c\nfn=f\n0 3\ncfi=b.h\ncfn=g\ncalls=3 0\n0 7\nfn=g\n0 0\n");
	CHECK_EQUAL_MODELS(&a, &b);
	model_release(&a);
	model_release(&b);
}

/* Names are changed as they come in; what becomes equal is one. */
static bool fold_templates(void *ctx, enum name_kind kind, const char **text, size_t *len)
{
	static char folded[64];
	const char *open = memchr(*text, '<', *len);
	size_t *calls = ctx;

	(*calls)++;
	if (kind != NAME_FUNCTION || !open)
		return false;
	*len = (size_t)snprintf(folded, sizeof(folded), "%.*s<>", (int)(open - *text), *text);
	*text = folded;
	return true;
}

TEST(renaming)
{
	size_t calls = 0;
	const struct builder_options options = { .rename = fold_templates, .ctx = &calls };
	struct model a, b;

	model_init(&a);
	CHECK_EQ_U64((uint64_t)add_text(&a,
					"events: Ir\nfn=f<int>\n1 1\nfn=f<char>\n1 2\ncfn=f<int>\n"
					"calls=1 1\n1 5\nfn=f<int>\n1 4\n",
					&options),
		     PROFILE_OK);
	CHECK_EQ_U64(calls, 4); /* "???" as object and as file, two functions */
	model_of(&b, "events: Ir\nfn=f<>\n1 7\ncfn=f<>\ncalls=1 1\n1 5\n");
	CHECK_EQUAL_MODELS(&a, &b);
	model_release(&a);
	model_release(&b);
}

/* Sums are refused where they would be wrong. */
TEST(ranges)
{
	static const struct {
		const char *text;
		int status;
	} cases[] = {
		{ "events: Ir\nfn=f\n1 18446744073709551615\n", PROFILE_OK },
		{ "events: Ir\nfn=f\n1 18446744073709551615\n1 1\n", PROFILE_RANGE },
		{ "events: Ir\nfn=f\n1 18446744073709551615\n2 1\n", PROFILE_RANGE },
		{ "events: Ir\nfn=f\n1 18446744073709551615\nfn=g\n2 1\n", PROFILE_RANGE },
		{ "events: Ir\nfn=f\n1 9223372036854775807\nfn=g\n2 -1\n2 1\n", PROFILE_OK },
		{ "events: Ir\nfn=f\n1 9223372036854775807\nfn=g\n2 -1\n2 2\n", PROFILE_RANGE },
		{ "events: Ir\nfn=f\n1 -9223372036854775808\nfn=g\n2 -1\n", PROFILE_RANGE },
		{ "events: Ir\nfn=f\ncfn=g\ncalls=18446744073709551615 1\n1 2\ncalls=1 1\n1 2\n",
		  PROFILE_RANGE },
		/* Calls may nest. */
		{ "events: Ir\nfn=f\ncfn=g\ncalls=1 1\n1 18446744073709551615\ncalls=1 1\n1 1\n",
		  PROFILE_OK },
		{ "events: Ir\nfn=f\njump=18446744073709551615 1\n1\njump=1 1\n1\n",
		  PROFILE_RANGE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct model model;

		model_init(&model);
		if (!CHECK(add_text(&model, cases[i].text, NULL) == cases[i].status))
			printf("# case %zu\n", i);
		model_release(&model);
	}
}

/* Large counts of one file cannot be next to counts below 0 of another. */
TEST(large_and_negative)
{
	struct model model;

	model_of(&model, "events: Ir\nfn=f\n1 9223372036854775808\n");
	CHECK(model.has_large);
	CHECK_EQ_U64((uint64_t)add_text(&model, "events: Ir\nfn=g\n1 -1\n", NULL), PROFILE_RANGE);
	model_release(&model);
	/* Nor can sums of small ones. */
	model_of(&model, "events: Ir\nfn=f\n1 9223372036854775807\nfn=g\n1 1\n");
	CHECK_EQ_U64((uint64_t)add_text(&model, "events: Ir\nfn=g\n1 -1\n", NULL), PROFILE_RANGE);
	model_release(&model);
	model_of(&model, "events: Ir\nfn=f\n1 5\n2 -7\n");
	CHECK(model.is_signed);
	model_release(&model);
}

TEST(hostile_ids)
{
	struct model model;
	char text[256];

	/* Each id is far from the others; about 10 MB would be all that one could be misled into. */
	snprintf(text, sizeof(text),
		 "events: Ir\nfn=(9223372036854775808) f\n1 1\n"
		 "fn=(18446744073709551615) g\n1 2\nfn=(4294967296) h\n1 3\n"
		 "fn=(65536) i\n1 4\n");
	model_of(&model, text);
	CHECK_EQ_U64(model.n_functions, 4);
	CHECK(model_bytes(&model) < 100000);
	model_release(&model);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(extended_example),
		CHECK_TEST(canonical_text),
		CHECK_TEST(repeated_positions),
		CHECK_TEST(who_is_who),
		CHECK_TEST(file_names),
		CHECK_TEST(spellings),
		CHECK_TEST(events_by_name),
		CHECK_TEST(chosen_events),
		CHECK_TEST(parts),
		CHECK_TEST(parts_as_one),
		CHECK_TEST(order_of_files),
		CHECK_TEST(order_in_a_function),
		CHECK_TEST(numbers_of_all_lengths),
		CHECK_TEST(no_positions),
		CHECK_TEST(renaming),
		CHECK_TEST(ranges),
		CHECK_TEST(large_and_negative),
		CHECK_TEST(hostile_ids),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
