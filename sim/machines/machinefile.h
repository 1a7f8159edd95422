/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine as a text: the caches, TLBs, prefetchers, predictors and costs that are simulated.
 *
 *	machine zen4  AMD Zen 4 (2022), cores of EPYC 9004 and Ryzen 7000
 *	line    64                                ; bytes of a line of any cache
 *	L1D     32K 8 plru assumed                ; CPUID leaf 0x8000001D of an EPYC 9654
 *	L3      32M 16 plru assumed victim        ; the same
 *	prefetch L2 stream streams=32 assumed     ; AMD says that there is one
 *
 * Each line is a keyword and its fields, separated by blanks; the table of keys says which.  A comment begins with ';' or
 * '#', and names the source of the line's numbers.  The word "assumed" after a field says that its value has no source.
 * Sizes may end in K, M or G (powers of 1024); other numbers are decimal.  The first line that is not a comment is
 * "machine NAME DESCRIPTION"; the order of the others does not matter.
 *
 * machinefile_parse() accepts only texts that can be simulated, and refuses all contradictions.  The result points into the
 * text, which the caller keeps.
 *
 * No memory is allocated or kept; there is no recursion.
 */
#ifndef SIM_MACHINES_MACHINEFILE_H
#define SIM_MACHINES_MACHINEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/cache.h"
#include "sim/policy.h"
#include "sim/prefetch/prefetchers.h"
#include "sim/tlbs/tlb.h"

enum {
	MACHINEFILE_MAX_SIZE = 1 << 16, /* bytes of a text */
	MACHINEFILE_MAX_LINE = 500,     /* bytes of a line, comment and all, without its end */
	MACHINEFILE_MAX_ITEMS = 64,     /* lines other than comments */
	MACHINEFILE_NAME_SIZE = 32,     /* bytes of a machine's name and a NUL */
	MACHINEFILE_MESSAGE_SIZE = 400, /* bytes that hold any message and a NUL */
};

/* -- keys ------------------------------------------------------------------------------------ */

enum {
	MACHINEFILE_MAX_FIELDS = 5, /* in a line */
	MACHINE_MAX_CORES = 64,
};

enum machinefile_kind {
	MACHINE_LINE,
	MACHINE_CACHES, /* instead of lines for caches: where they come from */
	MACHINE_L1I,
	MACHINE_L1D,
	MACHINE_L2,
	MACHINE_L3,
	MACHINE_L4,
	MACHINE_CORES, /* that share the last level */
	MACHINE_ITLB,  /* first level, code; one line for each array, by page size */
	MACHINE_DTLB,  /* first level, data */
	MACHINE_STLB,  /* second level; only for data if there is an ISTLB */
	MACHINE_ISTLB, /* second level, code */
	MACHINE_PREFETCH,
	MACHINE_BRANCH, /* predictor of directions */
	MACHINE_RAS,    /* return address stack */
	MACHINE_BTB,    /* branch target buffer */
	MACHINE_ROB,    /* reorder buffer */
	MACHINE_WIDTH,  /* dispatch width */
	MACHINE_CORE,   /* table of instructions: data/cores */
	MACHINE_FETCH,  /* bytes of code fetched a cycle */
	MACHINE_MISSES, /* most outstanding misses */
	MACHINE_COST,   /* cycles of a hit, or of an event */
	MACHINE_ROOF,   /* most operations, or bytes of a level, a cycle */
	N_MACHINE_KINDS,
};

/* The fields of each kind, as indexes of the arrays in struct machinefile_item. */
enum { LINE_BYTES };
enum { CACHES_WHICH };
enum { CACHE_SIZE, CACHE_WAYS, CACHE_POLICY, CACHE_RELATION, CACHE_INDEX };
enum { TLB_ENTRIES, TLB_WAYS, TLB_PAGES };
enum { PREFETCH_LEVEL, PREFETCH_KIND, PREFETCH_STREAMS, PREFETCH_DISTANCE, PREFETCH_DEGREE };
enum { BRANCH_MODEL };
enum { CORE_NAME };
enum { MACHINE_AMOUNT };    /* CORES, RAS, BTB, ROB, WIDTH, FETCH, MISSES */
enum { BTB_FIRST = 1 };     /* entries of the first level, if there are two */
enum { WIDTH_DECODED = 1 }; /* instructions taken a cycle, if fewer than the width */
enum {
	MISSES_SET = 1
}; /* cycles between two lines of one set of L1D, if they wait for each other */
enum { COST_OF, COST_CYCLES };
enum { ROOF_OF, ROOF_AMOUNT };

