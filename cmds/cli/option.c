/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/cli/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"

/* An option as it is in argv. */
struct given_option {
	const char *word; /* for messages; len bytes of it name the option */
	size_t len;
	const char *value; /* after "=" or a letter; NULL = none */
	bool negated;      /* --no-name */
};

void (*option_print_help)(const char *command);

static const char *set_verbose(void *ctx, const char *value)
{
	(void)value;
	((struct option_common *)ctx)->verbose++;
	return NULL;
}

const struct option_rule option_common_rules[] = {
	{ "--color", 0, OPTION_VALUE, "auto|always|never",
	  "Color the output [auto: on a terminal, unless NO_COLOR is set]",
	  OPTION_WORD(struct option_common, color) },
	{ "--no-pager", 0, OPTION_FLAG, NULL,
	  "Use no pager for long output on a terminal [$COSTGRIND_PAGER, $PAGER or less]",
	  OPTION_BOOL(struct option_common, no_pager) },
	{ "--quiet", 'q', OPTION_FLAG, NULL, "Print no warnings",
	  OPTION_BOOL(struct option_common, quiet) },
	{ "--verbose", 'v', OPTION_FLAG, NULL, "Print more details", OPTION_CALL(set_verbose) },
	/* These two end the command: read_option(). */
	{ "--help", 'h', OPTION_FLAG, NULL, "Explain the command", OPTION_CALL(NULL) },
	{ "--version", 0, OPTION_FLAG, NULL, "Print the version", OPTION_CALL(NULL) },
	{ .name = NULL },
};

static bool is_named(const struct option_rule *rule, const struct given_option *given)
{
	size_t len = strlen(rule->name);

	if (given->word[1] != '-')
		return rule->letter != 0 && rule->letter == given->word[1];
	if (given->negated)
		return rule->kind == OPTION_YES_NO && given->len == len + 3 &&
		       memcmp(given->word + 5, rule->name + 2, len - 2) == 0;
	return given->len == len && memcmp(given->word, rule->name, len) == 0;
}

static const struct option_rule *find(const struct option_rule *rules, struct given_option *given)
{
	if (rules == NULL)
		return NULL;
	given->negated = false;
	for (const struct option_rule *rule = rules; rule->name != NULL; rule++)
		if (is_named(rule, given))
			return rule;
	if (strncmp(given->word, "--no-", 5) != 0)
		return NULL;
	given->negated = true;
	for (const struct option_rule *rule = rules; rule->name != NULL; rule++)
		if (is_named(rule, given))
			return rule;
	return NULL;
}

/* Splits a word that begins with '-'. */
static struct given_option split(const char *word)
{
	struct given_option given = { .word = word };
	const char *equals = strchr(word, '=');

	if (word[1] == '-') {
		given.len = equals ? (size_t)(equals - word) : strlen(word);
		given.value = equals ? equals + 1 : NULL;
		return given;
	}
	given.len = 2;
	if (word[2] != '\0')
		given.value = word + 2 + (word[2] == '=');
	return given;
}

static int expected(const char *command, const struct given_option *given, const char *what)
{
	if (given->value)
		complain(command, "%.*s: '%s': expected %s", (int)given->len, given->word,
			 given->value, what);
	else
		complain(command, "%.*s: expected %s", (int)given->len, given->word, what);
	return EXIT_USAGE;
}

/* Which of the words of a form "a|b|c" the text is; -1 = none. */
static int word_of_form(const char *form, const char *text)
{
	size_t len = strlen(text);

	for (int i = 0; *form != '\0'; i++) {
		size_t n = strcspn(form, "|");

		if (n == len && memcmp(form, text, len) == 0)
			return i;
		form += n + (form[n] == '|');
	}
	return -1;
}

/* "a, b or c" of the form "a|b|c"; valid until the next call. */
static const char *words_of_form(const char *form)
{
	static char text[256]; /* forms of the tables are much shorter */
	char *to = text;

	for (; *form != '\0'; form++)
		if (*form == '|')
			to = stpcpy(to, strchr(form + 1, '|') ? ", " : " or ");
		else
			*to++ = *form;
	*to = '\0';
	return text;
}

const char *option_list_add(struct option_list *list, const char *text, const char *expected)
{
	if (text[0] == '\0')
		return expected;
	if (list->n == OPTION_LIST_MOST)
		return "at most 256 of them";
	list->all[list->n++] = text;
	return NULL;
}

