/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader makes of each line that the format knows. */
#include <stdlib.h>

#include "tests/profile/format/reader_log.h"

/* The specification's own examples, by what it says about them. */
TEST(simple_example)
{
	CHECK_TOLD("# callgrind format\nevents: Cycles Instructions Flops\n"
		   "fl=file.f\nfn=main\n15 90 14 2\n16 20 12\n",
		   "part 0 line: Cycles Instructions Flops\n"
		   "@???|file.f|main|file.f\n15 90 14 2\n16 20 12\nend\n");
}

static const char extended[] = "part 0 line: Instructions\n"
			       "@???|file1.c|main|file1.c\n16 20\n"
			       "call 1 ???|file1.c|func1 >50 from 16 400\n"
			       "call 3 ???|file2.c|func2 >20 from 16 400\n"
			       "@???|file1.c|func1|file1.c\n51 100\n"
			       "call 2 ???|file2.c|func2 >20 from 51 300\n"
			       "@???|file2.c|func2|file2.c\n20 700\nend\n";

TEST(extended_example)
{
	CHECK_TOLD("# callgrind format\nevents: Instructions\nfl=file1.c\nfn=main\n16 20\n"
		   "cfn=func1\ncalls=1 50\n16 400\ncfi=file2.c\ncfn=func2\ncalls=3 20\n16 400\n"
		   "fn=func1\n51 100\ncfi=file2.c\ncfn=func2\ncalls=2 20\n51 300\n"
		   "fl=file2.c\nfn=func2\n20 700\n",
		   extended);
}

TEST(name_compression)
{
	CHECK_TOLD("# callgrind format\nevents: Instructions\nfl=(1) file1.c\nfn=(1) main\n16 20\n"
		   "cfn=(2) func1\ncalls=1 50\n16 400\ncfi=(2) file2.c\ncfn=(3) func2\n"
		   "calls=3 20\n16 400\nfn=(2)\n51 100\ncfi=(2)\ncfn=(3)\ncalls=2 20\n51 300\n"
		   "fl=(2)\nfn=(3)\n20 700\n",
		   extended);
}

/* "they can appear everywhere in the file without any negative consequence" */
TEST(names_defined_before_any_costs)
{
	CHECK_TOLD("# callgrind format\nevents: Instructions\n"
		   "# define file ID mapping\nfl=(1) file1.c\nfl=(2) file2.c\n"
		   "# define function ID mapping\nfn=(1) main\nfn=(2) func1\nfn=(3) func2\n"
		   "fl=(1)\nfn=(1)\n16 20\ncfn=(2)\ncalls=1 50\n16 400\ncfi=(2)\ncfn=(3)\n"
		   "calls=3 20\n16 400\nfn=(2)\n51 100\ncfi=(2)\ncfn=(3)\ncalls=2 20\n51 300\n"
		   "fl=(2)\nfn=(3)\n20 700\n",
		   extended);
}

TEST(position_compression)
{
	static const char want[] = "part 0 instr line: ticks\n@???|???|func|???\n"
				   "0x80001234,90 1\n0x80001237,90 5\n0x80001238,91 6\nend\n";

	CHECK_TOLD("# callgrind format\npositions: instr line\nevents: ticks\nfn=func\n"
		   "0x80001234 90 1\n0x80001237 90 5\n0x80001238 91 6\n",
		   want);
	CHECK_TOLD("# callgrind format\npositions: instr line\nevents: ticks\nfn=func\n"
		   "0x80001234 90 1\n+3 * 5\n+1 +1 6\n",
		   want);
}

#define HEAD "events: Ir Dr\nfn=f\n"
#define TOLD "part 0 line: Ir Dr\n@???|???|f|???\n"

