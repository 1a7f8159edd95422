/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/stable/keeping.h"

#include <string.h>

const struct matter_text matter_texts[N_MATTERS] = {
	[MATTER_ADDRESSES] = { "addresses", "not random" },
	[MATTER_CACHES] = { "caches", "32 KiB I1 and D1, 8 MiB LL are simulated" },
	[MATTER_CPU] = { "cpu", "one processor" },
	[MATTER_CWD] = { "cwd", "the current directory is called /costgrind/work" },
	[MATTER_DESCRIPTORS] = { "descriptors", "all but 0, 1 and 2 are closed" },
	[MATTER_ENVIRONMENT] = { "environment", "a short list of variables, of one size" },
	[MATTER_HOST] = { "host", "its name is localhost" },
	[MATTER_INPUT] = { "input", "a pipe becomes a file, a terminal /dev/null" },
	[MATTER_LIMITS] = { "limits", "stack 8 MiB, data unlimited, 1024 files, no core" },
	[MATTER_MACHINE] = { "machine", "the tool's --deterministic=yes" },
	[MATTER_OUTPUT] = { "output", "standard output and error are pipes" },
	[MATTER_PID] = { "pid", "the program's is 2" },
	[MATTER_PROGRAM] = { "program", "one outside the system is below /costgrind/bin" },
	[MATTER_SIGNALS] = { "signals", "none is ignored or blocked" },
	[MATTER_THREADS] = { "threads", "take turns in a fixed order" },
	[MATTER_UMASK] = { "umask", "022" },
	[MATTER_USER] = { "user", "number 0 in a namespace, with the rights of yours" },
};

#define WORDS_1 "addresses, caches, cpu, cwd, descriptors, environment, host,"
#define WORDS_2 "input, limits, machine, output, pid, program, signals, threads, umask, user"

const char keeping_form[] = WORDS_1 " " WORDS_2;
const char keeping_help[] = "with --stable, leave these as they are:\n" WORDS_1 "\n" WORDS_2;

bool matters_add(matters *set, const char *list)
{
	while (true) {
		size_t len = strcspn(list, ",");
		unsigned i = 0;

		while (i < N_MATTERS && (strncmp(matter_texts[i].word, list, len) != 0 ||
					 matter_texts[i].word[len] != '\0'))
			i++;
		if (i == N_MATTERS)
			return false;
		*set |= matter_bit((enum matter)i);
		if (list[len] == '\0')
			return true;
		list += len + 1;
	}
}
