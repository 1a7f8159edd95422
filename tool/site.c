/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/site.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

void sites_init(struct sites *sites)
{
	*sites = (struct sites){ .table = VG_(HT_construct)("costgrind.sites") };
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

/* Gives a site counts for the events in set, which include those that it has. */
static void set_counts(struct sites *sites, struct site *site, UInt set)
{
	UInt n_old = (UInt)__builtin_popcount(site->count_set);
	ULong *old = site->counts;
	const ULong *from = old;
	ULong *counts = allocate_counts(sites, (UInt)__builtin_popcount(set));
	ULong *to = counts;

	for (UInt event = 0; event < N_EVENTS; event++) {
		if (site->count_set >> event & 1)
			*to++ = *from++;
		else if (set >> event & 1)
			*to++ = 0;
	}
	site->counts = counts;
	site->count_set = (UShort)set;
	if (old == NULL)
		return;
	*(ULong **)old = sites->free_counts[n_old];
	sites->free_counts[n_old] = old;
}

void site_add_all_counts(struct sites *sites, struct site *site)
{
	if (site->count_set != (1U << N_EVENTS) - 1)
		set_counts(sites, site, (1U << N_EVENTS) - 1);
}

/* Where the count of an event stands, if the site has one. */
static UInt count_index(const struct site *site, enum event event)
{
	return (UInt)__builtin_popcount(site->count_set & ((1U << event) - 1));
}

void site_add(struct sites *sites, struct site *site, enum event event, ULong amount)
{
	if (amount == 0)
		return;
	if ((site->count_set >> event & 1) == 0)
		set_counts(sites, site, site->count_set | 1U << event);
	site->counts[count_index(site, event)] += amount;
}

static Word site_compare(const void *a, const void *b)
{
	const struct site *left = a, *right = b;

	return left->address != right->address || left->size != right->size ||
	       left->place.function != right->place.function ||
	       left->place.file != right->place.file || left->place.line != right->place.line ||
	       left->place.address != right->place.address;
}

struct site *sites_find(struct sites *sites, Addr address, UInt size, const struct place *place)
{
	struct site wanted = {
		.address = address,
		.size = (UChar)size,
		.place = *place,
	};
	struct site *site = VG_(HT_gen_lookup)(sites->table, &wanted, site_compare);

	if (site != NULL)
		return site;
	site = VG_(perm_malloc)(sizeof(*site), 8);
	*site = wanted;
	VG_(HT_add_node)(sites->table, site);
	return site;
}

void site_sum(const struct site *site, ULong sums[N_EVENTS])
{
	const ULong *count = site->counts;

	for (UInt event = 0; event < N_EVENTS; event++)
		if (site->count_set >> event & 1)
			sums[event] += *count++;
}

void sites_total(struct sites *sites, ULong totals[N_EVENTS])
{
	const struct site *site;

	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	VG_(HT_ResetIter)(sites->table);
	while ((site = VG_(HT_Next)(sites->table)) != NULL)
		site_sum(site, totals);
}

void sites_zero(struct sites *sites)
{
	struct site *site;

	VG_(HT_ResetIter)(sites->table);
	while ((site = VG_(HT_Next)(sites->table)) != NULL)
		VG_(memset)(site->counts, 0,
			    (UInt)__builtin_popcount(site->count_set) * sizeof(site->counts[0]));
}

static Int by_number(UWord a, UWord b)
{
	return a < b ? -1 : a > b;
}

/* What both orders have in common: functions stay together. */
static Int by_function(const struct site *a, const struct site *b)
{
	return by_number(a->place.function->rank, b->place.function->rank);
}

static Int address_order(const void *a, const void *b)
{
	const struct site *left = *(const struct site *const *)a;
	const struct site *right = *(const struct site *const *)b;
	Int order = by_function(left, right);

	if (order == 0)
		order = by_number(left->place.address, right->place.address);
	if (order == 0)
		order = by_number(left->place.file->rank, right->place.file->rank);
	return order != 0 ? order : by_number(left->place.line, right->place.line);
}

static Int line_order(const void *a, const void *b)
{
	const struct site *left = *(const struct site *const *)a;
	const struct site *right = *(const struct site *const *)b;
	Int order = by_function(left, right);

	if (order == 0) /* the function's own file before others */
		order = by_number(left->place.file != left->place.function->file,
				  right->place.file != right->place.function->file);
	if (order == 0)
		order = by_number(left->place.file->rank, right->place.file->rank);
	return order != 0 ? order : by_number(left->place.line, right->place.line);
}

static Bool has_cost(const struct site *site)
{
	for (Int i = 0; i < __builtin_popcount(site->count_set); i++)
		if (site->counts[i] != 0)
			return True;
	return False;
}

struct site **sites_sorted(struct sites *sites, Bool by_address, UInt *n)
{
	UInt n_all;
	struct site **all = (struct site **)VG_(HT_to_array)(sites->table, &n_all);

	*n = 0;
	for (UInt i = 0; i < n_all; i++)
		if (has_cost(all[i]))
			all[(*n)++] = all[i];
	if (*n == 0) {
		VG_(free)(all);
		return NULL;
	}
	VG_(ssort)(all, *n, sizeof(*all), by_address ? address_order : line_order);
	return all;
}
