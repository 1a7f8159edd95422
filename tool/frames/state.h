/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that interpreters run, as they are told apart: the state of this room. */
#ifndef TOOL_FRAMES_STATE_H
#define TOOL_FRAMES_STATE_H

#include "pub_tool_basics.h"

#include "tool/frames/frames.h"

struct frames_options {
	Bool python; /* --python=yes */
};

struct frames_state {
	struct frames_options options;
	struct frame_loops loops;
};

extern struct frames_state tool_frames;

#endif
