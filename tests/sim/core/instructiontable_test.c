/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/core/instructiontable: what is read of a table's text, the words of each error, and which row a key finds. */
#include "sim/core/instructiontable.h"

#include <stdlib.h>

#include "tests/common/check.h"

/* Lines 1 to 5. */
#define HEAD_REST                  \
 "\n"                              \
 "ports ALU0 ALU1 LD0 LD1 FP ST\n" \
 "load 4 7 8 c:10\n"               \
 "store 20:10\n"                   \
 "other 1|2|3:10\n"
#define HEAD "core zen9 from znver9" HEAD_REST

static struct instructiontable table;
static struct instructiontable_error error;
static void *memory;

/* Of just the size that is asked for, so that sanitizers see what lies past it. */
static bool parse_bytes(const char *text, size_t len)
{
	size_t size = instructiontable_size(text, len);

	free(memory);
	memory = malloc(size + (size == 0));
	if (memory == NULL)
		return false;
	memset(memory, 0xa5, size);
	return instructiontable_parse(&table, text, len, memory, &error);
}

/* "LINE: expected ..., found '...'", or "fine". */
static const char *parse(const char *text)
{
	static char message[400];

	if (parse_bytes(text, strlen(text)))
		return "fine";
	snprintf(message, sizeof(message), "%" PRIu32 ": expected %s, found '%.*s'", error.line,
		 error.expected, (int)error.found.len, text + error.found.offset);
	return message;
}

static const char *with(const char *more)
{
	static char text[4096];

	snprintf(text, sizeof(text), HEAD "%s", more);
	return parse(text);
}

/* "exact 1|5|c:10 3:10" of a key. */
static const char *find_bytes(const char *key, size_t len)
{
	static const char *const how[] = { "exact", "reduced", "default" };
	static char answer[200];
	struct instruction_row row;
	enum instruction_match match = instructiontable_find(&table, key, len, &row);
	int n = snprintf(answer, sizeof(answer), "%s %u|%u|", how[match], row.uops, row.latency);

	for (unsigned i = 0; i < row.n_uses; i++)
		n += snprintf(answer + n, sizeof(answer) - (size_t)n, "%s%" PRIx32 ":%u",
			      i > 0 ? " " : "", row.uses[i].ports, row.uses[i].tenths);
	return answer;
}

static const char *find(const char *key)
{
	return find_bytes(key, strlen(key));
}

TEST(a_head_is_read)
{
	CHECK_STR(parse("# what\n\n" HEAD), "fine");
	CHECK_STR(table.name, "zen9");
	CHECK_STR(table.model, "znver9");
	CHECK_EQ_U64(table.n_ports, 6);
	CHECK(memcmp(table.text + table.ports[4].offset, "FP", 2) == 0 && table.ports[4].len == 2);
	CHECK_EQ_U64(table.loads.integer, 4);
	CHECK_EQ_U64(table.loads.vector, 7);
	CHECK_EQ_U64(table.loads.wide, 8);
	CHECK_EQ_U64(table.load.n_uses, 1);
	CHECK_EQ_U64(table.load.uses[0].ports, 0xc);
	CHECK_EQ_U64(table.load.uses[0].tenths, 10);
	CHECK_EQ_U64(table.store.uses[0].ports, 0x20);
	CHECK_EQ_U64(table.n_keys, 0);
	CHECK_STR(find("add r64,r64"), "default 1|2|3:10");
	CHECK_STR(find(""), "default 1|2|3:10");
}

TEST(the_first_line_has_properties)
{
	CHECK_STR(parse(HEAD), "fine");
	CHECK(!table.fuses_compares && table.renaming == INSTRUCTION_RENAMES_BASES);
	CHECK_STR(parse("core a from b renaming all" HEAD_REST), "fine");
	CHECK(table.renaming == INSTRUCTION_RENAMES_ALL);
	CHECK_STR(parse("core a from b fusing compares renaming moves" HEAD_REST), "fine");
	CHECK(table.fuses_compares && table.renaming == INSTRUCTION_RENAMES_MOVES);
	CHECK_STR(parse("core a from b renaming constants" HEAD_REST), "fine");
	CHECK(!table.fuses_compares && table.renaming == INSTRUCTION_RENAMES_CONSTANTS);
}

