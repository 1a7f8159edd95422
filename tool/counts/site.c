/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/site.h"

#include <stdbool.h>

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/numbers.h"
#include "tool/counts/context.h"

enum {
	SET_BITS = 31,
	WORDS_A_CHUNK = 512, /* 4 KiB of counts */
};

/* A cell that is not its site's first. */
struct cell_node {
	struct cell_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct site *site;
	struct cell cell;
};

/* -- counts ------------------------------------------------------------------------------ */

/*
 * The counts of a set of events, in the order of events. Nearly all fit in 32 bits; if one of a
 * cell does not, all of its counts have two words, the low one first.
 */
struct counts {
	UInt set : SET_BITS; /* by number */
	bool is_wide : 1;
	UInt words[];
};

_Static_assert(sizeof(struct counts) == sizeof(UInt), "one word before the others");

struct counted_set {
	struct event_mask mask;
	UInt n;
	UChar events[N_EVENTS];
	UInt with[N_EVENTS]; /* the number of the set with this event added; 0: not known yet */
};

/* Free counts, of some 64-bit words. */
struct piece {
	struct piece *next;
};

/* Makes a set; returns its number. */
static UInt add_set(struct sites *sites, const struct event_mask *mask)
{
	struct counted_set *set;

	if (sites->n_sets == sites->room_for_sets) {
		sites->room_for_sets = sites->room_for_sets * 2 + 16;
		sites->sets = VG_(realloc)("costgrind.sets", sites->sets,
					   sites->room_for_sets * sizeof(*sites->sets));
	}
	set = &sites->sets[sites->n_sets];
	*set = (struct counted_set){ .mask = *mask };
	for (UInt event = 0; event < N_EVENTS; event++)
		if (event_mask_has(mask, (enum event)event))
			set->events[set->n++] = (UChar)event;
	return sites->n_sets++;
}

static UInt find_set(struct sites *sites, const struct event_mask *mask)
{
	for (UInt i = 0; i < sites->n_sets; i++)
		if (VG_(memcmp)(&sites->sets[i].mask, mask, sizeof(*mask)) == 0)
			return i;
	return add_set(sites, mask);
}

/* The set with an event added to another. */
static UInt set_with(struct sites *sites, UInt number, enum event event)
{
	struct event_mask mask = sites->sets[number].mask;

	if (sites->sets[number].with[event] == 0) {
		UInt with;

		event_mask_add(&mask, event);
		with = find_set(sites, &mask);
		sites->sets[number].with[event] = with;
	}
	return sites->sets[number].with[event];
}

static UInt counts_words(UInt n, Bool is_wide)
{
	return is_wide ? n + 1 : n / 2 + 1;
}

static struct counts *take_counts(struct sites *sites, UInt n, Bool is_wide)
{
	UInt n_words = counts_words(n, is_wide);
	struct piece *piece = sites->outgrown[n_words];

	if (piece != NULL) {
		sites->outgrown[n_words] = piece->next;
		return (struct counts *)piece;
	}
	if (sites->n_rest < n_words) {
		sites->rest = VG_(malloc)("costgrind.counts", WORDS_A_CHUNK * sizeof(*piece));
		sites->n_rest = WORDS_A_CHUNK;
	}
	piece = sites->rest;
	sites->rest += n_words;
	sites->n_rest -= n_words;
	return (struct counts *)piece;
}

static ULong get_count(const struct counts *counts, SizeT i)
{
	if (!counts->is_wide)
		return counts->words[i];
	return counts->words[2 * i] | (ULong)counts->words[2 * i + 1] << 32;
}

static void put_count(struct counts *counts, SizeT i, ULong count)
{
	if (!counts->is_wide) {
		counts->words[i] = (UInt)count;
		return;
	}
	counts->words[2 * i] = (UInt)count;
	counts->words[2 * i + 1] = (UInt)(count >> 32);
}

/* Moves the counts of a cell: to a set with an event added at an index, or to wide ones. */
static void repack(struct sites *sites, struct cell *cell, UInt set, UInt added, Bool is_wide)
{
	static const struct counts none = { 0 };
	struct counts *old = cell->counts;
	const struct counts *from = old != NULL ? old : &none;
	UInt n = sites->sets[set].n, n_before = sites->sets[from->set].n;
	struct counts *to = take_counts(sites, n, is_wide);

	to->set = set & ((1U << SET_BITS) - 1);
	to->is_wide = is_wide;
	for (UInt i = 0; i < n_before; i++)
		put_count(to, i + (i >= added), get_count(from, i));
	if (n != n_before)
		put_count(to, added, 0);
	cell->counts = to;
	if (old != NULL) {
		struct piece **outgrown = &sites->outgrown[counts_words(n_before, old->is_wide)];
		struct piece *piece = (void *)old;

		piece->next = *outgrown;
		*outgrown = piece;
	}
}

