/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader says about lines that are none, and how it goes on without them. */
#include "tests/profile/format/reader_log.h"

#define HEAD "events: Ir Dr\nfn=f\n"

TEST(cost_lines)
{
	CHECK_TOLD("fn=f\n1 2\n", "2: expected \"events:\" before any costs");
	CHECK_TOLD(HEAD "1 2 3 4\n", "3:7: expected at most 2 counts");
	CHECK_TOLD(HEAD "1 2 x\n", "3:5: expected a count");
	CHECK_TOLD(HEAD "x1 2\n",
		   "3:1: expected a header line, costs, or one of ob= fl= fi= fe= fn= "
		   "cob= cfi= cfn= calls= jump= jcnd=");
	CHECK_TOLD("positions: instr line\nevents: Ir\n0 1 1\n1 K1 2\n",
		   "4:3: expected a position");
	CHECK_TOLD(HEAD "1 2x\n", "3:4: expected a blank or the end of the line");
	CHECK_TOLD(HEAD "1 0x\n", "3:3: expected a count");
	CHECK_TOLD(HEAD "1 2 \r3\n", "3:5: expected a line feed after a CR");
	CHECK_TOLD(HEAD "1 +2\n", "3:3: expected a count");
	CHECK_TOLD(HEAD "1 ..\n", "3:3: expected a count");
	CHECK_TOLD(HEAD "1 18446744073709551616\n", "3:3: expected a count of 64 bits");
	CHECK_TOLD(HEAD "1 99999999999999999999\n", "3:3: expected a count of 64 bits");
	CHECK_TOLD(HEAD "1 0x10000000000000000\n", "3:3: expected a count of 64 bits");
	CHECK_TOLD(HEAD "1 -9223372036854775809\n", "3:3: expected a count of -2^63 or more");
	CHECK_TOLD(HEAD "1 1.5.2\n", "3:6: expected a blank or the end of the line");
	CHECK_TOLD(HEAD "1 1e\n", "3:4: expected a blank or the end of the line");
	CHECK_TOLD(HEAD "1 1.5e+\n", "3:6: expected a blank or the end of the line");
	CHECK_TOLD(HEAD "1 .e1\n", "3:3: expected a count");
	CHECK_TOLD(HEAD "1 1.9e19\n", "3:3: expected a count of 64 bits");
	CHECK_TOLD(HEAD "1 1e20\n", "3:3: expected a count of 64 bits");
	CHECK_TOLD(HEAD "1 -1e19\n", "3:3: expected a count of -2^63 or more");
}

/* What a cost line's two counts are read as. */
#define CHECK_COUNTS(counts, as) \
 CHECK_TOLD(HEAD "1 " counts "\n", "part 0 line: Ir Dr\n@???|???|f|???\n1 " as "\nend\n")

/* Some profilers of PHP write what is below 0 modulo 2^64 in one place, and with a minus in another. */
TEST(wrapped_counts)
{
	CHECK_COUNTS("9223372036854775808 -1", "-9223372036854775808 -1");
	CHECK_COUNTS("-1 9223372036854775808", "-1 -9223372036854775808");
	CHECK_COUNTS("-1 18446744073709547520", "-1 -4096");
	CHECK_COUNTS("9223372036854775807 -1", "9223372036854775807 -1");
}

/* Rounded to the nearest, halves away from 0. */
TEST(decimal_counts)
{
	CHECK_COUNTS("12.5 12.49999", "13 12");
	CHECK_COUNTS("-12.5 -0.4", "-13 0");
	CHECK_COUNTS(".5 1.", "1 1");
	CHECK_COUNTS("1e3 1.25E+1", "1000 13");
	CHECK_COUNTS("15e-1 2e-5", "2 0");
	CHECK_COUNTS("5e-1 4e-1", "1 0");
	CHECK_COUNTS("0e99999 1e-99999", "0 0");
	CHECK_COUNTS("9e-20 5e-19", "0 0");
	CHECK_COUNTS("0.00000000000000000001 1", "0 1");
	CHECK_COUNTS("123456789012345678.5 1.2345678901234567890123", "123456789012345679 1");
	CHECK_COUNTS("1.7e19 1", "17000000000000000000 1");
}

