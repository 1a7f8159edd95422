/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isa/x86/decoder and bytes: what instructions refer to, by the manuals of AMD64. */
#include "isa/x86/bytes.h"
#include "isa/x86/decoder.h"

#include "tests/common/check.h"

enum {
	ADDRESS = 0x1000, /* of every instruction here */
	NONE = INSN_NO_REGISTER,
	RBX = 3,
};

static struct insn_decoder decoder;

static struct insn_traits decode(const char *bytes, size_t size)
{
	struct insn_traits traits;

	insn_decode(&decoder, (const uint8_t *)bytes, size, ADDRESS, &traits);
	return traits;
}

#define DECODE(bytes) decode((bytes), sizeof(bytes) - 1) /* a literal may hold NULs */
#define GLANCE(bytes) insn_glance((const uint8_t *)(bytes), sizeof(bytes) - 1)

/* Plain, and reads one place: at base + index * scale + displacement. */
static void check_read(struct insn_traits traits, unsigned size, int base, int index, int scale,
		       uint64_t displacement)
{
	CHECK(traits.kind == INSN_PLAIN);
	CHECK_EQ_U64(traits.n_operands, 1);
	CHECK_EQ_U64(traits.operands[0].size, size);
	CHECK(traits.operands[0].base == base);
	CHECK(traits.operands[0].index == index);
	CHECK(traits.operands[0].scale == scale);
	CHECK_EQ_U64(traits.operands[0].displacement, displacement);
}

static void check_nothing(struct insn_traits traits)
{
	CHECK(traits.kind == INSN_PLAIN);
	CHECK_EQ_U64(traits.n_operands, 0);
}

TEST(reads)
{
	check_read(DECODE("\x48\x8b\x03"), 8, RBX, NONE, 1, 0); /* mov (%rbx),%rax */
	check_read(DECODE("\x41\x8b\x47\xf8"), 4, 15, NONE, 1, UINT64_MAX - 7); /* -8(%r15) */
	check_read(DECODE("\x0f\xb6\x44\x8b\x08"), 1, RBX, 1, 4, 8); /* movzbl 8(%rbx,%rcx,4) */
	check_read(DECODE("\x66\x39\x03"), 2, RBX, NONE, 1, 0);      /* cmp %ax,(%rbx) */
	check_read(DECODE("\xf6\x03\x01"), 1, RBX, NONE, 1, 0);      /* testb $1,(%rbx) */
	check_read(DECODE("\xdb\x2b"), 10, RBX, NONE, 1, 0);         /* fldt (%rbx) */
	check_read(DECODE("\xf2\x0f\x10\x03"), 8, RBX, NONE, 1, 0);  /* movsd */
	check_read(DECODE("\x66\x0f\x6f\x03"), 16, RBX, NONE, 1, 0); /* movdqa */
	check_read(DECODE("\xc5\xfc\x28\x03"), 32, RBX, NONE, 1, 0); /* vmovaps */
	check_read(DECODE("\x8b\x04\xdd\x10\x00\x00\x00"), 4, NONE, 3, 8, 16); /* 16(,%rbx,8) */
	check_read(DECODE("\xac"), 1, 6, NONE, 1, 0);                          /* lods */
}

TEST(addresses)
{
	/* The displacement counts from the end of the instruction. */
	check_read(DECODE("\x8b\x05\x10\x00\x00\x00"), 4, NONE, NONE, 1, ADDRESS + 6 + 16);
	check_read(DECODE("\x48\xa1\x08\x07\x06\x05\x04\x03\x02\x01"), 8, NONE, NONE, 1,
		   0x0102030405060708);
	check_read(DECODE("\x64\x48\x8b\x04\x25\x28\x00\x00\x00"), 8, NONE, NONE, 1, 0x28);
	CHECK(DECODE("\x64\x48\x8b\x04\x25\x28\x00\x00\x00").operands[0].segment == INSN_FS);
	CHECK(DECODE("\x65\x8b\x03").operands[0].segment == INSN_GS);
	CHECK(DECODE("\x3e\x8b\x03").operands[0].segment == INSN_FLAT);
	check_read(DECODE("\x67\x8b\x43\x08"), 4, RBX, NONE, 1, 8);
	CHECK(DECODE("\x67\x8b\x43\x08").operands[0].narrow);
	CHECK(!DECODE("\x8b\x43\x08").operands[0].narrow);
}