void cell_add(struct sites *sites, struct cell *cell, enum event event, ULong amount)
{
	UInt number = cell->counts == NULL ? 0 : cell->counts->set;
	UInt index = event_mask_count_before(&sites->sets[number].mask, event);
	ULong count;

	if (amount == 0)
		return;
	if (cell->counts == NULL || !event_mask_has(&sites->sets[number].mask, event))
		repack(sites, cell, set_with(sites, number, event), index,
		       cell->counts != NULL && cell->counts->is_wide);
	count = get_count(cell->counts, index) + amount;
	if (count >> 32 != 0 && !cell->counts->is_wide)
		repack(sites, cell, cell->counts->set, N_EVENTS, True);
	put_count(cell->counts, index, count);
}

void cell_sum(const struct sites *sites, const struct cell *cell, ULong sums[N_EVENTS])
{
	const struct counted_set *set;

	if (cell->counts == NULL)
		return;
	set = &sites->sets[cell->counts->set];
	for (UInt i = 0; i < set->n; i++)
		sums[set->events[i]] += get_count(cell->counts, i);
}

static Bool has_cost(const struct sites *sites, const struct cell *cell)
{
	for (UInt i = 0; cell->counts != NULL && i < sites->sets[cell->counts->set].n; i++)
		if (get_count(cell->counts, i) != 0)
			return True;
	return False;
}

static void zero_cell(const struct sites *sites, struct cell *cell, UInt thread)
{
	if (cell->counts == NULL || (thread != 0 && cell->context->thread != thread))
		return;
	for (UInt i = 0; i < sites->sets[cell->counts->set].n; i++)
		put_count(cell->counts, i, 0);
}

/* -- sites ------------------------------------------------------------------------------- */

void sites_init(struct sites *sites)
{
	*sites = (struct sites){
		.rows = VG_(HT_construct)("costgrind.sites"),
			    .scopes = VG_(HT_construct)("costgrind.scopes"),
					  .cells = VG_(HT_construct)("costgrind.cells"),
					  };
	add_set(sites, &(struct event_mask){ { 0 } });
}

static Bool is_scope(const struct scope *scope, const struct scope *wanted)
{
	return scope->function == wanted->function && scope->file == wanted->file &&
	       scope->inlined == wanted->inlined && scope->bias == wanted->bias;
}

static Word compare_scopes(const void *a, const void *b)
{
	return !is_scope(a, b);
}

/* The scope of an instruction at an address. It is tried first the next time. */
static const struct scope *find_scope(struct sites *sites, Addr address,
				      const struct source_location *place)
{
	struct scope wanted = {
		.function = place->function,
		.file = place->file,
		.inlined = place->inlined,
		.bias = address - place->address,
	};
	struct scope *scope;

	if (sites->scope != NULL && is_scope(sites->scope, &wanted))
		return sites->scope;
	wanted.key = ((Addr)wanted.function * 31 + (Addr)wanted.file) * 31 + wanted.inlined;
	scope = VG_(HT_gen_lookup)(sites->scopes, &wanted, compare_scopes);
	if (scope == NULL) {
		scope = VG_(perm_malloc)(sizeof(*scope), 8);
		*scope = wanted;
		VG_(HT_add_node)(sites->scopes, scope);
	}
	sites->scope = scope;
	return scope;
}

static struct site *allocate_site(struct sites *sites)
{
	struct site_page *page = sites->last;

	if (page == NULL || page->n == SITES_A_PAGE) {
		page = VG_(malloc)("costgrind.site_page", sizeof(*page));
		page->next = NULL;
		page->n = 0;
		if (sites->last == NULL)
			sites->first = page;
		else
			sites->last->next = page;
		sites->last = page;
	}
	return &page->sites[page->n++];
}

/* The row of an address, made if there is none; it becomes the current one. */
static struct site_row *find_row(struct sites *sites, Addr address)
{
	UWord key = address / SITE_ROW_SIZE;
	struct site_row *row = sites->row;

