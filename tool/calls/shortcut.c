/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/shortcut.h"

#include "pub_tool_mallocfree.h"

enum {
	MAX_SHORTCUTS = 8, /* a list: to search longer ones takes as long as to do without */
};

static Bool has_same_ends(const struct shortcut *a, const struct shortcut *b)
{
	return a->key == b->key && a->context == b->context && a->min_active == b->min_active;
}

/* Takes the one with the same ends, or the last of a full list, off the list; else a new one. */
static struct shortcut *take(struct shortcut **list, const struct shortcut *shortcut)
{
	UInt n = 0;

	for (struct shortcut **at = list; *at != NULL; at = &(*at)->next) {
		struct shortcut *taken = *at;

		if (++n == MAX_SHORTCUTS || has_same_ends(taken, shortcut)) {
			*at = taken->next;
			return taken;
		}
	}
	return VG_(malloc)("costgrind.shortcut", sizeof(*shortcut));
}

void shortcuts_keep(struct shortcut **list, const struct shortcut *shortcut)
{
	struct shortcut *kept = take(list, shortcut);

	*kept = *shortcut;
	kept->next = *list;
	*list = kept;
}

void shortcuts_free(struct shortcut **list)
{
	while (*list != NULL) {
		struct shortcut *next = (*list)->next;

		VG_(free)(*list);
		*list = next;
	}
}