TEST(positions)
{
	CHECK_TOLD(HEAD "18446744073709551616 1\n", "3:1: expected a position of 64 bits");
	CHECK_TOLD(HEAD "5 1\n-6 1\n", "4:1: expected a position of 0 or more, counted from 5");
	/* As KCachegrind's addresses: modulo 2^64. */
	CHECK_TOLD(HEAD "5 1\n+18446744073709551615 1\n",
		   "part 0 line: Ir Dr\n@???|???|f|???\n5 1\n4 1\nend\n");
	CHECK_TOLD(HEAD "+ 1\n", "3:2: expected a number");
	CHECK_TOLD(HEAD "*1 1\n", "3:2: expected a blank or the end of the line");
	CHECK_TOLD(HEAD "12- 1\n", "3:3: expected a blank or the end of the line");
	CHECK_TOLD(HEAD "12/13 1\n", "3:3: expected a blank or the end of the line");
	CHECK_TOLD("positions: instr line\nevents: Ir\n0x10\n", "3:5: expected a position");
}

TEST(names)
{
	CHECK_TOLD(HEAD "fn=(7)\n", "3:4: expected a name after id 7, which is not known yet");
	CHECK_TOLD(HEAD "fl=(1) a\nfn=(1)\n",
		   "4:4: expected a name after id 1, which is not known yet");
	CHECK_TOLD(HEAD "fn=(7 f\n", "3:6: expected \")\" after an id");
	CHECK_TOLD(HEAD "fn=(18446744073709551616) f\n", "3:5: expected an id of 64 bits");
}

TEST(calls_and_jumps)
{
	CHECK_TOLD(HEAD "calls=1 2\n3 4\n", "3: expected \"cfn=\" before \"calls=\"");
	CHECK_TOLD(HEAD "cfn=g\ncalls=1 2\nfn=h\n", "5:1: expected the cost line of \"calls=\"");
	CHECK_TOLD(HEAD "cfn=g\ncalls=x 2\n", "4:7: expected a count");
	CHECK_TOLD(HEAD "cfn=g\ncalls=1/2 2\n", "4:8: expected a blank");
	CHECK_TOLD(HEAD "cfn=g\ncalls=1 x\n", "4:9: expected a position");
	CHECK_TOLD(HEAD "jump=x\n", "3:6: expected a count");
	CHECK_TOLD(HEAD "jump=1x\n", "3:7: expected a blank");
	CHECK_TOLD(HEAD "jcnd=1+2 3\n", "3:7: expected \"/\" or a blank");
	CHECK_TOLD(HEAD "jcnd=1/ 3\n", "3:8: expected a count");
	CHECK_TOLD("cfn=g\ncalls=1 2\n", "2: expected \"events:\" before any costs");
}