/*
 * Values of fields that are words.  CACHE_RELATION is an enum inclusion (sim/cache.h), PREFETCH_KIND an enum
 * prefetch_kind (sim/prefetch/prefetchers.h).
 */
enum machine_level {
	LEVEL_IS_L1D,
	LEVEL_IS_L2,
	LEVEL_IS_L3,
	LEVEL_IS_L4
}; /* MACHINE_L1D + level */

enum machine_branch_model { BRANCH_CACHEGRIND, BRANCH_TAGE8K, BRANCH_TAGE64K };

enum machine_cost {
	COST_L1D,
	COST_L2,
	COST_L3,
	COST_L4,
	COST_MEMORY,
	COST_MISPREDICT, /* of a branch */
	COST_STLB,       /* a hit there, after a miss of the first level */
	COST_WALK,       /* of the page table */
	COST_FORWARD,    /* a load of what has just been stored */
	COST_STREAM,     /* between two lines of a prefetched stream from memory */
	COST_TRANSFER,   /* between any two lines from memory */
	COST_JUMP,       /* from a taken jump to its target */
	COST_BTB,        /* a taken branch that only the second level of the target buffer knows */
	COST_RENAMED,    /* COST_FORWARD of a place that renaming knows */
	COST_CALL,       /* COST_JUMP of calls and returns */
	COST_CORE,       /* a line that another core has, and not the last level */
	N_MACHINE_COSTS
};

/* The most that a core does in a cycle, for rooflines (docs/OPERATIONS.md). */
enum machine_roof {
	ROOF_SINGLE, /* floating-point operations in single precision */
	ROOF_DOUBLE,
	ROOF_L1D, /* bytes read and written there */
	ROOF_L2,  /* bytes that come from there */
	ROOF_L3,
	ROOF_L4,
	ROOF_MEMORY, /* if not given: a line in the cycles of COST_TRANSFER, or of COST_STREAM */
	N_MACHINE_ROOFS
};

/* The syntax of a field. */
enum machinefile_form {
	FORM_SIZE,   /* bytes */
	FORM_COUNT,  /* a number */
	FORM_WORD,   /* one of some words: the value is its index */
	FORM_PAGES,  /* 4K, 2M or 4K,2M: bits 1 << enum tlb_page */
	FORM_POLICY, /* a replacement policy (policy_named()); the value is 0 */
	FORM_INDEX,  /* plain: 0; hash: 1; hash:SEED: the seed, 1 or more */
};

struct machinefile_field {
	const char *name; /* for messages and programs: "ways"; NULL: there is no such field */
	enum machinefile_form form;
	bool is_optional; /* 0 if it is not there; the fields after it are optional, too */
	bool is_named;    /* written name=value, anywhere after the fields that are not optional */
	uint64_t least, most;     /* FORM_SIZE, FORM_COUNT: the range */
	uint32_t usual;           /* the default where the text does not say it; 0: none */
	const char *unit;         /* to be printed after the number: "-way"; NULL: nothing */
	const char *const *words; /* FORM_WORD: ends with NULL */
};

struct machinefile_row {
	const char *keyword;
	/* Lines of this kind must differ in their first n_key fields; 0: only one may be there.  Lines of TLBs differ by pages. */
	unsigned n_key;
	unsigned n_fields;
	struct machinefile_field fields[MACHINEFILE_MAX_FIELDS];
};

/* The table of keys. */
extern const struct machinefile_row machinefile_rows[N_MACHINE_KINDS];

/* The word of a field's value. */
static inline const char *machinefile_word(enum machinefile_kind kind, unsigned field,
					   uint64_t value)
{
	return machinefile_rows[kind].fields[field].words[value];
}

/* -- machines ------------------------------------------------------------------------------ */

