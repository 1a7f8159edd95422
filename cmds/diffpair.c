/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/diffpair.h"

#include <string.h>

#include "cmds/command.h"
#include "cmds/complaint.h"
#include "profile/heap.h"
#include "profile/likeness.h"

static const char *said(const char *text)
{
	return text && text[strspn(text, " \t")] ? text : "(not said)";
}

static void tell(const struct unlikeness *unlike, const char *command, bool is_forced)
{
	const char *old_text = said(unlike->old_text);
	const char *new_text = said(unlike->new_text);

	if (is_forced)
		warn(command, "%s: OLD %s, NEW %s", unlike->what, old_text, new_text);
	else
		complain(command, "%s: OLD %s, NEW %s", unlike->what, old_text, new_text);
}

int diffpair_check(const struct model *old_model, const struct model *new_model,
		   const char *command, bool is_forced, bool quiet)
{
	struct unlikeness *list;
	struct arena arena;
	size_t n = 0;
	int code = EXIT_FINE;

	arena_init(&arena, &heap_env);
	if (!likeness_find(old_model, new_model, &arena, &list, &n)) {
		complain_status(command, NULL, PROFILE_NO_MEMORY);
		arena_release(&arena);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < n && !(is_forced && quiet); i++)
		tell(&list[i], command, is_forced);
	if (n > 0 && !is_forced) {
		complain(command, "the runs are unlike; --force compares them all the same");
		code = EXIT_FAILED;
	}
	arena_release(&arena);
	return code;
}
