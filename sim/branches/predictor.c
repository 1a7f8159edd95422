/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/predictor.h"

/* -- the target buffer ------------------------------------------------------------------------ */

/* The most ways that divide the number of entries. */
static unsigned count_ways(unsigned n_entries)
{
	unsigned n = TARGETBUFFER_MAX_WAYS;

	while (n_entries % n != 0)
		n /= 2;
	return n;
}

/* n_entries: 1 to TARGETBUFFER_MAX_ENTRIES. */
static size_t targetbuffer_memory(unsigned n_entries)
{
	return n_entries / count_ways(n_entries) * sizeof(struct target_set);
}

static void targetbuffer_init(struct target_buffer *buffer, unsigned n_entries, void *memory)
{
	buffer->sets = memory;
	buffer->n_ways = count_ways(n_entries);
	buffer->n_sets = n_entries / buffer->n_ways;
}

/* Enters a place that the buffer does not know.  Returns what it replaces, which may be NULL. */
static struct branch_place *targetbuffer_take(struct target_buffer *buffer,
					      struct branch_place *place)
{
	struct target_set *set = &buffer->sets[place->key % buffer->n_sets];
	struct branch_place **way = &set->ways[set->next], *forgotten = *way;

	*way = place;
	set->next = set->next + 1 == buffer->n_ways ? 0 : set->next + 1;
	return forgotten;
}

/* Removes a place, if the buffer knows it. */
static void targetbuffer_forget(struct target_buffer *buffer, const struct branch_place *place)
{
	struct target_set *set = &buffer->sets[place->key % buffer->n_sets];

	for (unsigned i = 0; i < buffer->n_ways; i++)
		if (set->ways[i] == place)
			set->ways[i] = NULL;
}

/* -- the whole --------------------------------------------------------------------------------- */

/* The struct, then the memory of each part, in this order. */
struct parts {
	size_t tage, ittage, targets, near_targets, end;
};

static size_t round_up(size_t size)
{
	return (size + 63) & ~(size_t)63;
}

static struct parts lay_out(const struct predictor_config *config)
{
	struct parts parts;

	parts.tage = round_up(sizeof(struct predictor));
	parts.ittage = parts.tage + round_up(tage_memory(config->tage));
	parts.targets = parts.ittage + round_up(ittage_memory(config->ittage));
	parts.near_targets = parts.targets + round_up(targetbuffer_memory(config->n_targets));
	parts.end = parts.near_targets;
	if (config->n_near_targets != 0)
		parts.end += round_up(targetbuffer_memory(config->n_near_targets));
	return parts;
}

size_t predictor_size(const struct predictor_config *config)
{
	return lay_out(config).end;
}

void predictor_init(struct predictor *predictor, const struct predictor_config *config)
{
	const struct parts parts = lay_out(config);
	uint8_t *memory = (uint8_t *)predictor;

	history_init(&predictor->history, &config->tage->history);
	returns_init(&predictor->returns, config->n_returns);
	tage_init(&predictor->tage, config->tage, memory + parts.tage);
	ittage_init(&predictor->ittage, config->ittage, memory + parts.ittage);
	predictor->is_exact = config->is_exact;
	predictor->ittage.is_exact = config->is_exact;
	targetbuffer_init(&predictor->targets, config->n_targets, memory + parts.targets);
	predictor->has_near_targets = config->n_near_targets != 0;
	if (predictor->has_near_targets)
		targetbuffer_init(&predictor->near_targets, config->n_near_targets,
				  memory + parts.near_targets);
}

/*
 * One step of a hash; the multiplier is 2^64 divided by the golden ratio (Knuth, The Art of Computer
 * Programming, 6.4).  The upper half depends on more of the argument than the lower one.
 */
