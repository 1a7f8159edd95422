/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind completion: what shells ask for while a command line is typed. */
#include "cmds/cli/commands.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmds/check/features.h"
#include "cmds/cli/option.h"
#include "cmds/command.h"
#include "cmds/control/control.h"
#include "cmds/convert/formats.h"
#include "cmds/emit/visible.h"
#include "cmds/machine/machine.h"
#include "cmds/stable/stable.h"
#include "profile/common/event_names.h"
#include "writer/shared/events.h"
#include "writer/shared/optionlist.h"

/* An option of the tool's, or of Valgrind's. */
struct tool_option {
	const char *name, *form;
	const char *help; /* NULL = none */
	bool is_listed;   /* offered; of the others, only values are */
};

/* Words of the list, so that they say which options are not offered. */
enum {
	MATTERS = 0,
	OF_CACHES = 0,
	ONLY_COSTGRIND = 0,
	ONLY_CALLGRIND = 1,
	ONLY_CACHEGRIND = 1,
	OLD_NAMES = 1,
	GROUP_DEBUG = 0,
	GROUP_ALIAS = 0,
#define GROUP(group, heading) GROUP_##group = 1,
	OPTION_GROUPS(GROUP)
#undef GROUP
};

static const struct tool_option tool_options[] = {
#define OPTION(name, kind, group, flags, where, form, values, usual, help) \
 { name, form, help, GROUP_##group != 0 && (flags) == 0 },
	TOOL_OPTIONS(OPTION)
#undef OPTION
#define OPTION(name, form) { name, form, NULL, true },
		CORE_OPTIONS(OPTION)
#undef OPTION
};

enum { N_TOOL_OPTIONS = sizeof(tool_options) / sizeof(tool_options[0]) };

/* A candidate is head, word and tail, if the word that is typed begins it; text may be NULL. */
struct candidate {
	const char *head;
	size_t head_len;
	const char *word;
	size_t word_len;
	const char *tail;
	const char *text; /* the first line of it is shown */
};

static bool begins(const char *typed, const char *part, size_t len, size_t *done)
{
	size_t rest = strlen(typed + *done);
	size_t n = rest < len ? rest : len;

	if (memcmp(typed + *done, part, n) != 0)
		return false;
	*done += n;
	return true;
}

static void offer(const char *typed, const struct candidate *candidate)
{
	size_t tail_len = strlen(candidate->tail), done = 0;
	const char *text = candidate->text;

	if (!begins(typed, candidate->head, candidate->head_len, &done) ||
	    !begins(typed, candidate->word, candidate->word_len, &done) ||
	    !begins(typed, candidate->tail, tail_len, &done) || typed[done] != '\0')
		return;
	printf("%.*s%.*s%s", (int)candidate->head_len, candidate->head, (int)candidate->word_len,
	       candidate->word, candidate->tail);
	if (text)
		printf("\t%.*s", (int)strcspn(text, "\n"), text);
	putchar('\n');
}

static void offer_word(const char *typed, const char *word, const char *tail, const char *text)
{
	const struct candidate candidate = { "", 0, word, strlen(word), tail, text };

	offer(typed, &candidate);
}

/* -- values ---------------------------------------------------------------------------- */

/* Word number i of a list, and what it means (NULL = no more to say); false after the last. */
typedef bool word_at(size_t i, const char **word, const char **text);

static bool stable_word_at(const struct stable_word *words, size_t n, size_t i, const char **word,
			   const char **text)
{
	if (i >= n)
		return false;
	*word = words[i].word;
	*text = words[i].text;
	return true;
}

/* Those recorded, then those derived. */
static bool event_at(size_t i, const char **word, const char **text)
{
	static const struct {
		const char *name, *long_name;
	} derived[] = {
#define DERIVED(name, formula, needs, long_name, text) { name, long_name },
		DERIVED_EVENTS(DERIVED)
#undef DERIVED
			{ EVENT_ESTIMATE, EVENT_ESTIMATE_NAME },
	};
	size_t n;
	const struct event_info *all = event_all(&n);

	if (i >= n + sizeof(derived) / sizeof(derived[0]))
		return false;
	*word = i < n ? all[i].name : derived[i - n].name;
	*text = i < n ? all[i].long_name : derived[i - n].long_name;
	return true;
}

static bool format_at(size_t i, const char **word, const char **text)
{
	*word = format_table[i].name;
	*text = NULL;
	return *word != NULL;
}

static bool input_at(size_t i, const char **word, const char **text)
{
	static const char *const words[] = { "callgrind", "cachegrind", "xdebug", "tree", NULL };

	*word = words[i];
	*text = NULL;
	return *word != NULL;
}

static bool reader_at(size_t i, const char **word, const char **text)
{
	*word = readers_names[i];
	*text = NULL;
	return *word != NULL;
}

static bool stable_item_at(size_t i, const char **word, const char **text)
{
	return stable_word_at(stable_items, N_STABLE_ITEMS, i, word, text);
}

static bool cause_at(size_t i, const char **word, const char **text)
{
	return stable_word_at(stable_causes, N_CAUSES, i, word, text);
}

static bool leave_at(size_t i, const char **word, const char **text)
{
	static const struct stable_word items[] = {
#define ITEM(item, name, help) { name, help },
		LEAVE_ITEMS(ITEM)
#undef ITEM
	};

	return stable_word_at(items, sizeof(items) / sizeof(items[0]), i, word, text);
}

/* Options whose values are from a list that their form does not have. */
static const struct {
	const char *name, *form;
	word_at *at;
	bool several;      /* with commas between */
	const char *place; /* what else there can be, as in file_places; NULL = nothing */
} lists[] = {
	{ "--show", NULL, event_at, true, NULL },
	{ "--sort", NULL, event_at, true, NULL },
	{ "--event", NULL, event_at, false, NULL },
	{ "--to", "FORMAT", format_at, false, NULL },
	{ "--from", "FORMAT", input_at, false, NULL },
	{ "--for", NULL, reader_at, true, NULL },
	{ "--keep", NULL, stable_item_at, true, NULL },
	{ "--causes", NULL, cause_at, true, NULL },
	{ "--leave", NULL, leave_at, true, NULL },
	{ "--machine", NULL, machine_word_at, false, ":file" },
};

/* Placeholders of names of files and the like in a form. */
static const struct {
	const char *form, *line;
} file_places[] = {
	{ "FILE", ":file" },     { "LIST", ":file" },        { "<file>", ":file" },
	{ "DIR", ":directory" }, { "<path>", ":directory" }, { "PROGRAM", ":program" },
};

/* The words of a form; head is what is before the value in the word that is typed. */
static void offer_words(const char *typed, size_t head_len, const char *form)
{
	while (*form != '\0') {
		size_t len = strcspn(form, "|");
		const struct candidate candidate = { typed, head_len, form, len, "", NULL };

		offer(typed, &candidate);
		form += len + (form[len] == '|');
	}
}

static void offer_list(const char *typed, size_t head_len, word_at *at, bool several)
{
	const char *comma = several ? strrchr(typed + head_len, ',') : NULL;
	const char *word, *text;

	if (comma)
		head_len = (size_t)(comma + 1 - typed);
	for (size_t i = 0; at(i, &word, &text); i++) {
		const struct candidate candidate = { typed, head_len, word, strlen(word), "", text };

		offer(typed, &candidate);
	}
}

/* The value of an option, after the first head_len characters of what is typed. */
static void offer_value(const char *typed, size_t head_len, const char *name, const char *form)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (strcmp(lists[i].name, name) != 0 ||
		    (lists[i].form && strcmp(lists[i].form, form) != 0))
			continue;
		offer_list(typed, head_len, lists[i].at, lists[i].several);
		if (lists[i].place)
			puts(lists[i].place);
		return;
	}
	if (strchr(form, '|') &&
	    form[strspn(form, "abcdefghijklmnopqrstuvwxyz0123456789-|")] == '\0') /* "a|b|c" */
		offer_words(typed, head_len, form);
	for (size_t i = 0; i < sizeof(file_places) / sizeof(file_places[0]); i++)
		if (strcmp(file_places[i].form, form) == 0)
			puts(file_places[i].line);
}

