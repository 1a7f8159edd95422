/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * writer/: which calls are in order, and that one which is not writes nothing
 * and leaves OUT_MISUSE.
 */
#include "writer/writer.h"

#include "tests/common/check.h"
#include "tests/writer/writer_fixture.h"

/* Order: a letter is a call, '!' is writer_finish(). */

static const uint64_t ones[] = { 1, 1 };

static void header_step(struct writer *w, char letter)
{
	static const char *const cmd[] = { "a" };

	switch (letter) {
	case 'f':
		writer_format(w);
		break;
	case 'v':
		writer_version(w);
		break;
	case 'c':
		writer_creator(w, "c");
		break;
	case 'p':
		writer_pid(w, 1);
		break;
	case 'm':
		writer_cmd(w, cmd, 1);
		break;
	case 'a':
		writer_part(w, 1);
		break;
	case 't':
		writer_thread(w, 1);
		break;
	case 'd':
		writer_desc(w, "type", "value");
		break;
	case 'r':
		writer_region(w, &(struct region_line){ "r", 1, 1, 1, false, ones, 1 });
		break;
	case 'e':
		writer_event(w, "Ir", NULL, "long");
		break;
	case 'o':
		writer_positions(w);
		break;
	case 'E':
		events(w, "Ir", "Dr", NULL);
		break;
	case 's':
		writer_summary(w, ones);
		break;
	default:
		CHECK(letter == '\0');
	}
}

static void body_step(struct writer *w, char letter)
{
	static const char specs[] = "OLIXFbink"; /* in the order of enum position_spec */
	const struct position here = at(1, 1);
	const char *spec = strchr(specs, letter);

	if (spec) {
		position(w, (enum position_spec)(spec - specs), "name", 0);
		return;
	}
	switch (letter) {
	case '$':
		cost(w, here, 1);
		break;
	case '3': /* costs, of two columns */
		cost3(w, here, 1, 0, 0);
		break;
	case 'C':
		calls(w, 1, here);
		break;
	case '0':
		calls(w, 0, here);
		break;
	case 'j':
		jump(w, 1, here, here);
		break;
	case 'J':
		writer_conditional_jump(w, 1, 1, &here, &here);
		break;
	case '?':
		position(w, (enum position_spec)(SPEC_JFI + 1), "name", 0);
		break;
	default:
		header_step(w, letter);
	}
}

static void step(struct writer *w, char letter)
{
	switch (letter) {
	case '_':
		writer_blank(w);
		break;
	case 'T':
		writer_totals(w, ones);
		break;
	case 'P':
		writer_begin_part(w);
		break;
	case '!':
		writer_finish(w);
		break;
	default:
		body_step(w, letter);
	}
}

/* Does the calls; all but the last must be legal, the last one as said. */
static void check_order(const struct writer_options *options, const char *letters, bool legal)
{
	unsigned long failures = check_failures;
	size_t last = strlen(letters) - 1;
	struct recording s;
	struct writer *w = begin(&s, options);
	uint64_t bytes;

	for (size_t i = 0; i < last; i++)
		step(w, letters[i]);
	CHECK_EQ_U64((uint64_t)w->out.error, 0);
	bytes = w->out.bytes;
	step(w, letters[last]);
	CHECK(w->out.error == (legal ? 0 : OUT_MISUSE));
	if (!legal) {
		CHECK_EQ_U64(w->out.bytes, bytes);
		for (const char *any = "_fvcpmatdeoEsOLFIX$binC$kjJTP"; *any; any++)
			step(w, *any);
		CHECK_EQ_U64(w->out.bytes, bytes);
		CHECK(writer_finish(w) == OUT_MISUSE);
		CHECK_EQ_U64(s.env.len, 0);
	}
	writer_release(w);
	CHECK(test_env_release(&s.env));
	if (check_failures > failures)
		printf("# in the order %s\n", letters);
}

