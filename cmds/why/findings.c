/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines are added up over all functions that have code of them, and those that cost most are asked why: by the parts of their
 * cycles, then by what events and machine code say of the largest part.  What is not own code is charged to own lines.
 *
 * A finding proposes only what the numbers in the profile support: padding where conflicts were counted, blocks where misses of
 * capacity were, prefetching where misses of memory are known to be no chase.  Where they do not say, the finding names the run
 * that would.
 */
#define _GNU_SOURCE /* strcasestr() */
#include "cmds/why/findings.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/code/machinecode.h"
#include "cmds/emit/visible.h"
#include "cmds/listing/column.h"
#include "cmds/placement/placement.h"
#include "profile/analysis/mostly.h"
#include "profile/common/desc.h"
#include "profile/common/dictionary.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"

/* Shares, of all that was asked about, below which nothing is said. */
static const double share_of_all = 0.02, share_of_loader = 0.1;
/* A part of a place's cycles dominates, or is named as well. */
static const double share_that_dominates = 0.4, share_of_place = 0.25;
/* Above so many cycles for each miss of memory, few are under way at a time. */
static const double cycles_of_lone_miss = 100;
/* What a call and its return are taken to be, in instructions, and above how many a callee is not small. */
static const double call_overhead = 5, small_call = 60;
static const uint64_t many_calls = 1000;

enum {
	MOST_PLACES = 8,
	MOST_FINDINGS = 12,
	MOST_LINES = 4, /* of a finding */
	MOST_LIBRARY = 6,
	NAME_ROOM = 60, /* bytes of a function's name in a sentence */
	MOST_SOURCE = 200,
	TEXT = 64,
};

static const struct {
	const char *name, *page_class;
} kinds[N_FINDING_KINDS] = {
	[FINDING_CORE] = { "core bound", "hot" },
	[FINDING_DEPENDENCIES] = { "dependencies", "results" },
	[FINDING_FRONT_END] = { "front end", "front" },
	[FINDING_BRANCHES] = { "bad speculation", "branch" },
	[FINDING_MEMORY] = { "memory bound", "memory" },
	[FINDING_CONFLICTS] = { "conflicts", "conflict" },
	[FINDING_TLB] = { "TLB", "tlb" },
	[FINDING_MIXED] = { "mixed", "hot" },
	[FINDING_ALLOCATIONS] = { "allocations", "calls" },
	[FINDING_COPIES] = { "copies", "memory" },
	[FINDING_LIBRARY] = { "library", "calls" },
	[FINDING_CALLS] = { "calls", "calls" },
	[FINDING_CALLER] = { "caller", "conflict" },
	[FINDING_PLACEMENT] = { "placement", "front" },
	[FINDING_PYTHON] = { "python", "hot" },
	[FINDING_LOADER] = { "loader", "hot" },
};

const char *finding_kind_name(enum finding_kind kind)
{
	return kinds[kind].name;
}

const char *finding_kind_class(enum finding_kind kind)
{
	return kinds[kind].page_class;
}

/* -- what findings are made with ---------------------------------------------------------------- */

/* A line, with all functions that have code of it; or the code of a function whose line is not known, or not own. */
struct why_place {
	int128 cost;
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

struct finder {
	struct findings *findings;
	const struct model *model;
	const struct findings_options *options;
	struct arena *arena;
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
};

/* A text as printf() makes it; the arena's. */
__attribute__((format(printf, 2, 3))) static const char *say(const struct finder *finder,
							     const char *format, ...)
{
	va_list args;
	char *text = NULL;
	size_t len;
	FILE *stream = heap_stream(&text, &len);
	const char *copy;

	va_start(args, format);
	vfprintf(stream, format, args);
	va_end(args);
	heap_stream_close(stream, &text);
	copy = arena_copy(finder->arena, text, len);
	free(text);
	return copy;
}

static void add_text(struct finding_texts *texts, const char *text)
{
	if (text && texts->n < FINDING_TEXTS)
		texts->all[texts->n++] = text;
}

void share_print(char text[SHARE_TEXT], double part, double whole)
{
	const double percent = whole > 0 ? 100 * part / whole : 0;

	if (percent <= 0)
		snprintf(text, SHARE_TEXT, "0 %%");
	else if (percent < 0.05)
		snprintf(text, SHARE_TEXT, "<0.1 %%");
	else
		snprintf(text, SHARE_TEXT, "%.1f %%", percent);
}

static const char *share(const struct finder *finder, double part, double whole)
{
	char text[SHARE_TEXT];

	share_print(text, part, whole);
	return say(finder, "%s", text);
}

/* "489,665"; "1.33 M" */
static const char *number_text(const struct finder *finder, double value)
{
	char text[INT128_TEXT];

	int128_print(text, (int128)(value + 0.5), true);
	return say(finder, "%s", text);
}

static const char *short_number(const struct finder *finder, double value)
{
	const double scaled = value >= 999.5e6 ? value / 1e9 : value / 1e6;

	if (value < 999500)
		return number_text(finder, value);
	return say(finder, "%.*f %c",
		   scaled < 9.995   ? 2
		   : scaled < 99.95 ? 1
				    : 0,
		   scaled, value >= 999.5e6 ? 'G' : 'M');
}

/* "11", "2.4" */
static const char *quotient(const struct finder *finder, double value)
{
	return value >= 10 ? number_text(finder, value) : say(finder, "%.1f", value);
}

static const char *one_in(const struct finder *finder, double part, double whole)
{
	return part > 0 ? say(finder, "1 in %s", number_text(finder, whole / part)) : "none";
}

/* "1 call", "6,000 calls" */
static const char *times(const struct finder *finder, uint64_t count)
{
	return say(finder, "%s call%s", number_text(finder, (double)count), count == 1 ? "" : "s");
}

/* "32 KiB" */
static const char *bytes_text(const struct finder *finder, double bytes)
{
	if (bytes >= 1 << 20)
		return say(finder, "%.4g MiB", bytes / (1 << 20));
	return bytes >= 1 << 10 ? say(finder, "%.4g KiB", bytes / (1 << 10))
				: say(finder, "%.0f B", bytes);
}

static const char *short_name(const struct finder *finder, const char *name)
{
	struct bytes text;
	const char *copy;

	bytes_init(&text);
	shortname_make(&text, name, strlen(name), NAME_ROOM);
	copy = arena_copy(finder->arena, text.text, text.len);
	bytes_release(&text);
	return copy;
}

static const struct why_family *family(const struct finder *finder, uint32_t number_of_family)
{
	return &finder->findings->origins.families[number_of_family];
}

/* "d.c:4", or "" if that is not known. */
static const char *place_text(const struct finder *finder, uint32_t file, uint64_t line)
{
	const char *name = model_name(finder->model, NAME_FILE, file).text;

	if (file == DICTIONARY_UNKNOWN)
		return "";
	return line ? say(finder, "%s:%" PRIu64, path_base(name), line) : path_base(name);
}

static const struct metric *metric_of(const struct finder *finder, const char *name)
{
	return metrics_named(&finder->findings->metrics, name);
}

static double value_of(const struct finder *finder, const char *name, const uint64_t *costs)
{
	const struct metric *metric = metric_of(finder, name);

	return metric ? (double)metric_value(metric, costs, false) : 0;
}

/* Cycles of tenths. */
static double cycles_of(const struct finder *finder, double cost)
{
	double scale = 1;

	for (unsigned i = 0; i < finder->findings->metric->decimals.people; i++)
		scale *= 10;
	return cost / scale;
}

/* "cycles", "estimated cycles", "instructions" */
static const char *cost_word(const struct finder *finder)
{
	const char *name = finder->findings->metric->name;

	if (finder->findings->has_cycles)
		return "cycles";
	if (strcmp(name, EVENT_ESTIMATE) == 0 || strcmp(name, "CEst") == 0)
		return "estimated cycles";
	return strcmp(name, "Ir") == 0 ? "instructions" : name;
}

static const char *of_all(const struct finder *finder, double cost)
{
	return say(finder, "%s of all %s", share(finder, cost, (double)finder->findings->whole),
		   cost_word(finder));
}

static bool is_worth_it(const struct finder *finder, double cost)
{
	return cost > 0 && cost >= share_of_all * (double)finder->asked;
}

static bool is_of_system_object(const struct finder *finder, uint32_t function)
{
	return !owncode_object_is_own(finder->model, finder->model->functions[function].object);
}

/* -- commands ----------------------------------------------------------------------------------- */

/* A word as a shell takes it. */
static const char *shell_word(const struct finder *finder, const char *word)
{
	struct bytes text;
	const char *copy;

	if (word[0] != '\0' && word[strspn(word, VISIBLE_IN_WORDS)] == '\0')
		return word;
	bytes_init(&text);
	bytes_add_char(&text, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			bytes_add_text(&text, "'\\'");
		bytes_add_char(&text, *word);
	}
	bytes_add_char(&text, '\'');
	copy = arena_copy(finder->arena, text.text, text.len);
	bytes_release(&text);
	return copy;
}

static const char *show_command(const struct finder *finder, const char *arguments)
{
	if (!finder->options->profile)
		return NULL;
	return say(finder, "costgrind %s %s", arguments,
		   shell_word(finder, finder->options->profile));
}

/* The machine code of a function. */
static const char *code_command(const struct finder *finder, uint32_t number_of_family)
{
	const char *name = family(finder, number_of_family)->name;

	if (!(finder->model->positions & POSITION_INSTR))
		return show_command(finder, "annotate");
	return show_command(finder, say(finder, "annotate --asm=%s", shell_word(finder, name)));
}

/*
 * True if words of a profile mean nothing else to a shell: it may come from elsewhere, and what is printed is to be pasted.  A
 * program is no option, and each option is one.
 */
static bool is_safe(const char *text, bool is_options)
{
	for (const char *word = text; *word != '\0'; word++) {
		const size_t len = strspn(word, VISIBLE_IN_WORDS);

		if (len == 0 ||
		    (is_options ? strncmp(word, "--", 2) != 0 : word == text && word[0] == '-'))
			return false;
		word += len;
		if (*word == '\0')
			return true;
		if (*word != ' ' || word[1] == '\0')
			return false;
	}
	return true;
}

/* Options without those that are defaults where cycles are. */
static const char *less_options(const struct finder *finder, const char *options)
{
	static const char *const defaults[] = { "--cycles=yes", "--branch-sim=yes",
						"--tlb-sim=yes" };
	const char *text = "";

	while (*options != '\0') {
		const size_t len = strcspn(options, " ");
		bool is_default = false;

		for (size_t i = 0; finder->findings->has_cycles && i < 3; i++)
			is_default |= strlen(defaults[i]) == len &&
				      strncmp(options, defaults[i], len) == 0;
		if (!is_default)
			text = say(finder, "%s%.*s ", text, (int)len, options);
		options += len;
		options += *options == ' ';
	}
	return text;
}

/* The same run once more, with further options; NULL if it is not known, or not safe to paste. */
static const char *run_command(const struct finder *finder, const char *run_options)
{
	const struct model *model = finder->model;
	const char *cmd = model->n_parts > 0 ? model->parts[0].header.cmd : NULL;
	const char *options = model_desc(finder->model, "Options");

	if (!options)
		options = "";
	if (!cmd || cmd[0] == '\0' || !is_safe(cmd, false) || !is_safe(options, true))
		return NULL;
	return say(finder, "costgrind run %s%s %s", less_options(finder, options), run_options,
		   cmd);
}

/* -- lines of source ---------------------------------------------------------------------------- */

static const char *source_line(struct finder *finder, uint32_t file, uint64_t line)
{
	const struct code_source *source;
	char text[MOST_SOURCE];
	const char *from;
	uint32_t place;
	size_t len, n = 0, i = 0;

	if (!finder->options->policy || line == 0)
		return NULL;
	code_sources_file(&finder->sources, file, &place);
	if (place == CODE_NO_SOURCE)
		return NULL;
	source = &finder->sources.sources[place];
	if (!source->is_found || line > source->text.n_lines || !sourcetext_is_text(&source->text))
		return NULL;
	from = sourcetext_line(&source->text, (size_t)line, &len);
	for (; i < len && n < sizeof(text); i++) {
		if (!strchr(" \t\r\f\v", from[i]) || from[i] == '\0')
			text[n++] = from[i];
		else if (n > 0 && text[n - 1] != ' ')
			text[n++] = ' ';
	}
	/* Not within a character of UTF-8: back to before the byte that leads it. */
	while (i < len && n > 0 && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
		n--;
	n -= i < len && n > 0 && (unsigned char)text[n - 1] >= 0xc0;
	return arena_copy(finder->arena, text, n - (n > 0 && text[n - 1] == ' '));
}

static void add_line(struct finder *finder, struct finding *finding, uint32_t number_of_family,
		     uint32_t file, uint64_t line, double percent)
{
	if (finding->n_lines == MOST_LINES)
		return;
	if (!finding->lines)
		finding->lines =
			arena_alloc(finder->arena, MOST_LINES * sizeof(*finding->lines), 8);
	finding->lines[finding->n_lines++] = (struct finding_line){
		.file = file == DICTIONARY_UNKNOWN
				? NULL
				: model_name(finder->model, NAME_FILE, file).text,
		.function = family(finder, number_of_family)->name,
		.function_number = family(finder, number_of_family)->function,
		.file_number = file,
		.line = line,
		.share = percent,
		.source = source_line(finder, file, line),
	};
}

/* -- findings ----------------------------------------------------------------------------------- */

static void add_count(struct finder *finder, struct finding *finding, const char *name)
{
	const struct metric *metric = metric_of(finder, name);
	int128 value;

	if (!metric || !finding->costs || finding->n_counts == FINDING_COUNTS)
		return;
	value = metric_value(metric, finding->costs, false);
	if (value > 0)
		finding->counts[finding->n_counts++] = (struct finding_count){ metric, value };
}

static void add_counts(struct finder *finder, struct finding *finding, const char *const *names)
{
	for (; *names; names++)
		add_count(finder, finding, *names);
}

static void add_finding(struct finder *finder, const struct finding *finding)
{
	struct findings *findings = finder->findings;

	if (!is_worth_it(finder, (double)finding->cost))
		return;
	findings->all = heap_grow(findings->all, &findings->capacity, findings->n + 1,
				  sizeof(*findings->all));
	findings->all[findings->n++] = *finding;
}

static bool is_wanted(const struct finder *finder, uint32_t number_of_family)
{
	const char *word = finder->options->function, *name;
	size_t len;

	if (!word)
		return true;
	name = family(finder, number_of_family)->name;
	len = strlen(word);
	if (strncmp(name, word, len) == 0 && strchr("(@", name[len])) /* its NUL is found, too */
		return true;
	return strpbrk(word, "*?") && fnmatch(word, name, 0) == 0;
}

/* -- places ------------------------------------------------------------------------------------- */

#define FUNCTION_KEY UINT64_C(0x8000000000000000)
enum { LINE_BITS = 36 };

/*
 * The own line that code is charged to: its own, or where it was inlined, if its function is worth looking that up.  False if it
 * is not known.
 */
static bool resolve(const struct finder *finder, uint32_t function, uint64_t address,
		    uint32_t *file, uint64_t *line)
{
	struct findings *findings = finder->findings;
	const struct why_family *of = family(finder, findings->origins.family_of[function]);

	if (*line != 0 && origins_file_is_own(&finder->findings->origins, *file))
		return true;
	return is_worth_it(finder, (double)metric_value(findings->metric, of->self, false)) &&
	       callsites_find(&findings->sites, finder->model->functions[function].object, address,
			      file, line);
}

/* The key of the place of code of a function; *file and *line become those that it is charged to. */
static uint64_t key_of(const struct finder *finder, uint32_t function, const struct model_line *at,
		       uint32_t *file, uint64_t *line)
{
	*file = at->file;
	*line = at->at.line;
	if (resolve(finder, function, at->at.instr, file, line) && *line >> LINE_BITS == 0)
		return (uint64_t)*file << LINE_BITS | *line;
	*file = finder->model->functions[function].file;
	*line = 0;
	return FUNCTION_KEY | finder->findings->origins.family_of[function];
}

/* The lines of own functions, by place: which ones cost most. */
static void find_places(struct finder *finder)
{
	const struct model *model = finder->model;
	const struct origins *origins = &finder->findings->origins;
	int128 *most = heap_alloc(sizeof(*most)); /* by place: of one function */
	size_t capacity = 1;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		const uint32_t number_of_family = origins->family_of[i];
		struct model_cursor cursor;
		struct model_line line;

		if (!family(finder, number_of_family)->is_own ||
		    !is_wanted(finder, number_of_family))
			continue;
		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			uint32_t file;
			uint64_t number_of_line;
			const uint64_t key = key_of(finder, i, &line, &file, &number_of_line);
			const int128 cost =
				metric_value(finder->findings->metric, line.costs, false);
			uint32_t at = idtable_get(&finder->place_of, key);

			if (cost <= 0)
				continue;
			if (at == IDTABLE_NONE) {
				at = (uint32_t)finder->n_places;
				finder->places = heap_grow(finder->places, &finder->places_capacity,
							   finder->n_places + 1,
							   sizeof(*finder->places));
				most = heap_grow(most, &capacity, finder->n_places + 1,
						 sizeof(*most));
				finder->places[finder->n_places++] = (struct why_place){
					.file = file,
					.line = number_of_line,
					.family = number_of_family,
				};
				most[at] = 0;
				idtable_put(&finder->place_of, key, at);
			}
			finder->places[at].cost += cost;
			if (cost > most[at]) {
				most[at] = cost;
				finder->places[at].family = number_of_family;
			}
		}
	}
	free(most);
}

