/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Leaves and bits are from the Intel manual, volume 2, "CPUID"; names of features from Linux,
 * arch/x86/include/asm/cpufeatures.h.  Each preset has all features of the presets before it.
 */
#include "tool/deterministic/processor.h"

struct preset {
	const char *name;
	const char *brand;
	uint32_t signature; /* EAX of leaf 1 */
};

static const struct preset presets[N_PROCESSOR_PRESETS] = {
	[PROCESSOR_BASELINE] = { "baseline", "Costgrind baseline processor", 0x00000f43 },
	[PROCESSOR_SSE42] = { "sse42", "Costgrind sse42 processor", 0x000106a5 },
	[PROCESSOR_AVX2] = { "avx2", "Costgrind avx2 processor", 0x000306c3 },
};

/* In the order of registers, so that two features for one bit are noticed. */
struct cpu_feature {
	const char *name;
	uint32_t leaf;
	enum processor_register where;
	uint32_t bit;
	enum processor_preset from; /* the first preset that has it; N_PROCESSOR_PRESETS: none */
	uint32_t extra;             /* or else, of enum processor_extra */
	uint32_t needs;             /* of enum processor_need */
};

enum {
	LEAF_FEATURES = 1,
	LEAF_MORE_FEATURES = 7,
};

#define LEAF_EXTENDED_FEATURES UINT32_C(0x80000001)

#define BASIC(name, bit)                                            \
 {                                                                  \
  name, LEAF_FEATURES, PROCESSOR_EDX, bit, PROCESSOR_BASELINE, 0, 0 \
 }
#define BASIC_EXTENDED(name, bit)                                            \
 {                                                                           \
  name, LEAF_EXTENDED_FEATURES, PROCESSOR_EDX, bit, PROCESSOR_BASELINE, 0, 0 \
 }
#define SINCE(name, bit, preset, needs)                     \
 {                                                          \
  name, LEAF_FEATURES, PROCESSOR_ECX, bit, preset, 0, needs \
 }
#define SINCE_AVX2(name, bit, needs)                                     \
 {                                                                       \
  name, LEAF_MORE_FEATURES, PROCESSOR_EBX, bit, PROCESSOR_AVX2, 0, needs \
 }
#define EXTRA(name, leaf, where, bit, extra, needs)         \
 {                                                          \
  name, leaf, where, bit, N_PROCESSOR_PRESETS, extra, needs \
 }

static const struct cpu_feature features[] = {
	BASIC("fpu", 0),
	BASIC("vme", 1),
	BASIC("de", 2),
	BASIC("pse", 3),
	BASIC("tsc", 4),
	BASIC("msr", 5),
	BASIC("pae", 6),
	BASIC("mce", 7),
	BASIC("cx8", 8),
	BASIC("apic", 9),
	BASIC("sep", 11),
	BASIC("mtrr", 12),
	BASIC("pge", 13),
	BASIC("mca", 14),
	BASIC("cmov", 15),
	BASIC("pat", 16),
	BASIC("pse36", 17),
	BASIC("clflush", 19),
	BASIC("mmx", 23),
	BASIC("fxsr", 24),
	BASIC("sse", 25),
	BASIC("sse2", 26),
	BASIC_EXTENDED("syscall", 11),
	BASIC_EXTENDED("nx", 20),
	{ "rdtscp", LEAF_EXTENDED_FEATURES, PROCESSOR_EDX, 27, PROCESSOR_AVX2, 0,
	  PROCESSOR_NEEDS_RDTSCP },
	BASIC_EXTENDED("lm", 29),
	SINCE("pni", 0, PROCESSOR_SSE42, PROCESSOR_NEEDS_SSE3),
	SINCE("pclmulqdq", 1, PROCESSOR_AVX2, PROCESSOR_NEEDS_AVX),
	SINCE("ssse3", 9, PROCESSOR_SSE42, PROCESSOR_NEEDS_SSSE3),
	SINCE("fma", 12, PROCESSOR_AVX2, PROCESSOR_NEEDS_AVX2),
	SINCE("cx16", 13, PROCESSOR_SSE42, PROCESSOR_NEEDS_CX16),
	SINCE("sse4_1", 19, PROCESSOR_SSE42, PROCESSOR_NEEDS_SSSE3),
	SINCE("sse4_2", 20, PROCESSOR_SSE42, PROCESSOR_NEEDS_SSSE3),
	SINCE("movbe", 22, PROCESSOR_AVX2, PROCESSOR_NEEDS_AVX2),
	SINCE("popcnt", 23, PROCESSOR_SSE42, PROCESSOR_NEEDS_SSSE3),
	SINCE("aes", 25, PROCESSOR_AVX2, PROCESSOR_NEEDS_AVX),
	SINCE("xsave", 26, PROCESSOR_AVX2, PROCESSOR_NEEDS_AVX),
	SINCE("osxsave", 27, PROCESSOR_AVX2, PROCESSOR_NEEDS_AVX),
	SINCE("avx", 28, PROCESSOR_AVX2, PROCESSOR_NEEDS_AVX),
	SINCE("f16c", 29, PROCESSOR_AVX2, PROCESSOR_NEEDS_F16C),
	EXTRA("rdrand", LEAF_FEATURES, PROCESSOR_ECX, 30, PROCESSOR_RDRAND, PROCESSOR_NEEDS_RDRAND),
	{ "lahf_lm", LEAF_EXTENDED_FEATURES, PROCESSOR_ECX, 0, PROCESSOR_SSE42, 0, 0 },
	{ "abm", LEAF_EXTENDED_FEATURES, PROCESSOR_ECX, 5, PROCESSOR_AVX2, 0,
	  PROCESSOR_NEEDS_LZCNT },
	SINCE_AVX2("bmi1", 3, PROCESSOR_NEEDS_BMI),
	SINCE_AVX2("avx2", 5, PROCESSOR_NEEDS_AVX2),
	SINCE_AVX2("bmi2", 8, PROCESSOR_NEEDS_AVX2),
	EXTRA("erms", LEAF_MORE_FEATURES, PROCESSOR_EBX, 9, PROCESSOR_ERMS, 0),
	EXTRA("rdseed", LEAF_MORE_FEATURES, PROCESSOR_EBX, 18, PROCESSOR_RDSEED,
	      PROCESSOR_NEEDS_RDSEED),
	EXTRA("fsrm", LEAF_MORE_FEATURES, PROCESSOR_EDX, 4, PROCESSOR_FSRM, 0),
};

