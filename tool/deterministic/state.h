/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program sees with --deterministic=yes: the state of this room.
 */
#ifndef TOOL_DETERMINISTIC_STATE_H
#define TOOL_DETERMINISTIC_STATE_H

#include "tool/deterministic/clock.h"
#include "tool/deterministic/deterministic.h"
#include "tool/deterministic/nondeterminism.h"
#include "tool/deterministic/process_tree.h"
#include "tool/deterministic/random_source.h"

struct deterministic_state {
	struct deterministic_options options;
	struct deterministic_program program;
	struct clock clock;
	struct random_source random_source;
	struct timers timers;
	struct nondeterminism nondeterminism;
	struct process_tree process_tree;
};

extern struct deterministic_state tool_deterministic;

#endif
