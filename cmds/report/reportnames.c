/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memrchr() */
#include "cmds/report/reportnames.h"

#include <string.h>

#include "profile/common/heap.h"

enum {
	MAX_CALLERS = 64,  /* pieces of a name that is taken apart */
	MAX_PIECED = 4096, /* bytes of it */
};

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
	names->env->release(names->env->ctx, names->pairs);
}

uint32_t reportnames_text(struct reportnames *names, const char *text, size_t len)
{
	uint32_t key = dictionary_intern(&names->strings, text, len);

	if (key != DICTIONARY_NONE)
		return key;
	names->failed = true;
	return 0;
}

/* Has a new text be a pair. */
static void set_pair(struct reportnames *names, uint32_t text, uint32_t head, uint32_t tail)
{
	size_t before = names->pairs_capacity;
	void *pairs = names->pairs;

	if (!heap_reserve(names->env, &pairs, &names->pairs_capacity, (size_t)text + 1,
			  sizeof(*names->pairs))) {
		names->failed = true;
		return;
	}
	names->pairs = pairs;
	if (names->pairs_capacity > before)
		memset(names->pairs + before, 0,
		       (names->pairs_capacity - before) * sizeof(*names->pairs));
	names->pairs[text] = (struct reportnames_pair){ head, tail };
}

uint32_t reportnames_function(struct reportnames *names, const char *text, size_t len)
{
	size_t end = len; /* of the piece at work; pieces come from behind */
	uint32_t tail = 0;
	size_t n = 0;

	/* Each piece with all behind it is a text: of names of many pieces, their memory is the square. */
	for (size_t i = 0; i < len; i++)
		n += text[i] == '\'';
	if (n > MAX_CALLERS || len > MAX_PIECED)
		return reportnames_text(names, text, len);

	for (;;) {
		const char *quote = end > 0 ? memrchr(text, '\'', end) : NULL;
		size_t start = quote ? (size_t)(quote - text) + 1 : 0;
		uint32_t head = reportnames_text(names, text + start, end - start);
		size_t known = names->strings.count;
		uint32_t whole = head;

		if (end < len) {
			whole = reportnames_text(names, text + start, len - start);
			if (whole == known && !names->failed)
				set_pair(names, whole, head, tail);
		}
		if (!quote)
			return whole;
		tail = whole;
		end = start - 1;
	}
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

static void write_list(const struct reportnames_list *list, const char *key, struct json *json)
{
	json_array(json, key, true);
	for (size_t i = 0; i < list->n; i++)
		json_count(json, NULL, list->texts[i]);
	json_close(json);
}

void reportnames_write(const struct reportnames *names, struct json *json)
{
	write_list(&names->files, "files", json);
	write_list(&names->objects, "objects", json);
	json_array(json, "strings", true);
	for (uint32_t i = 0; i < names->strings.count; i++) {
		struct name name = dictionary_name(&names->strings, i);
		bool has_pair = i < names->pairs_capacity && names->pairs[i].tail != 0;

		if (!has_pair) {
			json_text(json, NULL, name.text, name.len);
			continue;
		}
		json_array(json, NULL, true);
		json_count(json, NULL, names->pairs[i].head);
		json_count(json, NULL, names->pairs[i].tail);
		json_close(json);
	}
	json_close(json);
}
