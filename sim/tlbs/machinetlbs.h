/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TLBs of the machine: they miss what TLBs by their rules alone would (sim/tlbs/tlb.h), page by page, though generated code
 * knows nothing of them.
 *
 * Generated code stores stamps where an entry of the line filter, or a line of code, says.  With TLBs these are *named*
 * only while their page is in the first level, of each *view*:
 *
 *	a reference to what is named hits the first TLB, and its stamp is noted with its line
 *	any other calls C, whether D1 or I1 has the line or not, and C touches its page
 *
 * So the last use of a page is the largest of what C noted for it and of the stamps of what is named in it.  The stamp of
 * what loses its name is noted for its page.  An array that needs room takes the page with the smallest noted stamp,
 * brings that up to date by what is named in it, and does so again until one stays the smallest: it is the least
 * recently used.  What is named in a page that goes loses its name, so that the next use of its lines calls C.
 *
 *	page in the DTLB	noted 40	what is named in it:	entry 17 of the filter, stamp 71
 *								entry 44, stamp 38	(it was used at 71)
 *
 * A view is TLBs of their own, with pages of their own size: a run may have two of them, which see the same references.
 */
#ifndef SIM_TLBS_MACHINETLBS_H
#define SIM_TLBS_MACHINETLBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/machinelayout.h"
#include "sim/tlbs/tlb.h"

enum {
	MACHINETLBS_MAX_VIEWS = 2,
	MACHINETLBS_INDEX = 256, /* pages that are found without a search */
	MACHINETLBS_GROUP = 8,
};

/* What is to be simulated. */
struct machine_tlbs_config {
	struct tlbs_config tlbs; /* of each view */
	unsigned n_views;        /* 1 or more */
	struct view_config {
		struct page_sizes code, data;
	} views[MACHINETLBS_MAX_VIEWS];
};

/* An array of a first TLB: entries from first on, each set's side by side. */
struct page_array {
	uint32_t first, ways;
	uint32_t first_bound, n_bounds; /* the latter for each set */
	struct sets sets;
};

/*
 * ITLB or DTLB of a view.  Entries count from 1; 0 is none, and what is noted there is nothing.  What may be named has a
 * number: an entry of the filter, or a way of I1 (if that is not plain: the newest line of a set).
 *
 * Invariant: of an empty entry key, low key and stamp are 0; no stamp is smaller than the bound of its group, of
 * MACHINETLBS_GROUP entries of its set.
 */
struct first_tlb {
	struct page_sizes sizes;
	struct page_array arrays[N_TLB_PAGES];
	const struct page_array *of_page[N_TLB_PAGES]; /* NULL: no page of this size comes */
	uint32_t n;                                    /* entries of all arrays */
	uint64_t *keys;
	uint64_t *stamps;   /* noted */
	uint64_t *bounds;   /* what the search for the oldest one looks at first */
	uint32_t *low_keys; /* what the search for a page looks at first */
	uint32_t *entries;  /* by number: where its page is; 0: it is not named */
	/*
	 * By entry, n_words each: the numbers that are named in its page, as bits.  Where all pages are small, and so each
	 * has a stretch of the filter, only that one's: word_mask says which word a number's bit is in.
	 */
	uint64_t *named;
	size_t n_words, word_mask;
	struct page_index {
		uint64_t key; /* of a page that is there; 0: none */
		uint32_t entry;
	} index[MACHINETLBS_INDEX];
};

struct machine_tlbs {
	unsigned n_views;
	bool has_stamps[2]; /* of TLB_ITLB, TLB_DTLB: those that C is given are fit to be noted */
	uint64_t clock;     /* else this is */
	/* The page of the reference under way, if it is on one: its entry in each view. */
	bool is_on_one_page;
	uint32_t entries[MACHINETLBS_MAX_VIEWS];
	struct tlb_view {
		struct first_tlb first[2]; /* by TLB_ITLB and TLB_DTLB */
		struct tlbs second;        /* its first level is empty */
	} views[MACHINETLBS_MAX_VIEWS];
};

/* Why TLBs cannot be simulated. */
struct machinetlbs_misfit {
	const char *expected; /* in words that follow on "expected "; static; NULL: they can be */
	enum tlb_kind kind;   /* whose arrays are not so; N_TLB_KINDS: not TLBs' */
};

/*
 * Says if TLBs can be simulated with these caches.  In addition to tlbs_misfit(): a first TLB has room for all pages that come, the ITLB has two entries or more, and no line of
 * a first level is longer than a page.  (The line of the last fetch, which generated code need not fetch from again,
 * is on the page that was used last: it may not go because of the page before, if an instruction is on both.)
 */
struct machinetlbs_misfit machinetlbs_misfit(const struct machine_tlbs_config *config,
					     const struct hierarchy_config *caches);

/* Bytes of memory that machinetlbs_init() needs for that many names of code and of data; a multiple of 64. */
size_t machinetlbs_memory_size(const struct machine_tlbs_config *config, size_t n_code_names,
			       size_t n_data_names);

