/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quad-age LRU: each way has an age of 0 to 3, 3 at first; the victim is one of age 3.  What is done to ages, and when,
 * is the policy's variant.
 *
 * Ages are kept as youths, 3 less the age, so that memory that is 0 is a set in which all are
 * of age 3; two bits a way, 32 ways a word, on which all ways of a word are worked at once.
 *
 *	H	age of a line that was hit, by the one it had
 *	M	age of a line that comes; MRxy: y once in 16 by chance, else x
 *	R	where it comes: 0 the first empty way, else the first of age 3; 1 the same, but
 *		way 0 if none has that age; 2 the last empty way, else the first of age 3
 *	U	what happens to ages after each reference
 *		0	all grow until the largest is 3
 *		1	all but the referenced line's grow until their largest is 3
 *		2	if none is 3, all grow by 1
 *		3	if none is 3, all but the referenced line's grow by 1
 *	UMO	... only at a miss, before a way is chosen; nothing is left out then
 *
 * The ages of empty ways take part in that.
 */
#include "sim/policy.h"

enum {
	QLRU_AGE_BITS = 2, /* of a way */
	QLRU_OLDEST = 3,
	QLRU_SRRIP = 0x10aff, /* the variant that srrip is, qlru_h00_m2_r0_u0_umo */
};

/* A variant: youths that a hit makes of the four there are, ages of new lines, and the rest. */
enum {
	HIT = 0,
	INSERTED = 8,
	RARELY = 10,
	ROOM = 12,
	UPDATE = 14,
	ON_MISS_ONLY = 16,

	TWO_BITS = 3,
	RARITY = 16, /* RARELY happens once in that many */
	LANES = 32,  /* ways a word */
	NO_WAY = -1,
};

#define EACH_LANE UINT64_C(0x5555555555555555)

static uint32_t field(uint32_t variant, int at)
{
	return variant >> at & TWO_BITS;
}

/* The low bit of each lane of the word'th word that belongs to a way. */
static uint64_t lanes_of(const struct policy_set *set, uint32_t word)
{
	uint32_t left = set->assoc - word * LANES;

	return left < LANES ? EACH_LANE & ((UINT64_C(1) << QLRU_AGE_BITS * left) - 1) : EACH_LANE;
}

/* The same without a way's. */
static uint64_t lanes_without(const struct policy_set *set, uint32_t word, int64_t way)
{
	uint64_t lanes = lanes_of(set, word);

	if (way != NO_WAY && (uint64_t)way / LANES == word)
		lanes &= ~(UINT64_C(1) << QLRU_AGE_BITS * (way % LANES));
	return lanes;
}

static uint32_t words(const struct policy_set *set)
{
	return (set->assoc + LANES - 1) / LANES;
}

static void set_youth(const struct policy_set *set, uint32_t way, uint32_t youth)
{
	uint64_t *word = &set->bits[way / LANES];
	uint32_t at = QLRU_AGE_BITS * (way % LANES);

	*word = (*word & ~((uint64_t)TWO_BITS << at)) | (uint64_t)youth << at;
}

/* The low bits of lanes that are of age 3. */
static uint64_t oldest_lanes(uint64_t word, uint64_t lanes)
{
	return ~(word | word >> 1) & lanes;
}

/* 3 less the largest age of the ways, one of them left out. */
static uint32_t least_youth(const struct policy_set *set, int64_t without)
{
	uint32_t least = QLRU_OLDEST;

	for (uint32_t i = 0; i < words(set); i++) {
		uint64_t lanes = lanes_without(set, i, without), word = set->bits[i];

		if (oldest_lanes(word, lanes) != 0)
			return 0;
		if ((word & ~(word >> 1) & lanes) != 0)
			least = 1;
		else if (least > 2 && (~word & word >> 1 & lanes) != 0)
			least = 2;
	}
	return least;
}

/* All ages grow, except one way's; none is too high for that. */
static void grow(const struct policy_set *set, int64_t without, uint32_t by)
{
	for (uint32_t i = 0; by != 0 && i < words(set); i++)
		set->bits[i] -= by * lanes_without(set, i, without);
}

