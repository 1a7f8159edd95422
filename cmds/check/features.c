/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features of profiles, and which program misreads which. */
#define _GNU_SOURCE /* qsort_r, memrchr, memmem */
#include "cmds/check/features.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"

enum { KCACHEGRIND_EVENTS = 200 };

static void note(struct trait_note notes[N_FEATURES], enum feature feature)
{
	notes[feature].count++;
}

/* -- events and headers -------------------------------------------------------------- */

static bool is_identifier(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/*
 * True if gungraun has the event in its list, in letters of any case: events of Valgrind's tools by
 * today's names, and what it computes from them.
 */
static bool is_of_gungraun(const char *name)
{
	static const char *const computed[] = {
		"instructions",    "L1hits",     "LLhits",     "RamHits",     "TotalRW",
		"EstimatedCycles", "I1MissRate", "D1MissRate", "LLiMissRate", "LLdMissRate",
		"LLMissRate",      "L1HitRate",  "LLHitRate",  "RamHitRate",
	};
	size_t n;
	const struct event_info *known = event_all(&n);

	for (size_t i = 0; i < n; i++)
		if (!known[i].is_own && strcasecmp(known[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < sizeof(computed) / sizeof(computed[0]); i++)
		if (strcasecmp(computed[i], name) == 0)
			return true;
	return false;
}

static void find_in_events(struct trait_note notes[N_FEATURES], const struct model *model)
{
	if (model->n_events > 1)
		note(notes, FEATURE_SEVERAL_EVENTS);
	if (model->n_events > KCACHEGRIND_EVENTS)
		note(notes, FEATURE_MANY_EVENTS);
	for (size_t i = 0; i < model->n_events; i++) {
		if (!is_of_gungraun(model->events[i].name))
			note(notes, FEATURE_UNKNOWN_EVENT);
		if (!is_identifier(model->events[i].name))
			note(notes, FEATURE_ODD_EVENT);
	}
	for (size_t i = 0; i < model->n_derived; i++)
		if (strchr(model->derived[i].formula, '-'))
			note(notes, FEATURE_SIGNED_FORMULA);
}

/* -- functions ------------------------------------------------------------------------ */

/* What follows the last slash. */
static struct name basename_of(struct name name)
{
	const char *slash = memrchr(name.text, '/', name.len);

	if (slash) {
		name.len -= (size_t)(slash + 1 - name.text);
		name.text = slash + 1;
	}
	return name;
}

/* Of what KCachegrind takes for one function: by name, then by the last components of file and object. */
static int compare_by_basename(const struct model *model, uint32_t a, uint32_t b)
{
	const struct model_function *left = &model->functions[a], *right = &model->functions[b];
	const struct name of_left[] = { basename_of(model_name(model, NAME_FILE, left->file)),
					basename_of(model_name(model, NAME_OBJECT, left->object)) };
	const struct name of_right[] = { basename_of(model_name(model, NAME_FILE, right->file)),
					 basename_of(
						 model_name(model, NAME_OBJECT, right->object)) };
	int order = model_compare_names(model, NAME_FUNCTION, left->name, right->name);

	for (size_t i = 0; i < 2 && order == 0; i++)
		order = dictionary_compare(&of_left[i], &of_right[i]);
	return order;
}

static int compare_functions(const void *left, const void *right, void *ctx)
{
	const struct model *const *model = ctx;

	return compare_by_basename(*model, *(const uint32_t *)left, *(const uint32_t *)right);
}

/* Counts functions that some reader takes for another one. */
static void find_same_names(struct trait_note notes[N_FEATURES], const struct model *model)
{
	uint32_t *order = heap_alloc(model->n_functions * sizeof(*order));

	for (size_t i = 0; i < model->n_functions; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, model->n_functions, sizeof(*order), compare_functions, &model);
	for (size_t i = 1; i < model->n_functions; i++) {
		uint32_t name = model->functions[order[i]].name;

		if (name == DICTIONARY_UNKNOWN)
			continue;
		if (compare_by_basename(model, order[i - 1], order[i]) == 0)
			note(notes, FEATURE_SAME_BASENAMES);
		if (model_compare_names(model, NAME_FUNCTION, model->functions[order[i - 1]].name,
					name) == 0)
			note(notes, FEATURE_SAME_NAMES);
	}
	free(order);
}

/* -- the file ------------------------------------------------------------------------- */

static bool has_line(const char *head, size_t len, const char *start)
{
	size_t start_len = strlen(start);
	const char *p = head;

	while (p && (size_t)(head + len - p) >= start_len) {
		if (memcmp(p, start, start_len) == 0)
			return true;
		p = memchr(p, '\n', (size_t)(head + len - p));
		p = p ? p + 1 : NULL;
	}
	return false;
}

/* desc*, cmd, events, then fl=, fn=, lines and a summary that is their sum; no more. */
static bool is_cachegrind(const struct trait_note notes[N_FEATURES], const struct model *model)
{
	static const enum reader_trait excluded[] = {
		TRAIT_CRLF,
		TRAIT_TAB,
		TRAIT_LEADING_BLANK,
		TRAIT_SEVERAL_PARTS,
		TRAIT_UNKNOWN_KEY,
		TRAIT_LATE_EVENT,
		TRAIT_LATE_HEADER,
		TRAIT_SUMMARY_FIRST,
		TRAIT_NO_FUNCTION,
		TRAIT_NAME_ID,
		TRAIT_HEX_COUNT,
		TRAIT_RANGE,
		TRAIT_RELATIVE,
		TRAIT_CALL,
		TRAIT_JUMP,
		TRAIT_INLINED,
		TRAIT_HEADER_ORDER,
		TRAIT_INLINED_NAME,
		TRAIT_BYTE_ORDER_MARK,
		TRAIT_DECIMAL_COUNT,
		TRAIT_LONG_SUMS,
	};
	const struct model_part *part = model->parts;

	for (size_t i = 0; i < sizeof(excluded) / sizeof(excluded[0]); i++)
		if (notes[excluded[i]].count > 0)
			return false;
	if (notes[TRAIT_NO_FORMAT_LINE].count == 0 || notes[TRAIT_NO_POSITIONS].count == 0 ||
	    model->n_parts != 1 || model->has_objects || !part->summary || part->totals)
		return false;
	if (!part->header.cmd || part->header.creator || part->header.has_pid ||
	    part->header.has_number || part->header.has_thread)
		return false;
	for (size_t i = 0; i < part->n; i++)
		if (part->summary[i] != part->sums[i])
			return false;
	return true;
}

void features_find(struct trait_note notes[N_FEATURES], const struct features_file *file)
{
	const struct reader_report *report = file->report;
	const struct model *model = file->model;
	const char *first = NULL; /* command */

	memset(notes, 0, N_FEATURES * sizeof(*notes));
	memcpy(notes, report->traits, sizeof(report->traits));
	find_in_events(notes, model);
	for (size_t i = 0; i < model->n_parts; i++) {
		const char *cmd = model->parts[i].header.cmd;

		if (cmd && !first)
			first = cmd;
		if (cmd && strcmp(cmd, first) != 0)
			note(notes, FEATURE_COMMANDS);
	}
	if (model->positions & POSITION_INSTR)
		note(notes, FEATURE_INSTR);
	for (uint32_t i = 0; i < model->n_functions; i++)
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			struct model_cursor cursor;
			struct model_call call;

			model_calls(model, i, part, &cursor);
			while (model_next_call(&cursor, &call))
				if (call.callee == i)
					note(notes, FEATURE_RECURSION);
		}
	if (file->n_several > 0 || notes[TRAIT_RELATIVE].count > 0 ||
	    notes[FEATURE_INSTR].count > 0 || notes[TRAIT_INLINED_NAME].count > 0)
		note(notes, FEATURE_NOT_XDEBUG);
	if (report->bytes > UINT32_MAX)
		note(notes, FEATURE_LARGE_FILE);
	if (model->n_parts > 0 && !is_cachegrind(notes, model))
		note(notes, FEATURE_NOT_CACHEGRIND);
	if (notes[TRAIT_NO_FORMAT_LINE].count > 0 && report->head_len > 0 &&
	    !has_line(report->head, report->head_len, "events:") &&
	    !has_line(report->head, report->head_len, "creator:"))
		note(notes, FEATURE_NOT_DETECTED);
	find_same_names(notes, model);
}

const char *feature_text(enum feature feature)
{
	static const char *const texts[] = {
		"several events",
		"more than 200 events",
		"an event that gungraun does not know",
		"an event whose name is no identifier",
		"positions: with instr",
		"recursion",
		"functions that differ by folders only",
		"functions of one name",
		"parts of several command lines",
		"event: with a difference",
		"4 GiB or more",
		"nothing in the first 2047 bytes identifies the format",
		"not in Cachegrind's own format",
		"not as Xdebug writes it",
	};

	if ((unsigned)feature < N_READER_TRAITS)
		return reader_trait_text((enum reader_trait)feature);
	return texts[(unsigned)feature - N_READER_TRAITS];
}

/* -- readers ------------------------------------------------------------------- */

/*
 * Found out with crafted files in the real programs, or read in their sources:
 * KCachegrind 22.12 to 26.11, callgrind_annotate 3.19 (3.28 is the same), cg_annotate
 * 3.19 to 3.28, gprof2dot of 2026, speedscope 1.25, Qt Creator 9, gungraun
 * 0.19 (iai-callgrind), callgrind-parser-rs of 2026, Webgrind 1.9.
 */

static const char kcachegrind[] = "kcachegrind";
static const char callgrind_annotate[] = "callgrind_annotate";
static const char cg_annotate[] = "cg_annotate";
static const char gprof2dot[] = "gprof2dot";
static const char speedscope[] = "speedscope";
static const char qtcreator[] = "qtcreator";
static const char gungraun[] = "gungraun";
static const char parser_rs[] = "callgrind-parser-rs";
static const char webgrind[] = "webgrind";

/* A trait as a feature. */
#define TRAIT(trait) ((enum feature)(trait))

static const struct reader_row table[] = {
	{ kcachegrind, TRAIT(TRAIT_NUL), MISREAD_FAILS, "never ends" },
	{ kcachegrind, TRAIT(TRAIT_SUMMARY_FIRST), MISREAD_FAILS, "skips the whole file" },
	{ kcachegrind, TRAIT(TRAIT_LATE_HEADER), MISREAD_FAILS, "skips the file from there on" },
	{ kcachegrind, FEATURE_NOT_DETECTED, MISREAD_FAILS, "does not take it for a profile" },
	{ kcachegrind, FEATURE_LARGE_FILE, MISREAD_FAILS, "cannot read it" },
	{ kcachegrind, FEATURE_MANY_EVENTS, MISREAD_WRONG, "knows 200 events at most" },
	{ kcachegrind, TRAIT(TRAIT_TAB), MISREAD_WRONG, "loses the costs" },
	{ kcachegrind, TRAIT(TRAIT_LEADING_BLANK), MISREAD_WRONG, "takes it for a cost line" },
	{ kcachegrind, TRAIT(TRAIT_LARGE_STEP), MISREAD_WRONG, "wraps around at 32 bits" },
	{ kcachegrind, TRAIT(TRAIT_JCND_BLANK), MISREAD_WRONG, "loses the jump" },
	{ kcachegrind, TRAIT(TRAIT_BB), MISREAD_WRONG, "takes the next column for it" },
	{ kcachegrind, TRAIT(TRAIT_NEGATIVE_COUNT), MISREAD_WRONG, "takes it for 0" },
	{ kcachegrind, TRAIT(TRAIT_DECIMAL_COUNT), MISREAD_WRONG,
	  "drops them, and the counts after that one" },
	{ kcachegrind, TRAIT(TRAIT_ID_REDEFINED), MISREAD_WRONG, "keeps the first name" },
	{ kcachegrind, TRAIT(TRAIT_ID_OF_EARLIER_PART), MISREAD_WRONG,
	  "has forgotten it, and does not know the name" },
	{ kcachegrind, FEATURE_SAME_BASENAMES, MISREAD_WRONG, "takes them for one function" },
	{ kcachegrind, TRAIT(TRAIT_ZERO_CALLS), MISREAD_LESS,
	  "computes inclusive costs from callees, not callers" },
	{ kcachegrind, TRAIT(TRAIT_LATE_EVENT), MISREAD_LESS, "does not show the long name" },
	{ kcachegrind, FEATURE_ODD_EVENT, MISREAD_LESS, "cannot use it in formulas" },
	{ kcachegrind, TRAIT(TRAIT_UNKNOWN_KEY), MISREAD_LESS, "reports an error" },
	{ kcachegrind, TRAIT(TRAIT_RCALLS), MISREAD_LESS, "warns" },
	{ kcachegrind, FEATURE_COMMANDS, MISREAD_LESS, "reports an error" },
	{ kcachegrind, TRAIT(TRAIT_INLINED_NAME), MISREAD_LESS, "reports an error" },

	{ callgrind_annotate, TRAIT(TRAIT_BB), MISREAD_FAILS, "dies" },
	{ callgrind_annotate, TRAIT(TRAIT_SEVERAL_PARTS), MISREAD_WRONG,
	  "takes headers for malformed lines, its totals are wrong" },
	{ callgrind_annotate, TRAIT(TRAIT_ZERO_CALLS), MISREAD_WRONG,
	  "adds inclusive costs to the caller's own" },
	{ callgrind_annotate, FEATURE_RECURSION, MISREAD_WRONG,
	  "counts inclusive costs several times" },
	{ callgrind_annotate, TRAIT(TRAIT_INLINED), MISREAD_LESS, "splits functions by file" },
	{ callgrind_annotate, FEATURE_INSTR, MISREAD_LESS, "drops addresses" },
	{ callgrind_annotate, TRAIT(TRAIT_JUMP), MISREAD_LESS, "ignores them" },
	{ callgrind_annotate, TRAIT(TRAIT_LATE_EVENT), MISREAD_LESS, "warns" },
	{ callgrind_annotate, TRAIT(TRAIT_UNKNOWN_KEY), MISREAD_LESS, "warns" },
	{ callgrind_annotate, TRAIT(TRAIT_ID_REDEFINED), MISREAD_LESS, "takes it silently" },
	{ callgrind_annotate, TRAIT(TRAIT_INLINED_NAME), MISREAD_LESS, "warns" },

	{ cg_annotate, FEATURE_NOT_CACHEGRIND, MISREAD_FAILS, "cannot read it" },
	{ cg_annotate, TRAIT(TRAIT_UNSPECIFIED), MISREAD_WRONG,
	  "charges the function before, up to Valgrind 3.20" },

	{ gprof2dot, TRAIT(TRAIT_JFN), MISREAD_FAILS, "dies" },
	{ gprof2dot, TRAIT(TRAIT_UNKNOWN_KEY), MISREAD_FAILS, "stops there" },
	{ gprof2dot, TRAIT(TRAIT_TAB), MISREAD_FAILS, "stops there" },
	{ gprof2dot, TRAIT(TRAIT_LARGE_STEP), MISREAD_FAILS, "stops there if it is hexadecimal" },
	{ gprof2dot, TRAIT(TRAIT_INLINED_NAME), MISREAD_FAILS, "stops there" },
	{ gprof2dot, FEATURE_SAME_NAMES, MISREAD_WRONG, "takes them for one function" },
	{ gprof2dot, FEATURE_SEVERAL_EVENTS, MISREAD_LESS, "shows the first one only" },
	{ gprof2dot, FEATURE_RECURSION, MISREAD_LESS, "collapses cycles" },
	{ gprof2dot, TRAIT(TRAIT_ID_REDEFINED), MISREAD_LESS, "takes it silently" },

	{ speedscope, TRAIT(TRAIT_SEVERAL_PARTS), MISREAD_FAILS, "throws an error" },
	{ speedscope, TRAIT(TRAIT_ID_REDEFINED), MISREAD_FAILS, "throws an error" },
	{ speedscope, TRAIT(TRAIT_ID_REPEATED), MISREAD_FAILS, "throws an error" },
	{ speedscope, TRAIT(TRAIT_TRAILING_BLANK), MISREAD_FAILS, "throws an error" },
	{ speedscope, FEATURE_INSTR, MISREAD_WRONG, "takes the line number for the first event" },
	{ speedscope, TRAIT(TRAIT_BB), MISREAD_WRONG, "takes the next column for it" },
	{ speedscope, TRAIT(TRAIT_FEW_COUNTS), MISREAD_WRONG, "adds up to NaN" },
	{ speedscope, TRAIT(TRAIT_JUMP), MISREAD_WRONG, "adds up to NaN" },
	{ speedscope, TRAIT(TRAIT_JFI_DEFINES), MISREAD_WRONG, "does not know the id" },
	{ speedscope, TRAIT(TRAIT_FILE_ONLY), MISREAD_LESS, "splits functions by file" },
	{ speedscope, TRAIT(TRAIT_INLINED_NAME), MISREAD_LESS, "ignores it" },

	{ qtcreator, TRAIT(TRAIT_NO_POSITIONS), MISREAD_WRONG, "takes positions for costs" },
	{ qtcreator, TRAIT(TRAIT_NAME_PLAIN), MISREAD_WRONG, "takes all of them for one" },
	{ qtcreator, TRAIT(TRAIT_RELATIVE_AFTER_FN), MISREAD_WRONG,
	  "does not know what it is relative to" },
	{ qtcreator, TRAIT(TRAIT_RANGE), MISREAD_WRONG, "does not know ranges" },
	{ qtcreator, TRAIT(TRAIT_JUMP), MISREAD_LESS, "ignores them" },
	{ qtcreator, TRAIT(TRAIT_INLINED_NAME), MISREAD_LESS, "ignores it" },

	{ gungraun, FEATURE_UNKNOWN_EVENT, MISREAD_FAILS, "refuses the file" },
	{ gungraun, TRAIT(TRAIT_RELATIVE), MISREAD_FAILS, "dies, drawing a flame graph" },
	{ gungraun, TRAIT(TRAIT_INLINED_NAME), MISREAD_FAILS, "dies, drawing a flame graph" },
	{ gungraun, TRAIT(TRAIT_NAME_ID), MISREAD_WRONG, "takes the id for a name" },
	{ gungraun, TRAIT(TRAIT_FILE_ONLY), MISREAD_LESS, "splits functions by file" },
	{ gungraun, TRAIT(TRAIT_NO_FORMAT_LINE), MISREAD_LESS, "warns" },

	{ parser_rs, TRAIT(TRAIT_RANGE), MISREAD_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_RCALLS), MISREAD_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_UNKNOWN_KEY), MISREAD_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_JCND_BLANK), MISREAD_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_INLINED_NAME), MISREAD_FAILS, "refuses the file" },
	{ parser_rs, TRAIT(TRAIT_FILE_ONLY), MISREAD_LESS, "splits functions by file" },
	{ parser_rs, FEATURE_SIGNED_FORMULA, MISREAD_LESS, "does not know differences" },

	{ webgrind, FEATURE_NOT_XDEBUG, MISREAD_FAILS, "cannot read it" },
	{ webgrind, FEATURE_SEVERAL_EVENTS, MISREAD_LESS, "shows the first one only" },
};

const struct reader_row *readers_table(size_t *n)
{
	*n = sizeof(table) / sizeof(table[0]);
	return table;
}

const char *const readers_names[] = {
	kcachegrind, callgrind_annotate, cg_annotate, gprof2dot, speedscope,
	qtcreator,   gungraun,           parser_rs,   webgrind,  NULL,
};