TEST(numbers)
{
	/* Hexadecimal, in capitals and small letters, wherever a number may appear. */
	CHECK_TOLD(HEAD "0x1F 0xaB 0XcD\n+0x10 1\n-0xf 2\n", TOLD "31 171 205\n47 1\n32 2\nend\n");
	/* "." is a zero, fewer counts are, and none are. */
	CHECK_TOLD(HEAD "1 . 2\n2 . .\n3 4\n5\n", TOLD "1 0 2\n2 0 0\n3 4\n5\nend\n");
	CHECK_TOLD(HEAD "1 18446744073709551615 0xffffffffffffffff\n",
		   TOLD "1 18446744073709551615 18446744073709551615\nend\n");
	CHECK_TOLD(HEAD "18446744073709551615 1\n0 2\n+18446744073709551615 3\n",
		   TOLD "18446744073709551615 1\n0 2\n18446744073709551615 3\nend\n");
	CHECK_TOLD(HEAD "1 000000000000000000000000000000007\n", TOLD "1 7\nend\n");
	CHECK_TOLD(HEAD "1 -3 4\n2 -9223372036854775808 9223372036854775807\n",
		   TOLD "1 -3 4\n2 -9223372036854775808 9223372036854775807\nend\n");
	/* KCachegrind's ranges begin where they begin. */
	CHECK_TOLD(HEAD "12-15 1\n12:15 2\n12+3 3\n+1-20 4\n",
		   TOLD "12 1\n12 2\n12 3\n13 4\nend\n");
}

TEST(blanks)
{
	static const char want[] = TOLD "1 2 3\n4 5\n6\nend\n";

	CHECK_TOLD(HEAD "1 2 3\n4 5\n6\n", want);
	CHECK_TOLD(HEAD "1\t2 \t 3\t\n4  5 \n6 \n", want);
	CHECK_TOLD(HEAD " 1 2 3\n\t4 5\n  6\n", want);
	CHECK_TOLD("events:\tIr\t Dr \nfn= f\n1 2 3\n4 5\n6", want);
	CHECK_TOLD("events: Ir Dr\r\nfn=f\r\n1 2 3\r\n4 5 \r\n6\r\n", want);
	CHECK_TOLD("events: Ir Dr\r\nfn=f\r\n1 2 3\r\n4 5\t\r\n6\r", want);
	CHECK_TOLD("\n\nevents: Ir Dr\n\n# a\n\nfn=f\n\n#\n1 2 3\n\n4 5\n#b\n6\n\n", want);
	CHECK_TOLD("# callgrind format\n \t\nevents: Ir Dr\n \nfn=f\n  # a\n1 2 3\n4 5\n6\n", want);
}

TEST(names)
{
	CHECK_TOLD(HEAD "fn=(1)g\n1 1\nfn=(1)\n2 2\nfn=(1) \n3 3\nfn= (1)\n4 4\n",
		   "part 0 line: Ir Dr\n@???|???|g|???\n1 1\n@???|???|g|???\n2 2\n"
		   "@???|???|g|???\n3 3\n@???|???|g|???\n4 4\nend\n");
	/* An id may be hexadecimal, and 2^63; the three kinds have their own. */
	CHECK_TOLD("events: Ir\nob=(0x8000000000000000) o\nfl=(9223372036854775808) a.c\n"
		   "fn=(9223372036854775808) f\n1 1\nob=(9223372036854775808)\n"
		   "fn=(0x8000000000000000)\n1 2\n",
		   "part 0 line: Ir\n@o|a.c|f|a.c\n1 1\n@o|a.c|f|a.c\n1 2\nend\n");
	/* The last definition counts. */
	CHECK_TOLD("events: Ir\nfn=(1) f\n1 1\nfn=(1) g\n1 2\nfn=(1)\n1 3\n",
		   "part 0 line: Ir\n@???|???|f|???\n1 1\n@???|???|g|???\n1 2\n"
		   "@???|???|g|???\n1 3\nend\n");
	/* Levels of recursion, callers, and what only looks like an id. */
	CHECK_TOLD("events: Ir\nfn=f'2'main\n1 1\nfn=(below main)\n1 2\nfn=(1) (2)'3\n1 3\n"
		   "fn=\n1 4\nfn={main}\n1 5\nfn=a b\t\n1 6\n",
		   "part 0 line: Ir\n@???|???|f'2'main|???\n1 1\n@???|???|(below main)|???\n1 2\n"
		   "@???|???|\\x282)'3|???\n1 3\n@???|???|???|???\n1 4\n@???|???|{main}|???\n1 5\n"
		   "@???|???|a b\\x09|???\n1 6\nend\n");
	/* As the writer would write them: U+0085 is a control character, 0xe9 alone is none at all. */
	CHECK_TOLD("events: Ir\nfl=caf\xc3\xa9\nfn=a\001b\x7f\n1 1\nfn=\xc2\x85 caf\xe9 \n1 2\n"
		   "fn=twenty bytes, then \033\n1 3\nfn=a\\x01b\\x7f\n1 4\n",
		   "part 0 line: Ir\n@???|caf\xc3\xa9|a\\x01b\\x7f|caf\xc3\xa9\n1 1\n"
		   "@???|caf\xc3\xa9|\\xc2\\x85 caf\\xe9\\x20|caf\xc3\xa9\n1 2\n"
		   "@???|caf\xc3\xa9|twenty bytes, then \\x1b|caf\xc3\xa9\n1 3\n"
		   "@???|caf\xc3\xa9|a\\x01b\\x7f|caf\xc3\xa9\n1 4\nend\n");
}

