/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/region.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/cost.h"
#include "profile/common/scan.h"

/* -- lines --------------------------------------------------------------------------------- */

/* What follows a text at p; NULL if another one is there. */
static const char *skip(const char *p, const char *text)
{
	return strncmp(p, text, strlen(text)) == 0 ? p + strlen(text) : NULL;
}

/* What follows a decimal number and a text; NULL if there is something else at p. */
static const char *read_count(const char *p, uint64_t *count, const char *text)
{
	const char *after = scan_is_digit(*p) ? scan_number(p, count) : NULL;

	return after ? skip(after, text) : NULL;
}

bool region_read(struct part_region *region, const char *value, size_t n_events,
		 struct arena *arena)
{
	uint64_t read_costs
		[PROFILE_MAX_EVENTS]; /* the arena gets what there is: of many events, most lines have few */
	struct part_region read = { 0 };
	const char *p = read_count(value, &read.times, " times, ");
	const char *over, *costs;
	uint64_t *copy;

	p = p ? read_count(p, &read.threads, " threads, ") : NULL;
	over = p ? skip(p, "not over, ") : NULL;
	read.is_open = over != NULL;
	costs = p ? skip(over ? over : p, "costs") : NULL;
	if (!costs)
		return false;
	for (p = costs; *p == ' '; read.n_costs++) {
		p = read.n_costs < n_events ? read_count(p + 1, &read_costs[read.n_costs], "")
					    : NULL;
		if (!p)
			return false;
	}
	read.name = skip(p, ": ");
	if (read.n_costs == 0 || !read.name || *read.name == '\0')
		return false;
	while (read.n_costs > 1 && read_costs[read.n_costs - 1] == 0)
		read.n_costs--;
	copy = arena_alloc(arena, read.n_costs * sizeof(*copy), _Alignof(uint64_t));
	memcpy(copy, read_costs, read.n_costs * sizeof(*copy));
	read.costs = copy;
	*region = read;
	return true;
}

void region_print(const struct part_region *region, struct bytes *text)
{
	char number[64];
	size_t n = region->n_costs;

	while (n > 1 && region->costs[n - 1] == 0)
		n--;
	snprintf(number, sizeof(number), "%" PRIu64 " times, %" PRIu64 " threads, ", region->times,
		 region->threads);
	bytes_add_text(text, number);
	if (region->is_open)
		bytes_add_text(text, "not over, ");
	bytes_add_text(text, "costs");
	for (size_t i = 0; i < n; i++) {
		snprintf(number, sizeof(number), " %" PRIu64, region->costs[i]);
		bytes_add_text(text, number);
	}
	bytes_add_text(text, n == 0 ? " 0: " : ": ");
	bytes_add_text(text, region->name);
}

/* -- sums over parts ------------------------------------------------------------------- */

struct region_process {
	uint64_t pid, thread, file; /* file: where there is no pid */
	bool has_pid;
};

/* What a process says about a region. */
struct region_part {
	size_t process;
	uint64_t number; /* of its last part that has the region */
	uint64_t threads;
	bool is_open;
};

/* Of one region. */
struct region_parts {
	struct region_part *all; /* owned; by process, in ascending order */
	size_t n, capacity;
	size_t n_open;   /* of them */
	uint64_t *costs; /* owned, what struct part_region points to */
	size_t costs_capacity;
};

void regions_init(struct regions *regions)
{
	*regions = (struct regions){ 0 };
	arena_init(&regions->arena);
}

void regions_release(struct regions *regions)
{
	for (size_t i = 0; i < regions->n; i++) {
		free(regions->parts[i].all);
		free(regions->parts[i].costs);
	}
	free(regions->all);
	free(regions->parts);
	free(regions->processes);
	arena_release(&regions->arena);
	regions_init(regions);
}

void regions_begin_file(struct regions *regions)
{
	regions->n_files++;
}

/* The number of the process that a part is of; a job has many, and their parts come together. */
static size_t process_of(struct regions *regions, const struct part *part)
{
	const struct region_process process = {
		.pid = part->has_pid ? part->pid : 0,
		.thread = part->has_thread ? part->thread : 0,
		.file = part->has_pid ? 0 : regions->n_files,
		.has_pid = part->has_pid,
	};
	size_t i = regions->n_processes;

	while (i > 0) {
		const struct region_process *known = &regions->processes[--i];

		if (known->pid == process.pid && known->thread == process.thread &&
		    known->file == process.file && known->has_pid == process.has_pid)
			return i;
	}
	regions->processes = heap_grow(regions->processes, &regions->processes_capacity,
				       regions->n_processes + 1, sizeof(process));
	regions->processes[regions->n_processes] = process;
	return regions->n_processes++;
}

