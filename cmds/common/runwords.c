/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/common/runwords.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "cmds/common/option.h"
#include "profile/common/error.h"

/* What follows the name of an option in a word: "", "=value"; NULL = it is another option. */
static const char *behind(const char *word, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(word, name, len) != 0 || (word[len] != '\0' && word[len] != '='))
		return NULL;
	return word + len;
}

static const struct option_rule *find(const struct option_rule *rules, const char *word)
{
	for (; rules && rules->name; rules++) {
		if (behind(word, rules->name))
			return rules;
		if (rules->letter && word[0] == '-' && word[1] == rules->letter && word[2] == '\0')
			return rules;
	}
	return NULL;
}

/* Takes an option of the command; value is what stands behind its '=', or the next word. */
static int take(const struct option_rule *rule, const char *command, const char *word,
		const char *value, void *ctx)
{
	const char *expected;

	if (rule->kind == OPTION_FLAG && value)
		expected = "no value";
	else if (rule->kind == OPTION_VALUE && !value)
		expected = rule->form;
	else
		expected = rule->set(ctx, value);
	if (!expected)
		return OPTIONS_GO_ON;
	if (value && !strchr(word, '='))
		complain(command, "%s: '%s': expected %s", word, value, expected);
	else
		complain(command, "%s: expected %s", word, expected);
	return EXIT_USAGE;
}

int runwords_read(struct runwords *words, const struct option_rule *rules, char **argv, void *ctx)
{
	size_t n = 0;
	size_t i = 1;

	*words = (struct runwords){ .options = NULL };
	while (argv[n])
		n++;
	words->options = calloc(n + 1, sizeof(*words->options));
	if (!words->options) {
		return complain_status(argv[0], NULL, PROFILE_NO_MEMORY);
	}
	for (; i < n && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
		const struct option_rule *rule = find(rules, argv[i]);
		const char *word = argv[i], *value = strchr(word, '=');
		int code;

		if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
			option_print_help(argv[0]);
			return EXIT_FINE;
		}
		words->tool_help |= strcmp(argv[i], "--tool-help") == 0;
		words->quiet |= strcmp(argv[i], "-q") == 0 || strcmp(argv[i], "--quiet") == 0;
		if (!rule) {
			if (!behind(word, "--color")) /* all commands take it */
				words->options[words->n_options++] = argv[i];
			continue;
		}
		if (value)
			value++;
		else if (rule->kind == OPTION_VALUE)
			value = argv[++i];
		code = take(rule, argv[0], word, value, ctx);
		if (code != OPTIONS_GO_ON)
			return code;
	}
	if (i < n && strcmp(argv[i], "--") == 0)
		i++;
	words->program = argv + i;
	words->n_program = n - i;
	if (words->n_program > 0 || words->tool_help)
		return OPTIONS_GO_ON;
	complain(argv[0], "expected a program to run");
	return EXIT_USAGE;
}

void runwords_release(struct runwords *words)
{
	free(words->options);
	words->options = NULL;
}

const char *runwords_value(const struct runwords *words, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < words->n_options; i++) {
		const char *rest = behind(words->options[i], name);

		if (rest)
			value = *rest ? rest + 1 : rest;
	}
	return value;
}

bool runwords_has(const struct runwords *words, const char *name)
{
	return runwords_value(words, name) != NULL;
}
