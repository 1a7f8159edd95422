/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/branches/predictor: what generated code does, the twins, comes to the same as the complete functions, after each of
 * many events.  With arguments it prints a trace of them for another model:
 *
 *	predictor_test 8k|64k|exact8k|exact64k SEED EVENTS
 */
#include "sim/branches/predictor.h"

#include <stdlib.h>

#include "tests/common/check.h"
#include "tests/sim/branches/branchstream.h"
#include "tests/sim/branches/predictor_fixture.h"

/* A predictor and its branches. */
struct side {
	struct predictor *predictor;
	struct branch_place places[STREAM_PLACES];
};

static struct side complete, twin; /* too large for the stack */

static void side_init(struct side *side, const struct predictor_config *config)
{
	side->predictor = predictor_new(config);
	for (unsigned i = 0; i < STREAM_PLACES; i++)
		predictor_add_place(side->predictor, &side->places[i], stream_key(i));
}

static unsigned run_complete(const struct stream_event *event)
{
	struct predictor *predictor = complete.predictor;
	struct branch_place *place = &complete.places[event->place];

	switch (event->kind) {
	case STREAM_BRANCH:
		return predictor_branch(predictor, place, event->outcome != 0);
	case STREAM_JUMP:
		return predictor_jump(predictor, place, event->outcome);
	case STREAM_RETURN:
		return predictor_return(predictor, place, event->outcome);
	case STREAM_TAKE:
		return predictor_take(predictor, place);
	case STREAM_CALL:
		break;
	}
	predictor_call(predictor, event->outcome);
	return 0;
}

static unsigned run_twin(const struct stream_event *event)
{
	struct predictor *predictor = twin.predictor;
	struct branch_place *place = &twin.places[event->place];

	switch (event->kind) {
	case STREAM_BRANCH:
		return predictor->is_exact
			       ? predictor_branch(predictor, place, event->outcome != 0)
			       : predictor_branch_twin(predictor, place, event->outcome != 0);
	case STREAM_JUMP:
		return predictor_jump_twin(predictor, place, event->outcome);
	case STREAM_RETURN:
		return predictor_return_twin(predictor, place, event->outcome);
	case STREAM_TAKE:
		return branch_is_unknown(place) ? predictor_take(predictor, place) : 0;
	case STREAM_CALL:
		break;
	}
	predictor_call(predictor, event->outcome);
	return 0;
}

/* -- the whole state ------------------------------------------------------------------------- */

static bool same_tagged(const struct tagged *a, const struct tagged *b)
{
	return a->alternative == b->alternative && a->tick == b->tick && a->random == b->random &&
	       memcmp(a->entries, b->entries, tagged_count(a->size) * sizeof(a->entries[0])) == 0;
}

static bool same_tage(const struct tage *a, const struct tage *b)
{
	const size_t n_cells = (size_t)1 << a->size->log2_cells;
	bool same = same_tagged(&a->tagged, &b->tagged);

	same = same && memcmp(a->cells, b->cells, n_cells * sizeof(a->cells[0])) == 0;
	same = same && memcmp(a->trials, b->trials, n_cells * sizeof(a->trials[0])) == 0;
	for (unsigned i = 0; same && i < a->size->n_loops; i++) {
		const struct loop *x = &a->loops.places[i], *y = &b->loops.places[i];

		same = x->period == y->period && x->run == y->run && x->direction == y->direction &&
		       x->confidence == y->confidence && x->age == y->age;
		same = same &&
		       (x->place == NULL ? y->place == NULL
					 : x->place - complete.places == y->place - twin.places);
	}
	return same;
}

static bool same_ittage(const struct ittage *a, const struct ittage *b)
{
	const size_t n_cells = (size_t)1 << a->size->log2_cells;
	bool same = same_tagged(&a->tagged, &b->tagged) &&
		    memcmp(a->targets, b->targets,
			   tagged_count(a->tagged.size) * sizeof(a->targets[0])) == 0;

	for (size_t i = 0; same && i < n_cells; i++) {
		const struct jump_cell *x = &a->cells[i], *y = &b->cells[i];

		same = x->expected == y->expected && x->bits == y->bits && x->target == y->target &&
		       x->credit == y->credit && x->confidence == y->confidence &&
		       x->made == y->made;
	}
	return same;
}

static bool same_targets(const struct target_buffer *a, const struct target_buffer *b)
{
	bool same = true;

	for (unsigned i = 0; same && i < a->n_sets; i++) {
		same = a->sets[i].next == b->sets[i].next;
		for (unsigned w = 0; same && w < a->n_ways; w++) {
			const struct branch_place *x = a->sets[i].ways[w], *y = b->sets[i].ways[w];

			same = x == NULL ? y == NULL
					 : y != NULL && x - complete.places == y - twin.places;
		}
	}
	for (unsigned i = 0; same && i < STREAM_PLACES; i++)
		same = branch_is_unknown(&complete.places[i]) ==
			       branch_is_unknown(&twin.places[i]) &&
		       complete.places[i].bias == twin.places[i].bias &&
		       complete.places[i].made == twin.places[i].made &&
		       complete.places[i].left == twin.places[i].left;
	return same;
}

