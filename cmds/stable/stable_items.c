/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/stable/stable_items.h"

#include <string.h>

const struct stable_item_text stable_item_texts[N_STABLE_ITEMS] = {
	[STABLE_ITEM_ADDRESSES] = { "addresses", "not random" },
	[STABLE_ITEM_CACHES] = { "caches", "those of --machine=generic are simulated" },
	[STABLE_ITEM_CPU] = { "cpu", "one processor" },
	[STABLE_ITEM_CWD] = { "cwd", "the current directory is called /costgrind/work" },
	[STABLE_ITEM_DESCRIPTORS] = { "descriptors", "all but 0, 1 and 2 are closed" },
	[STABLE_ITEM_ENVIRONMENT] = { "environment", "a short list of variables, of one size" },
	[STABLE_ITEM_HOST] = { "host", "its name is localhost" },
	[STABLE_ITEM_INPUT] = { "input", "a pipe becomes a file, a terminal /dev/null" },
	[STABLE_ITEM_LIMITS] = { "limits", "stack 8 MiB, data unlimited, 1024 files, no core" },
	[STABLE_ITEM_MACHINE] = { "machine", "the tool's --deterministic=yes" },
	[STABLE_ITEM_OUTPUT] = { "output", "standard output and error are pipes" },
	[STABLE_ITEM_PID] = { "pid", "the program's is 2" },
	[STABLE_ITEM_PROGRAM] = { "program", "one outside the system is below /costgrind/bin" },
	[STABLE_ITEM_SIGNALS] = { "signals", "none is ignored or blocked" },
	[STABLE_ITEM_THREADS] = { "threads", "take turns in a fixed order" },
	[STABLE_ITEM_UMASK] = { "umask", "022" },
	[STABLE_ITEM_USER] = { "user", "number 0 in a namespace, with the rights of yours" },
};

#define WORDS_1 "addresses, caches, cpu, cwd, descriptors, environment, host,"
#define WORDS_2 "input, limits, machine, output, pid, program, signals, threads, umask, user"

const char stable_items_form[] = WORDS_1 " " WORDS_2;
const char stable_items_help[] = "with --stable, leave these as they are:\n" WORDS_1 "\n" WORDS_2;

bool stable_items_add(stable_items *set, const char *list)
{
	while (true) {
		size_t len = strcspn(list, ",");
		unsigned i = 0;

		while (i < N_STABLE_ITEMS && (strncmp(stable_item_texts[i].word, list, len) != 0 ||
					      stable_item_texts[i].word[len] != '\0'))
			i++;
		if (i == N_STABLE_ITEMS)
			return false;
		*set |= stable_item_bit((enum stable_item)i);
		if (list[len] == '\0')
			return true;
		list += len + 1;
	}
}
