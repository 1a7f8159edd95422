/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * writer/: files written with it are compared, byte for byte, with those in
 * tests/golden/writer.  Some of these are the examples of the format
 * specification.
 *
 *	writer_test [--update] [TOP_SRCDIR]
 *
 * TOP_SRCDIR is the environment's top_srcdir if not given, and else ".".
 * --update rewrites our own files that differ and says which.
 */
#include "writer/writer.h"

#include "tests/common/check.h"
#include "tests/writer/writer_fixture.h"

static const char *top_srcdir;
static bool update;

/* The whole file, or NULL; the caller frees it. */
static char *read_whole(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t capacity = 1 << 16;
	char *text = malloc(capacity + 1);
	size_t len;

	if (!file || !text) {
		free(text);
		if (file)
			fclose(file);
		return NULL;
	}
	len = fread(text, 1, capacity, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

static void write_whole(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");

	CHECK(file != NULL);
	if (!file)
		return;
	CHECK_EQ_U64(fwrite(text, 1, strlen(text), file), strlen(text));
	CHECK_EQ_U64(fclose(file), 0);
}

/* Like end(); the wanted text is in the file of that name. */
static void end_as(struct recording *s, const char *name, bool may_update)
{
	char path[4096];
	char *want;

	snprintf(path, sizeof(path), "%s/tests/golden/writer/%s.expected", top_srcdir, name);
	want = read_whole(path);
	writer_finish(&s->writer);
	if (may_update && (!want || strcmp(want, s->env.text) != 0)) {
		write_whole(path, s->env.text);
		printf("# updated %s\n", path);
		free(want);
		want = read_whole(path);
	}
	end(s, want);
	free(want);
}

/* An example of the specification: the code has to suit it, never the other way round. */
static void end_example(struct recording *s, const char *name)
{
	end_as(s, name, false);
}

static void end_golden(struct recording *s, const char *name)
{
	end_as(s, name, update);
}

/* The specification's examples. */

TEST(example_simple)
{
	struct recording s;
	struct writer *w = begin(&s, &plain);

	writer_format(w);
	events(w, "Cycles", "Instructions", "Flops");
	position(w, SPEC_FL, "file.f", 1);
	position(w, SPEC_FN, "main", 1);
	cost3(w, at(0, 15), 90, 14, 2);
	cost3(w, at(0, 16), 20, 12, 0);
	end_example(&s, "simple");
}

enum { FILE1 = 10, FILE2, MAIN = 20, FUNC1, FUNC2 }; /* keys, far from the ids */

static void extended_main(struct writer *w)
{
	position(w, SPEC_FL, "file1.c", FILE1);
	position(w, SPEC_FN, "main", MAIN);
	cost(w, at(0, 16), 20);
}

static void extended_rest(struct writer *w)
{
	position(w, SPEC_CFN, "func1", FUNC1);
	calls(w, 1, at(0, 50));
	cost(w, at(0, 16), 400);
	position(w, SPEC_CFI, "file2.c", FILE2);
	position(w, SPEC_CFN, "func2", FUNC2);
	calls(w, 3, at(0, 20));
	cost(w, at(0, 16), 400);
	position(w, SPEC_FN, "func1", FUNC1);
	cost(w, at(0, 51), 100);
	position(w, SPEC_CFI, "file2.c", FILE2);
	position(w, SPEC_CFN, "func2", FUNC2);
	calls(w, 2, at(0, 20));
	cost(w, at(0, 51), 300);
	position(w, SPEC_FL, "file2.c", FILE2);
	position(w, SPEC_FN, "func2", FUNC2);
	cost(w, at(0, 20), 700);
}

TEST(example_extended)
{
	struct recording s;
	struct writer *w = begin(&s, &plain);

	writer_format(w);
	events(w, "Instructions", NULL, NULL);
	extended_main(w);
	extended_rest(w);
	end_example(&s, "extended");
}

TEST(example_names_compressed)
{
	static const struct writer_options options = { POSITION_LINE, true, false };
	struct recording s;
	struct writer *w = begin(&s, &options);

	writer_format(w);
	events(w, "Instructions", NULL, NULL);
	extended_main(w);
	extended_rest(w);
	end_example(&s, "names_compressed");
}

/* The specification's text ends after the first cost line with "...". */
TEST(example_names_up_front)
{
	static const struct writer_options options = { POSITION_LINE, true, false };
	struct recording s;
	struct writer *w = begin(&s, &options);

	writer_format(w);
	events(w, "Instructions", NULL, NULL);
	position(w, SPEC_FL, "file1.c", FILE1);
	position(w, SPEC_FL, "file2.c", FILE2);
	position(w, SPEC_FN, "main", MAIN);
	position(w, SPEC_FN, "func1", FUNC1);
	position(w, SPEC_FN, "func2", FUNC2);
	extended_main(w);
	end_example(&s, "names_up_front");
}

static void subpositions(const struct writer_options *options, const char *golden)
{
	struct recording s;
	struct writer *w = begin(&s, options);

	writer_format(w);
	writer_positions(w);
	events(w, "ticks", NULL, NULL);
	position(w, SPEC_FN, "func", NAME_NO_KEY);
	cost(w, at(0x80001234, 90), 1);
	cost(w, at(0x80001237, 90), 5);
	cost(w, at(0x80001238, 91), 6);
	end_example(&s, golden);
}

TEST(example_subpositions_absolute)
{
	subpositions(&instr_plain, "subpositions_absolute");
}

TEST(example_subpositions_relative)
{
	subpositions(&instr_compressed, "subpositions_relative");
}

TEST(example_event_long_name)
{
	struct recording s;
	struct writer *w = begin(&s, &plain);

	writer_event(w, "Ir", NULL, "Instruction Fetches");
	events(w, "Ir", "Dr", NULL);
	end_example(&s, "event_long_name");
}

TEST(example_event_inherited)
{
	struct recording s;
	struct writer *w = begin(&s, &plain);

	writer_event(w, "Ir", NULL, "Instruction Fetches");
	writer_event(w, "Sum", "Ir + Dr", NULL);
	events(w, "Ir", "Dr", NULL);
	end_example(&s, "event_inherited");
}

/* Our own. */

/* A small profile as the tool writes it; docs/FORMAT.md shows this file. */
TEST(golden_profile)
{
	static const char *const cmd[] = { "./sum", "--file", "a b", "two\nlines" };
	static const uint64_t totals[] = { 37, 6, 2 };
	struct recording s;
	struct writer *w = begin(&s, &instr_compressed);

	writer_format(w);
	writer_version(w);
	writer_creator(w, "costgrind-0.1");
	writer_pid(w, 24275);
	writer_cmd(w, cmd, 4);
	writer_part(w, 1);
	writer_desc(w, "I1 cache", "32768 B, 64 B, 8-way associative");
	writer_desc(w, "D1 cache", "32768 B, 64 B, 8-way associative");
	writer_desc(w, "LL cache", "8388608 B, 64 B, 16-way associative");
	writer_desc(w, "Timerange", "Basic block 0 - 12");
	writer_desc(w, "Trigger", "Program termination");
	writer_event(w, "Ir", NULL, "Instructions executed");
	writer_event(w, "I1mr", NULL, "L1 instruction fetch misses");
	writer_event(w, "ILmr", NULL, "Last-level instruction fetch misses");
	writer_event(w, "EstCyc", "Ir + 10 I1mr + 100 ILmr", "Estimated cycles");
	writer_positions(w);
	events(w, "Ir", "I1mr", "ILmr");
	writer_summary(w, totals);
	writer_blank(w);
	position(w, SPEC_OB, "/home/ann/sum", 0);
	position(w, SPEC_FL, "/home/ann/sum.c", 0);
	position(w, SPEC_FN, "main", 0);
	cost3(w, at(0x401136, 12), 1, 1, 1);
	cost3(w, at(0x401137, 12), 1, 0, 0);
	position(w, SPEC_FI, "/home/ann/add.h", 1);
	cost3(w, at(0x40113a, 3), 10, 1, 0);
	cost3(w, at(0x40113e, 4), 10, 0, 0);
	position(w, SPEC_FE, "/home/ann/sum.c", 0);
	cost3(w, at(0x401141, 14), 10, 1, 0);
	writer_blank(w);
	position(w, SPEC_OB, "/usr/lib/libm.so.6", 1);
	position(w, SPEC_FL, "???", 2);
	position(w, SPEC_FN, "sqrt", 1);
	cost3(w, at(0x1e2f0, 0), 5, 3, 1);
	writer_blank(w);
	writer_totals(w, totals);
	end_golden(&s, "profile");
}

/* One program with a loop and a call chain, in any form. */
static void call_graph(struct writer *w)
{
	const struct position loop = at(0x1040, 7), back = at(0x1052, 9), exit = at(0x1060, 11);

	position(w, SPEC_OB, "/bin/prog", 0);
	position(w, SPEC_FL, "/src/prog.c", 0);
	position(w, SPEC_FN, "main", 0);
	/* The first position of a function may be the source of a call. */
	position(w, SPEC_COB, "/lib/libx.so", 1);
	position(w, SPEC_CFI, "/src/x.c", 1);
	position(w, SPEC_CFN, "start", 1);
	calls(w, 1, at(0x7f00, 100));
	cost3(w, at(0x1038, 5), 30, 4, 1);
	cost3(w, at(0x1040, 7), 100, 50, 0);
	jump(w, 9, loop, back);
	writer_conditional_jump(w, 1, 10, &exit, &loop);
	/* To inlined code: of a file that has an id, and of one that has none and gets none. */
	position(w, SPEC_JFI, "/src/x.c", 1);
	jump(w, 2, at(0x1058, 101), loop);
	position(w, SPEC_JFI, "/src/y.h", 2);
	writer_conditional_jump(w, 3, 4, &(struct position){ 0x105c, 3 }, &loop);
	cost3(w, at(0x1044, 7), 100, 0, 0);
	position(w, SPEC_CFN, "main", 0); /* recursion, same place: neither cob nor cfi */
	calls(w, 2, at(0x1038, 5));
	cost3(w, at(0x1050, 9), 80, 0, 0);
	cost3(w, at(0x1030, 4), 1, 1, 0);
	writer_blank(w);
	position(w, SPEC_OB, "/lib/libx.so", 1);
	position(w, SPEC_FL, "/src/x.c", 1);
	position(w, SPEC_FN, "start", 1);
	cost3(w, at(0x7f00, 100), 30, 4, 1);
}

TEST(regions)
{
	static const uint64_t costs[] = { UINT64_MAX, 0, 12, 0, 0 };
	struct recording s;
	struct writer *w = begin(&s, &plain);

	writer_region(w, &(struct region_line){ "crc/64", 6, 3, 2, false, costs, 5 });
	writer_region(w, &(struct region_line){ "a: costs 1: <b>\n", 16, UINT64_MAX, 1, true,
						costs + 3, 2 });
	writer_region(w, &(struct region_line){ "", 0, 1, 1, false, costs + 2, 1 });
	events(w, "Ir", NULL, NULL);
	end(&s,
	    "desc: Region: 3 times, 2 threads, costs 18446744073709551615 0 12: crc/64\n"
	    "desc: Region: 18446744073709551615 times, 1 threads, not over, costs 0: a: costs 1: <b>\\n\n"
	    "desc: Region: 1 times, 1 threads, costs 12: ???\n"
	    "events: Ir\n");
	w = begin(&s, &plain);
	writer_region(w, &(struct region_line){ "none", 4, 1, 1, false, costs, 0 });
	CHECK(writer_finish(w) != 0);
	writer_release(w);
	CHECK(test_env_release(&s.env));
}

static void call_graph_file(struct recording *s, const struct writer_options *options)
{
	static const uint64_t totals[] = { 231, 55, 1 };
	struct writer *w = begin(s, options);

	writer_format(w);
	writer_version(w);
	writer_creator(w, "writer_test");
	writer_positions(w);
	events(w, "Ir", "Dr", "D1mr");
	writer_summary(w, totals);
	call_graph(w);
	writer_totals(w, totals);
}

TEST(golden_call_graph)
{
	struct recording s;

	call_graph_file(&s, &instr_compressed);
	end_golden(&s, "call_graph");
}

TEST(golden_call_graph_portable)
{
	struct recording s;

	call_graph_file(&s, &plain);
	end_golden(&s, "call_graph_portable");
}

TEST(golden_call_graph_instr)
{
	static const struct writer_options options = { POSITION_INSTR, true, true };
	struct recording s;

	call_graph_file(&s, &options);
	end_golden(&s, "call_graph_instr");
}

/* Ids and positions start afresh, and the parts have different columns. */
TEST(golden_two_parts)
{
	static const uint64_t totals[] = { 12, 3, 0 };
	const char *const cmd[] = { "prog" };
	struct recording s;
	struct writer *w = begin(&s, &compressed);

	writer_format(w);
	writer_version(w);
	writer_creator(w, "writer_test");
	for (uint64_t part = 1; part <= 2; part++) {
		if (part > 1)
			writer_begin_part(w);
		writer_pid(w, 77);
		writer_cmd(w, cmd, 1);
		writer_part(w, part);
		writer_thread(w, part);
		writer_desc(w, "Trigger", part == 1 ? "Client Request: phase 1" : "");
		writer_positions(w);
		events(w, "Ir", part == 1 ? "Dw" : NULL, NULL);
		writer_summary(w, totals);
		position(w, SPEC_FL, "second.c", 1);
		position(w, SPEC_FL, "first.c", 0);
		position(w, SPEC_FN, part == 1 ? "one" : "two", (uint32_t)part);
		writer_cost(w, &(struct position){ .line = 1000 }, totals, 3 - part);
		writer_totals(w, totals);
	}
	end_golden(&s, "two_parts");
}

TEST(golden_hostile_names)
{
	static const char *const names[] = {
		"",
		"???",
		"(1)",
		"(9 lives)",
		"(0)",
		"(below main)",
		"(",
		"((1)",
		" ",
		"  ",
		" blank before",
		"blank after ",
		"f(int, char)",
		"operator\"\" _s",
		"a\nfn=b",
		"\n",
		"a\rb\tc\vd\x7f",
		"\x01\x1f",
		"back\\slash \\n",
		"gr\xc3\xb6\xc3\x9f",
		"\xe2\x82\xac \xf0\x9f\x8e\x89 \xed\x9f\xbf \xf4\x8f\xbf\xbf",
		"latin \xf6 1",
		"overlong \xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf",
		"surrogate \xed\xa0\x80",
		"beyond \xf4\x90\x80\x80 \xf5\x80\x80\x80",
		"c1 \xc2\x85 \xc2\xa0",
		"cut \xe2\x82",
		"cut \xf0",
		"\xc3(1)",
		"\x80 continued",
		"bad second \xc3\x28 third \xe2\x82\x28",
	};
	static const struct name with_nul = { "nul\0nul", 7, 100 };
	const char *const cmd[] = { "./a\\b", "", " c ", "d\ne\tf", "\xff\xc3\xa4", "last  ", "" };
	struct recording s;
	struct writer *w = begin(&s, &compressed);

	writer_cmd(w, cmd, sizeof(cmd) / sizeof(cmd[0]));
	writer_desc(w, "Two words", "a\nevents: b\r");
	writer_desc(w, "Colons", "a: b: c");
	writer_desc(w, "Nothing", " \n");
	writer_event(w, "Ir", NULL, "long\nname");
	writer_event(w, "Dr", NULL, " ");
	writer_event(w, "Sum", "2 Ir + 3*Dr - Ir", "sum: of \xe2\x88\x91");
	events(w, "Ir", "Time_(10ns)", "_x1");
	for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		position(w, SPEC_FN, names[i], i);
		cost(w, at(0, 1), 1);
		position(w, SPEC_FI, names[i], NAME_NO_KEY);
	}
	writer_position(w, SPEC_FN, &with_nul);
	cost(w, at(0, 1), 1);
	end_golden(&s, "hostile_names");
}

/* Positions. */

TEST(relative_where_not_longer)
{
	static const struct writer_options options = { POSITION_LINE, false, true };
	struct recording s;
	struct writer *w = begin_body(&s, &options);

	cost(w, at(0, 5), 1);
	cost(w, at(0, 5), 1);              /* * */
	cost(w, at(0, 6), 1);              /* +1 would be longer than 6 */
	cost(w, at(0, 12), 1);             /* +6 is as long as 12 */
	cost(w, at(0, 22), 1);             /* +10 would be longer */
	cost(w, at(0, 13), 1);             /* -9 */
	cost(w, at(0, 3000), 1);           /* +2987 would be longer */
	cost(w, at(0, 2001), 1);           /* -999 */
	cost(w, at(0, 1001), 1);           /* -1000 would be longer */
	cost(w, at(0, 99999999999), 1);    /* + would be longer */
	cost(w, at(0, 102147483646), 1);   /* + 2^31 - 1 */
	cost(w, at(0, 104294967294), 1);   /* 2^31 more */
	cost(w, at(0, 102147483647), 1);   /* - (2^31 - 1) */
	cost(w, at(0, 99999999999), 1);    /* 2^31 less */
	cost(w, at(0, 0), 1);              /* far */
	cost(w, at(0, UINT64_MAX), 1);     /* not -1 */
	cost(w, at(0, UINT64_MAX - 7), 1); /* -7 */
	cost(w, at(0, 3), 1);              /* not +11 */
	end(&s, "events: Ir\nfl=f\nfn=g\n5 1\n* 1\n6 1\n+6 1\n22 1\n-9 1\n3000 1\n-999 1\n1001 1\n"
		"99999999999 1\n+2147483647 1\n104294967294 1\n-2147483647 1\n99999999999 1\n0 1\n"
		"18446744073709551615 1\n-7 1\n3 1\n");
}

TEST(relative_addresses)
{
	static const struct writer_options options = { POSITION_INSTR, false, true };
	struct recording s;
	struct writer *w = begin_body(&s, &options);

	cost(w, at(0x10, 5), 1);
	cost(w, at(0x10, 9), 1);
	cost(w, at(0x1f, 9), 1);        /* +15 */
	cost(w, at(0xffffffff, 9), 1);  /* far */
	cost(w, at(0x17ffffffe, 9), 1); /* + 2^31 - 1 */
	cost(w, at(0xfffffffe, 9), 1);  /* 2^31 less */
	cost(w, at(UINT64_MAX, 9), 1);
	cost(w, at(UINT64_MAX - 100, 9), 1);
	cost(w, at(0, 9), 1); /* not + 101 */
	end(&s, "positions: instr\nevents: Ir\nfl=f\nfn=g\n0x10 1\n* 1\n+15 1\n0xffffffff 1\n"
		"+2147483647 1\n0xfffffffe 1\n0xffffffffffffffff 1\n-100 1\n0x0 1\n");
}

/* Sources move the basis, targets do not; a function's first position is absolute. */
TEST(basis_of_relative_positions)
{
	struct recording s;
	struct writer *w = begin_body(&s, &compressed);

	jump(w, 3, at(0, 500), at(0, 100));
	position(w, SPEC_CFN, "h", 1);
	calls(w, 1, at(0, 100));
	cost(w, at(0, 102), 1);
	cost(w, at(0, 104), 1);
	jump(w, 3, at(0, 104), at(0, 106));
	position(w, SPEC_FI, "inlined", 1);
	cost(w, at(0, 108), 1);
	position(w, SPEC_FE, "f", 0);
	cost(w, at(0, 110), 1);
	position(w, SPEC_FL, "f", 0);
	cost(w, at(0, 112), 1);
	position(w, SPEC_FN, "g", 0);
	cost(w, at(0, 112), 1);
	cost(w, at(0, 112), 1);
	position(w, SPEC_OB, "o", 0);
	position(w, SPEC_FN, "g", 0);
	jump(w, 1, at(0, 112), at(0, 112));
	jump(w, 1, at(0, 112), at(0, 112));
	end(&s, "events: Ir\nfl=(1) f\nfn=(1) g\njump=3 500\n100\ncfn=(2) h\ncalls=1 100\n+2 1\n"
		"+2 1\njump=3 104\n+2\nfi=(2) inlined\n+2 1\nfe=(1)\n+2 1\nfl=(1)\n+2 1\nfn=(1)\n"
		"112 1\n* 1\nob=(1) o\nfn=(1)\njump=1 112\n112\njump=1 112\n*\n");
}

/* Costs and names. */

TEST(zeros_at_the_end)
{
	struct recording s;
	struct writer *w = begin(&s, &plain);
	const struct position where = at(0, 1);

	events(w, "A", "B", "C");
	position(w, SPEC_FN, "f", 0);
	cost3(w, where, 0, 0, 0); /* the first one keeps them */
	cost3(w, where, 0, 0, 0);
	cost3(w, where, 0, 1, 0);
	cost3(w, where, 0, 0, UINT64_MAX);
	cost(w, where, 0);
	writer_cost(w, &where, NULL, 0);
	writer_totals(w, (const uint64_t[]){ 0, 1, 0 });
	end(&s, "events: A B C\nfn=f\n1 0 0 0\n1 0\n1 0 1\n1 0 0 18446744073709551615\n1 0\n1 0\n"
		"totals: 0 1 0\n");
}

TEST(ids_by_kind)
{
	struct recording s;
	struct writer *w = begin_body(&s, &compressed);

	position(w, SPEC_OB, "o", 9);
	position(w, SPEC_FL, "x", 9);
	position(w, SPEC_FN, "x", 9); /* key 9 is three things */
	position(w, SPEC_FI, "y", 4);
	position(w, SPEC_FE, "x", 9);
	position(w, SPEC_COB, "p", 4);
	position(w, SPEC_CFI, "y", 4);
	position(w, SPEC_CFN, "x", 4); /* same text, other function */
	calls(w, 1, at(0, 1));
	cost(w, at(0, 1), 1);
	position(w, SPEC_COB, "o", 9);
	position(w, SPEC_CFI, "new", 7);
	position(w, SPEC_CFN, "x", 9);
	calls(w, 1, at(0, 1));
	cost(w, at(0, 1), 1);
	position(w, SPEC_FN, "no key", NAME_NO_KEY);
	position(w, SPEC_FN, "no key", NAME_NO_KEY);
	end(&s, "events: Ir\nfl=(1) f\nfn=(1) g\nob=(1) o\nfl=(2) x\nfn=(2) x\nfi=(3) y\nfe=(2)\n"
		"cob=(2) p\ncfi=(3)\ncfn=(3) x\ncalls=1 1\n1 1\ncob=(1)\ncfi=(4) new\ncfn=(2)\n"
		"calls=1 1\n* 1\nfn=no key\nfn=no key\n");
}

TEST(header_fields_may_be_left_out)
{
	struct recording s;
	struct writer *w;

	begin(&s, &compressed);
	end(&s, "");
	w = begin(&s, &compressed);
	writer_blank(w);
	writer_thread(w, UINT64_MAX);
	writer_positions(w);
	writer_blank(w);
	events(w, "Ir", NULL, NULL);
	writer_summary(w, (const uint64_t[]){ 0 });
	writer_totals(w, (const uint64_t[]){ 0 });
	writer_blank(w);
	writer_begin_part(w);
	events(w, "Dr", NULL, NULL);
	end(&s, "\nthread: 18446744073709551615\npositions: line\n\nevents: Ir\nsummary: 0\n"
		"totals: 0\n\nevents: Dr\n");
	w = begin(&s, &compressed);
	writer_cmd(w, NULL, 0);
	events(w, "Ir", NULL, NULL);
	end(&s, "cmd:\nevents: Ir\n");
	w = begin(&s, &compressed);
	writer_creator(w, "");
	end(&s, "creator:\n");
}

int main(int argc, char **argv)
{
	static const struct check_test tests[] = {
		CHECK_TEST(example_simple),
		CHECK_TEST(example_extended),
		CHECK_TEST(example_names_compressed),
		CHECK_TEST(example_names_up_front),
		CHECK_TEST(example_subpositions_absolute),
		CHECK_TEST(example_subpositions_relative),
		CHECK_TEST(example_event_long_name),
		CHECK_TEST(example_event_inherited),
		CHECK_TEST(golden_profile),
		CHECK_TEST(regions),
		CHECK_TEST(golden_call_graph),
		CHECK_TEST(golden_call_graph_portable),
		CHECK_TEST(golden_call_graph_instr),
		CHECK_TEST(golden_two_parts),
		CHECK_TEST(golden_hostile_names),
		CHECK_TEST(relative_where_not_longer),
		CHECK_TEST(relative_addresses),
		CHECK_TEST(basis_of_relative_positions),
		CHECK_TEST(zeros_at_the_end),
		CHECK_TEST(ids_by_kind),
		CHECK_TEST(header_fields_may_be_left_out),
	};

	top_srcdir = getenv("top_srcdir");
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--update") == 0)
			update = true;
		else
			top_srcdir = argv[i];
	}
	if (!top_srcdir)
		top_srcdir = ".";
	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
