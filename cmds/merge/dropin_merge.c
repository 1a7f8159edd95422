/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind under the name cg_merge: its options, those of Valgrind 3.21, its
 * messages, Cachegrind's format; the last two as in the Valgrind that costgrind was built for.
 */
#include <stdio.h>
#include <string.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "cmds/common/layout.h"
#include "cmds/merge/column_stats.h"
#include "cmds/merge/merge.h"
#include "profile/common/error.h"

enum { GO_ON = -1 };

/* As there, usage that was not asked for is no success. */
static int print_usage(bool is_asked_for)
{
	fprintf(is_asked_for ? stdout : stderr,
		"cg_merge: Merges multiple cachegrind output files into one\n"
		"cg_merge: usage: cg_merge [-o outfile] [files-to-merge]\n");
	return is_asked_for ? EXIT_FINE : EXIT_FAILED;
}

/* The word argv[*i], which may take the next one too.  Returns GO_ON, or an exit code. */
static int take_word(struct merge *merge, char **argv, int *i)
{
	static const char layout[] = "--layout=";
	const char *word = argv[*i];

	if (word[0] != '-' || word[1] == '\0') {
		if (inputs_add(&merge->inputs, word))
			return GO_ON;
		complain_status(merge->command, NULL, PROFILE_NO_MEMORY);
		return EXIT_FAILED;
	}
	if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
		return print_usage(true);
	if (strcmp(word, "--version") == 0) {
		printf("costgrind-%s\n", COSTGRIND_VERSION);
		return EXIT_FINE;
	}
	if (strncmp(word, layout, sizeof(layout) - 1) == 0) {
		/* layout_wanted() has read it. */
		if (layout_is_known(word + sizeof(layout) - 1))
			return GO_ON;
		complain(merge->command, "--layout: '%s': expected 3.19 or 3.21",
			 word + sizeof(layout) - 1);
		return EXIT_FAILED;
	}
	if (word[1] != 'o') {
		complain(merge->command, "%s: no such option, try --help", word);
		return EXIT_FAILED;
	}
	merge->output = word[2] ? word + 2 : argv[++*i];
	if (merge->output)
		return GO_ON;
	complain(merge->command, "-o: expected a value");
	return EXIT_FAILED;
}

int cg_merge_main(int argc, char **argv)
{
	struct merge merge = { .command = "cg_merge",
			       .is_dropin = true,
			       .is_python = layout_wanted(argv) >= LAYOUT_PYTHON,
			       .statistics = COLUMN_STATS_SUM,
			       .format = PROFILE_WRITER_CACHEGRIND };
	int code = GO_ON;

	naming_init(&merge.naming);
	for (int i = 1; code == GO_ON && i < argc; i++)
		code = take_word(&merge, argv, &i);
	if (code == GO_ON)
		code = merge.inputs.n > 0 ? merge_run(&merge) : print_usage(false);
	inputs_release(&merge.inputs);
	naming_release(&merge.naming);
	return code;
}
