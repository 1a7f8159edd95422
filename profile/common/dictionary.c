/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing; hashes are kept, so that most differing texts are not read. */
#include "profile/common/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

void dictionary_init(struct dictionary *dictionary)
{
	*dictionary = (struct dictionary){ 0 };
	arena_init(&dictionary->texts);
}

void dictionary_release(struct dictionary *dictionary)
{
	free(dictionary->entries);
	free(dictionary->slots);
	arena_release(&dictionary->texts);
	dictionary_init(dictionary);
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

/* Room for another entry. */
static void reserve(struct dictionary *dictionary)
{
	dictionary->entries = heap_grow(dictionary->entries, &dictionary->capacity,
					dictionary->count + 1, sizeof(*dictionary->entries));
	if (4 * (dictionary->count + 1) > 3 * dictionary->n_slots) {
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

/* -- ids of name compression ----------------------------------------------------- */

enum {
	ALWAYS_DENSE = 256, /* ids below this */
	MAX_SPARSENESS = 4, /* elements of the array for each id */
};

void idtable_init(struct idtable *table)
{
	*table = (struct idtable){ 0 };
}

void idtable_release(struct idtable *table)
{
	free(table->dense);
	free(table->slots);
	idtable_init(table);
}

/* The slot of id, or the free one where it belongs. */
static size_t find_id(const struct idtable_slot *slots, size_t n_slots, uint64_t id)
{
	uint64_t mixed = (id ^ id >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (mixed >> 32) & (n_slots - 1);

	while (slots[i].key != IDTABLE_NONE && slots[i].id != id)
		i = (i + 1) & (n_slots - 1);
	return i;
}

static void put_hashed(struct idtable *table, uint64_t id, uint32_t key)
{
	size_t slot;

	if (2 * (table->n_hashed + 1) > table->n_slots) {
		size_t n_slots = table->n_slots ? 2 * table->n_slots : 64;
		struct idtable_slot *slots = heap_alloc(n_slots * sizeof(*slots));

		memset(slots, 0xff, n_slots * sizeof(*slots));
		for (size_t i = 0; i < table->n_slots; i++)
			if (table->slots[i].key != IDTABLE_NONE)
				slots[find_id(slots, n_slots, table->slots[i].id)] =
					table->slots[i];
		free(table->slots);
		table->slots = slots;
		table->n_slots = n_slots;
	}
	slot = find_id(table->slots, table->n_slots, id);
	table->n_hashed += table->slots[slot].key == IDTABLE_NONE;
	table->slots[slot] = (struct idtable_slot){ id, key };
}

void idtable_put(struct idtable *table, uint64_t id, uint32_t key)
{
	size_t old = table->n_dense;

	if (id < old || id < ALWAYS_DENSE || id < (uint64_t)MAX_SPARSENESS * table->count) {
		table->dense = heap_grow(table->dense, &table->n_dense, (size_t)id + 1,
					 sizeof(*table->dense));
		if (table->n_dense > old)
			memset(table->dense + old, 0xff,
			       (table->n_dense - old) * sizeof(*table->dense));
		table->dense[id] = key;
	} else {
		put_hashed(table, id, key);
	}
	table->count++;
}

uint32_t idtable_get(const struct idtable *table, uint64_t id)
{
	/* An id that was hashed may lie within the array by now, but what is there is newer. */
	if (id < table->n_dense && table->dense[id] != IDTABLE_NONE)
		return table->dense[id];
	if (table->n_hashed == 0)
		return IDTABLE_NONE;
	return table->slots[find_id(table->slots, table->n_slots, id)].key;
}

/* -- names of files -------------------------------------------------------------- */

bool filename_is_unclean(const char *name, size_t len)
{
	size_t start = 0; /* of a component */

	for (size_t i = 0; i <= len; i++) {
		if (i < len && name[i] != '/')
			continue;
		if (i - start == 1 && name[start] == '.' && len > 1)
			return true;
		if (i == start && i > 0 && i < len)
			return true;
		start = i + 1;
	}
	return len > 1 && name[len - 1] == '/';
}

size_t filename_clean(const char *name, size_t len, char *buffer)
{
	bool is_absolute = len > 0 && name[0] == '/';
	size_t used = 0, start = 0;

	if (is_absolute)
		buffer[used++] = '/';
	for (size_t i = 0; i <= len; i++) {
		size_t n = i - start;

		if (i < len && name[i] != '/')
			continue;
		if (n > 0 && !(n == 1 && name[start] == '.')) {
			if (used > 0 && buffer[used - 1] != '/')
				buffer[used++] = '/';
			memmove(buffer + used, name + start, n);
			used += n;
		}
		start = i + 1;
	}
	if (used == 0 && len > 0)
		buffer[used++] = '.';
	return used;
}