	if (row != NULL && row->key == key)
		return row;
	row = VG_(HT_lookup)(sites->rows, key);
	if (row == NULL) {
		row = VG_(perm_malloc)(sizeof(*row), 8);
		*row = (struct site_row){ .key = key };
		VG_(HT_add_node)(sites->rows, row);
	}
	sites->row = row;
	sites->hint = row->first;
	return row;
}

static struct site *append(struct sites *sites, struct site_row *row)
{
	struct site *site = allocate_site(sites);

	if (row->first == NULL)
		row->first = site;
	else
		row->last->next = site;
	row->last = site;
	sites->n++;
	return site;
}

static Bool is_site(const struct site *site, Addr address, UInt size, UInt line,
		    const struct scope *scope)
{
	return site->address == address && site->size == size && site->line == line &&
	       site->scope == scope;
}

struct site *sites_find(struct sites *sites, Addr address, UInt size,
			const struct source_location *place)
{
	const struct scope *scope = find_scope(sites, address, place);
	struct site_row *row = find_row(sites, address);
	struct site *site = sites->hint;

	if (site == NULL || !is_site(site, address, size, place->line, scope)) {
		site = row->first;
		while (site != NULL && !is_site(site, address, size, place->line, scope))
			site = site->next;
	}
	if (site == NULL) {
		site = append(sites, row);
		*site = (struct site){
			.address = address,
			.scope = scope,
			.line = place->line,
			.size = (UChar)size,
		};
	}
	sites->hint = site->next;
	return site;
}

void sites_name_source(struct sites *sites, struct site *site, const struct text *file, UInt line)
{
	struct source_location place = site_place(site);

	site->line = line;
	if (file == NULL)
		return;
	place.file = file;
	site->scope = find_scope(sites, site->address, &place);
}

static Word node_compare(const void *a, const void *b)
{
	const struct cell_node *left = a, *right = b;

	return left->site != right->site || left->cell.context != right->cell.context;
}

struct cell *sites_cell(struct sites *sites, struct site *site, struct context *context)
{
	struct cell_node wanted;
	struct cell_node *node;

	if (site->first.context == context)
		return &site->first;
	if (context->owner != NULL)
		return sites_cell(sites, context->owner_site, context->owner);
	if (context->function->only_site != NULL && context->function->only_site != site)
		return sites_cell(sites, context->function->only_site, context);
	if (site->first.context == NULL) {
		site->first.context = context;
		return &site->first;
	}
	wanted = (struct cell_node){
		.key = (Addr)site * 31 + (Addr)context,
		.site = site,
		.cell = { .context = context },
	};
	node = VG_(HT_gen_lookup)(sites->cells, &wanted, node_compare);
	if (node != NULL)
		return &node->cell;
	node = VG_(perm_malloc)(sizeof(*node), 8);
	*node = wanted;
	VG_(HT_add_node)(sites->cells, node);
	return &node->cell;
}

/* Adds the costs of a cell, if they are wanted. */
static void add_cell(const struct sites *sites, const struct cell *cell, Bool with_dropped,
		     ULong totals[N_EVENTS])
{
	if (cell->context != NULL && (with_dropped || !cell->context->dropped))
		cell_sum(sites, cell, totals);
}

void sites_total(struct sites *sites, Bool with_dropped, ULong totals[N_EVENTS])
{
	const struct cell_node *node;

	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	for (const struct site_page *page = sites->first; page != NULL; page = page->next)
		for (UInt i = 0; i < page->n; i++)
			add_cell(sites, &page->sites[i].first, with_dropped, totals);
	VG_(HT_ResetIter)(sites->cells);
	while ((node = VG_(HT_Next)(sites->cells)) != NULL)
		add_cell(sites, &node->cell, with_dropped, totals);
}

static void add_to_function(const struct sites *sites, const struct cell *cell,
			    struct self_cost *costs)
{
	struct self_cost *cost;

	if (cell->context == NULL || cell->context->dropped)
		return;
	cost = &costs[cell->context->function->id];
	cost->function = cell->context->function;
	cell_sum(sites, cell, cost->sums);
}

void sites_by_function(struct sites *sites, struct self_cost *costs)
{
	const struct cell_node *node;

	for (const struct site_page *page = sites->first; page != NULL; page = page->next)
		for (UInt i = 0; i < page->n; i++)
			add_to_function(sites, &page->sites[i].first, costs);
	VG_(HT_ResetIter)(sites->cells);
	while ((node = VG_(HT_Next)(sites->cells)) != NULL)
		add_to_function(sites, &node->cell, costs);
}

