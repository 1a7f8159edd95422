/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which stamps are noted does not matter beyond their order: of a reference on two pages the first page gets the stamp
 * of the reference's first line, the second page the stamp of its last line, and all lines on either page are between.
 */
#include "sim/tlbs/machinetlbs.h"

#include "sim/basics.h"
#include "sim/shorttags.h"
#include "sim/stamped.h"

enum {
	NO_ENTRY = 0,
};

/* --- what there is ------------------------------------------------------------------ */

static bool has_pages(const struct tlbs_config *tlbs, enum tlb_kind first, enum tlb_page page)
{
	for (unsigned i = 0; i < N_TLB_PAGES; i++) {
		const struct tlb_config *array = &tlbs->arrays[first][i];

		if (array->entries != 0 && array->pages >> page & 1)
			return true;
	}
	return false;
}

/* A size of pages that may come, and that a first TLB has no entries for; N_TLB_PAGES: none. */
static enum tlb_page missing_page(const struct tlbs_config *tlbs, enum tlb_kind first,
				  const struct page_sizes *sizes)
{
	for (unsigned page = 0; page < N_TLB_PAGES; page++)
		if ((sizes->of != NULL || sizes->size == page) &&
		    !has_pages(tlbs, first, (enum tlb_page)page))
			return (enum tlb_page)page;
	return N_TLB_PAGES;
}

static uint32_t n_entries(const struct tlbs_config *tlbs, enum tlb_kind first)
{
	return tlbs->arrays[first][0].entries + tlbs->arrays[first][1].entries;
}

/* An array of one entry that pages of a size are in. */
static bool has_single_entry(const struct tlbs_config *tlbs)
{
	return tlbs->arrays[TLB_ITLB][0].entries == 1 || tlbs->arrays[TLB_ITLB][1].entries == 1;
}

struct machinetlbs_misfit machinetlbs_misfit(const struct machine_tlbs_config *config,
					     const struct hierarchy_config *caches)
{
	static const char *const missing[][N_TLB_PAGES] = {
		[TLB_ITLB] = { "entries for pages of 4K in the ITLB",
			       "entries for pages of 2M in the ITLB" },
		[TLB_DTLB] = { "entries for pages of 4K in the DTLB",
			       "entries for pages of 2M in the DTLB" },
	};
	const char *misfit = tlbs_misfit(&config->tlbs);
	const uint32_t most = UINT32_C(1) << TLB_BITS_4K;

	if (misfit != NULL)
		return (struct machinetlbs_misfit){ misfit, N_TLB_KINDS };
	for (unsigned view = 0; view < config->n_views; view++) {
		const struct view_config *of = &config->views[view];
		enum tlb_page code = missing_page(&config->tlbs, TLB_ITLB, &of->code);
		enum tlb_page data = missing_page(&config->tlbs, TLB_DTLB, &of->data);

		if (code != N_TLB_PAGES)
			return (struct machinetlbs_misfit){ missing[TLB_ITLB][code], TLB_ITLB };
		if (data != N_TLB_PAGES)
			return (struct machinetlbs_misfit){ missing[TLB_DTLB][data], TLB_DTLB };
	}
	if (has_single_entry(&config->tlbs))
		return (struct machinetlbs_misfit){ "two entries or more in the ITLB", TLB_ITLB };
	if (caches->i1.geometry.line_size > most || caches->d1.geometry.line_size > most)
		return (struct machinetlbs_misfit){
			"lines of a first-level cache no longer than a page of 4096 bytes",
			N_TLB_KINDS,
		};
	return (struct machinetlbs_misfit){ NULL, N_TLB_KINDS };
}

/* What struct tlbs simulates of them. */
static struct tlbs_config second_level(const struct tlbs_config *tlbs)
{
	struct tlbs_config second = *tlbs;

	for (unsigned i = 0; i < N_TLB_PAGES; i++) {
		second.arrays[TLB_ITLB][i].entries = 0;
		second.arrays[TLB_DTLB][i].entries = 0;
	}
	return second;
}