static void update(const struct policy_set *set, int64_t referenced)
{
	uint32_t rule = field(set->variant, UPDATE);
	int64_t without = rule % 2 == 1 ? referenced : NO_WAY;

	if (rule < 2)
		grow(set, without, least_youth(set, without));
	else
		grow(set, without, least_youth(set, NO_WAY) != 0);
}

/* The first way of age 3; way 0 if none is, as r1 wants it, and of one way there is no other. */
static uint32_t first_oldest(const struct policy_set *set)
{
	for (uint32_t i = 0; i < words(set); i++) {
		uint64_t oldest = oldest_lanes(set->bits[i], lanes_of(set, i));

		if (oldest != 0)
			return i * LANES + (uint32_t)__builtin_ctzll(oldest) / QLRU_AGE_BITS;
	}
	return 0;
}

static void hit(const struct policy_set *set, uint32_t way)
{
	uint32_t at = QLRU_AGE_BITS * (way % LANES);
	uint32_t youth = set->bits[way / LANES] >> at & TWO_BITS;

	set_youth(set, way, field(set->variant, HIT + QLRU_AGE_BITS * (int)youth));
	if ((set->variant >> ON_MISS_ONLY & 1) == 0)
		update(set, way);
}

/* A line comes, and gets this age; returns its way. */
static uint32_t fill(const struct policy_set *set, uint32_t age)
{
	bool on_miss_only = set->variant >> ON_MISS_ONLY & 1;
	uint32_t way;

	if (on_miss_only)
		update(set, NO_WAY);
	way = field(set->variant, ROOM) == 2 ? policy_last_empty(set) : policy_first_empty(set);
	if (way == set->assoc)
		way = first_oldest(set);
	set_youth(set, way, QLRU_OLDEST - age);
	if (!on_miss_only)
		update(set, way);
	return way;
}

static uint32_t miss(const struct policy_set *set)
{
	uint32_t age = field(set->variant, INSERTED), rare = field(set->variant, RARELY);

	if (age != rare && policy_chance(set, 0) % RARITY == 0)
		age = rare;
	return fill(set, age);
}

/* Which line would go is not defined for these. */
static const char *misfit(const struct policy *policy, uint32_t assoc)
{
	(void)assoc;
	return field(policy->variant, ROOM) != 1 && field(policy->variant, UPDATE) >= 2
		       ? "r0 and r2 need a line of age 3, which u2 and u3 do not always leave"
		       : NULL;
}

const struct policy policy_qlru = {
	.name = "qlru",
	.bits = QLRU_AGE_BITS,
	.hit = hit,
	.miss = miss,
	.misfit = misfit,
};

_Static_assert(QLRU_SRRIP == (0xff << HIT | 2 << INSERTED | 2 << RARELY | 1 << ON_MISS_ONLY),
	       "2 bits, hit priority");

const struct policy policy_srrip = {
	.name = "srrip",
	.bits = QLRU_AGE_BITS,
	.variant = QLRU_SRRIP,
	.hit = hit,
	.miss = miss,
};

/* --- DRRIP ------------------------------------------------------------------------------ */

/*
 * Dynamic re-reference interval prediction: SRRIP, or bimodal RRIP, which differs in the age of a new line: 3, and 2
 * only once in 32.  Some sets, the leaders, always do the one, and as many others the other; a counter of the level
 * goes up when a leader of SRRIP misses, and down when a bimodal leader does, and all other sets do what has missed
 * less often.
 *
 * The parameters are the paper's (sim/policy.h): 2 bits a way, a counter of 10 bits.  It has 32 leaders
 * of each kind; here each group of 32 sets has one of each, in the g'th group sets g and g + 16 of it, modulo
 * 32.  If there are fewer than 64 sets, each is a leader, every other one of SRRIP.
 */
enum {
	GROUP = 32,    /* sets */
	FEW_SETS = 64, /* if there are fewer, all are leaders */
	SOON = 2,      /* ages */
	LATE = 3,
	LATE_RARITY = 32,
	COUNTER_MAX = 511, /* of 10 bits, with 0 in the middle */
	COUNTER_MIN = -512,
};

