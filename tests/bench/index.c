/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten million calls a second, as many programs have them: a call every hundred
 * nanoseconds, of a function that loops over a few dozen bytes.  An index of
 * words is made of a text, document by document, and asked for documents that
 * hold two words; what is not in it is looked for by likeness.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

enum {
	WORDS = 6000,   /* in all */
	WORD_SIZE = 40, /* bytes of the longest one, and its NUL */
	BUCKETS = 4096, /* a power of two */
	DOCUMENTS = 600,
	DOCUMENT_WORDS = 100,
	DOCUMENT_SIZE = DOCUMENT_WORDS * (WORD_SIZE + 2),
	LIST_SIZE = 8192, /* bytes of the longest list of documents */
	QUERIES = 32000,
	COMPARED = 170, /* words that are looked for by likeness */
};

/* A word of the index, and the documents that hold it: each number less the one before, 7 bits a
 * byte, the last byte of a number below 128. */
struct entry {
	struct entry *next; /* of the same bucket */
	char word[WORD_SIZE];
	uint32_t length;
	uint32_t hash;
	uint32_t last; /* the last document in the list, counted from 1 */
	uint32_t size; /* of the list, bytes */
	unsigned char list[LIST_SIZE];
};

struct index {
	struct entry *buckets[BUCKETS];
	struct entry entries[WORDS];
	uint32_t n;
};

/* What the text is made of. */
static char vocabulary[WORDS][WORD_SIZE];

/* A word of five to twelve syllables, as names of functions are long. */
static void invent_word(uint64_t *seed, char *word)
{
	uint32_t syllables = 5 + random_below(seed, 4) + random_below(seed, 5);

	for (uint32_t i = 0; i < syllables; i++) {
		*word++ = "bcdfghklmnprstvz"[random_below(seed, 16)];
		*word++ = "aeiou"[random_below(seed, 5)];
		if (random_below(seed, 3) == 0)
			*word++ = "lnrst"[random_below(seed, 5)];
	}
	*word = '\0';
}

/* Frequent words are frequent: small numbers are drawn more often. */
static uint32_t draw_word(uint64_t *seed)
{
	uint32_t limit = 1 + random_below(seed, WORDS);

	return random_below(seed, 1 + random_below(seed, limit));
}

/* Writes a document, with capitals and full stops, and returns its length. */
NOINLINE static size_t write_document(uint64_t *seed, char *text)
{
	char *end = text;

	for (int i = 0; i < DOCUMENT_WORDS; i++) {
		const char *word = vocabulary[draw_word(seed)];
		size_t length = strlen(word);

		memcpy(end, word, length);
		if (i % 12 == 0)
			*end = (char)(*end - 'a' + 'A');
		end += length;
		if (i % 12 == 11)
			*end++ = '.';
		*end++ = ' ';
	}
	*end = '\0';
	return (size_t)(end - text);
}

/* Copies the next word of the text in small letters; returns what follows, NULL at the end. */
NOINLINE static const char *next_word(const char *text, char *word)
{
	char *const start = word;

	while (*text && word == start) {
		for (; *text; text++) {
			char c = *text;

			if (c >= 'A' && c <= 'Z')
				c = (char)(c - 'A' + 'a');
			if (c < 'a' || c > 'z')
				break;
			*word++ = c;
		}
		if (*text)
			text++;
	}
	*word = '\0';
	return word == start ? NULL : text;
}

NOINLINE static uint32_t hash_word(const char *word)
{
	uint32_t hash = 2166136261U;

	for (; *word; word++)
		hash = (hash ^ (unsigned char)*word) * 16777619U;
	return hash ^ hash >> 15;
}

NOINLINE static int same_word(const struct entry *entry, const char *word)
{
	uint32_t i = 0;

	while (i < entry->length && entry->word[i] == word[i])
		i++;
	return i == entry->length && word[i] == '\0';
}

/* The entry of a word, NULL if there is none. */
NOINLINE static struct entry *find(struct index *index, const char *word, uint32_t hash)
{
	struct entry *entry = index->buckets[hash % BUCKETS];

	while (entry && (entry->hash != hash || !same_word(entry, word)))
		entry = entry->next;
	return entry;
}

NOINLINE static struct entry *add_entry(struct index *index, const char *word, uint32_t hash)
{
	struct entry *entry = &index->entries[index->n++];

	entry->next = index->buckets[hash % BUCKETS];
	index->buckets[hash % BUCKETS] = entry;
	entry->length = (uint32_t)strlen(word);
	memcpy(entry->word, word, entry->length + 1);
	entry->hash = hash;
	return entry;
}

