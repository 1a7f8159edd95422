/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/simulate/missreasons.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/collection.h"
#include "tool/common/numbers.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"
#include "tool/simulate/state.h"
#include "writer/shared/size_event.h"

/* --- conflicts --------------------------------------------------------------------------- */

enum {
	LEAST_SHARE = 100, /* a hundredth */
	LEAST = 32,        /* fewer are chance */
};

static void conflicts_init(struct conflicts *conflicts, const struct cache_config *d1)
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
 * Counts a meeting, this far apart.  If more than half of all meetings are alike, these win the vote (Boyer and Moore, 1981), whatever
 * came first; few of them were counted before they led.
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

/* A reference to data has missed D1; is_counted: by a conflict, and costs are collected. */
static void conflicts_note(struct conflicts *conflicts, const struct site *site,
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

/* How far apart they met, mostly; 0: at changing distances. */
static ULong told_apart(const struct conflict *pair)
{
	return 2 * pair->n_same > pair->n ? pair->apart : 0;
}

/* So that places that read alike follow each other. */
static Int place_text_order(const struct site *a, const struct site *b)
{
	const struct source_location left = site_place(a), right = site_place(b);
	Int order = by_number(left.line, right.line);

	if (order == 0 && left.line == 0)
		order = by_number(left.address, right.address);
	if (order == 0)
		order = left.line == 0
				? by_number(left.function->object->id, right.function->object->id)
				: by_number(left.file->id, right.file->id);
	return order != 0 ? order : by_number(left.function->name->id, right.function->name->id);
}

/* The same for pairs: 0 if they differ only in their counts. */
static Int text_order(const void *a, const void *b)
{
	const struct conflict *left = a, *right = b;
	Int order = place_text_order(left->site, right->site);

	if (order == 0)
		order = place_text_order(left->evictor, right->evictor);
	return order != 0 ? order : by_number(told_apart(left), told_apart(right));
}

/* Most first; of equals, the one whose code is first. */
static Int pair_order(const void *a, const void *b)
{
	const struct conflict *left = a, *right = b;
	Int order = by_number(right->n, left->n);

	if (order == 0)
		order = by_number(left->site->address, right->site->address);
	return order != 0 ? order : by_number(left->evictor->address, right->evictor->address);
}

static const struct site *first_site(const struct site *a, const struct site *b)
{
	return b->address < a->address ? b : a;
}

/*
 * Makes one of pairs of instructions that read alike, as those do that are of one line and push each
 * other out.  Returns how many are left of n.
 */
static UInt merge_alike(struct conflict *pairs, UInt n)
{
	UInt n_left = 0;

	VG_(ssort)(pairs, n, sizeof(*pairs), text_order);
	for (UInt i = 0; i < n; i++) {
		struct conflict *last = n_left > 0 ? &pairs[n_left - 1] : NULL;

		if (last == NULL || text_order(last, &pairs[i]) != 0) {
			pairs[n_left++] = pairs[i];
			continue;
		}
		last->n += pairs[i].n;
		last->n_same += pairs[i].n_same;
		last->site = first_site(last->site, pairs[i].site);
		last->evictor = first_site(last->evictor, pairs[i].evictor);
	}
	return n_left;
}

/* The *n pairs to report, pairs that read alike as one, most first; to be freed by VG_(free). */
static struct conflict *told_pairs(const struct conflicts *conflicts, UInt *n)
{
	VgHashNode **nodes = VG_(HT_to_array)(conflicts->pairs, n);
	struct conflict *pairs = VG_(malloc)("costgrind.told_conflicts", (*n + 1) * sizeof(*pairs));

	for (UInt i = 0; i < *n; i++)
		pairs[i] = *(const struct conflict *)nodes[i];
	VG_(free)(nodes);
	*n = merge_alike(pairs, *n);
	VG_(ssort)(pairs, *n, sizeof(*pairs), pair_order);
	return pairs;
}

/* "f.c:9 main", or "0x1136 main [/home/ann/prog]" without a line, by the address as linked. */
static UInt place_text(HChar *text, UInt size, const struct site *site)
{
	const struct source_location place = site_place(site);

	if (place.line == 0)
		return VG_(snprintf)(text, (Int)size, "0x%lx %s [%s]", place.address,
				     place.function->name->chars, place.function->object->chars);
	return VG_(snprintf)(text, (Int)size, "%s:%u %s", place.file->chars, place.line,
			     place.function->name->chars);
}

/* Bytes that place_text() takes at most. */
static SizeT place_size(const struct site *site)
{
	const struct scope *scope = site->scope;

	return 64 + scope->file->len + scope->function->name->len + scope->function->object->len;
}

static void tell(const struct conflicts *conflicts, const struct conflict *pair,
		 conflicts_taker *take, void *ctx)
{
	const SizeT size = 128 + place_size(pair->site) + place_size(pair->evictor);
	HChar *text = VG_(malloc)("costgrind.conflict_text", size);
	UInt len = VG_(snprintf)(text, (Int)size, "%llu of %llu in D1", pair->n, conflicts->n);

	if (told_apart(pair) != 0)
		len += VG_(snprintf)(text + len, (Int)(size - len), ", %llu bytes apart",
				     told_apart(pair));
	len += VG_(snprintf)(text + len, (Int)(size - len), ": ");
	len += place_text(text + len, (UInt)(size - len), pair->site);
	len += VG_(snprintf)(text + len, (Int)(size - len), " <-> ");
	place_text(text + len, (UInt)(size - len), pair->evictor);
	take(ctx, text);
	VG_(free)(text);
}

void conflicts_tell(const struct conflicts *conflicts, conflicts_taker *take, void *ctx)
{
	struct conflict *pairs;
	UInt n;

	if (conflicts->n == 0)
		return;
	pairs = told_pairs(conflicts, &n);
	for (UInt i = 0; i < n && i < CONFLICTS_TOLD; i++) {
		if (pairs[i].n * LEAST_SHARE < conflicts->n || pairs[i].n < LEAST)
			break;
		tell(conflicts, &pairs[i], take, ctx);
	}
	VG_(free)(pairs);
}

/* --- reasons ------------------------------------------------------------------------------ */

static void *allocate(size_t size)
{
	return VG_(calloc)("costgrind.misses", 1, size);
}

static const struct misses_memory memory = { allocate, VG_(free) };

static void *allocate_for_curve(void *ctx, size_t size)
{
	(void)ctx;
	return allocate(size);
}

static void release_of_curve(void *ctx, void *freed)
{
	(void)ctx;
	VG_(free)(freed);
}

enum {
	SAMPLED_SHIFT = 3,       /* one line of eight */
	SAMPLED_LIMIT = 1 << 20, /* lines: 34 MB */
	FIRST_ROOM = 1 << 12,    /* lines */
};

/* Bytes of a column of the curve. */
static ULong size_of(UInt column)
{
	return size_event_bytes(event_table[EVENT_M64K + column].name);
}

_Static_assert((UInt)N_SIZE_EVENTS <= (UInt)CURVE_MAX_COLUMNS, "columns of the curve");

const HChar *missreasons_misfit(const struct cache_config *d1)
{
	return d1->geometry.size > size_of(0)
		       ? "cannot be combined with a D1 of more than 64 KiB, the smallest size of the curve"
		       : NULL;
}

static void init_curve(struct missreasons *reasons, const struct cache_config *d1,
		       enum miss_curve curve)
{
	const struct curve_memory curve_memory = { allocate_for_curve, release_of_curve, NULL };
	const UInt line_size = d1->geometry.line_size;
	struct curve_config config = {
		.n_columns = N_SIZE_EVENTS,
		.line_bits = geometry_line_bits(&d1->geometry),
		.filter_lines = d1->geometry.size / line_size,
		.shift = curve == MISS_CURVE_SAMPLED ? SAMPLED_SHIFT : 0,
		.limit = curve == MISS_CURVE_SAMPLED ? SAMPLED_LIMIT : 0,
		.room = FIRST_ROOM,
	};

	for (UInt i = 0; i < N_SIZE_EVENTS; i++)
		config.sizes[i] = size_of(i) / line_size;
	if (!curve_init(&reasons->curve, &config, &curve_memory))
		VG_(tool_panic)("no memory for the curve");
	reasons->tally.curve = &reasons->curve;
}

void missreasons_init(struct missreasons *reasons, const struct hierarchy_config *config,
		      Bool has_classes, enum miss_curve curve)
{
	reasons->is_on = True;
	reasons->has_classes = has_classes;
	reasons->has_curve = curve != MISS_CURVE_NO;
	if (reasons->has_classes) {
		missclasses_init(&reasons->lower, config, &memory);
		conflicts_init(&reasons->conflicts, &config->d1);
	}
	if (reasons->has_curve)
		init_curve(reasons, &config->d1, curve);
}

void missreasons_attach(struct missreasons *reasons, struct machine *machine,
			const struct hierarchy_config *config)
{
	machine_attach_twins(machine, &reasons->twins, config, &memory);
	reasons->twins.tally = reasons->has_curve ? &reasons->tally : NULL;
}

struct miss_reasons missreasons_find(struct missreasons *reasons, const struct site *site,
				     enum reference_kind kind, Addr address, UWord size,
				     UInt served)
{
	const struct miss_reasons found =
		missclasses_find(&reasons->lower, reasons->twins.outcome, address, size, served);

	if (reasons->has_classes && served != 0 && kind != REFERENCE_FETCH)
		conflicts_note(&reasons->conflicts, site, address_range(address, size),
			       found.of[0] == MISS_CONFLICT && collection_is_on(tool_counts.hot));
	reasons->last = found;
	return found;
}

struct curve_missed missreasons_take_sizes(struct missreasons *reasons)
{
	const struct curve_missed missed = reasons->tally.missed;

	reasons->tally.missed = (struct curve_missed){ 0, 0 };
	reasons->tally.n_lines = 0;
	return missed;
}

struct curve_error missreasons_error(const struct missreasons *reasons, UInt column)
{
	return curve_error(&reasons->curve, column);
}

void missreasons_evict(struct missreasons *reasons, struct address_range range)
{
	if (!reasons->is_on)
		return;
	missclasses_evict(&reasons->lower, range);
	if (reasons->has_curve)
		curve_evict(&reasons->curve, range);
}