void sites_zero(struct sites *sites, UInt thread)
{
	struct cell_node *node;

	for (struct site_page *page = sites->first; page != NULL; page = page->next)
		for (UInt i = 0; i < page->n; i++)
			zero_cell(sites, &page->sites[i].first, thread);
	VG_(HT_ResetIter)(sites->cells);
	while ((node = VG_(HT_Next)(sites->cells)) != NULL)
		zero_cell(sites, &node->cell, thread);
}

Int place_order(const struct function *function, struct source_location left,
		struct source_location right, Bool by_address)
{
	Int order = 0;

	if (by_address)
		order = by_number(left.address, right.address);
	else /* the function's own file before others */
		order = by_number(left.file != function->file, right.file != function->file);
	if (order == 0)
		order = by_number(left.file->rank, right.file->rank);
	return order != 0 ? order : by_number(left.line, right.line);
}

static Int cost_order(const void *a, const void *b, Bool by_address)
{
	const struct cost *left = a, *right = b;

	return place_order(left->cell->context->function, site_place(left->site),
			   site_place(right->site), by_address);
}

/* For costs of one context. */
static Int address_order(const void *a, const void *b)
{
	return cost_order(a, b, True);
}

static Int line_order(const void *a, const void *b)
{
	return cost_order(a, b, False);
}

static void add_cost(const struct sites *sites, struct cost *costs, UInt *n,
		     const struct site *site, const struct cell *cell)
{
	if (cell->context != NULL && !cell->context->dropped && has_cost(sites, cell))
		costs[(*n)++] = (struct cost){ site, cell };
}

static UInt rank_of(const struct cost *cost)
{
	return cost->cell->context->rank;
}

/* Where the costs of each context are to begin, by rank, followed by the number of all costs. */
static UInt *beginnings(const struct cost *costs, UInt n, UInt *n_ranks)
{
	UInt *begin;

	*n_ranks = 0;
	for (UInt i = 0; i < n; i++)
		if (rank_of(&costs[i]) >= *n_ranks)
			*n_ranks = rank_of(&costs[i]) + 1;
	begin = VG_(calloc)("costgrind.ranks", *n_ranks + 1, sizeof(*begin));
	for (UInt i = 0; i < n; i++)
		begin[rank_of(&costs[i]) + 1]++;
	for (UInt rank = 0; rank < *n_ranks; rank++)
		begin[rank + 1] += begin[rank];
	return begin;
}

/*
 * First by context: each cost is moved to where its context's costs are, in place and without a
 * comparison. Then within each context, where costs are few and near each other.
 */
void costs_sort(struct cost *costs, UInt n, Bool by_address)
{
	UInt n_ranks;
	UInt *begin = beginnings(costs, n, &n_ranks);
	UInt *next = VG_(malloc)("costgrind.ranks", (n_ranks + 1) * sizeof(*next));

	VG_(memcpy)(next, begin, (n_ranks + 1) * sizeof(*next));
	for (UInt rank = 0; rank < n_ranks; rank++) {
		while (next[rank] < begin[rank + 1]) {
			struct cost cost = costs[next[rank]];
			UInt *to = &next[rank_of(&cost)];

			costs[next[rank]] = costs[*to];
			costs[(*to)++] = cost;
		}
		if (begin[rank + 1] > begin[rank])
			VG_(ssort)(costs + begin[rank], begin[rank + 1] - begin[rank],
				   sizeof(*costs), by_address ? address_order : line_order);
	}
	VG_(free)(next);
	VG_(free)(begin);
}

struct cost *sites_sorted(struct sites *sites, Bool by_address, UInt *n)
{
	SizeT n_all = sites->n + (SizeT)VG_(HT_count_nodes)(sites->cells);
	struct cost *costs = VG_(malloc)("costgrind.costs", (n_all + 1) * sizeof(*costs));
	const struct cell_node *node;

	*n = 0;
	for (const struct site_page *page = sites->first; page != NULL; page = page->next)
		for (UInt i = 0; i < page->n; i++)
			add_cost(sites, costs, n, &page->sites[i], &page->sites[i].first);
	VG_(HT_ResetIter)(sites->cells);
	while ((node = VG_(HT_Next)(sites->cells)) != NULL)
		add_cost(sites, costs, n, node->site, &node->cell);
	if (*n == 0) {
		VG_(free)(costs);
		return NULL;
	}
	costs_sort(costs, *n, by_address);
	return costs;
}