TEST(each_form_of_a_row_is_found)
{
	CHECK_STR(with("add r16,r16 r64,r64|1|1|3:10\n"
		       "add r64,m64|1|5|3:10 c:10\r\n"
		       "  # a comment\n"
		       "lock add m64,r64|2|18|\n"
		       "nop -|0|0|\n"
		       "ret - i|1|255|1:65535 2:1 3:2 4:3 5:4 6:5 7:6 3f:7"),
		  "fine");
	CHECK_EQ_U64(table.n_keys, 7);
	CHECK_STR(find("add r16,r16"), "exact 1|1|3:10");
	CHECK_STR(find("add r64,r64"), "exact 1|1|3:10");
	CHECK_STR(find("add r64,m64"), "exact 1|5|3:10 c:10");
	CHECK_STR(find("lock add m64,r64"), "exact 2|18|");
	CHECK_STR(find("nop"), "exact 0|0|");
	CHECK_STR(find("ret"), "exact 1|255|1:65535 2:1 3:2 4:3 5:4 6:5 7:6 3f:7");
	CHECK_STR(find("ret i"), "exact 1|255|1:65535 2:1 3:2 4:3 5:4 6:5 7:6 3f:7");
}

TEST(similar_forms_stand_in)
{
	CHECK_STR(with("add r64,r64|1|1|3:10\n"
		       "sub r64,m64|1|5|3:10 c:20\n"
		       "paddb x,x|1|1|10:10\n"
		       "vpaddb x,x,x|1|1|10:10\n"
		       "vpaddb y,y,y|2|3|10:20\n"
		       "cvtsi2sd x,r64|1|4|10:10\n"
		       "movs m64,m64|3|3|\n"
		       "shl r64,cl|1|1|1:10\n"
		       "shl r64,i|1|2|1:10\n"),
		  "fine");
	/* 1: widths */
	CHECK_STR(find("add r16,r16"), "reduced 1|1|3:10");
	CHECK_STR(find("add r64,r32"), "reduced 1|1|3:10");
	CHECK_STR(find("sub r8,m8"), "reduced 1|5|3:10 c:20");
	CHECK_STR(find("shl r8,cl"), "reduced 1|1|1:10");
	CHECK_STR(find("shl r32,i"), "reduced 1|2|1:10");
	/* 2: vectors */
	CHECK_STR(find("paddb y,y"), "reduced 1|1|10:10");
	/* 3: loads */
	CHECK_STR(find("add r64,m64"), "reduced 1|5|3:10 c:10");
	CHECK_STR(find("add r8,m8"), "reduced 1|5|3:10 c:10");
	CHECK_STR(find("paddb x,m128"), "reduced 1|8|10:10 c:10");
	CHECK_STR(find("paddb x,m64"), "reduced 1|8|10:10 c:10");
	CHECK_STR(find("vpaddb y,y,m256"), "reduced 2|11|10:20 c:10");
	/* 4: without a prefix */
	CHECK_STR(find("rep movs m64,m64"), "reduced 3|3|");
	CHECK_STR(find("rep movs m8,m8"), "reduced 3|3|");
	/* 5: the mnemonic's first row */
	CHECK_STR(find("add m64,st"), "reduced 1|1|3:10");
	CHECK_STR(find("lock shl"), "reduced 1|1|1:10");
	/* 6: nothing */
	CHECK_STR(find("mul r64"), "default 1|2|3:10");
	CHECK_STR(find("mul m64"), "default 1|2|3:10");
	CHECK_STR(find("mul r64,m64"), "default 1|6|3:10 c:10");
	CHECK_STR(find("vmulps y,y,m256"), "default 1|10|3:10 c:10");
}

