/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/printout.h"
#include "cmds/machine/machinesource.h"
#include "profile/common/error.h"
#include "sim/machines/presets.h"

static const char command[] = "machine";

struct machine_choice {
	struct option_common common;
	const struct document_backend *backend; /* NULL = the machine's own text */
	const char *output;                     /* NULL = standard output */
};

/* -- options --------------------------------------------------------------------------------- */

static const char *set_format(void *ctx, const char *value)
{
	static const char *const words[] = { "text", "json", "file", NULL };
	static const struct document_backend *const backends[] = { &document_text, &document_json,
								   NULL };
	int word = option_word(value, words);

	if (word < 0)
		return "text, json or file";
	((struct machine_choice *)ctx)->backend = backends[word];
	return NULL;
}

static const char *set_output(void *ctx, const char *value)
{
	((struct machine_choice *)ctx)->output = value;
	return *value ? NULL : "the name of a file";
}

const struct option_rule machine_options[] = {
	{ "--format", 0, OPTION_VALUE, "text|json|file",
	  "a table, JSON, or a machine's file, comments and all [text]", set_format },
	{ "--output", 'o', OPTION_VALUE, "FILE", "write to FILE", set_output },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- for shells ------------------------------------------------------------------------------ */

/* The description of a preset is the rest of its line "machine NAME DESCRIPTION". */
static const char *describe(const struct machine_preset *preset)
{
	struct machinefile machine;
	struct machinefile_error error;

	return machinefile_parse(&machine, preset->text, preset->len, &error)
		       ? preset->text + machine.description.offset
		       : "";
}

bool machine_word_at(size_t i, const char **word, const char **text)
{
	static const char *const own[][2] = {
		{ "host", "this computer, as its processor describes itself" },
		{ "help", "list the machines" },
	};
	const size_t n_own = sizeof(own) / sizeof(own[0]);

	if (i < n_own) {
		*word = own[i][0];
		*text = own[i][1];
		return true;
	}
	if (i - n_own >= n_machine_presets)
		return false;
	*word = machine_presets[i - n_own].name;
	*text = describe(&machine_presets[i - n_own]);
	return true;
}

/* -- work ------------------------------------------------------------------------------------ */

/* machine: NULL for the list of all. */
static int print(const struct machine_choice *choice, const struct machinefile *machine)
{
	struct printout printout;
	bool fine = true;

	if (!printout_open(&printout, command, choice->output,
			   choice->backend == &document_text && !choice->common.no_pager))
		return EXIT_FAILED;
	if (choice->backend == NULL)
		fwrite(machine->text, 1, machine->len, printout.out);
	else if (machine != NULL)
		fine = machine_print(machine, choice->backend, printout.out);
	else
		fine = machine_print_all(choice->backend, printout.out);
	if (!fine) {
		printout_abandon(&printout);
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

static int show(const struct machine_choice *choice, const char *word)
{
	struct machinesource *source = calloc(1, sizeof(*source));
	int code;

	if (source == NULL)
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	code = machinesource_read(source, command, word, choice->common.quiet);
	if (code == EXIT_FINE)
		code = print(choice, &source->machine);
	machinesource_release(source);
	free(source);
	return code;
}

int machine_main(int argc, char **argv)
{
	struct machine_choice choice = { .backend = &document_text };
	int n = 0, code = options_read(machine_options, &choice.common, argv, &n, &choice);

	(void)argc;
	if (code != OPTIONS_GO_ON)
		return code;
	if (n > 1) {
		complain(command, "%s: expected one machine at most", argv[2]);
		return EXIT_USAGE;
	}
	if (n == 0 || strcmp(argv[1], "help") != 0)
		return show(&choice, n == 0 ? "host" : argv[1]);
	if (choice.backend == NULL) {
		complain(command, "help: expected --format=text or json");
		return EXIT_USAGE;
	}
	return print(&choice, NULL);
}
