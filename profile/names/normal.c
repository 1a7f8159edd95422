/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A name goes from step to step, each of which reads one buffer and fills the other. */
#include "profile/names/normal.h"

#include <string.h>

#include "profile/common/heap.h"

void normal_init(struct normal *normal, const struct env *env)
{
	*normal = (struct normal){ .env = env };
	pathmap_init(&normal->paths, env);
	bytes_init(&normal->buffers[0], env);
	bytes_init(&normal->buffers[1], env);
}

static void release_list(const struct env *env, struct normal_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		expression_free(list->steps[i].expression);
	env->release(env->ctx, list->steps);
}

void normal_release(struct normal *normal)
{
	release_list(normal->env, &normal->files);
	release_list(normal->env, &normal->functions);
	pathmap_release(&normal->paths);
	bytes_release(&normal->buffers[0]);
	bytes_release(&normal->buffers[1]);
	normal_init(normal, normal->env);
}

int normal_add_map(struct normal *normal, const char *text, struct profile_error *error)
{
	return pathmap_add(&normal->paths, text, error);
}

int normal_add_expression(struct normal *normal, enum name_kind kind, const char *text,
			  struct profile_error *error)
{
	struct normal_list *list = kind == NAME_FUNCTION ? &normal->functions : &normal->files;
	void *steps = list->steps;
	struct profile_error own = { .status = PROFILE_OK };

	if (!heap_reserve(normal->env, &steps, &list->capacity, list->n + 1, sizeof(*list->steps)))
		return profile_error_status(error, PROFILE_NO_MEMORY);
	list->steps = steps;
	list->steps[list->n].expression = expression_new(normal->env, text, error ? error : &own);
	if (!list->steps[list->n].expression)
		return (int)(error ? error : &own)->status;
	list->n++;
	return PROFILE_OK;
}

bool normal_is_empty(const struct normal *normal)
{
	return normal->symbols == 0 && normal->paths.n == 0 && normal->files.n == 0 &&
	       normal->functions.n == 0;
}

/* A name at work: where it is now, and the buffer for what becomes of it. */
struct work {
	struct normal *normal;
	const char *text;
	size_t len;
	struct bytes *next;
};

/* The next buffer holds the name now; if memory ran out, all stays, and apply() sees it. */
static void advance(struct work *work)
{
	struct normal *normal = work->normal;

	if (work->next->failed)
		return;
	work->text = work->next->text;
	work->len = work->next->len;
	work->next = &normal->buffers[work->next == &normal->buffers[0]];
	bytes_reset(work->next);
}

/* What is not known is in no folder. */
static void map_path(struct work *work)
{
	if (work->len == 3 && memcmp(work->text, "???", 3) == 0)
		return;
	if (pathmap_apply(&work->normal->paths, work->text, work->len, work->next))
		advance(work);
}

static int apply_all(struct work *work, const struct normal_list *list, struct profile_error *error)
{
	for (size_t i = 0; i < list->n; i++) {
		bool matched;
		int status = expression_apply(list->steps[i].expression, work->text, work->len,
					      work->next, &matched, error);

		if (status)
			return status;
		if (matched)
			advance(work);
	}
	return PROFILE_OK;
}

static int apply(struct work *work, enum name_kind kind, struct profile_error *error)
{
	const struct normal *normal = work->normal;
	int status = PROFILE_OK;

	switch (kind) {
	case NAME_OBJECT:
		if (normal->maps_objects)
			map_path(work);
		break;
	case NAME_FILE:
		map_path(work);
		status = apply_all(work, &normal->files, error);
		break;
	case NAME_FUNCTION:
		status = apply_all(work, &normal->functions, error);
		if (!status && normal->symbols) {
			symbolname_fold(work->text, work->len, normal->symbols, work->next);
			advance(work);
		}
		break;
	case N_NAME_KINDS:
		break;
	}
	if (!status && work->next->failed)
		status = profile_error_status(error, PROFILE_NO_MEMORY);
	return status;
}

/* Says of which name a failure was, as far as there is room. */
static void add_name(struct profile_error *error, const char *text, size_t len)
{
	struct profile_error said = *error;

	profile_error_set(error, said.status, "%.150s: '%.*s%s'", said.text,
			  (int)(len < 80 ? len : 80), text, len > 80 ? "..." : "");
}

int normal_apply(struct normal *normal, enum name_kind kind, const char **text, size_t *len,
		 struct profile_error *error)
{
	struct work work = { normal, *text, *len, &normal->buffers[0] };
	int status;

	bytes_reset(&normal->buffers[0]);
	bytes_reset(&normal->buffers[1]);
	status = apply(&work, kind, error);
	if (status == PROFILE_RANGE && error)
		add_name(error, *text, *len);
	if (status)
		return status;
	*text = work.len ? work.text : "";
	*len = work.len;
	return PROFILE_OK;
}

bool normal_rename(void *normal, enum name_kind kind, const char **text, size_t *len)
{
	struct normal *doing = normal;
	const char *old = *text;

	if (doing->error.status != PROFILE_OK)
		return false;
	if (normal_apply(doing, kind, text, len, &doing->error) != PROFILE_OK)
		return false;
	return *text != old;
}

int normal_status(const struct normal *normal, struct profile_error *error)
{
	if (normal->error.status == PROFILE_OK)
		return PROFILE_OK;
	return profile_error_set(error, normal->error.status, "%s", normal->error.text);
}
