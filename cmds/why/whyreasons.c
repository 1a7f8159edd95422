/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a place costs what it does, of the part of it that is at work: what events and machine code say.
 *
 * A finding proposes only what the numbers in the profile support: padding where conflicts were counted, blocks where misses of
 * capacity were, prefetching where misses of memory are known to be no chase.  Where they do not say, the finding names the run
 * that would.
 */
#include "cmds/why/finder.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/emit/visible.h"
#include "profile/common/desc.h"

/* With more cycles than this for each miss to memory, few are in flight at a time. */
static const double cycles_of_lone_miss = 100;
/* Of prefetched lines, those that are of no use, or not soon enough. */
static const double share_of_prefetches = 0.2;
/* Fewer walks among misses of the first TLB are not what these cost. */
static const double share_of_walks = 0.2;

/* -- caches ------------------------------------------------------------------------------------- */

static double least_of(double a, double b)
{
	return a < b ? a : b;
}

struct cache {
	double size, line, ways, sets; /* size 0 = not known */
};

/* Skips a number below 10^9 and the text after it; false if they are not there. */
static bool take_number(const char **text, const char *after, uint64_t *number)
{
	const size_t len = strlen(after);
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*number = strtoull(*text, &end, 10);
	if (*number >= 1000000000 || strncmp(end, after, len) != 0)
		return false;
	*text = end + len;
	return true;
}

/* "32768 B, 64 B, 8-way associative" */
static struct cache cache_of(const struct finder *finder, const char *type)
{
	const char *text = model_desc(finder->model, type);
	struct cache cache = { .size = 0 };
	uint64_t size, line, ways = 1, sets;

	if (!text || !take_number(&text, " B, ", &size) || !take_number(&text, " B, ", &line) ||
	    (strncmp(text, "direct-mapped", strlen("direct-mapped")) != 0 &&
	     !take_number(&text, "-way", &ways)))
		return cache;
	if (line == 0 || ways == 0 || size == 0 || size % (line * ways) != 0)
		return cache;
	sets = size / (line * ways);
	return (struct cache){ (double)size, (double)line, (double)ways, (double)sets };
}

double finder_line_size(const struct finder *finder, const char *type)
{
	return cache_of(finder, type).line;
}

/* Where data was that D1 did not have. */
struct served {
	const char *
		level; /* "L2", "L3", "DRAM": where most of the waiting was for; NULL = nothing is known */
	bool is_memory;
	double misses;  /* of D1, or of the last level if it is memory */
	const char *of; /* that event */
};

static struct served served_by(const struct reason *reason)
{
	const struct finder *finder = reason->finder;
	const uint64_t *costs = reason->chosen->costs;
	/* Counts have a part for each of the two. */
	const char *level = finder->findings->has_cycles ? mostly_level(&finder->mostly, costs)
			    : strcmp(reason->part->rule->event, "DLm") == 0
				    ? "DRAM"
				    : mostly_cache(&finder->mostly, costs);
	const bool is_memory = level && strcmp(level, "DRAM") == 0;
	const char *of = is_memory ? "DLm" : "D1m";
	const double misses = finder_value(finder, of, costs);

	return (struct served){ misses > 0 ? level : NULL, is_memory, misses, of };
}

/* -- classes of misses -------------------------------------------------------------------------- */

enum miss_class { CLASS_UNKNOWN, CLASS_NONE, CLASS_COLD, CLASS_CAPACITY, CLASS_CONFLICT };

/* What most misses of a level are, by what was counted; *shares is a sentence with all three. */
static enum miss_class class_of(const struct finder *finder, const char *level,
				const uint64_t *costs, const char **shares)
{
	static const char *const endings[] = { "cold", "cap", "conf" };
	static const char *const words[] = { "cold", "capacity", "conflict" };
	double values[3], sum = 0;
	const char *text = "";
	int most = 0;

	*shares = NULL;
	for (int i = 0; i < 3; i++) {
		const char *name = say(finder, "%s%s", level, endings[i]);

		if (!finder_metric(finder, name))
			return CLASS_UNKNOWN;
		values[i] = finder_value(finder, name, costs);
		sum += values[i];
		if (values[i] > values[most])
			most = i;
	}
	if (sum <= 0)
		return CLASS_NONE;
	for (int i = 0; i < 3; i++)
		if (values[i] > 0)
			text = say(finder, "%s%s%s %s", text, text[0] ? ", " : "",
				   say_share(finder, values[i], sum), words[i]);
	*shares = say(finder, "Its misses of %s are %s.", level, text);
	return (enum miss_class)(CLASS_COLD + most);
}