static size_t words_for(size_t n_names)
{
	return (n_names + MACHINETLBS_WORD_BITS - 1) / MACHINETLBS_WORD_BITS;
}

/* Keys, stamps, bounds (a group has one entry or more), low keys; entries of names; names of entries. */
static size_t keys_size(uint32_t n)
{
	return aligned_size(((size_t)n + 1) * (3 * sizeof(uint64_t) + sizeof(uint32_t)));
}

static size_t entries_size(size_t n_names)
{
	return aligned_size(n_names * sizeof(uint32_t));
}

static size_t first_size(uint32_t n, size_t n_names)
{
	return keys_size(n) + entries_size(n_names) +
	       aligned_size(((size_t)n + 1) * words_for(n_names) * sizeof(uint64_t));
}

size_t machinetlbs_memory_size(const struct machine_tlbs_config *config, size_t n_code_names,
			       size_t n_data_names)
{
	const struct tlbs_config second = second_level(&config->tlbs);

	return aligned_size(sizeof(struct machine_tlbs)) +
	       config->n_views * (tlbs_memory_size(&second) +
				  first_size(n_entries(&config->tlbs, TLB_ITLB), n_code_names) +
				  first_size(n_entries(&config->tlbs, TLB_DTLB), n_data_names));
}

/* Returns the memory after it. */
static unsigned char *init_first(struct first_tlb *first, const struct tlb_config *configs,
				 const struct page_sizes *sizes, size_t n_names, void *memory)
{
	uint32_t n_bounds = 0;

	first->sizes = *sizes;
	for (unsigned i = 0; i < N_TLB_PAGES; i++) {
		struct page_array *array = &first->arrays[i];
		const uint32_t ways = configs[i].ways;

		if (configs[i].entries == 0)
			continue;
		*array = (struct page_array){
			.first = 1 + first->n,
			.ways = ways,
			.first_bound = n_bounds,
			.n_bounds = (ways + MACHINETLBS_GROUP - 1) / MACHINETLBS_GROUP,
		};
		sets_init(&array->sets, configs[i].entries / ways, false, 0);
		first->n += configs[i].entries;
		n_bounds += configs[i].entries / ways * array->n_bounds;
		for (unsigned page = 0; page < N_TLB_PAGES; page++)
			if (configs[i].pages >> page & 1)
				first->of_page[page] = array;
	}
	first->keys = memory;
	first->stamps = first->keys + first->n + 1;
	first->bounds = first->stamps + first->n + 1;
	first->low_keys = (uint32_t *)(first->bounds + first->n + 1);
	first->entries = (void *)((unsigned char *)memory + keys_size(first->n));
	first->named = (void *)((unsigned char *)first->entries + entries_size(n_names));
	first->n_words = words_for(n_names);
	first->word_mask = SIZE_MAX;
	return (unsigned char *)memory + first_size(first->n, n_names);
}

/* Words of named that a page of 4 KiB has, of the filter: a power of two. */
static size_t words_of_small(const struct machine *machine)
{
	return words_for((size_t)1 << (TLB_BITS_4K - machine->d1.line_bits));
}

static void name_small_pages(const struct machine *machine, struct first_tlb *first)
{
	if (first->sizes.of != NULL || first->sizes.size != TLB_4K)
		return;
	first->n_words = words_of_small(machine);
	first->word_mask = first->n_words - 1;
}

void machinetlbs_init(struct machine *machine, const struct machine_tlbs_config *config,
		      size_t n_code_names, size_t n_data_names, void *memory)
{
	const struct tlbs_config second = second_level(&config->tlbs);
	struct machine_tlbs *tlbs = memory;
	unsigned char *next = (unsigned char *)memory + aligned_size(sizeof(*tlbs));

	tlbs->n_views = config->n_views;
	tlbs->clock = 1;
	tlbs->has_stamps[TLB_ITLB] = !machine_is_called_for_code(machine);
	tlbs->has_stamps[TLB_DTLB] = true;
	for (unsigned i = 0; i < config->n_views; i++) {
		struct tlb_view *view = &tlbs->views[i];

		next = init_first(&view->first[TLB_ITLB], config->tlbs.arrays[TLB_ITLB],
				  &config->views[i].code, n_code_names, next);
		next = init_first(&view->first[TLB_DTLB], config->tlbs.arrays[TLB_DTLB],
				  &config->views[i].data, n_data_names, next);
		name_small_pages(machine, &view->first[TLB_DTLB]);
		tlbs_init(&view->second, &second, next);
		next += tlbs_memory_size(&second);
	}
	machine->tlbs = tlbs;
}

