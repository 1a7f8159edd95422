/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/deterministic/processor: leaves that agree with each other, with the words, and with the manual. */
#include "tool/deterministic/processor.h"

#include "sim/machines/machinefile.h"

#include "tests/common/check.h"

struct answer {
	uint32_t eax, ebx, ecx, edx;
};

static struct answer cpuid(const char *name, uint32_t leaf, uint32_t subleaf)
{
	uint32_t registers[N_PROCESSOR_REGISTERS];
	struct processor processor = { PROCESSOR_BASELINE, 0 };

	CHECK(processor_parse(name, &processor));
	processor_cpuid(&processor, leaf, subleaf, registers);
	return (struct answer){ registers[PROCESSOR_EAX], registers[PROCESSOR_EBX],
				registers[PROCESSOR_ECX], registers[PROCESSOR_EDX] };
}

static const char *const all[] = {
	"baseline",      "sse42",           "avx2",
	"baseline+erms", "sse42+erms+fsrm", "avx2+erms+fsrm+rdrand+rdseed",
};

enum { N_ALL = sizeof(all) / sizeof(all[0]) };

TEST(names_are_read)
{
	static const struct processor want[N_ALL] = {
		{ PROCESSOR_BASELINE, 0 },
		{ PROCESSOR_SSE42, 0 },
		{ PROCESSOR_AVX2, 0 },
		{ PROCESSOR_BASELINE, PROCESSOR_ERMS },
		{ PROCESSOR_SSE42, PROCESSOR_ERMS | PROCESSOR_FSRM },
		{ PROCESSOR_AVX2,
		  PROCESSOR_ERMS | PROCESSOR_FSRM | PROCESSOR_RDRAND | PROCESSOR_RDSEED },
	};
	struct processor processor;

	for (size_t i = 0; i < N_ALL; i++) {
		CHECK(processor_parse(all[i], &processor));
		CHECK(processor.preset == want[i].preset && processor.extras == want[i].extras);
	}
	CHECK(processor_parse("sse42+fsrm+erms", &processor));
	CHECK(processor.preset == want[4].preset && processor.extras == want[4].extras);
}