/* The pair of lines that most conflicts of a line are of, by "desc: Conflicts"; NULL if none is known. */
static const char *conflict_pair(const struct finder *finder, const struct why_place *place)
{
	const char *name = model_name(finder->model, NAME_FILE, place->file).text, *best = NULL;
	const char *here = say(finder, "%s:%" PRIu64 " ", path_base(name), place->line);
	unsigned long long most = 0;

	if (place->line == 0)
		return NULL;
	for (size_t i = 0; i < finder->model->n_parts; i++) {
		const struct part *part = &finder->model->parts[i].header;

		for (size_t k = 0; k < part->n_descs; k++) {
			const char *value = part->descs[k].value, *at;
			unsigned long long n = strtoull(value, NULL, 10);

			if (strcmp(part->descs[k].type, "Conflicts") != 0 || n <= most)
				continue;
			at = strstr(value, here);
			if (!at || (at > value && at[-1] != '/' && at[-1] != ' '))
				continue;
			most = n;
			best = value;
		}
	}
	return best;
}

/* -- memory ------------------------------------------------------------------------------------- */

/* "73.0 % of that at movq (%rax), %rax.", of an instruction that has half of a part. */
static const char *instruction_text(const struct finder *finder, const struct worst *worst,
				    double part)
{
	return worst->step && worst->value * 2 >= part
		       ? say(finder, "%s of that is at the instruction %s.",
			     say_share(finder, worst->value, part), worst->step->text)
		       : NULL;
}

static void add_rate(struct reason *reason, const struct served *served)
{
	struct finder *finder = reason->finder;
	const double references = finder_value(finder, "Drefs", reason->chosen->costs);
	const double misses = finder_value(finder, served->of, reason->chosen->costs);

	if (misses <= 0 || references <= 0)
		return;
	finding_add_text(
		&reason->finding->facts,
		say(finder, "%s of its %s data references miss %s%s.",
		    say_share(finder, misses, references), say_number(finder, references),
		    served->is_memory ? "the last level" : "D1",
		    finder->findings->has_cycles
			    ? say(finder, ", at %s cycles for each miss",
				  say_quotient(finder,
					       finder_cycles(finder, reason->part->value) / misses))
			    : ""));
}

static struct code_stride stride_of(const struct worst *worst)
{
	return worst->step ? code_step_stride(worst->steps, worst->step)
			   : (struct code_stride){ .by = NULL };
}

/* "Waits for L3", where waiting was counted; else what counts say: "Misses D1, hits in L3". */
static const char *title_of(const struct finder *finder, const struct served *served)
{
	return finder->findings->has_cycles ? say(finder, "Waits for %s", served->level)
	       : served->is_memory          ? "Misses the last level"
					    : say(finder, "Misses D1, hits in %s", served->level);
}

static const char *why_of(const struct finder *finder, const struct served *served)
{
	return finder->findings->has_cycles ? say(finder, "waiting for %s", served->level)
	       : served->is_memory          ? "on misses of the last level"
				   : say(finder, "on misses of D1 that hit in %s", served->level);
}

/* How addresses go on. */
static void add_stride(struct reason *reason, const struct worst *worst)
{
	struct finder *finder = reason->finder;
	const struct code_stride stride = stride_of(worst);

	if (!stride.by)
		return;
	if (stride.bytes > 0)
		finding_add_text(&reason->finding->facts,
				 say(finder, "Its address advances by %s B each time (%s).",
				     say_number(finder, (double)stride.bytes), stride.by->text));
	else
		finding_add_text(
			&reason->finding->facts,
			say(finder,
			    "Its address advances by a register's value (%s): a stride that is "
			    "set while the program runs.",
			    stride.by->text));
}