/* --- names --------------------------------------------------------------------------- */

/* Where what has a number has its stamp. */
static const uint64_t *stamp_of(const struct machine *machine, enum tlb_kind kind, size_t number)
{
	if (kind == TLB_DTLB)
		return machine->filter[number].stamp;
	return machine->i1.assoc != 0 ? &machine->i1.stamps[number]
				      : &machine->newest_code.stamps[number];
}

static void note(struct first_tlb *first, uint32_t entry, uint64_t stamp)
{
	if (first->stamps[entry] < stamp)
		first->stamps[entry] = stamp;
}

void machinetlbs_unname(struct machine *machine, enum tlb_kind kind, size_t number)
{
	machinetlbs_unname_if(machine->tlbs, kind, number, *stamp_of(machine, kind, number), true);
}

/* Generated code is to know nothing of what was named. */
static void forget(struct machine *machine, enum tlb_kind kind, size_t number)
{
	if (kind == TLB_DTLB) {
		machinetlbs_forget_entry(machine, number);
		return;
	}
	machinetlbs_unname(machine, kind, number);
	if (machine->i1.assoc != 0)
		machine->i1.lines[number]->stamp = &machine->nowhere;
	else
		machine->newest_code.lines[number]->stamp = &machine->nowhere;
}

/* --- pages --------------------------------------------------------------------------- */

/* The same of a page that is not in the index, or not there. */
static NEVER_INLINED uint32_t search(struct first_tlb *first, struct page_index *index,
				     uint64_t key)
{
	const struct page_array *array = first->of_page[tlb_key_page(key)];
	uint32_t at = array->first + (uint32_t)sets_place(&array->sets, key >> 2).set * array->ways;
	size_t way = shorttags_find_value(first->low_keys + at, first->keys + at, array->ways,
					  (uint32_t)key, key);

	if (way == array->ways)
		return NO_ENTRY;
	*index = (struct page_index){ key, at + (uint32_t)way };
	return index->entry;
}

/* The entry that a page is in; NO_ENTRY if it is in none. */
static ALWAYS_INLINED uint32_t find(struct first_tlb *first, uint64_t key)
{
	struct page_index *index = machinetlbs_index(first, key);

	return index->key == key ? index->entry : search(first, index, key);
}

/* Some words of first_tlb.named; bit 0 of the first word is of this number. */
struct words {
	const uint64_t *first;
	size_t n, number;
};

/*
 * Where the bits of what is named in a page are: entries of the filter are in the order of lines.  For code, and for
 * large pages, which have more lines than the filter has entries, anywhere.
 */
static struct words words_of(const struct machine *machine, const struct first_tlb *first,
			     enum tlb_kind kind, uint32_t entry)
{
	const uint64_t key = first->keys[entry];
	size_t number;

	if (kind == TLB_ITLB || tlb_key_page(key) != TLB_4K)
		return (struct words){ machinetlbs_named(first, entry, 0), first->n_words, 0 };
	number = (size_t)(tlb_key_address(key) >> machine->d1.line_bits & machine->filter_mask) /
		 MACHINETLBS_WORD_BITS * MACHINETLBS_WORD_BITS;
	return (struct words){ machinetlbs_named(first, entry, number), words_of_small(machine),
			       number };
}

/* When what is named in a page was used last. */
static uint64_t latest_of(const struct machine *machine, const struct first_tlb *first,
			  enum tlb_kind kind, uint32_t entry)
{
	const struct words words = words_of(machine, first, kind, entry);
	uint64_t latest = 0;