TEST(places)
{
	/* fi= and fe= are of the costs, not of the function; fn= goes back. */
	CHECK_TOLD("events: Ir\nob=o\nfl=a.c\nfn=f\n1 1\nfi=b.h\n2 2\nfe=a.c\n3 3\nfi=b.h\n"
		   "fn=g\n4 4\n",
		   "part 0 line: Ir\n@o|a.c|f|a.c\n1 1\n@o|a.c|f|b.h\n2 2\n@o|a.c|f|a.c\n3 3\n"
		   "@o|a.c|g|a.c\n4 4\nend\n");
	/* fl= within a function is of its costs, and of the functions to come. */
	CHECK_TOLD("events: Ir\nfl=a.c\nfn=f\n1 1\nfl=b.c\n2 2\nfn=g\n3 3\n",
		   "part 0 line: Ir\n@???|a.c|f|a.c\n1 1\n@???|a.c|f|b.c\n2 2\n"
		   "@???|b.c|g|b.c\n3 3\nend\n");
	/* ob= forgets the function; without fn= there is one of no name. */
	CHECK_TOLD("events: Ir\n1 1\nfl=a.c\n2 2\nfn=f\n3 3\nob=o\n4 4\n",
		   "part 0 line: Ir\n@???|???|???|???\n1 1\n@???|a.c|???|a.c\n2 2\n"
		   "@???|a.c|f|a.c\n3 3\n@o|a.c|???|a.c\n4 4\nend\n");
	/* The same in Cachegrind's format: there fl= ends the function. */
	CHECK_TOLD(
		"desc: a: b\ncmd: a\nevents: Ir\nfl=a.c\n9 9\nfn=f\n1 1\nfl=b.c\n2 2\n# x\n\n3 3\n"
		"fl=c.c\nfn=g\n4 4\nsummary: 19\n",
		"part 0 line: Ir\n@???|a.c|<unspecified>|a.c\n9 9\n@???|a.c|f|a.c\n1 1\n"
		"@???|b.c|<unspecified>|b.c\n2 2\n3 3\n@???|c.c|g|c.c\n4 4\nend\n");
	/* What has more than Cachegrind writes is not in its format. */
	CHECK_TOLD("cmd: a\nevents: Ir\nfl=a.c\nfn=(1) f\n1 1\nfn=(1)\nfl=b.c\n2 2\n",
		   "part 0 line: Ir\n@???|a.c|f|a.c\n1 1\n@???|a.c|f|b.c\n2 2\nend\n");
	CHECK_TOLD("positions: line\ncmd: a\nevents: Ir\nfl=a.c\nfn=f\n1 1\nfl=b.c\n2 2\n",
		   "part 0 line: Ir\n@???|a.c|f|a.c\n1 1\n@???|a.c|f|b.c\n2 2\nend\n");
	/* Of a callee, file and object are for one call, the name is for all that follow. */
	CHECK_TOLD("events: Ir\nob=o\nfl=a.c\nfn=f\ncob=p\ncfi=b.c\ncfn=g\ncalls=1 5\n1 7\n"
		   "calls=2 6\n2 8\ncfl=c.c\ncalls=3 7\n3 9\nfi=d.h\ncalls=4 8\n4 10\n",
		   "part 0 line: Ir\n@o|a.c|f|a.c\ncall 1 p|b.c|g >5 from 1 7\n"
		   "call 2 o|a.c|g >6 from 2 8\ncall 3 o|c.c|g >7 from 3 9\n"
		   "@o|a.c|f|d.h\ncall 4 o|d.h|g >8 from 4 10\nend\n");
}

