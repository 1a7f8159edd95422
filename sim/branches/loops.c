/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * left of a branch, behind the execution number k of a run (1..):
 *
 *	of a loop that is known		period - 1 - k, so that it is below 0 at the exit
 *	else				TAGE_MAX_LEFT - (k - run)
 */
#include "sim/branches/loops.h"

#include <stddef.h>

#include "sim/branches/predictor.h"

enum {
	MAX_PERIOD = TAGE_MAX_LEFT,
};

static struct loop *place_of(const struct loops *loops, const struct branch_place *place)
{
	return &loops->places[place->key & loops->mask];
}

struct loop *loop_of(const struct loops *loops, const struct branch_place *place)
{
	struct loop *loop = place_of(loops, place);

	return loop->place == place ? loop : NULL;
}

/* From now on its executions are those behind number run of its run. */
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

bool loop_predict(struct loop *loop, bool taken)
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

void loop_learn(struct loop *loop, bool taken)
{
	const uint64_t run = (uint64_t)loop->run + (uint32_t)(TAGE_MAX_LEFT - loop->place->left);

	if (taken == loop->direction) {
		go_on(loop, run <= MAX_PERIOD ? (uint32_t)run : MAX_PERIOD + 1);
		return;
	}
	if (run == loop->period) {
		loop->confidence++;
	} else if (loop->age > 0) {
		loop->period = run <= MAX_PERIOD ? (uint32_t)run : 0;
		loop->confidence = 0;
		loop->age--;
	} else {
		loop->place = NULL;
		return;
	}
	begin_run(loop);
}

void loops_claim(struct loops *loops, struct branch_place *place, bool direction)
{
	struct loop *loop = place_of(loops, place);

	if (loop->place != NULL && loop->age > 0) {
		loop->age--;
		return;
	}
	*loop = (struct loop){ .place = place, .direction = direction, .age = LOOP_NEW_AGE };
	go_on(loop, 0);
}
