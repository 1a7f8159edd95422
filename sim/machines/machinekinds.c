/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/machines/machinekinds.h"

#include "sim/branches/predictor.h"
#include "sim/core/instructiontable.h"
#include "sim/geometry.h"
#include "sim/prefetch/prefetch.h"

#define MAX_CACHE_SIZE (UINT64_C(4) << 30)

enum {
	MAX_WAYS = 1024,
	MAX_LINE_SIZE = 1024,
	MAX_DISTANCE = 256, /* lines */
};

static const char *const caches_words[] = { "host-two-levels", NULL };
static const char *const relation_words[] = { "nine", "inclusive", "victim", NULL };
static const char *const level_words[] = { "L1D", "L2", "L3", "L4", NULL };
static const char *const prefetcher_words[] = { "next-line", "ip-stride", "adjacent", "stream",
						NULL };
static const char *const model_words[] = { "cachegrind", "tage8k", "tage64k", NULL };
static const char *const cost_words[] = { "L1D",     "L2",         "L3",       "L4",
					  "memory",  "mispredict", "STLB",     "walk",
					  "forward", "stream",     "transfer", "jump",
					  "btb",     "renamed",    "call",     NULL };
static const char *const roof_words[] = { "single", "double", "L1D",    "L2",
					  "L3",     "L4",     "memory", NULL };

static const struct machinefile_field line_fields[] = {
	[LINE_BYTES] = { .name = "size",
			 .form = FORM_COUNT,
			 .least = GEOMETRY_MIN_LINE_SIZE,
			 .most = MAX_LINE_SIZE },
};

static const struct machinefile_field caches_fields[] = {
	[CACHES_WHICH] = { .name = "which", .form = FORM_WORD, .words = caches_words },
};

#define CACHE_FIELDS                                                                       \
 [CACHE_SIZE] = { .name = "size", .form = FORM_SIZE, .least = 1, .most = MAX_CACHE_SIZE }, \
 [CACHE_WAYS] = { .name = "ways", .form = FORM_COUNT, .least = 1, .most = MAX_WAYS },      \
 [CACHE_POLICY] = { .name = "policy", .form = FORM_POLICY }

/* The first level is below nothing, and generated code finds its sets. */
static const struct machinefile_field first_fields[] = { CACHE_FIELDS };

static const struct machinefile_field cache_fields[] = {
	CACHE_FIELDS,
	[CACHE_RELATION] = { .name = "relation",
			     .form = FORM_WORD,
			     .is_optional = true,
			     .words = relation_words },
	[CACHE_INDEX] = { .name = "index",
			  .form = FORM_INDEX,
			  .is_optional = true,
			  .is_named = true },
};

static const struct machinefile_field tlb_fields[] = {
	[TLB_ENTRIES] = { .name = "entries", .form = FORM_COUNT, .least = 1, .most = 1 << 16 },
	[TLB_WAYS] = { .name = "ways", .form = FORM_COUNT, .least = 1, .most = MAX_WAYS },
	[TLB_PAGES] = { .name = "pages", .form = FORM_PAGES },
};

static const struct machinefile_field prefetch_fields[] = {
	[PREFETCH_LEVEL] = { .name = "level", .form = FORM_WORD, .words = level_words },
	[PREFETCH_KIND] = { .name = "kind", .form = FORM_WORD, .words = prefetcher_words },
	[PREFETCH_STREAMS] = { .name = "streams",
			       .form = FORM_COUNT,
			       .is_optional = true,
			       .is_named = true,
			       .least = 1,
			       .most = PREFETCH_MAX_STREAMS },
	[PREFETCH_DISTANCE] = { .name = "distance",
				.form = FORM_COUNT,
				.is_optional = true,
				.is_named = true,
				.least = 1,
				.most = MAX_DISTANCE },
	[PREFETCH_DEGREE] = { .name = "degree",
			      .form = FORM_COUNT,
			      .is_optional = true,
			      .is_named = true,
			      .least = 1,
			      .most = PREFETCH_MAX_LINES },
};

static const struct machinefile_field branch_fields[] = {
	[BRANCH_MODEL] = { .name = "model", .form = FORM_WORD, .words = model_words },
};

static const struct machinefile_field amount_fields[] = {
	[MACHINE_AMOUNT] = { .name = "entries", .form = FORM_COUNT, .least = 1, .most = 1 << 20 },
};

static const struct machinefile_field ras_fields[] = {
	[MACHINE_AMOUNT] = { .name = "entries",
			     .form = FORM_COUNT,
			     .least = 1,
			     .most = RETURNS_MAX_DEPTH },
};