static const char *tail_of_conflict(struct reason *reason)
{
	struct finder *finder = reason->finder;
	const char *pair = conflict_pair(finder, &reason->chosen->place);
	const struct cache first = cache_of(finder, "D1 cache");

	reason->finding->kind = FINDING_CONFLICTS;
	reason->finding->title = "Conflicts in D1";
	if (pair)
		finding_add_text(&reason->finding->facts, say(finder, "Conflicts: %s.", pair));
	return say(
		finder,
		"Pad one of the arrays by a line of %.0f B, or copy together what is used together.",
		first.line > 0 ? first.line : 64);
}

static const char *advice_of_blocks(const struct finder *finder, const struct cache *first)
{
	return first->size > 0
		       ? say(finder,
			     "Go through the data in blocks that fit into D1 (%s), or make it smaller.",
			     say_bytes(finder, first->size))
		       : "Go through the data in blocks that fit into D1, or make it smaller.";
}

static const char advice_to_reuse[] = "Use a buffer again in place of fresh memory each time.";

/* How many sets of a cache addresses fall into that are as far apart. */
static double sets_used(const struct cache *cache, uint64_t apart)
{
	uint64_t span = (uint64_t)(cache->sets * cache->line);
	uint64_t a = span, b = apart % span;

	while (b != 0) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	span /= a;
	return least_of(cache->sets, (double)span);
}

/* What an instruction's references miss, 0 to 1; 0 = not known. */
static double rate_of(const struct finder *finder, const struct worst *worst)
{
	const double references =
		worst->step ? finder_value(finder, "Drefs", worst->step->record->costs) : 0;

	return references > 0 ? worst->value / references : 0;
}

/* A stride that uses few sets of D1, more often in a row than they have room for: that is what conflicts are.  True if so. */
static bool add_sets(struct reason *reason, const struct worst *worst, const struct cache *first)
{
	struct finder *finder = reason->finder;
	const struct code_stride stride = stride_of(worst);
	double sets;

	if (!stride.by || first->size <= 0)
		return false;
	if (stride.bytes == 0 &&
	    rate_of(finder, worst) > code_step_width(worst->step) / first->line) {
		finding_add_text(
			&reason->finding->facts,
			say(finder,
			    "Addresses that are a multiple of %s B apart share one of D1's "
			    "%.0f sets, in which %.0f lines stay.",
			    say_number(finder, first->sets * first->line), first->sets,
			    first->ways));
		reason->finding->advice =
			"If the stride is a power of two: pad by a line, go in blocks, or copy "
			"together what is used together.";
		return true;
	}
	if ((double)stride.bytes < first->line)
		return false;
	sets = sets_used(first, stride.bytes);
	if (sets * 2 > first->sets || stride.row <= sets * first->ways)
		return false;
	finding_add_text(&reason->finding->facts,
			 say(finder,
			     "%s times in a row, that uses %.0f of D1's %.0f sets, in which %.0f "
			     "lines stay.",
			     say_number(finder, stride.row), sets, first->sets,
			     sets * first->ways));
	reason->finding->advice =
		"Pad rows by a line, go in blocks, or copy together what is used together.";
	return true;
}

/* True if an access misses as often as it comes to a new line, its address going on by its stride. */
static bool is_in_order(const struct finder *finder, const struct worst *worst, double line)
{
	const struct code_stride stride = stride_of(worst);
	const double usual = line > 0 ? (double)stride.bytes / line : 0,
		     rate = rate_of(finder, worst);

	return stride.by && usual > 0 && usual <= 1 && rate > usual * 0.75 && rate < usual * 1.3;
}