static int compare_places(const void *a, const void *b)
{
	const struct why_place *of_a = *(const struct why_place *const *)a,
			       *of_b = *(const struct why_place *const *)b;

	if (of_a->cost != of_b->cost)
		return of_a->cost > of_b->cost ? -1 : 1;
	if (of_a->file != of_b->file)
		return of_a->file < of_b->file ? -1 : 1;
	if (of_a->line != of_b->line)
		return of_a->line < of_b->line ? -1 : 1;
	return (of_a->family > of_b->family) - (of_a->family < of_b->family);
}

/* Those that are worth it; of functions whose lines are not, what these cost together. */
static void choose_places(struct finder *finder)
{
	const struct why_place **sorted =
		heap_alloc((finder->n_places + 1) * sizeof(struct why_place *));

	for (size_t i = 0; i < finder->n_places; i++)
		sorted[i] = &finder->places[i];
	if (finder->n_places > 0)
		qsort(sorted, finder->n_places, sizeof(struct why_place *), compare_places);
	finder->chosen = heap_zeroed(MOST_PLACES, sizeof(*finder->chosen));
	for (size_t i = 0; i < finder->n_places && i < MOST_PLACES; i++)
		if (is_worth_it(finder, (double)sorted[i]->cost))
			finder->chosen[finder->n_chosen++].place = *sorted[i];
	free(sorted);
}

static struct chosen *find_chosen(struct finder *finder, uint64_t key)
{
	const uint32_t at = idtable_get(&finder->place_of, key);

	for (size_t i = 0; at != IDTABLE_NONE && i < finder->n_chosen; i++) {
		const struct why_place *place = &finder->chosen[i].place;

		if (place->file == finder->places[at].file &&
		    place->line == finder->places[at].line &&
		    (place->line != 0 || place->family == finder->places[at].family))
			return &finder->chosen[i];
	}
	return NULL;
}

/* Costs of the places chosen, and which functions have code of them. */
static int gather_places(struct finder *finder)
{
	const struct model *model = finder->model;
	const struct origins *origins = &finder->findings->origins;

	for (size_t i = 0; i < finder->n_chosen; i++) {
		finder->chosen[i].costs = row_new(finder->arena, model->n_events);
		finder->chosen[i].by_family =
			heap_zeroed(origins->n_families, sizeof(*finder->chosen[i].by_family));
	}
	for (uint32_t i = 0; finder->n_chosen > 0 && i < model->n_functions; i++) {
		const uint32_t number_of_family = origins->family_of[i];
		struct model_cursor cursor;
		struct model_line line;

		if (!family(finder, number_of_family)->is_own ||
		    !is_wanted(finder, number_of_family))
			continue;
		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			uint32_t file;
			uint64_t number_of_line;
			struct chosen *chosen = find_chosen(finder, key_of(finder, i, &line, &file,
									   &number_of_line));
			int128 *sum = chosen ? &chosen->by_family[number_of_family] : NULL;

			if (!chosen)
				continue;
			if (!row_add(chosen->costs, line.costs, model->n_events, false))
				return PROFILE_RANGE;
			chosen->is_inlined |= line.at.line != 0 && line.file != file &&
					      !origins_file_is_own(origins, line.file);
			*sum += metric_value(finder->findings->metric, line.costs, false);
		}
	}
	for (size_t i = 0; i < finder->n_chosen; i++) {
		struct chosen *chosen = &finder->chosen[i];

		for (uint32_t k = 0; k < origins->n_families; k++)
			if (chosen->by_family[k] > chosen->by_family[chosen->place.family])
				chosen->place.family = k;
		/* A line may have functions that cost nothing there. */
		chosen->n_families = 0;
		for (uint32_t k = 0; k < origins->n_families; k++)
			chosen->n_families += chosen->by_family[k] > 0;
	}
	return PROFILE_OK;
}

/* -- machine code ------------------------------------------------------------------------------- */

/* True of an own function that costs something, but no line of which was chosen. */
static bool is_whole_function(const struct finder *finder, uint32_t number_of_family)
{
	const struct why_family *of = family(finder, number_of_family);

	for (size_t i = 0; i < finder->n_chosen; i++)
		if (finder->chosen[i].by_family[number_of_family] > 0)
			return false;
	return of->is_own && is_wanted(finder, number_of_family) &&
	       is_worth_it(finder, (double)metric_value(finder->findings->metric, of->self, false));
}

/* The code of functions that have a tenth of a place that was chosen, or have findings as a whole. */
static int find_code(struct finder *finder)
{
	struct findings *findings = finder->findings;
	int status = PROFILE_OK;

	finder->has_code = !finder->options->no_code &&
			   (finder->model->positions & POSITION_INSTR) &&
			   model_event(finder->model, "Ir") < finder->model->n_events;
	if (!finder->has_code)
		return PROFILE_OK;
	for (uint32_t i = 0; !status && i < finder->model->n_functions; i++) {
		const uint32_t number_of_family = findings->origins.family_of[i];
		bool is_among = is_whole_function(finder, number_of_family);

		for (size_t k = 0; k < finder->n_chosen; k++)
			is_among |= finder->chosen[k].by_family[number_of_family] * 10 >
				    finder->chosen[k].place.cost;
		if (is_among)
			status = code_choice_add_function(&finder->choice, &finder->basis,
							  &findings->objects, i);
	}
	code_choice_finish(&finder->choice);
	finder->lists =
		arena_alloc(finder->arena, (finder->choice.n + 1) * sizeof(*finder->lists), 8);
	finder->steps =
		arena_alloc(finder->arena, (finder->choice.n + 1) * sizeof(*finder->steps), 8);
	if (!status)
		status = codework_gather(finder->lists, &finder->choice, &finder->basis);
	for (size_t i = 0; !status && i < finder->choice.n; i++)
		code_steps_make(&finder->steps[i],
				code_objects_get(&findings->objects,
						 finder->choice.wishes[i].object),
				&finder->lists[i], model_event(finder->model, "Ir"), finder->arena);
	return status;
}

/* True if an instruction of wish i is at a place. */
static bool is_at(const struct finder *finder, size_t i, const struct code_step *step,
		  const struct why_place *place)
{
	const struct code_record *record = step->record;
	const uint32_t function = code_object_function(
		code_objects_get(&finder->findings->objects, finder->choice.wishes[i].object),
		finder->choice.wishes[i].stretch.start);
	uint32_t file = record->file;
	uint64_t line = record->line;

	if (place->is_whole)
		return function != MODEL_NO_FUNCTION &&
		       finder->findings->origins.family_of[function] == place->family;
	if (function == MODEL_NO_FUNCTION)
		return place->line != 0 && line == place->line && file == place->file;
	if (resolve(finder, function, record->address, &file, &line))
		return line == place->line && file == place->file;
	return place->line == 0 && finder->findings->origins.family_of[function] == place->family;
}

