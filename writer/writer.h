/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes profiles in the Callgrind format, version 1, line by line.
 *
 * Source of the grammar: the Callgrind format specification; docs/FORMAT.md
 * has it as the tool writes it.  Where real readers take less than the
 * specification allows, only what they all take is written:
 *
 *	no jfn=					gprof2dot dies of it
 *	no first id in jfi=			speedscope skips the line
 *	jcnd=1/10, not 1 10			KCachegrind takes nothing else
 *	absolute targets of calls and jumps	readers agree only on that
 *	absolute first position after fn=	Qt Creator resolves it in the function
 *	differences below 2^31			KCachegrind reads 32 bits
 *	ids anew per part			KCachegrind forgets them
 *	positions: always			Qt Creator has no default
 *	event: before events:			KCachegrind ignores later long names
 *	summary: after events:			KCachegrind skips the file
 *	pid: in each part			KCachegrind assumes process 0
 *	all columns in a function's first cost	callgrind_annotate complains
 *	fl= before each fn=			callgrind_annotate stays in an fi= file
 *	cob=, cfi= before each cfn=		readers forget them after a call
 *	no calls with count 0			callgrind_annotate adds their cost to
 *						the caller's own
 *	no name starting with ( and a digit	it is taken for an id
 *	no TAB, no blank at the end		KCachegrind drops the cost, speedscope
 *						gives up
 *	derived events under our own names	KCachegrind saves redefinitions in the
 *						user's settings
 *
 * Order of calls for a part (everything in brackets may be left out):
 *
 *	[format] [version] [creator]			once, at the start of the file
 *	[pid] [cmd] [part] [thread] [desc...] [event...] [positions] events [summary]
 *	body: position specifications, costs, calls, jumps, comments, blank lines
 *	[totals]
 *
 * A further part begins with writer_begin_part().  Comments and blank lines
 * may appear anywhere but between writer_calls() and its writer_cost(); after
 * one of them it is too late for format, version and creator.  positions may
 * be left out only where lines are the only positions.
 *
 * Costs, calls and jumps belong to the function of the last SPEC_FN; there
 * must be one, in this part and after the last SPEC_OB.  SPEC_FI and SPEC_FE
 * need one too.  A call is
 *
 *	[SPEC_COB] [SPEC_CFI] SPEC_CFN writer_calls() writer_cost()
 *
 * with nothing between that means anything: readers keep what they have read
 * of a callee until the costs of a call, and no longer.  A jump is
 *
 *	[SPEC_JFI] [SPEC_JFN] writer_jump() or writer_conditional_jump()
 *
 * by the same rule; without SPEC_JFI its target is in the file of its source.
 *
 * Errors are sticky (writer/out.h): look at writer_finish() only.  A call out
 * of order writes nothing and leaves OUT_MISUSE.
 *
 * All text comes out as valid UTF-8 without control characters, and no line
 * ends in a blank.  In free text (creator, desc, long names, comments) control
 * characters become blanks and bytes that are not UTF-8 \xNN.
 */
#ifndef WRITER_WRITER_H
#define WRITER_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "writer/out.h"

/*
 * A name to write.  key is the caller's number of the thing named: the same
 * key is the same object, file or function, whatever the spelling of its
 * neighbours (two functions may share a text and still differ).  Memory grows
 * with the largest key, so use indexes; NAME_NO_KEY is written in full each
 * time.  text is borrowed for the call only and need not end in NUL.
 */
struct name {
	const char *text;
	size_t len; /* bytes */
	uint32_t key;
};

#define NAME_NO_KEY UINT32_MAX

/*
 * Name compression: the ids given in this part to names of one kind (objects, files or functions), from 1 in order of
 * first appearance.  Invariant: ids[key] is 0 or 1..last_id, each once.
 */
struct names {
	uint32_t *ids;   /* owned, by key */
	size_t capacity; /* elements of ids */
	uint32_t last_id;
};

/* An empty table; needs no memory yet.  names_release() gives memory back and leaves it empty. */
void names_init(struct names *names);
void names_release(struct names *names, const struct env *env);

/* Forgets all ids (a new part), keeps the memory. */
void names_reset(struct names *names);

/*
 * The id of key, and in *is_new whether this call gave it.  Returns 0 if
 * memory ran out; the table is then as before.  key is not NAME_NO_KEY.
 */
uint32_t names_id(struct names *names, const struct env *env, uint32_t key, bool *is_new);

/* The id of key, which may be NAME_NO_KEY, or 0 if it has none. */
uint32_t names_known_id(const struct names *names, uint32_t key);

/* Which numbers are at the start of a cost line; or-ed. */
enum {
	POSITION_LINE = 1,
	POSITION_INSTR = 2,
};

/* Where a cost arises; numbers whose kind is not written are ignored. */
struct position {
	uint64_t instr; /* link-time address */
	uint64_t line;  /* 1..; 0 = unknown */
};

/* The "spec" of a position specification "spec=name". */
enum position_spec {
	SPEC_OB,  /* object of the costs that follow; the function must be named again */
	SPEC_FL,  /* file of the function that follows */
	SPEC_FI,  /* file of inlined code */
	SPEC_FE,  /* back in another file, usually the function's own */
	SPEC_FN,  /* function; the first position after it is absolute */
	SPEC_COB, /* object of the next callee */
	SPEC_CFI, /* file of the next callee */
	SPEC_CFN, /* the next callee */
	SPEC_JFI, /* file of the target of the next jump */
	SPEC_JFN, /* its function, in profiles of others only: gprof2dot dies of it */
};

struct writer_options {
	unsigned positions;      /* POSITION_ bits, at least one */
	bool compress_names;     /* (id) name, then (id) */
	bool compress_positions; /* +n -n * where that is not longer, as in the specification */
};

/* Fields are private to writer/; only the memory is the caller's. */
struct writer {
	struct out out;
	struct writer_options options;
	struct names objects, files, functions;
	struct position last; /* of the last line that begins with a position */
	bool last_valid;      /* relative positions are allowed */
	bool keep_zeros;      /* the next self cost is the first after a file or function */
	bool in_function;     /* costs have a function to belong to */
	unsigned stage;       /* how far the part is */
	unsigned call;        /* how far the call is */
	size_t n_events;      /* columns of the part */
	bool foreign;         /* see writer_allow_foreign() */
	bool signed_counts;   /* see writer_allow_negative() */
	bool full_rows;       /* see writer_fill_rows() */
};

/* options are copied, env is borrowed until writer_release(). */
void writer_init(struct writer *writer, const struct env *env,
		 const struct writer_options *options);

/*
 * Takes what the tool never writes, but may have been read elsewhere: calls
 * with a count of 0, long names of events such as "Time_(10ns)".
 */
void writer_allow_foreign(struct writer *writer);

/* From now on, costs and counts are two's complement, and written with their sign. */
void writer_allow_negative(struct writer *writer);

/* From now on, zeros at the end of costs are written too: speedscope takes none for 0. */
void writer_fill_rows(struct writer *writer);

/* Gives memory back; what is not flushed is lost. */
void writer_release(struct writer *writer);

/*
 * Flushes and returns the first error, 0 if there was none (writer/out.h).
 * OUT_MISUSE in the midst of a header or of a call.
 */
int writer_finish(struct writer *writer);

/* "# callgrind format", "version: 1", "creator: ..." */
void writer_format(struct writer *writer);
void writer_version(struct writer *writer);
void writer_creator(struct writer *writer, const char *creator);

/* After the body of a part: ids and positions start afresh, a header follows. */
void writer_begin_part(struct writer *writer);

/* The POSITION_ bits of the part that begins; before its header. */
void writer_change_positions(struct writer *writer, unsigned positions);

void writer_pid(struct writer *writer, uint64_t pid);
void writer_part(struct writer *writer, uint64_t part);
void writer_thread(struct writer *writer, uint64_t thread);

/*
 * The command line; args[0] is the program.  Backslash and line feed become
 * \\ and \n, other control characters and bytes that are not UTF-8 \xNN.  Blanks
 * at the very end are left out, an empty last argument with them.
 */
void writer_cmd(struct writer *writer, const char *const *args, size_t n_args);

/* The command line as it stood in a profile, with its escapes; as free text. */
void writer_command(struct writer *writer, const char *command);

/* "desc: type: value"; type is not empty and has no colon. */
void writer_desc(struct writer *writer, const char *type, const char *value);

/* A region of the program's, for which there is a "desc:" line of its own (docs/FORMAT.md). */
struct region_line {
	const char *name;
	size_t name_len;
	uint64_t n_times, n_threads; /* begun; threads that have done so */
	bool is_open;                /* begun, and not over */
	const uint64_t *costs;       /* inclusive, one a column; n_costs is at least 1 */
	size_t n_costs;
};

/* Where writer_desc() may be. */
void writer_region(struct writer *writer, const struct region_line *region);

/*
 * "event: name [= formula] [: long name]"; formula and long_name may be NULL.
 * Must come before writer_events(): readers fix long names there.  name is
 * [A-Za-z_][A-Za-z0-9_]*; formula is of numbers, blanks, + - * and such names,
 * at least one, and does not end in a blank.
 */
void writer_event(struct writer *writer, const char *name, const char *formula,
		  const char *long_name);

/* "positions:" as the options say. */
void writer_positions(struct writer *writer);

/*
 * "events:"; from here on the part has n_names columns (at least one).  A name
 * is of graphic ASCII characters: readers know "Time_(10ns)" too.
 */
void writer_events(struct writer *writer, const char *const *names, size_t n_names);

/* "summary:" (right after the events) and "totals:" (after the body); one cost a column. */
void writer_summary(struct writer *writer, const uint64_t *costs);
void writer_totals(struct writer *writer, const uint64_t *costs);

/* An empty line; readers skip it. */
void writer_blank(struct writer *writer);

/*
 * "spec=name".  A name is written so that every reader takes it for that
 * name: empty becomes "???"; line feeds, other control characters, bytes that
 * are not UTF-8 and a blank at either end become \n or \xNN; "(" and a digit
 * at the start become \x28 and the digit.  SPEC_JFI gives no id to a name that
 * has none: some readers skip that line.
 */
void writer_position(struct writer *writer, enum position_spec spec, const struct name *name);

/*
 * Self cost at a position, or right after writer_calls() the inclusive cost
 * of the calls made there.  n_costs is at most the number of columns; zeros
 * at the end are left out, but one number stays, and all of them in the first
 * line after a file or function (everywhere, with writer_fill_rows()).
 */
void writer_cost(struct writer *writer, const struct position *at, const uint64_t *costs,
		 size_t n_costs);

/* count (1 or more, unless foreign) calls of the function of the SPEC_CFN just before; writer_cost() must follow. */
void writer_calls(struct writer *writer, uint64_t count, const struct position *target);

/* Jumps inside a function: how often, from where, to where. */
void writer_jump(struct writer *writer, uint64_t count, const struct position *target,
		 const struct position *source);
void writer_conditional_jump(struct writer *writer, uint64_t followed, uint64_t executed,
			     const struct position *target, const struct position *source);

/* --- call trees ----------------------------------------------------------------------- */

/*
 * A call tree is a file with a profile's header and names,
 * with sections of nodes in place of costs and calls (docs/FORMAT.md).
 * Order of calls:
 *
 *	nodes_format version [creator] [pid] [cmd] [desc...] events [summary]
 *	{ nodes_section { [nodes_function] nodes_write }... }...
 *	[totals]
 *
 * Blank lines may appear anywhere.  The writer's options are POSITION_LINE alone
 * and compress_names.
 */

/* "# costgrind call tree", in place of writer_format(). */
void nodes_format(struct writer *writer);

/* "kind: thread": whose nodes follow; kind is "thread" or "handlers". */
void nodes_section(struct writer *writer, const char *kind, uint64_t thread);

/* True if a function has been named. */
bool nodes_is_named(const struct writer *writer, const struct name *function);

/*
 * Names a function that has not been named yet, and whatever of its object and
 * file differs from the one named before (not same_object, not same_file).
 */
struct nodes_function {
	struct name object, file, name;
	bool same_object, same_file;
};

void nodes_function(struct writer *writer, const struct nodes_function *function);

/*
 * "depth function calls costs...": a node.  The function has been named, or is
 * NULL for what is folded.  Costs are of all columns; zeros at the end are left out.
 */
void nodes_write(struct writer *writer, uint32_t depth, const struct name *function, uint64_t calls,
		 const uint64_t *costs);

#endif
