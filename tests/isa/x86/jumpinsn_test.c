/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isa/x86/bytes: which bytes are a jump, and where it goes. */
#include "isa/x86/bytes.h"

#include "tests/common/check.h"

enum {
	ADDRESS = 0x1000, /* of every instruction here */
};

static struct jump_insn decode(const char *bytes, size_t size)
{
	struct jump_insn insn;

	jump_insn_decode((const uint8_t *)bytes, size, ADDRESS, &insn);
	return insn;
}

#define DECODE(bytes) decode((bytes), sizeof(bytes) - 1) /* a literal may hold NULs */

static void check_insn(struct jump_insn got, enum jump_kind kind, uint64_t target, bool negated)
{
	CHECK(got.kind == kind);
	CHECK_EQ_U64(got.target, target);
	CHECK(got.negated == negated);
}

TEST(conditional_jumps)
{
	check_insn(DECODE("\x74\x10"), INSN_JUMP_CONDITIONAL, 0x1012, false); /* jz */
	check_insn(DECODE("\x75\x10"), INSN_JUMP_CONDITIONAL, 0x1012, true);
	check_insn(DECODE("\x70\x7f"), INSN_JUMP_CONDITIONAL, 0x1081, false);
	check_insn(DECODE("\x7f\x80"), INSN_JUMP_CONDITIONAL, 0xf82, true);
	check_insn(DECODE("\x0f\x84\x00\x00\x00\x00"), INSN_JUMP_CONDITIONAL, 0x1006, false);
	check_insn(DECODE("\x0f\x8f\x78\x56\x34\x12"), INSN_JUMP_CONDITIONAL, 0x1234667e, true);
	check_insn(DECODE("\x0f\x80\xfa\xff\xff\xff"), INSN_JUMP_CONDITIONAL, ADDRESS, false);
	check_insn(DECODE("\x0f\x80\xf9\xef\xff\xff"), INSN_JUMP_CONDITIONAL, UINT64_MAX, false);
}

TEST(loops)
{
	check_insn(DECODE("\xe0\xfe"), INSN_JUMP_CONDITIONAL, ADDRESS, false); /* loopnz */
	check_insn(DECODE("\xe1\xfe"), INSN_JUMP_CONDITIONAL, ADDRESS, false);
	check_insn(DECODE("\xe2\x02"), INSN_JUMP_CONDITIONAL, 0x1004, false);
	check_insn(DECODE("\xe3\x00"), INSN_JUMP_CONDITIONAL, 0x1002, false); /* jrcxz */
	check_insn(DECODE("\x67\xe3\x00"), INSN_JUMP_CONDITIONAL, 0x1003, false);
}

TEST(direct_jumps)
{
	check_insn(DECODE("\xeb\xfe"), INSN_JUMP_DIRECT, ADDRESS, false);
	check_insn(DECODE("\xe9\x00\x00\x00\x80"), INSN_JUMP_DIRECT, 0xffffffff80001005, false);
	check_insn(DECODE("\xe9\xff\xff\xff\x7f"), INSN_JUMP_DIRECT, 0x80001004, false);
}

TEST(computed_jumps)
{
	check_insn(DECODE("\xff\xe0"), INSN_JUMP_COMPUTED, 0, false);     /* *%rax */
	check_insn(DECODE("\x41\xff\xe4"), INSN_JUMP_COMPUTED, 0, false); /* *%r12 */
	check_insn(DECODE("\xff\x24\xd5\x00\x10\x40\x00"), INSN_JUMP_COMPUTED, 0,
		   false); /* table */
	check_insn(DECODE("\xff\x25\x00\x00\x00\x00"), INSN_JUMP_COMPUTED, 0, false);
	check_insn(DECODE("\x64\xff\x26"), INSN_JUMP_COMPUTED, 0, false); /* *%fs:(%rsi) */
}

TEST(prefixes)
{
	check_insn(DECODE("\x2e\x74\x10"), INSN_JUMP_CONDITIONAL, 0x1013, false); /* hints */
	check_insn(DECODE("\x3e\x75\x10"), INSN_JUMP_CONDITIONAL, 0x1013, true);
	check_insn(DECODE("\xf2\x0f\x84\x01\x00\x00\x00"), INSN_JUMP_CONDITIONAL, 0x1008, false);
	check_insn(DECODE("\xf2\xe9\x01\x00\x00\x00"), INSN_JUMP_DIRECT, 0x1007, false); /* bnd */
	check_insn(DECODE("\x48\xeb\x01"), INSN_JUMP_DIRECT, 0x1004, false);             /* rex.w */
	check_insn(DECODE("\x3e\xff\xe0"), INSN_JUMP_COMPUTED, 0, false); /* notrack */
}

