/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/tage.h"

#include "sim/basics.h"
#include "sim/branches/predictor.h"

enum {
	COUNTER_TAKEN = 4, /* an entry's counter predicts that from here on */
	COUNTER_MAX = 7,
	CREDIT_BITS = TAGE_MAX_CREDIT * TAGE_CELL_CREDIT,
	BIAS_MIN = -2,
	BIAS_MAX = 1,
	LOOP_CHANCE = 7 << 8, /* one in eight; other bits than tagged_make() looks at */
};

const struct tage_size tage_8k = {
	.history = { .n_newest = 4, .folds = { 86, 136, 196 } },
	.log2_cells = 14,
	.tagged = { .log2_entries = 9,
		    .tag_bits = 10,
		    .lengths = { 2, 6, 12, 24, 46 },
		    .ticks = 512 },
	.n_loops = 64,
};

const struct tage_size tage_64k = {
	.history = { .n_newest = 8, .folds = { 122, 292, 632 } },
	.log2_cells = 17,
	.tagged = { .log2_entries = 12,
		    .tag_bits = 12,
		    .lengths = { 2, 5, 9, 16, 40 },
		    .ticks = 512 },
	.n_loops = 256,
};

/* The cells, then their trials, the entries, the loops. */
static size_t cells_size(const struct tage_size *size)
{
	return sizeof(uint16_t) << size->log2_cells;
}

static size_t trials_size(const struct tage_size *size)
{
	return sizeof(struct tage_trial) << size->log2_cells;
}

static size_t entries_size(const struct tage_size *size)
{
	return tagged_count(&size->tagged) * sizeof(struct tagged_entry);
}

size_t tage_memory(const struct tage_size *size)
{
	return cells_size(size) + trials_size(size) + entries_size(size) +
	       size->n_loops * sizeof(struct loop);
}

void tage_init(struct tage *tage, const struct tage_size *size, void *memory)
{
	uint8_t *trials = (uint8_t *)memory + cells_size(size);
	uint8_t *entries = trials + trials_size(size);

	*tage = (struct tage){
		.size = size,
		.cells = memory,
		.trials = (void *)trials,
		.loops = { .places = (void *)(entries + entries_size(size)),
			   .mask = size->n_loops - 1 },
	};
	tagged_init(&tage->tagged, &size->tagged, (void *)entries);
	/* The first execution of each is not plain. */
	for (uint32_t i = 0; i < UINT32_C(1) << size->log2_cells; i++)
		tage->cells[i] = TAGE_CELL_WEAK;
}

/* -- loops ------------------------------------------------------------------------------------ */

/*
 * left of a branch, after execution number k (1..) of a run:
 *
 *	the loop is known	period - 1 - k, so that it is below 0 at the exit
 *	else			TAGE_MAX_LEFT - (k - run)
 */
static struct loop *place_of(const struct loops *loops, const struct branch_place *place)
{
	return &loops->places[place->key & loops->mask];
}

struct loop *loop_of(const struct loops *loops, const struct branch_place *place)
{
	struct loop *loop = place_of(loops, place);

	return loop->place == place ? loop : NULL;
}

/* The next execution is number run + 1 of its run. */
static void go_on(struct loop *loop, uint32_t run)
{
	loop->run = run;
	loop->place->left = TAGE_MAX_LEFT;
}

static void begin_run(struct loop *loop)
{
	if (loop_is_known(loop))
		loop->place->left = (int64_t)loop->period - 1;
	else
		go_on(loop, 0);
}

/* Predicts an execution of a branch whose loop is known.  True if that was wrong; then it is no longer known. */
static bool loop_predict(struct loop *loop, bool taken)
{
	const uint32_t run = (uint32_t)((int64_t)loop->period - 1 - loop->place->left);
	const bool is_exit = taken != loop->direction;

	if (is_exit == (run == loop->period)) {
		if (is_exit) {
			if (loop->age < LOOP_MAX_AGE)
				loop->age++;
			begin_run(loop);
		}
		return false;
	}
	loop->confidence = 0;
	if (is_exit) {
		loop->period = run;
		begin_run(loop);
	} else {
		go_on(loop, run);
	}
	return true;
}

