/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * left of a cell, behind the execution number k of a run (1..):
 *
 *	of a loop that is known		period - 1 - k, so that it is below 0 at the exit
 *	else				TAGE_MAX_LEFT - (k - run)
 */
#include "sim/branches/loops.h"

#include <stddef.h>

#include "sim/branches/tage.h"

enum {
	MAX_PERIOD = TAGE_MAX_LEFT,
};

static void set_left(uint32_t *cell, uint32_t left)
{
	*cell = (*cell & TAGE_CELL_STATE) | left * TAGE_CELL_EXECUTION;
}

/* It is -1 at least. */
static int32_t get_left(const uint32_t *cell)
{
	return (int32_t)(*cell & ~(uint32_t)TAGE_CELL_STATE) / TAGE_CELL_EXECUTION;
}

/* From now on its executions are those behind number run of its run. */
static void go_on(struct loop *loop, uint32_t run)
{
	loop->run = run;
	set_left(loop->cell, TAGE_MAX_LEFT);
}

static void begin_run(struct loop *loop)
{
	if (!loop_is_known(loop)) {
		go_on(loop, 0);
		return;
	}
	*loop->cell = loop->direction; /* without weakness or credit */
	set_left(loop->cell, loop->period - 1);
}

bool loop_predict(struct loop *loop, bool taken)
{
	const uint32_t run = (uint32_t)((int32_t)loop->period - 1 - get_left(loop->cell));
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
	const uint64_t run = (uint64_t)loop->run + (uint32_t)(TAGE_MAX_LEFT - get_left(loop->cell));

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
		loop->cell = NULL;
		return;
	}
	begin_run(loop);
}

bool loops_claim(struct loops *loops, uint32_t *cell, uint32_t number, bool direction)
{
	struct loop *loop = &loops->places[number & loops->mask];

	if (loop->cell != NULL && loop->age > 0) {
		loop->age--;
		return false;
	}
	*loop = (struct loop){ .direction = direction, .age = LOOP_NEW_AGE };
	loop->cell = cell;
	go_on(loop, 0);
	return true;
}