TEST(headers)
{
	CHECK_TOLD("# costgrind call tree\nversion: 1\nevents: Ir\n",
		   "1: expected a profile, this is a call tree (costgrind convert reads it)");
	CHECK_TOLD("# costgrind call tree\r\n",
		   "1: expected a profile, this is a call tree (costgrind convert reads it)");
	CHECK_TOLD("version: 2\n",
		   "1:10: expected version 0 or 1 of the format, version 2 is not known");
	CHECK_TOLD("version: x\n", "1:10: expected the number of the format's version");
	CHECK_TOLD("version: 1x\n", "1:11: expected the end of the line");
	CHECK_TOLD("pid: N/A\npart: 1 2\nthread:\nevents: Ir\n", "part 0 line: Ir\nend\n");
	CHECK_TOLD("pid: 1\n", "1: expected \"events:\", the file ends amid a header");
	CHECK_TOLD("positions: line instr\n",
		   "1:17: expected \"instr\", \"bb\" and \"line\", in this order");
	CHECK_TOLD("events:\n", "1:8: expected the names of events");
	CHECK_TOLD("events: Ir Dr Ir\n", "1:15: expected each event once");
	CHECK_TOLD("events: Ir ILmr Dr I2mr\n", "1:20: expected each event once, ILmr is I2mr");
	CHECK_TOLD("events: I\303\244\n", "1:10: expected names of ASCII characters");
	CHECK_TOLD("event: = Ir\n", "1:8: expected the name of an event");
	CHECK_TOLD("event: A\177 = Ir\n", "1:9: expected \"=\", \":\" or the end of the line");
	CHECK_TOLD("event: A B\n", "1:10: expected \"=\", \":\" or the end of the line");
	CHECK_TOLD("event: A = 2 2\n", "1:11: expected a formula, as in \"Ir + 10 Bm\"");
	CHECK_TOLD("event: A =\n", "1:11: expected a formula, as in \"Ir + 10 Bm\"");
	CHECK_TOLD("totals: 1\n", "1: expected \"events:\" before \"totals:\"");
	CHECK_TOLD("events: Ir\nsummary: 1 2\n", "part 0 line: Ir\nend\n");
	CHECK_TOLD("<html>\n", "1:1: expected a header line, costs, or one of ob= fl= fi= fe= fn= "
			       "cob= cfi= cfn= calls= jump= jcnd=");
	CHECK_TOLD("rec=1\n", "1:1: expected a header line, costs, or one of ob= fl= fi= fe= fn= "
			      "cob= cfi= cfn= calls= jump= jcnd=");
}

/* A message is one line, whatever the file holds. */
TEST(messages)
{
	struct profile_error error = { .file = "a\nb", .line = 3 };
	char line[PROFILE_ERROR_LINE], cut[8];

	profile_error_set(&error, PROFILE_SYNTAX, "expected %s", "\033[1m\x7f");
	profile_error_line(&error, line, sizeof(line));
	CHECK_STR(line, "a?b:3: expected ?[1m?");
	error.column = 4;
	profile_error_line(&error, line, sizeof(line));
	CHECK_STR(line, "a?b:3:4: expected ?[1m?");
	error.line = 0;
	profile_error_line(&error, cut, sizeof(cut));
	CHECK_STR(cut, "a?b: ex");
	CHECK(profile_error_set(NULL, PROFILE_IO, "x") == PROFILE_IO);
}

/* Lines that are not understood are left out and counted. */
TEST(lenient)
{
	static const char text[] = "events: Ir\nfn=f\n1 2\n1 x\nrec=1\n3 4\ncfn=g\ncalls=1 2\n"
				   "fn=h\n5 6\nfn=(9)\n7 8\ncalls=1 2\n";
	struct reader_log log;
	struct reader_report report;

	CHECK_EQ_U64((uint64_t)log_read(&log, text, strlen(text), true, &report), PROFILE_OK);
	CHECK_STR(log.text, "part 0 line: Ir\n@???|???|f|???\n1 2\n3 4\n@???|???|h|???\n5 6\n"
			    "@???|???|???|???\n7 8\nend\n");
	CHECK_EQ_U64(report.skipped, 4);
	CHECK_EQ_U64(report.traits[TRAIT_CUT_OFF].line, 13);
	CHECK_EQ_U64(report.first_skipped.line, 4);
	CHECK_STR(report.first_skipped.text, "expected a count");
	CHECK_EQ_U64(report.lines, 13);
	/* A version that is not known may mean anything. */
	CHECK_EQ_U64((uint64_t)log_read(&log, "version: 2\n", 11, true, &report), PROFILE_SYNTAX);
	/* A part that is not there cannot be left out. */
	CHECK_EQ_U64((uint64_t)log_read(&log, "pid: 2\n", 7, true, &report), PROFILE_SYNTAX);
}