/* The same for a loop that is not known; it may become known. */
static void loop_learn(struct loop *loop, bool taken)
{
	const uint64_t run = (uint64_t)loop->run + (uint32_t)(TAGE_MAX_LEFT - loop->place->left);

	if (taken == loop->direction) {
		go_on(loop, run <= TAGE_MAX_LEFT ? (uint32_t)run : TAGE_MAX_LEFT + 1);
		return;
	}
	if (run == loop->period) {
		loop->confidence++;
	} else if (loop->age > 0) {
		loop->period = run <= TAGE_MAX_LEFT ? (uint32_t)run : 0;
		loop->confidence = 0;
		loop->age--;
	} else {
		loop->place = NULL;
		return;
	}
	begin_run(loop);
}

/* Starts watching a branch that has just gone against its direction, unexpectedly, if its place is free. */
static void loops_claim(struct loops *loops, struct branch_place *place, bool direction)
{
	struct loop *loop = place_of(loops, place);

	if (loop->place != NULL && loop->age > 0) {
		loop->age--;
		return;
	}
	*loop = (struct loop){ .place = place, .direction = direction, .age = LOOP_NEW_AGE };
	go_on(loop, 0);
}

/* -- the cell's counter and credit ----------------------------------------------------------- */

static bool cell_predicts(const uint16_t *cell)
{
	return (*cell & TAGE_CELL_DIRECTION) != 0;
}

static void cell_learn(uint16_t *cell, bool taken)
{
	if (cell_predicts(cell) == taken)
		*cell &= (uint16_t)~TAGE_CELL_WEAK;
	else if ((*cell & TAGE_CELL_WEAK) != 0)
		*cell ^= TAGE_CELL_DIRECTION;
	else
		*cell |= TAGE_CELL_WEAK;
}

static bool cell_has_credit(uint16_t cell)
{
	return (cell & CREDIT_BITS) != 0;
}

static void cell_raise_credit(uint16_t *cell, int credit)
{
	if ((*cell & CREDIT_BITS) < credit * TAGE_CELL_CREDIT)
		*cell = (uint16_t)((*cell & ~CREDIT_BITS) | credit * TAGE_CELL_CREDIT);
}

/* -- entries of tagged tables ---------------------------------------------------------------- */

static bool entry_predicts(const struct tagged_entry *entry)
{
	return entry->counter >= COUNTER_TAKEN;
}

/* It says little, and has never been useful. */
static bool is_new(const struct tagged_entry *entry)
{
	return entry->useful == 0 &&
	       (entry->counter == COUNTER_TAKEN || entry->counter == COUNTER_TAKEN - 1);
}

static void entry_learn(struct tagged_entry *entry, bool taken)
{
	static const uint8_t next[2][COUNTER_MAX + 1] = { { 0, 0, 1, 2, 3, 4, 5, 6 },
							  { 1, 2, 3, 4, 5, 6, 7, 7 } };

	entry->counter = next[taken][entry->counter];
}

/* -- the whole ------------------------------------------------------------------------------ */

/* An execution that is not plain. */
struct execution {
	struct tage *tage;
	struct branch_history *history;
	struct branch_place *place;
	uint16_t *cell;
	struct tage_trial *trial;
	bool taken;
};

static void ask_tables(const struct execution *at, struct tagged_probe *probe)
{
	tagged_ask(&at->tage->tagged, at->history, at->place->key, at->trial->made, probe);
}

/* Makes an entry that says the outcome, weakly, in table number first or a later one. */
static void allocate(const struct execution *at, const struct tagged_probe *probe, unsigned first)
{
	tagged_make(&at->tage->tagged, probe, first, at->taken ? COUNTER_TAKEN : COUNTER_TAKEN - 1,
		    &at->trial->made);
}

