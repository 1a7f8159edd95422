/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles and what is in their headers: the state of this room, and what the user wants of it.
 */
#ifndef TOOL_OUTPUT_STATE_H
#define TOOL_OUTPUT_STATE_H

#include "pub_tool_basics.h"

#include "tool/output/beside.h"
#include "tool/output/fingerprint.h"
#include "tool/output/outcome.h"
#include "tool/output/output.h"
#include "tool/output/part.h"
#include "tool/output/writing.h"

struct output_options {
	const HChar *out_file; /* as given: %p and the like are still in it */
	Bool flat;             /* in Cachegrind's format */
	Bool dump_instr;
	Bool dump_line;
	Bool compress_strings;
	Bool compress_pos;
	Bool combine_dumps;  /* all parts in one file */
	struct descs descs;  /* lines of the header that the user wants */
	ULong dump_every_bb; /* superblocks; 0 = never */
	UInt dump_every_ms;  /* likewise, by the clock */
	Bool dump_regions;   /* a part ends where another region begins */
	Bool call_tree;
	UInt call_tree_nodes;
};

struct output_state {
	struct output_options options;
	struct output output;
	struct besides besides;
	struct parts parts;
	struct descs job_descs; /* which process of a job this is */
	struct descs descs;     /* of the program's */
	struct fingerprint fingerprint;
	struct unprofiled unprofiled;
};

extern struct output_state tool_output;

#endif
