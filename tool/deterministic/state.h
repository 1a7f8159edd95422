/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program is told with --deterministic=yes: the state of this room.
 */
#ifndef TOOL_DETERMINISTIC_STATE_H
#define TOOL_DETERMINISTIC_STATE_H

#include "tool/deterministic/canonical.h"
#include "tool/deterministic/chance.h"
#include "tool/deterministic/clock.h"
#include "tool/deterministic/family.h"
#include "tool/deterministic/outside.h"
#include "tool/deterministic/timer.h"

struct deterministic_state {
	struct canonical_options options;
	struct canonical canonical;
	struct clock clock;
	struct chance chance;
	struct timers timers;
	struct outside outside;
	struct family family;
};

extern struct deterministic_state tool_deterministic;

#endif
