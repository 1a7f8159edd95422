/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/cores, sim/coherence: several cores, driven as generated code drives them, by hand, and by chance against the rules
 * as they are defined (tests/sim/naive_cores.h).
 */
#include "sim/cores.h"

#include "sim/misses/missclasses.h"
#include "sim/tlbs/machinetlbs.h"
#include "tests/common/check.h"
#include "tests/oracle/plaintlbs.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/naive_cores.h"
#include "tests/sim/test_policies.h"
#include "tests/sim/traffic.h"

/* --- cores as generated code drives them ------------------------------------------- */

enum {
	BUCKETS = 1 << 10,
	FETCH_LINES = 4,
	BLOCK = 64, /* stamps */
};

/* One of the cores, with its lines of code, and what is known in its block. */
struct driver {
	struct machine *machine;
	struct pair_line *lines[BUCKETS];
	uint64_t stamp, end;
	uint64_t line;
	struct machine_twins twins;
	/* What its TLBs and twins must equal: */
	const struct machine_tlbs_config *tlbs_config;
	struct tlbs tlbs;
	void *tlbs_memory;
	uint64_t tlb_clock;
	struct full_level full[2]; /* of data, of code */
	bool line_known, has_twins, tlbs_differ, twins_differ;
};

/* What a reference did to the machine. */
struct done {
	unsigned served;
	struct machine_coherence coherence; /* nothing, if no call was made */
};

static struct driver drivers[CORES_MAX];
static struct cores *cores; /* NULL: they have not begun */
static unsigned n_drivers;
static void *cores_memory;

static void driver_init(struct driver *driver, struct machine *machine,
			const struct hierarchy_config *config, bool has_twins)
{
	memset(driver, 0, sizeof(*driver));
	driver->machine = machine;
	driver->has_twins = has_twins;
	driver->tlb_clock = 1;
	driver->tlbs_config = config->tlbs;
	if (has_twins) {
		machine_attach_twins(machine, &driver->twins, config, &pair_misses_memory);
		fulllevel_init(&driver->full[0], &config->d1, &pair_misses_memory);
		fulllevel_init(&driver->full[1], &config->i1, &pair_misses_memory);
	}
	if (config->tlbs) {
		driver->tlbs_memory = pair_memory(tlbs_memory_size(&config->tlbs->tlbs));
		tlbs_init(&driver->tlbs, &config->tlbs->tlbs, driver->tlbs_memory);
	}
}

static void driver_release(struct driver *driver)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		while (driver->lines[i]) {
			struct pair_line *line = driver->lines[i];

			driver->lines[i] = line->next;
			free(line);
		}
	}
	if (driver->has_twins) {
		machine_release_twins(&driver->twins);
		fulllevel_release(&driver->full[0]);
		fulllevel_release(&driver->full[1]);
	}
	free(driver->tlbs_memory);
}

/* One core, which is to be several. */
static void begin_one(const struct hierarchy_config *config, bool has_twins)
{
	struct machine *machine = pair_memory(machine_size(config));

	CHECK_STR(cores_misfit(config), NULL);
	machine_init(machine, config);
	cores = NULL;
	n_drivers = 1;
	driver_init(&drivers[0], machine, config, has_twins);
}

static void begin_others(const struct hierarchy_config *config, unsigned n)
{
	struct machine *machines[CORES_MAX] = { drivers[0].machine };

	for (unsigned i = 1; i < n; i++)
		machines[i] = pair_memory(cores_machine_size(config));
	cores_memory = pair_memory(cores_size(config, n));
	cores = cores_begin(machines, config, n, cores_memory);
	CHECK(drivers[0].machine->cores == cores);
	for (unsigned i = 1; i < n; i++)
		driver_init(&drivers[i], machines[i], config, drivers[0].has_twins);
	n_drivers = n;
}

static void begin_cores(const struct hierarchy_config *config, unsigned n)
{
	begin_one(config, false);
	begin_others(config, n);
}

static void release_cores(void)
{
	for (unsigned i = 0; i < n_drivers; i++) {
		driver_release(&drivers[i]);
		free(drivers[i].machine);
	}
	free(cores_memory);
	cores_memory = NULL;
	cores = NULL;
}

/* As pair_begin_block(). */
static void begin_block(struct driver *driver, uint64_t n_stamps)
{
	struct machine *machine = driver->machine;

	driver->stamp = machine->clock;
	machine->clock += n_stamps;
	driver->end = machine->clock;
	driver->line_known = false;
	machine->nowhere = machine->nowhere == 0 ? UINT64_MAX : 0;
	*machine->d1.nowhere = machine->nowhere;
	if (machine->d1.written_offset != 0)
		*machine_written(machine, machine->d1.nowhere) = machine->nowhere;
}

static uint64_t take_stamps(struct driver *driver, uint64_t n_stamps)
{
	uint64_t stamp;

	if (driver->end - driver->stamp < n_stamps)
		begin_block(driver, n_stamps + BLOCK);
	stamp = driver->stamp;
	driver->stamp += n_stamps;
	return stamp;
}

static void see_twin(struct driver *driver, bool is_code, uint64_t address, uint64_t size,
		     bool is_hit)
{
	uint32_t found;

	if (!driver->has_twins)
		return;
	found = fulllevel_refer(&driver->full[is_code], address, size);
	if (found != (is_hit ? 0 : driver->twins.outcome))
		driver->twins_differ = true;
}