/* CodSpeed's: costs and calls of inlined code are the function's that it is in, with its lines. */
TEST(inlined_names)
{
	CHECK_TOLD("events: Ir\nob=(1) o\nfl=(1) a.c\nfn=(1) f\n1 1\nfi=(2) b.h\ncfni=g\n2 2\n"
		   "cfni=(anonymous namespace)::h<(3)>\n+1 3\ncfn=(2) k\ncalls=1 7\n* 4\n"
		   "fe=(1)\ncfni=???\n5 5\nfn=(2)\n6 6\n",
		   "part 0 line: Ir\n@o|a.c|f|a.c\n1 1\n@o|a.c|f|b.h\n2 2\n3 3\n"
		   "call 1 o|b.h|k >7 from 3 4\n@o|a.c|f|a.c\n5 5\n@o|a.c|k|a.c\n6 6\nend\n");
	/* Names are in full, and need none of their own. */
	CHECK_TOLD(HEAD "cfni=(1)\n1 1\ncfni=\n2 2\n", TOLD "1 1\n2 2\nend\n");
	CHECK_TOLD(HEAD "cfn=g\ncalls=1 2\ncfni=h\n3 4\n",
		   "5:1: expected the cost line of \"calls=\"");
}

TEST(calls)
{
	/* Comments and blank lines may appear between the two lines. */
	CHECK_TOLD(HEAD "cfn=g\n# a\ncalls=0x2 0x10\n\n# b\n3 4 5\n6 7\n",
		   TOLD "call 2 ???|???|g >16 from 3 4 5\n6 7\nend\n");
	/* Targets are relative to the last cost line, which they do not move. */
	CHECK_TOLD(HEAD "10 1\ncfn=g\ncalls=1 +5\n+1 2\ncalls=1 *\n* 3\ncalls=1 -1\n+1 4\n",
		   TOLD "10 1\ncall 1 ???|???|g >15 from 11 2\ncall 1 ???|???|g >11 from 11 3\n"
			"call 1 ???|???|g >10 from 12 4\nend\n");
	/* Xdebug has an additional number, some have none; pprof does not count calls. */
	CHECK_TOLD(HEAD "cfn=g\ncalls=1 0 0\n3 4\ncalls=5\n6 7\ncalls=0 1\n8 9\nrcalls=2 3\n4 5\n",
		   TOLD "call 1 ???|???|g >0 from 3 4\ncall 5 ???|???|g >0 from 6 7\n"
			"call 0 ???|???|g >1 from 8 9\ncall 2 ???|???|g >3 from 4 5\nend\n");
	CHECK_TOLD(
		"positions: instr line\nevents: Ir\nfn=f\ncfn=g\ncalls=1 0x10 5\n0x20 6 7\n+1 * 8\n",
		"part 0 instr line: Ir\n@???|???|f|???\ncall 1 ???|???|g >0x10,5 from 0x20,6 7\n"
		"0x21,6 8\nend\n");
}

TEST(jumps)
{
	CHECK_TOLD(HEAD "1 2\njump=3 10\n+4\njcnd=1/4 20\n* \njcnd=4 1 20\n*\n6 7\n",
		   TOLD "1 2\njump 3 ??? >10 from 5\njcnd 1/4 ??? >20 from 5\n"
			"jcnd 1/4 ??? >20 from 5\n6 7\nend\n");
	/* Where they go, for one jump. */
	CHECK_TOLD("events: Ir\nfl=a.c\nfn=f\njfi=b.c\njfn=g\njump=1 2\n3\njump=1 2\n3\njfn=h\n"
		   "jcnd=0x1/0x2 0x3\n# a\n4\n",
		   "part 0 line: Ir\n@???|a.c|f|a.c\njump 1 b.c|g >2 from 3\njump 1 a.c >2 from 3\n"
		   "jcnd 1/2 a.c|h >3 from 4\nend\n");
	/*
	 * By the letter of the specification there is no line of the source, and what
	 * follows is an ordinary one.
	 */
	CHECK_TOLD(HEAD "1 2\njump=3 10\nfn=g\njcnd=1 1 2\n5 6\njump=1 1\n",
		   TOLD "1 2\njump 3 ??? >10 from 1\n@???|???|g|???\njcnd 1/1 ??? >2 from 5\n5 6\n"
			"jump 1 ??? >1 from 5\nend\n");
}