TEST(stack)
{
	check_read(DECODE("\x59"), 8, INSN_RSP, NONE, 1, 0);     /* pop %rcx */
	check_read(DECODE("\x66\x59"), 2, INSN_RSP, NONE, 1, 0); /* pop %cx */
	check_read(DECODE("\x9d"), 8, INSN_RSP, NONE, 1, 0);     /* popf */
	check_read(DECODE("\xc9"), 8, INSN_RBP, NONE, 1, 0);     /* leave */
}

TEST(two_places)
{
	struct insn_traits traits = DECODE("\xa6"); /* cmpsb */

	CHECK_EQ_U64(traits.n_operands, 2);
	CHECK(traits.operands[0].base == 6);
	CHECK(traits.operands[1].base == 7);
}

TEST(nothing_read)
{
	check_nothing(DECODE("\x48\x89\xc3"));         /* between registers */
	check_nothing(DECODE("\x48\x89\x03"));         /* mov %rax,(%rbx) */
	check_nothing(DECODE("\x0f\x29\x03"));         /* movaps %xmm0,(%rbx) */
	check_nothing(DECODE("\x8d\x43\x08"));         /* lea */
	check_nothing(DECODE("\x0f\x1f\x44\x00\x00")); /* nop */
	check_nothing(DECODE("\x0f\x18\x0b"));         /* prefetcht0 */
	check_nothing(DECODE("\x0f\xae\x3b"));         /* clflush */
	check_nothing(DECODE("\xf3\x0f\x1e\xfa"));     /* endbr64 */
	check_nothing(DECODE("\xc4\xe2\x7d\x8c\x03")); /* vpmaskmovd */
	check_nothing(DECODE("\x06"));                 /* none */
	check_nothing(DECODE(""));
	check_nothing(DECODE("\x8b\x03\x90")); /* another length */
	check_nothing(DECODE("\x8b"));
}

static void check_special(struct insn_traits traits, enum insn_kind kind, unsigned size, int base,
			  bool writes)
{
	CHECK(traits.kind == kind);
	CHECK_EQ_U64(traits.n_operands, 1);
	CHECK_EQ_U64(traits.operands[0].size, size);
	CHECK(traits.operands[0].base == base);
	CHECK(traits.operands[0].writes == writes);
}

TEST(bits)
{
	check_special(DECODE("\x0f\xab\x43\x18"), INSN_BIT_TEST, 4, RBX, true); /* bts */
	CHECK(DECODE("\x0f\xab\x43\x18").bit_register == INSN_RAX);
	check_special(DECODE("\x4c\x0f\xa3\x04\xcb"), INSN_BIT_TEST, 8, RBX, false); /* bt */
	CHECK(DECODE("\x4c\x0f\xa3\x04\xcb").bit_register == 8);
	check_special(DECODE("\xf0\x66\x0f\xb3\x43\x08"), INSN_BIT_TEST, 2, RBX, true);
	CHECK(DECODE("\x0f\xbb\xc2").kind == INSN_BIT_TEST); /* btc %eax,%edx */
	CHECK_EQ_U64(DECODE("\x0f\xbb\xc2").n_operands, 0);
	CHECK(DECODE("\x0f\xba\x2b\x03").kind == INSN_PLAIN); /* bts $3,(%rbx) */
}

TEST(states)
{
	check_special(DECODE("\x0f\xae\x03"), INSN_STATE, 512, RBX, true);     /* fxsave */
	check_special(DECODE("\x48\x0f\xae\x03"), INSN_STATE, 512, RBX, true); /* fxsave64 */
	check_special(DECODE("\x0f\xae\x0b"), INSN_STATE, 512, RBX, false);    /* fxrstor */
	check_special(DECODE("\x0f\xae\x23"), INSN_STATE_BY_MASK, 512, RBX, true);
	check_special(DECODE("\x48\x0f\xae\x23"), INSN_STATE_BY_MASK, 512, RBX, true);
	check_special(DECODE("\x0f\xae\x2b"), INSN_STATE_BY_MASK, 512, RBX, false);
	CHECK(DECODE("\x0f\xae\xe8").kind == INSN_PLAIN); /* lfence */
	CHECK(DECODE("\x0f\xae\x13").kind == INSN_PLAIN); /* ldmxcsr */
}

