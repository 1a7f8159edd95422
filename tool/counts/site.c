/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/counts/site.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/ordering.h"
#include "tool/counts/context.h"

/* A cell that is not its site's first. */
struct cell_node {
	struct cell_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct site *site;
	struct cell cell;
};

void sites_init(struct sites *sites)
{
	*sites = (struct sites){
		.rows = VG_(HT_construct)("costgrind.sites"),
			    .cells = VG_(HT_construct)("costgrind.cells"),
			    };
}

/* Room for n counts, from those that were outgrown or new. */
static ULong *allocate_counts(struct sites *sites, UInt n)
{
	ULong *counts = sites->free_counts[n];

	if (counts == NULL)
		return VG_(perm_malloc)(n * sizeof(*counts), sizeof(*counts));
	sites->free_counts[n] = *(ULong **)counts;
	return counts;
}

/* Gives a cell counts for the events in set, which include those that it has. */
static void set_counts(struct sites *sites, struct cell *cell, struct event_mask set)
{
	UInt n_old = event_mask_count(&cell->set);
	ULong *old = cell->counts;
	const ULong *from = old;
	ULong *counts = allocate_counts(sites, event_mask_count(&set));
	ULong *to = counts;

	for (UInt event = 0; event < N_EVENTS; event++) {
		if (event_mask_has(&cell->set, (enum event)event))
			*to++ = *from++;
		else if (event_mask_has(&set, (enum event)event))
			*to++ = 0;
	}
	cell->counts = counts;
	cell->set = set;
	if (old == NULL)
		return;
	*(ULong **)old = sites->free_counts[n_old];
	sites->free_counts[n_old] = old;
}

/* Where the count of an event stands, if the cell has one. */
static UInt count_index(const struct cell *cell, enum event event)
{
	return event_mask_count_before(&cell->set, event);
}

void cell_add(struct sites *sites, struct cell *cell, enum event event, ULong amount)
{
	if (amount == 0)
		return;
	if (!event_mask_has(&cell->set, event)) {
		struct event_mask set = cell->set;

		event_mask_add(&set, event);
		set_counts(sites, cell, set);
	}
	cell->counts[count_index(cell, event)] += amount;
}

static Bool is_site(const struct site *site, Addr address, UInt size,
		    const struct source_location *place)
{
	return site->address == address && site->size == size &&
	       site->place.function == place->function && site->place.file == place->file &&
	       site->place.line == place->line && site->place.inlined == place->inlined &&
	       site->place.address == place->address;
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

/* The row of an address, made if there is none, which is then that of the moment. */
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

struct site *sites_find(struct sites *sites, Addr address, UInt size,
			const struct source_location *place)
{
	struct site_row *row = find_row(sites, address);
	struct site *site = sites->hint;

	if (site == NULL || !is_site(site, address, size, place)) {
		site = row->first;
		while (site != NULL && !is_site(site, address, size, place))
			site = site->next;
	}
	if (site == NULL) {
		site = append(sites, row);
		*site = (struct site){
			.address = address,
			.size = (UChar)size,
			.place = *place,
		};
	}
	sites->hint = site->next;
	return site;
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

void cell_sum(const struct cell *cell, ULong sums[N_EVENTS])
{
	const ULong *count = cell->counts;

	for (UInt event = 0; event < N_EVENTS; event++)
		if (event_mask_has(&cell->set, (enum event)event))
			sums[event] += *count++;
}

/* Adds the costs of a cell, if it is one of those that are wanted. */
static void add_cell(const struct cell *cell, Bool with_dropped, ULong totals[N_EVENTS])
{
	if (cell->context != NULL && (with_dropped || !cell->context->dropped))
		cell_sum(cell, totals);
}

void sites_total(struct sites *sites, Bool with_dropped, ULong totals[N_EVENTS])
{
	const struct cell_node *node;

	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	for (const struct site_page *page = sites->first; page != NULL; page = page->next)
		for (UInt i = 0; i < page->n; i++)
			add_cell(&page->sites[i].first, with_dropped, totals);
	VG_(HT_ResetIter)(sites->cells);
	while ((node = VG_(HT_Next)(sites->cells)) != NULL)
		add_cell(&node->cell, with_dropped, totals);
}

static void add_to_function(const struct cell *cell, struct self_cost *costs)
{
	struct self_cost *cost;

	if (cell->context == NULL || cell->context->dropped)
		return;
	cost = &costs[cell->context->function->id];
	cost->function = cell->context->function;
	cell_sum(cell, cost->sums);
}

void sites_by_function(struct sites *sites, struct self_cost *costs)
{
	const struct cell_node *node;

	for (const struct site_page *page = sites->first; page != NULL; page = page->next)
		for (UInt i = 0; i < page->n; i++)
			add_to_function(&page->sites[i].first, costs);
	VG_(HT_ResetIter)(sites->cells);
	while ((node = VG_(HT_Next)(sites->cells)) != NULL)
		add_to_function(&node->cell, costs);
}

static void zero_cell(struct cell *cell, UInt thread)
{
	if (thread != 0 && (cell->context == NULL || cell->context->thread != thread))
		return;
	VG_(memset)(cell->counts, 0, event_mask_count(&cell->set) * sizeof(cell->counts[0]));
}

void sites_zero(struct sites *sites, UInt thread)
{
	struct cell_node *node;

	for (struct site_page *page = sites->first; page != NULL; page = page->next)
		for (UInt i = 0; i < page->n; i++)
			zero_cell(&page->sites[i].first, thread);
	VG_(HT_ResetIter)(sites->cells);
	while ((node = VG_(HT_Next)(sites->cells)) != NULL)
		zero_cell(&node->cell, thread);
}

Int place_order(const struct function *function, const struct source_location *left,
		const struct source_location *right, Bool by_address)
{
	Int order = 0;

	if (by_address)
		order = by_number(left->address, right->address);
	else /* the function's own file before others */
		order = by_number(left->file != function->file, right->file != function->file);
	if (order == 0)
		order = by_number(left->file->rank, right->file->rank);
	return order != 0 ? order : by_number(left->line, right->line);
}

static Int cost_order(const void *a, const void *b, Bool by_address)
{
	const struct cost *left = a, *right = b;

	return place_order(left->cell->context->function, &left->site->place, &right->site->place,
			   by_address);
}

/* Of one context. */
static Int address_order(const void *a, const void *b)
{
	return cost_order(a, b, True);
}

static Int line_order(const void *a, const void *b)
{
	return cost_order(a, b, False);
}

static Bool has_cost(const struct cell *cell)
{
	for (UInt i = 0; i < event_mask_count(&cell->set); i++)
		if (cell->counts[i] != 0)
			return True;
	return False;
}

static void add_cost(struct cost *costs, UInt *n, const struct site *site, const struct cell *cell)
{
	if (cell->context != NULL && !cell->context->dropped && has_cost(cell))
		costs[(*n)++] = (struct cost){ site, cell };
}

static UInt rank_of(const struct cost *cost)
{
	return cost->cell->context->rank;
}

/* Where the costs of each context are to begin, by rank, and after them their number. */
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
 * By context first, each cost going to where its context's are, without a comparison and in
 * place; then those of each context, which are few and near each other.
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
			add_cost(costs, n, &page->sites[i], &page->sites[i].first);
	VG_(HT_ResetIter)(sites->cells);
	while ((node = VG_(HT_Next)(sites->cells)) != NULL)
		add_cost(costs, n, node->site, &node->cell);
	if (*n == 0) {
		VG_(free)(costs);
		return NULL;
	}
	costs_sort(costs, *n, by_address);
	return costs;
}