TEST(columns)
{
	CHECK_TOLD("positions: instr bb line\nevents: Ir\nfn=f\n0x10 7 3 1\n+1 * +1 2\n",
		   "part 0 instr line: Ir\n@???|???|f|???\n0x10,3 1\n0x11,4 2\nend\n");
	CHECK_TOLD("positions: bb\nevents: Ir\nfn=f\n7 1\n",
		   "part 0: Ir\n@???|???|f|???\n0 1\nend\n");
	CHECK_TOLD("positions: instr\nevents: Ir\nfn=f\n0x10 1\n",
		   "part 0 instr: Ir\n@???|???|f|???\n0x10,0 1\nend\n");
	CHECK_TOLD("positions:\nevents: Ir\nfn=f\n10 1\n",
		   "part 0 line: Ir\n@???|???|f|???\n10 1\nend\n");
}

TEST(parts)
{
	/* None at all. */
	CHECK_TOLD("", "");
	CHECK_TOLD("# callgrind format\nversion: 1\ncreator: nobody\n\n", "");
	CHECK_TOLD("events: Ir\n", "part 0 line: Ir\nend\n");
	/* A second "events:" begins one; ids stay, the rest begins afresh. */
	CHECK_TOLD("positions: instr line\nevents: Ir\nob=o\nfl=a.c\nfn=(1) f\n0x10 1 2\n"
		   "events: Dr Dw\n+1 3\nfn=(1)\n+1 4 5\n",
		   "part 0 instr line: Ir\n@o|a.c|f|a.c\n0x10,1 2\nend\n"
		   "part 1 line: Dr Dw\n@???|???|???|???\n1 3\n@???|???|f|???\n2 4 5\nend\n");
	CHECK_TOLD("events: Ir\nevents: Dr\n", "part 0 line: Ir\nend\npart 1 line: Dr\nend\n");
	/* So does what belongs to a header, after costs; not before them. */
	CHECK_TOLD("part: 1\nevents: Ir\nthread: 1\n1 2\ntotals: 2\npart: 2\nevents: Ir\n3 4\n"
		   "creator: c\nevents: Ir\n",
		   "part 0 line: Ir\n@???|???|???|???\n1 2\nend\n"
		   "part 1 line: Ir\n@???|???|???|???\n3 4\nend\npart 2 line: Ir\nend\n");
	/* Cachegrind's: a file's desc: comes first, after the costs of the one before. */
	CHECK_TOLD("events: Ir\nfn=f\n1 2\ndesc: a: b\nevents: Ir\n",
		   "part 0 line: Ir\n@???|???|f|???\n1 2\nend\npart 1 line: Ir\nend\n");
}

/* The part that is reported last. */
struct kept {
	struct part part;
	char text[512];
	size_t len;
};

/* A line of three texts, "-" for one that is not there. */
static void keep(struct kept *kept, const char *a, const char *b, const char *c)
{
	kept->len += (size_t)snprintf(kept->text + kept->len, sizeof(kept->text) - kept->len,
				      "%s;%s;%s\n", a, b ? b : "-", c ? c : "-");
}

static int keep_part(void *ctx, const struct part *part)
{
	struct kept *kept = ctx;

	kept->part = *part;
	kept->len = 0;
	keep(kept, "header", part->creator, part->cmd);
	for (size_t i = 0; i < part->n_descs; i++)
		keep(kept, "desc", part->descs[i].type, part->descs[i].value);
	for (size_t i = 0; i < part->n_definitions; i++)
		keep(kept, part->definitions[i].name, part->definitions[i].formula,
		     part->definitions[i].long_name);
	CHECK_EQ_U64(part->n_summary, 2);
	CHECK_EQ_U64(part->summary[0], 5);
	CHECK_EQ_U64(part->summary[1], 16);
	CHECK_EQ_U64(part->n_totals, 1);
	CHECK_EQ_U64(part->totals[0], 4);
	return PROFILE_OK;
}