/* TLBs and twins see a reference that the machine has made; is_hit: without a call. */
static void see_rest(struct driver *driver, enum tlb_kind kind, uint64_t address, uint64_t size,
		     bool is_hit)
{
	if (driver->tlbs_config) {
		const struct view_config *view = &driver->tlbs_config->views[0];
		unsigned missed = tlbs_refer(&driver->tlbs, kind,
					     kind == TLB_ITLB ? &view->code : &view->data, address,
					     size, driver->tlb_clock);

		if (missed != (is_hit ? 0 : machine_missed_pages(driver->machine, 0)))
			driver->tlbs_differ = true;
		driver->tlb_clock += 2;
	}
	see_twin(driver, kind == TLB_ITLB, address, size, is_hit);
}

static struct done called(const struct driver *driver, unsigned served)
{
	return (struct done){
		served,
		cores ? driver->machine->coherence : (struct machine_coherence){ 0 },
	};
}

static void store(struct driver *driver, const struct filter_entry *entry, uint64_t stamp,
		  bool is_write)
{
	*entry->stamp = stamp;
	if (is_write && driver->machine->d1.written_offset != 0)
		*machine_written(driver->machine, entry->stamp) = stamp;
}

/* at_once: without a look at the filter. */
static struct done refer_data(struct driver *driver, uint64_t address, uint64_t size, bool is_write,
			      bool at_once)
{
	struct machine *machine = driver->machine;
	const uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	const struct filter_entry *entry = is_write ? machine_write_entry(machine, address)
						    : machine_filter_entry(machine, address);
	const uint64_t stamp = take_stamps(driver, machine_data_lines(machine, size));
	struct done done = { 0 };
	bool is_hit;

	at_once = at_once || size > line_size || machine_is_called_for_data(machine) ||
		  (is_write && machine_is_called_for_writes(machine));
	is_hit = !at_once && address - entry->line < line_size - size + 1;
	if (!is_hit)
		done = called(driver, is_write ? machine_write(machine, address, size, stamp)
					       : machine_data(machine, address, size, stamp));
	/* Generated code does not jump over its store. */
	if (!at_once)
		store(driver, entry, stamp, is_write);
	see_rest(driver, TLB_DTLB, address, size, is_hit);
	return done;
}

/* The place that was read last is written. */
static struct done refer_modify(struct driver *driver, uint64_t address, uint64_t size)
{
	const uint64_t stamp = driver->stamp - machine_data_lines(driver->machine, size);

	machine_modify(driver->machine, address, size, stamp);
	return called(driver, 0);
}

static struct code_line *code_line(struct driver *driver, uint64_t address)
{
	const uint64_t number = address >> driver->machine->i1.line_bits;
	struct pair_line **bucket =
		&driver->lines[number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - 10)];
	struct pair_line *line = *bucket;

	while (line && line->line.address >> driver->machine->i1.line_bits != number)
		line = line->next;
	if (!line) {
		line = pair_allocate(sizeof(*line));
		machine_add_code_line(driver->machine, &line->line, address);
		line->next = *bucket;
		*bucket = line;
	}
	return &line->line;
}

static struct done refer_code(struct driver *driver, uint64_t address, uint64_t size)
{
	struct machine *machine = driver->machine;
	const unsigned bits = machine->i1.line_bits;
	const uint64_t offset = address & ((UINT64_C(1) << bits) - 1);
	const unsigned covered = (unsigned)((offset + size - 1) >> bits) + 1;
	const uint64_t stamp = take_stamps(driver, covered);
	struct code_line *lines[FETCH_LINES];
	struct done done = { 0 };
	unsigned n_lines = 0;
	bool all_fast = true;

	if (covered > FETCH_LINES)
		abort();
	if (machine_is_called_for_code(machine)) {
		done = called(driver, machine_fetch(machine, NULL, 0, address, size, 0));
		see_rest(driver, TLB_ITLB, address, size, false);
		return done;
	}
	for (uint64_t i = driver->line_known && driver->line == address >> bits; i < covered; i++)
		lines[n_lines++] = code_line(driver, address + (i << bits));
	for (unsigned i = 0; i < n_lines; i++)
		if (!machine_fetch_fast(machine, lines[i], stamp + i))
			all_fast = false;
	if (!all_fast)
		done = called(driver, machine_fetch(machine, lines, n_lines, address, size, stamp));
	see_rest(driver, TLB_ITLB, address, size, all_fast);
	driver->line_known = true;
	driver->line = (address + size - 1) >> bits;
	return done;
}

static unsigned prefetch(struct driver *driver, unsigned level, uint64_t line)
{
	return machine_prefetch(driver->machine, level, line, take_stamps(driver, 1));
}

static void evict_everywhere(struct address_range range)
{
	machine_evict(drivers[n_drivers - 1].machine, range);
	for (unsigned i = 0; i < n_drivers; i++) {
		struct driver *driver = &drivers[i];

		if (driver->tlbs_config)
			tlbs_evict(&driver->tlbs, range);
		for (unsigned k = 0; k < 2 && driver->has_twins; k++)
			fulllevel_evict(&driver->full[k], range);
		begin_block(driver, BLOCK);
	}
}

/* --- by hand ----------------------------------------------------------------------- */

static const struct hierarchy_config usual = {
	.cores = 64,
	.i1 = { .geometry = { 32768, 8, 64 } },
	.d1 = { .geometry = { 32768, 8, 64 } },
	.n_lower = 2,
	.lower = { { .geometry = { 262144, 8, 64 } }, { .geometry = { 1048576, 16, 64 } } },
};

/* References, by what they did. */
struct tally {
	uint64_t missed, from_core, n_upgraded, invalidated, memory;
};

