/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/diff/diffpair.h"

#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "profile/analysis/comparability.h"
#include "profile/common/heap.h"

enum {
	MAX_MINOR = 8, /* lines about minor matters */
};

static const char *said(const char *text)
{
	return text && text[strspn(text, " \t")] ? text : "(not said)";
}

static void report_mismatch(const struct mismatch *unlike, const char *command, bool is_warning)
{
	const char *old_text = said(unlike->old_text);
	const char *new_text = said(unlike->new_text);

	if (is_warning)
		warn(command, "%s: OLD %s, NEW %s", unlike->what, old_text, new_text);
	else
		complain(command, "%s: OLD %s, NEW %s", unlike->what, old_text, new_text);
}

static bool is_grave(const struct mismatch *unlike, bool may_differ)
{
	return !unlike->is_minor && !((unlike->is_of_machine || unlike->is_end) && may_differ);
}

/*
 * What differs, and so cannot be compared.  If it is only how the runs ended, the program has changed
 * and not how it was measured: a gate fails.
 */
static int refuse(const struct mismatch *list, size_t n, const char *command, bool may_differ)
{
	int code = EXIT_LIMIT;

	for (size_t i = 0; i < n; i++) {
		if (!is_grave(&list[i], may_differ))
			continue;
		report_mismatch(&list[i], command, false);
		if (!list[i].is_end)
			code = EXIT_FAILED;
	}
	complain(command, "the runs are unlike; --force compares them all the same");
	return code;
}

/* Of minor matters, which a new distribution has many of, some. */
static void warn_of(const struct mismatch *list, size_t n, const char *command)
{
	size_t n_minor = 0;

	for (size_t i = 0; i < n; i++)
		if (!list[i].is_minor || ++n_minor <= MAX_MINOR)
			report_mismatch(&list[i], command, true);
	if (n_minor > MAX_MINOR)
		warn(command, "%zu more builds and the like differ", n_minor - MAX_MINOR);
}

int diffpair_check(const struct model *old_model, const struct model *new_model,
		   const char *command, bool is_forced, bool may_differ, bool quiet)
{
	struct mismatch *list;
	struct arena arena;
	size_t n = 0, n_grave = 0;
	int code = EXIT_FINE;

	arena_init(&arena, &heap_env);
	if (!comparability_check(old_model, new_model, &arena, &list, &n)) {
		complain_status(command, NULL, PROFILE_NO_MEMORY);
		arena_release(&arena);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < n; i++)
		n_grave += is_grave(&list[i], may_differ);
	if (n_grave > 0 && !is_forced) {
		code = refuse(list, n, command, may_differ);
	} else if (!quiet) {
		warn_of(list, n, command);
	}
	arena_release(&arena);
	return code;
}