/* Makes empty TLBs in the caller's memory, all zero, and has the machine have them; its caches are made. */
void machinetlbs_init(struct machine *machine, const struct machine_tlbs_config *config,
		      size_t n_code_names, size_t n_data_names, void *memory);

/*
 * A reference touches its pages, before it touches lines: machine->missed_pages says what it missed.  For code, n_lines
 * lines, from stamp on, or, if there are none, what lies at address.
 */
void machinetlbs_touch_data(struct machine *machine, uint64_t address, uint64_t size,
			    uint64_t stamp);
void machinetlbs_touch_code(struct machine *machine, struct code_line *const *lines,
			    unsigned n_lines, uint64_t address, uint64_t size, uint64_t stamp);

/*
 * The caches have seen the reference, and filled entries of the filter, or stamps of lines of code: what they name is
 * named from now on, or, if its page is not there, named no more.
 */
void machinetlbs_name_data(struct machine *machine, uint64_t address, uint64_t size);
void machinetlbs_name_code(struct machine *machine, struct code_line *const *lines,
			   unsigned n_lines);

/* Without a reference, that is, nothing touched: names what the entries of a line's address have. */
void machinetlbs_name_again(struct machine *machine, uint64_t address, uint64_t size);

static inline struct page_index *machinetlbs_index(struct first_tlb *first, uint64_t key)
{
	uint64_t number = key >> 2;

	return &first->index[(number ^ number >> 9) % MACHINETLBS_INDEX];
}

enum { MACHINETLBS_WORD_BITS = 64 }; /* of named */

/* The word of named that has the bit of a number. */
static inline uint64_t *machinetlbs_named(const struct first_tlb *first, uint32_t entry,
					  size_t number)
{
	return &first->named[entry * first->n_words +
			     (number / MACHINETLBS_WORD_BITS & first->word_mask)];
}

/* What has this number, and is not named, is named in the page of an entry. */
static inline void machinetlbs_set_name(struct first_tlb *first, size_t number, uint32_t entry)
{
	first->entries[number] = entry;
	*machinetlbs_named(first, entry, number) |= UINT64_C(1) << number % MACHINETLBS_WORD_BITS;
}

/*
 * What most references to one line come to, of a single view with pages of one size, where stamps are fit to be
 * noted: touches the page, if it is in the index, and returns its entry, by which what names the line is to be named;
 * 0: nothing is done.
 */
static inline uint32_t machinetlbs_touch_recent(struct machine_tlbs *tlbs, enum tlb_kind kind,
						uint64_t address, uint64_t stamp)
{
	struct first_tlb *first = &tlbs->views[0].first[kind];
	const uint64_t key = tlb_key(address, first->sizes.size);
	const struct page_index *index = machinetlbs_index(first, key);

	if (tlbs->n_views != 1 || first->sizes.of != NULL || index->key != key)
		return 0;
	if (first->stamps[index->entry] < stamp)
		first->stamps[index->entry] = stamp;
	return index->entry;
}

/* What has this number is about to name nothing, or something else, if is_named; stamp is what it had.  No branch. */
static inline void machinetlbs_unname_in(struct first_tlb *first, size_t number, uint64_t stamp,
					 bool is_named)
{
	uint32_t entry = first->entries[number] & -(uint32_t)is_named;
	uint64_t *noted = &first->stamps[entry];

	*noted = *noted < stamp ? stamp : *noted;
	first->entries[number] -= entry;
	*machinetlbs_named(first, entry, number) &=
		~(UINT64_C(1) << number % MACHINETLBS_WORD_BITS);
}

/* The same in all views. */
static inline void machinetlbs_unname_if(struct machine_tlbs *tlbs, enum tlb_kind kind,
					 size_t number, uint64_t stamp, bool is_named)
{
	for (unsigned i = 0; i < tlbs->n_views; i++)
		machinetlbs_unname_in(&tlbs->views[i].first[kind], number, stamp, is_named);
}

/* The same, by the machine's own stamp. */
void machinetlbs_unname(struct machine *machine, enum tlb_kind kind, size_t number);

/* Empties an entry of the filter, with TLBs or without. */
static inline void machinetlbs_forget_entry(struct machine *machine, uint64_t index)
{
	if (machine->tlbs != NULL)
		machinetlbs_unname(machine, TLB_DTLB, (size_t)index);
	machine_empty_write_entry(machine, index);
	machine->filter[index] = machine_empty_entry(machine, index);
}

/* The same for the entry that names a line, if there is one: generated code is to know nothing of the line. */
static inline void machinetlbs_forget_line(struct machine *machine, uint64_t line)
{
	const struct filter_entry *entry = machine_filter_entry(machine, line);

	if (entry->line == line)
		machinetlbs_forget_entry(machine, (uint64_t)(entry - machine->filter));
}

/* Takes pages out of all TLBs that have a byte in the range.  Only with TLBs. */
void machinetlbs_evict(struct machine *machine, struct address_range range);

#endif
