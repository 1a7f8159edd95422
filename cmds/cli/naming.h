/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options by which names are brought into a normal form (profile/names/name_rules.h), the
 * same in all commands that read profiles:
 *
 *	struct naming naming;
 *	struct option_common common = { .groups = { { naming_options, &naming } } };
 *
 *	naming_init(&naming);
 *	code = options_read(rules, &common, argv, &n, ctx);
 *	... read with naming.rules as the hook of the builder ...
 *	if (!naming_is_fine(&naming.rules, command))
 *		code = EXIT_FAILED;
 *	naming_release(&naming);
 */
#ifndef CMDS_CLI_NAMING_H
#define CMDS_CLI_NAMING_H

#include <stdbool.h>

#include "cmds/cli/option.h"
#include "profile/common/arena.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"

/* Fields are private, but rules.  Not to be moved. */
struct naming {
	struct name_rules rules; /* what the options ask for; empty without any */
	char wrong[PROFILE_ERROR_LINE];
};

/* Their context is a struct naming.  naming_is_fine() reports memory that ran out. */
extern const struct option_rule naming_options[];

/* Names stay as they are. */
void naming_init(struct naming *naming);
void naming_release(struct naming *naming);

/* Whether all options and names could be handled; if not, prints a message. */
bool naming_is_fine(const struct name_rules *rules, const char *command);

/*
 * Has a model's first part say which names are folded, "desc: Names folded: --fold-names", by what
 * it says already and by the options: those that are cannot be compared with others that are
 * not.  Memory is the arena's, which outlives the model's use.  False if it ran out.
 */
bool naming_note(const struct naming *naming, struct model *model, struct arena *arena);

#endif