/* With credit.  True if the prediction was wrong. */
static ALWAYS_INLINED bool predict_by_tables(const struct execution *at)
{
	const bool taken = at->taken, cell_wrong = cell_predicts(at->cell) != taken;
	struct tagged *tagged = &at->tage->tagged;
	struct tagged_probe probe;
	bool wrong = cell_wrong;

	ask_tables(at, &probe);
	if (probe.found != 0) {
		const unsigned table = 31 - (unsigned)__builtin_clz(probe.found);
		struct tagged_entry *provider = tagged_at(tagged, table, probe.hashes[table]);
		const bool provider_wrong = entry_predicts(provider) != taken;
		const bool was_new = is_new(provider);

		if (!was_new || tagged->alternative < 0)
			wrong = provider_wrong;
		if (provider_wrong != cell_wrong) {
			at->trial->gain = (int16_t)(at->trial->gain + (provider_wrong ? -1 : 1));
			tagged_learn_use(tagged, provider, was_new, !provider_wrong, !cell_wrong);
		}
		entry_learn(provider, taken);
		if (wrong && provider_wrong)
			allocate(at, &probe, table + 1);
		if (cell_wrong)
			cell_raise_credit(at->cell,
					  provider_wrong ? TAGE_FRESH_CREDIT : TAGE_PROVEN_CREDIT);
	} else if (cell_wrong) {
		allocate(at, &probe, 0);
		cell_raise_credit(at->cell, TAGE_FRESH_CREDIT);
	}
	return wrong;
}

/* A cell that tables do not help stops asking them for a while. */
static void end_trial(uint16_t *cell, struct tage_trial *trial)
{
	if (trial->gain <= 0) {
		*cell &= (uint16_t)~CREDIT_BITS;
		trial->made = 0;
		trial->pause = (uint8_t)(4U << trial->failures);
		if (trial->failures < TAGE_MAX_FAILURES)
			trial->failures++;
	} else {
		trial->failures = 0;
	}
	trial->n = 0;
	trial->gain = 0;
}

/* Towards "taken". */
static bool branch_is_biased(const struct branch_place *place)
{
	return place->bias >= 0;
}

static void learn_bias(struct branch_place *place, bool taken)
{
	if (taken && place->bias < BIAS_MAX)
		place->bias++;
	else if (!taken && place->bias > BIAS_MIN)
		place->bias--;
}

/* Without a known loop. */
static ALWAYS_INLINED bool predict(const struct execution *at)
{
	uint16_t *cell = at->cell;
	struct tage_trial *trial = at->trial;
	const bool cell_wrong = cell_predicts(cell) != at->taken;
	bool wrong = cell_wrong;

	if (cell_wrong || (*cell & (CREDIT_BITS | TAGE_CELL_WEAK)) != 0)
		learn_bias(at->place, at->taken);
	if (cell_has_credit(*cell)) {
		wrong = predict_by_tables(at);
		if (!cell_wrong && (*cell & TAGE_CELL_WEAK) == 0) {
			*cell = (uint16_t)(*cell - TAGE_CELL_CREDIT);
			if (!cell_has_credit(*cell))
				trial->made = 0;
		}
		if (++trial->n == TAGE_TRIAL)
			end_trial(cell, trial);
	} else if (cell_wrong && trial->pause > 0) {
		trial->pause--;
	} else if (cell_wrong) {
		struct tagged_probe probe;

		ask_tables(at, &probe);
		allocate(at, &probe, 0);
		cell_raise_credit(cell, TAGE_FRESH_CREDIT);
	}
	cell_learn(cell, at->taken);
	return wrong;
}

/* With a loop. */
static NEVER_INLINED bool predict_with_loop(const struct execution *at, struct loop *loop)
{
	bool wrong;

	if (loop_is_known(loop)) {
		wrong = loop_predict(loop, at->taken);
		if (wrong) {
			cell_learn(at->cell, at->taken);
			cell_raise_credit(at->cell, TAGE_FRESH_CREDIT);
		} else {
			*at->cell = loop->direction;
		}
		return wrong;
	}
	wrong = predict(at);
	if (branch_is_biased(at->place) != loop->direction)
		loop->place = NULL;
	else
		loop_learn(loop, at->taken);
	return wrong;
}

