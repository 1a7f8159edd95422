/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts, each kept once and known by a number, its key: 0, 1, 2... in the
 * order of first appearance.  Equal keys are equal texts.
 */
#ifndef PROFILE_COMMON_DICTIONARY_H
#define PROFILE_COMMON_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "profile/common/heap.h"
#include "writer/writer.h"

#define DICTIONARY_NONE UINT32_MAX

/* The key of "???", what is not known, in dictionaries of names. */
enum { DICTIONARY_UNKNOWN = 0 };

struct dictionary_entry {
	const char *text; /* with a NUL after it; may hold others */
	uint32_t len;     /* bytes */
	uint32_t hash;
};

/* Invariant: count entries, each in one of the slots; at least a quarter of these is free. */
struct dictionary {
	struct arena texts;
	struct dictionary_entry *entries; /* owned, by key */
	size_t count;                     /* of keys */
	size_t capacity;                  /* of entries */
	uint32_t *slots;                  /* owned; a key, or DICTIONARY_NONE */
	size_t n_slots;                   /* a power of two, or 0 */
};

/* Takes no memory yet.  dictionary_release() gives all back and leaves it empty. */
void dictionary_init(struct dictionary *dictionary);
void dictionary_release(struct dictionary *dictionary);

/*
 * The key of len bytes of text, which are copied if they are new; about 30 ns.  The 2^32nd text and one of 4 GiB
 * end the program as missing memory does.
 */
uint32_t dictionary_intern(struct dictionary *dictionary, const char *text, size_t len);

/* The key, or DICTIONARY_NONE if there is no such text. */
uint32_t dictionary_find(const struct dictionary *dictionary, const char *text, size_t len);

/* <0, 0, >0: the order of two names, by bytes. */
int dictionary_compare(const struct name *a, const struct name *b);

/* The text of a key that was given; valid until the dictionary is released. */
static inline struct name dictionary_name(const struct dictionary *dictionary, uint32_t key)
{
	const struct dictionary_entry *entry = &dictionary->entries[key];

	return (struct name){ entry->text, entry->len, key };
}

/* -- ids of name compression ----------------------------------------------------- */

/*
 * The name that an id of name compression means.  Ids are any 64-bit
 * numbers; memory grows with how many there are, not with how large they are.
 */

#define IDTABLE_NONE UINT32_MAX

struct idtable_slot {
	uint64_t id;
	uint32_t key; /* IDTABLE_NONE = free */
};

/* Ids that are not much larger than their number are looked up in an array, others by hashing. */
struct idtable {
	uint32_t *dense; /* owned, by id; IDTABLE_NONE = not there */
	size_t n_dense;
	struct idtable_slot *slots; /* owned */
	size_t n_slots;             /* a power of two, or 0 */
	size_t n_hashed;            /* slots in use, at most half of them */
	size_t count;               /* calls of idtable_put() */
};

void idtable_init(struct idtable *table);
void idtable_release(struct idtable *table);

/* Has id mean key (not IDTABLE_NONE) from now on. */
void idtable_put(struct idtable *table, uint64_t id, uint32_t key);

/* The key of an id, or IDTABLE_NONE. */
uint32_t idtable_get(const struct idtable *table, uint64_t id);

/* -- names of files -------------------------------------------------------------- */

/* When two spellings name one file. */

/*
 * True if filename_clean() would change a name: it has a component "." that is not
 * all of it, or "//".  (".." stays: after a symbolic link, "a/../b" is not "b".)
 */
bool filename_is_unclean(const char *name, size_t len);

/*
 * The name without empty components and without ".", into a buffer of len bytes
 * at least; returns its length.  "./" becomes ".", "//" "/".
 */
size_t filename_clean(const char *name, size_t len, char *buffer);

/* What follows the last slash of a name, with its key; all of it if nothing does. */
static inline struct name filename_base(struct name name)
{
	size_t base_at = name.len;

	while (base_at > 0 && name.text[base_at - 1] != '/')
		base_at--;
	return base_at < name.len
		       ? (struct name){ name.text + base_at, name.len - base_at, name.key }
		       : name;
}

/* True if a name is a path, or its last components are: "/a/b/c.c" by "b/c.c".  The path has len bytes, 1 or more. */
static inline bool filename_ends_in(const struct name *name, const char *path, size_t len)
{
	return name->len >= len && memcmp(name->text + name->len - len, path, len) == 0 &&
	       (name->len == len || name->text[name->len - len - 1] == '/');
}

#endif