enum role {
	SRRIP_LEADER,
	BIMODAL_LEADER,
	FOLLOWER,
};

static enum role role_of(uint64_t set, uint64_t n_sets)
{
	uint64_t place = (set - set / GROUP) % GROUP;

	if (n_sets < FEW_SETS)
		return set % 2 == 0 ? SRRIP_LEADER : BIMODAL_LEADER;
	if (place == 0)
		return SRRIP_LEADER;
	return place == GROUP / 2 ? BIMODAL_LEADER : FOLLOWER;
}

static bool is_bimodal(const struct policy_set *set)
{
	/* The second word: the first one is the state of chance. */
	int64_t counter = (int64_t)set->level[1];
	enum role role = role_of(set->number, set->n_sets);

	if (role == SRRIP_LEADER && counter < COUNTER_MAX)
		counter++;
	else if (role == BIMODAL_LEADER && counter > COUNTER_MIN)
		counter--;
	set->level[1] = (uint64_t)counter;
	return role == BIMODAL_LEADER || (role == FOLLOWER && counter > 0);
}

static uint32_t drrip_miss(const struct policy_set *set)
{
	bool late = is_bimodal(set) && policy_chance(set, 0) % LATE_RARITY != 0;

	return fill(set, late ? LATE : SOON);
}

const struct policy policy_drrip = {
	.name = "drrip",
	.bits = QLRU_AGE_BITS,
	.variant = QLRU_SRRIP,
	.hit = hit,
	.miss = drrip_miss,
};

/* --- names ------------------------------------------------------------------------------ */

/* A name that is being read. */
struct reading {
	const char *next, *end;
	bool wrong;
};

static char lower_case(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c;
}

/* True if the text, in lower case, comes next; it is read then. */
static bool take(struct reading *reading, const char *text)
{
	const char *at = reading->next;

	for (; *text != '\0'; text++, at++) {
		if (at == reading->end || lower_case(*at) != *text)
			return false;
	}
	reading->next = at;
	return true;
}

static void need(struct reading *reading, const char *text)
{
	if (!take(reading, text))
		reading->wrong = true;
}

/* A digit of 0 to max. */
static uint32_t digit(struct reading *reading, uint32_t max)
{
	uint32_t value;

	if (reading->next == reading->end || *reading->next < '0' || *reading->next > '9') {
		reading->wrong = true;
		return 0;
	}
	value = (uint32_t)(*reading->next++ - '0');
	if (value > max)
		reading->wrong = true;
	return value & TWO_BITS;
}

static uint32_t hit_rule(uint32_t of_3, uint32_t of_2)
{
	/* In the order of youths: ages 3, 2, 1, 0. */
	return (QLRU_OLDEST - of_3) | (QLRU_OLDEST - of_2) << 2 | QLRU_OLDEST << 4 |
	       QLRU_OLDEST << 6;
}

bool qlru_variant(const char *name, size_t length, uint32_t *variant)
{
	struct reading reading = { .next = name, .end = name + length };
	uint32_t of_3, of_2, age, rare, room, rule, on_miss_only;

	need(&reading, "_h");
	of_3 = digit(&reading, 2);
	of_2 = digit(&reading, 1);
	if (of_2 > of_3)
		reading.wrong = true;
	if (take(&reading, "_mr")) {
		age = digit(&reading, 3);
		rare = digit(&reading, 3);
		if (rare >= age)
			reading.wrong = true;
	} else {
		need(&reading, "_m");
		age = digit(&reading, 3);
		rare = age;
	}
	need(&reading, "_r");
	room = digit(&reading, 2);
	need(&reading, "_u");
	rule = digit(&reading, 3);
	on_miss_only = take(&reading, "_umo");
	if (reading.wrong || reading.next != reading.end)
		return false;
	*variant = hit_rule(of_3, of_2) << HIT | age << INSERTED | rare << RARELY | room << ROOM |
		   rule << UPDATE | on_miss_only << ON_MISS_ONLY;
	return true;
}