/* The instruction of a place that has most of a metric. */
struct worst {
	const struct code_step *step; /* NULL = not known */
	const struct code_steps *steps;
	double value, sum; /* its own, that of all instructions of the place */
};

static struct worst find_worst(const struct finder *finder, const struct why_place *place,
			       const char *name)
{
	const struct metric *metric = metric_of(finder, name);
	struct worst worst = { .step = NULL };

	for (size_t i = 0; metric && finder->has_code && i < finder->choice.n; i++)
		for (size_t k = 0; k < finder->steps[i].n; k++) {
			const struct code_step *step = &finder->steps[i].all[k];
			double value;

			if (!is_at(finder, i, step, place))
				continue;
			value = (double)metric_value(metric, step->record->costs, false);
			worst.sum += value;
			if (value <= worst.value)
				continue;
			worst.value = value;
			worst.step = step;
			worst.steps = &finder->steps[i];
		}
	if (worst.step && worst.step->text[0] == '\0')
		worst.step = NULL;
	return worst;
}

/* What a place's returns have of a metric. */
static double returns_of(const struct finder *finder, const struct why_place *place,
			 const char *name)
{
	const struct metric *metric = metric_of(finder, name);
	double sum = 0;

	for (size_t i = 0; metric && finder->has_code && i < finder->choice.n; i++)
		for (size_t k = 0; k < finder->steps[i].n; k++) {
			const struct code_step *step = &finder->steps[i].all[k];

			if (step->kind == INSTRUCTION_RETURN && is_at(finder, i, step, place))
				sum += (double)metric_value(metric, step->record->costs, false);
		}
	return sum;
}

/* "73.0 % of that at movq (%rax), %rax.", of an instruction that has half of a part. */
static const char *instruction_text(const struct finder *finder, const struct worst *worst,
				    double part)
{
	return worst->step && worst->value * 2 >= part
		       ? say(finder, "%s of that is at the instruction %s.",
			     share(finder, worst->value, part), worst->step->text)
		       : NULL;
}

/* -- caches ------------------------------------------------------------------------------------- */

struct cache {
	double size, line, ways, sets; /* size 0 = not known */
};

/* Goes past a number below 10^9, and what stands behind it; false if that is not there. */
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

/* Where data was that D1 did not have. */
struct served {
	const char *
		level; /* "L2", "L3", "DRAM": where most of the waiting was for; NULL = nothing is known */
	bool is_memory;
	double misses;  /* of D1, or of the last level if it is memory */
	const char *of; /* that event */
};

static struct served served_by(const struct finder *finder, const uint64_t *costs)
{
	const char *level = mostly_level(&finder->mostly, costs);
	const bool is_memory = level && strcmp(level, "DRAM") == 0;
	const char *of = is_memory ? "DLm" : "D1m";
	const double misses = value_of(finder, of, costs);

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

		if (!metric_of(finder, name))
			return CLASS_UNKNOWN;
		values[i] = value_of(finder, name, costs);
		sum += values[i];
		if (values[i] > values[most])
			most = i;
	}
	if (sum <= 0)
		return CLASS_NONE;
	for (int i = 0; i < 3; i++)
		if (values[i] > 0)
			text = say(finder, "%s%s%s %s", text, text[0] ? ", " : "",
				   share(finder, values[i], sum), words[i]);
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

/* What is made of a place; of its parts, the one at work. */
struct cycle_share {
	const char *event;
	enum finding_kind kind;
	double value;
};

struct reason {
	struct finder *finder;
	const struct chosen *chosen;
	const struct cycle_share *part;
	struct finding *finding;
	const char *why; /* follows "95 % of them" */
};

static void say_rate(struct reason *reason, const struct served *served)
{
	struct finder *finder = reason->finder;
	const double references = value_of(finder, "Drefs", reason->chosen->costs);
	const double misses = value_of(finder, served->of, reason->chosen->costs);

	if (misses <= 0 || references <= 0)
		return;
	add_text(
		&reason->finding->facts,
		say(finder, "%s of its %s data references miss %s%s.",
		    share(finder, misses, references), number_text(finder, references),
		    served->is_memory ? "the last level" : "D1",
		    finder->findings->has_cycles
			    ? say(finder, ", at %s cycles for each miss",
				  quotient(finder, cycles_of(finder, reason->part->value) / misses))
			    : ""));
}

static struct code_stride stride_of(const struct worst *worst)
{
	return worst->step ? code_step_stride(worst->steps, worst->step)
			   : (struct code_stride){ .by = NULL };
}