TEST(legal_orders)
{
	static const char *const orders[] = {
		"!",           "fvcpmatddeeoEs_OLF$$IX$binC$bnC$inC$nC$jJ_T__PpoEsLF$TPoE!",
		"fvc!",        "f_p",
		"cm",          "oE!",
		"oELF!",       "oET!",
		"oEOLLFFFOF$", "oEF_b_i_n__C$",
		"oEFibnC$!",   "oEFLFI$",
		"oEFL$",       "oET__!",
		"oEPpoE!",     "oEP!",
		"oEFkjkJ$!",   "oEFk__j",
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		check_order(&instr_compressed, orders[i], true);
}

TEST(misuse_in_the_header)
{
	static const char *const orders[] = {
		"ff",  "vf",  "cv", "pc",   "_f",   "_c",   "f_v",   "fvc_c", "pp",  "mp",  "mm",
		"am",  "aa",  "ta", "tt",   "dt",   "ed",   "oe",    "oo",    "oEo", "oEe", "oEE",
		"oEd", "oEp", "s",  "oEss", "oEsE", "T",    "P",     "pP",    "p!",  "m!",  "d!",
		"o!",  "o$",  "oF", "O",    "oEPf", "oEPc", "oEPp!", "oEPE",
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		check_order(&instr_compressed, orders[i], false);
}

TEST(misuse_in_the_body)
{
	static const char *const orders[] = {
		/* no function */
		"oE$",
		"oEL$",
		"oEI",
		"oEX",
		"oEb",
		"oEi",
		"oEn",
		"oEj",
		"oEJ",
		"oEFO$",
		"oEFOL$",
		"oEFOI",
		"oEFOX",
		"oEFOn",
		"oEFOj",
		"oEFPoE$",
		/* the callee */
		"oEFC",
		"oEFbC",
		"oEFiC",
		"oEFn0",
		"oEFnb",
		"oEFni",
		"oEFnn",
		"oEFnF",
		"oEFnO",
		"oEFnL",
		"oEFnI",
		"oEFn$",
		"oEFb$",
		"oEFi$",
		"oEFnj",
		"oEFiJ",
		"oEFnT",
		"oEFbT",
		"oEFnP",
		"oEFn!",
		"oEFnC$C",
		/* between calls= and its cost */
		"oEFnC_",
		"oEFnCC",
		"oEFnCF",
		"oEFnCn",
		"oEFnCj",
		"oEFnCJ",
		"oEFnCT",
		"oEFnCP",
		"oEFnC!",
		/* the place */
		"oEF$s",
		"oEF$E",
		"oEFp",
		"oETT",
		"oEFT$",
		"oETF",
		"oETj",
		"oETs",
		/* arguments */
		"oEF3",
		"oEFnC3",
		"oE?",
		"oEFn?",
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		check_order(&instr_compressed, orders[i], false);
}

/* The file of a target needs a function, and then its jump. */
TEST(misuse_around_jumps)
{
	static const char *const orders[] = {
		"oEk",   "oEFOk", "oEFk!", "oEFkk", "oEFk$", "oEFkO", "oEFkF", "oEFkI",  "oEFkb",
		"oEFkn", "oEFkC", "oEFkT", "oEFkP", "oEFbk", "oEFik", "oEFnk", "oEFnCk",
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		check_order(&instr_compressed, orders[i], false);
}

/* Readers would take addresses for lines, in every part. */
TEST(positions_must_be_declared)
{
	static const struct writer_options instr = { POSITION_INSTR, false, false };
	static const struct writer_options none = { 0, true, true };
	static const struct writer_options unknown = { 8 | POSITION_LINE, true, true };
	struct recording s;

	check_order(&plain, "EF$!", true);
	check_order(&instr, "E", false);
	check_order(&instr_plain, "E", false);
	check_order(&instr_plain, "oEPpE", false);
	CHECK(begin(&s, &none)->out.error == OUT_MISUSE);
	writer_release(&s.writer);
	CHECK(test_env_release(&s.env));
	CHECK(begin(&s, &unknown)->out.error == OUT_MISUSE);
	writer_release(&s.writer);
	CHECK(test_env_release(&s.env));
}

/* True if a header with these texts is accepted; NULL leaves a line out. */
static bool accepts(const char *column, const char *event, const char *formula, const char *desc)
{
	struct recording s;
	struct writer *w = begin(&s, &plain);
	bool accepted;

	if (desc)
		writer_desc(w, desc, "value");
	if (event)
		writer_event(w, event, formula, NULL);
	events(w, column, "Last", NULL);
	accepted = writer_finish(w) == 0;
	CHECK(accepted || w->out.error == OUT_MISUSE);
	CHECK(accepted || w->out.bytes == 0);
	writer_release(w);
	CHECK(test_env_release(&s.env));
	return accepted;
}

TEST(texts_that_would_break_the_line)
{
	CHECK(accepts("Time_(10ns)", "_a9Z", "a+2 b_1*3 -c", "I1 cache"));
	CHECK(!accepts("", NULL, NULL, NULL));
	CHECK(!accepts("a b", NULL, NULL, NULL));
	CHECK(!accepts("a\t", NULL, NULL, NULL));
	CHECK(!accepts("gr\xc3\xbcn", NULL, NULL, NULL));
	CHECK(!accepts("a\x7f", NULL, NULL, NULL));
	CHECK(!accepts("a", "", NULL, NULL));
	CHECK(!accepts("a", "1a", NULL, NULL));
	CHECK(!accepts("a", "a b", NULL, NULL));
	CHECK(!accepts("a", "a:", NULL, NULL));
	CHECK(!accepts("a", "a", "b : c", NULL));
	CHECK(!accepts("a", "a", "b = c", NULL));
	CHECK(!accepts("a", "a", "b\nevents: c", NULL));
	CHECK(!accepts("a", "a", "", NULL));
	CHECK(!accepts("a", "a", "1 + 2", NULL));
	CHECK(!accepts("a", "a", "b ", NULL));
	CHECK(!accepts("a", NULL, NULL, "a: b"));
	CHECK(!accepts("a", NULL, NULL, ""));
	CHECK(!accepts("a", NULL, NULL, " \n"));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(legal_orders),
		CHECK_TEST(misuse_in_the_header),
		CHECK_TEST(misuse_in_the_body),
		CHECK_TEST(misuse_around_jumps),
		CHECK_TEST(positions_must_be_declared),
		CHECK_TEST(texts_that_would_break_the_line),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
