/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/events.h"

#include <string.h>

#include "writer/shared/events.h"

enum event_owner {
	OWNER_VALGRINDS,
	OWNER_OWN,
};

static const struct event_info known[] = {
#define INFO(id, name, long_name, origin, group, cost, of, old_name, unit, text, owner) \
 { name, long_name, text, old_name, of, EVENT_ORIGIN_##origin, OWNER_##owner == OWNER_OWN },
	EVENTS(INFO)
#undef INFO
};

const struct event_info *event_all(size_t *n)
{
	*n = sizeof(known) / sizeof(known[0]);
	return known;
}

const struct event_info *event_find(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0 ||
		    (known[i].old_name && strcmp(known[i].old_name, name) == 0))
			return &known[i];
	return NULL;
}

const char *event_name(const char *name)
{
	const struct event_info *info = event_find(name);

	return info ? info->name : name;
}

bool event_is_of_valgrind(const char *name)
{
	const struct event_info *info = event_find(name);

	return info && !info->is_own;
}

bool event_is_column(const char *text)
{
	const char *p = text;

	while (*p > ' ' && *p < 0x7f)
		p++;
	return p > text && *p == '\0';
}