static bool same_state(void)
{
	const struct predictor *a = complete.predictor, *b = twin.predictor;

	return memcmp(&a->history, &b->history, sizeof(a->history)) == 0 &&
	       memcmp(a->returns.ring, b->returns.ring, sizeof(a->returns.ring)) == 0 &&
	       a->returns.top - a->returns.ring == b->returns.top - b->returns.ring &&
	       same_tage(&a->tage, &b->tage) && same_ittage(&a->ittage, &b->ittage) &&
	       same_targets(&a->targets, &b->targets);
}

/* -- tests ----------------------------------------------------------------------------------- */

/* How many events there were of each kind; wrongly predicted ones, and loops that predict. */
struct seen {
	unsigned long kinds[STREAM_CALL + 1], wrong[STREAM_CALL + 1], unknown;
	unsigned long known_loops;
};

static void see(struct seen *seen, const struct stream_event *event, unsigned result)
{
	const struct loop *loop;

	seen->kinds[event->kind]++;
	seen->wrong[event->kind] += (result & PREDICTOR_WRONG) != 0;
	seen->unknown += (result & PREDICTOR_UNKNOWN) != 0;
	loop = loop_of(&complete.predictor->tage.loops, &complete.places[event->place]);
	seen->known_loops += event->kind == STREAM_BRANCH && loop != NULL && loop_is_known(loop);
}

static void compare(const struct predictor_config *config, uint64_t seed, unsigned long n)
{
	static struct branchstream stream;
	struct seen seen = { .unknown = 0 };

	side_init(&complete, config);
	side_init(&twin, config);
	/* Where the processor has AVX2, one of them does with it what the other does without. */
	twin.predictor->tage.tagged.probe = tagged_probe_plain;
	twin.predictor->ittage.tagged.probe = tagged_probe_plain;
	stream_init(&stream, seed);
	for (unsigned long i = 0; i < n; i++) {
		const struct stream_event event = stream_next(&stream);
		const unsigned result = run_complete(&event);

		if (!CHECK_EQ_U64(run_twin(&event), result))
			break;
		if (i % (n / 64) == 0 && !CHECK(same_state()))
			break;
		see(&seen, &event, result);
	}
	CHECK(same_state());
	/* It was a trial of all parts. */
	for (int kind = 0; kind <= STREAM_CALL; kind++)
		CHECK(seen.kinds[kind] > n / 200);
	CHECK(seen.wrong[STREAM_BRANCH] > n / 100);
	CHECK(seen.wrong[STREAM_JUMP] > n / 200);
	CHECK(seen.wrong[STREAM_RETURN] > n / 2000);
	CHECK(seen.unknown > n / 100);
	CHECK(seen.known_loops > n / 200);
	free(complete.predictor);
	free(twin.predictor);
}

TEST(twins_of_a_small_predictor)
{
	compare(&small_config, 1, 600000);
}

TEST(twins_of_a_large_predictor)
{
	compare(&large_config, 2, 400000);
}

TEST(twins_of_the_smallest_tables)
{
	struct predictor_config config = small_config;

	for (unsigned n = 1; n <= 7; n++) {
		config.n_returns = n;
		config.n_targets = n;
		compare(&config, 10 + n, 200000);
	}
	config.n_returns = RETURNS_MAX_DEPTH;
	compare(&config, 20, 200000);
}

/* There it is AVX2 alone, and jumps, that differ. */
TEST(twins_of_the_exact_model)
{
	struct predictor_config config = small_config;

	config.is_exact = true;
	compare(&config, 3, 400000);
	config = large_config;
	config.is_exact = true;
	compare(&config, 4, 400000);
}

static int print_trace(const struct predictor_config *config, uint64_t seed, unsigned long n)
{
	static const char *const names[] = { "branch", "jump", "return", "take", "call" };
	static struct branchstream stream;

	side_init(&complete, config);
	stream_init(&stream, seed);
	for (unsigned long i = 0; i < n; i++) {
		const struct stream_event event = stream_next(&stream);

		printf("branch: %s %" PRIx64 " %" PRIx64 " %u\n", names[event.kind],
		       event.kind == STREAM_CALL ? 0 : complete.places[event.place].key,
		       event.outcome, run_complete(&event));
	}
	free(complete.predictor);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct check_test tests[] = {
		CHECK_TEST(twins_of_a_small_predictor),
		CHECK_TEST(twins_of_a_large_predictor),
		CHECK_TEST(twins_of_the_smallest_tables),
		CHECK_TEST(twins_of_the_exact_model),
	};

	if (argc == 4) {
		const bool is_exact = strncmp(argv[1], "exact", 5) == 0;
		struct predictor_config config = strcmp(argv[1] + (is_exact ? 5 : 0), "8k") == 0
							 ? small_config
							 : large_config;

		config.is_exact = is_exact;
		return print_trace(&config, strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
	}
	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
