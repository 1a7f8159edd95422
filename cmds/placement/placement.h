/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hot loops of a profile that touch more fetch windows than they need to, what to do about them, and the view of
 * both.
 *
 * A loop is hot if it has HOT_LEAST percent of the run's cycles: of Cyc, where the machine's were counted, else of the
 * estimate, else of instructions.  What the loop calls is not counted.  Jumps are the machine code's, with the target in the
 * instruction.  The profile says how often each was taken: by its jumps (--collect-jumps=yes), by Bct, or at least by how
 * much less often the instruction after the jump was executed.  Where an object cannot be read, only recorded jumps make
 * loops.
 */
#ifndef CMDS_PLACEMENT_PLACEMENT_H
#define CMDS_PLACEMENT_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/emit/document.h"
#include "cmds/object/codeobject.h"
#include "profile/analysis/metric.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* -- loops and fetch windows: numbers only (loops.c) ----------------------------------------------- */

/*
 * A loop is code from the target of a backward jump to the end of that jump, [begin, end), both in one function.
 * Its turns are how often such jumps were taken.  Jumps back to one target are one loop, which ends after the last
 * of them that has at least LOOP_SHARE of its turns.  Of nested loops only the innermost counts: a loop is dropped
 * if one in it has at least LOOP_SHARE of its turns; else the one in it is, as part of the body.  Of two that
 * overlap, neither within the other, one with less than LOOP_SHARE of the other's turns is dropped; else both are
 * one loop, as control goes round in all of it.  So no code is in two loops.
 *
 * A window is an aligned block of 16, 32 or 64 bytes: what processors fetch at a time, or keep together
 * decoded.  Code of size bytes touches ceil(size / W) windows of W bytes at least.  As W divides the page
 * size, addresses in the object's file say as much as those at run time.
 */
enum {
	LOOP_SHARE = 10, /* percent */
	LOOP_MOST_BYTES =
		512, /* eight windows of 64; in a longer one, an extra window is not felt */
};

enum { WINDOWS_16, WINDOWS_32, WINDOWS_64, N_WINDOWS };

/* Bytes of a window. */
static inline uint64_t window_size(unsigned window)
{
	return (uint64_t)16 << window;
}

/* Windows that [begin, end) touches; begin < end. */
static inline uint64_t windows_touched(uint64_t begin, uint64_t end, unsigned window)
{
	return (end - 1) / window_size(window) - begin / window_size(window) + 1;
}

/* The fewest windows that this many bytes can touch. */
static inline uint64_t windows_needed(uint64_t bytes, unsigned window)
{
	return (bytes + window_size(window) - 1) / window_size(window);
}

struct loop {
	uint32_t object;
	uint64_t begin, end;
	uint64_t turns;
	uint64_t jump; /* address of the last jump back */
};

/*
 * Makes loops of n backward jumps, each given as one: in place, by object and begin.  Returns how many
 * there are.  One that has become longer than LOOP_MOST_BYTES is left out.
 */
size_t loops_find(struct loop *loops, size_t n);

/* True if it touches more windows of any size than it has to. */
bool loop_is_misplaced(const struct loop *loop);

/*
 * The smallest alignment, 16, 32 or 64, at which code of this many bytes, beginning at an offset from an aligned
 * address, touches no more windows than it has to, whichever aligned address it is; 0 = none suffices.  With an
 * offset of 0 one always does, if bytes is not 0.
 */
unsigned placement_alignment(uint64_t offset, uint64_t bytes);

/* -- hot loops (placement.c) ------------------------------------------------------------------------ */

enum { HOT_LEAST = 2 }; /* percent of all, of a loop that is hot */

struct placement_options {
	const char *estimate; /* the formula of EstCyc (metric.h); NULL = the usual one */
	struct objectfile_options objects;
	const struct timespec *oldest; /* modification of the profile; NULL = not known */
};

/* What to do about a loop. */
struct remedy {
	unsigned alignment;          /* of the loop, that suffices */
	unsigned function_alignment; /* of its function, if that suffices; 0 = it does not */
	const char *text;            /* one line, no full stop; the arena's */
};

/* Texts are the placement's. */
struct placement_row {
	struct loop loop;
	int128 cost;
	uint64_t touched[N_WINDOWS], needed[N_WINDOWS];
	uint32_t number, file_number;  /* of the profile: the function that is named, the file */
	const char *function, *object; /* "???" = not known */
	const char *file;              /* NULL = not known */
	uint64_t line;                 /* of the jump back; 0 = not known */
	struct remedy remedy;
};

/* Fields are for reading.  Not to be moved. */
struct placement {
	const struct model *model;
	const struct placement_options *options;
	const struct metric *metric; /* by which loops are hot */
	int128 whole;                /* of it, the run */
	struct placement_row *rows;  /* the arena's; those that cost most first */
	size_t n;
	size_t n_hot; /* hot loops, wherever they are */
	struct metrics metrics;
	struct code_objects objects;
	struct arena arena;
};

/* NULL, or what a model lacks: what was expected, and by which option it is recorded. */
const char *placement_missing(const struct model *model);

/*
 * Makes it, of a finished model that lacks nothing, with lines and jumps; options outlive it.  Returns a
 * status.  To be released in any case.
 */
int placement_make(struct placement *placement, const struct model *model,
		   const struct placement_options *options);
void placement_release(struct placement *placement);

/* Puts it into a document, as "layout" for programs; in a page functions and files are numbers.  (placementview.c) */
void placementview_put(struct document *document, const struct placement *placement);

#endif