/* How addresses go on. */
static void say_stride(struct reason *reason, const struct worst *worst)
{
	struct finder *finder = reason->finder;
	const struct code_stride stride = stride_of(worst);

	if (!stride.by)
		return;
	if (stride.bytes > 0)
		add_text(&reason->finding->facts,
			 say(finder, "Its address advances by %s B each time (%s).",
			     number_text(finder, (double)stride.bytes), stride.by->text));
	else
		add_text(&reason->finding->facts,
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
		add_text(&reason->finding->facts, say(finder, "Conflicts: %s.", pair));
	return say(
		finder,
		"Pad one of the arrays by a line of %.0f B, or copy together what is used together.",
		first.line > 0 ? first.line : 64);
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

	add_text(&finding->facts, shares);
	reason->why = say(finder, "waiting for %s", served->level);
	finding->title = say(finder, "Waits for %s", served->level);
	if (served->misses > 0)
		add_text(&finding->ruled_out,
			 say(finder, "DRAM: of its misses of D1, %s goes to memory.",
			     one_in(finder, value_of(finder, "DLm", reason->chosen->costs),
				    value_of(finder, "D1m", reason->chosen->costs))));
	say_stride(reason, worst);
	switch (class) {
	case CLASS_CONFLICT:
		finding->advice = tail_of_conflict(reason);
		reason->why = say(finder,
				  "waiting for %s, as lines push each other out of sets of D1",
				  served->level);
		break;
	case CLASS_CAPACITY:
		finding->advice =
			first.size > 0
				? say(finder,
				      "Go through the data in blocks that fit into D1 (%s), or make it smaller.",
				      bytes_text(finder, first.size))
				: "Go through the data in blocks that fit into D1, or make it smaller.";
		add_text(&finding->ruled_out, "Conflicts: padding would not help.");
		break;
	case CLASS_COLD:
		finding->advice = "Use a buffer again in place of fresh memory each time.";
		add_text(&finding->ruled_out,
			 "Capacity and conflicts: the data is used for the first time.");
		break;
	case CLASS_UNKNOWN:
		finding->next = run_command(finder, "--miss-classes=yes");
		break;
	case CLASS_NONE:
		break;
	}
}

/* Misses that memory serves. */
static void explain_dram(struct reason *reason, const struct worst *worst, double each)
{
	struct finder *finder = reason->finder;
	struct finding *finding = reason->finding;
	const char *shares;
	const enum miss_class class = class_of(finder, "LL", reason->chosen->costs, &shares);
	const struct code_stride stride = stride_of(worst);
	const struct cache last = cache_of(finder, "LL cache");
	const double line = last.line > 0 ? last.line : 64;
	const double width = worst->step ? code_step_width(worst->step) : 0;

	add_text(&finding->facts, shares);
	finding->title = "Waits for DRAM";
	reason->why = "waiting for DRAM";
	say_stride(reason, worst);
	if (class == CLASS_CONFLICT)
		finding->advice =
			"Too many lines of one set of the last level: pad by a line, or copy "
			"together what is used together.";
	else if (class == CLASS_CAPACITY && last.size > 0)
		finding->advice = say(finder,
				      "Go through the data in blocks that fit into the last level "
				      "(%s), or make it smaller.",
				      bytes_text(finder, last.size));
	else if (width > 0 && stride.by && (double)stride.bytes >= line)
		finding->advice =
			"Go through memory in order, or keep together what is used together: of each "
			"line, little is used.";
	else if (worst->step && finder->findings->has_cycles && each >= cycles_of_lone_miss)
		finding->advice =
			"Have several misses under way: prefetch ahead, or use loads that do "
			"not need each other.";
	if (class == CLASS_UNKNOWN)
		finding->next = run_command(finder, "--miss-classes=yes");
	if (finder->findings->has_cycles && each >= cycles_of_lone_miss)
		reason->why = say(
			finder,
			"waiting for DRAM, %s cycles for each miss: few are under way at a time",
			quotient(finder, each));
}

static void explain_memory(struct reason *reason)
{
	static const char *const names[] = { "Drefs", "D1m", "L2dr", "L2dw", "DLm", NULL };
	struct finder *finder = reason->finder;
	struct finding *finding = reason->finding;
	const struct served served = served_by(finder, reason->chosen->costs);
	const struct worst worst =
		find_worst(finder, &reason->chosen->place, served.of ? served.of : "CyMem");
	const double each =
		served.misses > 0 ? cycles_of(finder, reason->part->value) / served.misses : 0;

	finding->title = "Waits for memory";
	reason->why = "waiting for memory";
	finding->next = code_command(finder, finding->family);
	add_counts(finder, finding, names);
	if (!served.level)
		return;
	say_rate(reason, &served);
	add_text(&finding->facts, instruction_text(finder, &worst, worst.sum));
	if (worst.step && code_step_chases(worst.steps, worst.step)) {
		finding->title = say(finder, "Waits for %s: pointer chase", served.level);
		reason->why = say(
			finder,
			"waiting for %s in a pointer chase: each address comes from the load before",
			served.level);
		finding->advice =
			"Put nodes that follow each other side by side, use arrays, or follow "
			"several chains at a time.";
		add_text(&finding->ruled_out,
			 "Prefetching ahead: the next address is not known before the load ends.");
		if (!served.is_memory)
			add_text(&finding->ruled_out,
				 say(finder, "DRAM: of its misses of D1, %s goes to memory.",
				     one_in(finder, value_of(finder, "DLm", reason->chosen->costs),
					    value_of(finder, "D1m", reason->chosen->costs))));
		return;
	}
	if (worst.step)
		add_text(&finding->ruled_out,
			 "A pointer chase: the address does not come from a load through itself.");
	if (served.is_memory)
		explain_dram(reason, &worst, each);
	else
		explain_cache(reason, &served, &worst);
}

/* -- the other parts ---------------------------------------------------------------------------- */

static void explain_core(struct reason *reason)
{
	struct finder *finder = reason->finder;
	const char *core = model_desc(finder->model, "Core"),
		   *at = core ? strstr(core, "width ") : NULL;
	const double instructions = value_of(finder, "Ir", reason->chosen->costs);
	const double cycles = cycles_of(finder, reason->part->value);
	uint64_t width;

	reason->finding->title = "Core bound";
	reason->why = "core bound: limited by how many instructions the core takes in a cycle";
	reason->finding->advice =
		"Do it less often, or in fewer instructions: hoist, vectorize, or take "
		"another algorithm.";
	reason->finding->next = code_command(finder, reason->finding->family);
	at = at ? at + strlen("width ") : NULL;
	if (at && take_number(&at, "", &width) && cycles > 0 && instructions > 0)
		add_text(
			&reason->finding->facts,
			instructions < cycles * (double)width
				? say(finder,
				      "%s instructions in each of these cycles, of %" PRIu64
				      " that the core takes.",
				      quotient(finder, instructions / cycles), width)
				: say(finder,
				      "As many instructions in each of these cycles as the core takes, "
				      "%lu: a compare and its jump are one to it.",
				      width));
}

static void explain_dependencies(struct reason *reason)
{
	const struct worst worst =
		find_worst(reason->finder, &reason->chosen->place, reason->part->event);

	reason->finding->title = "Waits for results";
	reason->finding->next = code_command(reason->finder, reason->finding->family);
	add_text(&reason->finding->facts,
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
	const double misses = value_of(finder, "I1mr", reason->chosen->costs);
	const bool is_missing = misses > 0 && misses * cycles_of_lone_miss >
						      cycles_of(finder, reason->part->value);

	reason->finding->title = is_missing ? "Code that is not in I1" : "Waits for code";
	reason->why = is_missing ? say(finder,
				       "in the front end, waiting for code: %s instruction misses",
				       number_text(finder, misses))
				 : "in the front end, waiting for code to be fetched";
	reason->finding->advice =
		is_missing ? "Put code that runs together side by side, or make it smaller: less "
			     "inlining and unrolling."
			   : NULL;
	if (!is_missing)
		add_text(&reason->finding->ruled_out,
			 "Misses of I1: they do not explain the waiting.");
	add_counts(finder, reason->finding, names);
	reason->finding->next = show_command(finder, is_missing ? "annotate" : "annotate --layout");
}

static void explain_tlb(struct reason *reason)
{
	static const char *const names[] = { "DTm", "DSm", "ITm", "ISm", "Walks2M", NULL };
	struct finder *finder = reason->finder;
	const uint64_t *costs = reason->chosen->costs;
	const double misses = value_of(finder, "ITm", costs) + value_of(finder, "DTm", costs);
	const double walks = value_of(finder, "ISm", costs) + value_of(finder, "DSm", costs);
	const double huge = value_of(finder, "Walks2M", costs);
	const struct worst worst = find_worst(finder, &reason->chosen->place, "DTm");
	const struct code_stride stride = stride_of(&worst);
	const struct cache first = cache_of(finder, "D1 cache");

	reason->finding->title = walks > 0 ? "Walks the page table" : "Misses the first TLB";
	reason->why = say(finder, "waiting for the TLB: %s misses, of which %s walk the page table",
			  number_text(finder, misses), number_text(finder, walks));
	add_counts(finder, reason->finding, names);
	say_stride(reason, &worst);
	if (stride.by && first.line > 0 && (double)stride.bytes > first.line)
		reason->finding->advice =
			"Go through memory in the order in which it lies, or in blocks: each "
			"page is then used at one time.";
	if (!metric_of(finder, "Walks2M"))
		reason->finding->next = run_command(finder, "--pages=both");
	else if (!reason->finding->advice && walks - huge > walks * 0.2)
		reason->finding->advice = say(
			finder,
			"Pages of 2 MiB would save %s of these walks: large aligned blocks, madvise().",
			share(finder, walks - huge, walks));
	else if (walks - huge <= walks * 0.2)
		add_text(&reason->finding->ruled_out,
			 "Huge pages: they would save few of these walks.");
	if (!reason->finding->advice)
		reason->finding->advice = "Use fewer pages at a time.";
}

static double least_of(double a, double b)
{
	return a < b ? a : b;
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
	const double taken = value_of(finder, "Bct", costs);
	double sum = 0, executed, missed;
	size_t most = 0;

	for (size_t i = 0; i < 3; i++) {
		sum += value_of(finder, classes[i].missed, costs);
		if (value_of(finder, classes[i].missed, costs) >
		    value_of(finder, classes[most].missed, costs))
			most = i;
	}
	add_counts(finder, finding, names);
	finding->next = show_command(finder, "branches");
	if (sum <= 0) {
		finding->title = "Branches with unknown targets";
		reason->why = "lost to branches whose targets were not known in time";
		finding->advice = "Put code that runs together side by side, or make it smaller.";
		return;
	}
	executed = value_of(finder, classes[most].executed, costs);
	missed = value_of(finder, classes[most].missed, costs);
	finding->title = "Mispredicted branches";
	reason->why = say(finder, "lost to bad speculation: %s of its %s %s are mispredicted",
			  share(finder, missed, executed), number_text(finder, executed),
			  classes[most].what);
	if (finder->findings->has_cycles)
		add_text(&finding->facts,
			 say(finder, "%s mispredictions, %s cycles for each.",
			     number_text(finder, sum),
			     quotient(finder, cycles_of(finder, reason->part->value) / sum)));
	if (most == 1)
		finding->advice =
			"A call by pointer or a switch with changing targets: group by target.";
	else if (most == 2)
		finding->advice =
			"Calls that are nested too deep for the return stack: flatten a recursion.";
	else if (!metric_of(finder, "Bch"))
		finding->next = run_command(finder, "--branch-detail=yes");
	/* Neither the branch's own history nor a constant choice predicts it. */
	else if (value_of(finder, "Bch", costs) * 100 >= missed * 60 &&
		 least_of(taken, executed - taken) * 60 <= missed * 100)
		finding->advice =
			"The condition is on data in no order: sort it, or compute without a "
			"branch.";
	else
		add_text(
			&finding->ruled_out,
			"Data in no order: a table of the branch's own history predicts it better.");
}

static void explain_mixed(struct reason *reason)
{
	reason->finding->title = reason->finder->findings->has_cycles ? "No part dominates"
								      : "Many instructions";
	reason->finding->next = code_command(reason->finder, reason->finding->family);
}

static void (*const explain[N_FINDING_KINDS])(struct reason *) = {
	[FINDING_CORE] = explain_core,           [FINDING_DEPENDENCIES] = explain_dependencies,
	[FINDING_FRONT_END] = explain_front_end, [FINDING_BRANCHES] = explain_branches,
	[FINDING_MEMORY] = explain_memory,       [FINDING_TLB] = explain_tlb,
	[FINDING_MIXED] = explain_mixed,
};

/* -- parts of a place --------------------------------------------------------------------------- */

enum { N_PARTS = 6 };

static const struct {
	const char *event;
	enum finding_kind kind;
} cycle_kinds[N_PARTS] = {
	{ "CyBase", FINDING_CORE },    { "CyDep", FINDING_DEPENDENCIES },
	{ "CyFe", FINDING_FRONT_END }, { "CyBr", FINDING_BRANCHES },
	{ "CyMem", FINDING_MEMORY },   { "CyTlb", FINDING_TLB },
};

static int compare_parts(const void *a, const void *b)
{
	const struct cycle_share *of_a = a, *of_b = b;

	return (of_a->value < of_b->value) - (of_a->value > of_b->value);
}

/* What people call a part, as a share: "core bound". */
static const char *term_of(const char *event)
{
	const struct cycle_part *known = cycle_part_find(event);

	return known ? known->term : strcmp(event, "Ir") == 0 ? "executing" : "cache misses";
}

/* A closing brace has only what comes with returning; where there is no machine code, its text says so. */
static bool is_closing(struct finder *finder, const struct why_place *place)
{
	const char *text = source_line(finder, place->file, place->line);

	return text && text[0] == '}' && text[strspn(text, "}; ")] == '\0';
}

/* The parts of a place, the largest first; sum is all that counts of it.  Returns how many are not 0. */
static size_t parts_of(struct finder *finder, const struct chosen *chosen,
		       struct cycle_share parts[N_PARTS], double *sum)
{
	const uint64_t *costs = chosen->costs;
	size_t n = 0;

	*sum = 0;
	if (finder->findings->has_cycles) {
		for (size_t i = 0; i < N_PARTS; i++) {
			const char *event = cycle_kinds[i].event;
			struct cycle_share part = { event, cycle_kinds[i].kind,
						    value_of(finder, event, costs) };

			/* A predicted return waits for nothing: what its caller needs is the caller's. */
			if (part.kind == FINDING_DEPENDENCIES)
				part.value =
					is_closing(finder, &chosen->place)
						? 0
						: part.value -
							  returns_of(finder, &chosen->place, event);
			if (part.value > 0)
				parts[n++] = part;
			*sum += part.value > 0 ? part.value : 0;
		}
	} else if (strcmp(finder->findings->metric->name, EVENT_ESTIMATE) == 0) {
		const double whole = (double)chosen->place.cost;
		const double misses =
			(EVENT_CYCLES_LL - EVENT_CYCLES_L1) * value_of(finder, "D1m", costs) +
			(EVENT_CYCLES_RAM - EVENT_CYCLES_LL) * value_of(finder, "DLm", costs);

		if (misses > 0 && misses < whole)
			parts[n++] = (struct cycle_share){ "D1m", FINDING_MEMORY, misses };
		parts[n] =
			(struct cycle_share){ "Ir", FINDING_MIXED, whole - (n > 0 ? misses : 0) };
		n++;
		*sum = whole;
	} else {
		*sum = (double)chosen->place.cost;
	}
	qsort(parts, n, sizeof(*parts), compare_parts);
	return n;
}

/* "95.1 % memory bound, 3.0 % dependencies" */
static const char *parts_text(const struct finder *finder, const struct cycle_share *parts,
			      size_t n, double sum, double least)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		if (parts[i].value >= sum * least)
			text = say(finder, "%s%s%s %s", text, text[0] ? ", " : "",
				   share(finder, parts[i].value, sum), term_of(parts[i].event));
	return text;
}

/* "TLB (0.1 %), front end (0 %).": parts that are not worth looking at. */
static const char *small_parts_text(const struct finder *finder, const uint64_t *costs, double sum)
{
	const char *text = "";

	for (size_t i = 0; finder->findings->has_cycles && i < N_PARTS; i++) {
		const char *term = term_of(cycle_kinds[i].event);
		const double value = value_of(finder, cycle_kinds[i].event, costs);

		if (value >= sum * 0.05 || !metric_of(finder, cycle_kinds[i].event))
			continue;
		text = text[0] ? say(finder, "%s, %s (%s)", text, term, share(finder, value, sum))
			       : say(finder, "%c%s (%s)",
				     term[0] - (term[0] >= 'a' ? 'a' - 'A' : 0), term + 1,
				     share(finder, value, sum));
	}
	return text[0] ? say(finder, "%s.", text) : NULL;
}

/* "walk and 2 more functions spend"; "walk also spends" */
static const char *subject_of(const struct finder *finder, const struct chosen *chosen,
			      bool is_also)
{
	const char *name = short_name(finder, family(finder, chosen->place.family)->name);
	const size_t others = chosen->n_families > 0 ? chosen->n_families - 1 : 0;
	const char *also = is_also ? " also" : "";

	if (others == 0)
		return say(finder, "%s%s spends", name, also);
	return say(finder, "%s and %zu more function%s%s spend", name, others,
		   others == 1 ? "" : "s", also);
}

static struct finding finding_of(struct finder *finder, const struct chosen *chosen)
{
	const struct why_place *place = &chosen->place;
	struct finding finding = {
		.family = place->family,
		.function = family(finder, place->family)->function,
		.callee = MODEL_NO_FUNCTION,
		.n_others = chosen->n_families > 0 ? chosen->n_families - 1 : 0,
		.file = place->file,
		.line = place->line,
		.event = finder->findings->metric->name,
		.costs = chosen->costs,
	};

	add_line(finder, &finding, place->family, place->file, place->line, 100);
	return finding;
}

static void put_part(struct finder *finder, const struct chosen *chosen,
		     const struct cycle_share *parts, size_t n, size_t which, double sum)
{
	static const struct cycle_share none = { "", FINDING_MIXED, 0 };
	const struct why_place *place = &chosen->place;
	const struct cycle_share *part = n > 0 ? &parts[which] : &none;
	const bool is_mixed = part->kind == FINDING_MIXED ||
			      parts[0].value < sum * share_that_dominates;
	struct finding finding = finding_of(finder, chosen);
	struct reason reason = { finder, chosen, part, &finding, NULL };
	const char *at =
		place->line ? say(finder, " at %s", place_text(finder, place->file, place->line))
		: chosen->is_inlined ? " in code of libraries that is inlined there"
				     : "";
	const char *cycles = number_text(finder, cycles_of(finder, sum));

	add_count(finder, &finding, finder->findings->metric->name);
	for (size_t i = 0; finder->findings->has_cycles && i < n; i++)
		add_count(finder, &finding, parts[i].event);
	if (which == 0)
		add_text(&finding.facts,
			 n > 1 ? say(finder, "%s %s: %s.", cycles, cost_word(finder),
				     parts_text(finder, parts, n, sum, 0.01))
			       : say(finder, "%s %s.", cycles, cost_word(finder)));
	if (which == 0 && place->line != 0 && chosen->is_inlined)
		add_text(&finding.facts, "Code of libraries that is inlined there counts.");
	finding.kind = is_mixed ? FINDING_MIXED : part->kind;
	explain[finding.kind](&reason);
	if (which == 0 && !is_mixed)
		add_text(&finding.ruled_out, small_parts_text(finder, chosen->costs, sum));
	if (!is_mixed)
		finding.event = part->event;
	/* Where there is no own code, a program of the system is named, but nobody changes that. */
	if (is_of_system_object(finder, finding.function))
		finding.advice = NULL;
	finding.cost = (int128)(which == 0 ? sum : part->value);
	if (is_mixed)
		finding.claim =
			n > 1 ? say(finder, "%s %s%s: %s.", subject_of(finder, chosen, which > 0),
				    of_all(finder, sum), at,
				    parts_text(finder, parts, n < 3 ? n : 3, sum, 0))
			      : say(finder, "%s %s%s.", subject_of(finder, chosen, which > 0),
				    of_all(finder, sum), at);
	else if (which == 0)
		finding.claim = say(finder, "%s %s%s, %s of them %s.",
				    subject_of(finder, chosen, which > 0), of_all(finder, sum), at,
				    share(finder, part->value, sum), reason.why);
	else
		finding.claim = say(finder, "%s %s%s %s.", subject_of(finder, chosen, true),
				    of_all(finder, part->value), at, reason.why);
	add_finding(finder, &finding);
}

/* The largest part of a place, and others that are worth it.  Whatever is executed has to pass through the core. */
static void explain_place(struct finder *finder, const struct chosen *chosen)
{
	struct cycle_share parts[N_PARTS];
	double sum;
	const size_t n = parts_of(finder, chosen, parts, &sum);

	if (!is_worth_it(finder, sum))
		return;
	put_part(finder, chosen, parts, n, 0, sum);
	for (size_t i = 1; i < n && parts[0].value >= sum * share_that_dominates; i++)
		if (parts[i].kind != FINDING_CORE && parts[i].kind != FINDING_MIXED &&
		    parts[i].value >= sum * share_of_place && is_worth_it(finder, parts[i].value))
			put_part(finder, chosen, parts, n, i, sum);
}

static void explain_whole_functions(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;

	for (uint32_t i = 0; i < origins->n_families; i++) {
		const struct why_family *of = &origins->families[i];
		const struct chosen whole = {
			.place = { .cost = metric_value(finder->findings->metric, of->self, false),
				   .file = finder->model->functions[of->function].file,
				   .family = i,
				   .is_whole = true },
			.costs = of->self,
			.n_families = 1,
		};

		if (is_whole_function(finder, i))
			explain_place(finder, &whole);
	}
}

/* -- libraries ---------------------------------------------------------------------------------- */

static bool begins_with_any(const char *name, const char *const *words)
{
	for (; *words; words++)
		if (strncmp(name, *words, strlen(*words)) == 0)
			return true;
	return false;
}

/* glibc's allocator, whose parts are functions of their own, and those that take its place. */
static bool is_allocator(const char *name)
{
	static const char *const words[] = {
		"malloc",
		"calloc",
		"realloc",
		"free",
		"cfree",
		"memalign",
		"aligned_alloc",
		"posix_memalign",
		"operator new",
		"operator delete",
		"_int_malloc",
		"_int_free",
		"_int_realloc",
		"_int_memalign",
		"unlink_chunk",
		"sysmalloc",
		"systrim",
		"tcache_",
		"alloc_perturb",
		"arena_get",
		"__libc_malloc",
		"__libc_calloc",
		"__libc_realloc",
		"__libc_free",
		"__libc_memalign",
		"je_",
		"tc_",
		"mi_",
		NULL,
	};

	return begins_with_any(name, words);
}

/* Those that give memory, each of which is called once for a block. */
static bool gives_memory(const char *name)
{
	static const char *const words[] = { "malloc",
					     "calloc",
					     "realloc",
					     "memalign",
					     "aligned_alloc",
					     "posix_memalign",
					     "operator new",
					     "__libc_malloc",
					     "__libc_calloc",
					     "__libc_realloc",
					     NULL };

	return begins_with_any(name, words) && strcmp(name, "malloc_consolidate") != 0;
}

static bool copies_memory(const char *name)
{
	return strstr(name, "memcpy") || strstr(name, "memmove") || strstr(name, "mempcpy");
}

/* "3.8 % for main at d.c:12, 1.5 % for read at w.c:40", and lines of the finding. */
static const char *origins_text(struct finder *finder, struct finding *finding,
				const struct origin_list *list, double whole)
{
	const char *text = "";
	size_t n = 0;

	for (size_t i = 0; i < list->n && n < 3; i++) {
		const struct origin *origin = &list->all[i];
		const char *at = origin->line ? say(finder, " at %s",
						    place_text(finder, origin->file, origin->line))
					      : "";

		if (origin->amount < list->charged * 0.05 && i > 0)
			continue;
		add_line(finder, finding, origin->family, origin->file, origin->line,
			 100 * origin->amount / list->charged);
		text = say(finder, "%s%s%s for %s%s", text, n++ ? ", " : "",
			   share(finder, origin->amount, whole),
			   short_name(finder, family(finder, origin->family)->name), at);
	}
	return text;
}

/* A finding about what own lines make a library do, a family of functions or UINT32_MAX; false if that is not worth it. */
static bool begin_origins(struct finder *finder, struct finding *finding,
			  const struct origin_list *list, enum finding_kind kind, uint32_t about)
{
	bool is_about = list->n > 0 && is_worth_it(finder, list->charged);
	bool is_any = about != UINT32_MAX && is_wanted(finder, about);

	for (size_t i = 0; i < list->n; i++)
		is_any |= is_wanted(finder, list->all[i].family);
	if (!is_about || !is_any)
		return false;
	*finding = (struct finding){
		.kind = kind,
		.cost = (int128)list->charged,
		.family = list->all[0].family,
		.function = family(finder, list->all[0].family)->function,
		.callee = MODEL_NO_FUNCTION,
		.file = list->all[0].file,
		.line = list->all[0].line,
		.event = finder->findings->metric->name,
	};
	return true;
}

/* "Its functions: _int_malloc 12.3 %, malloc 4.1 %." */
static const char *functions_text(const struct finder *finder, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	const double whole = (double)finder->findings->whole;
	uint32_t best[3] = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
	double most[3] = { 0, 0, 0 };
	const char *text = "";

	for (uint32_t i = 0; i < origins->n_families; i++) {
		double cost = (double)metric_value(finder->findings->metric,
						   origins->families[i].self, false);
		uint32_t at = i;

		if (!is_in[origins->families[i].function])
			continue;
		for (size_t k = 0; k < 3; k++)
			if (cost > most[k]) {
				const double value = most[k];
				const uint32_t other = best[k];

				most[k] = cost;
				best[k] = at;
				cost = value;
				at = other;
			}
	}
	for (size_t k = 0; k < 3 && most[k] > 0; k++)
		text = say(finder, "%s%s%s %s", text, k ? ", " : "",
			   short_name(finder, origins->families[best[k]].name),
			   share(finder, most[k], whole));
	return say(finder, "Self cost: %s.", text);
}

/* What functions of a library spend their cycles on. */
static void say_parts(struct finder *finder, struct finding *finding, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	uint64_t *costs = row_new(finder->arena, finder->model->n_events);
	struct cycle_share parts[N_PARTS];
	struct chosen whole = { .costs = costs };
	double sum;
	size_t n;

	/* Sums of parts of the run: they fit, as its totals do. */
	for (uint32_t i = 0; i < finder->model->n_functions; i++)
		if (is_in[i])
			row_add(costs, inclusive_self(&origins->sums, i), finder->model->n_events,
				false);
	whole.place.cost = metric_value(finder->findings->metric, costs, false);
	finding->costs = costs;
	add_count(finder, finding, finder->findings->metric->name);
	n = parts_of(finder, &whole, parts, &sum);
	for (size_t i = 0; finder->findings->has_cycles && i < n; i++)
		add_count(finder, finding, parts[i].event);
	if (n > 1)
		add_text(&finding->facts,
			 say(finder, "Of that, %s.", parts_text(finder, parts, n, sum, 0.05)));
}

/* How many blocks functions of the allocator gave. */
static double count_blocks(const struct finder *finder, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	bool *gives = heap_zeroed(finder->model->n_functions + 1, sizeof(*gives));
	double blocks = value_of(finder, "allocCount", finder->findings->totals);

	for (uint32_t i = 0; i < finder->model->n_functions; i++)
		gives[i] = is_in[i] && gives_memory(family(finder, origins->family_of[i])->name);
	if (blocks <= 0)
		blocks = (double)origins_count(origins, gives);
	free(gives);
	return blocks;
}

static void explain_allocations(struct finder *finder, const bool *is_in, double blocks)
{
	const struct origins *origins = &finder->findings->origins;
	struct origin_list list;
	struct finding finding;

	origins_charge(&list, origins, is_in, finder->findings->metric);
	if (begin_origins(finder, &finding, &list, FINDING_ALLOCATIONS, UINT32_MAX)) {
		const char *lines =
			origins_text(finder, &finding, &list, (double)finder->findings->whole);

		finding.title = "Many allocations";
		finding.claim = say(finder, "%s allocations take %s: %s.",
				    number_text(finder, blocks), of_all(finder, list.charged),
				    lines);
		add_text(&finding.facts, functions_text(finder, is_in));
		say_parts(finder, &finding, is_in);
		finding.advice =
			"Reserve, reuse or move: fewer and larger blocks, objects that are used "
			"again, no copies.";
		finding.next =
			metric_of(finder, "allocCount")
				? show_command(finder, "annotate --show=allocCount,allocSize")
				: run_command(finder, "--collect-alloc=yes");
		add_finding(finder, &finding);
	}
	origin_list_release(&list);
}

/* One function of a library, or several that do the same. */
static void explain_library(struct finder *finder, const bool *is_in, uint32_t number_of_family)
{
	const struct why_family *of = family(finder, number_of_family);
	const bool is_copy = copies_memory(of->name);
	struct origin_list list;
	struct finding finding;

	origins_charge(&list, &finder->findings->origins, is_in, finder->findings->metric);
	if (begin_origins(finder, &finding, &list, is_copy ? FINDING_COPIES : FINDING_LIBRARY,
			  number_of_family)) {
		const char *lines =
			origins_text(finder, &finding, &list, (double)finder->findings->whole);
		const struct model_function *names = &finder->model->functions[of->function];
		/* Templates of a library are in the program. */
		const bool is_header = !is_of_system_object(finder, of->function) &&
				       names->file != DICTIONARY_UNKNOWN;
		const struct name from =
			is_header ? model_name(finder->model, NAME_FILE, names->file)
				  : model_name(finder->model, NAME_OBJECT, names->object);

		say_parts(finder, &finding, is_in);
		finding.callee = of->function;
		finding.title = is_copy ? "Copies memory" : "Calls a library";
		finding.claim = say(finder, "%s (%s) takes %s: %s.", short_name(finder, of->name),
				    path_base(from.text), of_all(finder, list.charged), lines);
		finding.advice =
			is_copy ? "Copy less: move, pass by reference, or build it where it stays."
				: NULL;
		finding.next = show_command(finder, "annotate --tree=caller --list=function");
		add_finding(finder, &finding);
	}
	origin_list_release(&list);
}

/* What libraries cost: the allocator, copies, and single functions. */
static void explain_libraries(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const size_t n = finder->model->n_functions;
	bool *allocators = heap_zeroed(n + 1, sizeof(*allocators));
	bool *copies = heap_zeroed(n + 1, sizeof(*copies));
	bool *one = heap_zeroed(n + 1, sizeof(*one));
	uint32_t copying = UINT32_MAX;
	int128 most = 0;
	double blocks;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t number_of_family = origins->family_of[i];
		const struct why_family *of = family(finder, number_of_family);
		const int128 cost = metric_value(finder->findings->metric, of->self, false);

		if (of->is_own || of->is_loader)
			continue;
		allocators[i] = is_allocator(of->name);
		copies[i] = !allocators[i] && copies_memory(of->name);
		if (copies[i] && cost > most) {
			most = cost;
			copying = number_of_family;
		}
	}
	/* A few that cost much, such as a calloc() of all memory, are like other calls. */
	blocks = count_blocks(finder, allocators);
	if (blocks >= (double)many_calls)
		explain_allocations(finder, allocators, blocks);
	else
		memset(allocators, 0, n * sizeof(*allocators));
	if (copying != UINT32_MAX)
		explain_library(finder, copies, copying);
	for (uint32_t i = 0; i < origins->n_families; i++) {
		const struct why_family *of = &origins->families[i];

		if (of->is_own || of->is_loader || allocators[of->function] ||
		    copies[of->function] ||
		    !is_worth_it(finder,
				 (double)metric_value(finder->findings->metric, of->self, false)))
			continue;
		for (uint32_t k = 0; k < n; k++)
			one[k] = origins->family_of[k] == i;
		explain_library(finder, one, i);
	}
	free(allocators);
	free(copies);
	free(one);
}

