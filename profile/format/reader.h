/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads profiles in the Callgrind format, version 1, and in Cachegrind's, and
 * reports what is in them to a visitor.
 *
 * The grammar is the Callgrind format specification's (today's and
 * Valgrind 3.2.1's) and of Cachegrind's manual; beyond it, what real programs
 * write is read: "jcnd=" with a slash, "jfi=", "jfn=", "rcalls=", ranges of
 * positions, counts below 0 (differences), "." for 0, calls=0 (pprof), two
 * numbers after a call's target (Xdebug), a summary amid the costs, CRLF, no
 * line feed at the end, unknown header lines.  Names, and where the
 * specification leaves it open, what belongs to what, are KCachegrind's:
 *
 *  - "fl=" sets the file of functions named after it, and of costs; "fi=" and
 *    "fe=" the file of costs only; "fn=" goes back to the function's.
 *  - Costs after "fl=" without "fn=" are of the function before; in Cachegrind's format they are
 *    of the function "<unspecified>" of that file, as in cg_annotate since Valgrind 3.21.
 *  - "ob=" forgets the function.
 *  - "cob=" and "cfi=" (or "cfl=") hold until the next call's costs; without
 *    them the callee is in the object and in the source file of the moment.
 *    "cfn=" holds until the next one.
 *  - "jfi=" and "jfn=" hold until the next jump's source.
 *  - "cfni=" (CodSpeed's Callgrind) names the inlined function that the following costs come from;
 *    "cfni=???" or "fn=" ends that.  The name is left out: the costs stay with the function that
 *    it was inlined into, in their own file and line, as with --inline=lines.
 *  - A second "events:", or another header line after costs or totals (but summary and
 *    totals), begins a part.  Ids stay what they are up to the end
 *    of the file; positions, object, file and function begin afresh.
 *
 * Names and texts are reported as the writer would write them (writer_position()), so that a
 * profile is the same when it was written anew: "\x01" of a byte 1, "\xff" of a byte 255, which
 * is no UTF-8.
 *
 * What a profile leaves out is "???".  A cost line before any "fn=" is of the
 * function "???".
 */
#ifndef PROFILE_FORMAT_READER_H
#define PROFILE_FORMAT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/dictionary.h"
#include "profile/common/error.h"
#include "profile/common/visitor.h"

enum { READER_MAX_LINE = 16 << 20 }; /* bytes, with the line feed; a longer one is an error */

/* The three kinds of names; each has keys of its own. */
enum name_kind {
	NAME_OBJECT,
	NAME_FILE,
	NAME_FUNCTION,
	N_NAME_KINDS,
};

/*
 * Traits: what a file has that some reader stumbles over, or that one may want
 * to know.  Of each, the number of lines that have it is counted, and the first is
 * noted.  The texts are for people.
 */
#define READER_TRAITS(TRAIT)                                                                  \
 TRAIT(NO_FORMAT_LINE, "the first line is not \"# callgrind format\"")                        \
 TRAIT(CRLF, "lines end in CR LF")                                                            \
 TRAIT(NO_FINAL_NEWLINE, "the last line has no line feed")                                    \
 TRAIT(BYTE_ORDER_MARK, "a byte order mark")                                                  \
 TRAIT(TAB, "a tab between numbers") /* or positions */                                       \
 TRAIT(LEADING_BLANK, "a blank before a line")                                                \
 TRAIT(TRAILING_BLANK, "a blank after counts")                                                \
 TRAIT(NUL, "a NUL byte") /* in a name or text, or before or after a line */                  \
 TRAIT(SEVERAL_PARTS, "several parts")                                                        \
 TRAIT(UNKNOWN_KEY,                                                                           \
       "an unknown header line") /* "key: value" that the specification does not have */      \
 TRAIT(ODD_NUMBER, "pid:, part: or thread: without a number") /* it is not known */           \
 TRAIT(LATE_HEADER, "pid:, part: or thread: after events:")   /* before the costs */          \
 TRAIT(LATE_EVENT, "event: after events:")                                                    \
 TRAIT(NO_POSITIONS, "no positions:")                                                         \
 TRAIT(BB, "positions: with bb")                                                              \
 TRAIT(SUMMARY_FIRST, "summary: before events:")                                              \
 TRAIT(SUMMARY_IN_BODY, "summary: amid costs")                                                \
 TRAIT(LONG_SUMS, "summary: or totals: with more counts than events") /* ignored */           \
 TRAIT(NO_FUNCTION, "costs before any fn=")                                                   \
 TRAIT(EMPTY_NAME, "an empty name") /* fn= and the like with nothing after it */              \
 TRAIT(NAME_ID, "names by ids")                                                               \
 TRAIT(ID_REPEATED, "an id defined again")                                                    \
 TRAIT(ID_REDEFINED, "an id defined as another name")                                         \
 TRAIT(JFI_DEFINES, "an id defined by jfi= or jfn=")                                          \
 TRAIT(HEX_COUNT, "a hexadecimal count")                                                      \
 TRAIT(DOT_COUNT, "\".\" as a count")                                                         \
 TRAIT(NEGATIVE_COUNT, "a count below 0")                                                     \
 TRAIT(WRAPPED_COUNT, "a count below 0, written as 2^64 more")                                \
 TRAIT(DECIMAL_COUNT, "a count with decimals") /* or an exponent, rounded */                  \
 TRAIT(FEW_COUNTS, "fewer counts than events")                                                \
 TRAIT(RANGE, "a range as a position")                                                        \
 TRAIT(RELATIVE, "relative positions")                                                        \
 TRAIT(RELATIVE_AFTER_FN, "a relative position right after fn=")                              \
 TRAIT(RELATIVE_TARGET, "a relative position as a target") /* of a call or jump */            \
 TRAIT(LARGE_STEP, "a relative position of 2^31 or more")                                     \
 TRAIT(WRAPPED_POSITION, "a relative position beyond 2^64") /* which is subtracted */         \
 TRAIT(CALL, "calls")                                                                         \
 TRAIT(CFL, "cfl=")                                                                           \
 TRAIT(RCALLS, "rcalls=")                                                                     \
 TRAIT(ZERO_CALLS, "calls=0")                                                                 \
 TRAIT(JUMP, "jumps") /* jump= or jcnd= */                                                    \
 TRAIT(JCND_BLANK, "jcnd= with a blank between its counts")                                   \
 TRAIT(JUMP_WITHOUT_SOURCE, "a jump without its source")                                      \
 TRAIT(JUMP_SOURCE_COSTS, "a jump's source with counts")                                      \
 TRAIT(JFI, "jfi=")                                                                           \
 TRAIT(JFN, "jfn=")                                                                           \
 TRAIT(INLINED, "fi= or fe=")                                                                 \
 TRAIT(NAME_PLAIN, "a name without an id")                                                    \
 TRAIT(ID_OF_EARLIER_PART, "an id of an earlier part") /* only */                             \
 TRAIT(CUT_OFF, "the file is cut short")   /* amid a line, or before what was announced */    \
 TRAIT(NO_TOTALS, "no totals: at the end") /* of a part of Callgrind or costgrind */          \
 TRAIT(HEADER_ORDER,                                                                          \
       "a header that is not desc:, cmd:, events:, in this order") /* and no line more */     \
 TRAIT(NO_SUMMARY, "no summary: at the end") /* of a file of Cachegrind's or Xdebug's form */ \
 TRAIT(SHORT_SUMMARY, "summary: with fewer counts than events") /* the same */                \
 TRAIT(CUT_LINE, "the last line is cut")       /* of a file of one of the three */            \
 TRAIT(WRONG_TOTALS, "totals: is not the sum") /* noted by model_note_totals() */             \
 TRAIT(INLINED_NAME, "cfni=")                                                                 \
 TRAIT(SALVAGED, "salvaged from a profile that was cut short") /* desc: Salvaged */           \
 TRAIT(FILE_ONLY, "costs after fl= without fn=")               /* the function stays */       \
 TRAIT(UNSPECIFIED, "costs of <unspecified>")                  /* the same in Cachegrind's format */

enum reader_trait {
#define ID(name, text) TRAIT_##name,
	READER_TRAITS(ID)
#undef ID
		N_READER_TRAITS,
};

struct trait_note {
	uint64_t count; /* lines that have it */
	uint64_t line;  /* the first, 1..; 0 = none */
};

enum {
	READER_HEAD = 2047, /* bytes that KCachegrind looks at to recognise a file */
};

/* What there is to say about a file besides its contents. */
struct reader_report {
	uint64_t bytes;   /* decompressed */
	uint64_t lines;   /* the last one too, if it has no line feed */
	uint64_t skipped; /* lines that are no part of the grammar (lenient) */
	struct profile_error first_skipped;
	uint64_t version; /* 1 if it is not said */
	size_t n_parts;
	struct trait_note traits[N_READER_TRAITS];
	char head[READER_HEAD]; /* its first bytes, decompressed */
	size_t head_len;
};

struct reader_options {
	/* Skips lines that are not understood, and counts them.  Other failures still end it. */
	bool lenient;
	/* Another file names this one, so it must be a regular file (source_open_named()). */
	bool is_named;
	/*
	 * The dictionaries that names get their keys from, one of each kind, with
	 * "???" as key 0 (reader_dictionaries_init()); NULL = the reader's own, and
	 * names are valid during the call only.
	 */
	struct dictionary *names;
	/* Called about every MiB with bytes read, and the file's size (0 = not known); may be NULL. */
	int (*progress)(void *ctx, uint64_t bytes, uint64_t size);
	void *progress_ctx;
};

/*
 * Reads a file ("-" is standard input; plain, gzip, zstd, xz or bzip2) to its end and
 * reports it to visitor.  Options may be NULL, report and error too.  Returns an
 * enum profile_status: PROFILE_OK, or what ended it; the visitor then has seen
 * a beginning of the profile, without a part_end().  An empty file is an
 * empty profile.  error->file is path.
 */
int reader_read(const char *path, const struct reader_options *options,
		const struct visitor *visitor, struct reader_report *report,
		struct profile_error *error);

/* A file in memory; all is the caller's. */
struct reader_text {
	const char *data;
	size_t len;       /* bytes */
	const char *name; /* in errors; NULL = none */
};

/* Three dictionaries, each with "???". */
void reader_dictionaries_init(struct dictionary names[N_NAME_KINDS]);
void reader_dictionaries_release(struct dictionary names[N_NAME_KINDS]);

/*
 * The key of a name of len bytes as the reader has names: as the writer would write it
 * (writer/escape.h), without control characters.
 */
uint32_t reader_intern(struct dictionary *names, const char *name, size_t len);

/*
 * What is wrong at the end of a part, where the writer is known to end it otherwise, so that the file
 * may be cut short: the trait, whose note says in which line.  N_READER_TRAITS if nothing is.
 */
enum reader_trait reader_end_fault(const struct reader_report *report);

/* Writes that line and what was expected there: "line 64: expected ...".  False if nothing is wrong. */
bool reader_describe_end(char *text, size_t size, const struct reader_report *report);

/* True if costs may be missing: the file is cut short, is damaged, or was salvaged. */
bool reader_is_cut(const struct reader_report *report);

/* What was expected there: "expected ...". */
const char *reader_end_text(enum reader_trait fault);

/* What a trait is called: "jcnd= with a blank", lower case. */
const char *reader_trait_text(enum reader_trait trait);

#endif
