/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two profiles can be compared. */
#ifndef CMDS_DIFF_DIFFPAIR_H
#define CMDS_DIFF_DIFFPAIR_H

#include <stdbool.h>

#include "profile/model/model.h"

/*
 * EXIT_FINE if the runs are alike but for minor matters (profile/analysis/comparability.h), or
 * is_forced; else EXIT_FAILED.  Two machines that go by two names are what is compared, and no
 * reason to refuse, unless may_differ is false: a gate.  Nor are two ways in which the runs ended; if there is
 * no other reason, a gate then gets EXIT_LIMIT.  Prints what differs by the command's name, one line each; as
 * warnings if they are compared, which quiet suppresses.
 */
int diffpair_check(const struct model *old_model, const struct model *new_model,
		   const char *command, bool is_forced, bool may_differ, bool quiet);

#endif
