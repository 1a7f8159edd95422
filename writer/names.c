/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writer/names.h"

#include "writer/freestanding.h"

enum {
	FIRST_CAPACITY = 64, /* elements */
};

void names_init(struct names *names)
{
	*names = (struct names){ 0 };
}

void names_release(struct names *names, const struct env *env)
{
	env->release(env->ctx, names->ids);
	names_init(names);
}

void names_reset(struct names *names)
{
	if (names->ids)
		memset(names->ids, 0, names->capacity * sizeof(*names->ids));
	names->last_id = 0;
}

/* Makes room for key.  There is no realloc() in an env, so elements are copied. */
static bool grow(struct names *names, const struct env *env, uint32_t key)
{
	size_t max = SIZE_MAX / sizeof(*names->ids);
	size_t capacity = names->capacity <= max / 2 ? names->capacity * 2 : max;
	uint32_t *ids;

	if (key >= max)
		return false;
	if (capacity < FIRST_CAPACITY)
		capacity = FIRST_CAPACITY;
	if (capacity <= key)
		capacity = (size_t)key + 1;
	ids = env->alloc(env->ctx, capacity * sizeof(*ids));
	if (!ids)
		return false;
	if (names->ids)
		memcpy(ids, names->ids, names->capacity * sizeof(*ids));
	memset(ids + names->capacity, 0, (capacity - names->capacity) * sizeof(*ids));
	env->release(env->ctx, names->ids);
	names->ids = ids;
	names->capacity = capacity;
	return true;
}

uint32_t names_id(struct names *names, const struct env *env, uint32_t key, bool *is_new)
{
	*is_new = false;
	if (key >= names->capacity && !grow(names, env, key))
		return 0;
	if (names->ids[key] == 0) {
		names->ids[key] = ++names->last_id;
		*is_new = true;
	}
	return names->ids[key];
}

uint32_t names_known_id(const struct names *names, uint32_t key)
{
	return key < names->capacity ? names->ids[key] : 0;
}
