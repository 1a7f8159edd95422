/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind under the names cg_annotate and callgrind_annotate: takes their
 * options, those of all versions, and prints the sections of Valgrind 3.19.
 * Their options are put into words of costgrind annotate.
 */
#include "cmds/annotate/annotate.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "profile/common/arena.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

/* How a script's option is called here. */
struct script_option {
	const char *name;
	const char *ours; /* NULL = refused, form is why */
	const char *form; /* of the value; NULL = none is needed */
};

static const struct script_option cg_options[] = {
	{ "--show", "--show", "A,B,C" },
	{ "--sort", "--sort", "A,B,C" },
	{ "--threshold", "--threshold", "0-20" },
	{ "--show-percs", "--show-percs", NULL },
	{ "--no-show-percs", "--no-show-percs", NULL },
	{ "--auto", "--auto", NULL },
	{ "--annotate", "--auto", NULL },
	{ "--no-annotate", "--no-auto", NULL },
	{ "--context", "--context", "N" },
	{ "--include", "--include", "dir" },
	{ "--diff", NULL, "use costgrind diff" },
	{ "--mod-filename", "--mod-filename", "s/OLD/NEW/" },
	{ "--mod-funcname", "--mod-funcname", "s/OLD/NEW/" },
	{ NULL, NULL, NULL },
};

static const struct script_option callgrind_options[] = {
	{ "--show", "--show", "A,B,C" },
	{ "--sort", "--sort", "A,B,C" },
	{ "--threshold", "--coverage", "0-100" },
	{ "--show-percs", "--show-percs", NULL },
	{ "--auto", "--auto", NULL },
	{ "--context", "--context", "N" },
	{ "--include", "--include", "dir" },
	{ "--inclusive", "--inclusive", NULL },
	{ "--tree", "--tree", "none|caller|calling|both" },
	{ NULL, NULL, NULL },
};

struct option_translation {
	const char *script;
	const struct script_option *options;
	struct arena arena; /* of words */
	char **words;       /* argv for annotate_as() */
	int n;
	int n_profiles;
	bool failed; /* memory ran out */
};

/* Adds the words a and b as one. */
static void add_word(struct option_translation *translation, const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + 1;
	char *word = arena_alloc(&translation->arena, size, 1);

	if (!word) {
		translation->failed = true;
		return;
	}
	snprintf(word, size, "%s%s", a, b);
	translation->words[translation->n++] = word;
}

static int print_usage(const struct option_translation *translation)
{
	bool is_callgrind = translation->options == callgrind_options;

	printf("usage: %s\n\noptions:\n  -h --help\n  --version\n",
	       is_callgrind ? "callgrind_annotate [options] [callgrind-out-file [source-files...]]"
			    : "cg_annotate [options] cachegrind-out-file... [source-files...]");
	for (const struct script_option *option = translation->options; option->name; option++)
		if (option->ours)
			printf("  %s%s%s\n", option->name, option->form ? "=" : "[=yes|no]",
			       option->form ? option->form : "");
	printf("  -I<dir>\n\nThis is costgrind; 'costgrind help annotate' explains more.\n");
	return EXIT_FINE;
}

/* Whether a file is a profile, not a source: it has a line "events:" in its first 2 KiB. */
static bool is_profile(const char *path)
{
	char text[2048 + 1];
	FILE *file = fopen(path, "r");
	size_t len;

	if (!file)
		return false;
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	return strncmp(text, "events:", 7) == 0 || strstr(text, "\nevents:") != NULL;
}

static void add_operand(struct option_translation *translation, const char *word)
{
	/* More files are sources in 3.19, profiles to be summed in 3.21. */
	if (translation->n_profiles == 0 ||
	    (translation->options == cg_options && is_profile(word))) {
		add_word(translation, word, "");
		translation->n_profiles++;
		return;
	}
	add_word(translation, "--source=", word);
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
static int add_option(struct option_translation *translation, const char *word, const char *next,
		      bool *used)
{
	size_t len = strcspn(word, "=");
	const struct script_option *option;

	*used = false;
	if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
		return print_usage(translation);
	if (strcmp(word, "--version") == 0) {
		printf("%s-costgrind-%s\n", translation->script, COSTGRIND_VERSION);
		return EXIT_FINE;
	}
	if (strncmp(word, "-I", 2) == 0 && word[2] != '\0') {
		add_word(translation, word, "");
		return -1;
	}
	option = find_option(translation->options, word, len);
	if (!option || !option->ours) {
		complain(translation->script, "%s: %s", word,
			 option ? option->form : "no such option");
		return EXIT_USAGE;
	}
	*used = option->form && word[len] == '\0' && next;
	add_word(translation, option->ours, word + len);
	if (*used)
		add_word(translation, next, "");
	return -1;
}

/* Without a file, callgrind_annotate takes the first that it finds. */
static bool find_profile(struct option_translation *translation)
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
			add_operand(translation, files.gl_pathv[0]);
		}
		globfree(&files);
	}
	return found;
}

static int translate(struct option_translation *translation, char **argv)
{
	bool is_callgrind = translation->options == callgrind_options;

	add_word(translation, translation->script, ""); /* for messages */
	/* Its default; 3.19's defaults of the other are ours. */
	if (is_callgrind)
		add_word(translation, "--coverage=99", "");
	for (int i = 1; argv[i] != NULL; i++) {
		bool used;
		int code;

		if (argv[i][0] != '-' || argv[i][1] == '\0') {
			add_operand(translation, argv[i]);
			continue;
		}
		code = add_option(translation, argv[i], argv[i + 1], &used);
		if (code >= 0)
			return code;
		i += used;
	}
	if (translation->n_profiles == 0 && !(is_callgrind && find_profile(translation))) {
		complain(translation->script, "expected a profile, try --help");
		return EXIT_USAGE;
	}
	translation->words[translation->n] = NULL;
	return -1;
}

static int annotate_like(const char *script, const struct script_option *options, int argc,
			 char **argv)
{
	struct option_translation translation = { .script = script, .options = options };
	int code = EXIT_FAILED;

	arena_init(&translation.arena, &heap_env);
	translation.words = arena_alloc(&translation.arena, ((size_t)argc + 4) * sizeof(char *), 8);
	if (translation.words)
		code = translate(&translation, argv);
	if (!translation.words || translation.failed)
		complain_status(script, NULL, PROFILE_NO_MEMORY);
	else if (code < 0)
		code = annotate_as(script, translation.words);
	arena_release(&translation.arena);
	return code < 0 ? EXIT_FAILED : code;
}

int cg_annotate_main(int argc, char **argv)
{
	return annotate_like("cg_annotate", cg_options, argc, argv);
}

int callgrind_annotate_main(int argc, char **argv)
{
	return annotate_like("callgrind_annotate", callgrind_options, argc, argv);
}
