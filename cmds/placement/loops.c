/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops are judged by size, so that those inside a loop have been judged before it.  That takes quadratic time, but there are
 * only some hundred: only hot code is looked at.
 */
#include "cmds/placement/placement.h"

#include <stdlib.h>

#include "profile/common/cost.h"

static bool has_share(uint64_t part, uint64_t whole)
{
	return (int128)part * 100 >= (int128)whole * LOOP_SHARE;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By start, then end. */
static int compare_places(const void *a, const void *b)
{
	const struct loop *of_a = a, *of_b = b;
	int order = compare_numbers(of_a->object, of_b->object);

	if (order == 0)
		order = compare_numbers(of_a->begin, of_b->begin);
	return order != 0 ? order : compare_numbers(of_a->end, of_b->end);
}

/* Inner loops first. */
static int compare_sizes(const void *a, const void *b)
{
	const struct loop *of_a = a, *of_b = b;
	int order = compare_numbers(of_a->end - of_a->begin, of_b->end - of_b->begin);

	return order != 0 ? order : compare_places(a, b);
}

/* The sum, or the largest number: a file may say anything. */
static uint64_t add_turns(uint64_t a, uint64_t b)
{
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* The loop that n jumps to one target make; the last jump is the last. */
static struct loop merge(const struct loop *jumps, size_t n)
{
	struct loop loop = jumps[n - 1];
	size_t last = n;

	for (size_t i = 0; i + 1 < n; i++)
		loop.turns = add_turns(loop.turns, jumps[i].turns);
	while (last > 1 && !has_share(jumps[last - 1].turns, loop.turns))
		last--;
	/* If each jump has a small share, the loop ends after the last. */
	if (has_share(jumps[last - 1].turns, loop.turns)) {
		loop.end = jumps[last - 1].end;
		loop.jump = jumps[last - 1].jump;
	}
	return loop;
}

static bool is_within(const struct loop *inner, const struct loop *outer)
{
	return inner->object == outer->object && inner->begin >= outer->begin &&
	       inner->end <= outer->end;
}

/* Judges a loop by the smaller ones that are left; one whose turns become 0 is dropped. */
static void judge(struct loop *loops, size_t i)
{
	struct loop *outer = &loops[i];

	for (size_t j = 0; j < i; j++) {
		if (loops[j].turns > 0 && is_within(&loops[j], outer) &&
		    has_share(loops[j].turns, outer->turns)) {
			outer->turns = 0;
			return;
		}
	}
	for (size_t j = 0; j < i; j++)
		if (is_within(&loops[j], outer))
			loops[j].turns = 0;
}

/* Leaves out dropped loops. */
static size_t compact(struct loop *loops, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (loops[i].turns > 0)
			loops[used++] = loops[i];
	return used;
}

/* Joins two loops that overlap, or drops one. */
static void join(struct loop *first, struct loop *second)
{
	if (!has_share(second->turns, first->turns)) {
		second->turns = 0;
	} else if (!has_share(first->turns, second->turns)) {
		first->turns = 0;
	} else {
		second->turns = add_turns(first->turns, second->turns);
		second->begin = first->begin;
		first->turns = 0;
	}
}

/* No loop is within another one, so they end in the order in which they begin. */
static size_t join_all(struct loop *loops, size_t n)
{
	size_t last = 0;

	qsort(loops, n, sizeof(*loops), compare_places);
	for (size_t i = 1; i < n; i++) {
		if (loops[i].object == loops[last].object && loops[i].begin < loops[last].end)
			join(&loops[last], &loops[i]);
		if (loops[i].turns > 0)
			last = i;
	}
	return compact(loops, n);
}

size_t loops_find(struct loop *loops, size_t n)
{
	size_t before, same, used = 0;

	if (n == 0)
		return 0;
	qsort(loops, n, sizeof(*loops), compare_places);
	for (size_t i = 0; i < n; i += same) {
		for (same = 1; i + same < n && loops[i + same].object == loops[i].object &&
			       loops[i + same].begin == loops[i].begin;)
			same++;
		loops[used++] = merge(&loops[i], same);
	}
	n = used;
	/* Two loops that were joined may have others inside. */
	do {
		before = n;
		qsort(loops, n, sizeof(*loops), compare_sizes);
		for (size_t i = 0; i < n; i++)
			judge(loops, i);
		n = join_all(loops, compact(loops, n));
	} while (n < before);
	for (size_t i = 0; i < n; i++)
		if (loops[i].end - loops[i].begin > LOOP_MOST_BYTES)
			loops[i].turns = 0;
	return compact(loops, n);
}

static bool is_well_placed(uint64_t begin, uint64_t bytes)
{
	for (unsigned window = 0; window < N_WINDOWS; window++)
		if (windows_touched(begin, begin + bytes, window) > windows_needed(bytes, window))
			return false;
	return true;
}

bool loop_is_misplaced(const struct loop *loop)
{
	return !is_well_placed(loop->begin, loop->end - loop->begin);
}

unsigned placement_alignment(uint64_t offset, uint64_t bytes)
{
	const uint64_t largest = window_size(N_WINDOWS - 1);

	for (unsigned window = 0; window < N_WINDOWS; window++) {
		bool is_enough = true;

		for (uint64_t at = 0; at < largest; at += window_size(window))
			is_enough &= is_well_placed(at + offset % largest, bytes);
		if (is_enough)
			return (unsigned)window_size(window);
	}
	return 0;
}
