/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle of sim/'s replacement policies: a set as an array of lines, and of whatever else the
 * definition of its policy speaks of, in its words.  It shares nothing with sim/.
 *
 * A twin receives each touch of a line of its set, and says where the line is then.
 */
#ifndef TESTS_SIM_NAIVE_POLICY_H
#define TESTS_SIM_NAIVE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAIVE_WAYS = 64,
	NAIVE_EMPTY = 0, /* lines are numbers from 1 on */
};

/* What a level's sets have in common. */
struct naive_level {
	int n_sets;
	uint64_t random; /* state of chance, 0 before the first use */
	uint64_t seed;
	int srrip_misses_more; /* DRRIP's counter, -512 to 511 */
	const char *name;      /* of the policy, in lower case */
};

struct naive_set {
	struct naive_level *level;
	int number, n_ways;
	uint64_t lines[NAIVE_WAYS];
	int age[NAIVE_WAYS];       /* RRIP, QLRU */
	bool recent[NAIVE_WAYS];   /* MRU */
	bool right[NAIVE_WAYS];    /* PLRU, of parts of the set: see below */
	int trees[3];              /* LRU3PLRU4, the one used last first */
	uint64_t came[NAIVE_WAYS]; /* FIFO, and LRU's last touch */
	uint64_t time;
};

static inline void naive_set_init(struct naive_set *set, struct naive_level *level, int number,
				  int n_ways)
{
	memset(set, 0, sizeof(*set));
	set->level = level;
	set->number = number;
	set->n_ways = n_ways;
	for (int i = 0; i < n_ways; i++)
		set->age[i] = 3;
	for (int i = 0; i < 3; i++)
		set->trees[i] = i;
}

static inline int naive_way(const struct naive_set *set, uint64_t line)
{
	for (int i = 0; i < set->n_ways; i++)
		if (set->lines[i] == line)
			return i;
	return -1;
}

static inline int naive_last_empty(const struct naive_set *set)
{
	for (int i = set->n_ways - 1; i >= 0; i--)
		if (set->lines[i] == NAIVE_EMPTY)
			return i;
	return -1;
}

/* The same sequence as everybody's: Marsaglia's 13, 7, 17, from the seed. */
static inline uint64_t naive_chance(struct naive_set *set, uint64_t below)
{
	uint64_t x = set->level->random;

	if (x == 0)
		x = UINT64_C(0x9e3779b97f4a7c15) * (set->level->seed + 1);
	x = x ^ x << 13;
	x = x ^ x >> 7;
	x = x ^ x << 17;
	set->level->random = x;
	return below == 0 ? x >> 32 : (x >> 32) % below;
}

/* --- LRU, FIFO, random ---------------------------------------------------------------- */

static inline bool naive_by_time(struct naive_set *set, uint64_t line, bool hits_count)
{
	int way = naive_way(set, line);
	bool missed = way < 0;

	set->time++;
	if (missed) {
		way = naive_way(set, NAIVE_EMPTY);
		if (way < 0) {
			way = 0;
			for (int i = 1; i < set->n_ways; i++)
				if (set->came[i] < set->came[way])
					way = i;
		}
	}
	set->lines[way] = line;
	if (missed || hits_count)
		set->came[way] = set->time;
	return missed;
}

static inline bool naive_lru(struct naive_set *set, uint64_t line)
{
	return naive_by_time(set, line, true);
}

static inline bool naive_fifo(struct naive_set *set, uint64_t line)
{
	return naive_by_time(set, line, false);
}

static inline bool naive_random(struct naive_set *set, uint64_t line)
{
	int way = naive_way(set, line);

	if (way >= 0)
		return false;
	way = naive_way(set, NAIVE_EMPTY);
	if (way < 0)
		way = (int)(naive_chance(set, 0) * (uint64_t)set->n_ways >> 32);
	set->lines[way] = line;
	return true;
}

/* --- PLRU ------------------------------------------------------------------------------ */

/*
 * Parts of a set, each twice as long as its halves: right[middle] says about the part around it that
 * its right half was used longer ago.
 */
static inline void naive_use_part(struct naive_set *set, int from, int to, int way)
{
	int middle = (from + to) / 2;

	if (to - from == 1)
		return;
	set->right[middle] = way < middle;
	if (way < middle)
		naive_use_part(set, from, middle, way);
	else
		naive_use_part(set, middle, to, way);
}

