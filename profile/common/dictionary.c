/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing; hashes are kept, so that most differing texts are not read. */
#include "profile/common/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

void dictionary_init(struct dictionary *dictionary, const struct env *env)
{
	*dictionary = (struct dictionary){ 0 };
	arena_init(&dictionary->texts, env);
}

void dictionary_release(struct dictionary *dictionary)
{
	const struct env *env = dictionary->texts.env;

	free(dictionary->entries);
	free(dictionary->slots);
	arena_release(&dictionary->texts);
	dictionary_init(dictionary, env);
}

/* Eight bytes at a time; the last ones overlap. */
static uint32_t hash_text(const char *text, size_t len)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = len * odd, word = 0;

	if (len < 8) {
		memcpy(&word, text, len);
	} else {
		for (size_t i = 0; i + 8 < len; i += 8) {
			memcpy(&word, text + i, 8);
			hash = (hash ^ word) * odd;
			hash ^= hash >> 29;
		}
		memcpy(&word, text + len - 8, 8);
	}
	hash = (hash ^ word) * odd;
	hash ^= hash >> 32;
	hash *= odd;
	return (uint32_t)(hash >> 32);
}

/* The slot that holds the text, or the free one where it belongs. */
static size_t find_slot(const struct dictionary *dictionary, const char *text, size_t len,
			uint32_t hash)
{
	size_t mask = dictionary->n_slots - 1;
	size_t i = hash & mask;

	for (; dictionary->slots[i] != DICTIONARY_NONE; i = (i + 1) & mask) {
		const struct dictionary_entry *entry = &dictionary->entries[dictionary->slots[i]];

		if (entry->hash == hash && entry->len == len && memcmp(entry->text, text, len) == 0)
			break;
	}
	return i;
}

static void add_slots(struct dictionary *dictionary)
{
	size_t n_slots = dictionary->n_slots ? 2 * dictionary->n_slots : 64;
	uint32_t *slots = heap_alloc(n_slots * sizeof(*slots));

	memset(slots, 0xff, n_slots * sizeof(*slots));
	for (size_t key = 0; key < dictionary->count; key++) {
		size_t i = dictionary->entries[key].hash & (n_slots - 1);

		while (slots[i] != DICTIONARY_NONE)
			i = (i + 1) & (n_slots - 1);
		slots[i] = (uint32_t)key;
	}
	free(dictionary->slots);
	dictionary->slots = slots;
	dictionary->n_slots = n_slots;
}

/* Room for one entry more. */
static void reserve(struct dictionary *dictionary)
{
	if (4 * (dictionary->count + 1) > 3 * dictionary->n_slots)
		add_slots(dictionary);
	dictionary->entries = heap_grow(dictionary->entries, &dictionary->capacity,
					dictionary->count + 1, sizeof(*dictionary->entries));
}

uint32_t dictionary_intern(struct dictionary *dictionary, const char *text, size_t len)
{
	uint32_t hash = hash_text(text, len);
	struct dictionary_entry *entry;
	const char *copy;
	size_t slot;

	if (dictionary->n_slots > 0) {
		slot = find_slot(dictionary, text, len, hash);
		if (dictionary->slots[slot] != DICTIONARY_NONE)
			return dictionary->slots[slot];
	}
	/* Keys and lengths have 32 bits. */
	if (len > UINT32_MAX || dictionary->count + 1 >= DICTIONARY_NONE)
		heap_exhausted();
	reserve(dictionary);
	copy = arena_copy(&dictionary->texts, text, len);
	slot = find_slot(dictionary, text, len, hash);
	dictionary->slots[slot] = (uint32_t)dictionary->count;
	entry = &dictionary->entries[dictionary->count];
	*entry = (struct dictionary_entry){ copy, (uint32_t)len, hash };
	return (uint32_t)dictionary->count++;
}

uint32_t dictionary_find(const struct dictionary *dictionary, const char *text, size_t len)
{
	if (dictionary->n_slots == 0)
		return DICTIONARY_NONE;
	return dictionary->slots[find_slot(dictionary, text, len, hash_text(text, len))];
}

int dictionary_compare(const struct name *a, const struct name *b)
{
	int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

	return order ? order : (a->len > b->len) - (a->len < b->len);
}