bool tage_predict(struct tage *tage, struct branch_history *history, struct branch_place *place,
		  uint16_t *cell, bool taken)
{
	struct tage_trial *trial = &tage->trials[cell - tage->cells];
	const struct execution at = { tage, history, place, cell, trial, taken };
	struct loop *loop = loop_of(&tage->loops, place);
	bool direction, wrong;

	if (!trial->is_used) {
		trial->is_used = 1;
		*cell = TAGE_CELL_WEAK | (branch_is_biased(place) ? TAGE_CELL_DIRECTION : 0);
	}
	if (loop != NULL)
		return predict_with_loop(&at, loop);
	direction = cell_predicts(cell);
	wrong = predict(&at);
	if (place->left < 0)
		place->left = TAGE_MAX_LEFT;
	if (wrong && taken != direction && cell_predicts(cell) == direction &&
	    branch_is_biased(place) == direction && (tage->tagged.random & LOOP_CHANCE) == 0)
		loops_claim(&tage->loops, place, direction);
	return wrong;
}

/* -- the exact model ------------------------------------------------------------------------- */

/* By the tables and the base counter. */
static ALWAYS_INLINED bool predict_exactly(struct tage *tage, struct branch_history *history,
					   struct branch_place *place, bool taken)
{
	const uint8_t outcome = taken ? COUNTER_TAKEN : COUNTER_TAKEN - 1;
	const bool base_wrong = branch_is_biased(place) != taken;
	struct tagged *tagged = &tage->tagged;
	struct tagged_entry *provider, *alternate = NULL;
	bool was_new, provider_wrong, alternate_wrong = base_wrong, wrong;
	struct tagged_probe probe;
	uint32_t shorter;
	unsigned table;

	if (place->made == 0 && !base_wrong) {
		learn_bias(place, taken);
		return false;
	}
	tagged_ask(tagged, history, place->key, place->made, &probe);
	if (probe.found == 0) {
		learn_bias(place, taken);
		if (base_wrong)
			tagged_make(tagged, &probe, 0, outcome, &place->made);
		return base_wrong;
	}
	table = 31 - (unsigned)__builtin_clz(probe.found);
	provider = tagged_at(tagged, table, probe.hashes[table]);
	provider_wrong = entry_predicts(provider) != taken;
	was_new = is_new(provider);
	shorter = probe.found ^ UINT32_C(1) << table;
	if (shorter != 0) {
		const unsigned next = 31 - (unsigned)__builtin_clz(shorter);

		alternate = tagged_at(tagged, next, probe.hashes[next]);
		alternate_wrong = entry_predicts(alternate) != taken;
	}
	wrong = was_new && tagged->alternative >= 0 ? alternate_wrong : provider_wrong;
	if (provider->useful == 0 && alternate != NULL)
		entry_learn(alternate, taken);
	else if (provider->useful == 0)
		learn_bias(place, taken);
	if (provider_wrong != alternate_wrong)
		tagged_learn_use(tagged, provider, was_new, !provider_wrong, !alternate_wrong);
	entry_learn(provider, taken);
	if (wrong && provider_wrong)
		tagged_make(tagged, &probe, table + 1, outcome, &place->made);
	return wrong;
}

bool tage_predict_exact(struct tage *tage, struct branch_history *history,
			struct branch_place *place, bool taken)
{
	const bool direction = branch_is_biased(place);
	struct loop *loop = loop_of(&tage->loops, place);
	bool wrong;

	if (loop != NULL && loop_is_known(loop)) {
		learn_bias(place, taken);
		return loop_predict(loop, taken);
	}
	wrong = predict_exactly(tage, history, place, taken);
	if (loop != NULL) {
		if (branch_is_biased(place) != loop->direction)
			loop->place = NULL;
		else
			loop_learn(loop, taken);
		return wrong;
	}
	if (place->left < 0)
		place->left = TAGE_MAX_LEFT;
	if (wrong && taken != direction && branch_is_biased(place) == direction &&
	    (tage->tagged.random & LOOP_CHANCE) == 0)
		loops_claim(&tage->loops, place, direction);
	return wrong;
}