TEST(header)
{
	static const char text[] =
		"version: 1\ncreator:  me, myself \npid: 0x10\ncmd:  ./a b\\n\npart: 2\nthread: 3\n"
		"desc: I1 cache: 1 B: 2 B\ndesc: Trigger\ndesc:\ndesc: : lone\n"
		"event: Ir : Instr: fetched\nevent: Sum=Ir + 2 Dr:Both\nevent: D = Ir - 2*Dr\n"
		"event: Dr\nevent: Time_(10ns) : Time\nsummary: 5 0x10\nevents: Ir Dr\n"
		"arch: arm\nevent: Late : Late one\nfn=f\n1 4\ntotals: 4\n";
	struct kept kept;
	const struct visitor visitor = { .ctx = &kept, .part_end = keep_part };
	struct reader_report report;

	CHECK(read_profile(&(struct reader_text){ text, strlen(text), NULL }, NULL, &visitor,
			   &report, NULL) == 0);
	CHECK_STR(kept.text, "header;me, myself;./a b\\n\ndesc;I1 cache;1 B: 2 B\n"
			     "desc;Trigger;\ndesc;lone;\nIr;-;Instr: fetched\nSum;Ir + 2 Dr;Both\n"
			     "D;Ir - 2*Dr;-\nDr;-;-\nTime_(10ns);-;Time\nLate;-;Late one\n");
	CHECK(kept.part.has_pid && kept.part.has_number && kept.part.has_thread);
	CHECK_EQ_U64(kept.part.pid, 16);
	CHECK_EQ_U64(kept.part.number, 2);
	CHECK_EQ_U64(kept.part.thread, 3);
	CHECK_EQ_U64(kept.part.first_line, 1);
	CHECK_EQ_U64(kept.part.summary_line, 16);
	CHECK_EQ_U64(kept.part.totals_line, 22);
	CHECK_EQ_U64(report.version, 1);
	CHECK_EQ_U64(report.lines, 22);
	CHECK_EQ_U64(report.bytes, strlen(text));
	CHECK_EQ_U64(report.n_parts, 1);
	CHECK_EQ_U64(report.traits[TRAIT_UNKNOWN_KEY].line, 18);
	CHECK_EQ_U64(report.traits[TRAIT_SUMMARY_FIRST].line, 16);
	CHECK_EQ_U64(report.traits[TRAIT_LATE_EVENT].line, 19);
}

/* Lines longer than the buffer, and a buffer that ends anywhere. */
TEST(long_lines)
{
	enum { LONG = 700 * 1000 };
	struct reader_log log;
	struct reader_report report;
	char *text = calloc(2, LONG + 50);
	size_t len;

	if (!CHECK(text))
		return;
	len = (size_t)snprintf(text, 20, "events: Ir\nfn=");
	memset(text + len, 'x', LONG);
	len += LONG;
	len += (size_t)snprintf(text + len, 20, "\n1 2\n# ");
	memset(text + len, 'y', LONG);
	len += LONG;
	len += (size_t)snprintf(text + len, 20, "\n3 4");
	CHECK_EQ_U64((uint64_t)log_read(&log, text, len, false, &report), PROFILE_OK);
	/* The log leaves out what is longer than itself. */
	CHECK_STR(log.text, "part 0 line: Ir\n@???|???||???\n1 2\n3 4\nend\n");
	CHECK_EQ_U64(report.lines, 5);
	CHECK_EQ_U64(report.traits[TRAIT_NO_FINAL_NEWLINE].line, 5);
	free(text);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(simple_example),
		CHECK_TEST(extended_example),
		CHECK_TEST(name_compression),
		CHECK_TEST(names_defined_before_any_costs),
		CHECK_TEST(position_compression),
		CHECK_TEST(numbers),
		CHECK_TEST(blanks),
		CHECK_TEST(names),
		CHECK_TEST(places),
		CHECK_TEST(inlined_names),
		CHECK_TEST(calls),
		CHECK_TEST(jumps),
		CHECK_TEST(columns),
		CHECK_TEST(parts),
		CHECK_TEST(header),
		CHECK_TEST(long_lines),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