static const struct machinefile_field btb_fields[] = {
	[MACHINE_AMOUNT] = { .name = "entries", .form = FORM_COUNT, .least = 1, .most = 1 << 20 },
	[BTB_FIRST] = { .name = "first",
			.form = FORM_COUNT,
			.is_optional = true,
			.is_named = true,
			.least = 1,
			.most = 1 << 20 },
};

static const struct machinefile_field width_fields[] = {
	[MACHINE_AMOUNT] = { .name = "instructions", .form = FORM_COUNT, .least = 1, .most = 64 },
	[WIDTH_DECODED] = { .name = "decoded",
			    .form = FORM_COUNT,
			    .is_optional = true,
			    .is_named = true,
			    .least = 1,
			    .most = 64 },
};

static const struct machinefile_field core_fields[] = {
	[CORE_NAME] = { .name = "core", .form = FORM_WORD, .words = core_names },
};

static const struct machinefile_field fetch_fields[] = {
	[MACHINE_AMOUNT] = { .name = "bytes", .form = FORM_COUNT, .least = 16, .most = 128 },
};

static const struct machinefile_field misses_fields[] = {
	[MACHINE_AMOUNT] = { .name = "lines", .form = FORM_COUNT, .least = 1, .most = 1024 },
	[MISSES_SET] = { .name = "set",
			 .form = FORM_COUNT,
			 .is_optional = true,
			 .is_named = true,
			 .least = 1,
			 .most = 1024 },
};

static const struct machinefile_field cost_fields[] = {
	[COST_OF] = { .name = "of", .form = FORM_WORD, .words = cost_words },
	[COST_CYCLES] = { .name = "cycles", .form = FORM_COUNT, .most = 100000 },
};

static const struct machinefile_field roof_fields[] = {
	[ROOF_OF] = { .name = "of", .form = FORM_WORD, .words = roof_words },
	[ROOF_AMOUNT] = { .name = "most", .form = FORM_COUNT, .least = 1, .most = 65536 },
};

#define FIELDS(fields) sizeof(fields) / sizeof((fields)[0]), fields /* two members of one name */

const struct machinefile_row machinefile_rows[N_MACHINE_KINDS] = {
	[MACHINE_LINE] = { "line", "bytes of a cache line", 0, FIELDS(line_fields) },
	[MACHINE_CACHES] = { "caches", "where caches are taken from", 0, FIELDS(caches_fields) },
	[MACHINE_L1I] = { "L1I", "first level, code", 0, FIELDS(first_fields) },
	[MACHINE_L1D] = { "L1D", "first level, data", 0, FIELDS(first_fields) },
	[MACHINE_L2] = { "L2", "second level", 0, FIELDS(cache_fields) },
	[MACHINE_L3] = { "L3", "third level", 0, FIELDS(cache_fields) },
	[MACHINE_L4] = { "L4", "fourth level", 0, FIELDS(cache_fields) },
	[MACHINE_ITLB] = { "ITLB", "first TLB, code", 0, FIELDS(tlb_fields) },
	[MACHINE_DTLB] = { "DTLB", "first TLB, data", 0, FIELDS(tlb_fields) },
	[MACHINE_STLB] = { "STLB", "second TLB", 0, FIELDS(tlb_fields) },
	[MACHINE_ISTLB] = { "ISTLB", "second TLB, code", 0, FIELDS(tlb_fields) },
	[MACHINE_PREFETCH] = { "prefetch", "a prefetcher", 2, FIELDS(prefetch_fields) },
	[MACHINE_BRANCH] = { "branch", "predictor of branches", 0, FIELDS(branch_fields) },
	[MACHINE_RAS] = { "ras", "return address stack", 0, FIELDS(ras_fields) },
	[MACHINE_BTB] = { "btb", "branch target buffer", 0, FIELDS(btb_fields) },
	[MACHINE_ROB] = { "rob", "reorder buffer", 0, FIELDS(amount_fields) },
	[MACHINE_WIDTH] = { "width", "instructions renamed a cycle", 0, FIELDS(width_fields) },
	[MACHINE_CORE] = { "core", "table of instructions", 0, FIELDS(core_fields) },
	[MACHINE_FETCH] = { "fetch", "code fetched a cycle", 0, FIELDS(fetch_fields) },
	[MACHINE_MISSES] = { "misses", "lines missed at a time", 0, FIELDS(misses_fields) },
	[MACHINE_COST] = { "cost", "latency in cycles", 1, FIELDS(cost_fields) },
	[MACHINE_ROOF] = { "roof", "most in a cycle", 1, FIELDS(roof_fields) },
};