static void add(struct tally *tally, struct done done)
{
	tally->missed += done.served != 0;
	tally->memory += done.served == 3;
	tally->from_core += done.coherence.from_core;
	tally->n_upgraded += done.coherence.n_upgraded;
	tally->invalidated += done.coherence.was_invalidated;
}

static void read_by(struct tally *tally, unsigned core, uint64_t address)
{
	add(tally, refer_data(&drivers[core], address, 8, false, false));
}

static void write_by(struct tally *tally, unsigned core, uint64_t address)
{
	add(tally, refer_data(&drivers[core], address, 8, true, false));
}

TEST(producer_and_consumer)
{
	struct tally producer = { 0 }, consumer = { 0 };

	begin_cores(&usual, 2);
	for (unsigned round = 0; round < 100; round++) {
		for (uint64_t at = 0; at < 16384; at += 8)
			write_by(&producer, 0, at);
		for (uint64_t at = 0; at < 16384; at += 8)
			read_by(&consumer, 1, at);
	}
	CHECK_EQ_U64(producer.missed, 256);
	CHECK_EQ_U64(producer.memory, 256);
	CHECK_EQ_U64(producer.from_core, 0);
	CHECK_EQ_U64(producer.n_upgraded, 25344);
	CHECK_EQ_U64(consumer.missed, 25600);
	CHECK_EQ_U64(consumer.from_core, 25600);
	CHECK_EQ_U64(consumer.n_upgraded, 0);
	CHECK_EQ_U64(consumer.memory, 0);
	CHECK_EQ_U64(consumer.invalidated, 25344);
	release_cores();
}

TEST(counters_in_one_line_move_and_padded_ones_do_not)
{
	for (uint64_t distance = 8; distance <= 64; distance += 56) {
		const uint64_t moves = distance == 8 ? 1000 : 0;
		struct tally tally[2] = { { 0 }, { 0 } };

		begin_cores(&usual, 2);
		for (unsigned i = 0; i < 1000; i++)
			for (unsigned core = 0; core < 2; core++)
				write_by(&tally[core], core, 4096 + core * distance);
		CHECK_EQ_U64(tally[0].missed, moves ? moves : 1);
		CHECK_EQ_U64(tally[0].from_core, moves ? moves - 1 : 0);
		CHECK_EQ_U64(tally[0].invalidated, moves ? moves - 1 : 0);
		CHECK_EQ_U64(tally[1].missed, moves ? moves : 1);
		CHECK_EQ_U64(tally[1].from_core, moves);
		CHECK_EQ_U64(tally[1].invalidated, moves ? moves - 1 : 0);
		CHECK_EQ_U64(tally[0].n_upgraded + tally[1].n_upgraded, 0);
		release_cores();
	}
}

