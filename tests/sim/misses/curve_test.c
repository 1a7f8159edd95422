/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/misses/curve against lists of lines in the order of their last use, and against caches; sampled against exact.
 */
#include "sim/misses/curve.h"

#include <stdlib.h>

#include "sim/cache.h"
#include "tests/common/check.h"

enum {
	LINE_BITS = 6,
	MOST_LINES = 1 << 14,
	UNLIMITED = 1 << 20,
};

/* -- memory ----------------------------------------------------------------------------------- */

/* Fails from a number on; counts what was not given back. */
struct supply {
	unsigned left, taken;
};

static void *supply_alloc(void *ctx, size_t size)
{
	struct supply *supply = ctx;
	void *memory;

	if (supply->left == 0)
		return NULL;
	supply->left--;
	memory = malloc(size);
	if (!memory)
		abort();
	/* It need not be zero. */
	memset(memory, 0xa5, size);
	supply->taken++;
	return memory;
}

static void supply_release(void *ctx, void *memory)
{
	((struct supply *)ctx)->taken--;
	free(memory);
}

/* -- the filter, by a list -------------------------------------------------------------------- */

/* Lines, the newest first. */
struct list {
	size_t n;
	uint64_t lines[MOST_LINES];
};

/* Where it is; n if it is not there. */
static size_t list_find(const struct list *list, uint64_t line)
{
	size_t i = 0;

	while (i < list->n && list->lines[i] != line)
		i++;
	return i;
}

static void list_remove(struct list *list, size_t at)
{
	list->n--;
	memmove(list->lines + at, list->lines + at + 1, (list->n - at) * sizeof(*list->lines));
}

static void list_push(struct list *list, uint64_t line)
{
	memmove(list->lines + 1, list->lines, list->n * sizeof(*list->lines));
	list->lines[0] = line;
	list->n++;
}

static void list_evict(struct list *list, struct address_range range)
{
	for (size_t i = list->n; i-- > 0;)
		if (address_range_meets(range, list->lines[i] << LINE_BITS, LINE_BITS))
			list_remove(list, i);
}

/* What a filter does at a reference. */
struct filtered {
	bool missed, gave_up;
	uint64_t victim;
};

static struct filtered filter_refer(struct list *filter, size_t size, uint64_t line)
{
	size_t at = list_find(filter, line);
	struct filtered filtered = { .missed = at == filter->n };

	if (!filtered.missed) {
		list_remove(filter, at);
	} else if (filter->n == size) {
		filtered.gave_up = true;
		filtered.victim = filter->lines[--filter->n];
	}
	list_push(filter, line);
	return filtered;
}

/* -- fixture ---------------------------------------------------------------------------------- */

/* A curve after a filter. */
struct fixture {
	struct curve curve;
	struct curve_config config;
	struct supply supply;
	struct list filter;
	struct list stack; /* if it is kept: all lines that were referred to and not evicted */
	bool is_known[MOST_LINES];
	uint64_t misses[CURVE_MAX_COLUMNS];   /* by the curve */
	uint64_t expected[CURVE_MAX_COLUMNS]; /* by the stack */
	uint64_t wrong; /* references that the curve and the stack see differently */
};

static const struct curve_config small = {
	.n_columns = 9,
	.sizes = { 8, 9, 12, 16, 24, 31, 64, 100, 128 },
	.filter_lines = 8,
	.line_bits = LINE_BITS,
};

static struct fixture *begin(const struct curve_config *config, unsigned allocations)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct curve_memory memory = { supply_alloc, supply_release, NULL };

	if (!f)
		abort();
	memory.ctx = &f->supply;
	f->supply.left = allocations;
	f->config = *config;
	memset(&f->curve, 0xa5, sizeof(f->curve));
	CHECK(curve_init(&f->curve, config, &memory));
	return f;
}

static void finish(struct fixture *f)
{
	curve_release(&f->curve);
	CHECK_EQ_U64(f->supply.taken, 0);
	free(f);
}

