/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/reportnames.h"

#include "profile/heap.h"

void reportnames_init(struct reportnames *names, const struct env *env)
{
	*names = (struct reportnames){ .env = env };
	dictionary_init(&names->strings, env);
	idtable_init(&names->files.numbers, env);
	idtable_init(&names->objects.numbers, env);
	reportnames_text(names, "", 0);
}

static void release_list(const struct env *env, struct reportnames_list *list)
{
	idtable_release(&list->numbers);
	env->release(env->ctx, list->texts);
}

void reportnames_release(struct reportnames *names)
{
	dictionary_release(&names->strings);
	release_list(names->env, &names->files);
	release_list(names->env, &names->objects);
}

uint32_t reportnames_text(struct reportnames *names, const char *text, size_t len)
{
	uint32_t key = dictionary_intern(&names->strings, text, len);

	if (key != DICTIONARY_NONE)
		return key;
	names->failed = true;
	return 0;
}

static uint32_t list_number(struct reportnames *names, struct reportnames_list *list,
			    struct name name)
{
	uint32_t text = reportnames_text(names, name.text, name.len);
	uint32_t number = idtable_get(&list->numbers, text);
	void *texts = list->texts;

	if (number != IDTABLE_NONE)
		return number;
	if (!heap_reserve(names->env, &texts, &list->capacity, list->n + 1, sizeof(*list->texts))) {
		names->failed = true;
		return 0;
	}
	list->texts = texts;
	if (!idtable_put(&list->numbers, text, (uint32_t)list->n)) {
		names->failed = true;
		return 0;
	}
	list->texts[list->n] = text;
	return (uint32_t)list->n++;
}

uint32_t reportnames_file(struct reportnames *names, struct name name)
{
	return list_number(names, &names->files, name);
}

uint32_t reportnames_object(struct reportnames *names, struct name name)
{
	return list_number(names, &names->objects, name);
}

static void write_list(const struct reportnames_list *list, const char *key,
		       struct jsonstream *json)
{
	jsonstream_open(json, key, '[');
	for (size_t i = 0; i < list->n; i++)
		jsonstream_count(json, NULL, list->texts[i]);
	jsonstream_close(json, ']');
}

void reportnames_write(const struct reportnames *names, struct jsonstream *json)
{
	write_list(&names->files, "files", json);
	write_list(&names->objects, "objects", json);
	jsonstream_open(json, "strings", '[');
	for (uint32_t i = 0; i < names->strings.count; i++) {
		struct name name = dictionary_name(&names->strings, i);

		jsonstream_text(json, NULL, name.text, name.len);
	}
	jsonstream_close(json, ']');
}