	for (size_t word = 0; word < words.n; word++) {
		for (uint64_t bits = words.first[word]; bits != 0; bits &= bits - 1) {
			size_t number = words.number + word * MACHINETLBS_WORD_BITS +
					(size_t)__builtin_ctzll(bits);
			uint64_t stamp = *stamp_of(machine, kind, number);

			latest = stamp > latest ? stamp : latest;
		}
	}
	return latest;
}

/* Notes what is named in a page; returns whether it had been used since. */
static bool note_names(const struct machine *machine, struct first_tlb *first, enum tlb_kind kind,
		       uint32_t entry)
{
	const uint64_t noted = first->stamps[entry];

	if (first->keys[entry] == 0)
		return false;
	note(first, entry, latest_of(machine, first, kind, entry));
	return first->stamps[entry] != noted;
}

/* Has generated code forget what is named in a page. */
static void forget_names(struct machine *machine, const struct first_tlb *first, enum tlb_kind kind,
			 uint32_t entry)
{
	const struct words words = words_of(machine, first, kind, entry);

	for (size_t word = 0; word < words.n; word++)
		for (uint64_t bits = words.first[word]; bits != 0; bits &= bits - 1)
			forget(machine, kind,
			       words.number + word * MACHINETLBS_WORD_BITS +
				       (size_t)__builtin_ctzll(bits));
}

static void empty(struct machine *machine, struct first_tlb *first, enum tlb_kind kind,
		  uint32_t entry)
{
	struct page_index *index = machinetlbs_index(first, first->keys[entry]);

	forget_names(machine, first, kind, entry);
	if (index->key == first->keys[entry])
		index->key = 0;
	first->keys[entry] = 0;
	first->low_keys[entry] = 0;
}

/* A set, as a search for what is to go sees it: its first entry, and its first bound. */
struct page_set {
	uint32_t entry, bound;
};

static struct page_set set_of(const struct page_array *array, uint64_t key)
{
	const uint32_t set = (uint32_t)sets_place(&array->sets, key >> 2).set;

	return (struct page_set){ array->first + set * array->ways,
				  array->first_bound + set * array->n_bounds };
}

/*
 * An empty entry of a set, or the entry of the least recently used page.  Bounds lag behind stamps, and stamps behind
 * uses: the smallest bound is raised until its entry was not used since.
 */
static uint32_t oldest_entry(const struct machine *machine, struct first_tlb *first,
			     enum tlb_kind kind, const struct page_array *array, uint64_t key)
{
	const struct page_set set = set_of(array, key);
	uint64_t *bounds = first->bounds + set.bound;

	for (;;) {
		uint32_t group = (uint32_t)oldest_of_many(bounds, array->n_bounds);
		uint32_t way = group * MACHINETLBS_GROUP, n = array->ways - way;
		uint32_t entry;

		n = n < MACHINETLBS_GROUP ? n : MACHINETLBS_GROUP;
		entry = set.entry + way +
			(uint32_t)oldest_of_many(first->stamps + set.entry + way, n);
		if (bounds[group] != first->stamps[entry])
			bounds[group] = first->stamps[entry];
		else if (!note_names(machine, first, kind, entry))
			return entry;
	}
}

/* The bound of an entry's group, of a page with this key. */
static uint64_t *bound_of(const struct first_tlb *first, uint64_t key, uint32_t entry)
{
	const struct page_array *array = first->of_page[tlb_key_page(key)];
	const struct page_set set = set_of(array, key);

	return &first->bounds[set.bound + (entry - set.entry) / MACHINETLBS_GROUP];
}

static uint32_t bring_in(struct machine *machine, struct first_tlb *first, enum tlb_kind kind,
			 uint64_t key, uint64_t stamp)
{
	const struct page_array *array = first->of_page[tlb_key_page(key)];
	uint32_t entry = oldest_entry(machine, first, kind, array, key);

	if (first->keys[entry] != 0)
		empty(machine, first, kind, entry);
	first->keys[entry] = key;
	first->low_keys[entry] = (uint32_t)key;
	first->stamps[entry] = stamp;
	*machinetlbs_index(first, key) = (struct page_index){ key, entry };
	return entry;
}

