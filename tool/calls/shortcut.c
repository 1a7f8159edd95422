/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/shortcut.h"

void shortcuts_init(struct shortcut_table *table)
{
	*table = (struct shortcut_table){ .slots = { NULL } };
	pool_init(&table->pool, sizeof(struct shortcut), "costgrind.shortcuts");
}

struct shortcut *shortcuts_new(struct shortcut_table *table)
{
	struct shortcut *list = pool_take(&table->pool);

	*list = (struct shortcut){ .list = list };
	return list;
}

static Bool has_same_ends(const struct shortcut *a, const struct shortcut *b)
{
	return a->key == b->key && a->context == b->context && a->min_active == b->min_active;
}

/* Puts a shortcut that no list has into its slot. */
static void put_away(struct shortcut_table *table, struct shortcut *shortcut)
{
	UWord slot = shortcut_slot(shortcut->list, shortcut->key, shortcut->context);

	pool_give(&table->pool, table->slots[slot]);
	table->slots[slot] = shortcut;
}

/* Takes the one with the same ends from behind the first, and the last of a full list out of the way. */
static struct shortcut *take(struct shortcut_table *table, struct shortcut *list,
			     const struct shortcut *shortcut)
{
	UInt n = 1;

	for (struct shortcut **at = &list->next; *at != NULL; at = &(*at)->next) {
		struct shortcut *taken = *at;

		if (has_same_ends(taken, shortcut)) {
			*at = taken->next;
			return taken;
		}
		if (++n == SHORTCUT_LIST) {
			*at = NULL;
			put_away(table, taken);
			break;
		}
	}
	return pool_take(&table->pool);
}

void shortcuts_keep(struct shortcut_table *table, struct shortcut *list,
		    const struct shortcut *shortcut)
{
	struct shortcut *next = list->next;

	/* The first one stays where it is, with another one in it. */
	if (list->context != NULL && !has_same_ends(list, shortcut)) {
		next = take(table, list, shortcut);
		*next = *list;
	}
	*list = *shortcut;
	list->list = list;
	list->next = next;
}

/* Others may come to be where the list is. */
static void forget(struct shortcut_table *table, const struct shortcut *list)
{
	for (UWord slot = 0; slot < sizeof(table->slots) / sizeof(table->slots[0]); slot++) {
		if (table->slots[slot] == NULL || table->slots[slot]->list != list)
			continue;
		pool_give(&table->pool, table->slots[slot]);
		table->slots[slot] = NULL;
	}
}

void shortcuts_free(struct shortcut_table *table, struct shortcut *list)
{
	UInt n = 0;

	for (struct shortcut *at = list, *next; at != NULL; at = next, n++) {
		next = at->next;
		pool_give(&table->pool, at);
	}
	if (n == SHORTCUT_LIST) /* else nothing was put away */
		forget(table, list);
}
