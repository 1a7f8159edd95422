/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/translate/conflicts.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/ordering.h"
#include "tool/counts/site.h"

enum {
	LEAST_SHARE = 100, /* one in so many */
	LEAST = 32,        /* fewer are chance */
};

void conflicts_init(struct conflicts *conflicts, const struct cache_config *d1)
{
	sets_init(&conflicts->sets, geometry_sets(&d1->geometry), d1->hashes_sets, d1->hash_seed);
	conflicts->line_bits = geometry_line_bits(&d1->geometry);
	conflicts->evictors =
		VG_(calloc)("costgrind.evictors", conflicts->sets.n, sizeof(*conflicts->evictors));
	conflicts->pairs = VG_(HT_construct)("costgrind.conflicts");
}

static Word compare_pairs(const void *a, const void *b)
{
	const struct conflict *left = a, *right = b;

	return left->site != right->site || left->evictor != right->evictor;
}

static struct conflict *find_pair(struct conflicts *conflicts, const struct conflict *wanted)
{
	struct conflict *pair = conflicts->last;

	if (pair != NULL && compare_pairs(pair, wanted) == 0)
		return pair;
	pair = VG_(HT_gen_lookup)(conflicts->pairs, wanted, compare_pairs);
	if (pair == NULL) {
		pair = VG_(malloc)("costgrind.conflict", sizeof(*pair));
		*pair = *wanted;
		VG_(HT_add_node)(conflicts->pairs, pair);
	}
	conflicts->last = pair;
	return pair;
}

/*
 * They met, so far apart.  If more than half of all meetings are alike, these win the vote (Boyer and Moore, 1981), whatever
 * came first; those of them that were counted before they led are few.
 */
static void note_apart(struct conflict *pair, ULong apart)
{
	pair->n++;
	if (pair->apart == apart) {
		pair->n_same++;
		pair->votes++;
	} else if (pair->votes == 0) {
		pair->apart = apart;
		pair->n_same = 1;
		pair->votes = 1;
	} else {
		pair->votes--;
	}
}

/* The pair that a site is with what missed last in its line's set; notes that it has missed there now. */
static struct conflict *meet(struct conflicts *conflicts, const struct site *site, Addr line,
			     Bool is_counted)
{
	struct evictor *evictor =
		&conflicts->evictors[sets_place(&conflicts->sets, line >> conflicts->line_bits).set];
	const struct evictor last = *evictor;
	struct conflict *pair;
	ULong apart;

	*evictor = (struct evictor){ site, line };
	/* What missed last itself was not pushed out: a lower level took it. */
	if (!is_counted || last.site == NULL || last.line == line)
		return NULL;
	apart = line > last.line ? line - last.line : last.line - line;
	pair = find_pair(conflicts, &(struct conflict){
					    .key = (UWord)site * 31 + (UWord)last.site,
					    .site = site,
					    .evictor = last.site,
					    .apart = apart,
				    });
	note_apart(pair, apart);
	return pair;
}

void conflicts_note(struct conflicts *conflicts, const struct site *site,
		    struct address_range range, Bool is_counted)
{
	const Addr line_size = 1UL << conflicts->line_bits;
	Addr line = range.first & ~(line_size - 1);

	conflicts->n += is_counted;
	/* A reference is one conflict, of the first of its lines that has met another. */
	for (; line <= range.last; line += line_size) {
		if (meet(conflicts, site, line, is_counted) != NULL)
			is_counted = False;
		if (line + line_size < line)
			break;
	}
}

void conflicts_zero(struct conflicts *conflicts)
{
	if (conflicts->pairs == NULL)
		return;
	VG_(HT_destruct)(conflicts->pairs, VG_(free));
	conflicts->pairs = VG_(HT_construct)("costgrind.conflicts");
	conflicts->last = NULL;
	conflicts->n = 0;
}

/* Most first; of equals, the one whose code is first. */
static Int pair_order(const void *a, const void *b)
{
	const struct conflict *left = *(const struct conflict *const *)a;
	const struct conflict *right = *(const struct conflict *const *)b;
	Int order = by_number(right->n, left->n);

	if (order == 0)
		order = by_number(left->site->address, right->site->address);
	return order != 0 ? order : by_number(left->evictor->address, right->evictor->address);
}

/* "f.c:9 main", or "0x401136 main" without a line. */
static UInt place_text(HChar *text, UInt size, const struct site *site)
{
	const struct source_location *place = &site->place;

	if (place->line == 0)
		return VG_(snprintf)(text, (Int)size, "0x%lx %s", site->address,
				     place->function->name->chars);
	return VG_(snprintf)(text, (Int)size, "%s:%u %s", place->file->chars, (UInt)place->line,
			     place->function->name->chars);
}

static void tell(const struct conflicts *conflicts, const struct conflict *pair,
		 conflicts_taker *take, void *ctx)
{
	const SizeT size =
		256 + 2 * (VG_(strlen)(pair->site->place.file->chars) +
			       VG_(strlen)(pair->site->place.function->name->chars) +
				   VG_(strlen)(pair->evictor->place.file->chars) +
				       VG_(strlen)(pair->evictor->place.function->name->chars));
	HChar *text = VG_(malloc)("costgrind.conflict_text", size);
	UInt len = VG_(snprintf)(text, (Int)size, "%llu of %llu in D1", pair->n, conflicts->n);

	if (2 * pair->n_same > pair->n)
		len += VG_(snprintf)(text + len, (Int)(size - len), ", %llu bytes apart",
				     pair->apart);
	len += VG_(snprintf)(text + len, (Int)(size - len), ": ");
	len += place_text(text + len, (UInt)(size - len), pair->site);
	len += VG_(snprintf)(text + len, (Int)(size - len), " <-> ");
	place_text(text + len, (UInt)(size - len), pair->evictor);
	take(ctx, text);
	VG_(free)(text);
}

void conflicts_tell(const struct conflicts *conflicts, conflicts_taker *take, void *ctx)
{
	VgHashNode **pairs;
	UInt n;

	if (conflicts->n == 0)
		return;
	pairs = VG_(HT_to_array)(conflicts->pairs, &n);
	VG_(ssort)(pairs, n, sizeof(*pairs), pair_order);
	for (UInt i = 0; i < n && i < CONFLICTS_TOLD; i++) {
		const struct conflict *pair = (const struct conflict *)pairs[i];

		if (pair->n * LEAST_SHARE < conflicts->n || pair->n < LEAST)
			break;
		tell(conflicts, pair, take, ctx);
	}
	VG_(free)(pairs);
}