#define STATES(line, first, second)                         \
 do {                                                       \
  CHECK_EQ_U64(cores_state(cores, 0, line), LINE_##first);  \
  CHECK_EQ_U64(cores_state(cores, 1, line), LINE_##second); \
 } while (0)

TEST(states_of_a_line)
{
	struct tally tally = { 0 };

	begin_cores(&usual, 2);
	read_by(&tally, 0, 64);
	STATES(64, EXCLUSIVE, ABSENT);
	CHECK_EQ_U64(tally.memory, 1);
	read_by(&tally, 1, 64); /* clean, and in the shared level */
	STATES(64, SHARED, SHARED);
	CHECK_EQ_U64(tally.from_core, 0);
	write_by(&tally, 1, 64);
	STATES(64, ABSENT, MODIFIED);
	CHECK_EQ_U64(tally.n_upgraded, 1);
	CHECK(cores_was_invalidated(cores, 0, 64));
	CHECK(!cores_was_invalidated(cores, 1, 64));
	read_by(&tally, 0, 64);
	STATES(64, SHARED, SHARED);
	CHECK_EQ_U64(tally.from_core, 1);
	CHECK_EQ_U64(tally.invalidated, 1);
	CHECK(!cores_was_invalidated(cores, 0, 64));
	read_by(&tally, 0, 128);
	write_by(&tally, 0, 128); /* silently */
	STATES(128, MODIFIED, ABSENT);
	CHECK_EQ_U64(tally.n_upgraded, 1);
	add(&tally, refer_code(&drivers[1], 128, 4));
	STATES(128, SHARED, SHARED);
	CHECK_EQ_U64(tally.from_core, 2);
	write_by(&tally, 0, 128); /* though the block of the other core has just fetched from it */
	STATES(128, MODIFIED, ABSENT);
	CHECK_EQ_U64(tally.n_upgraded, 2);
	CHECK_EQ_U64(tally.missed, 5);
	release_cores();
}

/* A read does not make the line's writes known, and a write that another core has read calls C. */
TEST(writes_without_a_call_are_of_modified_lines_only)
{
	struct tally tally = { 0 };
	struct machine *machine;

	begin_cores(&usual, 2);
	machine = drivers[0].machine;
	read_by(&tally, 0, 64);
	CHECK_EQ_U64(machine_filter_entry(machine, 64)->line, 64);
	CHECK(machine_write_entry(machine, 64)->line != 64);
	write_by(&tally, 0, 64);
	CHECK_EQ_U64(machine_write_entry(machine, 64)->line, 64);
	CHECK(machine_write_entry(machine, 64)->stamp == machine_filter_entry(machine, 64)->stamp);
	read_by(&tally, 1, 64);
	CHECK_EQ_U64(machine_filter_entry(machine, 64)->line, 64);
	CHECK(machine_write_entry(machine, 64)->line != 64);
	write_by(&tally, 0, 64);
	CHECK_EQ_U64(machine_write_entry(machine, 64)->line, 64);
	machine_hide(machine, address_range(64, 1));
	CHECK(machine_filter_entry(machine, 64)->line != 64);
	CHECK(machine_write_entry(machine, 64)->line != 64);
	write_by(&tally, 0, 64);
	CHECK_EQ_U64(machine_write_entry(machine, 64)->line, 64);
	/* Another line of the entry takes its name. */
	read_by(&tally, 0, 64 + (machine->filter_mask + 1) * 64);
	CHECK(machine_write_entry(machine, 64)->line != 64);
	STATES(64, MODIFIED, ABSENT);
	write_by(&tally, 0, 64);
	CHECK_EQ_U64(tally.n_upgraded, 1);
	CHECK_EQ_U64(tally.missed, 3);
	release_cores();
}

TEST(what_core_0_has_is_exclusive)
{
	struct tally tally = { 0 };

	begin_one(&usual, false);
	for (uint64_t at = 0; at < 65536; at += 64)
		write_by(&tally, 0, at); /* the first half has left D1 */
	add(&tally, refer_code(&drivers[0], 1 << 20, 4));
	begin_others(&usual, 2);
	STATES(0, EXCLUSIVE, ABSENT);
	STATES(65536 - 64, EXCLUSIVE, ABSENT);
	STATES(1 << 20, EXCLUSIVE, ABSENT);
	CHECK_EQ_U64(tally.missed, 1025);
	read_by(&tally, 1, 0);
	CHECK_EQ_U64(tally.from_core, 0);
	STATES(0, SHARED, SHARED);
	write_by(&tally, 0, 65536 - 64);
	STATES(65536 - 64, MODIFIED, ABSENT);
	read_by(&tally, 1, 65536 - 64);
	CHECK_EQ_U64(tally.from_core, 1);
	CHECK_EQ_U64(tally.missed, 1027);
	CHECK_EQ_U64(tally.memory, 1025);
	release_cores();
}

TEST(kernel_writes)
{
	struct tally tally = { 0 };
	struct hierarchy_config config = usual;

	config.write_back = true;
	begin_cores(&config, 2);
	read_by(&tally, 0, 64);
	read_by(&tally, 1, 64);
	read_by(&tally, 1, 128);
	write_by(&tally, 1, 192);
	cores_foreign_write(cores, address_range(100, 150), 0);
	STATES(64, MODIFIED, ABSENT);
	STATES(128, ABSENT, ABSENT);
	STATES(192, ABSENT, ABSENT);
	CHECK(cores_was_invalidated(cores, 1, 128));
	CHECK_EQ_U64(drivers[0].machine->lower.n_written, 0); /* into the shared level */
	cores_foreign_write(cores, address_range_all(), 1);
	STATES(64, ABSENT, ABSENT);
	CHECK(cores_was_invalidated(cores, 0, 64));
	CHECK_EQ_U64(tally.missed, 4);
	write_by(&tally, 0, 64);
	CHECK_EQ_U64(tally.invalidated, 1);
	CHECK_EQ_U64(tally.missed, 5);
	CHECK_EQ_U64(tally.n_upgraded, 0);
	release_cores();
}

TEST(prefetches_are_reads_that_do_not_count)
{
	struct tally tally = { 0 };

	begin_cores(&usual, 2);
	write_by(&tally, 0, 64);
	CHECK_EQ_U64(prefetch(&drivers[1], 2, 64), PREFETCH_HAD); /* the shared level */
	STATES(64, MODIFIED, ABSENT);
	CHECK_EQ_U64(prefetch(&drivers[1], 2, 128), 3);
	STATES(128, ABSENT, ABSENT);
	CHECK_EQ_U64(prefetch(&drivers[1], 1, 64), 2);
	STATES(64, SHARED, SHARED);
	CHECK_EQ_U64(prefetch(&drivers[1], 0, 64), 1);
	STATES(64, SHARED, SHARED);
	CHECK_EQ_U64(prefetch(&drivers[1], 0, 192), 3);
	STATES(192, ABSENT, EXCLUSIVE);
	CHECK_EQ_U64(prefetch(&drivers[0], 0, 128), 2);
	STATES(128, EXCLUSIVE, ABSENT);
	write_by(&tally, 1, 192);
	CHECK_EQ_U64(tally.missed, 1);
	CHECK(!cores->machines[1]->coherence.from_core);
	release_cores();
}

TEST(evicted_lines_leave_all_cores)
{
	struct tally tally = { 0 };

	begin_cores(&usual, 3);
	for (unsigned core = 0; core < 3; core++)
		read_by(&tally, core, 64);
	write_by(&tally, 1, 128);
	evict_everywhere(address_range(64, 65));
	STATES(64, ABSENT, ABSENT);
	STATES(128, ABSENT, ABSENT);
	CHECK_EQ_U64(tally.memory, 2);
	read_by(&tally, 2, 64);
	read_by(&tally, 2, 128);
	CHECK_EQ_U64(tally.memory, 4);
	CHECK_EQ_U64(cores_state(cores, 2, 64), LINE_EXCLUSIVE);
	cores_leave_one(cores, 0);
	CHECK_EQ_U64(cores_state(cores, 2, 64), LINE_ABSENT);
	read_by(&tally, 0, 64); /* the shared level keeps it */
	CHECK_EQ_U64(tally.memory, 4);
	CHECK_EQ_U64(cores_state(cores, 0, 64), LINE_EXCLUSIVE);
	release_cores();
}

TEST(lines_of_a_reference_across_the_top)
{
	const uint64_t top = UINT64_MAX - 63;
	struct done done;

	begin_cores(&usual, 2);
	done = refer_data(&drivers[0], UINT64_MAX - 3, 8, true, false);
	CHECK_EQ_U64(done.served, 3);
	STATES(top, MODIFIED, ABSENT);
	STATES(0, MODIFIED, ABSENT);
	done = refer_data(&drivers[1], UINT64_MAX - 3, 8, false, false);
	CHECK_EQ_U64(done.served, 2);
	CHECK(done.coherence.from_core);
	STATES(top, SHARED, SHARED);
	STATES(0, SHARED, SHARED);
	done = refer_data(&drivers[1], UINT64_MAX - 3, 8, true, false);
	CHECK_EQ_U64(done.served, 0);
	CHECK_EQ_U64(done.coherence.n_upgraded, 2);
	done = refer_data(&drivers[0], 0, 8, true, false);
	CHECK(done.coherence.from_core && done.coherence.was_invalidated);
	STATES(top, ABSENT, MODIFIED);
	STATES(0, MODIFIED, ABSENT);
	/* One line from the other core, one from memory. */
	done = refer_data(&drivers[0], top - 64, 128, false, false);
	CHECK_EQ_U64(done.served, 3);
	CHECK(done.coherence.from_core);
	cores_foreign_write(cores, address_range(UINT64_MAX, 1), 0);
	STATES(top, MODIFIED, ABSENT);
	release_cores();
}

/* A clean line that only another core has is served by it. */
TEST(clean_line_that_the_shared_level_has_lost)
{
	struct hierarchy_config config = usual;
	struct tally tally = { 0 };

	config.lower[1].geometry = (struct cache_geometry){ 1024, 16, 64 };
	begin_cores(&config, 2);
	for (uint64_t at = 0; at < 1024 + 64; at += 64)
		read_by(&tally, 0, at);
	CHECK_EQ_U64(tally.memory, 17);
	read_by(&tally, 1, 0);
	CHECK_EQ_U64(tally.from_core, 1);
	CHECK_EQ_U64(tally.memory, 17);
	STATES(0, SHARED, SHARED);
	read_by(&tally, 1, 1024);
	CHECK_EQ_U64(tally.from_core, 1);
	CHECK_EQ_U64(tally.missed, 19);
	release_cores();
}

TEST(many_cores)
{
	struct tally tally = { 0 };

	begin_cores(&usual, 64);
	for (unsigned core = 0; core < 64; core++)
		read_by(&tally, core, 4096);
	write_by(&tally, 63, 4096);
	CHECK_EQ_U64(tally.n_upgraded, 1);
	for (unsigned core = 0; core < 63; core++) {
		CHECK_EQ_U64(cores_state(cores, core, 4096), LINE_ABSENT);
		CHECK(cores_was_invalidated(cores, core, 4096));
	}
	CHECK_EQ_U64(cores_state(cores, 63, 4096), LINE_MODIFIED);
	for (unsigned core = 0; core < 64; core++)
		write_by(&tally, core, 8192);
	CHECK_EQ_U64(tally.from_core, 63);
	CHECK_EQ_U64(tally.invalidated, 0);
	release_cores();
}

/* More lines than there is room for come and go; what is there stays known. */
TEST(directory_is_swept)
{
	struct hierarchy_config config = usual;
	struct tally tally = { 0 };
	const uint64_t n_lines = 1 << 20;

	config.i1.geometry = config.d1.geometry = (struct cache_geometry){ 1024, 4, 64 };
	config.lower[0].geometry = (struct cache_geometry){ 2048, 4, 64 };
	begin_cores(&config, 2);
	CHECK_EQ_U64(cores->n_entries, 256);
	for (unsigned i = 0; i < 8; i++)
		write_by(&tally, 0, UINT64_C(64) * i);
	for (uint64_t line = 1 << 12; line < n_lines; line++)
		read_by(&tally, 1, line * 64);
	CHECK(cores->n_sweeps > 1000);
	CHECK(cores->n_used <= cores->n_entries / 4 * 3);
	for (unsigned i = 0; i < 8; i++)
		STATES(UINT64_C(64) * i, MODIFIED, ABSENT);
	for (unsigned i = 0; i < 8; i++)
		read_by(&tally, 1, UINT64_C(64) * i);
	CHECK_EQ_U64(tally.from_core, 8);
	/* Lines that all were invalidated, and that nobody has. */
	for (uint64_t line = n_lines; line < 2 * n_lines; line++) {
		read_by(&tally, 1, line * 64);
		cores_foreign_write(cores, address_range(line * 64, 64), 0);
	}
	CHECK(cores->n_used <= cores->n_entries / 4 * 3);
	CHECK(cores_was_invalidated(cores, 1, (2 * n_lines - 1) * 64));
	CHECK(cores_was_invalidated(cores, 1, (2 * n_lines - 32) * 64));
	CHECK(!cores_was_invalidated(cores, 1, n_lines * 64));
	release_cores();
}

TEST(needs_two_levels_one_line_size_and_two_sets_of_i1)
{
	struct hierarchy_config config = usual;

	CHECK_STR(cores_misfit(&config), NULL);
	config.n_lower = 1;
	CHECK(cores_misfit(&config) != NULL);
	config = usual;
	config.lower[1].geometry.line_size = 128;
	CHECK(cores_misfit(&config) != NULL);
	config = usual;
	config.d1.geometry.line_size = 32;
	CHECK(cores_misfit(&config) != NULL);
	config = usual;
	config.i1.geometry = (struct cache_geometry){ 512, 8, 64 };
	CHECK(cores_misfit(&config) != NULL);
	/* 64 cores with 2 MiB each. */
	config = usual;
	config.lower[0].geometry = (struct cache_geometry){ 2097152, 16, 64 };
	CHECK(directory_entries((size_t)64 * (512 + 512 + 32768)) * sizeof(struct directory_entry) <
	      140000000);
	CHECK(cores_size(&config, 64) + 63 * cores_machine_size(&config) < 200000000);
}

/* --- by chance --------------------------------------------------------------------- */

static struct naive_cores naive;

/* True if the ways of a plain first level have the lines of a naive one; dirty ones, too. */
static bool is_same_d1(struct machine *machine, const struct naive_level *level)
{
	const struct data_ways *d1 = &machine->d1;
	uint64_t n = 0, n_naive = 0;

	for (size_t way = 0; way < (size_t)(d1->set_mask + 1) * d1->assoc; way++) {
		uint64_t line = d1->tags[way] >> d1->line_bits;

		if (d1->tags[way] == NO_LINE)
			continue;
		n++;
		if (!naive_has(level, line))
			return false;
		if (d1->written_offset != 0 &&
		    (*machine_written(machine, &d1->stamps[way]) != 0) !=
			    (naive_dirty_at(level, line) < level->n_dirty))
			return false;
	}
	for (uint64_t set = 0; set < level->cache.sets; set++)
		n_naive += level->cache.used[set];
	return n == n_naive;
}

static bool is_same_i1(const struct machine *machine, const struct naive_level *level)
{
	const struct code_ways *i1 = &machine->i1;
	uint64_t n = 0, n_naive = 0;

	for (size_t way = 0; way < (size_t)(i1->set_mask + 1) * i1->assoc; way++) {
		if (i1->lines[way] == NULL)
			continue;
		n++;
		if (!naive_has(level, i1->lines[way]->address >> i1->line_bits))
			return false;
	}
	for (uint64_t set = 0; set < level->cache.sets; set++)
		n_naive += level->cache.used[set];
	return n == n_naive;
}

static bool is_same_cache(const struct cache *cache, const struct naive_level *level)
{
	if (!naive_equals(&level->cache, cache))
		return false;
	for (uint64_t set = 0; set < cache_n_sets(cache); set++)
		for (size_t way = 0; way < cache->assoc; way++) {
			uint64_t tag = cache_tag(cache, set, way);

			if (tag != 0 &&
			    cache_is_dirty(cache, (size_t)set * cache->assoc + way) !=
				    (naive_dirty_at(level, (tag - 1) >> cache->line_bits) <
				     level->n_dirty))
				return false;
		}
	return true;
}

/* The invariant of the filter of writes. */
static bool has_true_write_names(struct machine *machine, unsigned core)
{
	for (uint64_t i = 0; i <= machine->filter_mask; i++) {
		const struct filter_entry *entry = &machine->filter[i];
		const struct filter_entry *written = &machine->filter[i + machine->write_names];

		if ((written->line >> machine->d1.line_bits & machine->filter_mask) != i)
			continue;
		if (written->line != entry->line || written->stamp != entry->stamp)
			return false;
		if (cores_state(cores, core, entry->line) != LINE_MODIFIED)
			return false;
	}
	return true;
}

static bool is_same_state(unsigned core)
{
	for (size_t i = 0; i < NAIVE_BUCKETS; i++)
		for (const struct naive_line *line = naive.lines[i]; line; line = line->next)
			if ((unsigned)cores_state(cores, core, line->number << cores->line_bits) !=
			    (unsigned)naive_state(&naive, core, line->number))
				return false;
	return true;
}

static bool is_as_naive(void)
{
	bool same = true;

	for (unsigned core = 0; core < n_drivers && same; core++) {
		struct machine *machine = drivers[core].machine;
		struct naive_levels *levels = &naive.cores[core];

		same = CHECK(machine->d1.assoc != 0
				     ? is_same_d1(machine, &levels->d1)
				     : is_same_cache(&machine->called_d1, &levels->d1)) &&
		       CHECK(machine->i1.assoc != 0
				     ? is_same_i1(machine, &levels->i1)
				     : is_same_cache(&machine->called_i1, &levels->i1));
		for (unsigned i = 0; i < levels->n; i++)
			same = same && CHECK(is_same_cache(lower_cache(&machine->lower, i),
							   naive_lower(levels, i)));
		same = same && CHECK(!drivers[core].tlbs_differ) &&
		       CHECK(!drivers[core].twins_differ);
		if (cores)
			same = same && CHECK(has_true_write_names(machine, core)) &&
			       CHECK(is_same_state(core));
	}
	return same;
}

static bool is_same(const struct driver *driver, struct done done, struct naive_outcome outcome,
		    bool has_served)
{
	const unsigned core = (unsigned)(driver - drivers);
	/* A sweep may forget that a line was invalidated. */
	const bool is_known = cores && outcome.when == cores->n_sweeps;

	return (!has_served || CHECK_EQ_U64(done.served, outcome.served)) &&
	       CHECK_EQ_U64(done.coherence.from_core, outcome.from_core) &&
	       CHECK_EQ_U64(done.coherence.n_upgraded, outcome.n_upgraded) &&
	       CHECK(!done.coherence.was_invalidated || outcome.was_invalidated) &&
	       CHECK(done.coherence.was_invalidated || !outcome.was_invalidated || !is_known) &&
	       CHECK_EQ_U64(driver->machine->lower.n_written, naive.cores[core].n_written);
}

/* How often something was seen; else nothing was tested. */
static uint64_t n_from_core, n_upgraded, n_invalidated, n_from_code;

static bool refer(struct driver *driver, struct traffic *traffic, struct check_random *random,
		  bool is_fetch)
{
	const unsigned core = (unsigned)(driver - drivers);
	const uint64_t address = traffic_address(traffic);
	const uint64_t size =
		1 +
		check_random_below(random, is_fetch || check_random_below(random, 32) ? 16 : 300);
	const bool at_once = check_random_below(random, 16) == 0;
	const uint64_t kind = check_random_below(random, 24);
	enum naive_access access = is_fetch ? NAIVE_FETCH : kind < 8 ? NAIVE_WRITE : NAIVE_READ;
	struct naive_outcome outcome;
	struct done done;

	naive.now = cores ? cores->n_sweeps : 0;
	done = is_fetch ? refer_code(driver, address, size)
			: refer_data(driver, address, size, access == NAIVE_WRITE, at_once);
	outcome = naive_cores_refer(&naive, core, access, NAIVE_REFERENCE, 0, address, size);
	n_from_core += outcome.from_core;
	n_from_code += is_fetch && outcome.was_invalidated;
	n_upgraded += outcome.n_upgraded;
	n_invalidated += done.coherence.was_invalidated;
	if (!is_same(driver, done, outcome, true))
		return false;
	if (access != NAIVE_READ || kind < 22)
		return true;
	done = refer_modify(driver, address, size);
	outcome =
		naive_cores_refer(&naive, core, NAIVE_WRITE, NAIVE_MODIFICATION, 0, address, size);
	return is_same(driver, done, outcome, false);
}

/* What is no reference. */
static bool do_other(struct driver *driver, struct traffic *traffic, struct check_random *random)
{
	const unsigned core = (unsigned)(driver - drivers);
	const uint64_t line_size = naive.cores[0].line_size;
	const uint64_t line = traffic_address(traffic) & ~(line_size - 1);
	const unsigned level = (unsigned)check_random_below(random, naive.cores[0].n + 1);
	const struct address_range range =
		address_range(line, 1 + check_random_below(random, 1000));
	unsigned served;
	bool has;

	switch (check_random_below(random, 8)) {
	case 0:
		evict_everywhere(range);
		naive_cores_evict(&naive, range.first, range.last);
		return true;
	case 1:
		machine_hide(driver->machine, range);
		begin_block(driver, BLOCK);
		return true;
	case 2:
		if (!cores)
			return true;
		naive.now = cores->n_sweeps;
		cores_foreign_write(cores, range, core);
		naive_cores_foreign(&naive, core, range.first / line_size, range.last / line_size);
		return CHECK_EQ_U64(driver->machine->lower.n_written, naive.cores[core].n_written);
	case 3:
		machine_unmap(driver->machine, range);
		for (unsigned i = 0; i < n_drivers; i++) {
			if (drivers[i].tlbs_config)
				tlbs_evict(&drivers[i].tlbs, range);
			begin_block(&drivers[i], BLOCK);
		}
		return true;
	default:
		break;
	}
	if (level > 0 && naive.cores[0].inclusion[level - 1] == INCLUSION_VICTIM)
		return true;
	naive.now = cores ? cores->n_sweeps : 0;
	has = naive_has(level == 0 ? &naive.cores[core].d1
				   : naive_lower(&naive.cores[core], level - 1),
			line / line_size);
	served = prefetch(driver, level, line);
	if (has)
		return CHECK_EQ_U64(served, PREFETCH_HAD);
	return CHECK_EQ_U64(served, naive_cores_refer(&naive, core, NAIVE_READ, NAIVE_PREFETCH,
						      level, line, 1)
					    .served) &&
	       CHECK_EQ_U64(driver->machine->lower.n_written, naive.cores[core].n_written);
}

/* Core 0 alone for a while, then all. */
static bool compare(const struct hierarchy_config *config, unsigned n_cores, unsigned n,
		    bool has_twins)
{
	struct check_random random = { n_cores * 31 + config->lower[0].inclusion * 5 + 1 };
	static bool is_low; /* every other time: then all lines have short tags */
	struct traffic data, code;
	bool same = true;

	is_low = !is_low;
	begin_one(config, has_twins);
	naive_cores_init(&naive, config);
	if (is_low) {
		traffic_init_low(&data, &config->d1.geometry);
		traffic_init_low(&code, &config->i1.geometry);
	} else {
		traffic_init(&data, &config->d1.geometry);
		traffic_init(&code, &config->i1.geometry);
	}
	struct driver *driver = &drivers[0];

	for (unsigned i = 1; i <= n && same; i++) {
		const bool is_fetch = check_random_below(&random, 3) == 0;
		/* Now and then data where code is. */
		const bool is_mixed = check_random_below(&random, 8) == 0;

		if (i == n / 8) {
			same = same && is_as_naive();
			begin_others(config, n_cores);
			naive_cores_begin(&naive, config, n_cores);
			for (unsigned k = 0; k < n_cores; k++)
				begin_block(&drivers[k], BLOCK);
		}
		/* A core runs for some references. */
		if (check_random_below(&random, 6) == 0) {
			driver = &drivers[check_random_below(&random, n_drivers)];
			begin_block(driver, check_random_below(&random, 100));
		}
		same = same &&
		       refer(driver, is_fetch || is_mixed ? &code : &data, &random, is_fetch);
		if (same && check_random_below(&random, 64) == 0)
			same = do_other(driver, &data, &random);
		if (i % (n / 8) == 0)
			same = same && is_as_naive();
		if (!same)
			printf("# reference %u\n", i);
	}
	if (!same)
		printf("# %u cores, D1 of %u ways, hashed %d, write back %d, twins %d, TLBs %d, levels %d %d %d\n",
		       n_cores, config->d1.geometry.assoc, config->d1.hashes_sets,
		       config->write_back, has_twins, config->tlbs != NULL,
		       config->lower[0].inclusion, config->lower[1].inclusion,
		       config->n_lower > 2 ? (int)config->lower[2].inclusion : -1);
	naive_cores_release(&naive);
	release_cores();
	return same;
}

static const struct machine_tlbs_config tlbs_config = {
	.n_views = 1,
	.tlbs = { .arrays = { [TLB_ITLB] = { { .entries = 4, .ways = 4, .pages = 1 << TLB_4K } },
			      [TLB_DTLB] = { { .entries = 8, .ways = 4, .pages = 1 << TLB_4K } },
			      [TLB_STLB] = { { .entries = 16,
					       .ways = 4,
					       .pages = 1 << TLB_4K } } } },
	.views = { { .code = { .size = TLB_4K }, .data = { .size = TLB_4K } } },
};

/* LRU, for which C is called each time. */
static const struct policy unsettled = {
	.name = "lru",
	.hit = test_to_front,
	.miss = test_last_to_front,
};

/* Last levels that are too small for what they hold, too; plain and called first levels. */
static const struct hierarchy_config shapes[] = {
	{ .cores = 8,
	  .i1 = { .geometry = { 1024, 2, 64 } },
	  .d1 = { .geometry = { 2048, 8, 64 } },
	  .lower = { { .geometry = { 4096, 4, 64 } },
		     { .geometry = { 8192, 8, 64 } },
		     { .geometry = { 12288, 6, 64 } } } },
	{ .cores = 8,
	  .i1 = { .geometry = { 512, 8, 32 } },
	  .d1 = { .geometry = { 768, 3, 32 }, .hashes_sets = true },
	  .lower = { { .geometry = { 256, 2, 32 } },
		     { .geometry = { 512, 1, 32 } },
		     { .geometry = { 512, 16, 32 } } } },
	{ .cores = 8,
	  .i1 = { .geometry = { 512, 4, 64 }, .hashes_sets = true },
	  .d1 = { .geometry = { 1024, 4, 64 } },
	  .lower = { { .geometry = { 3072, 4, 64 }, .hashes_sets = true },
		     { .geometry = { 4096, 4, 64 } },
		     { .geometry = { 5632, 11, 64 }, .hashes_sets = true, .hash_seed = 3 } } },
	{ .cores = 8,
	  .i1 = { .geometry = { 512, 4, 64 }, .policy = &unsettled },
	  .d1 = { .geometry = { 1024, 4, 64 }, .policy = &unsettled },
	  .lower = { { .geometry = { 2048, 4, 64 } },
		     { .geometry = { 4096, 4, 64 } },
		     { .geometry = { 8192, 16, 64 } } } },
	{ .cores = 8,
	  .i1 = { .geometry = { 512, 4, 64 } },
	  .d1 = { .geometry = { 1536, 12, 64 } },
	  .lower = { { .geometry = { 1024, 16, 64 } },
		     { .geometry = { 16384, 16, 64 } },
		     { .geometry = { 32768, 16, 64 } } } },
};

TEST(all_inclusion_policies_equal_the_naive_model)
{
	unsigned n_cores = 2, round = 0;

	n_from_core = n_upgraded = n_invalidated = n_from_code = 0;
	for (size_t shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++) {
		for (unsigned n = 2; n <= 3; n++) {
			for (unsigned number = 0; number < (n == 2 ? 9 : 27); number++) {
				struct hierarchy_config config = shapes[shape];

				config.n_lower = n;
				config.lower[0].inclusion = (enum inclusion)(number % 3);
				config.lower[1].inclusion = (enum inclusion)(number / 3 % 3);
				config.lower[2].inclusion = (enum inclusion)(number / 9);
				/* Half of all kinds. */
				for (unsigned kind = number % 2; kind < 8; kind += 2) {
					config.write_back = (kind & 1) != (shape & 1);
					config.tlbs = kind & 4 ? &tlbs_config : NULL;
					if (!compare(&config, n_cores, n == 2 ? 6000 : 2400,
						     kind & 2))
						return;
					n_cores = 2 + round++ % 7;
				}
			}
		}
	}
	CHECK(n_from_core > 10000 && n_upgraded > 10000 && n_invalidated > 10000);
	CHECK(n_from_code > 100);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(producer_and_consumer),
		CHECK_TEST(counters_in_one_line_move_and_padded_ones_do_not),
		CHECK_TEST(states_of_a_line),
		CHECK_TEST(writes_without_a_call_are_of_modified_lines_only),
		CHECK_TEST(what_core_0_has_is_exclusive),
		CHECK_TEST(kernel_writes),
		CHECK_TEST(prefetches_are_reads_that_do_not_count),
		CHECK_TEST(evicted_lines_leave_all_cores),
		CHECK_TEST(lines_of_a_reference_across_the_top),
		CHECK_TEST(clean_line_that_the_shared_level_has_lost),
		CHECK_TEST(many_cores),
		CHECK_TEST(directory_is_swept),
		CHECK_TEST(needs_two_levels_one_line_size_and_two_sets_of_i1),
		CHECK_TEST(all_inclusion_policies_equal_the_naive_model),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