/* --- references ------------------------------------------------------------------------ */

/* Stamps of a reference's first page, and of its second one. */
struct page_stamps {
	uint64_t first, last;
};

/* A page that the first level has not; returns how many levels it missed. */
static NEVER_INLINED unsigned miss(struct machine *machine, struct tlb_view *view,
				   enum tlb_kind kind, uint64_t key, uint64_t stamp)
{
	bring_in(machine, &view->first[kind], kind, key, stamp);
	return tlbs_misses_second(&view->second, kind, tlb_key_address(key), tlb_key_page(key)) ? 2
												: 1;
}

/* Those that are there first, then those that are not.  Returns how many levels it missed. */
static NEVER_INLINED unsigned touch_two(struct machine *machine, struct tlb_view *view,
					enum tlb_kind kind, const struct referred_pages *pages,
					struct page_stamps stamps)
{
	struct first_tlb *first = &view->first[kind];
	const uint64_t stamp[2] = { stamps.first, stamps.last };
	uint32_t entries[2];
	unsigned missed = 0;

	for (unsigned i = 0; i < 2; i++) {
		entries[i] = find(first, pages->keys[i]);
		if (entries[i] != NO_ENTRY)
			note(first, entries[i], stamp[i]);
	}
	for (unsigned i = 0; i < 2; i++) {
		uint64_t key = pages->keys[i];
		unsigned n = entries[i] != NO_ENTRY ? 0 : miss(machine, view, kind, key, stamp[i]);

		missed = n > missed ? n : missed;
	}
	return missed;
}

static ALWAYS_INLINED unsigned touch_one(struct machine *machine, struct tlb_view *view,
					 enum tlb_kind kind, uint64_t key, uint64_t stamp,
					 uint32_t *entry)
{
	struct first_tlb *first = &view->first[kind];
	unsigned missed = 0;

	*entry = find(first, key);
	if (*entry != NO_ENTRY) {
		note(first, *entry, stamp);
		return 0;
	}
	missed = miss(machine, view, kind, key, stamp);
	*entry = find(first, key);
	return missed;
}

static ALWAYS_INLINED void touch(struct machine *machine, enum tlb_kind kind, uint64_t address,
				 uint64_t size, struct page_stamps stamps)
{
	struct machine_tlbs *tlbs = machine->tlbs;

	machine->missed_pages = 0;
	tlbs->is_on_one_page = true;
	for (unsigned i = 0; i < tlbs->n_views; i++) {
		struct tlb_view *view = &tlbs->views[i];
		const struct referred_pages pages =
			page_sizes_refer(&view->first[kind].sizes, address, size);
		unsigned missed;

		if (pages.n == 1) {
			missed = touch_one(machine, view, kind, pages.keys[0], stamps.last,
					   &tlbs->entries[i]);
		} else {
			missed = touch_two(machine, view, kind, &pages, stamps);
			tlbs->is_on_one_page = false;
		}
		machine->missed_pages |= missed << MACHINE_MISSED_PAGES_BITS * i;
	}
}

void machinetlbs_touch_data(struct machine *machine, uint64_t address, uint64_t size,
			    uint64_t stamp)
{
	uint64_t offset = address & ((UINT64_C(1) << machine->d1.line_bits) - 1);
	uint64_t n_before = (offset + size - 1) >> machine->d1.line_bits;

	touch(machine, TLB_DTLB, address, size, (struct page_stamps){ stamp, stamp + n_before });
}

void machinetlbs_touch_code(struct machine *machine, struct code_line *const *lines,
			    unsigned n_lines, uint64_t address, uint64_t size, uint64_t stamp)
{
	struct machine_tlbs *tlbs = machine->tlbs;
	struct page_stamps stamps = { stamp, stamp + n_lines - 1 };

	if (n_lines != 0) {
		uint64_t end = lines[n_lines - 1]->address;

		/* What was fetched from just now is left out; its page is the one used last. */
		address = lines[0]->address;
		size = end - address + 1;
	}
	if (!tlbs->has_stamps[TLB_ITLB]) {
		stamps = (struct page_stamps){ tlbs->clock, tlbs->clock + 1 };
		tlbs->clock += 2;
	}
	touch(machine, TLB_ITLB, address, size, stamps);
}

