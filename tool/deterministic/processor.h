/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processor that a program is shown: a preset by its name, with
 * single features added ("avx2+erms"), and what it says of itself by CPUID and
 * in the words of /proc/cpuinfo.  One table makes both, so they agree.
 *
 * Presets are Intel's, since its processors report their caches leaf by leaf.
 *
 * Pure functions; no memory is allocated or kept.
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
	PROCESSOR_ERMS = 1, /* "rep movsb" is fast, it says: libc copies by it */
	PROCESSOR_FSRM = 2, /* ... also if short */
	PROCESSOR_RDRAND = 4,
	PROCESSOR_RDSEED = 8,
};

struct processor {
	enum processor_preset preset;
	uint32_t extras; /* of enum processor_extra */
};

/* What executes the program must have; a feature may need several. */
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

/* Of the caches that a processor reports: those of all presets are alike. */
struct processor_cache {
	enum processor_cache_type type;
	uint32_t level;
	struct cache_geometry geometry;
};

enum {
	N_PROCESSOR_CACHES = 4,       /* first D1 and I1, last the last level */
	PROCESSOR_TEXT_SIZE = 512,    /* bytes that hold any list of features */
	PROCESSOR_BRAND_SIZE = 48,    /* bytes, NULs at the end among them */
	PROCESSOR_HERTZ = 1000000000, /* of its time stamp counter, as it says */
};

extern const struct processor_cache processor_caches[N_PROCESSOR_CACHES];

/*
 * Reads a preset's name with features behind it, "+" before each.  *processor
 * is written only if the text is one; returns whether it is.
 */
bool processor_parse(const char *text, struct processor *processor);

/* The words that processor_parse() knows, for a message. */
const char *processor_words(void);

/* What CPUID answers, in the order of enum processor_register. */
void processor_cpuid(const struct processor *processor, uint32_t leaf, uint32_t subleaf,
		     uint32_t registers[N_PROCESSOR_REGISTERS]);

/*
 * What a machine which has these of enum processor_need lacks to carry the
 * processor, by its name, the first in the enum's order; NULL if it lacks nothing.
 */
const char *processor_missing(const struct processor *processor, uint32_t has);

/* Features by their names in /proc/cpuinfo, a blank between, into size bytes; cut if too long. */
void processor_flags(const struct processor *processor, char *text, size_t size);

/* Its name as CPUID gives it; PROCESSOR_BRAND_SIZE bytes. */
const char *processor_brand(const struct processor *processor);

/* Family, model and stepping, as /proc/cpuinfo has them. */
struct processor_signature {
	uint32_t family, model, stepping;
};

struct processor_signature processor_signature(const struct processor *processor);

#endif
