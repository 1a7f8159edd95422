/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All probes are run in passes, one after the other, so that a neighbor who comes and goes disturbs one pass
 * rather than one number. There are three passes or more, until two of them agree in each number, or time is up.
 *
 * The last level is an exception: how much of it one program has changes within minutes, so it has a median and a
 * range, and nothing has to agree.
 */
#define _GNU_SOURCE /* sched_setaffinity() */
#include "cmds/machine/measure.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/machine/probes.h"
#include "profile/common/heap.h"
#include "sim/machines/machinecosts.h"

enum {
	LEAST_PASSES = 3,
	MOST_PASSES = 24,
	MOST_SECONDS = 110, /* after which no pass begins */
};

/* Two passes agree in a number that differs by no more than one, or by a tenth. */
#define AGREE_UNITS 1.0
#define AGREE_PART  0.1

/* A number that is this many times the preset's, or the other way round, contradicts it. */
#define CONTRADICTION 1.5

/* A prefetcher is there if it makes loads this much faster than walks in random order. */
#define PREFETCHED 0.7

enum quantity {
	CLOCK,
	LINE_SIZE,
	L1D_SIZE,
	L1D_WAYS,
	L1D_CYCLES,
	L2_SIZE,
	L2_CYCLES,
	L3_SIZE,
	L3_CYCLES,
	MEMORY_CYCLES,
	DTLB_ENTRIES,
	STLB_ENTRIES,
	STLB_CYCLES,
	WALK_CYCLES,
	MISPREDICT_CYCLES,
	FORWARD_CYCLES,
	RENAMED_CYCLES,
	JUMP_CYCLES,
	CALL_CYCLES,
	NEAR_TARGETS,
	BTB_CYCLES,
	L2_LINE_CYCLES,
	L3_LINE_CYCLES,
	STREAM_CYCLES,
	TRANSFER_CYCLES,
	MISSES_AT_A_TIME,
	SAME_SET_CYCLES,
	/* Cycles of a prefetched load, as a part of one that is not. */
	NEXT_LINE_PART,
	STRIDE_PART,
	STREAM_PART,
	ADJACENT_PART,
	N_QUANTITIES,
};

static const struct {
	const char *name; /* in messages */
	const char *unit;
	bool is_time;
} quantities[N_QUANTITIES] = {
	[CLOCK] = { "clock", " GHz", false },
	[LINE_SIZE] = { "line", " bytes", false },
	[L1D_SIZE] = { "L1D", " bytes", false },
	[L1D_WAYS] = { "L1D", " ways", false },
	[L1D_CYCLES] = { "cost L1D", " cycles", true },
	[L2_SIZE] = { "L2", " bytes", false },
	[L2_CYCLES] = { "cost L2", " cycles", true },
	[L3_SIZE] = { "L3", " bytes", false },
	[L3_CYCLES] = { "cost L3", " cycles", true },
	[MEMORY_CYCLES] = { "cost memory", " cycles", true },
	[DTLB_ENTRIES] = { "DTLB", " pages", false },
	[STLB_ENTRIES] = { "STLB", " pages", false },
	[STLB_CYCLES] = { "cost STLB", " cycles", true },
	[WALK_CYCLES] = { "cost walk", " cycles", true },
	[MISPREDICT_CYCLES] = { "cost mispredict", " cycles", true },
	[FORWARD_CYCLES] = { "cost forward", " cycles", true },
	[RENAMED_CYCLES] = { "cost renamed", " cycles", true },
	[JUMP_CYCLES] = { "cost jump", " cycles", true },
	[CALL_CYCLES] = { "cost call", " cycles", true },
	[NEAR_TARGETS] = { "btb first", " targets", false },
	[BTB_CYCLES] = { "cost btb", " cycles", true },
	[L2_LINE_CYCLES] = { "stream from L2", " cycles a line", true },
	[L3_LINE_CYCLES] = { "stream from L3", " cycles a line", true },
	[STREAM_CYCLES] = { "cost stream", " cycles", true },
	[TRANSFER_CYCLES] = { "cost transfer", " cycles", true },
	[MISSES_AT_A_TIME] = { "misses", " lines", false },
	[SAME_SET_CYCLES] = { "misses set", " cycles", true },
	[NEXT_LINE_PART] = { "prefetch L1D next-line", " of a latency", true },
	[STRIDE_PART] = { "prefetch L1D ip-stride", " of a latency", true },
	[STREAM_PART] = { "prefetch L2 stream", " of a latency", true },
	[ADJACENT_PART] = { "prefetch L2 adjacent", " of a latency", true },
};

