/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs whose arguments are steps, done one after the other; "end" ends a block of them. */
#ifndef TESTS_PROGRAMS_STEPS_H
#define TESTS_PROGRAMS_STEPS_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct step {
	const char *name;
	/* words: what follows the name; returns what follows the arguments */
	char **(*run)(char **words);
};

/* Until the end of the words or "end"; returns where that is.  One that is not known ends the run. */
static char **steps_run(const struct step *steps, size_t n, const char *program, char **words)
{
	while (*words != NULL && strcmp(*words, "end") != 0) {
		const struct step *step = steps;

		while (step < steps + n && strcmp(step->name, *words) != 0)
			step++;
		if (step == steps + n) {
			fprintf(stderr, "%s: unknown step %s\n", program, *words);
			_exit(99);
		}
		words = step->run(words + 1);
	}
	return words;
}

#endif