/* -- Python ------------------------------------------------------------------------------------- */

/* What an own function of Python calls: functions of C, and of libraries of Python. */
struct python_call {
	uint32_t caller, callee; /* families */
	uint64_t count;
	double cost; /* with all below, but own functions and imports if a call tree tells them apart */
};

/* An own function of Python. */
struct python_costs {
	double self, below;
	size_t most; /* of the calls, that which costs most; SIZE_MAX = there is none */
};

struct python {
	struct finder *finder;
	bool *is_own;               /* by family: functions of Python that have findings; owned */
	struct python_costs *costs; /* by family; owned */
	struct python_call *calls;  /* owned */
	size_t n_calls, capacity;
	struct idtable by_pair;
	double imports;
};

/* "json/decoder.py": a package's files have the same names as others'. */
static const char *module_text(const struct finder *finder, uint32_t file)
{
	const char *name = model_name(finder->model, NAME_FILE, file).text, *at = path_base(name);

	while (at > name + 1 && at[-2] != '/')
		at--;
	return at > name + 1 ? at - 1 : path_base(name);
}

/* The caller of Python that has most of the calls of a family; NULL if none has. */
static const struct why_call *python_caller(const struct finder *finder, uint32_t number_of_family)
{
	const struct origins *origins = &finder->findings->origins;
	const struct why_call *most = NULL;

	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];

		if (origins->family_of[call->callee] == number_of_family &&
		    owncode_is_python(finder->model, call->caller) &&
		    (!most || call->cost > most->cost))
			most = call;
	}
	return most;
}