/* What the curve says about a reference: weight 0 if the filter has the line. */
static struct curve_missed refer(struct fixture *f, uint64_t line)
{
	const struct filtered filtered = filter_refer(&f->filter, f->config.filter_lines, line);
	struct curve_missed missed = { 0, 0 };

	if (!filtered.missed)
		return missed;
	missed = curve_touch(&f->curve, line, !f->is_known[line]);
	f->is_known[line] = true;
	for (unsigned i = 0; i < missed.columns; i++)
		f->misses[i] += missed.weight;
	if (filtered.gave_up)
		curve_leave(&f->curve, filtered.victim);
	return missed;
}

/* From the rule: how many sizes miss a line that is at a place of the stack; past its end it is in no cache. */
static unsigned columns_missed(const struct fixture *f, size_t at)
{
	unsigned n = 0;

	for (unsigned i = 0; i < f->config.n_columns; i++)
		n += at >= f->config.sizes[i] || at >= f->stack.n;
	return n;
}

/* Any number of lines looked at, if they are all. */
static void refer_checked(struct fixture *f, uint64_t line)
{
	const size_t at = list_find(&f->stack, line);
	const unsigned columns = columns_missed(f, at);
	const struct curve_missed missed = refer(f, line);

	f->wrong += missed.columns != columns || missed.weight > 1;
	for (unsigned i = 0; i < columns; i++)
		f->expected[i]++;
	if (at < f->stack.n)
		list_remove(&f->stack, at);
	list_push(&f->stack, line);
}

static void check_fixture(const struct fixture *f)
{
	CHECK_EQ_U64(f->wrong, 0);
	for (unsigned i = 0; i < f->config.n_columns; i++)
		CHECK_EQ_U64(f->misses[i], f->expected[i]);
}

/* -- references ------------------------------------------------------------------------------- */

enum { STREAMS_LARGEST = 128 }; /* the largest size that they try */

static uint64_t random_line(struct check_random *random, uint64_t i)
{
	(void)i;
	return check_random_below(random, UINT64_C(2) * STREAMS_LARGEST);
}

/* Few lines often, many rarely. */
static uint64_t skewed_line(struct check_random *random, uint64_t i)
{
	(void)i;
	return check_random_below(random, 1 + check_random_below(random, 300));
}

/* Round and round, with as many lines as a size has, with one less, and with one more. */
static uint64_t cyclic_line(struct check_random *random, uint64_t i)
{
	const uint64_t turn = i / 700;

	(void)random;
	return i % (small.sizes[turn / 3 % small.n_columns] + turn % 3 - 1);
}

/* The line used last is the next one: stacks that are worked on. */
static uint64_t lifo_line(struct check_random *random, uint64_t i)
{
	const uint64_t top = small.sizes[i / 900 % small.n_columns] + 1, at = i % (2 * top);

	(void)random;
	return at <= top ? at : 2 * top - at;
}

/* Columns of a matrix whose rows are a power of two apart. */
static uint64_t strided_line(struct check_random *random, uint64_t i)
{
	(void)random;
	return i % 150 * 64 + i / 150 % 7 * 16;
}

/* Lines in use, with streams of others between that come only once, or every few thousand times. */
static uint64_t scanned_line(struct check_random *random, uint64_t i)
{
	return i / 64 % 2 == 0 ? check_random_below(random, 24) : 1000 + i % 5000;
}

typedef uint64_t line_at(struct check_random *random, uint64_t i);

static line_at *const streams[] = {
	random_line, skewed_line, cyclic_line, lifo_line, strided_line, scanned_line,
};

enum { N_STREAMS = sizeof(streams) / sizeof(streams[0]) };

/* -- all lines looked at ---------------------------------------------------------------------- */