static inline int naive_victim_of_part(const struct naive_set *set, int from, int to)
{
	int middle = (from + to) / 2;

	if (to - from == 1)
		return from;
	return set->right[middle] ? naive_victim_of_part(set, middle, to)
				  : naive_victim_of_part(set, from, middle);
}

static inline bool naive_plru(struct naive_set *set, uint64_t line)
{
	int way = naive_way(set, line);
	bool missed = way < 0;

	if (missed)
		way = naive_way(set, NAIVE_EMPTY);
	if (way < 0)
		way = naive_victim_of_part(set, 0, set->n_ways);
	set->lines[way] = line;
	naive_use_part(set, 0, set->n_ways, way);
	return missed;
}

static inline bool naive_lru3plru4(struct naive_set *set, uint64_t line)
{
	int way = naive_way(set, line), tree, place = 0;
	bool missed = way < 0;

	if (missed)
		way = naive_way(set, NAIVE_EMPTY);
	if (way < 0)
		way = naive_victim_of_part(set, 4 * set->trees[2], 4 * set->trees[2] + 4);
	tree = way / 4;
	set->lines[way] = line;
	naive_use_part(set, 4 * tree, 4 * tree + 4, way);
	while (set->trees[place] != tree)
		place++;
	for (; place > 0; place--)
		set->trees[place] = set->trees[place - 1];
	set->trees[0] = tree;
	return missed;
}

/* --- MRU ------------------------------------------------------------------------------- */

static inline bool naive_all_recent(const struct naive_set *set)
{
	for (int i = 0; i < set->n_ways; i++)
		if (!set->recent[i])
			return false;
	return true;
}

static inline bool naive_bit_plru(struct naive_set *set, uint64_t line, bool notes_when_not_full)
{
	int way = naive_way(set, line);
	bool missed = way < 0, was_full = naive_way(set, NAIVE_EMPTY) < 0;

	if (missed && !was_full)
		way = naive_way(set, NAIVE_EMPTY);
	for (int i = set->n_ways - 1; missed && was_full && i >= 0; i--)
		if (!set->recent[i] || set->n_ways == 1)
			way = i;
	set->lines[way] = line;
	if (!was_full && !notes_when_not_full)
		return missed;
	set->recent[way] = true;
	if (naive_all_recent(set)) {
		memset(set->recent, 0, sizeof(set->recent));
		set->recent[way] = true;
	}
	return missed;
}

static inline bool naive_mru(struct naive_set *set, uint64_t line)
{
	return naive_bit_plru(set, line, true);
}

static inline bool naive_mru_n(struct naive_set *set, uint64_t line)
{
	return naive_bit_plru(set, line, false);
}

/* --- RRIP -------------------------------------------------------------------------------- */

/* By the paper: look for a distant line, from the left; if there is none, all become more so. */
static inline int naive_distant(struct naive_set *set)
{
	for (;;) {
		for (int i = 0; i < set->n_ways; i++)
			if (set->age[i] == 3)
				return i;
		for (int i = 0; i < set->n_ways; i++)
			set->age[i]++;
	}
}

static inline bool naive_rrip(struct naive_set *set, uint64_t line, int age)
{
	int way = naive_way(set, line), distant;

	if (way >= 0) {
		set->age[way] = 0;
		return false;
	}
	/* Also if there is room: the first who miss do not know. */
	distant = naive_distant(set);
	way = naive_way(set, NAIVE_EMPTY);
	if (way < 0)
		way = distant;
	set->lines[way] = line;
	set->age[way] = age;
	return true;
}

static inline bool naive_srrip(struct naive_set *set, uint64_t line)
{
	return naive_rrip(set, line, 2);
}

static inline bool naive_drrip(struct naive_set *set, uint64_t line)
{
	struct naive_level *level = set->level;
	int group = set->number / 32, place = set->number % 32, age = 2;
	bool leads_srrip = place == group % 32, leads_bimodal = place == (group + 16) % 32;
	bool bimodal;

	if (level->n_sets < 64) {
		leads_srrip = set->number % 2 == 0;
		leads_bimodal = !leads_srrip;
	}
	if (naive_way(set, line) >= 0)
		return naive_rrip(set, line, 0);
	if (leads_srrip && level->srrip_misses_more < 511)
		level->srrip_misses_more++;
	if (leads_bimodal && level->srrip_misses_more > -512)
		level->srrip_misses_more--;
	bimodal = leads_bimodal || (!leads_srrip && level->srrip_misses_more > 0);
	if (bimodal && naive_chance(set, 32) != 0)
		age = 3;
	return naive_rrip(set, line, age);
}