/* True of the program's own, and of what was asked about; of others nobody changes anything. */
static bool is_own_python(const struct finder *finder, uint32_t number_of_family, bool is_any_own)
{
	const uint32_t function = family(finder, number_of_family)->function;
	const uint32_t file = finder->model->functions[function].file;

	if (!owncode_is_python(finder->model, function) || file == DICTIONARY_UNKNOWN)
		return false;
	if (is_any_own && !(finder->options->function && is_wanted(finder, number_of_family)))
		return origins_file_is_own(&finder->findings->origins, file);
	return model_name(finder->model, NAME_FILE, file).text[0] != '<';
}

static void add_python_call(struct python *python, uint32_t caller, uint32_t callee, uint64_t count,
			    double cost)
{
	const uint64_t key = (uint64_t)caller << 32 | callee;
	uint32_t at = idtable_get(&python->by_pair, key);

	python->costs[caller].below += cost;
	if (callee == UINT32_MAX)
		return;
	if (at == IDTABLE_NONE) {
		at = (uint32_t)python->n_calls;
		python->calls = heap_grow(python->calls, &python->capacity, python->n_calls + 1,
					  sizeof(*python->calls));
		python->calls[python->n_calls++] =
			(struct python_call){ .caller = caller, .callee = callee };
		idtable_put(&python->by_pair, key, at);
	}
	python->calls[at].count += count;
	python->calls[at].cost += cost;
}

/* Each chain of calls is charged to the nearest own function, and what is below an import to the import. */
static bool charge_python_by_tree(struct python *python)
{
	struct finder *finder = python->finder;
	const struct pathtree *tree = finder->options->tree;
	const struct model *model = finder->model;
	size_t events[PROFILE_MAX_EVENTS];
	uint64_t costs[PROFILE_MAX_EVENTS];
	uint32_t import, *family_of, *owners, *below;
	bool *owns;

	if (!tree || !tree->is_exact)
		return false;
	for (size_t e = 0; e < model->n_events; e++) {
		events[e] = model_event(tree->model, model->events[e].name);
		if (events[e] == tree->model->n_events)
			return false;
	}
	/* By function of the tree. */
	family_of = heap_alloc((tree->model->n_functions + 1) * sizeof(*family_of));
	memset(family_of, 0xff, (tree->model->n_functions + 1) * sizeof(*family_of));
	owns = heap_zeroed(tree->model->n_functions + 1, sizeof(*owns));
	for (uint32_t i = 0; i < model->n_functions; i++) {
		const uint32_t function = pathtree_find(tree->model, model, i);

		if (function == MODEL_NO_FUNCTION)
			continue;
		family_of[function] = finder->findings->origins.family_of[i];
		owns[function] = python->is_own[family_of[function]];
	}
	import = owncode_python_import(tree->model);
	if (import != MODEL_NO_FUNCTION)
		owns[import] = true;
	owners = pathtree_owners(tree, owns, import);
	/* By node: the family that its owner calls on the way to it. */
	below = heap_alloc((tree->n + 1) * sizeof(*below));
	for (uint32_t i = 0; i < tree->n; i++) {
		const struct pathtree_node *node = &tree->nodes[i];
		const uint32_t owner = owners[i];
		const bool is_first = node->parent != PATHTREE_NONE &&
				      tree->nodes[node->parent].function == owner;
		double cost;

		if (is_first || node->parent == PATHTREE_NONE)
			below[i] = node->function == PATHTREE_REST ? UINT32_MAX
								   : family_of[node->function];
		else
			below[i] = below[node->parent];
		if (owner == MODEL_NO_FUNCTION)
			continue;
		for (size_t e = 0; e < model->n_events; e++)
			costs[e] = pathtree_costs(tree, i)[events[e]];
		cost = (double)metric_value(finder->findings->metric, costs, false);
		if (owner == import)
			python->imports += cost;
		else if (node->function == owner)
			python->costs[family_of[owner]].self += cost;
		else
			add_python_call(python, family_of[owner], below[i],
					is_first ? node->count : 0, cost);
	}
	free(below);
	free(owners);
	free(owns);
	free(family_of);
	return true;
}

/* Without a tree, a function has its own cost, and that of its calls of others that are not own. */
static void charge_python_by_calls(struct python *python)
{
	const struct finder *finder = python->finder;
	const struct origins *origins = &finder->findings->origins;
	const uint32_t import = owncode_python_import(finder->model);

	for (uint32_t i = 0; i < origins->n_families; i++)
		if (python->is_own[i])
			python->costs[i].self = (double)metric_value(
				finder->findings->metric, origins->families[i].self, false);
	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];
		const uint32_t caller = origins->family_of[call->caller],
			       callee = origins->family_of[call->callee];

		if (!python->is_own[caller] || python->is_own[callee])
			continue;
		if (call->callee == import ||
		    strncmp(family(finder, callee)->name, "PyImport_", strlen("PyImport_")) == 0)
			python->imports += call->cost;
		else
			add_python_call(python, caller, callee, call->count, call->cost);
	}
}

static void explain_imports(struct finder *finder, double cost)
{
	const uint32_t function = owncode_python_import(finder->model);
	struct finding finding = {
		.kind = FINDING_PYTHON,
		.title = "Imports",
		.cost = (int128)cost,
		.callee = MODEL_NO_FUNCTION,
		.event = finder->findings->metric->name,
	};

	if (function == MODEL_NO_FUNCTION || finder->options->function)
		return;
	finding.family = finder->findings->origins.family_of[function];
	finding.function = function;
	finding.file = finder->model->functions[function].file;
	finding.claim = say(
		finder, "Imports take %s: finding modules, and what these do when they are loaded.",
		of_all(finder, cost));
	finding.advice = "Import what is not always needed in the function that needs it.";
	finding.next = show_command(finder, "annotate --inclusive=yes --tree=calling");
	add_finding(finder, &finding);
}

/* Where a function of Python begins; 0 if that is not known.  Lines within functions are not recorded. */
static uint64_t first_line(const struct finder *finder, uint32_t function)
{
	struct model_cursor cursor;
	struct model_line line;
	uint64_t first = 0;

	model_lines(finder->model, function, 0, &cursor);
	while (model_next_line(&cursor, &line))
		if (line.file == finder->model->functions[function].file && line.at.line != 0 &&
		    (first == 0 || line.at.line < first))
			first = line.at.line;
	return first;
}

static void explain_python_function(struct python *python, uint32_t number_of_family)
{
	struct finder *finder = python->finder;
	const struct python_costs *of = &python->costs[number_of_family];
	const struct why_family *named = family(finder, number_of_family);
	const struct python_call *most = of->most < python->n_calls ? &python->calls[of->most]
								    : NULL;
	const double whole = (double)finder->findings->whole;
	struct finding finding = {
		.kind = FINDING_PYTHON,
		.title = "Python",
		.cost = (int128)(of->self + of->below),
		.family = number_of_family,
		.function = named->function,
		.callee = most ? family(finder, most->callee)->function : MODEL_NO_FUNCTION,
		.file = finder->model->functions[named->function].file,
		.line = first_line(finder, named->function),
		.event = finder->findings->metric->name,
	};
	const struct why_call *caller = python_caller(finder, number_of_family);

	add_line(finder, &finding, number_of_family, finding.file, finding.line, 100);
	/* It says no more than the name. */
	finding.lines[0].source = NULL;
	finding.claim = say(
		finder,
		"%s in %s spends %s: %s itself, %s in functions of C and libraries that it calls.",
		short_name(finder, named->name), module_text(finder, finding.file),
		of_all(finder, (double)finding.cost), share(finder, of->self, whole),
		share(finder, of->below, whole));
	if (most)
		add_text(&finding.facts,
			 say(finder, "Most of that is %s: %s, %s.",
			     short_name(finder, family(finder, most->callee)->name),
			     times(finder, most->count), share(finder, most->cost, whole)));
	if (caller)
		add_text(&finding.facts,
			 say(finder, "It is called by %s in %s: %s, %s.",
			     short_name(finder,
					family(finder,
					       finder->findings->origins.family_of[caller->caller])
						->name),
			     module_text(finder, finder->model->functions[caller->caller].file),
			     times(finder, caller->count), share(finder, caller->cost, whole)));
	finding.next = show_command(finder, "annotate --inclusive=yes --tree=calling");
	add_finding(finder, &finding);
}

/*
 * Of an interpreter, nearly all is one cycle, and nobody can say for whom its loop works.  But an own function of Python costs what
 * it costs itself, and the functions of C and of libraries that it calls, which do its work; imports are apart, as they say
 * nothing of what the program does later.
 */