/* The entries of the page of a line in all views; false if it is not in all. */
static NEVER_INLINED bool find_entries(struct machine_tlbs *tlbs, enum tlb_kind kind, uint64_t line,
				       uint32_t entries[MACHINETLBS_MAX_VIEWS])
{
	for (unsigned i = 0; i < tlbs->n_views; i++) {
		struct first_tlb *first = &tlbs->views[i].first[kind];

		entries[i] = find(first, page_sizes_key(&first->sizes, line));
		if (entries[i] == NO_ENTRY)
			return false;
	}
	return true;
}

/* What has this number names a line. */
static ALWAYS_INLINED void name(struct machine *machine, enum tlb_kind kind, size_t number,
				uint64_t line)
{
	struct machine_tlbs *tlbs = machine->tlbs;
	uint32_t found[MACHINETLBS_MAX_VIEWS];
	const uint32_t *entries = tlbs->entries;

	if (tlbs->views[0].first[kind].entries[number] != 0)
		return;
	if (!tlbs->is_on_one_page) {
		entries = found;
		if (!find_entries(tlbs, kind, line, found)) {
			forget(machine, kind, number);
			return;
		}
	}
	for (unsigned i = 0; i < tlbs->n_views; i++)
		machinetlbs_set_name(&tlbs->views[i].first[kind], number, entries[i]);
}

static ALWAYS_INLINED void name_entry(struct machine *machine, const struct filter_entry *entry,
				      uint64_t line)
{
	if (entry->line == line)
		name(machine, TLB_DTLB, (size_t)(entry - machine->filter), line);
}

void machinetlbs_name_data(struct machine *machine, uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	uint64_t line = address & ~(line_size - 1);
	uint64_t end = (address - line) + size;

	if (machine_is_called_for_data(machine))
		return;
	for (uint64_t covered = 0; covered < end; covered += line_size)
		name_entry(machine, machine_filter_entry(machine, line + covered), line + covered);
}

void machinetlbs_name_again(struct machine *machine, uint64_t address, uint64_t size)
{
	machine->tlbs->is_on_one_page = false;
	machinetlbs_name_data(machine, address, size);
}

void machinetlbs_name_code(struct machine *machine, struct code_line *const *lines,
			   unsigned n_lines)
{
	const uint64_t *stamps = machine->i1.assoc != 0 ? machine->i1.stamps
							: machine->newest_code.stamps;

	for (unsigned i = 0; i < n_lines; i++)
		if (lines[i]->stamp != &machine->nowhere)
			name(machine, TLB_ITLB, (size_t)(lines[i]->stamp - stamps),
			     lines[i]->address);
}

/* --- the end of pages ---------------------------------------------------------------- */

static void evict(struct machine *machine, struct first_tlb *first, enum tlb_kind kind,
		  struct address_range range)
{
	for (uint32_t entry = 1; entry <= first->n; entry++) {
		uint64_t key = first->keys[entry];

		if (key != 0 && address_range_meets(range, tlb_key_address(key),
						    tlb_page_bits(tlb_key_page(key)))) {
			empty(machine, first, kind, entry);
			first->stamps[entry] = 0;
			*bound_of(first, key, entry) = 0;
		}
	}
}

void machinetlbs_evict(struct machine *machine, struct address_range range)
{
	struct machine_tlbs *tlbs = machine->tlbs;

	for (unsigned i = 0; i < tlbs->n_views; i++) {
		struct tlb_view *view = &tlbs->views[i];

		evict(machine, &view->first[TLB_ITLB], TLB_ITLB, range);
		evict(machine, &view->first[TLB_DTLB], TLB_DTLB, range);
		tlbs_evict(&view->second, range);
	}
}