TEST(no_jumps)
{
	check_insn(DECODE(""), INSN_JUMP_NONE, 0, false); /* Valgrind could not decode it */
	check_insn(DECODE("\x74"), INSN_JUMP_NONE, 0, false);
	check_insn(DECODE("\xf3\xf2"), INSN_JUMP_NONE, 0, false);
	check_insn(DECODE("\xe8\x00\x00\x00\x00"), INSN_JUMP_NONE, 0, false); /* call */
	check_insn(DECODE("\xff\xd0"), INSN_JUMP_NONE, 0, false);             /* call *%rax */
	check_insn(DECODE("\xff\xc0"), INSN_JUMP_NONE, 0, false);             /* inc %eax */
	check_insn(DECODE("\xff\x30"), INSN_JUMP_NONE, 0, false);             /* push (%rax) */
	check_insn(DECODE("\xc3"), INSN_JUMP_NONE, 0, false);
	check_insn(DECODE("\xf3\xaa"), INSN_JUMP_NONE, 0, false);         /* rep stosb */
	check_insn(DECODE("\x0f\x44\xc2"), INSN_JUMP_NONE, 0, false);     /* cmovz */
	check_insn(DECODE("\x0f\x94\xc2"), INSN_JUMP_NONE, 0, false);     /* setz */
	check_insn(DECODE("\xc5\xf9\x74\xc1"), INSN_JUMP_NONE, 0, false); /* vpcmpeqb */
	check_insn(DECODE("\x66\x0f\x74\xc1"), INSN_JUMP_NONE, 0, false); /* pcmpeqb */
	check_insn(DECODE("\xb8\x74\x10\x74\x10"), INSN_JUMP_NONE, 0,
		   false); /* mov of such bytes */
	check_insn(DECODE("\x0f\x05"), INSN_JUMP_NONE, 0, false);
}

#define IS_COMPUTED(bytes) jump_insn_is_computed((const uint8_t *)(bytes), sizeof(bytes) - 1)

TEST(computed)
{
	CHECK(IS_COMPUTED("\xff\xe0"));                     /* jmp *%rax */
	CHECK(IS_COMPUTED("\x41\xff\xd4"));                 /* call *%r12 */
	CHECK(IS_COMPUTED("\xff\x14\xd5\x00\x10\x40\x00")); /* call by a table */
	CHECK(IS_COMPUTED("\x3e\xff\xe0"));                 /* notrack */
	CHECK(!IS_COMPUTED(""));
	CHECK(!IS_COMPUTED("\xff"));
	CHECK(!IS_COMPUTED("\xff\xc0"));             /* inc %eax */
	CHECK(!IS_COMPUTED("\xff\x30"));             /* push (%rax) */
	CHECK(!IS_COMPUTED("\xe8\x00\x00\x00\x00")); /* call */
	CHECK(!IS_COMPUTED("\xc3"));
}

#define REPEATS(bytes) jump_insn_repeats((const uint8_t *)(bytes), sizeof(bytes) - 1)

TEST(repeated)
{
	CHECK(REPEATS("\xf3\xa4"));          /* rep movsb */
	CHECK(REPEATS("\xf3\x48\xa5"));      /* rep movsq */
	CHECK(REPEATS("\xf2\xae"));          /* repnz scasb */
	CHECK(REPEATS("\xf3\xa6"));          /* repz cmpsb */
	CHECK(REPEATS("\x66\xf3\xab"));      /* rep stosw */
	CHECK(REPEATS("\x67\xf3\xac"));      /* rep lodsb, by %esi */
	CHECK(REPEATS("\xf3\x6c"));          /* rep insb */
	CHECK(REPEATS("\xf3\x6f"));          /* rep outsl */
	CHECK(!REPEATS(""));                 /* Valgrind could not decode it */
	CHECK(!REPEATS("\xa4"));             /* movsb */
	CHECK(!REPEATS("\x48\xa5"));         /* movsq */
	CHECK(!REPEATS("\xf3\xc3"));         /* rep ret */
	CHECK(!REPEATS("\xf3\x90"));         /* pause */
	CHECK(!REPEATS("\xf3\xa8\x01"));     /* test: followed by a number */
	CHECK(!REPEATS("\xf3\x0f\x10\xa4")); /* movss, cut off */
	CHECK(!REPEATS("\xf3\x0f\xb8\xac")); /* popcnt, cut off */
	CHECK(!REPEATS("\xb8\xf3\xa4"));     /* mov of such bytes, cut off */
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(conditional_jumps), CHECK_TEST(loops),    CHECK_TEST(direct_jumps),
		CHECK_TEST(computed_jumps),    CHECK_TEST(prefixes), CHECK_TEST(no_jumps),
		CHECK_TEST(repeated),          CHECK_TEST(computed),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
