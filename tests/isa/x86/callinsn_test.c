/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isa/x86/bytes, callinsn_before(): which call is before a return address.  The bytes are
 * GNU as's.
 */
#include "isa/x86/bytes.h"

#include <string.h>

#include "tests/common/check.h"

enum {
	RETURN_ADDRESS = 0x401010,
};

/* Code is from 0x400000 to 0x500000. */
static bool is_code(uint64_t address)
{
	return address >= 0x400000 && address < 0x500000;
}

/* What ends with these bytes; before them are nops, or what was given. */
static struct callinsn behind(const char *bytes, size_t n)
{
	uint8_t code[CALLINSN_MAX_SIZE];

	memset(code, 0x90, sizeof(code));
	memcpy(code + sizeof(code) - n, bytes, n);
	return callinsn_before(code, RETURN_ADDRESS, is_code);
}

/* A macro, as the length of the bytes is the string's. */
#define BEHIND(bytes) behind(bytes, sizeof(bytes) - 1)

TEST(direct)
{
	struct callinsn insn = BEHIND("\xe8\x0b\x00\x00\x00");

	CHECK_EQ_U64(insn.size, 5);
	CHECK(insn.is_direct);
	CHECK_EQ_U64(insn.target, 0x40101b);
	insn = BEHIND("\xe8\xf0\xff\xff\xff");
	CHECK_EQ_U64(insn.size, 5);
	CHECK_EQ_U64(insn.target, 0x401000);
}

TEST(direct_with_prefixes)
{
	CHECK_EQ_U64(BEHIND("\x67\xe8\xf0\xff\xff\xff").size, 6);
	CHECK_EQ_U64(BEHIND("\xf2\xe8\xf0\xff\xff\xff").size, 6);
	CHECK_EQ_U64(BEHIND("\x66\x48\xe8\xf0\xff\xff\xff").size, 7);
	CHECK_EQ_U64(BEHIND("\x66\x66\x48\xe8\xf0\xff\xff\xff").size, 8);
	CHECK_EQ_U64(BEHIND("\x48\xe8\xf0\xff\xff\xff").size, 5);
}

TEST(direct_to_where_no_code_is)
{
	CHECK_EQ_U64(BEHIND("\xe8\x00\x00\x00\x70").size, 0);
	CHECK_EQ_U64(BEHIND("\xe8\x00\x00\x00\x80").size, 0);
}

TEST(through_registers)
{
	CHECK_EQ_U64(BEHIND("\xff\xd0").size, 2);     /* call *%rax */
	CHECK_EQ_U64(BEHIND("\x41\xff\xd4").size, 3); /* call *%r12 */
	CHECK_EQ_U64(BEHIND("\x3e\xff\xd0").size, 3); /* notrack */
	CHECK_EQ_U64(BEHIND("\xff\xd7").size, 2);     /* call *%rdi */
	CHECK(!BEHIND("\xff\xd0").is_direct);
	CHECK_EQ_U64(BEHIND("\xe8\x00\xff\xff\xd0").size, 2); /* e8 leads nowhere */
}

TEST(through_memory)
{
	CHECK_EQ_U64(BEHIND("\xff\x10").size, 2);                         /* *(%rax) */
	CHECK_EQ_U64(BEHIND("\xff\x14\xc3").size, 3);                     /* *(%rbx,%rax,8) */
	CHECK_EQ_U64(BEHIND("\x41\xff\x14\xdc").size, 4);                 /* *(%r12,%rbx,8) */
	CHECK_EQ_U64(BEHIND("\xff\x50\x18").size, 3);                     /* *0x18(%rax) */
	CHECK_EQ_U64(BEHIND("\xff\x54\x24\x08").size, 4);                 /* *8(%rsp) */
	CHECK_EQ_U64(BEHIND("\xff\x15\xe2\x2f\x00\x00").size, 6);         /* *x(%rip) */
	CHECK_EQ_U64(BEHIND("\xff\x90\x00\x01\x00\x00").size, 6);         /* *0x100(%rax) */
	CHECK_EQ_U64(BEHIND("\xff\x94\xc8\x00\x01\x00\x00").size, 7);     /* with SIB */
	CHECK_EQ_U64(BEHIND("\xff\x14\xc5\x00\x40\x40\x00").size, 7);     /* *x(,%rax,8) */
	CHECK_EQ_U64(BEHIND("\x42\xff\x14\xe5\x00\x40\x40\x00").size, 8); /* *x(,%r12,8) */
}

TEST(no_call)
{
	CHECK_EQ_U64(BEHIND("\x90").size, 0);
	CHECK_EQ_U64(BEHIND("\xff\xe0").size, 0);                 /* jmp *%rax */
	CHECK_EQ_U64(BEHIND("\xff\x25\xe2\x2f\x00\x00").size, 0); /* jmp *x(%rip) */
	CHECK_EQ_U64(BEHIND("\xff\x50").size, 0);                 /* cut */
	CHECK_EQ_U64(BEHIND("\xe9\x00\x00\x00\x00").size, 0);     /* jmp */
	CHECK_EQ_U64(BEHIND("\xff\x18").size, 0);                 /* far */
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(direct),
		CHECK_TEST(direct_with_prefixes),
		CHECK_TEST(direct_to_where_no_code_is),
		CHECK_TEST(through_registers),
		CHECK_TEST(through_memory),
		CHECK_TEST(no_call),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