/* -- options --------------------------------------------------------------------------- */

static const char *form_of(const struct option_rule *rule)
{
	if (rule->kind == OPTION_YES_NO)
		return "yes|no";
	return rule->form ? rule->form : "";
}

/* An option's name, alone if it is_bare, and with a tail, unless that is NULL; or after a '=', its value. */
static void offer_option(const char *typed, const struct tool_option *option, bool is_bare,
			 const char *tail)
{
	const size_t name_len = strcspn(typed, "=");

	if (typed[name_len] == '=') {
		if (strlen(option->name) == name_len && memcmp(typed, option->name, name_len) == 0)
			offer_value(typed, name_len + 1, option->name, option->form);
		return;
	}
	if (option->is_listed && is_bare)
		offer_word(typed, option->name, "", option->help);
	if (option->is_listed && tail)
		offer_word(typed, option->name, tail, option->help);
}

/* The names of a table's options, or the value of one of them. */
static void offer_rules(const char *typed, const struct option_rule *rules)
{
	for (const struct option_rule *rule = rules; rule && rule->name; rule++) {
		const struct tool_option option = { rule->name, form_of(rule), rule->help, true };
		bool has_value = rule->kind != OPTION_FLAG;

		if (has_value || !strchr(typed, '='))
			offer_option(typed, &option, !has_value || rule->kind == OPTION_MAYBE,
				     has_value ? "=" : NULL);
	}
}