/* Misses that a cache serves: why they miss D1. */
static void explain_cache(struct reason *reason, const struct served *served,
			  const struct worst *worst)
{
	struct finder *finder = reason->finder;
	struct finding *finding = reason->finding;
	const struct cache first = cache_of(finder, "D1 cache");
	const char *shares;
	const enum miss_class class = class_of(finder, "D1", reason->chosen->costs, &shares);

	finding_add_text(&finding->facts, shares);
	reason->why = why_of(finder, served);
	finding->title = title_of(finder, served);
	if (served->misses > 0)
		finding_add_text(
			&finding->ruled_out,
			say(finder, "DRAM: of its misses of D1, %s goes to memory.",
			    say_one_in(finder, finder_value(finder, "DLm", reason->chosen->costs),
				       finder_value(finder, "D1m", reason->chosen->costs))));
	add_stride(reason, worst);
	switch (class) {
	case CLASS_CONFLICT:
		finding->advice = tail_of_conflict(reason);
		reason->why = say(finder, "%s, as lines push each other out of sets of D1",
				  why_of(finder, served));
		break;
	case CLASS_CAPACITY:
		finding->advice = advice_of_blocks(finder, &first);
		finding_add_text(&finding->ruled_out, "Conflicts: padding would not help.");
		break;
	case CLASS_COLD:
		finding->advice = advice_to_reuse;
		finding_add_text(&finding->ruled_out,
				 "Capacity and conflicts: the data is used for the first time.");
		break;
	case CLASS_UNKNOWN:
		finding->next = say_run_command(finder, "--miss-classes=yes");
		if (!add_sets(reason, worst, &first) && is_in_order(finder, worst, first.line))
			finding->advice = advice_of_blocks(finder, &first);
		break;
	case CLASS_NONE:
		break;
	}
}

/* Misses that memory serves. */
static void explain_dram(struct reason *reason, const struct served *served,
			 const struct worst *worst, double each)
{
	struct finder *finder = reason->finder;
	struct finding *finding = reason->finding;
	const char *shares;
	const enum miss_class class = class_of(finder, "LL", reason->chosen->costs, &shares);
	const struct code_stride stride = stride_of(worst);
	const struct cache last = cache_of(finder, "LL cache");
	const double line = last.line > 0 ? last.line : 64;
	const double width = worst->step ? code_step_width(worst->step) : 0;

	finding_add_text(&finding->facts, shares);
	finding->title = title_of(finder, served);
	reason->why = why_of(finder, served);
	add_stride(reason, worst);
	if (class == CLASS_CONFLICT)
		finding->advice =
			"Too many lines of one set of the last level: pad by a line, or copy "
			"together what is used together.";
	else if (class == CLASS_CAPACITY && last.size > 0)
		finding->advice = say(finder,
				      "Go through the data in blocks that fit into the last level "
				      "(%s), or make it smaller.",
				      say_bytes(finder, last.size));
	/* Lines that are left may stay until the next pass: then they miss no more than in order. */
	else if (width > 0 && stride.by && (double)stride.bytes >= line &&
		 rate_of(finder, worst) > 2 * width / line)
		finding->advice =
			"Go through memory in order, or keep together what is used together: of each "
			"line, little is used.";
	else if (width > 0 && width < line / 2 && rate_of(finder, worst) > 0.6)
		finding->advice =
			"Bring less: nearly each reference brings a line of which little is used.";
	else if (worst->step && finder->findings->has_cycles && each >= cycles_of_lone_miss)
		finding->advice =
			"Have several misses under way: prefetch ahead, or use loads that do "
			"not need each other.";
	else if (class == CLASS_COLD)
		finding->advice = advice_to_reuse;
	if (class == CLASS_UNKNOWN)
		finding->next = say_run_command(finder, "--miss-classes=yes");
	if (finder->findings->has_cycles && each >= cycles_of_lone_miss)
		reason->why = say(
			finder,
			"waiting for DRAM, %s cycles for each miss: few are under way at a time",
			say_quotient(finder, each));
}

