/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processor that a program is shown: a preset by name, with single features added ("avx2+erms"), and what it reports of
 * itself by CPUID and in /proc/cpuinfo.  One table makes both, so they agree.
 *
 * Presets are Intel's, whose processors report their caches leaf by leaf.
 *
 * Pure functions, which allocate no memory.
 */
#ifndef TOOL_DETERMINISTIC_PROCESSOR_H
#define TOOL_DETERMINISTIC_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cpuid.h"
#include "sim/geometry.h"

enum processor_preset {
	PROCESSOR_BASELINE, /* SSE2: what every x86-64 has */
	PROCESSOR_SSE42,    /* x86-64-v2 */
	PROCESSOR_AVX2,     /* x86-64-v3 */
	N_PROCESSOR_PRESETS,
};

/* Features that are in no preset; bits of struct processor's extras. */
enum processor_extra {
	PROCESSOR_ERMS = 1, /* claims that "rep movsb" is fast: libc copies with it */
	PROCESSOR_FSRM = 2, /* ... even if short */
	PROCESSOR_RDRAND = 4,
	PROCESSOR_RDSEED = 8,
};

struct processor {
	enum processor_preset preset;
	uint32_t extras; /* of enum processor_extra */
};

/* What the executing processor must have; a feature may need several. */
enum processor_need {
	PROCESSOR_NEEDS_SSE3 = 1,
	PROCESSOR_NEEDS_SSSE3 = 2,
	PROCESSOR_NEEDS_CX16 = 4,
	PROCESSOR_NEEDS_AVX = 8,
	PROCESSOR_NEEDS_AVX2 = 16,
	PROCESSOR_NEEDS_BMI = 32,
	PROCESSOR_NEEDS_LZCNT = 64,
	PROCESSOR_NEEDS_F16C = 128,
	PROCESSOR_NEEDS_RDRAND = 256,
	PROCESSOR_NEEDS_RDSEED = 512,
	PROCESSOR_NEEDS_RDTSCP = 1024,
};

/* A cache that the processor reports; all presets have the same. */
struct processor_cache {
	enum processor_cache_type type;
	uint32_t level;
	struct cache_geometry geometry;
};

enum {
	N_PROCESSOR_CACHES = 4,       /* first D1 and I1, last the last level */
	PROCESSOR_TEXT_SIZE = 512,    /* bytes that hold any list of features */
	PROCESSOR_BRAND_SIZE = 48,    /* bytes, with NULs at the end */
	PROCESSOR_HERTZ = 1000000000, /* of its time stamp counter, as reported */
};

extern const struct processor_cache processor_caches[N_PROCESSOR_CACHES];

/* Reads a preset's name, followed by "+" and a feature for each feature.  False, and *processor unchanged, if text is wrong. */
bool processor_parse(const char *text, struct processor *processor);

/* The words that processor_parse() knows, for a message. */
const char *processor_words(void);

/* Answers CPUID, in the order of enum processor_register. */
void processor_cpuid(const struct processor *processor, uint32_t leaf, uint32_t subleaf,
		     uint32_t registers[N_PROCESSOR_REGISTERS]);

/*
 * The name of the first need, in the order of enum processor_need, that a machine lacks to execute the processor's
 * instructions; NULL if it lacks nothing.  has: its bits of the enum.
 */
const char *processor_missing(const struct processor *processor, uint32_t has);

/* Writes its features, by their names in /proc/cpuinfo, separated by blanks, to size bytes; cut off if too long. */
void processor_flags(const struct processor *processor, char *text, size_t size);

/* Its name in CPUID; PROCESSOR_BRAND_SIZE bytes. */
const char *processor_brand(const struct processor *processor);

/* Family, model and stepping, as in /proc/cpuinfo. */
struct processor_signature {
	uint32_t family, model, stepping;
};

struct processor_signature processor_signature(const struct processor *processor);

#endif
