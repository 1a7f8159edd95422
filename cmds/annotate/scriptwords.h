/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The annotate scripts' command lines, put into words that cmds/common/option.h reads: options
 * shortened or of one version only, and operands that are sources.
 */
#ifndef CMDS_ANNOTATE_SCRIPTWORDS_H
#define CMDS_ANNOTATE_SCRIPTWORDS_H

#include <stdbool.h>

#include "profile/common/arena.h"

enum { SCRIPT_WORDS_GO_ON = -1 };

struct script_words {
	char **argv; /* the words, the first is the script's name; NULL ends them */
	/* The rest is private. */
	const char *script;
	const struct script_option *options;
	struct arena arena;
	int n, n_profiles;
	bool has_sources; /* operands behind the first may be sources */
	bool failed;      /* memory ran out */
};

/*
 * Reads argv; has_sources as above.  Returns SCRIPT_WORDS_GO_ON, or an exit code after help, version
 * or a message.  To be released in any case.
 */
int script_words_read(struct script_words *words, const char *script, bool has_sources,
		      char *const *argv);
void script_words_release(struct script_words *words);

#endif
