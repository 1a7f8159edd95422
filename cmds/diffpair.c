/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/diffpair.h"

#include "cmds/complaint.h"
#include "profile/heap.h"
#include "profile/likeness.h"

static void tell(const struct unlikeness *unlike, const char *command, bool is_forced)
{
	const char *old_text = unlike->old_text ? unlike->old_text : "(not said)";
	const char *new_text = unlike->new_text ? unlike->new_text : "(not said)";

	if (is_forced)
		warn(command, "%s: OLD %s, NEW %s", unlike->what, old_text, new_text);
	else
		complain(command, "%s: OLD %s, NEW %s", unlike->what, old_text, new_text);
}

bool diffpair_is_alike(const struct model *old_model, const struct model *new_model,
		       const char *command, bool is_forced, bool quiet)
{
	struct unlikeness *list;
	struct arena arena;
	size_t n = 0;
	bool alike;

	arena_init(&arena, &heap_env);
	alike = likeness_find(old_model, new_model, &arena, &list, &n) && n == 0;
	if (!alike && n == 0)
		complain(command, "out of memory");
	for (size_t i = 0; i < n && !(is_forced && quiet); i++)
		tell(&list[i], command, is_forced);
	arena_release(&arena);
	return alike;
}
