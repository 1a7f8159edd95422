/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isa/x86/effects: which registers instructions read, in either syntax. */
#include "isa/x86/effects.h"

#include "tests/common/check.h"

static uint64_t vector(unsigned number)
{
	return UINT64_C(1) << (INSN_VECTOR + number);
}

/* The registers that an instruction reads; those that it writes are as expected. */
static uint64_t reads_of(cs_opt_value syntax, const char *bytes, size_t size, uint64_t writes)
{
	struct instruction_effects effects = { .reads = 0 };
	cs_insn *insn;
	csh handle;

	CHECK(cs_open(CS_ARCH_X86, CS_MODE_64, &handle) == CS_ERR_OK);
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	cs_option(handle, CS_OPT_SYNTAX, syntax);
	CHECK_EQ_U64(cs_disasm(handle, (const uint8_t *)bytes, size, 0, 1, &insn), 1);
	insn_effects(insn, &effects);
	cs_free(insn, 1);
	cs_close(&handle);
	CHECK_EQ_U64(effects.writes, writes);
	return effects.reads;
}

#define READS(syntax, bytes, writes) reads_of((syntax), (bytes), sizeof(bytes) - 1, (writes))

static const cs_opt_value syntaxes[] = { CS_OPT_SYNTAX_INTEL, CS_OPT_SYNTAX_ATT };

/* What depends on no register. */
TEST(zeros)
{
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQ_U64(READS(syntaxes[i], "\x31\xc0", 1), 0); /* xor eax, eax */
		CHECK_EQ_U64(READS(syntaxes[i], "\x0f\x57\xc9", vector(1)),
			     0); /* xorps xmm1, xmm1 */
		CHECK_EQ_U64(READS(syntaxes[i], "\xc5\xf8\x57\xc0", vector(0)), 0);
		/* vxorps xmm0, xmm1, xmm1 */
		CHECK_EQ_U64(READS(syntaxes[i], "\xc5\xf0\x57\xc1", vector(0)), 0);
		/* vpxor ymm2, ymm1, ymm1 */
		CHECK_EQ_U64(READS(syntaxes[i], "\xc5\xf5\xef\xd1", vector(2)), 0);
	}
}

/* What does, though one register is named twice. */
TEST(no_zeros)
{
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQ_U64(READS(syntaxes[i], "\x31\xc8", 1), 1 | 2); /* xor eax, ecx */
		/* vpxor xmm0, xmm0, xmm1 */
		CHECK_EQ_U64(READS(syntaxes[i], "\xc5\xf9\xef\xc1", vector(0)),
			     vector(0) | vector(1));
		/* vxorps xmm0, xmm1, xmm0 */
		CHECK_EQ_U64(READS(syntaxes[i], "\xc5\xf0\x57\xc0", vector(0)),
			     vector(0) | vector(1));
		/* vpcmpeqd xmm0, xmm1, xmm1 makes ones of them, not 0 */
		CHECK_EQ_U64(READS(syntaxes[i], "\xc5\xf1\x76\xc1", vector(0)), vector(1));
	}
}

int main(void)
{
	static const struct check_test tests[] = { CHECK_TEST(zeros), CHECK_TEST(no_zeros) };

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