/* What the passes found; NAN where one could not tell. */
struct passes {
	double values[N_QUANTITIES][MOST_PASSES];
	unsigned n;
	unsigned n_disturbed; /* when these began, other programs ran */
};

/* -- a pass ------------------------------------------------------------------------------------ */

static void measure_caches(struct probes *probes, double found[N_QUANTITIES])
{
	const struct probe_hints *hints = &probes->hints;

	found[LINE_SIZE] = probe_line(probes);
	found[L1D_CYCLES] = probe_chase(probes, hints->l1d / 2);
	found[L2_CYCLES] = probe_chase(probes, hints->l2 / 2);
	found[MEMORY_CYCLES] = probe_memory(probes, found[STLB_CYCLES], found[WALK_CYCLES]);
	found[L1D_WAYS] = probe_l1d_ways(probes);
	found[L1D_SIZE] = probe_level_size(probes, hints->l1d, found[L1D_CYCLES], found[L2_CYCLES]);
	found[L3_SIZE] = found[L3_CYCLES] = NAN;
	if (hints->l3 != 0 && !isnan(found[MEMORY_CYCLES]))
		found[L3_SIZE] = probe_last_level(probes, found[MEMORY_CYCLES], &found[L3_CYCLES]);
	found[L2_SIZE] =
		probe_level_size(probes, hints->l2, found[L2_CYCLES],
				 isnan(found[L3_CYCLES]) ? found[MEMORY_CYCLES] : found[L3_CYCLES]);
}

static void measure_pages(struct probes *probes, double found[N_QUANTITIES])
{
	const size_t entries = probes->hints.stlb;

	found[DTLB_ENTRIES] = found[STLB_ENTRIES] = found[STLB_CYCLES] = found[WALK_CYCLES] = NAN;
	if (entries == 0)
		return;
	found[STLB_CYCLES] = probe_pages(probes, entries / 4);
	found[WALK_CYCLES] = probe_pages(probes, 4 * entries);
	found[DTLB_ENTRIES] = probe_tlb_reach(probes, 8, entries / 4, 0.4 * found[STLB_CYCLES]);
	found[STLB_ENTRIES] = probe_tlb_reach(probes, entries / 4, 4 * entries,
					      0.7 * found[STLB_CYCLES] + 0.3 * found[WALK_CYCLES]);
}

static void measure_memory(struct probes *probes, double found[N_QUANTITIES])
{
	const double memory = found[MEMORY_CYCLES];
	double others;

	found[L2_LINE_CYCLES] = probe_stream_within(probes, probes->hints.l2 / 2);
	found[L3_LINE_CYCLES] = NAN;
	if (!isnan(found[L3_SIZE]) && found[L3_SIZE] > 1.5 * (double)probes->hints.l2)
		found[L3_LINE_CYCLES] = probe_stream_within(probes, 2 * probes->hints.l2);
	found[STREAM_CYCLES] = probe_streams(probes, 1);
	found[TRANSFER_CYCLES] = probe_streams(probes, 4);
	if (found[TRANSFER_CYCLES] > found[STREAM_CYCLES])
		found[TRANSFER_CYCLES] = found[STREAM_CYCLES];
	found[MISSES_AT_A_TIME] = probe_parallel_misses(probes);
	found[SAME_SET_CYCLES] = NAN;
	if (found[L3_SIZE] > 4 * (double)probes->hints.l2) {
		found[SAME_SET_CYCLES] = probe_same_set(probes, 2 * probes->hints.l2, &others);
		if (found[SAME_SET_CYCLES] < 1.5 * others) /* they do not wait for each other */
			found[SAME_SET_CYCLES] = 0;
	}
	found[NEXT_LINE_PART] =
		probe_ordered(probes, probes->hints.l2 / 2, 1, false) / found[L2_CYCLES];
	found[STRIDE_PART] =
		probe_ordered(probes, probes->hints.l2 / 2, 3, false) / found[L2_CYCLES];
	found[STREAM_PART] = probe_ordered(probes, (size_t)32 << 20, 1, true) / memory;
	found[ADJACENT_PART] = probe_pair(probes, memory) / memory;
}