enum { N_FEATURES = sizeof(features) / sizeof(features[0]) };

const struct processor_cache processor_caches[N_PROCESSOR_CACHES] = {
	{ PROCESSOR_DATA, 1, { 49152, 12, 64 } },
	{ PROCESSOR_INSTRUCTION, 1, { 32768, 8, 64 } },
	{ PROCESSOR_UNIFIED, 2, { 1048576, 16, 64 } },
	{ PROCESSOR_UNIFIED, 3, { 33554432, 16, 64 } },
};

static bool has_feature(const struct processor *processor, const struct cpu_feature *feature)
{
	return processor->preset >= feature->from || (processor->extras & feature->extra) != 0;
}

/* The length of word if text begins with it, and ends there or goes on with "+"; else 0. */
static size_t match_word(const char *text, const char *word)
{
	size_t len = 0;

	while (word[len] != '\0' && text[len] == word[len])
		len++;
	return word[len] == '\0' && (text[len] == '\0' || text[len] == '+') ? len : 0;
}

static size_t read_extra(const char *text, uint32_t *extras)
{
	for (size_t i = 0; i < N_FEATURES; i++) {
		size_t len = features[i].extra != 0 ? match_word(text, features[i].name) : 0;

		if (len != 0) {
			*extras |= features[i].extra;
			return len;
		}
	}
	return 0;
}

bool processor_parse(const char *text, struct processor *processor)
{
	struct processor read = { PROCESSOR_BASELINE, 0 };
	size_t len = 0;

	for (unsigned preset = 0; preset < N_PROCESSOR_PRESETS && len == 0; preset++) {
		len = match_word(text, presets[preset].name);
		read.preset = (enum processor_preset)preset;
	}
	while (len != 0 && text[len] == '+') {
		text += len + 1;
		len = read_extra(text, &read.extras);
	}
	if (len == 0)
		return false;
	*processor = read;
	return true;
}

const char *processor_words(void)
{
	return "baseline, sse42 or avx2, with +erms, +fsrm, +rdrand or +rdseed after it";
}

/* Adds word at *text, which has *size bytes left, one of them for a NUL. */
static void append(char **text, size_t *size, const char *word)
{
	for (; *word != '\0' && *size > 1; word++) {
		*(*text)++ = *word;
		(*size)--;
	}
	if (*size != 0)
		**text = '\0';
}

void processor_flags(const struct processor *processor, char *text, size_t size)
{
	const char *blank = "";

	for (size_t i = 0; i < N_FEATURES; i++) {
		if (!has_feature(processor, &features[i]))
			continue;
		append(&text, &size, blank);
		append(&text, &size, features[i].name);
		blank = " ";
	}
}

const char *processor_missing(const struct processor *processor, uint32_t has)
{
	/* By the number of the bit in enum processor_need. */
	static const char *const names[] = { "SSE3",   "SSSE3",  "CMPXCHG16B", "AVX",
					     "AVX2",   "BMI",    "LZCNT",      "F16C",
					     "RDRAND", "RDSEED", "RDTSCP" };
	uint32_t missing = 0;

	for (size_t i = 0; i < N_FEATURES; i++)
		if (has_feature(processor, &features[i]))
			missing |= features[i].needs & ~has;
	for (size_t bit = 0; bit < sizeof(names) / sizeof(names[0]); bit++)
		if ((missing & UINT32_C(1) << bit) != 0)
			return names[bit];
	return NULL;
}

