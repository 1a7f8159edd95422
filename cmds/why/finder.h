/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of this room that make findings share: the finder, sentences and commands, places, machine code, and the parts
 * that costs are made of.  Private to the room; findings.h is for others.
 */
#ifndef CMDS_WHY_FINDER_H
#define CMDS_WHY_FINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/code/accesses.h"
#include "cmds/code/machinecode.h"
#include "cmds/listing/column.h"
#include "cmds/why/findings.h"
#include "profile/analysis/mostly.h"
#include "profile/common/dictionary.h"

/* A line, with all functions that have code of it; or the code of a function whose line is not known, or not own. */
struct why_place {
	int128 cost;
	double priced; /* of what the metric does not count */
	uint32_t file;
	uint64_t line;   /* 0 = a function */
	uint32_t family; /* the one with most of it */
	bool is_whole;   /* all code of the function, whatever lines it has */
};

/* One that is worth a finding. */
struct chosen {
	struct why_place place;
	uint64_t *costs;   /* by event; the arena's */
	int128 *by_family; /* owned; by family: the metric */
	size_t n_families;
	bool is_inlined; /* without lines, as these are of libraries */
};

enum { N_PARTS = 10 };

/* A part of what things cost: a sum of events by weight.  Texts are static. */
struct part_rule {
	const char *event; /* a metric that most of it comes from */
	const char *term;  /* what people call it: "memory bound", "last-level misses" */
	const char *page_class;
	enum finding_kind kind;
	/* NULL: it is of the metric that shares are of; else the metric does not count it, and this is what it is taken to cost */
	const char *price;
	double *weights; /* by event, in the metric's units; the arena's */
};

/* All of it lives as long as findings are made. */
struct finder {
	struct findings *findings;
	const struct model *model;
	const struct findings_options *options;
	struct arena *arena; /* the findings' */
	struct columns columns;
	struct basis basis;
	struct mostly mostly;
	int128 asked;             /* of the metric: all that was asked about */
	struct why_place *places; /* owned */
	size_t n_places, places_capacity;
	struct idtable place_of; /* key of a place: its number in places */
	struct chosen *chosen;   /* owned */
	size_t n_chosen;
	struct code_choice choice;
	struct code_records *lists; /* by wish of the choice */
	struct code_steps *steps;   /* the same; all NULL = not made yet */
	struct code_sources sources;
	bool has_code;
	struct part_rule rules[N_PARTS];
	size_t n_rules;
	double *priced; /* weights of all rules with a price; NULL = there are none; the arena's */
};

/* -- sentences (finder.c): all texts are the arena's ---------------------------------------------- */

__attribute__((format(printf, 2, 3))) const char *say(const struct finder *finder,
						      const char *format, ...);

/* "74.9 %" */
const char *say_share(const struct finder *finder, double part, double whole);

/* "489,665"; "1.33 M" from a million on. */
const char *say_number(const struct finder *finder, double value);
const char *say_short_number(const struct finder *finder, double value);

/* "11", "2.4" */
const char *say_quotient(const struct finder *finder, double value);

/* "1 in 300", which is easier to grasp than 0.33 %; "none". */
const char *say_one_in(const struct finder *finder, double part, double whole);

/* "1 call", "6,000 calls" */
const char *say_calls(const struct finder *finder, uint64_t count);

/* "32 KiB" */
const char *say_bytes(const struct finder *finder, double bytes);

/* A function's name as there is room for in a sentence. */
const char *say_name(const struct finder *finder, const char *name);

/* "d.c:4", or "" if that is not known. */
const char *say_place(const struct finder *finder, uint32_t file, uint64_t line);

/* "cycles", "estimated cycles", "instructions" */
const char *say_cost_word(const struct finder *finder);

/* "3.8 % of all cycles" */
const char *say_of_all(const struct finder *finder, double cost);

/* -- commands (finder.c): the arena's; NULL = none can be given ------------------------------------- */

/* "costgrind ARGUMENTS PROFILE" */
const char *say_show_command(const struct finder *finder, const char *arguments);

/* The machine code of a function, if the profile has it, else its lines. */
const char *say_code_command(const struct finder *finder, uint32_t number_of_family);

/* The same run once more, with further options, if it is safe to paste. */
const char *say_run_command(const struct finder *finder, const char *run_options);

/* -- what findings are of (finder.c) ---------------------------------------------------------------- */

const struct why_family *finder_family(const struct finder *finder, uint32_t number_of_family);

/* NULL and 0 if the profile has no such metric. */
const struct metric *finder_metric(const struct finder *finder, const char *name);
double finder_value(const struct finder *finder, const char *name, const uint64_t *costs);

/* How many units of the metric that shares are of people see as one, and a cost in theirs: cycles of tenths. */
double finder_scale(const struct finder *finder);
double finder_cycles(const struct finder *finder, double cost);