/* Bytes of the text. */
struct machinefile_span {
	uint32_t offset, len;
};

/* A line other than a comment. */
struct machinefile_item {
	enum machinefile_kind kind;
	uint32_t line;    /* its number, from 1 */
	uint32_t given;   /* bit f: field f is there */
	uint32_t assumed; /* bit f: field f is assumed; a subset of given */
	uint64_t values[MACHINEFILE_MAX_FIELDS];
	struct machinefile_span words[MACHINEFILE_MAX_FIELDS]; /* the fields as they are written */
	struct machinefile_span source; /* the comment, without blanks around it; empty: none */
};

struct machinefile {
	const char *text; /* borrowed */
	size_t len;
	char name[MACHINEFILE_NAME_SIZE];
	struct machinefile_span description; /* may be empty */
	size_t n_items;
	struct machinefile_item items[MACHINEFILE_MAX_ITEMS]; /* in the order of the text */
};

/* The first error in a text. */
struct machinefile_error {
	uint32_t line, column;                   /* from 1; of bytes */
	struct machinefile_span found;           /* empty: the end of the line or text */
	char expected[MACHINEFILE_MESSAGE_SIZE]; /* a phrase: "a number from 1 to 64" */
};

/*
 * Reads len bytes of text, which must live as long as *file is used; it needs no NUL.  Returns false and fills *error if
 * it is not a machine; *file is undefined then.
 *
 * A machine has lines line, L1I, L1D, L2, and perhaps L3 and L4; or a line MACHINE_CACHES, and none of these.  The size of a
 * cache is a multiple of ways times line size; the first level has a power of two of sets, other levels any number.  No
 * level is smaller than the one above it, unless it is a victim.  L2 is not a victim, since what the first level evicts is
 * not observed.  Policies fit the number of ways (sim/policy.h).  A TLB's entries are a multiple of its ways; a second
 * level needs both first levels.  Prefetchers and costs belong to levels that exist; no prefetcher belongs to a victim.  Several
 * cores need a level after L2, which each core has for itself.
 */
bool machinefile_parse(struct machinefile *file, const char *text, size_t len,
		       struct machinefile_error *error);

/*
 * Writes "expected EXPECTED, found 'FOUND'", truncated to size (at least 1), with a dot for each byte that is not
 * printable ASCII.  The caller puts "FILE:LINE:COLUMN: " before it.
 */
void machinefile_explain(const struct machinefile_error *error, const char *text, char *message,
			 size_t size);

/* The first line of a kind; NULL if there is none. */
const struct machinefile_item *machinefile_find(const struct machinefile *file,
						enum machinefile_kind kind);

/* True if any field of any line is assumed. */
bool machinefile_assumes(const struct machinefile *file);

/* -- what is simulated -------------------------------------------------------------------------- */

/*
 * Configures the cache of MACHINE_L1I to MACHINE_L4, except its name and text.  *policy becomes its policy, and must live as
 * long as *cache.  Returns false, and leaves both alone, if there is no such cache.
 */
bool machinefile_cache(const struct machinefile *file, enum machinefile_kind kind,
		       struct policy *policy, struct cache_config *cache);

/* How many cores share the last level: 1 to MACHINE_MAX_CORES; 1 if the text does not say it. */
unsigned machinefile_cores(const struct machinefile *file);

/* Configures the prefetchers of a machine that has caches of its own, in the order of the text. */
void machinefile_prefetchers(const struct machinefile *file, struct prefetchers_config *config);

/*
 * Configures the TLBs.  Returns false if there is no first level.  Without a second level each miss of the first one walks the
 * page table.
 */
bool machinefile_tlbs(const struct machinefile *file, struct tlbs_config *config);

/* -- built-in machines --------------------------------------------------------------------------- */

/* The machines of data/machines, generated at build time by scripts/embed-texts, so that neither program has to find files.  Sorted by name, as bytes. */
extern const struct embedded_text machine_presets[];
extern const size_t n_machine_presets;

/* The preset with this name; NULL if there is none. */
static inline const struct embedded_text *machine_preset_find(const char *name)
{
	return embedded_text_find(machine_presets, n_machine_presets, name);
}

#endif