/* Each trait is noted where it is first. */
static void check_trait(const char *text, enum reader_trait trait, uint64_t line, uint64_t count)
{
	struct reader_log log;
	struct reader_report report;

	log_read(&log, text, strlen(text), false, &report);
	if (!CHECK(report.traits[trait].line == line && report.traits[trait].count == count))
		printf("# %s: line %" PRIu64 ", %" PRIu64 " times\n", reader_trait_text(trait),
		       report.traits[trait].line, report.traits[trait].count);
}

TEST(traits)
{
	check_trait("events: Ir\n", TRAIT_NO_FORMAT_LINE, 1, 1);
	check_trait("# callgrind format\nevents: Ir\n", TRAIT_NO_FORMAT_LINE, 0, 0);
	check_trait("# callgrind formats\nevents: Ir\n", TRAIT_NO_FORMAT_LINE, 1, 1);
	check_trait("events: Ir\n1 2\r\nfn=f\r\n", TRAIT_CRLF, 2, 2);
	check_trait("events: Ir\n1 2", TRAIT_NO_FINAL_NEWLINE, 2, 1);
	check_trait("\xef\xbb\xbf"
		    "events: Ir\n",
		    TRAIT_BYTE_ORDER_MARK, 1, 1);
	check_trait("events: Ir\nfn=f\n\n1 1.5\n1 1e1\n", TRAIT_DECIMAL_COUNT, 4, 2);
	check_trait(HEAD "1 -1\n1 9223372036854775808\n", TRAIT_WRAPPED_COUNT, 4, 1);
	check_trait(HEAD "1 9223372036854775808\n1 -1\n", TRAIT_WRAPPED_COUNT, 4, 1);
	check_trait(HEAD "1 9223372036854775808\n", TRAIT_WRAPPED_COUNT, 0, 0);
	check_trait(HEAD "5 1\n+18446744073709551615 1\n", TRAIT_WRAPPED_POSITION, 4, 1);
	check_trait("pid: 1\npart: x\nthread: 1 2\n" HEAD, TRAIT_ODD_NUMBER, 2, 2);
	check_trait(HEAD "1 1\ntotals: 1 2 3\n", TRAIT_LONG_SUMS, 4, 1);
	check_trait("desc: Salvaged: x\n" HEAD, TRAIT_SALVAGED, 1, 1);
	check_trait(HEAD "1\t2\n", TRAIT_TAB, 3, 1);
	check_trait(HEAD " 1 2\n fn=g\n", TRAIT_LEADING_BLANK, 3, 2);
	check_trait(HEAD "1 2 \n1 2\t\n1 0x2 \n", TRAIT_TRAILING_BLANK, 3, 3);
	check_trait(HEAD "events: Ir\npart: 1\n1 2\npart: 2\nevents: Ir\n", TRAIT_SEVERAL_PARTS, 3,
		    2);
	check_trait("events: Ir\npid: 1\n", TRAIT_LATE_HEADER, 2, 1);
	check_trait("events: Ir\n", TRAIT_NO_POSITIONS, 1, 1);
	check_trait("positions: bb\nevents: Ir\n", TRAIT_BB, 1, 1);
	check_trait(HEAD "1 2\nsummary: 2\n", TRAIT_SUMMARY_IN_BODY, 4, 1);
	check_trait("events: Ir\n1 2\n", TRAIT_NO_FUNCTION, 2, 1);
	check_trait(HEAD "fn=\n", TRAIT_EMPTY_NAME, 3, 1);
	check_trait(HEAD "fn=(1) a\nfn=(1)\n", TRAIT_NAME_ID, 4, 1);
	check_trait(HEAD "fn=(1) a\nfn=(1) a\n", TRAIT_ID_REPEATED, 4, 1);
	check_trait(HEAD "fn=(1) a\nfn=(1) b\n", TRAIT_ID_REDEFINED, 4, 1);
	check_trait(HEAD "jfi=(1) a\njfn=(1) b\n", TRAIT_JFI_DEFINES, 3, 2);
	check_trait(HEAD "1 0x2\n", TRAIT_HEX_COUNT, 3, 1);
	check_trait(HEAD "1 .\n", TRAIT_DOT_COUNT, 3, 1);
	check_trait(HEAD "1 -1\n", TRAIT_NEGATIVE_COUNT, 3, 1);
	check_trait(HEAD "1 1 2\n1 1\n", TRAIT_FEW_COUNTS, 4, 1);
	check_trait(HEAD "1-2 1\n", TRAIT_RANGE, 3, 1);
	check_trait(HEAD "1 1\n+1 1\n", TRAIT_RELATIVE, 4, 1);
	check_trait(HEAD "1 1\nfn=g\n* 1\n* 1\n", TRAIT_RELATIVE_AFTER_FN, 5, 1);
	check_trait(HEAD "cfn=g\ncalls=1 +1\n1 1\n", TRAIT_RELATIVE_TARGET, 4, 1);
	check_trait(HEAD "+2147483647 1\n+2147483648 1\n", TRAIT_LARGE_STEP, 4, 1);
	check_trait(HEAD "cfl=a\ncfn=g\nrcalls=0 1\n1 1\n", TRAIT_CFL, 3, 1);
	check_trait(HEAD "cfn=g\nrcalls=0 1\n1 1\n", TRAIT_RCALLS, 4, 1);
	check_trait(HEAD "cfn=g\nrcalls=0 1\n1 1\n", TRAIT_ZERO_CALLS, 4, 1);
	check_trait(HEAD "cfn=g\ncalls=2 1\n1 1\n", TRAIT_CALL, 4, 1);
	check_trait(HEAD "jump=1 2\n3\njcnd=1 1 3\n4\n", TRAIT_JUMP, 3, 2);
	check_trait(HEAD "jcnd=1/1 2\n3\njcnd=1 1 3\n4\n", TRAIT_JCND_BLANK, 5, 1);
	check_trait(HEAD "jump=1 2\nfn=g\n", TRAIT_JUMP_WITHOUT_SOURCE, 4, 1);
	check_trait(HEAD "jump=1 2\n3 4\n", TRAIT_JUMP_SOURCE_COSTS, 4, 1);
	check_trait(HEAD "jfi=a\njfn=b\n", TRAIT_JFI, 3, 1);
	check_trait(HEAD "jfi=a\njfn=b\n", TRAIT_JFN, 4, 1);
	check_trait(HEAD "fi=a\nfe=b\n", TRAIT_INLINED, 3, 2);
	check_trait(HEAD "fl=(1) a\nfn=(1) f\nfl=b\nfl=(1)\n", TRAIT_NAME_PLAIN, 2, 2);
	check_trait(HEAD "fn=(1) f\nfn=(2) g\n1 1\n" HEAD "fn=(1)\nfn=(2) g\nfn=(2)\ncfn=(1)\n",
		    TRAIT_ID_OF_EARLIER_PART, 8, 2);
	check_trait("creator: callgrind-3.2.1\n" HEAD "1 1\ntotals: 1\n" HEAD "1 1\n",
		    TRAIT_NO_TOTALS, 8, 1);
	check_trait("cmd: a\nevents: Ir\nfl=a\nfn=f\n1 1\n", TRAIT_NO_SUMMARY, 5, 1);
	check_trait("cmd: a\nevents: Ir Dr\nfl=a\nfn=f\n1 1\nsummary: 1\n", TRAIT_SHORT_SUMMARY, 6,
		    1);
	check_trait("cmd: a\nevents: Ir\nfl=a\nfn=f\n1 1\nsummary: 1", TRAIT_CUT_LINE, 6, 1);
	check_trait("creator: callgrind-3\nevents: Ir\nfn=f\n1 1\ntotals: 1", TRAIT_CUT_LINE, 5, 1);
	check_trait("creator: callgrind-3\nevents: Ir\nfn=f\n1 1\ntotals: 1\n", TRAIT_CUT_LINE, 0,
		    0);
	check_trait("creator: other\nevents: Ir\nfn=f\n1 1\ntotals: 1", TRAIT_CUT_LINE, 0, 0);
	check_trait(HEAD "1 1\ncfni=g\n2 2\ncfni=???\n", TRAIT_INLINED_NAME, 4, 2);
	check_trait(HEAD "fl=a\nfl=b\n2 2\nfn=g\n3 3\n", TRAIT_FILE_ONLY, 5, 1);
	check_trait("events: Ir\nfl=a\n1 1\n", TRAIT_FILE_ONLY, 0, 0);
	check_trait("cmd: a\nevents: Ir\nfl=a\n1 1\n2 2\n", TRAIT_UNSPECIFIED, 4, 1);
	for (int trait = 0; trait < N_READER_TRAITS; trait++)
		CHECK(reader_trait_text((enum reader_trait)trait) != NULL);
}