/* What became of lines that prefetchers brought, if a fifth was of no use. */
static void add_prefetches(struct reason *reason)
{
	struct finder *finder = reason->finder;
	struct finding *finding = reason->finding;
	const uint64_t *costs = reason->chosen->costs;
	const double brought = finder_value(finder, "Pf", costs),
		     unused = finder_value(finder, "PfX", costs),
		     late = finder_value(finder, "PfL", costs);

	if (brought <= 0 || unused + late <= brought * share_of_prefetches)
		return;
	finding_add_text(
		&finding->facts,
		say(finder,
		    "Of %s lines that prefetchers bring in here, %s are never used, %s come late.",
		    say_number(finder, brought), say_share(finder, unused, brought),
		    say_share(finder, late, brought)));
	if (!finding->advice)
		finding->advice =
			unused >= late
				? "Go through memory in order, and to the end of what is begun."
				: "Do more with each line, or prefetch further ahead.";
}

/* The same where the prefetches themselves are what is counted. */
static void explain_prefetches(struct reason *reason)
{
	static const char *const names[] = { "Pf", "PfU", "PfL", "PfX", NULL };
	struct finder *finder = reason->finder;
	struct finding *finding = reason->finding;
	const uint64_t *costs = reason->chosen->costs;
	const double unused = finder_value(finder, "PfX", costs),
		     late = finder_value(finder, "PfL", costs);

	add_prefetches(reason);
	if (finding->facts.n == 0)
		return;
	finding_add_counts(finder, finding, names);
	finding->title = unused >= late ? "Prefetches what is not used" : "Prefetched too late";
	finding->event = unused >= late ? "PfX" : "PfL";
	reason->why = unused >= late
			      ? say(finder, "prefetchers bring in %s lines that are never used",
				    say_number(finder, unused))
			      : say(finder, "prefetchers bring in %s lines too late",
				    say_number(finder, late));
	finding->next = say_code_command(finder, finding->family);
}

static void explain_write_backs(struct reason *reason)
{
	struct finder *finder = reason->finder;
	const double lines = finder_value(finder, "WB", reason->chosen->costs);

	finding_add_count(finder, reason->finding, "WB");
	reason->finding->title = "Written back to memory";
	reason->why =
		say(finder, "%s changed lines are written back to memory (%s of all)",
		    say_number(finder, lines),
		    say_share(finder, lines, finder_value(finder, "WB", finder->findings->totals)));
	reason->finding->advice = "Write once, or in blocks that fit into the cache.";
	reason->finding->next = say_code_command(finder, reason->finding->family);
}

static void explain_data(struct reason *reason)
{
	static const char *const names[] = { "Drefs", "D1m", "L2dr", "L2dw", "DLm", NULL };
	struct finder *finder = reason->finder;
	struct finding *finding = reason->finding;
	const struct served served = served_by(reason);
	const struct worst worst =
		place_worst(finder, &reason->chosen->place, served.of ? served.of : "CyMem");
	const double each =
		served.misses > 0 ? finder_cycles(finder, reason->part->value) / served.misses : 0;

	finding->title = finder->findings->has_cycles ? "Waits for memory" : "Cache misses";
	reason->why = finder->findings->has_cycles ? "waiting for memory" : "on cache misses";
	finding->next = say_code_command(finder, finding->family);
	finding_add_counts(finder, finding, names);
	if (!served.level)
		return;
	add_rate(reason, &served);
	finding_add_text(&finding->facts, instruction_text(finder, &worst, worst.sum));
	if (worst.step && code_step_chases(worst.steps, worst.step)) {
		finding->title = say(finder, "%s: pointer chase", title_of(finder, &served));
		reason->why = say(finder,
				  "%s in a pointer chase: each address comes from the load before",
				  why_of(finder, &served));
		finding->advice =
			"Put nodes that follow each other side by side, use arrays, or follow "
			"several chains at a time.";
		finding_add_text(
			&finding->ruled_out,
			"Prefetching ahead: the next address is not known before the load ends.");
		if (!served.is_memory)
			finding_add_text(
				&finding->ruled_out,
				say(finder, "DRAM: of its misses of D1, %s goes to memory.",
				    say_one_in(finder,
					       finder_value(finder, "DLm", reason->chosen->costs),
					       finder_value(finder, "D1m", reason->chosen->costs))));
		return;
	}
	if (worst.step)
		finding_add_text(
			&finding->ruled_out,
			"A pointer chase: the address does not come from a load through itself.");
	if (served.is_memory)
		explain_dram(reason, &served, &worst, each);
	else
		explain_cache(reason, &served, &worst);
}