const char *processor_brand(const struct processor *processor)
{
	return presets[processor->preset].brand;
}

struct processor_signature processor_signature(const struct processor *processor)
{
	uint32_t eax = presets[processor->preset].signature;
	uint32_t family = (eax >> 8) & 0xf;
	uint32_t model = (eax >> 4) & 0xf;

	if (family == 0xf || family == 6)
		model += ((eax >> 16) & 0xf) << 4;
	if (family == 0xf)
		family += (eax >> 20) & 0xff;
	return (struct processor_signature){ family, model, eax & 0xf };
}

static void set(uint32_t registers[N_PROCESSOR_REGISTERS], uint32_t eax, uint32_t ebx, uint32_t ecx,
		uint32_t edx)
{
	registers[PROCESSOR_EAX] = eax;
	registers[PROCESSOR_EBX] = ebx;
	registers[PROCESSOR_ECX] = ecx;
	registers[PROCESSOR_EDX] = edx;
}

static void add_features(const struct processor *processor, uint32_t leaf,
			 uint32_t registers[N_PROCESSOR_REGISTERS])
{
	for (size_t i = 0; i < N_FEATURES; i++)
		if (features[i].leaf == leaf && has_feature(processor, &features[i]))
			registers[features[i].where] |= UINT32_C(1) << features[i].bit;
}

/* Deterministic cache parameters: numbers are reported minus 1. */
static void answer_cache(uint32_t which, uint32_t registers[N_PROCESSOR_REGISTERS])
{
	const struct processor_cache *cache;
	const struct cache_geometry *geometry;

	if (which >= N_PROCESSOR_CACHES)
		return;
	cache = &processor_caches[which];
	geometry = &cache->geometry;
	set(registers, (uint32_t)cache->type | cache->level << 5 | 1U << 8,
	    (geometry->assoc - 1) << 22 | (geometry->line_size - 1),
	    (uint32_t)(geometry->size / geometry->assoc / geometry->line_size) - 1, 0);
}

/* XSAVE writes 512 bytes, a header of 64, and the upper halves of 16 registers. */
static void answer_state(const struct processor *processor, uint32_t subleaf,
			 uint32_t registers[N_PROCESSOR_REGISTERS])
{
	if (processor->preset < PROCESSOR_AVX2)
		return;
	if (subleaf == 0)
		set(registers, 7, 832, 832, 0);
	else if (subleaf == 2)
		set(registers, 256, 576, 0, 0);
}

/* Four letters in a register, sixteen in a leaf. */
static void answer_brand(const struct processor *processor, uint32_t which,
			 uint32_t registers[N_PROCESSOR_REGISTERS])
{
	const char *brand = presets[processor->preset].brand;
	uint32_t at = 0;

	for (; *brand != '\0'; brand++, at++)
		if (at / 16 == which)
			registers[at % 16 / 4] |= (uint32_t)(unsigned char)*brand << (at % 4 * 8);
}

void processor_cpuid(const struct processor *processor, uint32_t leaf, uint32_t subleaf,
		     uint32_t registers[N_PROCESSOR_REGISTERS])
{
	set(registers, 0, 0, 0, 0);
	switch (leaf) {
	case 0: /* "GenuineIntel" */
		set(registers, 0xd, 0x756e6547, 0x6c65746e, 0x49656e69);
		break;
	case LEAF_FEATURES: /* a line of 8 x 8 bytes, one logical processor */
		set(registers, presets[processor->preset].signature, 0x00010800, 0, 0);
		add_features(processor, leaf, registers);
		break;
	case 2: /* "no descriptors here, see leaf 4" */
		set(registers, 0x0000ff01, 0, 0, 0);
		break;
	case 4:
		answer_cache(subleaf, registers);
		break;
	case LEAF_MORE_FEATURES:
		if (subleaf == 0)
			add_features(processor, leaf, registers);
		break;
	case 0xd:
		answer_state(processor, subleaf, registers);
		break;
	case 0x80000000:
		set(registers, 0x80000008, 0, 0, 0);
		break;
	case LEAF_EXTENDED_FEATURES:
		add_features(processor, leaf, registers);
		break;
	case 0x80000002:
	case 0x80000003:
	case 0x80000004:
		answer_brand(processor, leaf - 0x80000002, registers);
		break;
	case 0x80000006: /* of the second level: KB, 16 ways, bytes a line */
		set(registers, 0, 0,
		    (uint32_t)(processor_caches[2].geometry.size / 1024) << 16 | 8U << 12 | 64, 0);
		break;
	case 0x80000007: /* the time stamp counter runs at one speed */
		set(registers, 0, 0, 0, 1U << 8);
		break;
	case 0x80000008: /* bits of physical and virtual addresses */
		set(registers, 0x00003028, 0, 0, 0);
		break;
	default:
		break;
	}
}