TEST(nul_bytes)
{
	static const char text[] = "events: Ir\nfn=a\0b\n1 2\n# \0\n1 \0\n";
	struct reader_log log;
	struct reader_report report;

	CHECK_EQ_U64((uint64_t)log_read(&log, text, sizeof(text) - 1, false, &report),
		     PROFILE_SYNTAX);
	CHECK_STR(log.text, "5:3: expected a count");
	CHECK_EQ_U64(report.traits[TRAIT_NUL].line, 2);
}

/* Of a file that was made larger before it was written to, and appended to then. */
TEST(nul_bytes_around)
{
	static const char text[] = "events: Ir\nfn=a\n1 2\n\0\0\0\0events: Ir\nfn=a\n1 3\n\0\0";
	struct reader_log log;
	struct reader_report report;

	CHECK_EQ_U64((uint64_t)log_read(&log, text, sizeof(text) - 1, false, &report), PROFILE_OK);
	CHECK_STR(log.text, "part 0 line: Ir\n@???|???|a|???\n1 2\nend\n"
			    "part 1 line: Ir\n@???|???|a|???\n1 3\nend\n");
	CHECK_EQ_U64(report.traits[TRAIT_NUL].line, 4);
	CHECK(!reader_is_cut(&report));
}

TEST(encodings)
{
	static const char little[] = "e\0v\0e\0n\0t\0s\0:\0 \0I\0r\0\n\0";
	static const char big[] = "\0e\0v\0e\0n\0t\0s\0:\0 \0I\0r\0\n";
	static const char marked[] = "\xff\xfe"
				     "e\0v\0\n\0";
	struct reader_log log;

	CHECK_TOLD("\xef\xbb\xbf"
		   "events: Ir\nfn=f\n1 2\n",
		   "part 0 line: Ir\n@???|???|f|???\n1 2\nend\n");
	CHECK_TOLD("\xef\xbb\xbf"
		   "events: \n",
		   "1:9: expected the names of events");
	log_read(&log, little, sizeof(little) - 1, true, NULL);
	CHECK_STR(log.text, "1: expected text in UTF-8, this is in UTF-16 "
			    "(iconv -f UTF-16LE -t UTF-8 converts it)");
	log_read(&log, big, sizeof(big) - 1, false, NULL);
	CHECK_STR(log.text, "1: expected text in UTF-8, this is in UTF-16 "
			    "(iconv -f UTF-16BE -t UTF-8 converts it)");
	log_read(&log, marked, sizeof(marked) - 1, false, NULL);
	CHECK_STR(log.text, "1: expected text in UTF-8, this is in UTF-16 "
			    "(iconv -f UTF-16 -t UTF-8 converts it)");
}