/*
 * Threads that take turns on one core displace each other's lines, which real ones with caches of their own do not.  So
 * what to do about misses of D1 is not known yet, but for cold ones and those that go to memory.
 */
static void advise_cores(struct reason *reason)
{
	struct finder *finder = reason->finder;
	const uint64_t *costs = reason->chosen->costs;
	const char *threads = model_desc(finder->model, "Threads"), *shares;
	const struct served served = served_by(reason);

	if (!threads || model_desc(finder->model, "Cores") ||
	    !model_desc(finder->model, "L2 cache") || !served.level || served.is_memory ||
	    class_of(finder, "D1", costs, &shares) == CLASS_COLD)
		return;
	finding_add_text(&reason->finding->facts,
			 say(finder,
			     "%s threads took turns on one simulated core, and shared its D1.",
			     threads));
	reason->finding->advice = "First see what it misses on a core of its own.";
	reason->finding->next = say_run_command(finder, say(finder, "--cores=%s", threads));
}

static void explain_memory(struct reason *reason)
{
	const char *event = reason->part->rule->event;

	if (strcmp(event, "WB") == 0) {
		explain_write_backs(reason);
	} else if (strcmp(event, "PfX") == 0) {
		explain_prefetches(reason);
	} else {
		explain_data(reason);
		add_prefetches(reason);
		advise_cores(reason);
	}
}

/* -- the other parts ---------------------------------------------------------------------------- */

static const char advice_to_do_less[] =
	"Do it less often, or in fewer instructions: hoist, vectorize, or take another algorithm.";

/* Rounds of rep movsb and the like: that is one instruction, whatever it copies. */
static void explain_string(struct reason *reason)
{
	struct finder *finder = reason->finder;
	const double rounds = finder_value(finder, "Rep", reason->chosen->costs);
	const double cycles = finder_cycles(finder, reason->part->value);
	const struct worst worst = place_worst(finder, &reason->chosen->place, "Rep");

	reason->finding->title = "String instructions";
	reason->why = "in string instructions, which move, fill or compare memory (rep)";
	reason->finding->advice = "Move, fill or compare less memory, or do it less often.";
	reason->finding->next = say_code_command(finder, reason->finding->family);
	finding_add_count(finder, reason->finding, "Rep");
	finding_add_text(&reason->finding->facts,
			 say(finder, "%s rounds of %s, %s in each of these cycles.",
			     say_number(finder, rounds),
			     worst.step ? worst.step->text : "such instructions",
			     say_quotient(finder, cycles > 0 ? rounds / cycles : 0)));
}

static void explain_core(struct reason *reason)
{
	struct finder *finder = reason->finder;
	const char *core = model_desc(finder->model, "Core"),
		   *at = core ? strstr(core, "width ") : NULL;
	const double instructions = finder_value(finder, "Ir", reason->chosen->costs);
	const double cycles = finder_cycles(finder, reason->part->value);
	uint64_t width;

	if (mostly_is_string(&finder->mostly, reason->chosen->costs)) {
		explain_string(reason);
		return;
	}
	reason->finding->title = "Core bound";
	reason->why = "core bound: limited by how many instructions the core takes in a cycle";
	reason->finding->advice = advice_to_do_less;
	reason->finding->next = say_code_command(finder, reason->finding->family);
	at = at ? at + strlen("width ") : NULL;
	if (at && take_number(&at, "", &width) && cycles > 0 && instructions > 0)
		finding_add_text(
			&reason->finding->facts,
			instructions < cycles * (double)width
				? say(finder,
				      "%s instructions in each of these cycles, of %" PRIu64
				      " that the core takes.",
				      say_quotient(finder, instructions / cycles), width)
				: say(finder,
				      "As many instructions in each of these cycles as the core takes, "
				      "%lu: a compare and its jump are one to it.",
				      width));
}

