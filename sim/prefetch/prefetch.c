/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stream of distance 4 and degree 2:
 *
 *	line seen	10  11  12     13     14     15
 *	steps		 0   1   2      2      2      2
 *	asked for		13 14  15 16  17 18   19
 */
#include "sim/prefetch/prefetch.h"

enum { STREAM_STEPS = 2 };

void prefetch_init(struct prefetch_unit *unit, const struct prefetch_config *config)
{
	*unit = (struct prefetch_unit){ .config = *config };
	while (UINT32_C(1) << unit->line_bits < config->line_size)
		unit->line_bits++;
}

static uint64_t page_of(const struct prefetch_unit *unit, uint64_t line)
{
	return line >> (PREFETCH_PAGE_BITS - unit->line_bits);
}

/* A line of the same page as another; returns whether it is. */
static bool ask(const struct prefetch_unit *unit, uint64_t line, uint64_t wanted,
		struct prefetch_list *list)
{
	/* Numbers wrap around where addresses do, with their upper bits lost. */
	wanted = wanted << unit->line_bits >> unit->line_bits;
	if (page_of(unit, line) != page_of(unit, wanted))
		return false;
	list->lines[list->n++] = wanted << unit->line_bits;
	return true;
}

/* The record of a page, a new one in the place of the one that was seen longest ago. */
static struct prefetch_page *find_page(struct prefetch_unit *unit, uint64_t line)
{
	struct prefetch_page *oldest = &unit->u.pages[0];
	uint64_t page = page_of(unit, line);

	for (uint32_t i = 0; i < unit->config.streams; i++) {
		struct prefetch_page *at = &unit->u.pages[i];

		if (at->used != 0 && at->page == page)
			return at;
		if (at->used < oldest->used)
			oldest = at;
	}
	*oldest = (struct prefetch_page){ .page = page, .last = line };
	return oldest;
}

static void watch_stream(struct prefetch_unit *unit, uint64_t line, struct prefetch_list *list)
{
	struct prefetch_page *page = find_page(unit, line);
	int direction = (line > page->last) - (line < page->last);
	uint64_t last = page->last;
	int64_t ahead;

	page->used = ++unit->clock;
	if (direction == 0)
		return;
	page->last = line;
	if (direction != page->direction) {
		page->direction = direction;
		page->steps = 1;
		return;
	}
	if (page->steps < STREAM_STEPS) {
		page->steps = STREAM_STEPS;
		page->sent = last;
	}
	/* How far ahead of this line was asked for; a long step may be beyond that. */
	ahead = (int64_t)(page->sent - line) * direction;
	if (ahead < 0)
		ahead = 0;
	while (ahead < (int64_t)unit->config.distance && list->n < unit->config.degree) {
		uint64_t wanted = line + (uint64_t)(++ahead * direction);

		if (!ask(unit, line, wanted, list))
			break;
		page->sent = wanted;
	}
}

static void watch_next(struct prefetch_unit *unit, uint64_t line, struct prefetch_list *list)
{
	bool is_ascending = unit->u.recent[(line - 1) % PREFETCH_RECENT] == line;

	unit->u.recent[line % PREFETCH_RECENT] = line + 1;
	for (uint32_t i = 1; is_ascending && i <= unit->config.degree; i++)
		if (!ask(unit, line, line + i, list))
			break;
}

static void watch_ip(struct prefetch_unit *unit, uint64_t line, uint64_t ip,
		     struct prefetch_list *list)
{
	struct prefetch_ip *set = &unit->u.ips[ip % PREFETCH_IP_SETS * PREFETCH_IP_WAYS];
	struct prefetch_ip *at = &set[0];
	int64_t stride = 0;

	for (unsigned way = 0; way < PREFETCH_IP_WAYS; way++) {
		if (set[way].used != 0 && set[way].ip == ip) {
			at = &set[way];
			break;
		}
		if (set[way].used < at->used)
			at = &set[way];
	}
	if (at->used != 0 && at->ip == ip) {
		stride = (int64_t)(line - at->last);
		for (uint32_t i = 1;
		     stride != 0 && stride == at->stride && i <= unit->config.degree; i++) {
			if (!ask(unit, line, line + i * (uint64_t)stride, list))
				break;
		}
	}
	*at = (struct prefetch_ip){ ip, ++unit->clock, line, stride };
}

void prefetch_watch(struct prefetch_unit *unit, uint64_t address, uint64_t ip,
		    struct prefetch_list *list)
{
	uint64_t line = address >> unit->line_bits;

	list->n = 0;
	switch (unit->config.kind) {
	case PREFETCH_NEXT_LINE:
		watch_next(unit, line, list);
		break;
	case PREFETCH_ADJACENT_LINE:
		ask(unit, line, line ^ 1, list);
		break;
	case PREFETCH_STREAM:
		watch_stream(unit, line, list);
		break;
	case PREFETCH_IP_STRIDE:
		watch_ip(unit, line, ip, list);
		break;
	}
}