TEST(distances_by_hand)
{
	static const struct curve_config config = {
		.n_columns = 3, .sizes = { 2, 3, 4 }, .filter_lines = 2, .line_bits = LINE_BITS
	};
	struct fixture *f = begin(&config, UNLIMITED);

#define REFER(line, want) CHECK_EQ_U64(refer(f, line).columns, want)
	REFER(1, 3);
	REFER(2, 3);
	REFER(1, 0);
	REFER(3, 3); /* 3 1 | 2 */
	REFER(2, 1); /* distance 2: 2 3 | 1 */
	REFER(4, 3); /* 4 2 | 3 1 */
	REFER(1, 2); /* distance 3: 1 4 | 2 3 */
	REFER(5, 3); /* 5 1 | 4 2 3 */
	REFER(3, 3); /* distance 4: 3 5 | 1 4 2 */
	REFER(1, 1);
	CHECK_EQ_U64(curve_weight(&f->curve), 1);
	finish(f);
}

TEST(distances_are_those_of_a_stack)
{
	for (unsigned s = 0; s < N_STREAMS; s++) {
		struct check_random random = CHECK_RANDOM_INIT;
		struct fixture *f = begin(&small, UNLIMITED);

		for (uint64_t i = 0; i < 20000; i++)
			refer_checked(f, streams[s](&random, i));
		check_fixture(f);
		finish(f);
	}
}

/* Of one set each, and LRU. */
TEST(misses_are_those_of_caches)
{
	struct policy policy;

	CHECK(policy_named(&policy, "lru", 3));
	for (unsigned s = 0; s < N_STREAMS; s++) {
		struct check_random random = CHECK_RANDOM_INIT;
		struct fixture *f = begin(&small, UNLIMITED);
		uint64_t misses[CURVE_MAX_COLUMNS] = { 0 };
		struct cache caches[CURVE_MAX_COLUMNS];
		void *memory[CURVE_MAX_COLUMNS];

		for (unsigned c = 0; c < small.n_columns; c++) {
			const uint32_t ways = (uint32_t)small.sizes[c];
			const struct cache_config config = {
				.geometry = { (uint64_t)ways << LINE_BITS, ways, 1 << LINE_BITS },
				.policy = &policy,
			};
			const size_t size = cache_memory_size(&config);

			memory[c] = aligned_alloc(64, size);
			if (!memory[c])
				abort();
			memset(memory[c], 0, size);
			cache_init(&caches[c], &config, memory[c]);
		}
		for (uint64_t i = 0; i < 20000; i++) {
			const uint64_t line = streams[s](&random, i);

			refer(f, line);
			for (unsigned c = 0; c < small.n_columns; c++)
				misses[c] += cache_touch_all(&caches[c], line << LINE_BITS, 1);
		}
		for (unsigned c = 0; c < small.n_columns; c++) {
			CHECK_EQ_U64(f->misses[c], misses[c]);
			free(memory[c]);
		}
		finish(f);
	}
}

/* Room for 64 at the beginning; up to some thousands are remembered, so that it grows, and is compacted often. */
TEST(it_grows_and_is_compacted)
{
	struct curve_config config = { .n_columns = 11,
				       .sizes = { 4, 5, 8, 63, 64, 65, 500, 1000, 1500, 2000,
						  2500 },
				       .filter_lines = 4,
				       .line_bits = LINE_BITS };
	struct check_random random = CHECK_RANDOM_INIT;
	struct fixture *f = begin(&config, UNLIMITED);

	for (uint64_t i = 0; i < 60000; i++) {
		const uint64_t bound = 3000 * (i + 1) / 60000 + 1;

		refer_checked(
			f, i % 3 == 0 ? i / 3 % bound
				      : check_random_below(&random,
							   1 + check_random_below(&random, bound)));
	}
	check_fixture(f);
	CHECK(f->curve.places.capacity >= 4096 && f->curve.places.capacity <= 8192);
	finish(f);

	/* Of few lines, much compacting and no growth. */
	f = begin(&small, 1);
	for (uint64_t i = 0; i < 30000; i++)
		refer_checked(f, check_random_below(&random, 40));
	check_fixture(f);
	CHECK_EQ_U64(f->curve.places.capacity, 64);
	CHECK_EQ_U64(curve_weight(&f->curve), 1);
	finish(f);
}