static void explain_python(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	struct python python = { .finder = finder };
	bool is_any_own = false;

	python.costs = heap_zeroed(origins->n_families, sizeof(*python.costs));
	idtable_init(&python.by_pair);
	/* If none is the program's, as of python -m json.tool, all are taken that have files. */
	for (uint32_t i = 0; i < origins->n_families && !is_any_own; i++)
		is_any_own = origins->owncode.is_own[origins->families[i].function] &&
			     owncode_is_python(finder->model, origins->families[i].function);
	python.is_own = heap_zeroed(origins->n_families + 1, sizeof(*python.is_own));
	for (uint32_t i = 0; i < origins->n_families; i++)
		python.is_own[i] = is_own_python(finder, i, is_any_own);
	if (!charge_python_by_tree(&python))
		charge_python_by_calls(&python);
	for (uint32_t i = 0; i < origins->n_families; i++)
		python.costs[i].most = SIZE_MAX;
	for (size_t i = 0; i < python.n_calls; i++) {
		size_t *most = &python.costs[python.calls[i].caller].most;

		if (*most == SIZE_MAX || python.calls[i].cost > python.calls[*most].cost)
			*most = i;
	}
	for (uint32_t i = 0; i < origins->n_families; i++)
		if (is_worth_it(finder, python.costs[i].self + python.costs[i].below) &&
		    is_wanted(finder, i))
			explain_python_function(&python, i);
	explain_imports(finder, python.imports);
	free(python.is_own);
	free(python.costs);
	free(python.calls);
	idtable_release(&python.by_pair);
}

/* -- copies of objects -------------------------------------------------------------------------- */

/* The last component of a C++ name without arguments of templates, into a buffer; false if it does not fit. */
enum { CLASS_NAME = 128 };

static void plain_component(char text[CLASS_NAME], const char *begin, const char *end)
{
	size_t depth = 0, n = 0;

	for (const char *at = begin; at < end; at++) {
		if (*at == '<') {
			depth++;
		} else if (*at == '>' && depth > 0) {
			depth--;
		} else if (depth == 0 && at + 1 < end && at[0] == ':' && at[1] == ':') {
			n = 0;
			at++;
		} else if (depth == 0 && n + 1 < CLASS_NAME) {
			text[n++] = *at;
		}
	}
	while (n > 0 && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
}

/*
 * True of "ns::text::text(ns::text const&)" and "ns::text::operator=(ns::text const&)", which copy; the class is put
 * into a buffer.
 */
static bool copies_class(const char *name, char class_name[CLASS_NAME])
{
	const char *open = NULL, *close = strrchr(name, ')'), *last = NULL;
	char own[CLASS_NAME], taken[CLASS_NAME], outer[CLASS_NAME];
	static const char ending[] = " const&";
	size_t depth = 0, len;

	if (!close)
		return false;
	for (const char *at = name; at < close; at++) {
		depth += *at == '<';
		depth -= *at == '>' && depth > 0;
		if (depth == 0 && at[0] == ':' && at[1] == ':')
			last = at;
		if (depth == 0 && *at == '(') {
			open = at;
			break;
		}
	}
	len = open ? (size_t)(close - open - 1) : 0;
	if (!open || !last || len < sizeof(ending) ||
	    memcmp(close - (sizeof(ending) - 1), ending, sizeof(ending) - 1) != 0)
		return false;
	plain_component(own, last + 2, open);
	plain_component(outer, name, last);
	plain_component(taken, open + 1, close - (sizeof(ending) - 1));
	if (strchr(taken, ',') || outer[0] == '\0' || strcmp(taken, outer) != 0 ||
	    (strcmp(own, outer) != 0 && strcmp(own, "operator=") != 0))
		return false;
	memcpy(class_name, outer, sizeof(outer));
	return true;
}

/* Classes whose copying is worth a finding, of what calls from other code cost, with all that they call. */
static void explain_copies(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const size_t n = finder->model->n_functions;
	uint32_t *class_of_function = heap_alloc((n + 1) * sizeof(*class_of_function));
	bool *is_in = heap_zeroed(n + 1, sizeof(*is_in));
	struct dictionary classes;
	double *costs;

	dictionary_init(&classes);
	for (uint32_t i = 0; i < n; i++) {
		char name[CLASS_NAME];

		class_of_function[i] =
			copies_class(family(finder, origins->family_of[i])->name, name)
				? dictionary_intern(&classes, name, strlen(name))
				: DICTIONARY_NONE;
	}
	costs = heap_zeroed(classes.count + 1, sizeof(*costs));
	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];

		if (class_of_function[call->callee] != DICTIONARY_NONE &&
		    class_of_function[call->callee] != class_of_function[call->caller])
			costs[class_of_function[call->callee]] += call->cost;
	}
	for (uint32_t which = 0; which < classes.count; which++) {
		struct origin_list list;
		struct finding finding;

		if (!is_worth_it(finder, costs[which]))
			continue;
		for (uint32_t i = 0; i < n; i++)
			is_in[i] = class_of_function[i] == which;
		origins_charge_calls(&list, origins, is_in);
		if (begin_origins(finder, &finding, &list, FINDING_COPIES, UINT32_MAX)) {
			const char *lines = origins_text(finder, &finding, &list,
							 (double)finder->findings->whole);

			finding.title = "Copies objects";
			finding.claim =
				say(finder, "%s copies of %s take %s, with all that they call: %s.",
				    number_text(finder, (double)origins_count(origins, is_in)),
				    dictionary_name(&classes, which).text,
				    of_all(finder, list.charged), lines);
			finding.advice =
				"Copy less: move, pass by reference, or build it where it stays.";
			finding.next =
				show_command(finder, "annotate --inclusive=yes --tree=caller");
			add_finding(finder, &finding);
		}
		origin_list_release(&list);
	}
	free(costs);
	free(is_in);
	free(class_of_function);
	dictionary_release(&classes);
}

/* -- calls -------------------------------------------------------------------------------------- */

struct small_calls {
	uint64_t count;
	double instructions;
	const struct why_call *most; /* the line with most of them */
};

/* Very many calls of very little, which the compiler could have inlined. */
static void explain_calls(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const double instructions = value_of(finder, "Ir", finder->findings->totals);
	const double per_instruction =
		instructions > 0 ? (finder->findings->has_cycles
					    ? value_of(finder, "CyBase", finder->findings->totals)
					    : (double)finder->findings->whole) /
					   instructions
				 : 0;
	struct small_calls *calls = heap_zeroed(origins->n_families, sizeof(*calls));

	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];
		struct small_calls *of = &calls[origins->family_of[call->callee]];

		if (is_of_system_object(finder, call->callee) ||
		    is_of_system_object(finder, call->caller) ||
		    owncode_is_python(finder->model, call->callee) ||
		    owncode_is_python(finder->model, call->caller) ||
		    (!is_wanted(finder, origins->family_of[call->caller]) &&
		     !is_wanted(finder, origins->family_of[call->callee])))
			continue;
		of->count += call->count;
		of->instructions += call->instructions;
		if (!of->most || call->count > of->most->count)
			of->most = call;
	}
	for (uint32_t i = 0; i < origins->n_families; i++) {
		const struct small_calls *of = &calls[i];
		const double count = (double)of->count;
		const char *name = origins->families[i].name;
		const bool is_check = strcasestr(name, "assert") || strcasestr(name, "invariant");
		struct finding finding;
		bool is_own_line;

		if (of->count < many_calls || of->instructions <= 0 ||
		    of->instructions / count >= small_call)
			continue;
		is_own_line = origins_file_is_own(&finder->findings->origins, of->most->file);
		finding = (struct finding){
			.kind = FINDING_CALLS,
			.title = "Many small calls",
			/* Counts of a profile that is not of a run may be any. */
			.cost = (int128)least_of(count * call_overhead * per_instruction,
						 (double)finder->findings->whole),
			.family = origins->family_of[of->most->caller],
			.function = of->most->caller,
			.callee = origins->families[i].function,
			.file = is_own_line ? of->most->file
					    : finder->model->functions[of->most->caller].file,
			.line = is_own_line ? of->most->line : 0,
			.event = "Ir",
		};
		add_line(finder, &finding, finding.family, finding.file, finding.line,
			 100 * (double)of->most->count / count);
		finding.claim = say(
			finder,
			"%s calls of %s have %s instructions each: calling and returning alone is %s.",
			short_number(finder, count), short_name(finder, name),
			quotient(finder, of->instructions / count),
			of_all(finder, (double)finding.cost));
		add_text(&finding.facts,
			 say(finder, "%s of the calls are made by %s%s.",
			     share(finder, (double)of->most->count, count),
			     short_name(finder, family(finder, finding.family)->name),
			     finding.line ? say(finder, " at %s",
						place_text(finder, finding.file, finding.line))
					  : ""));
		add_text(&finding.facts,
			 say(finder, "A call and its return are taken to be %.0f instructions.",
			     call_overhead));
		finding.advice =
			is_check ? "Inline it, or build with NDEBUG, which leaves such checks out."
			: origins->families[i].is_own
				? "Inline it: static or in a header, or link-time optimization."
				: "Build with optimization (-O2): the compiler inlines functions of templates.";
		finding.next = show_command(finder, "annotate --tree=caller --list=function");
		add_finding(finder, &finding);
	}
	free(calls);
}

/* The calls of one function from two lines, of which one waits longer for data. */
static void explain_caller(struct finder *finder, const struct why_call *worst,
			   const struct why_call *best, double excess)
{
	const struct origins *origins = &finder->findings->origins;
	const uint32_t caller = origins->family_of[worst->caller];
	const double each = worst->instructions / (double)worst->count,
		     other = best->instructions / (double)best->count;
	const bool is_same = other > 0 && each < other * 1.03 && other < each * 1.03;
	struct finding finding = {
		.kind = FINDING_CALLER,
		.title = is_same ? "The same work misses more when called from here"
				 : "Calls from here miss more",
		.cost = (int128)excess,
		.family = caller,
		.function = family(finder, caller)->function,
		.callee = worst->callee,
		.file = worst->file,
		.line = worst->line,
		.event = "D1m",
	};

	add_line(finder, &finding, caller, worst->file, worst->line, 100);
	add_line(finder, &finding, origins->family_of[best->caller], best->file, best->line, 0);
	finding.claim =
		say(finder,
		    "Called from %s, %s of the data references of %s miss D1; from %s, %s: it "
		    "waits %s longer from there.",
		    place_text(finder, worst->file, worst->line),
		    share(finder, worst->misses, worst->references),
		    short_name(finder, family(finder, origins->family_of[worst->callee])->name),
		    place_text(finder, best->file, best->line),
		    share(finder, best->misses, best->references), of_all(finder, excess));
	add_text(&finding.facts, say(finder, "%s of its misses of D1 goes to memory.",
				     one_in(finder, worst->last_misses, worst->misses)));
	if (is_same)
		add_text(&finding.ruled_out,
			 "More work: a call has the same number of instructions from both places.");
	finding.advice = "Give it less memory to go through here, or closer together.";
	finding.next = show_command(finder, "annotate --tree=caller --list=function");
	add_finding(finder, &finding);
}

static void explain_callers(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const double all = value_of(finder, "D1m", finder->findings->totals);

	if (!finder->findings->has_cycles || all <= 0)
		return;
	for (uint32_t callee = 0; callee < finder->model->n_functions; callee++) {
		const struct why_call *worst = NULL, *best = NULL;
		double excess;

		for (size_t i = origins->first_into[callee]; i < origins->first_into[callee + 1];
		     i++) {
			const struct why_call *call = &origins->calls[i];
			const uint32_t cycle = origins->sums.cycle[callee];

			/* Of calls that come back, costs are those of others, too. */
			if ((cycle && cycle == origins->sums.cycle[call->caller]) ||
			    !family(finder, origins->family_of[call->caller])->is_own ||
			    !is_wanted(finder, origins->family_of[call->caller]) ||
			    call->line == 0 || call->references <= 0 ||
			    call->misses + call->references * 0.01 <= all * 0.005)
				continue;
			if (!worst ||
			    call->misses * worst->references > worst->misses * call->references)
				worst = call;
			if (!best ||
			    call->misses * best->references < best->misses * call->references)
				best = call;
		}
		if (!worst || worst == best || worst->misses < worst->references * 0.02 ||
		    worst->misses * best->references < 2 * best->misses * worst->references)
			continue;
		excess = worst->memory - best->memory / best->references * worst->references;
		if (is_worth_it(finder, excess))
			explain_caller(finder, worst, best, excess);
	}
}

/* -- loops and the loader ----------------------------------------------------------------------- */