TEST(keys_may_be_any_bytes)
{
	static const char *const odd[] = {
		" ",
		",",
		"add ",
		"add ,",
		"add ,,,",
		"add r64,",
		"lock",
		"lock ",
		"lock lock ",
		"*",
		"add*",
		"add r8,r8,r8,r8,r8,r8,r8,r8",
		"add r8,r8,r8,r8,r8,r8,r8,r8,r8,r8,r8,r8,r8,r8,r8,r8,r8,r8"
	};
	char key[INSTRUCTION_MAX_KEY + 2];

	CHECK_STR(with("add r64,r64|1|1|3:10\n"), "fine");
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		CHECK(strncmp(find(odd[i]), "exact", 5) != 0);
	for (size_t len = 0; len < sizeof(key); len++) {
		memset(key, 'm', len);
		CHECK_STR(find_bytes(key, len), "default 1|2|3:10");
		for (size_t i = 4; i < len; i++)
			key[i] = i % 2 == 0 ? ' ' : ',';
		find_bytes(key, len);
		memcpy(key, "add ", len < 4 ? len : 4);
		for (size_t i = 4; i < len; i++)
			key[i] = "r8,"[(i - 4) % 3];
		find_bytes(key, len);
	}
}

TEST(errors_say_what_was_expected)
{
	CHECK_STR(parse(""), "1: expected the lines core, ports, load, store and other, found ''");
	CHECK_STR(parse("core a from b\nports P\n"),
		  "3: expected the lines core, ports, load, store and other, found ''");
	CHECK_STR(parse("machine a\n"), "1: expected core NAME from MODEL, found 'machine'");
	CHECK_STR(parse("core\n"), "1: expected a name of 1 to 31 bytes, found ''");
	CHECK_STR(parse("core abcdefghijklmnopqrstuvwxyz0123456 from a"),
		  "1: expected a name of 1 to 31 bytes, found 'abcdefghijklmnopqrstuvwxyz0123456'");
	CHECK_STR(parse("core a of b\n"), "1: expected from and the name of a model, found 'of'");
	CHECK_STR(parse("core a from b fusing all\n"), "1: expected compares, found 'all'");
	CHECK_STR(parse("core a from b c\n"),
		  "1: expected the end of the line, fusing or renaming, found 'c'");
	CHECK_STR(parse("core a from b renaming b\n"),
		  "1: expected all, constants or moves, found 'b'");
	CHECK_STR(parse("core a from b\nports\n"), "2: expected names of ports, found ''");
	CHECK_STR(parse("core a from b\nports 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 "
			"7 8 9 0 1 2 x\n"),
		  "2: expected no more than 32 ports, found 'x'");
	CHECK_STR(parse("core a from b\nports P\nload 4 7\n"),
		  "3: expected a number from 0 to 255, found ''");
	CHECK_STR(parse("core a from b\nports P\nload 4 7 256\n"),
		  "3: expected a number from 0 to 255, found '256'");
	CHECK_STR(parse("core a from b\nports P\nload 4 7 7 2:10\n"),
		  "3: expected a mask of existing ports, found '2:10'");
	CHECK_STR(parse("core a from b\nports P\nload 4 7 7\nadd\n"),
		  "4: expected store and uses of ports, found 'add'");
	CHECK_STR(parse("core a from b\nports P\nload 4 7 7\nstore\nother 1 1|\n"),
		  "5: expected '|' and a latency, found '1'");
	CHECK_STR(with("\nadd r64\n"),
		  "7: expected kinds of operands, or '|' and a cost, found ''");
	CHECK_STR(with("|1|1|\n"), "6: expected a mnemonic, found '|'");
	CHECK_STR(with("lock|1|1|\n"), "6: expected one blank, and a mnemonic, found '|'");
	CHECK_STR(with("rep  movsb m8,m8|1|1|\n"),
		  "6: expected one blank, and a mnemonic, found 'movsb'");
	CHECK_STR(with("add r64\nadd r64|1|1|\n"),
		  "6: expected kinds of operands, or '|' and a cost, found ''");
	CHECK_STR(with("add r64 r64|1|1|\n"),
		  "6: expected a form that has no row yet, found 'r64'");
	CHECK_STR(with("ret -|1|1|\nret i -|1|1|\n"),
		  "7: expected a form that has no row yet, found '-'");
	CHECK_STR(with("add r64|x|1|\n"), "6: expected a number from 0 to 255, found 'x'");
	CHECK_STR(with("add r64|1\n"), "6: expected '|' and a latency, found ''");
	CHECK_STR(with("add r64|1|1\n"), "6: expected '|' and uses of ports, found ''");
	CHECK_STR(with("add r64|1|1|3\n"), "6: expected PORTS:TENTHS, found '3'");
	CHECK_STR(with("add r64|1|1|3:\n"), "6: expected PORTS:TENTHS, found '3:'");
	CHECK_STR(with("add r64|1|1|3:65536\n"), "6: expected PORTS:TENTHS, found '3:65536'");
	CHECK_STR(with("add r64|1|1|3:0\n"),
		  "6: expected tenths of a cycle, from 1 to 65535, found '3:0'");
	CHECK_STR(with("add r64|1|1|0:10\n"), "6: expected a mask of existing ports, found '0:10'");
	CHECK_STR(with("add r64|1|1|40:10\n"),
		  "6: expected a mask of existing ports, found '40:10'");
	CHECK_STR(with("add r64|1|1|100000001:10\n"),
		  "6: expected a mask of existing ports, found '100000001:10'");
	CHECK_STR(with("add r64|1|1|G:10\n"), "6: expected a mask of existing ports, found 'G:10'");
	CHECK_STR(with("add r64|1|1|1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 2:1\n"),
		  "6: expected no more than 8 uses of ports, found '2:1'");
	CHECK_STR(with("add r64|1|1|1:1|\n"), "6: expected a mask of existing ports, found '|'");
	CHECK_STR(with("a234567890123456789012345678901234567890123456789012345678901234|1|1|\n"),
		  "6: expected a mnemonic, found "
		  "'a234567890123456789012345678901234567890123456789012345678901234'");
}

