/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of instructions that Capstone 4 does not know; bytes are as the GNU assembler writes them. */
#include "isa/x86/bytes.h"

#include "tests/common/check.h"

struct sample {
	const char *text;
	const char *bytes;
	size_t len; /* of bytes; the instruction has as many */
};

/* Lengths with all that may follow: SIB, displacement of 8 and of 32 bits, an operand of a byte. */
static const struct sample samples[] = {
	{ "vpmadd52luq (%rsi),%ymm3,%ymm1", "\x62\xf2\xe5\x28\xb4\x0e", 6 },
	{ "vpmadd52huq 0x40(%rsi),%ymm3,%ymm17", "\x62\xe2\xe5\x28\xb5\x4e\x02", 7 },
	{ "vprold $0x10,%zmm3,%zmm3", "\x62\xf1\x65\x48\x72\xcb\x10", 7 },
	{ "vpternlogd $0xfe,%ymm2,%ymm3,%ymm4", "\x62\xf3\x65\x28\x25\xe2\xfe", 7 },
	{ "vmovdqa64 0x1(%r11),%zmm6", "\x62\xd1\xfd\x48\x6f\xb3\x01\x00\x00\x00", 10 },
	{ "vmovaps 0(%rip),%zmm0", "\x62\xf1\x7c\x48\x28\x05\x00\x00\x00\x00", 10 },
	{ "vpcmpeqb (%rdi,%rax,1),%ymm16,%k0", "\x62\xf3\x7d\x20\x3f\x04\x07\x00", 8 },
	{ "vpcmpeqb 0x20(%rdi,%rax,1),%ymm16,%k0", "\x62\xf3\x7d\x20\x3f\x44\x07\x01\x00", 9 },
	{ "vpaddb 0x12345678(,%rax,1),%zmm1,%zmm1", "\x62\xf1\x75\x48\xfc\x0c\x05\x78\x56\x34\x12",
	  11 },
	{ "vaddph %zmm1,%zmm2,%zmm3", "\x62\xf5\x6c\x48\x58\xd9", 6 },
	{ "kmovd %k0,%eax", "\xc5\xfb\x93\xc0", 4 },
	{ "kmovq %rbx,%k1", "\xc4\xe1\xfb\x92\xcb", 5 },
	{ "kshiftrd $1,%k1,%k2", "\xc4\xe3\x79\x31\xd1\x01", 6 },
	{ "rdsspq %rax", "\xf3\x48\x0f\x1e\xc8", 5 },
	{ "rdsspd %ecx", "\xf3\x0f\x1e\xc9", 4 },
	{ "incsspq %rax", "\xf3\x48\x0f\xae\xe8", 5 },
	{ "rdpkru", "\x0f\x01\xee", 3 },
	{ "wrpkru", "\x0f\x01\xef", 3 },
};

TEST(instructions_have_their_lengths)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *sample = &samples[i];
		unsigned char bytes[32];

		/* Behind it there is other code. */
		memset(bytes, 0x90, sizeof(bytes));
		memcpy(bytes, sample->bytes, sample->len);
		if (!CHECK_EQ_U64(vectorinsn_length(bytes, sizeof(bytes), true), sample->len) ||
		    !CHECK_EQ_U64(vectorinsn_length(bytes, sample->len, true), sample->len))
			printf("# %s\n", sample->text);
		/* Where a byte is missing, it is none. */
		for (size_t len = 0; len < sample->len; len++)
			if (!CHECK_EQ_U64(vectorinsn_length(bytes, len, true), 0))
				printf("# %s\n", sample->text);
	}
}

TEST(other_code_is_none)
{
	/* EVEX with a bit set that must be 0, one clear that must be 1, maps 0, 4 and 7. */
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\x62\xfa\xe5\x28\xb4\x0e", 6, true),
		     0);
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\x62\xf2\xe1\x28\xb4\x0e", 6, true),
		     0);
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\x62\xf0\xe5\x28\xb4\x0e", 6, true),
		     0);
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\x62\xf4\xe5\x28\xb4\x0e", 6, true),
		     0);
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\x62\xf7\xe5\x28\xb4\x0e", 6, true),
		     0);
	/* VEX of map 0 and of map 4. */
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\xc4\xe0\xfb\x92\xcb", 5, true), 0);
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\xc4\xe4\xfb\x92\xcb", 5, true), 0);
	/* endbr64, lfence, lgdt, nop. */
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\xf3\x0f\x1e\xfa", 4, true), 0);
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\x0f\xae\xe8\x90", 4, true), 0);
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\x0f\x01\x10\x90", 4, true), 0);
	CHECK_EQ_U64(vectorinsn_length((const unsigned char *)"\x90\x90\x90\x90", 4, true), 0);
}

/* There, the prefixes are bound, les and lds unless the next two bits are set; REX is inc. */
TEST(code_of_32_bits)
{
	const unsigned char *bound = (const unsigned char *)"\x62\x72\xe5\x28\xb4\x0e";
	const unsigned char *les = (const unsigned char *)"\xc4\x61\xfb\x92\xcb";
	const unsigned char *kmovd = (const unsigned char *)"\xc5\xfb\x93\xc0";
	const unsigned char *rex = (const unsigned char *)"\xf3\x48\x0f\x1e\xc8";

	CHECK_EQ_U64(vectorinsn_length(bound, 6, false), 0);
	CHECK_EQ_U64(vectorinsn_length(bound, 6, true), 6);
	CHECK_EQ_U64(vectorinsn_length(les, 5, false), 0);
	CHECK_EQ_U64(vectorinsn_length(les, 5, true), 5);
	CHECK_EQ_U64(vectorinsn_length(kmovd, 4, false), 4);
	CHECK_EQ_U64(vectorinsn_length(rex, 5, false), 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(instructions_have_their_lengths),
		CHECK_TEST(other_code_is_none),
		CHECK_TEST(code_of_32_bits),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