TEST(glances)
{
	CHECK(GLANCE("") == INSN_DULL);
	CHECK(GLANCE("\x66") == INSN_DULL);
	CHECK(GLANCE("\x0f") == INSN_DULL);
	CHECK(GLANCE("\x48\x89\xc3") == INSN_DULL);
	CHECK(GLANCE("\x48\x8d\x43\x08") == INSN_DULL);
	CHECK(GLANCE("\x74\x10") == INSN_DULL);
	CHECK(GLANCE("\xe8\x00\x00\x00\x00") == INSN_DULL);
	CHECK(GLANCE("\x55") == INSN_DULL);
	CHECK(GLANCE("\xb8\x03\x00\x00\x00") == INSN_DULL);
	CHECK(GLANCE("\x0f\x84\x00\x00\x00\x00") == INSN_DULL);
	CHECK(GLANCE("\x0f\x1f\x44\x00\x00") == INSN_DULL);
	CHECK(GLANCE("\xf3\x0f\x1e\xfa") == INSN_DULL);
	CHECK(GLANCE("\x0f\x05") == INSN_DULL);
	CHECK(GLANCE("\x0f\xae\xe8") == INSN_DULL);
	CHECK(GLANCE("\xc5\xf9\xef\xc1") == INSN_DULL);     /* vpxor between registers */
	CHECK(GLANCE("\xc4\xe2\x79\x00\xc1") == INSN_DULL); /* vpshufb too */
	CHECK(GLANCE("\x66\x0f\x38\x00\xc1") == INSN_DULL);
	CHECK(GLANCE("\x48\x8b\x03") == INSN_READS);
	CHECK(GLANCE("\x41\x5f") == INSN_READS);
	CHECK(GLANCE("\xc9") == INSN_READS);
	CHECK(GLANCE("\xac") == INSN_READS);
	CHECK(GLANCE("\xf6\x03\x01") == INSN_READS);
	CHECK(GLANCE("\xdb\x2b") == INSN_READS);
	CHECK(GLANCE("\x0f\xb6\x03") == INSN_READS);
	CHECK(GLANCE("\x0f\x38\x00\x03") == INSN_READS);
	CHECK(GLANCE("\x66\x0f\x3a\x0f\x03\x01") == INSN_READS);
	CHECK(GLANCE("\x0f\xae\x13") == INSN_READS);
	CHECK(GLANCE("\xc5\xfc\x28\x03") == INSN_READS);
	CHECK(GLANCE("\xc4\xe2\x79\x00\x03") == INSN_READS);
	CHECK(GLANCE("\x48\xa1\x08\x07\x06\x05\x04\x03\x02\x01") == INSN_READS);
	CHECK(GLANCE("\x0f\xab\xc2") == INSN_SPECIAL);
	CHECK(GLANCE("\xf0\x66\x0f\xb3\x43\x08") == INSN_SPECIAL);
	CHECK(GLANCE("\x0f\xae\x03") == INSN_SPECIAL);
	CHECK(GLANCE("\x48\x0f\xae\x2b") == INSN_SPECIAL);
}

/* Whatever is to be decoded as more than nothing is seen at a glance: all opcodes, two ModR/M bytes. */
TEST(glances_miss_nothing)
{
	static const uint8_t modrm[] = { 0x03, 0xc3, 0x4b, 0x23 };

	for (unsigned i = 0; i < 4 * 0x10000; i++) {
		uint8_t code[12] = { (uint8_t)i, (uint8_t)(i >> 8), modrm[i >> 16] };
		size_t size = 1;
		struct insn_traits traits = { .n_operands = 0 };

		for (; size <= sizeof(code); size++) {
			insn_decode(&decoder, code, size, ADDRESS, &traits);
			if (traits.kind != INSN_PLAIN || traits.n_operands != 0)
				break;
		}
		if (size > sizeof(code))
			continue;
		if (traits.kind != INSN_PLAIN)
			CHECK(insn_glance(code, size) == INSN_SPECIAL);
		else if (insn_glance(code, size) != INSN_READS) /* shown with its bytes */
			CHECK_EQ_U64(code[0] << 16 | code[1] << 8 | code[2], 0);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(reads),      CHECK_TEST(addresses),    CHECK_TEST(stack),
		CHECK_TEST(two_places), CHECK_TEST(nothing_read), CHECK_TEST(bits),
		CHECK_TEST(states),     CHECK_TEST(glances),      CHECK_TEST(glances_miss_nothing),
	};

	if (!insn_decoder_init(&decoder))
		return 1;
	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