static void explain_dependencies(struct reason *reason)
{
	const struct worst worst =
		place_worst(reason->finder, &reason->chosen->place, reason->part->rule->event);

	reason->finding->title = "Waits for results";
	reason->finding->next = say_code_command(reason->finder, reason->finding->family);
	finding_add_text(&reason->finding->facts,
			 instruction_text(reason->finder, &worst, reason->part->value));
	/* Loads that hit D1 take their time all the same. */
	if (worst.step && code_step_chases(worst.steps, worst.step)) {
		reason->finding->title = "Waits for results: pointer chase";
		reason->why = "waiting in a chain of loads, each address from the load before";
		reason->finding->advice =
			"Use arrays, whose addresses are known before, or follow several chains at "
			"a time.";
		return;
	}
	reason->why = "waiting for results of instructions before it: a chain of dependencies";
	reason->finding->advice =
		"Break the chain: several sums at a time, no divisions, values kept in "
		"registers.";
}

static void explain_front_end(struct reason *reason)
{
	static const char *const names[] = { "Ir", "I1mr", "ILmr", NULL };
	struct finder *finder = reason->finder;
	const double misses = finder_value(finder, "I1mr", reason->chosen->costs);
	const bool has_cycles = finder->findings->has_cycles;
	const bool is_missing = !has_cycles ||
				(misses > 0 && misses * cycles_of_lone_miss >
						       finder_cycles(finder, reason->part->value));

	reason->finding->title = is_missing ? "Code that is not in I1" : "Waits for code";
	reason->why =
		!has_cycles ? say(finder, "on %s instruction misses", say_number(finder, misses))
		: is_missing
			? say(finder, "in the front end, waiting for code: %s instruction misses",
			      say_number(finder, misses))
			: "in the front end, waiting for code to be fetched";
	reason->finding->advice =
		is_missing ? "Put code that runs together side by side, or make it smaller: less "
			     "inlining and unrolling."
			   : NULL;
	if (!is_missing)
		finding_add_text(&reason->finding->ruled_out,
				 "Misses of I1: they do not explain the waiting.");
	finding_add_counts(finder, reason->finding, names);
	reason->finding->next =
		say_show_command(finder, is_missing ? "annotate" : "annotate --layout");
}

static void explain_tlb(struct reason *reason)
{
	static const char *const names[] = { "DTm", "DSm", "ITm", "ISm", "Walks2M", NULL };
	struct finder *finder = reason->finder;
	const uint64_t *costs = reason->chosen->costs;
	const double misses =
		finder_value(finder, "ITm", costs) + finder_value(finder, "DTm", costs);
	const double walks =
		finder_value(finder, "ISm", costs) + finder_value(finder, "DSm", costs);
	const double huge = finder_value(finder, "Walks2M", costs);
	const bool is_walking = walks > misses * share_of_walks;
	const struct worst worst = place_worst(finder, &reason->chosen->place, "DTm");
	const struct code_stride stride = stride_of(&worst);
	const struct cache first = cache_of(finder, "D1 cache");

	reason->finding->title = is_walking ? "Walks the page table" : "Misses the first TLB";
	reason->why = say(finder, "%s%s misses%s, of which %s walk the page table",
			  finder->findings->has_cycles ? "waiting for the TLB: " : "",
			  say_number(finder, misses),
			  finder->findings->has_cycles ? "" : " of the TLB",
			  say_number(finder, walks));
	finding_add_counts(finder, reason->finding, names);
	add_stride(reason, &worst);
	if (stride.by && first.line > 0 && (double)stride.bytes > first.line)
		reason->finding->advice =
			"Go through memory in the order in which it lies, or in blocks: each "
			"page is then used at one time.";
	if (is_walking && !finder_metric(finder, "Walks2M"))
		reason->finding->next = say_run_command(finder, "--pages=both");
	else if (is_walking && !reason->finding->advice && walks - huge > walks * 0.2)
		reason->finding->advice = say(
			finder,
			"Pages of 2 MiB would save %s of these walks: large aligned blocks, madvise().",
			say_share(finder, walks - huge, walks));
	else if (is_walking && walks - huge <= walks * 0.2)
		finding_add_text(&reason->finding->ruled_out,
				 "Huge pages: they would save few of these walks.");
	if (!reason->finding->advice)
		reason->finding->advice = "Use fewer pages at a time.";
}