/* The target buffer's first level ends where jumps begin to take an extra cycle. */
static void measure_targets(struct probes *probes, double found[N_QUANTITIES])
{
	static const unsigned counts[] = { 64, 96, 128, 192, 256, 384, 512, 768, 1024 };
	const size_t n_counts = sizeof(counts) / sizeof(counts[0]);
	const double near = probe_jumps(probes, 32), far = probe_jumps(probes, 1024);
	unsigned before = 32;

	found[JUMP_CYCLES] = near;
	found[NEAR_TARGETS] = found[BTB_CYCLES] = NAN;
	if (isnan(near) || far < near + 0.5)
		return;
	for (size_t i = 0; i < n_counts; i++) {
		if (probe_jumps(probes, counts[i]) > (near + far) / 2) {
			found[NEAR_TARGETS] = before;
			found[BTB_CYCLES] = far - near;
			return;
		}
		before = counts[i];
	}
}

static void measure_pass(struct probes *probes, double found[N_QUANTITIES])
{
	found[CLOCK] = probe_clock(probes);
	measure_pages(probes, found);
	measure_caches(probes, found);
	measure_memory(probes, found);
	found[MISPREDICT_CYCLES] = probe_mispredict(probes);
	found[FORWARD_CYCLES] = probe_forward(probes, false);
	found[RENAMED_CYCLES] = probe_forward(probes, true);
	measure_targets(probes, found);
	found[CALL_CYCLES] = probe_call(probes);
}

/* -- passes ------------------------------------------------------------------------------------ */

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The values of a quantity in their order, without those that are none: how many there are. */
static unsigned sorted(const struct passes *passes, enum quantity quantity,
		       double values[MOST_PASSES])
{
	unsigned n = 0;

	for (unsigned i = 0; i < passes->n; i++)
		if (!isnan(passes->values[quantity][i]))
			values[n++] = passes->values[quantity][i];
	qsort(values, n, sizeof(values[0]), compare_doubles);
	return n;
}

/* Two values, the smaller one first. */
static bool agree(double a, double b)
{
	return b - a <= AGREE_UNITS || b - a <= AGREE_PART * b;
}

/* True if two passes agree, or too few could tell. */
static bool agrees(const struct passes *passes, enum quantity quantity)
{
	double values[MOST_PASSES];
	const unsigned n = sorted(passes, quantity, values);

	if (2 * n <= passes->n)
		return true;
	for (unsigned i = 0; i + 1 < n; i++)
		if (agree(values[i], values[i + 1]))
			return true;
	return quantity == L3_SIZE;
}

/*
 * What the passes say together; NAN if fewer than half of them could tell. Neighbors only ever add time, so times
 * are the least that two passes agree in; all else, and what no two agree in, is the median.
 */