/* Tenths of cycles that code waits for code. */
static double wait_for_code(const struct finder *finder, const struct loop *loop)
{
	const struct model *model = finder->model;
	const size_t event = model_event(model, "CyFe");
	double sum = 0;

	for (uint32_t i = 0; event < model->n_events && i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		if (model->functions[i].object != loop->object)
			continue;
		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line))
			if (line.at.instr >= loop->begin && line.at.instr < loop->end)
				sum += (double)line.costs[event];
	}
	return sum;
}

static void explain_loop(struct finder *finder, const struct placement_row *row, double wait)
{
	const uint32_t of = finder->findings->origins.family_of[row->number];
	unsigned worst = 0;
	char *advice;
	struct finding finding = {
		.kind = FINDING_PLACEMENT,
		.title = "Badly placed loop",
		.cost = (int128)wait,
		.family = of,
		.function = row->number,
		.callee = MODEL_NO_FUNCTION,
		.file = row->file_number,
		.line = row->line,
		.event = "CyFe",
	};

	for (unsigned i = 1; i < N_WINDOWS; i++)
		if (row->touched[i] * row->needed[worst] >= row->touched[worst] * row->needed[i])
			worst = i;
	if (!family(finder, of)->is_own || !is_wanted(finder, of) || !is_worth_it(finder, wait) ||
	    row->touched[worst] * 4 < row->needed[worst] * 5)
		return;
	add_line(finder, &finding, of, row->file_number, row->line, 100);
	finding.claim = say(finder,
			    "A loop of %s, %" PRIu64
			    " B, waits for code for %s: it touches %" PRIu64
			    " fetch windows of %" PRIu64 " B where %" PRIu64 " would do.",
			    short_name(finder, family(finder, of)->name),
			    row->loop.end - row->loop.begin, of_all(finder, wait),
			    row->touched[worst], window_size(worst), row->needed[worst]);
	add_text(&finding.facts,
		 say(finder, "Code at 0x%" PRIx64 " to 0x%" PRIx64 ", %s turns.", row->loop.begin,
		     row->loop.end, number_text(finder, (double)row->loop.turns)));
	advice = heap_print("%s.", row->remedy.text);
	if (advice[0] >= 'a' && advice[0] <= 'z')
		advice[0] = (char)(advice[0] - 'a' + 'A');
	finding.advice = say(finder, "%s", advice);
	free(advice);
	finding.next = show_command(finder, "annotate --layout");
	add_finding(finder, &finding);
}

/* Two at most, and only where waiting for code is known to cost something. */
static int explain_placement(struct finder *finder)
{
	const struct placement_options options = {
		.objects = finder->options->objects,
		.oldest = finder->options->oldest,
	};
	const struct placement_row *rows[2] = { NULL, NULL };
	struct placement placement;
	double waits[2] = { 0, 0 };
	int status;

	if (finder->options->no_code || !finder->findings->has_cycles ||
	    !is_worth_it(finder, value_of(finder, "CyFe", finder->findings->totals)) ||
	    placement_missing(finder->model))
		return PROFILE_OK;
	status = placement_make(&placement, finder->model, &options);
	/* The two that wait longest; of a function that does not, no loop does. */
	for (size_t i = 0; !status && i < placement.n; i++) {
		const struct placement_row *row = &placement.rows[i];
		const struct why_family *of =
			family(finder, finder->findings->origins.family_of[row->number]);
		double wait;

		if (!of->is_own || !is_worth_it(finder, value_of(finder, "CyFe", of->self)))
			continue;
		wait = wait_for_code(finder, &row->loop);
		if (wait > waits[0]) {
			rows[1] = rows[0];
			waits[1] = waits[0];
			rows[0] = row;
			waits[0] = wait;
		} else if (wait > waits[1]) {
			rows[1] = row;
			waits[1] = wait;
		}
	}
	for (size_t i = 0; i < 2; i++)
		if (rows[i])
			explain_loop(finder, rows[i], waits[i]);
	placement_release(&placement);
	return status;
}

/* A short run is mostly its start. */
static void explain_loader(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const struct why_family *most = NULL;
	int128 sum = 0, best = 0;
	struct finding finding;

	for (uint32_t i = 0; !finder->options->function && i < origins->n_families; i++) {
		const int128 cost =
			metric_value(finder->findings->metric, origins->families[i].self, false);

		if (!origins->families[i].is_loader)
			continue;
		sum += cost;
		if (!most || cost > best) {
			best = cost;
			most = &origins->families[i];
		}
	}
	if (!most || (double)sum < share_of_loader * (double)finder->findings->whole)
		return;
	finding = (struct finding){
		.kind = FINDING_LOADER,
		.title = "The dynamic loader",
		.cost = sum,
		.family = origins->family_of[most->function],
		.function = most->function,
		.callee = MODEL_NO_FUNCTION,
		.file = finder->model->functions[most->function].file,
		.event = finder->findings->metric->name,
		.claim = say(finder, "The dynamic loader takes %s: the start of a short run.",
			     of_all(finder, (double)sum)),
		.advice =
			"A longer run has less of it; --toggle-collect=main leaves the start out.",
		.next = run_command(finder, "--toggle-collect=main"),
	};
	add_text(&finding.facts,
		 "Libraries are mapped and their symbols looked up, mostly at the start.");
	add_finding(finder, &finding);
}

/* -- all of it ---------------------------------------------------------------------------------- */

static int compare_findings(const void *a, const void *b)
{
	const struct finding *of_a = a, *of_b = b;

	if (of_a->cost != of_b->cost)
		return of_a->cost > of_b->cost ? -1 : 1;
	return strcmp(of_a->claim, of_b->claim);
}

static bool is_new(struct dictionary *said, const char *text)
{
	const size_t n = said->count;

	return dictionary_intern(said, text, strlen(text)) == n;
}

static void drop_known(struct finding_texts *texts, struct dictionary *said)
{
	size_t used = 0;

	for (size_t i = 0; i < texts->n; i++)
		if (is_new(said, texts->all[i]))
			texts->all[used++] = texts->all[i];
	texts->n = used;
}

/* True if both are of functions of libraries that one line calls. */
static bool are_of_one_call(const struct finding *a, const struct finding *b)
{
	return a->kind == FINDING_LIBRARY && b->kind == FINDING_LIBRARY && a->line != 0 &&
	       a->line == b->line && a->file == b->file;
}

/* In their order: has one finding say what all functions of libraries take that one line calls: there is one place to look at. */
static void fold_libraries(struct finder *finder)
{
	struct findings *findings = finder->findings;
	const char **more = heap_zeroed(findings->n + 1, sizeof(char *));
	size_t used = 0;

	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->all[i];
		size_t first = 0;

		while (first < used && !are_of_one_call(&findings->all[first], finding))
			first++;
		if (first == used) {
			findings->all[used++] = *finding;
			continue;
		}
		more[first] =
			say(finder, "%s%s%s %s", more[first] ? more[first] : "",
			    more[first] ? ", " : "",
			    short_name(finder,
				       family(finder,
					      finder->findings->origins.family_of[finding->callee])
					       ->name),
			    share(finder, (double)finding->cost, (double)findings->whole));
	}
	findings->n = used;
	for (size_t i = 0; i < used; i++)
		if (more[i])
			add_text(&findings->all[i].facts,
				 say(finder, "Other functions that run for this line: %s.",
				     more[i]));
	free(more);
}

/* The first ones, which cost most; a sentence that one has is not said again by those after it. */
static void choose_findings(struct findings *findings)
{
	struct dictionary said;
	size_t used = 0;

	dictionary_init(&said);
	for (size_t i = 0; i < findings->n && used < MOST_FINDINGS; i++) {
		struct finding *finding = &findings->all[used];

		if (!is_new(&said, findings->all[i].claim))
			continue;
		*finding = findings->all[i];
		used++;
		if (finding->advice && !is_new(&said, finding->advice))
			finding->advice = NULL;
		drop_known(&finding->facts, &said);
		drop_known(&finding->ruled_out, &said);
	}
	findings->n = used;
	dictionary_release(&said);
}

static int find_all(struct finder *finder)
{
	int status;

	find_places(finder);
	choose_places(finder);
	status = gather_places(finder);
	if (!status)
		status = find_code(finder);
	if (status)
		return status;
	if (finder->findings->origins.is_python)
		explain_python(finder);
	for (size_t i = 0; i < finder->n_chosen; i++)
		explain_place(finder, &finder->chosen[i]);
	explain_whole_functions(finder);
	/* Shares do not say who calls what of an interpreter's: that is charged to functions of Python. */
	if (!finder->findings->origins.is_python)
		explain_libraries(finder);
	explain_copies(finder);
	explain_calls(finder);
	explain_callers(finder);
	explain_loader(finder);
	return explain_placement(finder);
}

/* What is asked about: all of the run, or the functions of a name, with all that they call if they are own code. */
static void find_asked(struct finder *finder)
{
	struct findings *findings = finder->findings;
	const struct origins *origins = &findings->origins;

	finder->asked = findings->whole;
	findings->is_known = !finder->options->function;
	if (findings->is_known)
		return;
	for (uint32_t i = 0; i < origins->n_families; i++) {
		if (!is_wanted(finder, i))
			continue;
		findings->is_known = true;
		findings->self += metric_value(findings->metric, origins->families[i].self, false);
	}
	for (uint32_t i = 0; i < finder->model->n_functions; i++) {
		const int128 cost =
			metric_value(findings->metric, inclusive_of(&origins->sums, i), false);

		if (is_wanted(finder, origins->family_of[i]) && cost > findings->inclusive)
			findings->inclusive = cost;
	}
	finder->asked = findings->self > 0 ? findings->self : findings->inclusive;
}

static void finder_release(struct finder *finder)
{
	for (size_t i = 0; i < finder->n_chosen; i++)
		free(finder->chosen[i].by_family);
	free(finder->chosen);
	free(finder->places);
	idtable_release(&finder->place_of);
	code_choice_release(&finder->choice);
	code_sources_release(&finder->sources);
}

int findings_make(struct findings *findings, const struct model *model,
		  const struct findings_options *options)
{
	const struct metric_source source = {
		.events = model->events,
		.n_events = model->n_events,
		.derived = model->derived,
		.n_derived = model->n_derived,
	};
	const struct column_choice choice = { .show = NULL };
	struct finder finder = {
		.findings = findings,
		.model = model,
		.options = options,
		.arena = &findings->arena,
	};
	int status;

	*findings = (struct findings){
		.model = model,
		.options = options,
		.objects = { .options = &options->objects, .oldest = options->oldest },
	};
	arena_init(&findings->arena);
	code_objects_init(&findings->objects, model);
	metrics_init(&findings->metrics, &source, &findings->arena);
	findings->metric = &findings->metrics.all[metrics_main(&findings->metrics)];
	findings->has_cycles = strcmp(findings->metric->name, EVENT_CYCLES) == 0;
	if (!model_totals(model, findings->totals))
		return PROFILE_RANGE;
	findings->whole = metric_value(findings->metric, findings->totals, false);
	callsites_init(&findings->sites, model, options->no_code ? NULL : &findings->objects);
	status = origins_init(&findings->origins, model, &findings->metrics, findings->metric,
			      &findings->sites, &findings->arena);
	if (status)
		return status;
	find_asked(&finder);
	if (columns_init(&finder.columns, model, &choice, &findings->arena))
		return PROFILE_EVENTS;
	finder.basis = (struct basis){
		.model = model,
		.columns = &finder.columns,
		.totals = findings->totals,
		.arena = &findings->arena,
	};
	mostly_init(&finder.mostly, model);
	idtable_init(&finder.place_of);
	code_sources_init(&finder.sources, model, options->policy, options->rules);
	if (findings->whole > 0)
		status = find_all(&finder);
	if (findings->n > 0)
		qsort(findings->all, findings->n, sizeof(*findings->all), compare_findings);
	fold_libraries(&finder);
	choose_findings(findings);
	finder_release(&finder);
	return status;
}

void findings_release(struct findings *findings)
{
	free(findings->all);
	code_objects_release(&findings->objects);
	origins_release(&findings->origins);
	callsites_release(&findings->sites);
	arena_release(&findings->arena);
}