static void explain_branches(struct reason *reason)
{
	static const struct {
		const char *executed, *missed, *what;
	} classes[] = {
		{ "Bc", "Bcm", "conditional branches" },
		{ "Bi", "Bim", "indirect branches" },
		{ "Br", "Brm", "returns" },
	};
	static const char *const names[] = { "Bc", "Bcm", "Bi", "Bim", "Br", "Brm", "Btm", NULL };
	struct finder *finder = reason->finder;
	struct finding *finding = reason->finding;
	const uint64_t *costs = reason->chosen->costs;
	const double taken = finder_value(finder, "Bct", costs);
	const bool has_cycles = finder->findings->has_cycles;
	double sum = 0, executed, missed;
	size_t most = 0;

	for (size_t i = 0; i < 3; i++) {
		sum += finder_value(finder, classes[i].missed, costs);
		if (finder_value(finder, classes[i].missed, costs) >
		    finder_value(finder, classes[most].missed, costs))
			most = i;
	}
	finding_add_counts(finder, finding, names);
	finding->next = say_show_command(finder, "branches");
	if (sum <= 0) {
		finding->title = "Branches with unknown targets";
		reason->why = "lost to branches whose targets were not known in time";
		finding->advice = "Put code that runs together side by side, or make it smaller.";
		return;
	}
	executed = finder_value(finder, classes[most].executed, costs);
	missed = finder_value(finder, classes[most].missed, costs);
	finding->title = "Mispredicted branches";
	reason->why = say(finder, "%s%s of its %s %s are mispredicted",
			  has_cycles                  ? "lost to bad speculation: "
			  : reason->part->rule->price ? ""
						      : "on mispredictions: ",
			  say_share(finder, missed, executed), say_number(finder, executed),
			  classes[most].what);
	if (finder->findings->has_cycles)
		finding_add_text(
			&finding->facts,
			say(finder, "%s mispredictions, %s cycles for each.",
			    say_number(finder, sum),
			    say_quotient(finder,
					 finder_cycles(finder, reason->part->value) / sum)));
	if (most == 1)
		finding->advice =
			"A call by pointer or a switch with changing targets: group by target.";
	else if (most == 2)
		finding->advice =
			"Calls that are nested too deep for the return stack: flatten a recursion.";
	else if (!finder_metric(finder, "Bch"))
		finding->next = say_run_command(finder, "--branch-detail=yes");
	/* Neither the branch's own history nor a constant choice predicts it. */
	else if (finder_value(finder, "Bch", costs) * 100 >= missed * 60 &&
		 least_of(taken, executed - taken) * 60 <= missed * 100)
		finding->advice =
			"The condition is on data in no order: sort it, or compute without a "
			"branch.";
	else
		finding_add_text(
			&finding->ruled_out,
			"Data in no order: a table of the branch's own history predicts it better.");
}

static void explain_mixed(struct reason *reason)
{
	struct finding *finding = reason->finding;
	const struct cost_part *part = reason->part;

	finding->next = say_code_command(reason->finder, finding->family);
	if (!part) {
		finding->title = "No part dominates";
	} else if (strcmp(part->rule->event, "Ir") == 0) {
		finding->title = "Many instructions";
		finding->advice = advice_to_do_less;
	} else {
		finding->title = say(reason->finder, "Much of all %s", part->rule->event);
	}
}

static void (*const explain[N_FINDING_KINDS])(struct reason *) = {
	[FINDING_CORE] = explain_core,           [FINDING_DEPENDENCIES] = explain_dependencies,
	[FINDING_FRONT_END] = explain_front_end, [FINDING_BRANCHES] = explain_branches,
	[FINDING_MEMORY] = explain_memory,       [FINDING_TLB] = explain_tlb,
	[FINDING_MIXED] = explain_mixed,
};

void reason_explain(struct reason *reason)
{
	explain[reason->finding->kind](reason);
}