/* What the metric that shares are of has an event count, by name; 0 if it does not. */
double finder_weight(const struct finder *finder, const char *name);

/* True of a cost from which on something is said: 2 % of what was asked about. */
bool finder_is_worth_it(const struct finder *finder, double cost);

/* True if the family was asked about, as all are if nothing was. */
bool finder_is_wanted(const struct finder *finder, uint32_t number_of_family);

/* True of a function of a library, or of a program of the system. */
bool finder_is_of_system(const struct finder *finder, uint32_t function);

/* A line of source without blanks around it; NULL = not there, or not to be read. */
const char *finder_source(struct finder *finder, uint32_t file, uint64_t line);

/* Takes a copy of a finding, unless it is not worth it. */
void finder_add(struct finder *finder, const struct finding *finding);

/* Adds a sentence, unless it is NULL, or there is no more room. */
void finding_add_text(struct finding_texts *texts, const char *text);

/* Adds what events count at the finding's place, those that are not 0; names end with NULL. */
void finding_add_count(struct finder *finder, struct finding *finding, const char *name);
void finding_add_counts(struct finder *finder, struct finding *finding, const char *const *names);

/* Adds a line with its share in percent, if there is room for it. */
void finding_add_line(struct finder *finder, struct finding *finding, uint32_t number_of_family,
		      uint32_t file, uint64_t line, double percent);

/* -- places and their machine code (whyplaces.c) ------------------------------------------------------ */

/* Finds those that cost most, with all that they cost.  Returns a status. */
int places_find(struct finder *finder);

/* Finds the code of functions that have a tenth of a place that was chosen, or have findings as a whole.  Returns a status. */
int places_find_code(struct finder *finder);

/* True if an own function costs something but none of its lines was chosen. */
bool places_has_whole(const struct finder *finder, uint32_t number_of_family);

/* The instruction of a place that has most of a metric. */
struct worst {
	const struct code_step *step; /* NULL = not known */
	const struct code_steps *steps;
	double value, sum; /* its own; the sum over all instructions of the place */
};

struct worst place_worst(const struct finder *finder, const struct why_place *place,
			 const char *name);

/* What a place's returns have of a metric. */
double place_returns(const struct finder *finder, const struct why_place *place, const char *name);

/* -- what a place costs, and why (whyparts.c, whyreasons.c) -------------------------------------------- */

/* What a place has of a rule. */
struct cost_part {
	const struct part_rule *rule;
	const char *term; /* the rule's, or "string instructions (rep)" */
	double value;
};

/* What a finding is made of: a place, and the part at work. */
struct reason {
	struct finder *finder;
	const struct chosen *chosen;
	const struct cost_part *part; /* NULL = none dominates */
	struct finding *finding;      /* its title, advice, facts and the like are set */
	/* Set, too: follows "95 % of them"; of what has a price, a clause with all there is to say but the price. */
	const char *why;
};

/* Bytes of a line of a cache, by the desc line that is of it, "D1 cache"; 0 = not known. */
double finder_line_size(const struct finder *finder, const char *type);

/* Says why the part is what it is. */
void reason_explain(struct reason *reason);

/* Makes the finder's rules, by the metric that shares are of. */
void parts_init(struct finder *finder);

/* What costs have of all that has a price. */
double parts_priced(const struct finder *finder, const uint64_t *costs);

/* What costs have of waiting for data, or of what the metric makes of misses of data. */
double parts_waits(const struct finder *finder, const uint64_t *costs);

/*
 * The parts of a place that the metric counts, the largest first; sum is all that counts of it.  Returns how many are not
 * 0.
 */
size_t parts_of(struct finder *finder, const struct chosen *chosen, struct cost_part parts[N_PARTS],
		double *sum);

/* "95.1 % memory bound, 3.0 % dependencies": those that have a share of the sum, least being 0 to 1. */
const char *say_parts(const struct finder *finder, const struct cost_part *parts, size_t n,
		      double sum, double least);

/* Keeps parts for programs and the page's bar. */
void finding_set_parts(struct finder *finder, struct finding *finding,
		       const struct cost_part *parts, size_t n);

/* Findings of the places that were chosen, and of functions as a whole. */
void parts_explain(struct finder *finder);

/* -- findings of other kinds -------------------------------------------------------------------------- */

/* What own lines make libraries do: allocators, copies, single functions (whylibraries.c). */
void libraries_explain(struct finder *finder);

/* Objects of classes that are copied. */
void copies_explain(struct finder *finder);

/* Own functions of Python, with the C that runs for them, and imports (whypython.c). */
void python_explain(struct finder *finder);

/* Objects of data and structs (whydata.c).  Returns a status. */
int data_explain(struct finder *finder);

/* Many small calls, calls from where there are more misses, badly placed loops, the loader (whycalls.c).  Returns a status. */
int calls_explain(struct finder *finder);

#endif
