/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What costgrind is under the name cg_diff: its options, its output.  Functions
 * are sorted, as in Valgrind 3.21 and later (before, their order was accidental).  It takes
 * profiles of Callgrind too; the events must be the same in the same order.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "cmds/common/loader.h"
#include "cmds/common/naming.h"
#include "cmds/diff/diff.h"
#include "cmds/diff/diffprofile.h"
#include "profile/common/heap.h"

static const char command[] = "cg_diff";

static const char usage[] =
	"usage: cg_diff [options] <cachegrind-out-file1> <cachegrind-out-file2>\n"
	"\n"
	"  options for the user, with defaults in [ ], are:\n"
	"    -h --help             show this message\n"
	"    -v --version          show version\n"
	"    --mod-filename=<expr> a Perl search-and-replace expression that is applied\n"
	"                          to filenames, eg. --mod-filename='s/prog[0-9]/projN/'\n"
	"    --mod-funcname=<expr> like --mod-filename, but applied to function names\n";

static int write_difference(const struct model *old_model, const struct model *new_model,
			    char *const *paths)
{
	const struct diffprofile profile = {
		.old_model = old_model,
		.new_model = new_model,
		.old_path = paths[0],
		.new_path = paths[1],
		.flat = true,
		.keeps_zeros = true,
	};
	bool same = old_model->n_events == new_model->n_events;

	for (size_t i = 0; same && i < new_model->n_events; i++)
		same = strcmp(old_model->events[i].name, new_model->events[i].name) == 0;
	if (!same) {
		complain(command, "events don't match");
		return EXIT_DIED;
	}
	return diffprofile_write(&profile, command, "-");
}

/*
 * Perl's die ends with the error of the system if there was one, as for a file that
 * cannot be opened, else with 255.
 */
static int read_one(struct model *model, const struct loader_options *options, const char *path)
{
	struct loaded loaded;
	int code = loader_read(model, options, &path, 1, &loaded);

	if (code == EXIT_FINE)
		return EXIT_FINE;
	return strcmp(path, "-") != 0 && access(path, R_OK) != 0 ? errno : EXIT_DIED;
}

static int compare(struct naming *naming, char *const *paths)
{
	const struct loader_options options = {
		.command = command,
		.rules = &naming->rules,
		.positions = true,
	};
	const char *old_path = paths[0], *new_path = paths[1];
	struct model old_model, new_model;
	int code = EXIT_FAILED;
	bool has_memory = model_init(&old_model, &heap_env);

	has_memory = model_init(&new_model, &heap_env) && has_memory;
	if (!has_memory)
		complain_status(command, NULL, PROFILE_NO_MEMORY);
	else
		code = read_one(&old_model, &options, old_path);
	if (code == EXIT_FINE)
		code = read_one(&new_model, &options, new_path);
	if (code == EXIT_FINE)
		code = write_difference(&old_model, &new_model, paths);
	model_release(&old_model);
	model_release(&new_model);
	return code;
}

/* "-" is standard input. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0';
}

static int print_usage(FILE *out)
{
	fputs(usage, out);
	return out == stdout ? EXIT_FINE : EXIT_DIED;
}

static const char *const names[] = { "--mod-filename=", "--mod-funcname=" };

/*
 * cg_diff has two of the options of names, with "=" only, of which the last ones count.
 * Returns an exit code, or -1 to go on.
 */
static int take_option(const char *expressions[2], const char *word)
{
	if (strcmp(word, "-v") == 0 || strcmp(word, "--version") == 0) {
		printf("cg_diff-" COSTGRIND_VERSION " (costgrind)\n");
		return EXIT_FINE;
	}
	if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
		return print_usage(stdout);
	for (int i = 0; i < 2; i++) {
		size_t len = strlen(names[i]);

		if (strncmp(word, names[i], len) != 0)
			continue;
		expressions[i] = word + len;
		return -1;
	}
	return print_usage(stderr);
}

static int modify_names(struct naming *naming, const char *const expressions[2])
{
	for (int i = 0; i < 2; i++) {
		const char *text = expressions[i], *wrong;

		if (!text)
			continue;
		wrong = naming_modify(naming, i == 0 ? NAME_FILE : NAME_FUNCTION, text);
		if (!wrong)
			continue;
		complain(command, "%.*s: '%s': expected %s", (int)strlen(names[i]) - 1, names[i],
			 text, wrong);
		return EXIT_DIED;
	}
	return EXIT_FINE;
}

static int take_words(struct naming *naming, int argc, char **argv)
{
	const char *expressions[2] = { NULL, NULL };
	char *paths[2];
	int n = 0, code = -1;

	for (int i = 1; i < argc && code < 0; i++) {
		if (is_option(argv[i]))
			code = take_option(expressions, argv[i]);
		else if (n == 2)
			code = print_usage(stderr);
		else
			paths[n++] = argv[i];
	}
	if (code >= 0)
		return code;
	if (n < 2)
		return print_usage(stderr);
	code = modify_names(naming, expressions);
	return code == EXIT_FINE ? compare(naming, paths) : code;
}

int cg_diff_main(int argc, char **argv)
{
	struct naming naming;
	int code;

	naming_init(&naming);
	code = take_words(&naming, argc, argv);
	naming_release(&naming);
	return code;
}