/* --- QLRU -------------------------------------------------------------------------------- */

/* qlru_hXY_mX_rN_uN: the digit after the letter. */
static inline int naive_digit(const char *name, const char *what, int i)
{
	const char *at = strstr(name, what);

	return at == NULL ? -1 : at[strlen(what) + (size_t)i] - '0';
}

static inline int naive_oldest(const struct naive_set *set, int without)
{
	int oldest = -1;

	for (int i = 0; i < set->n_ways; i++)
		if (i != without && set->age[i] > oldest)
			oldest = set->age[i];
	return oldest;
}

static inline void naive_update(struct naive_set *set, int rule, int touched)
{
	bool spares = rule == 1 || rule == 3;
	int by;

	if (rule <= 1)
		by = 3 - naive_oldest(set, spares ? touched : -1);
	else
		by = naive_oldest(set, -1) < 3 ? 1 : 0;
	for (int i = 0; i < set->n_ways; i++)
		if (!spares || i != touched)
			set->age[i] += by;
}

static inline int naive_qlru_victim(const struct naive_set *set)
{
	for (int i = 0; i < set->n_ways; i++)
		if (set->age[i] == 3)
			return i;
	return 0; /* of R1 */
}

static inline bool naive_qlru(struct naive_set *set, uint64_t line)
{
	const char *name = set->level->name;
	bool on_miss_only = strstr(name, "_umo") != NULL;
	int update = naive_digit(name, "_u", 0), room = naive_digit(name, "_r", 0);
	int way = naive_way(set, line);
	bool missed = way < 0;

	if (!missed) {
		int old = set->age[way];

		set->age[way] = old == 3   ? naive_digit(name, "_h", 0)
				: old == 2 ? naive_digit(name, "_h", 1)
					   : 0;
	} else {
		bool by_chance = strstr(name, "_mr") != NULL;
		int age = naive_digit(name, by_chance ? "_mr" : "_m", 0);

		if (by_chance && naive_chance(set, 16) == 0)
			age = naive_digit(name, "_mr", 1);
		if (on_miss_only)
			naive_update(set, update, -1);
		way = room == 2 ? naive_last_empty(set) : naive_way(set, NAIVE_EMPTY);
		if (way < 0)
			way = naive_qlru_victim(set);
		set->lines[way] = line;
		set->age[way] = age;
	}
	if (!on_miss_only)
		naive_update(set, update, way);
	return missed;
}

/* --- all of them --------------------------------------------------------------------------- */

struct naive_policy {
	const char *name;
	bool (*touch)(struct naive_set *set, uint64_t line);
	bool closes_gaps; /* a line that is taken out leaves no hole between others */
};

/* The last row is for all names that begin so. */
static inline const struct naive_policy *naive_policy(const char *name)
{
	static const struct naive_policy policies[] = {
		{ "lru", naive_lru, false },      { "fifo", naive_fifo, false },
		{ "random", naive_random, true }, { "random_7", naive_random, true },
		{ "plru", naive_plru, false },    { "mru", naive_mru, false },
		{ "mru_n", naive_mru_n, false },  { "srrip", naive_srrip, false },
		{ "drrip", naive_drrip, false },  { "lru3plru4", naive_lru3plru4, false },
		{ "qlru_", naive_qlru, false },
	};
	size_t n = sizeof(policies) / sizeof(policies[0]), i = 0;

	while (i < n - 1 && strcmp(policies[i].name, name) != 0)
		i++;
	if (i == n - 1 && strncmp(policies[i].name, name, strlen(policies[i].name)) != 0)
		abort();
	return &policies[i];
}

/* Takes a line out. */
static inline void naive_take(struct naive_set *set, uint64_t line)
{
	int way = naive_way(set, line);

	if (way < 0)
		return;
	set->lines[way] = NAIVE_EMPTY;
	if (!naive_policy(set->level->name)->closes_gaps)
		return;
	for (; way + 1 < set->n_ways; way++)
		set->lines[way] = set->lines[way + 1];
	set->lines[set->n_ways - 1] = NAIVE_EMPTY;
}

#endif
