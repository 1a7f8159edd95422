/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory in small pieces: a treap of strings, linked lists that are sorted, a
 * table of blocks of random sizes that come and go.  Half of the time is spent
 * in malloc() and free(); the rest follows pointers to places that neither a
 * cache nor a branch predictor expects.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

enum {
	KEYS = 120000,
	KEY_SIZE = 40,
	LISTS = 160,
	LIST_LENGTH = 3000,
	SLOTS = 20000,
	STEPS = 3500000,
	LARGE = 65536, /* bytes, of a rare block */
};

/* -- treap ----------------------------------------------------------------- */

/* In order of keys from left to right, of priorities from the root down. */
struct node {
	struct node *left;
	struct node *right;
	uint32_t priority;
	uint32_t value;
	char *key; /* a block of its own */
};

/* Writes a number as a word; like real names, many begin alike. */
static void write_key(char *key, uint32_t number)
{
	static const char *const beginnings[] = { "list_", "tree_node_", "x", "symbol_table_" };
	size_t n = strlen(beginnings[number % 4]);

	memcpy(key, beginnings[number % 4], n);
	for (number = number * 2654435761U; number; number /= 26)
		key[n++] = (char)('a' + number % 26);
	key[n] = '\0';
}

static struct node *node_new(const char *key, uint32_t value, uint32_t priority)
{
	struct node *node = allocate(1, sizeof(*node));
	size_t size = strlen(key) + 1;

	node->key = allocate(size, 1);
	memcpy(node->key, key, size);
	node->value = value;
	node->priority = priority;
	return node;
}

static void node_free(struct node *node)
{
	free(node->key);
	free(node);
}

/* Divides a treap into the nodes before the key and those from it on. */
static void treap_split(struct node *root, const char *key, struct node **before,
			struct node **after)
{
	while (root) {
		if (strcmp(root->key, key) < 0) {
			*before = root;
			before = &root->right;
			root = root->right;
		} else {
			*after = root;
			after = &root->left;
			root = root->left;
		}
	}
	*before = NULL;
	*after = NULL;
}

/* Joins two treaps; all keys of the first come before the second's. */
static struct node *treap_join(struct node *before, struct node *after)
{
	if (!before)
		return after;
	if (!after)
		return before;
	if (before->priority > after->priority) {
		before->right = treap_join(before->right, after);
		return before;
	}
	after->left = treap_join(before, after->left);
	return after;
}

static void treap_insert(struct node **root, struct node *node)
{
	while (*root && (*root)->priority >= node->priority)
		root = strcmp((*root)->key, node->key) < 0 ? &(*root)->right : &(*root)->left;
	treap_split(*root, node->key, &node->left, &node->right);
	*root = node;
}

/* Where the node with the key hangs, or where it would. */
static struct node **treap_find(struct node **root, const char *key)
{
	while (*root) {
		int order = strcmp((*root)->key, key);

		if (order == 0)
			break;
		root = order < 0 ? &(*root)->right : &(*root)->left;
	}
	return root;
}

static void treap_remove(struct node **root)
{
	struct node *node = *root;

	*root = treap_join(node->left, node->right);
	node_free(node);
}

/* Adds up from left to right, and frees. */
static uint64_t treap_end(struct node *root, uint64_t sum)
{
	if (!root)
		return sum;
	sum = treap_end(root->left, sum);
	sum = checksum_add(sum, root->value);
	sum = treap_end(root->right, sum);
	node_free(root);
	return sum;
}

static uint64_t run_treap(uint64_t sum)
{
	struct node *root = NULL;
	uint64_t seed = 3;
	char key[KEY_SIZE];

	for (uint32_t i = 0; i < KEYS; i++) {
		write_key(key, i);
		treap_insert(&root, node_new(key, i, random_next(&seed)));
	}
	for (uint32_t i = 0; i < KEYS; i++) {
		struct node **place;

		write_key(key, random_below(&seed, 2 * KEYS));
		place = treap_find(&root, key);
		if (!*place)
			continue;
		sum = checksum_add(sum, (*place)->value);
		if (i % 2)
			treap_remove(place);
	}
	return treap_end(root, sum);
}

/* -- lists ----------------------------------------------------------------- */

struct item {
	struct item *next;
	uint32_t value;
};

static struct item *merge(struct item *a, struct item *b)
{
	struct item *merged = NULL;
	struct item **end = &merged;

	while (a && b) {
		struct item **smaller = b->value < a->value ? &b : &a;

		*end = *smaller;
		end = &(*end)->next;
		*smaller = *end;
	}
	*end = a ? a : b;
	return merged;
}

static struct item *sort(struct item *list)
{
	struct item *middle = list;

	if (!list || !list->next)
		return list;
	for (struct item *end = list->next; end && end->next; end = end->next->next)
		middle = middle->next;
	struct item *rest = middle->next;

	middle->next = NULL;
	return merge(sort(list), sort(rest));
}

/* Grows all lists by turns, so that neighbours in memory are none in a list. */
static uint64_t run_lists(uint64_t sum)
{
	struct item *lists[LISTS] = { NULL };
	uint64_t seed = 5;

	for (size_t i = 0; i < (size_t)LISTS * LIST_LENGTH; i++) {
		struct item *item = allocate(1, sizeof(*item));
		struct item **list = &lists[random_below(&seed, LISTS)];

		item->value = random_next(&seed);
		item->next = *list;
		*list = item;
	}
	for (size_t i = 0; i < LISTS; i++) {
		uint32_t last = 0;

		lists[i] = sort(lists[i]);
		while (lists[i]) {
			struct item *item = lists[i];

			require(item->value >= last, "a list is not sorted");
			last = item->value;
			sum = checksum_add(sum, last);
			lists[i] = item->next;
			free(item);
		}
	}
	return sum;
}

/* -- blocks ---------------------------------------------------------------- */

struct slot {
	unsigned char *block; /* NULL: none; its first and last byte are mark */
	size_t size;
	unsigned char mark;
};

static void slot_mark(struct slot *slot, unsigned char mark)
{
	slot->mark = mark;
	slot->block[0] = mark;
	slot->block[slot->size - 1] = mark;
}

static void slot_change(struct slot *slot, uint64_t *seed)
{
	uint32_t kind = random_below(seed, 1000);
	size_t size = 1 + random_below(seed, kind < 2 ? LARGE : kind < 100 ? 2000 : 100);

	if (!slot->block) {
		slot->block = malloc(size);
	} else {
		require(slot->block[0] == slot->mark && slot->block[slot->size - 1] == slot->mark,
			"a block was overwritten");
		if (kind % 4) {
			free(slot->block);
			slot->block = NULL;
			return;
		}
		unsigned char *moved = realloc(slot->block, size);

		if (!moved)
			free(slot->block);
		slot->block = moved;
	}
	require(slot->block != NULL, "out of memory");
	slot->size = size;
	slot_mark(slot, (unsigned char)kind);
}

static uint64_t run_blocks(uint64_t sum)
{
	struct slot *slots = allocate(SLOTS, sizeof(*slots));
	uint64_t seed = 9;

	for (int i = 0; i < STEPS; i++)
		slot_change(&slots[random_below(&seed, SLOTS)], &seed);
	for (int i = 0; i < SLOTS; i++) {
		sum = checksum_add(sum, slots[i].block ? slots[i].size : 0);
		free(slots[i].block);
	}
	free(slots);
	return sum;
}

int main(void)
{
	uint64_t sum = 0;

	sum = run_treap(sum);
	sum = run_lists(sum);
	sum = run_blocks(sum);
	return report("heap", sum);
}