/* What is read of a file that ends there, and where it ends by the report; line 0: it is whole. */
static void check_cut(const char *text, const char *body, uint64_t line)
{
	struct reader_log log;
	struct reader_report report;

	log_read(&log, text, strlen(text), false, &report);
	CHECK_STR(log.text, body);
	CHECK_EQ_U64(report.traits[TRAIT_CUT_OFF].line, line);
}

TEST(cut_off)
{
#define OURS "creator: costgrind-1\nevents: Ir\nfn=f\n1 2\n"
#define BODY "part 0 line: Ir\n@???|???|f|???\n1 2\n"
	/* A count may be the beginning of one, if the writer ends its lines. */
	check_cut(OURS "2 34", BODY "end\n", 5);
	check_cut("events: Ir\nfn=f\n1 2\n2 34", BODY "2 34\nend\n", 0);
	check_cut("events: Ir\nfn=f\n1 2\n2 x", BODY "end\n", 4);
	check_cut("events: Ir\nfn=f\n1 2\n2", BODY "2\nend\n", 0);
	check_cut("events: Ir\nfn=f\n1 2\nfn=(", BODY "end\n", 0);
	check_cut("events: Ir\nfn=f\n1 2\ncal", BODY "end\n", 4);
	check_cut(OURS "cfn=g\ncalls=1 2\n", BODY "end\n", 6);
	check_cut(OURS "cfn=g\ncalls=1 2\n* 3", BODY "end\n", 7);
	check_cut(OURS "cfn=g\ncalls=1", BODY "end\n", 6);
	check_cut(OURS "jump=1 2\n+1", BODY "end\n", 6);
	check_cut(OURS "totals: 2\npart: 2\n", BODY "end\n", 6);
	check_cut(OURS "totals: 2\npart: 2\nposit", BODY "end\n", 7);
	check_cut(OURS "totals: 2\n", BODY "end\n", 0);
	check_cut("pid: 1\npositions: li", "2: expected \"events:\", the file ends amid a header",
		  0);
#undef BODY
#undef OURS
}