TEST(other_names_are_refused)
{
	static const char *const wrong[] = {
		"",       "sse",  "sse4",  "sse422",     "avx2+",     "avx2++erms", "+erms",
		"avx2+e", "AVX2", "avx2 ", "avx2+erms+", "avx2+sse2", "avx2,erms",  "avx2+ermsx",
	};
	struct processor processor = { PROCESSOR_SSE42, 5 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK(!processor_parse(wrong[i], &processor));
	CHECK(processor.preset == PROCESSOR_SSE42 && processor.extras == 5);
}

/* Bits as the manual has them, written down by hand. */
TEST(features_are_in_their_places)
{
	uint32_t sse3 = 1U << 0, ssse3 = 1U << 9, cx16 = 1U << 13, sse41 = 1U << 19;
	uint32_t sse42 = 1U << 20, popcnt = 1U << 23;
	uint32_t second = sse3 | ssse3 | cx16 | sse41 | sse42 | popcnt;
	uint32_t clmul = 1U << 1, fma = 1U << 12, movbe = 1U << 22, aes = 1U << 25;
	uint32_t xsave = 1U << 26, osxsave = 1U << 27, avx = 1U << 28, f16c = 1U << 29;
	uint32_t third = second | clmul | fma | movbe | aes | xsave | osxsave | avx | f16c;

	CHECK_EQ_U64(cpuid("baseline", 1, 0).edx, 0x078bfbff);
	CHECK_EQ_U64(cpuid("avx2", 1, 0).edx, 0x078bfbff);
	CHECK_EQ_U64(cpuid("baseline", 1, 0).ecx, 0);
	CHECK_EQ_U64(cpuid("sse42", 1, 0).ecx, second);
	CHECK_EQ_U64(cpuid("avx2", 1, 0).ecx, third);
	CHECK_EQ_U64(cpuid("avx2+rdrand", 1, 0).ecx, third | 1U << 30);
	CHECK_EQ_U64(cpuid("sse42", 7, 0).ebx, 0);
	CHECK_EQ_U64(cpuid("avx2", 7, 0).ebx, 1U << 3 | 1U << 5 | 1U << 8);
	CHECK_EQ_U64(cpuid("baseline+erms", 7, 0).ebx, 1U << 9);
	CHECK_EQ_U64(cpuid("baseline+rdseed", 7, 0).ebx, 1U << 18);
	CHECK_EQ_U64(cpuid("baseline+fsrm", 7, 0).edx, 1U << 4);
	CHECK_EQ_U64(cpuid("avx2", 7, 1).ebx, 0);
	CHECK_EQ_U64(cpuid("baseline", 0x80000001, 0).edx, 1U << 11 | 1U << 20 | 1U << 29);
	CHECK_EQ_U64(cpuid("avx2", 0x80000001, 0).edx, 1U << 11 | 1U << 20 | 1U << 27 | 1U << 29);
	CHECK_EQ_U64(cpuid("sse42", 0x80000001, 0).ecx, 1U << 0);
	CHECK_EQ_U64(cpuid("avx2", 0x80000001, 0).ecx, 1U << 0 | 1U << 5);
}

TEST(leaves_are_there)
{
	for (size_t i = 0; i < N_ALL; i++) {
		struct answer first = cpuid(all[i], 0, 0);
		char vendor[13] = "";

		CHECK_EQ_U64(first.eax, 0xd);
		memcpy(vendor, &first.ebx, 4);
		memcpy(vendor + 4, &first.edx, 4);
		memcpy(vendor + 8, &first.ecx, 4);
		CHECK_STR(vendor, "GenuineIntel");
		CHECK_EQ_U64(cpuid(all[i], 0x80000000, 0).eax, 0x80000008);
		/* Beyond: nothing. */
		CHECK_EQ_U64(cpuid(all[i], 0xe, 0).eax | cpuid(all[i], 0x80000009, 0).eax, 0);
		CHECK_EQ_U64(cpuid(all[i], 0x40000000, 0).eax, 0);
	}
}

/* As software derives them: sets x ways x lines. */
TEST(caches_are_told)
{
	for (uint32_t i = 0; i < N_PROCESSOR_CACHES; i++) {
		struct answer leaf = cpuid("baseline", 4, i);
		const struct processor_cache *cache = &processor_caches[i];
		uint64_t ways = (leaf.ebx >> 22) + 1, parts = ((leaf.ebx >> 12) & 0x3ff) + 1;
		uint64_t line = (leaf.ebx & 0xfff) + 1, sets = (uint64_t)leaf.ecx + 1;

		CHECK(geometry_check(&cache->geometry) == GEOMETRY_OK);
		CHECK_EQ_U64(leaf.eax & 0x1f, (uint64_t)cache->type);
		CHECK_EQ_U64(leaf.eax >> 5 & 7, cache->level);
		CHECK_EQ_U64(ways * parts * line * sets, cache->geometry.size);
		CHECK_EQ_U64(ways, cache->geometry.assoc);
		CHECK_EQ_U64(line, cache->geometry.line_size);
	}
	CHECK_EQ_U64(cpuid("avx2", 4, N_PROCESSOR_CACHES).eax, 0);
	CHECK_EQ_U64(cpuid("avx2", 4, 0xffffffff).eax, 0);
	/* The second level again, in KB. */
	CHECK_EQ_U64(cpuid("avx2", 0x80000006, 0).ecx >> 16, 1024);
	/* CLFLUSH: lines of 64 bytes, in units of 8. */
	CHECK_EQ_U64(cpuid("avx2", 1, 0).ebx >> 8 & 0xff, 8);
}

/* What is simulated then is what the program sees. */
TEST(caches_are_those_of_the_machine_generic)
{
	static struct machinefile file;
	const struct embedded_text *preset = machine_preset_find("generic");
	struct machinefile_error error;
	const enum machinefile_kind kinds[N_PROCESSOR_CACHES] = { MACHINE_L1D, MACHINE_L1I,
								  MACHINE_L2, MACHINE_L3 };

	if (!CHECK(preset && machinefile_parse(&file, preset->text, preset->len, &error)))
		return;
	for (size_t i = 0; i < N_PROCESSOR_CACHES; i++) {
		const struct cache_geometry *shown = &processor_caches[i].geometry;
		struct cache_config cache;
		struct policy policy;

		if (!CHECK(machinefile_cache(&file, kinds[i], &policy, &cache)))
			continue;
		CHECK_EQ_U64(cache.geometry.size, shown->size);
		CHECK_EQ_U64(cache.geometry.assoc, shown->assoc);
		CHECK_EQ_U64(cache.geometry.line_size, shown->line_size);
	}
}

TEST(state_has_its_size)
{
	CHECK_EQ_U64(cpuid("sse42", 0xd, 0).ebx, 0);
	CHECK_EQ_U64(cpuid("avx2", 0xd, 0).eax, 7);
	/* 512 bytes of FXSAVE, 64 of the header, and 256: 16 registers of 16. */
	CHECK_EQ_U64(cpuid("avx2", 0xd, 0).ebx, 832);
	CHECK_EQ_U64(cpuid("avx2", 0xd, 2).ebx, 512 + 64);
	CHECK_EQ_U64(cpuid("avx2", 0xd, 2).eax, 256);
	CHECK_EQ_U64(cpuid("avx2", 0xd, 1).eax, 0);
}

TEST(signature_is_read_as_the_manual_says)
{
	static const struct {
		const char *name;
		uint32_t eax, family, model, stepping;
	} rows[] = {
		{ "baseline", 0x00000f43, 15, 4, 3 },
		{ "sse42", 0x000106a5, 6, 26, 5 },
		{ "avx2", 0x000306c3, 6, 60, 3 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct processor processor = { PROCESSOR_BASELINE, 0 };
		struct processor_signature signature;

		CHECK(processor_parse(rows[i].name, &processor));
		signature = processor_signature(&processor);
		CHECK_EQ_U64(cpuid(rows[i].name, 1, 0).eax, rows[i].eax);
		CHECK_EQ_U64(signature.family, rows[i].family);
		CHECK_EQ_U64(signature.model, rows[i].model);
		CHECK_EQ_U64(signature.stepping, rows[i].stepping);
	}
}

TEST(brand_is_spelt_in_leaves)
{
	for (size_t i = 0; i < N_ALL; i++) {
		struct processor processor = { PROCESSOR_BASELINE, 0 };
		char brand[PROCESSOR_BRAND_SIZE + 1] = "";

		CHECK(processor_parse(all[i], &processor));
		for (size_t leaf = 0; leaf < 3; leaf++) {
			struct answer part = cpuid(all[i], 0x80000002 + (uint32_t)leaf, 0);

			memcpy(&brand[16 * leaf], &part, 16);
		}
		CHECK_STR(brand, processor_brand(&processor));
	}
}

/* The word that begins at text; *text is moved past it and the blank. */
static size_t next_word(const char **text, const char **word)
{
	size_t len = strcspn(*text, " ");

	*word = *text;
	*text += len + ((*text)[len] == ' ');
	return len;
}

/* How often a word is in a text. */
static int count_word(const char *text, const char *wanted, size_t wanted_len)
{
	const char *word;
	size_t len;
	int n = 0;

	while ((len = next_word(&text, &word)) != 0)
		n += len == wanted_len && memcmp(word, wanted, len) == 0;
	return n;
}

/* As many words as there are bits, and no word twice. */
TEST(flags_are_the_bits)
{
	for (size_t i = 0; i < N_ALL; i++) {
		struct answer first = cpuid(all[i], 1, 0), more = cpuid(all[i], 7, 0);
		struct answer extended = cpuid(all[i], 0x80000001, 0);
		int bits = __builtin_popcount(first.ecx) + __builtin_popcount(first.edx) +
			   __builtin_popcount(more.ebx) + __builtin_popcount(more.ecx) +
			   __builtin_popcount(more.edx) + __builtin_popcount(extended.ecx) +
			   __builtin_popcount(extended.edx);
		struct processor processor = { PROCESSOR_BASELINE, 0 };
		char text[PROCESSOR_TEXT_SIZE] = "";
		const char *at = text, *word;
		int words = 0;
		size_t len;

		CHECK(processor_parse(all[i], &processor));
		processor_flags(&processor, text, sizeof(text));
		CHECK(strlen(text) < sizeof(text) - 1);
		for (; (len = next_word(&at, &word)) != 0; words++)
			CHECK(count_word(text, word, len) == 1);
		CHECK_EQ_U64((uint64_t)words, (uint64_t)bits);
	}
}

TEST(what_a_machine_must_have)
{
	const uint32_t everything = 0x7ff;
	struct processor processor = { PROCESSOR_BASELINE, PROCESSOR_ERMS | PROCESSOR_FSRM };

	CHECK(processor_missing(&processor, 0) == NULL);
	processor.preset = PROCESSOR_SSE42;
	CHECK_STR(processor_missing(&processor, everything & ~PROCESSOR_NEEDS_CX16), "CMPXCHG16B");
	CHECK(processor_missing(&processor, PROCESSOR_NEEDS_SSE3 | PROCESSOR_NEEDS_SSSE3 |
						    PROCESSOR_NEEDS_CX16) == NULL);
	processor.preset = PROCESSOR_AVX2;
	CHECK_STR(processor_missing(&processor, 7), "AVX");
	CHECK_STR(processor_missing(&processor, everything & ~PROCESSOR_NEEDS_AVX2), "AVX2");
	CHECK_STR(processor_missing(&processor, everything & ~PROCESSOR_NEEDS_F16C), "F16C");
	CHECK_STR(processor_missing(&processor, everything & ~PROCESSOR_NEEDS_RDTSCP), "RDTSCP");
	CHECK(processor_missing(&processor, everything & ~PROCESSOR_NEEDS_RDRAND) == NULL);
	processor.extras = PROCESSOR_RDRAND;
	CHECK_STR(processor_missing(&processor, everything & ~PROCESSOR_NEEDS_RDRAND), "RDRAND");
	CHECK(processor_missing(&processor, everything) == NULL);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(names_are_read),
		CHECK_TEST(other_names_are_refused),
		CHECK_TEST(features_are_in_their_places),
		CHECK_TEST(leaves_are_there),
		CHECK_TEST(caches_are_told),
		CHECK_TEST(caches_are_those_of_the_machine_generic),
		CHECK_TEST(state_has_its_size),
		CHECK_TEST(signature_is_read_as_the_manual_says),
		CHECK_TEST(brand_is_spelt_in_leaves),
		CHECK_TEST(flags_are_the_bits),
		CHECK_TEST(what_a_machine_must_have),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