/* A text that ends anywhere, and one with a byte changed, is read within its bytes. */
TEST(what_is_cut_or_spoilt_is_refused_or_read)
{
	static const char text[] = HEAD "add r16,r16 r64,r64|1|1|3:10\n"
					"lock add m64,r64|2|18|\n";

	for (size_t len = 0; len < sizeof(text); len++) {
		char *copy = malloc(len + (len == 0));

		if (!CHECK(copy != NULL))
			return;
		memcpy(copy, text, len);
		parse_bytes(copy, len);
		for (size_t i = 0; i < len; i++) {
			for (const char *c = "\n| :a#9-"; *c != '\0'; c++) {
				copy[i] = *c;
				if (parse_bytes(copy, len))
					find("add r64,r64");
			}
			copy[i] = text[i];
		}
		free(copy);
	}
	CHECK_EQ_U64(instructiontable_size(text, INSTRUCTIONTABLE_MAX_SIZE + 1), 0);
	CHECK(!instructiontable_parse(&table, text, INSTRUCTIONTABLE_MAX_SIZE + 1, NULL, &error));
	CHECK_STR(error.expected, "a text of at most 1 MB");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_head_is_read),
		CHECK_TEST(the_first_line_has_properties),
		CHECK_TEST(each_form_of_a_row_is_found),
		CHECK_TEST(similar_forms_stand_in),
		CHECK_TEST(keys_may_be_any_bytes),
		CHECK_TEST(errors_say_what_was_expected),
		CHECK_TEST(what_is_cut_or_spoilt_is_refused_or_read),
	};
	int status = check_run(tests, sizeof(tests) / sizeof(tests[0]));

	free(memory);
	return status;
}