/* Appends a document to the entry's, once. */
NOINLINE static void add_document(struct entry *entry, uint32_t document)
{
	uint32_t step = document - entry->last;

	if (step == 0)
		return;
	require(entry->size + 5 <= LIST_SIZE, "a list is full");
	for (; step >= 128; step >>= 7)
		entry->list[entry->size++] = (unsigned char)(step | 128);
	entry->list[entry->size++] = (unsigned char)step;
	entry->last = document;
}

NOINLINE static void index_document(struct index *index, const char *text, uint32_t document)
{
	char word[WORD_SIZE];

	while ((text = next_word(text, word)) != NULL) {
		uint32_t hash = hash_word(word);
		struct entry *entry = find(index, word, hash);

		if (!entry)
			entry = add_entry(index, word, hash);
		add_document(entry, document);
	}
}

/* Makes numbers of a list; returns how many. */
NOINLINE static uint32_t read_list(const struct entry *entry, uint32_t *documents)
{
	uint32_t n = 0, document = 0, step = 0;
	int shift = 0;

	for (uint32_t i = 0; i < entry->size; i++) {
		step |= (uint32_t)(entry->list[i] & 127) << shift;
		shift += 7;
		if (entry->list[i] & 128)
			continue;
		document += step;
		documents[n++] = document;
		step = 0;
		shift = 0;
	}
	return n;
}

/* Leaves of a those that b has too; returns how many. */
NOINLINE static uint32_t intersect(uint32_t *a, uint32_t n_a, const uint32_t *b, uint32_t n_b)
{
	uint32_t n = 0, j = 0;

	for (uint32_t i = 0; i < n_a; i++) {
		while (j < n_b && b[j] < a[i])
			j++;
		if (j < n_b && b[j] == a[i])
			a[n++] = a[i];
	}
	return n;
}

/* How many documents hold both words. */
NOINLINE static uint32_t query(struct index *index, const char *first, const char *second)
{
	static uint32_t a[DOCUMENTS], b[DOCUMENTS];
	const struct entry *entry_a = find(index, first, hash_word(first));
	const struct entry *entry_b = find(index, second, hash_word(second));

	if (!entry_a || !entry_b)
		return 0;
	return intersect(a, read_list(entry_a, a), b, read_list(entry_b, b));
}

/* Letters to put in, take out or change to make one word of the other. */
NOINLINE static uint32_t distance(const struct entry *entry, const char *word, uint32_t length)
{
	uint32_t row[WORD_SIZE]; /* from the letters of the entry so far to each start of word */

	for (uint32_t j = 0; j <= length; j++)
		row[j] = j;
	for (uint32_t i = 0; i < entry->length; i++) {
		uint32_t diagonal = row[0]++;

		for (uint32_t j = 0; j < length; j++) {
			uint32_t least = diagonal + (entry->word[i] != word[j]);

			diagonal = row[j + 1];
			if (diagonal < least)
				least = diagonal + 1;
			if (row[j] < least)
				least = row[j] + 1;
			row[j + 1] = least;
		}
	}
	return row[length];
}

/* The word most like this one among words of about its length. */
NOINLINE static const struct entry *most_like(const struct index *index, const char *word)
{
	uint32_t length = (uint32_t)strlen(word);
	const struct entry *best = &index->entries[0];
	uint32_t fewest = WORD_SIZE;

	for (uint32_t i = 0; i < index->n; i++) {
		const struct entry *entry = &index->entries[i];
		uint32_t changes;

		if (entry->length > length + 2 || length > entry->length + 2)
			continue;
		changes = distance(entry, word, length);
		if (changes < fewest) {
			fewest = changes;
			best = entry;
		}
	}
	return best;
}

static uint64_t ask(struct index *index, uint64_t *seed)
{
	uint64_t sum = 0;

	for (int i = 0; i < QUERIES; i++)
		sum = checksum_add(sum, query(index, vocabulary[draw_word(seed)],
					      vocabulary[random_below(seed, WORDS)]));
	for (int i = 0; i < COMPARED; i++) {
		char word[WORD_SIZE];

		invent_word(seed, word);
		sum = checksum_add(sum, most_like(index, word)->hash);
	}
	return sum;
}

int main(void)
{
	struct index *index = allocate(1, sizeof(*index));
	char *text = allocate(1, DOCUMENT_SIZE);
	uint64_t seed = 31;
	uint64_t sum = 0;

	for (size_t i = 0; i < WORDS; i++)
		invent_word(&seed, vocabulary[i]);
	for (uint32_t i = 1; i <= DOCUMENTS; i++) {
		sum = checksum_add(sum, write_document(&seed, text));
		index_document(index, text, i);
	}
	sum = checksum_add(sum, index->n);
	sum = checksum_add(sum, ask(index, &seed));
	free(text);
	free(index);
	return report("index", sum);
}