/* The first of the sorted regions whose name is not before this one. */
static size_t lower_bound(const struct regions *regions, size_t n_sorted, const char *name)
{
	size_t low = 0, high = n_sorted;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(regions->all[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The number of a region, which is made if there is none; most parts have the regions of the first one, in its order. */
static size_t intern(struct regions *regions, const char *name, size_t hint)
{
	size_t i = lower_bound(regions, regions->n_sorted, name);

	if (hint < regions->n && strcmp(regions->all[hint].name, name) == 0)
		return hint;
	if (i < regions->n_sorted && strcmp(regions->all[i].name, name) == 0)
		return i;
	for (i = regions->n_sorted; i < regions->n; i++)
		if (strcmp(regions->all[i].name, name) == 0)
			return i;
	regions->all = heap_grow(regions->all, &regions->capacity, i + 1, sizeof(*regions->all));
	regions->parts =
		heap_grow(regions->parts, &regions->parts_capacity, i + 1, sizeof(*regions->parts));
	regions->all[i] =
		(struct part_region){ .name = arena_copy(&regions->arena, name, strlen(name)) };
	regions->parts[i] = (struct region_parts){ 0 };
	regions->n++;
	return i;
}

/* What a process has said about the region so far, at first nothing. */
static struct region_part *find_part(struct region_parts *parts, size_t process)
{
	size_t at = parts->n;

	/* Processes have ascending numbers, and most often only the last one has more to say. */
	while (at > 0 && parts->all[at - 1].process > process)
		at--;
	if (at > 0 && parts->all[at - 1].process == process)
		return &parts->all[at - 1];
	parts->all = heap_grow(parts->all, &parts->capacity, parts->n + 1, sizeof(*parts->all));
	memmove(&parts->all[at + 1], &parts->all[at], (parts->n - at) * sizeof(*parts->all));
	parts->n++;
	parts->all[at] = (struct region_part){ .process = process };
	return &parts->all[at];
}

static bool add_part(struct part_region *sum, struct region_part *known, size_t *n_open,
		     const struct part_region *added, uint64_t number)
{
	bool is_open = added->is_open;

	if (number < known->number || (number == known->number && known->is_open))
		is_open = known->is_open;
	*n_open = *n_open + is_open - known->is_open;
	sum->is_open = *n_open > 0;
	known->is_open = is_open;
	if (known->number < number)
		known->number = number;
	if (added->threads > known->threads) {
		if (!cost_add(&sum->threads, added->threads - known->threads, false))
			return false;
		known->threads = added->threads;
	}
	return cost_add(&sum->times, added->times, false);
}

static bool add_costs(struct part_region *sum, struct region_parts *parts,
		      const struct part_region *added, const uint16_t *columns)
{
	for (size_t i = 0; i < added->n_costs; i++) {
		size_t column = columns ? columns[i] : i, old = parts->costs_capacity;

		if (column >= PROFILE_MAX_EVENTS)
			continue;
		parts->costs = heap_grow(parts->costs, &parts->costs_capacity, column + 1,
					 sizeof(*parts->costs));
		if (parts->costs_capacity > old)
			memset(parts->costs + old, 0,
			       (parts->costs_capacity - old) * sizeof(*parts->costs));
		if (sum->n_costs <= column)
			sum->n_costs = column + 1;
		if (!cost_add(&parts->costs[column], added->costs[i], false))
			return false;
	}
	sum->costs = parts->costs;
	return true;
}

/* Sorts the regions that came last among the others, with what belongs to them. */
static void sort(struct regions *regions)
{
	for (size_t i = regions->n_sorted; i < regions->n; i++) {
		const struct part_region region = regions->all[i];
		const struct region_parts parts = regions->parts[i];
		const size_t at = lower_bound(regions, i, region.name);

		memmove(&regions->all[at + 1], &regions->all[at], (i - at) * sizeof(*regions->all));
		memmove(&regions->parts[at + 1], &regions->parts[at],
			(i - at) * sizeof(*regions->parts));
		regions->all[at] = region;
		regions->parts[at] = parts;
	}
	regions->n_sorted = regions->n;
}

int regions_add(struct regions *regions, const struct part *part, const uint16_t *columns)
{
	const size_t process = process_of(regions, part);
	const uint64_t number = part->has_number ? part->number : 0;
	bool is_same = regions->n_added == 0 || part->n_regions == regions->n;

	for (size_t i = 0; i < part->n_regions; i++) {
		const struct part_region *added = &part->regions[i];
		const size_t at = intern(regions, added->name, i);
		struct region_parts *parts = &regions->parts[at];

		is_same &= at == i;
		if (!add_part(&regions->all[at], find_part(parts, process), &parts->n_open, added,
			      number) ||
		    !add_costs(&regions->all[at], parts, added, columns))
			return PROFILE_RANGE;
	}
	regions->n_added++;
	regions->is_sorted |= !is_same;
	if (regions->is_sorted)
		sort(regions);
	return PROFILE_OK;
}
