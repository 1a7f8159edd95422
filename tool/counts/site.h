/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sites: the instructions of the program. A site is never freed, so costs survive when code is
 * discarded, translated again or unmapped, and translations can point to their sites.
 *
 * A *cell* is what a site has cost in one context.
 */
#ifndef TOOL_COUNTS_SITE_H
#define TOOL_COUNTS_SITE_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/common/event.h"
#include "tool/symbols/symbol.h"

struct context;
struct counts;

struct cell {
	struct context *context; /* NULL: not in use */
	struct counts *counts;   /* self cost; NULL: none */
};

/* What the instructions of one function, file and inlinee share. */
struct scope {
	struct scope *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct function *function;
	const struct text *file;
	UInt inlined;
	Addr bias; /* address less bias is the address as linked */
};

/*
 * One instruction at one address of the running program. An instruction that replaces it later
 * (dlclose and dlopen, generated code) is another site if it differs in length or place. There are
 * very many sites: they are kept short.
 */
struct site {
	struct site *next; /* made after this one in the same row, or NULL */
	Addr address;      /* in the running program */
	const struct scope *scope;
	struct cell first; /* of the first context, nearly always the only one */
	UInt line;         /* 0 = unknown */
	UChar size;        /* bytes, at least 1 */
	Bool repeats;      /* a rep instruction, with --inline=calls: each round counts */
	UShort n_blocks;   /* live blocks that contain it */
};

_Static_assert(sizeof(struct site) == 48, "kept short");

static inline struct source_location site_place(const struct site *site)
{
	return (struct source_location){
		.function = site->scope->function,
		.file = site->scope->file,
		.line = site->line,
		.inlined = site->scope->inlined,
		.address = site->address - site->scope->bias,
	};
}

enum {
	SITES_A_PAGE = 341, /* 16 KiB */
};

/* Sites in the order in which they were made, which is nearly the order of their addresses. */
struct site_page {
	struct site_page *next; /* made after this one */
	UInt n;
	struct site sites[SITES_A_PAGE];
};

/*
 * The sites whose addresses are in one aligned piece of SITE_ROW_SIZE bytes, in the order in which
 * they were made. As code is translated, its instructions are looked up one after another: most are
 * next to the one found before.
 */
struct site_row {
	struct site_row *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;             /* address / SITE_ROW_SIZE */
	struct site *first, *last;
};

enum {
	SITE_ROW_SIZE = 256,         /* bytes */
	COUNTS_WORDS = N_EVENTS + 1, /* of 64 bits: the most that a cell has */
};

struct counted_set;
struct piece;

struct sites {
	VgHashTable *rows;
	struct site_row *row; /* that was looked up last, or NULL */
	struct site *hint;    /* in that row, after the site found last, or NULL */
	UInt n;
	struct site_page *first, *last; /* where the sites are */
	VgHashTable *scopes;
	const struct scope *scope; /* that was asked for last, or NULL */
	VgHashTable *cells;       /* struct cell_node: cells that are not the first of their site */
	struct counted_set *sets; /* sets of events that cells count, by number; the first is empty */
	UInt n_sets, room_for_sets;
	struct piece *outgrown[COUNTS_WORDS + 1]; /* free counts, by their words */
	struct piece *rest; /* what is left of the last allocation, n_rest words */
	UInt n_rest;
};

void sites_init(struct sites *sites);

/* The site of an instruction, made with zero costs if it is new. */
struct site *sites_find(struct sites *sites, Addr address, UInt size,
			const struct source_location *place);

/* The source of a site has become known; file: NULL if only the line has. */
void sites_name_source(struct sites *sites, struct site *site, const struct text *file, UInt line);

/*
 * The cell of a site in a context; if the context has an owner, the cell of the call in the owner;
 * for an interpreted function, the cell of its only site. It does not move.
 */
struct cell *sites_cell(struct sites *sites, struct site *site, struct context *context);

/* Adds to the count of an event. */
void cell_add(struct sites *sites, struct cell *cell, enum event event, ULong amount);

/* Adds the costs of a cell to sums. */
void cell_sum(const struct sites *sites, const struct cell *cell, ULong sums[N_EVENTS]);

/* The costs of all cells, with or without dropped contexts. */
void sites_total(struct sites *sites, Bool with_dropped, ULong totals[N_EVENTS]);

/* Self costs of a function, in all its contexts. */
struct self_cost {
	const struct function *function; /* NULL: it has no cell */
	ULong sums[N_EVENTS];
};

/* Adds the costs of all cells that are written to their functions, by id. */
void sites_by_function(struct sites *sites, struct self_cost *costs);

/* Sets all costs to zero: of one thread, or of all if thread is 0. */
void sites_zero(struct sites *sites, UInt thread);

/* A cell and its site. */
struct cost {
	const struct site *site;
	const struct cell *cell;
};

/*
 * All cells with any cost, in the order of a profile: by context, then by address and line
 * (by_address) or by file and line, the function's own file first. Call symbols_rank() and
 * contexts_rank() before. The caller frees the array by VG_(free); NULL if *n is 0.
 */
struct cost *sites_sorted(struct sites *sites, Bool by_address, UInt *n);

/* Sorts costs in the same order. */
void costs_sort(struct cost *costs, UInt n, Bool by_address);

/* The order of two places in a profile, within one context of a function. */
Int place_order(const struct function *function, struct source_location left,
		struct source_location right, Bool by_address);

#endif