bool option_is_one_name(const char *text)
{
	return text[0] != '\0' && !strchr(text, ',');
}

const char *option_take(const struct option_rule *rule, void *ctx, const char *value)
{
	void *to = (char *)ctx + rule->offset;
	const char *text = value ? value : "";
	unsigned long long number = 0;
	double percent;
	bool fine = true;

	switch (rule->store) {
	case STORE_BY_CALL:
		return rule->set(ctx, value);
	case STORE_BOOL:
		*(bool *)to = !value || option_yes(value);
		break;
	case STORE_TEXT:
		*(const char **)to = value;
		fine = rule->accepts ? rule->accepts(text) : text[0] != '\0';
		break;
	case STORE_COUNT:
		fine = option_count(text, rule->most, to) &&
		       *(unsigned long long *)to >= rule->least;
		break;
	case STORE_DECIMAL:
		fine = option_decimal(text, (double)rule->least, (double)rule->most, to);
		break;
	case STORE_WORD:
		*(int *)to = word_of_form(rule->form, text);
		fine = *(int *)to >= 0;
		break;
	case STORE_IS_LAST:
		fine = word_of_form(rule->form, text) >= 0;
		*(bool *)to = fine &&
			      strcmp(rule->form + strlen(rule->form) - strlen(text), text) == 0;
		break;
	case STORE_FORMAT:
		fine = word_of_form(rule->form, text) >= 0;
		if (fine)
			*(const struct document_backend **)to = document_backend(text);
		break;
	case STORE_PERCENT:
		fine = option_decimal(text, 0, 100, &percent);
		if (fine)
			*(uint64_t *)to = (uint64_t)(percent * 10000 + 0.5);
		break;
	case STORE_WIDTH:
		if (strcmp(text, "unlimited") == 0)
			*(size_t *)to = FITTED_UNLIMITED;
		else
			fine = option_count(text, rule->most, &number) && number >= rule->least;
		if (fine && number > 0)
			*(size_t *)to = (size_t)number;
		break;
	case STORE_EACH:
		return option_list_add(to, text, rule->expected);
	}
	if (fine)
		return NULL;
	return rule->expected ? rule->expected : words_of_form(rule->form);
}

/* The value that a rule receives; false if the option is not well formed. */
static bool value_of(const struct option_rule *rule, const struct given_option *given,
		     const char **value)
{
	*value = given->value;
	if (rule->kind == OPTION_FLAG)
		return given->value == NULL;
	if (rule->kind == OPTION_VALUE)
		return given->value != NULL;
	if (rule->kind == OPTION_MAYBE)
		return true;
	if (given->value == NULL)
		*value = given->negated ? "no" : "yes";
	else if (given->negated)
		return false;
	return strcmp(*value, "yes") == 0 || strcmp(*value, "no") == 0;
}

static const char *value_form(const struct option_rule *rule, const struct given_option *given)
{
	if (rule->kind == OPTION_FLAG || given->negated)
		return "no value";
	return rule->kind == OPTION_YES_NO ? "yes or no" : rule->form;
}

/* In the groups; sets *ctx to the group's. */
static const struct option_rule *find_shared(const struct option_common *common,
					     struct given_option *given, void **ctx)
{
	const struct option_rule *rule = NULL;

	for (size_t i = 0; !rule && i < OPTION_GROUPS; i++) {
		rule = find(common->groups[i].rules, given);
		*ctx = common->groups[i].ctx;
	}
	return rule;
}

/* One option; *used is true if it took the next word too. */
static int read_option(const struct option_rule *rules, struct option_common *common, char **argv,
		       int i, bool *used, void *ctx)
{
	struct given_option given = split(argv[i]);
	const struct option_rule *rule = find(rules, &given);
	bool is_common = false;
	const char *value, *wrong;

	if (!rule)
		rule = find_shared(common, &given, &ctx);
	is_common = rule == NULL;
	if (is_common)
		rule = find(option_common_rules, &given);
	if (!rule) {
		complain(argv[0], "%.*s: no such option, try 'costgrind help %s'", (int)given.len,
			 given.word, argv[0]);
		return EXIT_USAGE;
	}
	*used = rule->kind == OPTION_VALUE && !given.value && argv[i + 1] != NULL;
	if (*used)
		given.value = argv[i + 1];
	if (!value_of(rule, &given, &value))
		return expected(argv[0], &given, value_form(rule, &given));
	if (is_common && rule->letter == 'h') {
		option_print_help(argv[0]);
		return EXIT_FINE;
	}
	if (is_common && strcmp(rule->name, "--version") == 0) {
		printf("costgrind-%s\n", COSTGRIND_VERSION);
		return EXIT_FINE;
	}
	common->typed = given.word;
	common->typed_len = (int)given.len;
	wrong = option_take(rule, is_common ? common : ctx, value);
	return wrong ? expected(argv[0], &given, wrong) : OPTIONS_GO_ON;
}

