/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line that leaves the filter gets the next position; one that comes back leaves a gap:
 *
 *	positions	0 1 2 3 4 5 6 7		next = 6, n = 4
 *	lines		a . c . e f		c is touched: e and f left after it
 *
 * When positions have run out, lines are moved together, and all positions change; only if more than half
 * of them are taken, there are twice as many then.  So a line is moved less than twice for each that leaves.
 *
 * Lines above a position are counted by words of 64: a Fenwick tree of these is small enough to stay in
 * caches, where one of positions is not.
 */
#include "sim/misses/curve.h"

enum {
	WORD_BITS = 64,
	WORD_SHIFT = 6,
	LEAST_ROOM = WORD_BITS,
};

#define MOST_ROOM (UINT32_C(1) << 30)

__extension__ typedef unsigned __int128 wide;

/* -- bits ------------------------------------------------------------------------------------- */

/* Without the instruction, which not all processors have, GCC's built-in calls a function. */
static uint32_t ones(uint64_t word)
{
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

static uint32_t words_of(uint32_t capacity)
{
	return capacity >> WORD_SHIFT;
}

static void count_one(struct curve_places *places, uint32_t position, uint32_t change)
{
	const uint32_t n = words_of(places->capacity);

	for (uint32_t i = (position >> WORD_SHIFT) + 1; i <= n; i += i & -i)
		places->tree[i] += change;
}

/* How many lines have a higher position. */
static uint32_t lines_above(const struct curve_places *places, uint32_t position)
{
	const uint32_t word = position >> WORD_SHIFT;
	/* Shifted twice: a shift by 64 is none. */
	uint32_t n = ones(places->bits[word] >> (position & (WORD_BITS - 1)) >> 1);

	/* What is in this word and below it, of all. */
	n += places->n;
	for (uint32_t i = word + 1; i > 0; i -= i & -i)
		n -= places->tree[i];
	return n;
}

/* -- slots ------------------------------------------------------------------------------------ */

/* The first bits of hashes of lines that are looked at are 0. */
static uint32_t slot_of(const struct curve *curve, uint64_t hash)
{
	const uint64_t spread = hash << curve->shift;

	/* Slots are a power of two, 2 * LEAST_ROOM or more, and 2 * MOST_ROOM at most. */
	return (uint32_t)((spread >> 32) * (2 * (uint64_t)curve->places.capacity) >> 32);
}

static uint32_t next_slot(const struct curve_places *places, uint32_t slot)
{
	return (slot + 1) & (2 * places->capacity - 1);
}

static void put_slot(struct curve *curve, uint64_t hash, uint32_t position)
{
	uint32_t slot = slot_of(curve, hash);

	while (curve->places.slots[slot] != 0)
		slot = next_slot(&curve->places, slot);
	curve->places.slots[slot] = position + 1;
}

/* Where it is, or an empty one. */
static uint32_t find_slot(const struct curve *curve, uint64_t line, uint64_t hash)
{
	const struct curve_places *places = &curve->places;
	uint32_t slot = slot_of(curve, hash);

	while (places->slots[slot] != 0 && places->lines[places->slots[slot] - 1] != line)
		slot = next_slot(places, slot);
	return slot;
}

/* Moves up slots after it that would not be found any more. */
static void empty_slot(struct curve *curve, uint32_t slot)
{
	const struct curve_places *places = &curve->places;
	const uint32_t mask = 2 * places->capacity - 1;
	uint32_t hole = slot;

	for (slot = next_slot(places, slot); places->slots[slot] != 0;
	     slot = next_slot(places, slot)) {
		uint64_t line = places->lines[places->slots[slot] - 1];
		uint32_t home = slot_of(curve, curve_hash(line));

		if (((slot - home) & mask) >= ((slot - hole) & mask)) {
			places->slots[hole] = places->slots[slot];
			hole = slot;
		}
	}
	places->slots[hole] = 0;
}

/* -- positions -------------------------------------------------------------------------------- */

/* Bytes of the four arrays; the tree begins at 1. */
static size_t places_size(uint32_t capacity)
{
	const size_t n_words = words_of(capacity);

	return capacity * sizeof(uint64_t) + n_words * sizeof(uint64_t) +
	       2 * (size_t)capacity * sizeof(uint32_t) + (n_words + 1) * sizeof(uint32_t);
}

static bool places_alloc(struct curve_places *places, uint32_t capacity,
			 const struct curve_memory *memory)
{
	uint64_t *block = memory->alloc(memory->ctx, places_size(capacity));

	if (!block)
		return false;
	*places = (struct curve_places){ .capacity = capacity, .lines = block };
	places->bits = places->lines + capacity;
	places->slots = (uint32_t *)(places->bits + words_of(capacity));
	places->tree = places->slots + 2 * (size_t)capacity;
	return true;
}

/*
 * Puts the lines that stay (looked at still, not in the range, if any) at the beginning of another
 * array, or of their own.
 */
static uint32_t gather(const struct curve *curve, const struct address_range *range, uint64_t *to)
{
	const struct curve_places *places = &curve->places;
	uint32_t n = 0;

	for (uint32_t word = 0; word < words_of(places->capacity); word++) {
		for (uint64_t bits = places->bits[word]; bits != 0; bits &= bits - 1) {
			uint64_t line =
				places->lines[word * WORD_BITS + (uint32_t)__builtin_ctzll(bits)];

			if (curve_hash(line) > curve->last_hash ||
			    (range && address_range_meets(*range, line << curve->line_bits,
							  curve->line_bits)))
				continue;
			to[n++] = line;
		}
	}
	return n;
}

/* There are n lines, without gaps. */
static void settle(struct curve *curve, uint32_t n)
{
	struct curve_places *places = &curve->places;
	const uint32_t n_words = words_of(places->capacity);

	places->n = places->next = n;
	for (uint32_t i = 0; i <= n_words; i++)
		places->tree[i] = 0;
	for (uint32_t i = 0; i < 2 * places->capacity; i++)
		places->slots[i] = 0;
	for (uint32_t word = 0; word < n_words; word++) {
		uint32_t first = word * WORD_BITS;
		uint32_t parent = word + 1 + ((word + 1) & -(word + 1));

		places->bits[word] = n >= first + WORD_BITS ? UINT64_MAX
				     : n <= first           ? 0
							    : (UINT64_C(1) << (n - first)) - 1;
		places->tree[word + 1] += ones(places->bits[word]);
		if (parent <= n_words)
			places->tree[parent] += places->tree[word + 1];
	}
	for (uint32_t i = 0; i < n; i++)
		put_slot(curve, curve_hash(places->lines[i]), i);
}

static void compact(struct curve *curve, const struct address_range *range)
{
	settle(curve, gather(curve, range, curve->places.lines));
}

static bool grow(struct curve *curve)
{
	struct curve_places old = curve->places, new;
	uint32_t n;

	if (old.capacity > MOST_ROOM / 2 || !places_alloc(&new, 2 * old.capacity, &curve->memory))
		return false;
	n = gather(curve, NULL, new.lines);
	curve->places = new;
	settle(curve, n);
	curve->memory.release(curve->memory.ctx, old.lines);
	return true;
}

/* Halves the rate until at most that many lines are remembered. */
static void thin_out(struct curve *curve, uint64_t most)
{
	while (curve->places.n > most && curve->shift < CURVE_MAX_SHIFT) {
		curve->shift++;
		curve->last_hash >>= 1;
		compact(curve, NULL);
	}
}

/* Positions have run out. */
static void make_room(struct curve *curve)
{
	const uint32_t half = curve->places.capacity / 2;

	if (curve->places.n > half && grow(curve))
		return;
	if (curve->places.n > half)
		thin_out(curve, half);
	else
		compact(curve, NULL);
}

static void take_out(struct curve *curve, uint32_t slot)
{
	struct curve_places *places = &curve->places;
	const uint32_t position = places->slots[slot] - 1;

	empty_slot(curve, slot);
	places->bits[position >> WORD_SHIFT] &= ~(UINT64_C(1) << (position & (WORD_BITS - 1)));
	count_one(places, position, UINT32_MAX); /* by -1 */
	places->n--;
}

/* -- what the header has ---------------------------------------------------------------------- */

bool curve_init(struct curve *curve, const struct curve_config *config,
		const struct curve_memory *memory)
{
	uint32_t capacity = LEAST_ROOM;

	*curve = (struct curve){
		.last_hash = UINT64_MAX >> config->shift,
		.shift = config->shift,
		.line_bits = config->line_bits,
		.n_columns = config->n_columns,
		.filter_lines = config->filter_lines,
		.limit = config->limit,
		.memory = *memory,
	};
	for (uint32_t i = 0; i < config->n_columns; i++)
		curve->sizes[i] = config->sizes[i];
	while (capacity < config->room && capacity < MOST_ROOM)
		capacity *= 2;
	if (!places_alloc(&curve->places, capacity, memory))
		return false;
	settle(curve, 0);
	return true;
}

void curve_release(struct curve *curve)
{
	curve->memory.release(curve->memory.ctx, curve->places.lines);
	curve->places = (struct curve_places){ .lines = NULL };
}

/* How many sizes are not above the distance. */
static uint32_t columns_missed(const struct curve *curve, uint64_t distance)
{
	uint32_t low = 0, high = curve->n_columns;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (curve->sizes[middle] <= distance)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Bits that decide neither whether lines are looked at nor, of small tables, where they are. */
static uint32_t group_of(uint64_t hash)
{
	return hash >> 3 & (CURVE_GROUPS - 1);
}

struct curve_missed curve_touch_sampled(struct curve *curve, uint64_t line, uint64_t hash)
{
	struct curve_missed missed = { curve->n_columns, curve_weight(curve) };
	const uint32_t slot = find_slot(curve, line, hash);

	if (curve->places.slots[slot] != 0) {
		uint64_t above = lines_above(&curve->places, curve->places.slots[slot] - 1);

		missed.columns =
			columns_missed(curve, curve->filter_lines + (above << curve->shift));
		take_out(curve, slot);
	}
	curve->n_touches++;
	curve->counts[group_of(hash)][missed.columns] += missed.weight;
	return missed;
}

void curve_leave_sampled(struct curve *curve, uint64_t line, uint64_t hash)
{
	struct curve_places *places = &curve->places;
	uint32_t position;

	if (places->next == places->capacity) {
		make_room(curve);
		if (hash > curve->last_hash || places->next == places->capacity)
			return;
	}
	position = places->next++;
	places->lines[position] = line;
	places->bits[position >> WORD_SHIFT] |= UINT64_C(1) << (position & (WORD_BITS - 1));
	places->n++;
	count_one(places, position, 1);
	put_slot(curve, hash, position);
	if (curve->limit != 0 && places->n > curve->limit)
		thin_out(curve, curve->limit);
}

void curve_evict(struct curve *curve, struct address_range range)
{
	const uint64_t first = range.first >> curve->line_bits;
	const uint64_t last = range.last >> curve->line_bits;

	if (last - first >= curve->places.n) {
		compact(curve, &range);
		return;
	}
	for (uint64_t line = first; line - first <= last - first; line++) {
		uint32_t slot;

		if (curve_hash(line) > curve->last_hash)
			continue;
		slot = find_slot(curve, line, curve_hash(line));
		if (curve->places.slots[slot] != 0)
			take_out(curve, slot);
	}
}

/* -- errors ----------------------------------------------------------------------------------- */

static uint64_t root(wide square)
{
	wide result = 0, bit = (wide)1 << 126;

	while (bit > square)
		bit >>= 2;
	for (; bit != 0; bit >>= 2) {
		if (square >= result + bit) {
			square -= result + bit;
			result = (result >> 1) + bit;
		} else {
			result >>= 1;
		}
	}
	return (uint64_t)result;
}

/*
 * The variance of a sum of G groups x is (G * sum of x^2 - (sum of x)^2) / (G - 1); of it 1 - rate remains, since
 * lines are drawn without putting them back.
 */
struct curve_error curve_error(const struct curve *curve, uint32_t column)
{
	struct curve_error error = { .all = curve->n_all,
				     .touches = curve->n_touches,
				     .lines = curve->places.n };
	const uint64_t behind = curve->sizes[column] - curve->filter_lines;
	wide spread = 0;

	for (uint32_t group = 0; group < CURVE_GROUPS; group++) {
		uint64_t missed = 0;

		for (uint32_t n = column + 1; n <= curve->n_columns; n++)
			missed += curve->counts[group][n];
		error.misses += missed;
		spread += (wide)missed * missed * CURVE_GROUPS;
	}
	spread -= (wide)error.misses * error.misses;
	spread -= spread >> curve->shift;
	/* The root of 31 is 696 / 125, and divisions of wide numbers would be calls. */
	error.misses_error = root(spread) * 125 / 696;
	error.size_error = root((wide)behind * (curve_weight(curve) - 1));
	return error;
}
