/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of lines of a machine's text (sim/machines/machinefile.h), and their fields: a table of
 * which a new kind is a row.  Parser, messages, and programs that print machines go by it.
 */
#ifndef SIM_MACHINES_MACHINEKINDS_H
#define SIM_MACHINES_MACHINEKINDS_H

#include <stdbool.h>
#include <stdint.h>

enum { MACHINEFILE_MAX_FIELDS = 5 }; /* of a line */

enum machinefile_kind {
	MACHINE_LINE,
	MACHINE_CACHES, /* in the place of the caches: those of the host, see MACHINE_HOST_TWO_LEVELS */
	MACHINE_L1I,
	MACHINE_L1D,
	MACHINE_L2,
	MACHINE_L3,
	MACHINE_L4,
	MACHINE_ITLB, /* first level, of code; several lines, if pages of each size have their own */
	MACHINE_DTLB,  /* the same of data */
	MACHINE_STLB,  /* second level; of data only, if there is an ISTLB */
	MACHINE_ISTLB, /* second level, of code */
	MACHINE_PREFETCH,
	MACHINE_BRANCH, /* predictor of directions */
	MACHINE_RAS,    /* return address stack */
	MACHINE_BTB,    /* branch target buffer */
	MACHINE_ROB,    /* reorder buffer */
	MACHINE_WIDTH,  /* instructions renamed a cycle */
	MACHINE_CORE,   /* the table of its instructions: data/cores */
	MACHINE_FETCH,  /* bytes of code fetched a cycle */
	MACHINE_MISSES, /* lines that may be missed at a time */
	MACHINE_COST,   /* cycles, of a hit there; or of what is named */
	MACHINE_ROOF,   /* the most in a cycle: operations, or bytes of a level */
	N_MACHINE_KINDS,
};

/* The fields of each kind, as indexes of struct machinefile_item's arrays. */
enum { LINE_BYTES };
enum { CACHES_WHICH }; /* enum machine_caches_of */
enum { CACHE_SIZE, CACHE_WAYS, CACHE_POLICY, CACHE_RELATION, CACHE_INDEX };
enum { TLB_ENTRIES, TLB_WAYS, TLB_PAGES }; /* pages: bits of enum machine_page */
enum { PREFETCH_LEVEL, PREFETCH_KIND, PREFETCH_STREAMS, PREFETCH_DISTANCE, PREFETCH_DEGREE };
enum { BRANCH_MODEL };
enum { CORE_NAME };
enum { MISSES_SET = 1 };    /* cycles between two of one set of L1D, if they wait for each other */
enum { WIDTH_DECODED = 1 }; /* instructions that it takes, if fewer */
enum { BTB_FIRST = 1 };     /* entries of its first level, if it has two */
enum { MACHINE_AMOUNT };    /* of RAS, BTB, ROB, WIDTH, FETCH, MISSES */
enum { COST_OF, COST_CYCLES };
enum { ROOF_OF, ROOF_AMOUNT };

/* The values of fields that are words, in the order of their words. */
enum machine_caches_of {
	/* Those of the host, of two levels as Cachegrind has them: first level and last level, LRU. */
	MACHINE_HOST_TWO_LEVELS,
};

/* What a level has to do with those above it. */
enum machine_relation {
	RELATION_NINE,      /* neither: a miss fills it, what it evicts stays above */
	RELATION_INCLUSIVE, /* has all that the levels above it have: what it evicts leaves them too */
	RELATION_VICTIM, /* is filled by what the level above it evicts, and gives it back on a hit */
};

/* That have prefetchers. */
enum machine_level { LEVEL_IS_L1D, LEVEL_IS_L2, LEVEL_IS_L3, LEVEL_IS_L4 };

enum machine_prefetcher {
	PREFETCHER_NEXT_LINE,
	PREFETCHER_IP_STRIDE, /* of each load instruction */
	PREFETCHER_ADJACENT,  /* the other line of an aligned pair */
	PREFETCHER_STREAM,
};

enum machine_page {
	PAGE_4K = 1,
	PAGE_2M = 2,
};

enum machine_branch_model { BRANCH_CACHEGRIND, BRANCH_TAGE8K, BRANCH_TAGE64K };

enum machine_cost {
	COST_L1D,
	COST_L2,
	COST_L3,
	COST_L4,
	COST_MEMORY,
	COST_MISPREDICT, /* of a branch */
	COST_STLB,       /* a hit there, behind a miss of the first level */
	COST_WALK,       /* of the page table */
	COST_FORWARD,    /* of a load of what has just been stored */
	COST_STREAM,     /* between two lines of a stream from memory, which prefetchers bring */
	COST_TRANSFER,   /* between any two lines from memory; if not given, as a stream */
	COST_JUMP,       /* from a taken jump to what is behind it; if not given, 1 */
	COST_BTB,        /* of a taken branch that only the target buffer's second level knows */
	COST_RENAMED, /* as COST_FORWARD, of places that renaming knows; if not given, the same */
	COST_CALL,    /* as COST_JUMP, of calls and returns; if not given, the same */
	N_MACHINE_COSTS
};

/* The most that a core does in a cycle, for rooflines (docs/OPERATIONS.md). */
enum machine_roof {
	ROOF_SINGLE, /* floating-point operations in single precision */
	ROOF_DOUBLE,
	ROOF_L1D, /* bytes that it reads and writes there */
	ROOF_L2,  /* bytes that come from there */
	ROOF_L3,
	ROOF_L4,
	ROOF_MEMORY, /* if not given: a line in the cycles of COST_TRANSFER, or of COST_STREAM */
	N_MACHINE_ROOFS
};

/* What a field looks like. */
enum machinefile_form {
	FORM_SIZE,   /* bytes */
	FORM_COUNT,  /* a number */
	FORM_WORD,   /* one of some words: the value is its index */
	FORM_PAGES,  /* 4K, 2M, or both with a comma between: bits of enum machine_page */
	FORM_POLICY, /* a replacement policy (policy_named()); the value is 0 */
	FORM_INDEX,  /* plain: 0; hash: 1; hash:SEED: the seed, 1 or more */
};

struct machinefile_field {
	const char *name; /* for messages and programs: "ways" */
	enum machinefile_form form;
	bool is_optional; /* with the value 0 if it is not there; those behind it are, too */
	bool is_named;    /* written name=value, anywhere behind the fields that are not optional */
	uint64_t least, most;     /* of FORM_SIZE and FORM_COUNT */
	const char *const *words; /* of FORM_WORD, NULL behind them */
};

struct machinefile_row {
	const char *keyword;
	const char *text; /* what it says, in some words */
	/*
	 * How many of its first fields tell one line of this kind from another, which may stand
	 * beside it; 0: it stands once.  Lines of TLBs are told apart by pages.
	 */
	unsigned n_key;
	unsigned n_fields;
	const struct machinefile_field *fields;
};

extern const struct machinefile_row machinefile_rows[N_MACHINE_KINDS];

#endif