int options_read(const struct option_rule *rules, struct option_common *common, char **argv,
		 int *n_operands, void *ctx)
{
	bool options_end = false;
	int n = 0;

	for (int i = 1; argv[i] != NULL; i++) {
		bool used = false;
		int code;

		if (options_end || argv[i][0] != '-' || argv[i][1] == '\0') {
			argv[++n] = argv[i];
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			options_end = true;
			continue;
		}
		code = read_option(rules, common, argv, i, &used, ctx);
		if (code != OPTIONS_GO_ON)
			return code;
		i += used;
	}
	*n_operands = n;
	return OPTIONS_GO_ON;
}

const char option_unknown[] = "an option that is allowed here";

const char *option_set(const struct option_rule *rules, const char *word, void *ctx)
{
	struct given_option given = split(word);
	const struct option_rule *rule = find(rules, &given);
	const char *value;

	if (!rule)
		return option_unknown;
	return value_of(rule, &given, &value) ? option_take(rule, ctx, value)
					      : value_form(rule, &given);
}

static void print_rule(const struct option_rule *rule)
{
	enum { INDENT = 6 };
	const char *line = rule->help;

	printf("  ");
	/* An option that may have a value does not take the next word. */
	if (rule->letter && rule->kind == OPTION_MAYBE)
		printf("-%c[%s], ", rule->letter, rule->form);
	else if (rule->letter)
		printf("-%c%s%s, ", rule->letter, rule->form ? " " : "",
		       rule->form ? rule->form : "");
	if (rule->kind == OPTION_MAYBE)
		printf("%s[=%s]\n", rule->name, rule->form);
	else
		printf("%s%s%s\n", rule->name, rule->form ? "=" : "", rule->form ? rule->form : "");
	while (line != NULL) {
		const char *end = strchr(line, '\n');

		printf("%*s%.*s\n", INDENT, "", end ? (int)(end - line) : (int)strlen(line), line);
		line = end ? end + 1 : NULL;
	}
}

static void print_rules(const struct option_rule *rules)
{
	for (; rules->name; rules++)
		print_rule(rules);
}

void options_print(const struct option_rule *rules, const struct option_rule *const *shared)
{
	printf("Options, with their defaults in brackets:\n");
	print_rules(rules);
	for (; shared && *shared; shared++)
		print_rules(*shared);
	print_rules(option_common_rules);
}

bool option_yes(const char *word)
{
	return strcmp(word, "yes") == 0;
}

int option_word(const char *text, const char *const *words)
{
	for (int i = 0; words[i] != NULL; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return -1;
}

bool option_words(const char *list, const char *const *words, unsigned *set)
{
	for (*set = 0;; list++) {
		size_t len = strcspn(list, ","), i = 0;

		while (words[i] && (strlen(words[i]) != len || memcmp(words[i], list, len) != 0))
			i++;
		if (!words[i])
			return false;
		*set |= 1U << i;
		list += len;
		if (*list == '\0')
			return true;
	}
}

bool option_count(const char *text, unsigned long long most, unsigned long long *number)
{
	unsigned long long value = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		unsigned digit = (unsigned)(*text - '0');

		if (digit > 9 || value > (most - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return value <= most;
}

bool option_decimal(const char *text, double least, double most, double *number)
{
	size_t digits = strspn(text, "0123456789");
	size_t len = digits;
	char buffer[32];

	if (text[len] == '.') {
		size_t more = strspn(text + len + 1, "0123456789");

		len += 1 + more;
		digits += more;
	}
	if (digits == 0 || len >= sizeof(buffer))
		return false;
	if (text[len] != '\0' && strcmp(text + len, "%") != 0)
		return false;
	memcpy(buffer, text, len);
	buffer[len] = '\0';
	*number = strtod(buffer, NULL);
	return *number >= least && *number <= most;
}

bool option_wants_color(const struct option_common *common)
{
	const char *no_color = getenv("NO_COLOR");

	if (common->color != COLOR_AUTO)
		return common->color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0');
}