/* The visitor may end it; so may the progress callback. */
static int stop(void *ctx, const struct position *at, const uint64_t *costs, size_t n)
{
	(void)ctx;
	(void)costs;
	(void)n;
	return at->line == 2 ? PROFILE_STOPPED : PROFILE_OK;
}

static int stop_progress(void *ctx, uint64_t bytes, uint64_t size)
{
	uint64_t *seen = ctx;

	*seen = bytes;
	CHECK_EQ_U64(size, 3 << 20);
	return PROFILE_STOPPED;
}

TEST(stopping)
{
	const struct visitor visitor = { .cost = stop };
	const struct visitor nobody = { 0 };
	static char zeros[3 << 20];
	uint64_t seen = 0;
	const struct reader_options options = { .progress = stop_progress, .progress_ctx = &seen };
	struct profile_error error;
	char line[PROFILE_ERROR_LINE];

	CHECK_EQ_U64(
		(uint64_t)read_profile(&(struct reader_text){ HEAD "1 1\n2 2\n3 3\n", 31, "a" },
				       NULL, &visitor, NULL, &error),
		PROFILE_STOPPED);
	profile_error_line(&error, line, sizeof(line));
	CHECK_STR(line, "a:4: interrupted");
	memset(zeros, '\n', sizeof(zeros));
	CHECK_EQ_U64((uint64_t)read_profile(&(struct reader_text){ zeros, sizeof(zeros), "a" },
					    &options, &nobody, NULL, NULL),
		     PROFILE_STOPPED);
	CHECK(seen >= 1 << 20 && seen < 3 << 20);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(cost_lines), CHECK_TEST(wrapped_counts), CHECK_TEST(decimal_counts),
		CHECK_TEST(positions),  CHECK_TEST(names),          CHECK_TEST(calls_and_jumps),
		CHECK_TEST(headers),    CHECK_TEST(messages),       CHECK_TEST(lenient),
		CHECK_TEST(traits),     CHECK_TEST(nul_bytes),      CHECK_TEST(nul_bytes_around),
		CHECK_TEST(encodings),  CHECK_TEST(cut_off),        CHECK_TEST(stopping),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