static double found_in(const struct passes *passes, enum quantity quantity)
{
	double values[MOST_PASSES];
	const unsigned n = sorted(passes, quantity, values);

	if (2 * n <= passes->n)
		return NAN;
	for (unsigned i = 0; quantities[quantity].is_time && i + 1 < n; i++)
		if (agree(values[i], values[i + 1]))
			return (values[i] + values[i + 1]) / 2;
	return n % 2 != 0 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static bool all_agree(const struct passes *passes)
{
	for (unsigned quantity = 0; quantity < N_QUANTITIES; quantity++)
		if (!agrees(passes, (enum quantity)quantity))
			return false;
	return true;
}

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* True if another program runs at the moment, too: the fourth word of /proc/loadavg begins with how many do. */
static bool is_disturbed(void)
{
	FILE *in = fopen("/proc/loadavg", "r");
	char text[128];
	const char *at;

	if (in == NULL)
		return false;
	at = fgets(text, sizeof(text), in) != NULL ? text : "";
	fclose(in);
	for (int word = 1; word < 4; word++) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	return strtoul(at, NULL, 10) > 1;
}

static void measure(struct probes *probes, struct passes *passes)
{
	const double began = seconds();
	double found[N_QUANTITIES];

	for (passes->n = 0; passes->n < MOST_PASSES;) {
		passes->n_disturbed += is_disturbed();
		measure_pass(probes, found);
		for (unsigned quantity = 0; quantity < N_QUANTITIES; quantity++)
			passes->values[quantity][passes->n] = found[quantity];
		passes->n++;
		if (passes->n >= LEAST_PASSES &&
		    (all_agree(passes) || seconds() - began > MOST_SECONDS))
			return;
	}
}

/* -- the text ---------------------------------------------------------------------------------- */

struct writing {
	FILE *out;
	const struct machinefile *base;
	const struct passes *passes;
	char date[16]; /* 2026-11-28 */
};

/* With few digits, and in its unit. */
static void put_number(FILE *out, enum quantity quantity, double value)
{
	const char *unit = quantities[quantity].unit;

	if (quantity == L3_SIZE || quantity == L2_SIZE || quantity == L1D_SIZE) {
		unit = value < 1048576 ? " KiB" : " MiB";
		value /= value < 1048576 ? 1024 : 1048576;
	}
	fprintf(out, "%.*f%s", value < 10 ? 1 : 0, value, unit);
}

/* "measured 2026-11-28, 51 cycles, spread 2", for a comment. */
static void put_source(const struct writing *writing, enum quantity quantity)
{
	double values[MOST_PASSES];
	const unsigned n = sorted(writing->passes, quantity, values);

	fprintf(writing->out, "measured %s, ", writing->date);
	put_number(writing->out, quantity, found_in(writing->passes, quantity));
	if (quantity == L3_SIZE) {
		fputs(", median of ", writing->out);
		put_number(writing->out, quantity, values[0]);
		fputs(" to ", writing->out);
		put_number(writing->out, quantity, values[n - 1]);
		return;
	}
	fputs(", spread ", writing->out);
	put_number(writing->out, quantity, values[n - 1] - values[0]);
	if (!agrees(writing->passes, quantity))
		fputs(", no two runs agree", writing->out);
}

/* A field of a line is replaced by a number; 0 leaves it as it is. */
struct replacement {
	uint64_t fields[MACHINEFILE_MAX_FIELDS];
	bool drops[MACHINEFILE_MAX_FIELDS];
};

/* The fields of a line, without its comment. */
static void put_fields(const struct writing *writing, const struct machinefile_item *item,
		       const struct replacement *with)
{
	const struct machinefile_row *row = &machinefile_rows[item->kind];

	fputs(row->keyword, writing->out);
	for (unsigned f = 0; f < row->n_fields; f++) {
		const struct machinefile_field *field = &row->fields[f];
		const bool is_given = (item->given & 1U << f) != 0;
		const bool is_size = field->form == FORM_SIZE && with->fields[f] % 1024 == 0;

		if (with->drops[f] || (!is_given && with->fields[f] == 0))
			continue;
		fprintf(writing->out, " %s%s", field->is_named ? field->name : "",
			field->is_named ? "=" : "");
		if (with->fields[f] != 0)
			fprintf(writing->out, "%llu%s",
				(unsigned long long)with->fields[f] / (is_size ? 1024 : 1),
				is_size ? "K" : "");
		else
			fprintf(writing->out, "%.*s%s", (int)item->words[f].len,
				writing->base->text + item->words[f].offset,
				(item->assumed & 1U << f) != 0 ? " assumed" : "");
	}
	fputs(" ; ", writing->out);
}

/* The line as it is in the base. */
static void put_as_it_is(const struct writing *writing, const struct machinefile_item *item)
{
	put_fields(writing, item, &(struct replacement){ .fields = { 0 } });
	fprintf(writing->out, "%.*s\n", (int)item->source.len,
		writing->base->text + item->source.offset);
}

/* Rounded, halves down, and no less than least. */
static uint64_t rounded(double value, uint64_t least)
{
	return value < (double)least ? least : (uint64_t)(value + 0.49);
}

/* True if one is more than CONTRADICTION times the other. */
static bool contradict(double measured, double said)
{
	return said > 0 && (measured > CONTRADICTION * said || said > CONTRADICTION * measured);
}

static bool is_known(const struct writing *writing, enum quantity quantity)
{
	return quantity != N_QUANTITIES && !isnan(found_in(writing->passes, quantity));
}

static enum quantity size_quantity(enum machinefile_kind kind)
{
	return kind == MACHINE_L1D ? L1D_SIZE : kind == MACHINE_L2 ? L2_SIZE : L3_SIZE;
}

/*
 * The bytes that a level gets. L1D and L2 are what the processor says unless that is contradicted, as in a machine whose
 * hypervisor makes them up. The last level has as many ways as the processor says, and as many sets as fit into what there is:
 * neighbors take lines of any set, not ways. No level is smaller than the one above it, but for a victim.
 */
static uint64_t level_size(const struct writing *writing, enum machinefile_kind kind)
{
	const struct machinefile_item *item = machinefile_find(writing->base, kind);
	const uint64_t line = machinefile_find(writing->base, MACHINE_LINE)->values[LINE_BYTES];
	const uint64_t row = line * item->values[CACHE_WAYS], said = item->values[CACHE_SIZE];
	const bool is_victim = kind != MACHINE_L1D &&
			       item->values[CACHE_RELATION] == INCLUSION_VICTIM;
	const double measured = found_in(writing->passes, size_quantity(kind));
	const bool replaces = !isnan(measured) && (contradict(measured, (double)said) ||
						   (kind == MACHINE_L3 && measured < (double)said));
	uint64_t n_sets, least;

	/* By 16 sets, so that it is whole KiB. */
	n_sets = replaces ? 16 * rounded(measured / (double)(16 * row), 1) : said / row;
	while (kind == MACHINE_L1D && (n_sets & (n_sets - 1)) != 0)
		n_sets &= n_sets - 1;
	least = kind == MACHINE_L1D || is_victim
			? 0
			: level_size(writing, kind == MACHINE_L3 ? MACHINE_L2 : MACHINE_L1D);
	if (n_sets * row < least)
		n_sets = (least + row - 1) / row;
	return n_sets * row;
}

static void put_cache(const struct writing *writing, const struct machinefile_item *item)
{
	const enum quantity quantity = size_quantity(item->kind);
	const double size = found_in(writing->passes, quantity);
	struct replacement with = { .fields = { 0 } };

	with.fields[CACHE_SIZE] = level_size(writing, item->kind);
	if (with.fields[CACHE_SIZE] == item->values[CACHE_SIZE])
		with.fields[CACHE_SIZE] = 0;
	put_fields(writing, item, &with);
	if (!isnan(size)) {
		fputs("size: ", writing->out);
		put_source(writing, quantity);
		fputs("; ", writing->out);
	}
	if (quantity == L1D_SIZE && is_known(writing, L1D_WAYS)) {
		fputs("ways: ", writing->out);
		put_source(writing, L1D_WAYS);
		fputs("; ", writing->out);
	}
	fprintf(writing->out, "%.*s\n", (int)item->source.len,
		writing->base->text + item->source.offset);
}

/* Entries are the preset's, unless they are contradicted; then as many as were reached, by whole sets. */
static void put_tlb(const struct writing *writing, const struct machinefile_item *item,
		    enum quantity quantity)
{
	const double entries = found_in(writing->passes, quantity);
	const uint64_t ways = item->values[TLB_WAYS];
	struct replacement with = { .fields = { 0 } };

	if (isnan(entries) || (item->values[TLB_PAGES] & 1U << TLB_4K) == 0) {
		put_as_it_is(writing, item);
		return;
	}
	if (contradict(entries, (double)item->values[TLB_ENTRIES])) {
		const bool is_full = item->values[TLB_ENTRIES] == ways; /* fully associative */

		with.fields[TLB_ENTRIES] = is_full ? rounded(entries, 1)
						   : rounded(entries / (double)ways, 1) * ways;
		if (is_full)
			with.fields[TLB_WAYS] = with.fields[TLB_ENTRIES];
	}
	put_fields(writing, item, &with);
	put_source(writing, quantity);
	fprintf(writing->out, "; %.*s\n", (int)item->source.len,
		writing->base->text + item->source.offset);
}

static void put_cost(const struct writing *writing, enum machine_cost of, enum quantity quantity)
{
	const bool may_be_none = of == COST_RENAMED;

	fprintf(writing->out, "cost %s %llu ; ", machinefile_word(MACHINE_COST, COST_OF, of),
		(unsigned long long)rounded(found_in(writing->passes, quantity), !may_be_none));
	put_source(writing, quantity);
	fputc('\n', writing->out);
}

static const enum quantity of_costs[N_MACHINE_COSTS] = {
	[COST_L1D] = L1D_CYCLES,
	[COST_L2] = L2_CYCLES,
	[COST_L3] = L3_CYCLES,
	[COST_L4] = N_QUANTITIES,
	[COST_MEMORY] = MEMORY_CYCLES,
	[COST_MISPREDICT] = MISPREDICT_CYCLES,
	[COST_STLB] = STLB_CYCLES,
	[COST_WALK] = WALK_CYCLES,
	[COST_FORWARD] = FORWARD_CYCLES,
	[COST_STREAM] = STREAM_CYCLES,
	[COST_TRANSFER] = TRANSFER_CYCLES,
	[COST_JUMP] = JUMP_CYCLES,
	[COST_BTB] = BTB_CYCLES,
	[COST_RENAMED] = RENAMED_CYCLES,
	[COST_CALL] = CALL_CYCLES,
	[COST_CORE] = N_QUANTITIES,
};

/* As it is, whatever was measured: that is said, and warned of if it is another number. */
static void put_confirmed(const struct writing *writing, const struct machinefile_item *item,
			  enum quantity quantity)
{
	put_fields(writing, item, &(struct replacement){ .fields = { 0 } });
	put_source(writing, quantity);
	fprintf(writing->out, "; %.*s\n", (int)item->source.len,
		writing->base->text + item->source.offset);
}

/* A line with one number, and perhaps a second one. */
static void put_amount(const struct writing *writing, const struct machinefile_item *item,
		       unsigned field, enum quantity quantity)
{
	struct replacement with = { .fields = { 0 } };

	with.fields[field] = rounded(found_in(writing->passes, quantity), 1);
	if (item->kind == MACHINE_MISSES && is_known(writing, SAME_SET_CYCLES)) {
		with.fields[MISSES_SET] = rounded(found_in(writing->passes, SAME_SET_CYCLES), 0);
		with.drops[MISSES_SET] = with.fields[MISSES_SET] == 0;
	}
	put_fields(writing, item, &with);
	if (item->kind == MACHINE_BTB)
		fputs("first: ", writing->out);
	put_source(writing, quantity);
	if (item->kind == MACHINE_BTB)
		fprintf(writing->out, "; %.*s", (int)item->source.len,
			writing->base->text + item->source.offset);
	fputc('\n', writing->out);
}

/* The bytes that a stream of lines has from a level, in a cycle. */
static void put_roof(const struct writing *writing, const struct machinefile_item *item)
{
	const uint64_t line = machinefile_find(writing->base, MACHINE_LINE)->values[LINE_BYTES];
	const enum quantity quantity = item->values[ROOF_OF] == ROOF_L2   ? L2_LINE_CYCLES
				       : item->values[ROOF_OF] == ROOF_L3 ? L3_LINE_CYCLES
									  : N_QUANTITIES;
	struct replacement with = { .fields = { 0 } };

	if (!is_known(writing, quantity)) {
		put_as_it_is(writing, item);
		return;
	}
	with.fields[ROOF_AMOUNT] = rounded((double)line / found_in(writing->passes, quantity), 1);
	put_fields(writing, item, &with);
	put_source(writing, quantity);
	fputc('\n', writing->out);
}

/* Which quantity tells that a prefetcher is there; N_QUANTITIES if none does. */
static enum quantity of_prefetcher(const struct machinefile_item *item)
{
	static const struct {
		enum machine_level level;
		enum prefetch_kind kind;
		enum quantity quantity;
	} all[] = {
		{ LEVEL_IS_L1D, PREFETCH_NEXT_LINE, NEXT_LINE_PART },
		{ LEVEL_IS_L1D, PREFETCH_IP_STRIDE, STRIDE_PART },
		{ LEVEL_IS_L2, PREFETCH_STREAM, STREAM_PART },
		{ LEVEL_IS_L2, PREFETCH_ADJACENT_LINE, ADJACENT_PART },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (item->values[PREFETCH_LEVEL] == all[i].level &&
		    item->values[PREFETCH_KIND] == all[i].kind)
			return all[i].quantity;
	return N_QUANTITIES;
}

/* One that is off becomes a comment. */
static void put_prefetcher(const struct writing *writing, const struct machinefile_item *item)
{
	const enum quantity quantity = of_prefetcher(item);

	if (!is_known(writing, quantity)) {
		put_as_it_is(writing, item);
		return;
	}
	if (found_in(writing->passes, quantity) > PREFETCHED)
		fputs("# off: ", writing->out);
	put_fields(writing, item, &(struct replacement){ .fields = { 0 } });
	put_source(writing, quantity);
	fputc('\n', writing->out);
}

static void put_item(const struct writing *writing, const struct machinefile_item *item)
{
	const enum machinefile_kind kind = item->kind;

	if (kind == MACHINE_LINE && is_known(writing, LINE_SIZE))
		put_confirmed(writing, item, LINE_SIZE);
	else if (kind == MACHINE_L1D || kind == MACHINE_L2 || kind == MACHINE_L3)
		put_cache(writing, item);
	else if (kind == MACHINE_DTLB)
		put_tlb(writing, item, DTLB_ENTRIES);
	else if (kind == MACHINE_STLB)
		put_tlb(writing, item, STLB_ENTRIES);
	else if (kind == MACHINE_ROOF)
		put_roof(writing, item);
	else if (kind == MACHINE_PREFETCH)
		put_prefetcher(writing, item);
	else if (kind == MACHINE_COST && is_known(writing, of_costs[item->values[COST_OF]]))
		put_cost(writing, (enum machine_cost)item->values[COST_OF],
			 of_costs[item->values[COST_OF]]);
	else if (kind == MACHINE_COST && item->values[COST_OF] == COST_CORE && item->assumed != 0 &&
		 is_known(writing, L3_CYCLES))
		fprintf(writing->out, "cost %s %llu assumed ; twice L3\n",
			machinefile_word(MACHINE_COST, COST_OF, COST_CORE),
			2 * (unsigned long long)rounded(found_in(writing->passes, L3_CYCLES), 1));
	else if (kind == MACHINE_MISSES && is_known(writing, MISSES_AT_A_TIME))
		put_amount(writing, item, MACHINE_AMOUNT, MISSES_AT_A_TIME);
	else if (kind == MACHINE_BTB && is_known(writing, NEAR_TARGETS))
		put_amount(writing, item, BTB_FIRST, NEAR_TARGETS);
	else
		put_as_it_is(writing, item);
}

static bool has_cost(const struct machinefile *base, enum machine_cost of)
{
	for (size_t i = 0; i < base->n_items; i++)
		if (base->items[i].kind == MACHINE_COST && base->items[i].values[COST_OF] == of)
			return true;
	return false;
}

static void put_machine(const struct writing *writing)
{
	const struct machinefile *base = writing->base;

	fprintf(writing->out, "machine %s  %.*s, measured %s at ", base->name,
		(int)base->description.len, base->text + base->description.offset, writing->date);
	fprintf(writing->out, "%.2f GHz\n", found_in(writing->passes, CLOCK));
	for (size_t i = 0; i < base->n_items; i++)
		put_item(writing, &base->items[i]);
	for (unsigned of = 0; of < N_MACHINE_COSTS; of++)
		if (!has_cost(base, (enum machine_cost)of) && is_known(writing, of_costs[of]))
			put_cost(writing, (enum machine_cost)of, of_costs[of]);
}

/* -- what is said about it ------------------------------------------------------------------------ */

static void warn_of(const char *command, const struct passes *passes, enum quantity quantity,
		    double said, const char *where)
{
	const double measured = found_in(passes, quantity);
	char *text;
	size_t len;
	FILE *out;

	if (isnan(measured) || !contradict(measured, said))
		return;
	out = heap_stream(&text, &len);
	put_number(out, quantity, measured);
	fprintf(out, ", %s ", where);
	put_number(out, quantity, said);
	heap_stream_close(out, &text);
	warn(command, "%s: measured %s", quantities[quantity].name, text);
	free(text);
}

static void warn_of_contradictions(const char *command, const struct machinefile *base,
				   const struct passes *passes)
{
	static const char told[] = "where the processor says", preset[] = "where the preset says";
	struct machinecosts costs;

	if (2 * passes->n_disturbed > passes->n)
		warn(command,
		     "other programs were running: latencies of memory are too high, if they use it");
	machinecosts_read(&costs, base);
	for (size_t i = 0; i < base->n_items; i++) {
		const struct machinefile_item *item = &base->items[i];
		const double first = (double)item->values[0];

		if (item->kind == MACHINE_LINE)
			warn_of(command, passes, LINE_SIZE, first, told);
		if (item->kind == MACHINE_L1D) {
			warn_of(command, passes, L1D_SIZE, first, told);
			warn_of(command, passes, L1D_WAYS, (double)item->values[CACHE_WAYS], told);
		}
		if (item->kind == MACHINE_L2)
			warn_of(command, passes, L2_SIZE, first, told);
		if (item->kind == MACHINE_L3)
			warn_of(command, passes, L3_SIZE, first, told);
		if (item->kind == MACHINE_DTLB && (item->values[TLB_PAGES] & 1U << TLB_4K) != 0)
			warn_of(command, passes, DTLB_ENTRIES, first, preset);
		if (item->kind == MACHINE_STLB && (item->values[TLB_PAGES] & 1U << TLB_4K) != 0)
			warn_of(command, passes, STLB_ENTRIES, first, preset);
		if (item->kind == MACHINE_MISSES)
			warn_of(command, passes, MISSES_AT_A_TIME, first, preset);
	}
	for (unsigned of = 0; of < N_MACHINE_COSTS; of++)
		if (of_costs[of] != N_QUANTITIES && (costs.said & 1U << of) != 0)
			warn_of(command, passes, of_costs[of], costs.cycles[of], preset);
	for (unsigned quantity = 0; quantity < N_QUANTITIES; quantity++)
		if (!agrees(passes, (enum quantity)quantity))
			warn(command, "%s: no two of %u runs agree", quantities[quantity].name,
			     passes->n);
}

/* -- the command ------------------------------------------------------------------------------- */

static struct probe_hints hints_of(const struct machinefile *base)
{
	struct probe_hints hints = { 0 };

	for (size_t i = 0; i < base->n_items; i++) {
		const struct machinefile_item *item = &base->items[i];
		const size_t first = item->values[0];

		if (item->kind == MACHINE_LINE)
			hints.line = first;
		if (item->kind == MACHINE_L1D)
			hints.l1d = first;
		if (item->kind == MACHINE_L2)
			hints.l2 = first;
		if (item->kind == MACHINE_L3)
			hints.l3 = first;
		if (item->kind == MACHINE_STLB && (item->values[TLB_PAGES] & 1U << TLB_4K) != 0)
			hints.stlb = first;
	}
	return hints;
}

/* Stays where it is: a migration would measure two processors. */
static void stay_here(void)
{
	const int processor = sched_getcpu();
	cpu_set_t set;

	if (processor < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int machine_measure(const struct machinefile *base, const char *command, bool quiet, char **text,
		    size_t *len)
{
	const struct probe_hints hints = hints_of(base);
	const time_t today = time(NULL);
	struct tm day;
	struct writing writing = { .base = base };
	struct passes *passes;
	struct probes probes;

	stay_here();
	if (!probes_init(&probes, &hints)) {
		probes_release(&probes);
		complain(command, "--measure: out of memory");
		return EXIT_FAILED;
	}
	passes = heap_zeroed(1, sizeof(*passes));
	measure(&probes, passes);
	probes_release(&probes);
	writing.passes = passes;
	strftime(writing.date, sizeof(writing.date), "%F", gmtime_r(&today, &day));
	writing.out = heap_stream(text, len);
	put_machine(&writing);
	heap_stream_close(writing.out, text);
	if (!quiet)
		warn_of_contradictions(command, base, passes);
	free(passes);
	return EXIT_FINE;
}