static uint64_t mix(uint64_t hash, uint64_t bits)
{
	hash ^= bits;
	hash = (hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

uint64_t predictor_object_hash(const char *name, size_t len)
{
	uint64_t hash = 1;
	size_t from = 0;

	for (size_t i = 0; i < len; i++)
		if (name[i] == '/')
			from = i + 1;
	for (size_t i = from; i < len; i++)
		hash = mix(hash, (uint8_t)name[i]);
	return hash;
}

uint64_t predictor_key(uint64_t object_hash, uint64_t offset)
{
	const uint64_t near = ((UINT64_C(1) << PREDICTOR_NEAR_BITS) - 1);

	return (mix(object_hash, offset) & ~near) | ((object_hash + (offset >> 1)) & near);
}

void predictor_add_place(struct predictor *predictor, struct branch_place *place, uint64_t key)
{
	place->key = key;
	place->plain[0] = 0;
	place->plain[1] = BRANCH_UNKNOWN;
	place->jump = ittage_cell(&predictor->ittage, key);
	place->own = 0;
	place->is_known_far = false;
	place->left = TAGE_MAX_LEFT;
	place->bias = -1;
	place->made = 0;
}

unsigned predictor_take(struct predictor *predictor, struct branch_place *place)
{
	struct branch_place *forgotten;

	if (!branch_is_unknown(place))
		return 0;
	if (predictor->has_near_targets) {
		forgotten = targetbuffer_take(&predictor->near_targets, place);
		if (forgotten != NULL)
			forgotten->plain[1] = BRANCH_UNKNOWN;
	}
	place->plain[1] = BRANCH_KNOWN;
	if (place->is_known_far)
		return PREDICTOR_FAR;
	forgotten = targetbuffer_take(&predictor->targets, place);
	if (forgotten != NULL) {
		forgotten->plain[1] = BRANCH_UNKNOWN;
		forgotten->is_known_far = false;
		if (predictor->has_near_targets)
			targetbuffer_forget(&predictor->near_targets, forgotten);
	}
	place->is_known_far = true;
	return PREDICTOR_UNKNOWN;
}

/* The result of a branch whose direction was predicted. */
static inline unsigned result_of(struct predictor *predictor, struct branch_place *place,
				 bool taken, bool wrong)
{
	return (wrong ? PREDICTOR_WRONG : 0) | (taken ? predictor_take(predictor, place) : 0);
}

unsigned predictor_branch_slow(struct predictor *predictor, struct branch_place *place, bool taken)
{
	uint16_t *cell = tage_cell(&predictor->tage, &predictor->history, place->key);
	const bool wrong = !predictor_is_plain(place, *cell, taken) &&
			   tage_predict(&predictor->tage, &predictor->history, place, cell, taken);

	return result_of(predictor, place, taken, wrong);
}

unsigned predictor_branch(struct predictor *predictor, struct branch_place *place, bool taken)
{
	unsigned result;

	place->left--;
	if (predictor->is_exact)
		result = result_of(predictor, place, taken,
				   tage_predict_exact(&predictor->tage, &predictor->history, place,
						      taken));
	else
		result = predictor_branch_slow(predictor, place, taken);
	history_add(&predictor->history, taken, 1);
	return result;
}

unsigned predictor_jump_slow(struct predictor *predictor, struct branch_place *place,
			     uint64_t target)
{
	unsigned result = 0;

	if (place->jump->expected != target &&
	    ittage_predict(&predictor->ittage, &predictor->history, place, target))
		result |= PREDICTOR_WRONG;
	result |= predictor_take(predictor, place);
	return result;
}

unsigned predictor_jump(struct predictor *predictor, struct branch_place *place, uint64_t target)
{
	const unsigned result = predictor_jump_slow(predictor, place, target);

	history_add(&predictor->history, ittage_bits(target), JUMP_BITS);
	return result;
}

unsigned predictor_return_slow(struct predictor *predictor, struct branch_place *place,
			       uint64_t target)
{
	unsigned result = predictor_take(predictor, place);

	if (*predictor->returns.top != target)
		result |= PREDICTOR_WRONG;
	return result;
}

unsigned predictor_return(struct predictor *predictor, struct branch_place *place, uint64_t target)
{
	const unsigned result = predictor_return_slow(predictor, place, target);

	returns_pop(&predictor->returns);
	return result;
}
