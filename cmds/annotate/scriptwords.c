/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/scriptwords.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

/* An option of a script. */
struct script_option {
	const char *name; /* NULL ends a table */
	const char *form; /* of the value; "" = there is none, NULL = yes or no, or none */
};

static const struct script_option cg_options[] = {
	{ "--show", "A,B,C" },
	{ "--sort", "A,B,C" },
	{ "--threshold", "0-20" },
	{ "--show-percs", NULL },
	{ "--no-show-percs", "" },
	{ "--auto", NULL },
	{ "--annotate", NULL },
	{ "--no-annotate", "" },
	{ "--context", "N" },
	{ "--include", "dir" },
	{ "--diff", "" },
	{ "--mod-filename", "s/OLD/NEW/" },
	{ "--mod-funcname", "s/OLD/NEW/" },
	{ "--layout", "3.19|3.21" },
	{ NULL, NULL },
};

static const struct script_option callgrind_options[] = {
	{ "--show", "A,B,C" },    { "--sort", "A,B,C" },   { "--threshold", "0-100" },
	{ "--show-percs", NULL }, { "--auto", NULL },      { "--context", "N" },
	{ "--include", "dir" },   { "--inclusive", NULL }, { "--tree", "none|caller|calling|both" },
	{ NULL, NULL },
};

/* Adds the words a and b as one. */
static void add_word(struct script_words *words, const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + 1;
	char *word = arena_alloc(&words->arena, size, 1);

	if (!word) {
		words->failed = true;
		return;
	}
	snprintf(word, size, "%s%s", a, b);
	words->argv[words->n++] = word;
}

static int print_usage(const struct script_words *words)
{
	bool is_callgrind = words->options == callgrind_options;

	printf("usage: %s\n\noptions:\n  -h --help\n  --version\n",
	       is_callgrind ? "callgrind_annotate [options] [callgrind-out-file [source-files...]]"
			    : "cg_annotate [options] cachegrind-out-file... [source-files...]");
	for (const struct script_option *option = words->options; option->name; option++)
		printf("  %s%s%s\n", option->name,
		       !option->form     ? "[=yes|no]"
		       : option->form[0] ? "="
					 : "",
		       option->form ? option->form : "");
	printf("  -I<dir>\n\nThis is costgrind; 'costgrind help annotate' explains more.\n");
	return EXIT_FINE;
}

/* Whether a file is a profile, not a source: it has a line "events:" in its first 2 KiB. */
static bool is_profile(struct script_words *words, const char *path)
{
	char text[2048 + 1];
	FILE *file = fopen(path, "r");
	size_t len;

	if (!file) {
		words->failed |= errno == ENOMEM;
		return false;
	}
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	return strncmp(text, "events:", 7) == 0 || strstr(text, "\nevents:") != NULL;
}

static void add_operand(struct script_words *words, const char *word)
{
	/* More files are sources up to 3.20, profiles to be summed from 3.21 on. */
	if (words->n_profiles == 0 || !words->has_sources ||
	    (words->options == cg_options && is_profile(words, word))) {
		add_word(words, word, "");
		words->n_profiles++;
		return;
	}
	add_word(words, "--source=", word);
}

/*
 * The option that len bytes of a word name: exactly, or, for a script that allows it, as the
 * only one that begins so.  NULL if there is none.
 */
static const struct script_option *find_option(const struct script_option *options,
					       const char *word, size_t len)
{
	const struct script_option *found = NULL;
	bool shortens = options == cg_options; /* Python's does */

	for (const struct script_option *option = options; option->name; option++) {
		if (strncmp(option->name, word, len) != 0)
			continue;
		if (option->name[len] == '\0')
			return option;
		if (found)
			shortens = false;
		found = option;
	}
	return shortens ? found : NULL;
}

/* An option; *used says whether it took the next word.  Returns an exit code, or -1 to go on. */
static int add_option(struct script_words *words, const char *word, const char *next, bool *used)
{
	size_t len = strcspn(word, "=");
	const struct script_option *option;

	*used = false;
	if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
		return print_usage(words);
	if (strcmp(word, "--version") == 0) {
		printf("%s-costgrind-%s\n", words->script, COSTGRIND_VERSION);
		return EXIT_FINE;
	}
	if (strncmp(word, "-I", 2) == 0 && word[2] != '\0') {
		add_word(words, word, "");
		return -1;
	}
	option = find_option(words->options, word, len);
	if (!option) {
		complain(words->script, "%s: no such option", word);
		return EXIT_USAGE;
	}
	*used = option->form && option->form[0] && word[len] == '\0' && next;
	add_word(words, option->name, word + len);
	if (*used)
		add_word(words, next, "");
	return -1;
}

/* Without a file, callgrind_annotate takes the first that it finds. */
static bool find_profile(struct script_words *words)
{
	static const char *const patterns[] = { "callgrind.out*", "cachegrind.out*" };
	bool found = false;

	for (size_t i = 0; !found && i < 2; i++) {
		glob_t files;

		if (glob(patterns[i], 0, NULL, &files) != 0)
			continue;
		found = files.gl_pathc > 0;
		if (found) {
			printf("Reading data from '%s'...\n", files.gl_pathv[0]);
			add_operand(words, files.gl_pathv[0]);
		}
		globfree(&files);
	}
	return found;
}

static int translate(struct script_words *words, char *const *argv)
{
	bool is_callgrind = words->options == callgrind_options;

	add_word(words, words->script, ""); /* for messages */
	for (int i = 1; argv[i] != NULL; i++) {
		bool used;
		int code;

		if (argv[i][0] != '-' || argv[i][1] == '\0') {
			add_operand(words, argv[i]);
			continue;
		}
		code = add_option(words, argv[i], argv[i + 1], &used);
		if (code >= 0)
			return code;
		i += used;
	}
	if (words->n_profiles == 0 && !(is_callgrind && find_profile(words))) {
		complain(words->script, "expected a profile, try --help");
		return EXIT_USAGE;
	}
	words->argv[words->n] = NULL;
	return SCRIPT_WORDS_GO_ON;
}

int script_words_read(struct script_words *words, const char *script, bool has_sources,
		      char *const *argv)
{
	size_t n = 0;
	int code = EXIT_FAILED;

	while (argv[n] != NULL)
		n++;
	*words = (struct script_words){
		.script = script,
		.options = strcmp(script, "cg_annotate") == 0 ? cg_options : callgrind_options,
		.has_sources = has_sources,
	};
	arena_init(&words->arena, &heap_env);
	words->argv = arena_alloc(&words->arena, (n + 4) * sizeof(char *), 8);
	if (words->argv)
		code = translate(words, argv);
	if (!words->argv || words->failed)
		return complain_status(script, NULL, PROFILE_NO_MEMORY);
	return code;
}

void script_words_release(struct script_words *words)
{
	arena_release(&words->arena);
}
