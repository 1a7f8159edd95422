/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of a run.  A part is what was counted since the last one was written, or since all
 * was set to zero; each is a profile in a file of its own.  The last part, at the
 * end, has the name that was asked for, the others ".1", ".2" and so on behind it.
 */
#ifndef TOOL_OUTPUT_PART_H
#define TOOL_OUTPUT_PART_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

struct parts {
	UInt n;                  /* written so far */
	UInt before;             /* by programs before this one in this process: numbers used up */
	ULong began;             /* superblocks entered when this one began */
	ULong written[N_EVENTS]; /* costs in those that are written */
	ULong n_blocks;          /* entered by now, as the core counts them */
	ULong began_blocks;      /* likewise when this part began */
	UInt began_ms;           /* likewise, by the core's clock, with --dump-every-ms */
};

/*
 * Writes what was counted so far as a part, and begins the next one.  If it
 * cannot be written (the message is printed), its costs are in the next one.
 * trigger says why, for the header.  Returns whether it was written.  Not while code is in
 * mid-segment.
 */
Bool part_write(const HChar *trigger);

/*
 * Writes what was counted so far under the profile's own name, as at the end of the
 * run; the part goes on, and its costs stay, so that at the end they are written there
 * again.  False if that failed, or may not be any more.
 */
Bool part_write_final(const HChar *trigger);

/* Sets all costs to zero; a new part begins. */
void part_zero(void);

/*
 * The same as Callgrind has it where threads have files of their own: of the running thread only.
 * The others' parts go on, and may lack the number.  Returns whether one was written.
 */
Bool part_write_own(const HChar *trigger);
void part_zero_own(void);

/* The number of the part that is being counted, from 1; behind the names of all but the last. */
UInt parts_number(void);

/* In the child of a fork: it has written none. */
void parts_fork(void);

/* Costs in all parts, this one among them, collected. */
void parts_totals(ULong totals[N_EVENTS]);

/* Between two runs of generated code: writes a part if one is due (--dump-every-bb, -ms). */
void parts_look(ULong n_blocks);

#endif