TEST(room_from_the_beginning_is_not_asked_for_again)
{
	struct curve_config config = small;
	struct check_random random = CHECK_RANDOM_INIT;
	struct fixture *f;

	config.room = 1000;
	f = begin(&config, 1);
	for (uint64_t i = 0; i < 20000; i++)
		refer_checked(f, check_random_below(&random, 500));
	check_fixture(f);
	CHECK_EQ_U64(f->curve.places.capacity, 1024);
	finish(f);
}

/* As if they had never been touched; the filter is full again at once, so that its own size is what it counts. */
TEST(evicted_lines_are_forgotten)
{
	struct check_random random = CHECK_RANDOM_INIT;
	struct fixture *f = begin(&small, UNLIMITED);

	for (uint64_t i = 0; i < 30000; i++) {
		refer_checked(f, check_random_below(&random, 200));
		if (i % 101 != 0 || f->filter.n < f->config.filter_lines)
			continue;

		/* From few bytes to more lines than there are, but none of the filter's. */
		uint64_t bytes = UINT64_C(1) << check_random_below(&random, 15);
		struct address_range range =
			address_range(check_random_below(&random, 200 << LINE_BITS), bytes);
		struct list of_filter = f->filter;

		list_evict(&of_filter, range);
		if (of_filter.n < f->filter.n)
			continue;
		list_evict(&f->stack, range);
		curve_evict(&f->curve, range);
	}
	check_fixture(f);
	CHECK_EQ_U64(f->curve.places.n, f->stack.n - f->filter.n);

	curve_evict(&f->curve, address_range_all());
	CHECK_EQ_U64(f->curve.places.n, 0);
	f->stack = f->filter;
	for (uint64_t i = 0; i < 5000; i++)
		refer_checked(f, check_random_below(&random, 200));
	check_fixture(f);
	finish(f);
}

/* The last lines of the address space, and a range that ends there. */
TEST(evicting_at_the_top)
{
	const uint64_t last = UINT64_MAX >> LINE_BITS;
	struct fixture *f = begin(&small, UNLIMITED);

	for (uint64_t i = 0; i < 5; i++)
		curve_leave(&f->curve, last - i);
	curve_evict(&f->curve, address_range(UINT64_MAX - 64, 1000)); /* the last two */
	CHECK_EQ_U64(f->curve.places.n, 3);
	CHECK_EQ_U64(curve_touch(&f->curve, last - 2, false).columns, 2);
	CHECK_EQ_U64(curve_touch(&f->curve, last, false).columns, small.n_columns);
	curve_evict(&f->curve, (struct address_range){ 0, UINT64_MAX - 256 });
	CHECK_EQ_U64(f->curve.places.n, 1);
	finish(f);
}

/* -- samples ---------------------------------------------------------------------------------- */

static const struct curve_config large = {
	.n_columns = 9,
	.sizes = { 64, 128, 256, 512, 1024, 2048, 4096, 8192, 12000 },
	.filter_lines = 64,
	.line_bits = LINE_BITS,
};

/* Line i is drawn with a probability that 1 / (i + 1) is proportional to, and then has a number by chance. */
struct zipf {
	double sums[MOST_LINES];
	struct check_random random;
	uint64_t salt;
};

static void zipf_init(struct zipf *zipf, uint64_t seed)
{
	double sum = 0;

	for (unsigned i = 0; i < MOST_LINES; i++)
		zipf->sums[i] = sum += 1.0 / (i + 1);
	zipf->random = (struct check_random){ seed };
	zipf->salt = seed % MOST_LINES;
}

