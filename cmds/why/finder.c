/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What findings are made with: sentences and numbers in them, commands to paste, lines of source. */
#include "cmds/why/finder.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/emit/visible.h"
#include "profile/common/desc.h"

/* Share of all that was asked about, below which nothing is said. */
static const double share_of_all = 0.02;

enum {
	MOST_LINES = 4, /* of a finding */
	NAME_ROOM = 60, /* bytes of a function's name in a sentence */
	MOST_SOURCE = 200,
};

const char *say(const struct finder *finder, const char *format, ...)
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

void finding_add_text(struct finding_texts *texts, const char *text)
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

const char *say_share(const struct finder *finder, double part, double whole)
{
	char text[SHARE_TEXT];

	share_print(text, part, whole);
	return say(finder, "%s", text);
}

const char *say_number(const struct finder *finder, double value)
{
	char text[INT128_TEXT];

	int128_print(text, (int128)(value + 0.5), true);
	return say(finder, "%s", text);
}

const char *say_short_number(const struct finder *finder, double value)
{
	const double scaled = value >= 999.5e6 ? value / 1e9 : value / 1e6;

	if (value < 999500)
		return say_number(finder, value);
	return say(finder, "%.*f %c",
		   scaled < 9.995   ? 2
		   : scaled < 99.95 ? 1
				    : 0,
		   scaled, value >= 999.5e6 ? 'G' : 'M');
}

const char *say_quotient(const struct finder *finder, double value)
{
	return value >= 10 ? say_number(finder, value) : say(finder, "%.1f", value);
}

const char *say_one_in(const struct finder *finder, double part, double whole)
{
	return part > 0 ? say(finder, "1 in %s", say_number(finder, whole / part)) : "none";
}

const char *say_calls(const struct finder *finder, uint64_t count)
{
	return say(finder, "%s call%s", say_number(finder, (double)count), count == 1 ? "" : "s");
}

const char *say_bytes(const struct finder *finder, double bytes)
{
	if (bytes >= 1 << 20)
		return say(finder, "%.4g MiB", bytes / (1 << 20));
	return bytes >= 1 << 10 ? say(finder, "%.4g KiB", bytes / (1 << 10))
				: say(finder, "%.0f B", bytes);
}

const char *say_name(const struct finder *finder, const char *name)
{
	struct bytes text;
	const char *copy;

	bytes_init(&text);
	shortname_make(&text, name, strlen(name), NAME_ROOM);
	copy = arena_copy(finder->arena, text.text, text.len);
	bytes_release(&text);
	return copy;
}

const struct why_family *finder_family(const struct finder *finder, uint32_t number_of_family)
{
	return &finder->findings->origins.families[number_of_family];
}

const char *say_place(const struct finder *finder, uint32_t file, uint64_t line)
{
	const char *name = model_name(finder->model, NAME_FILE, file).text;

	if (file == DICTIONARY_UNKNOWN)
		return "";
	return line ? say(finder, "%s:%" PRIu64, path_base(name), line) : path_base(name);
}

const struct metric *finder_metric(const struct finder *finder, const char *name)
{
	return metrics_named(&finder->findings->metrics, name);
}

double finder_value(const struct finder *finder, const char *name, const uint64_t *costs)
{
	const struct metric *metric = finder_metric(finder, name);

	return metric ? (double)metric_value(metric, costs, false) : 0;
}

double finder_scale(const struct finder *finder)
{
	double scale = 1;

	for (unsigned i = 0; i < finder->findings->metric->decimals.people; i++)
		scale *= 10;
	return scale;
}

double finder_cycles(const struct finder *finder, double cost)
{
	return cost / finder_scale(finder);
}

double finder_weight(const struct finder *finder, const char *name)
{
	return (double)metric_factor(finder->findings->metric, model_event(finder->model, name));
}

const char *say_cost_word(const struct finder *finder)
{
	const char *name = finder->findings->metric->name;

	if (finder->findings->has_cycles)
		return "cycles";
	if (strcmp(name, EVENT_ESTIMATE) == 0 || strcmp(name, "CEst") == 0)
		return "estimated cycles";
	return strcmp(name, "Ir") == 0 ? "instructions" : name;
}

const char *say_of_all(const struct finder *finder, double cost)
{
	return say(finder, "%s of all %s", say_share(finder, cost, (double)finder->findings->whole),
		   say_cost_word(finder));
}

bool finder_is_worth_it(const struct finder *finder, double cost)
{
	return cost > 0 && cost >= share_of_all * (double)finder->asked;
}

bool finder_is_of_system(const struct finder *finder, uint32_t function)
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

const char *say_show_command(const struct finder *finder, const char *arguments)
{
	if (!finder->options->profile)
		return NULL;
	return say(finder, "costgrind %s %s", arguments,
		   shell_word(finder, finder->options->profile));
}

const char *say_code_command(const struct finder *finder, uint32_t number_of_family)
{
	const char *name = finder_family(finder, number_of_family)->name;

	if (!(finder->model->positions & POSITION_INSTR))
		return say_show_command(finder, "annotate");
	return say_show_command(finder, say(finder, "annotate --asm=%s", shell_word(finder, name)));
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

const char *say_run_command(const struct finder *finder, const char *run_options)
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

const char *finder_source(struct finder *finder, uint32_t file, uint64_t line)
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

void finding_add_line(struct finder *finder, struct finding *finding, uint32_t number_of_family,
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
		.function = finder_family(finder, number_of_family)->name,
		.function_number = finder_family(finder, number_of_family)->function,
		.file_number = file,
		.line = line,
		.share = percent,
		.source = finder_source(finder, file, line),
	};
}
/* -- findings ----------------------------------------------------------------------------------- */

void finding_add_count(struct finder *finder, struct finding *finding, const char *name)
{
	const struct metric *metric = finder_metric(finder, name);
	int128 value;

	if (!metric || !finding->costs || finding->n_counts == FINDING_COUNTS)
		return;
	value = metric_value(metric, finding->costs, false);
	if (value > 0)
		finding->counts[finding->n_counts++] = (struct finding_count){ metric, value };
}

void finding_add_counts(struct finder *finder, struct finding *finding, const char *const *names)
{
	for (; *names; names++)
		finding_add_count(finder, finding, *names);
}

void finder_add(struct finder *finder, const struct finding *finding)
{
	struct findings *findings = finder->findings;

	if (!finder_is_worth_it(finder, (double)finding->cost))
		return;
	findings->all = heap_grow(findings->all, &findings->capacity, findings->n + 1,
				  sizeof(*findings->all));
	findings->all[findings->n++] = *finding;
}

bool finder_is_wanted(const struct finder *finder, uint32_t number_of_family)
{
	const char *word = finder->options->function, *name;
	size_t len;

	if (!word)
		return true;
	name = finder_family(finder, number_of_family)->name;
	len = strlen(word);
	if (strncmp(name, word, len) == 0 && strchr("(@", name[len])) /* its NUL is found, too */
		return true;
	return strpbrk(word, "*?") && fnmatch(word, name, 0) == 0;
}