static void offer_tool_options(const char *typed)
{
	for (size_t i = 0; i < N_TOOL_OPTIONS; i++) {
		const char *form = tool_options[i].form;
		/* A number can be changed, as in --NAME1=. */
		const char *tail = strncmp(form, "<n>=", 4) == 0 ? "1=" : "=";

		offer_option(typed, &tool_options[i], form[0] == '\0' || form[0] == '[',
			     form[0] != '\0' ? tail : NULL);
	}
}

/* The rule of a table that a word names, and whose value is the next word; NULL = none. */
static const struct option_rule *awaits_value(const struct option_rule *rules, const char *word)
{
	for (const struct option_rule *rule = rules; rule && rule->name; rule++) {
		if (rule->kind != OPTION_VALUE)
			continue;
		if (strcmp(rule->name, word) == 0)
			return rule;
		if (rule->letter && word[0] == '-' && word[1] == rule->letter && word[2] == '\0')
			return rule;
	}
	return NULL;
}

/* -- commands -------------------------------------------------------------------------- */

static void offer_commands(const char *typed, bool for_help)
{
	for (const struct command *command = command_table; command->name; command++)
		offer_word(typed, command->name, "", command->summary);
	if (for_help) {
		offer_word(typed, "events", "", "what the columns of profiles mean");
		return;
	}
	offer_word(typed, "--help", "", "list the commands");
	offer_word(typed, "--version", "", "print the version");
	puts(":program");
}

/* Pids of what can be steered; their programs are what says which is which. */
static void offer_targets(const char *typed)
{
	struct targets targets;

	if (targets_find(&targets, NULL))
		for (size_t i = 0; i < targets.n; i++) {
			char pid[16], words[80];

			snprintf(pid, sizeof(pid), "%d", (int)targets.targets[i].pid);
			visible_copy(words, sizeof(words), targets.targets[i].words,
				     strlen(targets.targets[i].words));
			offer_word(typed, pid, "", words);
		}
	targets_release(&targets);
}

static void offer_machines(const char *typed)
{
	const char *word, *text;

	for (size_t i = 0; machine_word_at(i, &word, &text); i++)
		offer_word(typed, word, "", text);
	puts(":file");
}

/* True if a command starts a program, so that the tool's options are among its own. */
static bool starts_program(const struct command *command)
{
	return strcmp(command->name, "run") == 0 || strcmp(command->name, "stable") == 0 ||
	       strcmp(command->name, "compare") == 0 || strcmp(command->name, "bench") == 0;
}

/* True if the program that a command starts is among the words before the last one. */
static bool is_after_program(const struct command *command, char **argv, size_t n)
{
	for (size_t i = 1; i + 1 < n; i++) {
		if (argv[i][0] != '-')
			return true;
		if (strcmp(argv[i], "--") == 0)
			return i + 2 < n;
		i += awaits_value(command->options, argv[i]) != NULL;
	}
	return false;
}

/* n words, the first is the command's name. */
static void complete_command(const struct command *command, char **argv, size_t n)
{
	const char *typed = argv[n - 1];
	const char *place = starts_program(command) ? ":program" : ":file";
	const bool is_end = strcmp(argv[n - 2], "--") == 0;
	const struct option_rule *const *shared = command->shared;
	const struct option_rule *rule = awaits_value(command->options, argv[n - 2]);

	for (; shared && *shared && !rule; shared++)
		rule = awaits_value(*shared, argv[n - 2]);
	if (starts_program(command) && is_after_program(command, argv, n)) {
		puts(":file");
	} else if (n > 2 && rule) {
		offer_value(typed, 0, rule->name, form_of(rule));
	} else if (typed[0] == '-' && !is_end) {
		offer_rules(typed, command->options);
		for (shared = command->shared; shared && *shared; shared++)
			offer_rules(typed, *shared);
		offer_rules(typed, option_common_rules);
		if (starts_program(command))
			offer_tool_options(typed);
		if (strcmp(command->name, "run") == 0)
			offer_word(typed, "--tool-help", "", "list the options of the tool");
	} else if (command->run == help_main) {
		offer_commands(typed, true);
	} else if (command->run == control_main) {
		offer_targets(typed);
	} else if (command->run == machine_main) {
		offer_machines(typed);
	} else {
		puts(place);
	}
}

int completion_main(char **argv)
{
	const struct command *command;
	size_t n = 0;

	while (argv[n])
		n++;
	if (n <= 1) {
		offer_commands(n == 1 ? argv[0] : "", false);
		return EXIT_FINE;
	}
	command = command_find(argv[0]);
	if (command)
		complete_command(command, argv, n);
	else
		puts(":file"); /* costgrind PROG ARGS */
	return EXIT_FINE;
}