static uint64_t zipf_line(struct zipf *zipf)
{
	const double at =
		(double)(check_random(&zipf->random) >> 11) * 0x1p-53 * zipf->sums[MOST_LINES - 1];
	unsigned low = 0, high = MOST_LINES - 1;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (zipf->sums[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return (low * UINT64_C(5) + zipf->salt) % MOST_LINES;
}

/* Among others, that lines that are not looked at cost nothing but their first miss. */
TEST(samples_stand_for_all)
{
	struct curve_config config = large;
	uint64_t n_none = 0, n_some = 0, n_first = 0;
	struct zipf zipf;
	struct fixture *f;

	config.shift = 3;
	f = begin(&config, UNLIMITED);
	zipf_init(&zipf, 7);
	for (uint64_t i = 0; i < 100000; i++) {
		const uint64_t line = zipf_line(&zipf);
		const bool is_first = !f->is_known[line];
		const struct curve_missed missed = refer(f, line);

		if (is_first) {
			n_first++;
			CHECK(missed.columns == config.n_columns && missed.weight == 1);
		} else if (missed.weight == 0) {
			n_none++;
			CHECK(missed.columns == 0);
		} else {
			n_some++;
			CHECK(missed.weight == 8 && missed.columns > 0);
		}
	}
	CHECK(n_first > MOST_LINES / 2);
	CHECK(n_none > 4 * n_some); /* which include the filter's hits */
	CHECK_EQ_U64(curve_error(&f->curve, 0).touches, n_some);
	CHECK_EQ_U64(curve_error(&f->curve, 0).misses, 8 * n_some);
	CHECK_EQ_U64(f->misses[0], 8 * n_some + n_first);
	finish(f);
}

enum { REFERENCES = 60000 };

/* How many references had each distance; MOST_LINES: first touches. */
struct exact {
	uint64_t by_distance[MOST_LINES + 1];
};

/* By a sum over time: of each line that was referred to, the last time is marked. */
static void exact_make(struct exact *exact, uint64_t seed)
{
	static uint32_t marks[REFERENCES + 1], last[MOST_LINES];
	uint32_t lines = 0;
	struct zipf zipf;

	memset(exact, 0, sizeof(*exact));
	memset(marks, 0, sizeof(marks));
	memset(last, 0, sizeof(last));
	zipf_init(&zipf, seed);
	for (uint32_t now = 1; now <= REFERENCES; now++) {
		const uint64_t line = zipf_line(&zipf);
		uint32_t until = 0;

		for (uint32_t i = last[line]; i > 0; i -= i & -i)
			until += marks[i];
		exact->by_distance[last[line] != 0 ? lines - until : MOST_LINES]++;
		for (uint32_t i = last[line]; i > 0 && i <= REFERENCES; i += i & -i)
			marks[i]--;
		lines += last[line] == 0;
		last[line] = now;
		for (uint32_t i = now; i <= REFERENCES; i += i & -i)
			marks[i]++;
	}
}

static uint64_t exact_misses(const struct exact *exact, uint64_t lines)
{
	uint64_t n = 0;

	for (uint64_t i = lines; i <= MOST_LINES; i++)
		n += exact->by_distance[i];
	return n;
}

/*
 * No column may be further off than four standard errors, of its misses and of its size.  (Three are too few: few
 * lines make most misses here, and a sample without them does not know.)  Seeds are fixed: this fails always or never.
 */
TEST(samples_are_as_good_as_they_say)
{
	static struct exact exact;

	for (uint64_t seed = 1; seed <= 3; seed++) {
		exact_make(&exact, seed);
		for (unsigned shift = 0; shift <= 6; shift += 2) {
			struct curve_config config = large;
			uint64_t n_again = 0;
			struct zipf zipf;
			struct fixture *f;

			config.shift = shift;
			f = begin(&config, UNLIMITED);
			zipf_init(&zipf, seed);
			for (uint64_t i = 0; i < REFERENCES; i++) {
				const uint64_t line = zipf_line(&zipf);
				const bool is_first = !f->is_known[line];

				n_again += !is_first && list_find(&f->filter, line) == f->filter.n;
				refer(f, line);
			}
			for (unsigned c = 0; c < config.n_columns; c++) {
				const struct curve_error error = curve_error(&f->curve, c);
				const uint64_t size = config.sizes[c], off = 4 * error.size_error;
				const uint64_t least = size > off ? size - off : 0;
				const uint64_t margin = 4 * error.misses_error;

				CHECK(f->misses[c] <= exact_misses(&exact, least) + margin);
				CHECK(f->misses[c] + margin >= exact_misses(&exact, size + off));
				if (shift == 0)
					CHECK(error.misses_error == 0 && error.size_error == 0);
				else
					CHECK_EQ_U64(error.all, n_again);
			}
			finish(f);
		}
	}
}

/* After the rate was halved for the last time, nothing shows that it was another one. */
static void check_like_fresh(struct fixture *f, uint64_t seed, unsigned allocations)
{
	struct curve_config config = large;
	struct fixture *fresh;
	struct zipf zipf;
	uint64_t compared = 0, different = 0;
	const uint32_t shift = f->curve.shift;
	const struct curve_config first = f->config;

	CHECK(shift > f->config.shift);
	finish(f);
	/* Once more, next to one that has had that rate from the beginning. */
	f = begin(&first, allocations);
	config.shift = shift;
	fresh = begin(&config, UNLIMITED);
	zipf_init(&zipf, seed);
	for (uint64_t i = 0; i < REFERENCES; i++) {
		const uint64_t line = zipf_line(&zipf);
		const bool is_final = f->curve.shift == shift;
		const struct curve_missed one = refer(f, line), other = refer(fresh, line);

		if (!is_final) {
			CHECK(other.weight <= 1 || one.weight != 0);
			continue;
		}
		compared++;
		different += one.columns != other.columns || one.weight != other.weight;
	}
	CHECK(f->curve.shift == shift);
	CHECK(compared > REFERENCES / 10);
	CHECK_EQ_U64(different, 0);
	CHECK_EQ_U64(f->curve.places.n, fresh->curve.places.n);
	finish(fresh);
	finish(f);
}

TEST(halved_rates_are_as_if_from_the_beginning)
{
	enum { SEED = 5 };
	static const uint64_t limits[] = { 1, 100, 1000, 3000 };

	for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct curve_config config = large;
		struct zipf zipf;
		struct fixture *f;
		uint64_t most = 0;

		config.limit = limits[i];
		f = begin(&config, UNLIMITED);
		zipf_init(&zipf, SEED);
		for (uint64_t n = 0; n < REFERENCES; n++) {
			refer(f, zipf_line(&zipf));
			if (f->curve.places.n > most)
				most = f->curve.places.n;
		}
		CHECK(most <= config.limit);
		CHECK(most > config.limit / 2);
		check_like_fresh(f, SEED, UNLIMITED);
	}
}

TEST(without_memory_rates_are_halved)
{
	enum { SEED = 9 };
	const struct curve_memory none = { supply_alloc, supply_release, &(struct supply){ 0 } };
	struct curve curve;

	CHECK(!curve_init(&curve, &large, &none));
	for (unsigned allocations = 1; allocations <= 4; allocations++) {
		struct fixture *f = begin(&large, allocations);
		struct zipf zipf;
		uint64_t columns = 0;

		zipf_init(&zipf, SEED);
		for (uint64_t i = 0; i < REFERENCES; i++)
			refer(f, zipf_line(&zipf));
		CHECK_EQ_U64(f->curve.places.capacity, UINT64_C(32) << allocations);
		CHECK(f->curve.shift > 0);
		CHECK_EQ_U64(curve_weight(&f->curve), UINT64_C(1) << f->curve.shift);
		for (unsigned c = 1; c < large.n_columns; c++)
			columns += f->misses[c] > f->misses[c - 1];
		CHECK_EQ_U64(columns, 0);
		check_like_fresh(f, SEED, allocations);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(distances_by_hand),
		CHECK_TEST(distances_are_those_of_a_stack),
		CHECK_TEST(misses_are_those_of_caches),
		CHECK_TEST(it_grows_and_is_compacted),
		CHECK_TEST(room_from_the_beginning_is_not_asked_for_again),
		CHECK_TEST(evicted_lines_are_forgotten),
		CHECK_TEST(evicting_at_the_top),
		CHECK_TEST(samples_stand_for_all),
		CHECK_TEST(samples_are_as_good_as_they_say),
		CHECK_TEST(halved_rates_are_as_if_from_the_beginning),
		CHECK_TEST(without_memory_rates_are_halved),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
