/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON (RFC 8259) taken apart strictly, by a reader that shares nothing with what writes it; what is
 * wrong ends the program.  Values are nodes in the order of the text, numbered from 0.
 */
#ifndef TESTS_FUZZ_JSON_NODES_H
#define TESTS_FUZZ_JSON_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NODE_DEPTH = 32 };

struct json_node {
	char kind;        /* '{', '[', '"', 'n' (a number), or 'w' (true, false, null) */
	const char *text; /* of a text: between its quotes */
	size_t len;
	const char *key; /* in an object; as it is written */
	size_t key_len;
	size_t n;    /* values directly in it */
	size_t next; /* the node after it and all in it */
};

struct json_nodes {
	const char *at, *end;
	struct json_node *nodes; /* owned */
	size_t n, capacity;
};

static inline void node_require(bool holds)
{
	if (!holds)
		abort();
}

/* The character at the place, which is passed if it is this one. */
static inline bool node_take(struct json_nodes *json, char c)
{
	bool is_there = json->at < json->end && *json->at == c;

	json->at += is_there;
	return is_there;
}

/* Of a character that begins with this byte: how many follow, and what the first of them may be. */
static inline size_t node_following(unsigned char c, unsigned char *least, unsigned char *most)
{
	*least = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	*most = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	node_require(c < 0x80 || (c >= 0xc2 && c <= 0xf4));
	return c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
}

static inline void node_escape(struct json_nodes *json)
{
	node_require(json->at < json->end);
	if (*json->at++ != 'u') {
		node_require(strchr("\"\\/bfnrt", json->at[-1]) != NULL && json->at[-1] != '\0');
		return;
	}
	for (int i = 0; i < 4; i++, json->at++)
		node_require(json->at < json->end && *json->at != '\0' &&
			     strchr("0123456789abcdefABCDEF", *json->at) != NULL);
}

/* A text whose first quote was passed. */
static inline void node_text(struct json_nodes *json, const char **text, size_t *len)
{
	*text = json->at;
	while (!node_take(json, '"')) {
		unsigned char c, least, most;

		node_require(json->at < json->end);
		c = (unsigned char)*json->at++;
		node_require(c >= ' ');
		if (c == '\\') {
			node_escape(json);
			continue;
		}
		for (size_t n = node_following(c, &least, &most); n > 0; n--, json->at++) {
			node_require(json->at < json->end);
			c = (unsigned char)*json->at;
			node_require(c >= least && c <= most);
			least = 0x80;
			most = 0xbf;
		}
	}
	*len = (size_t)(json->at - 1 - *text);
}

/* Digits, at least one. */
static inline void node_digits(struct json_nodes *json)
{
	const char *first = json->at;

	while (json->at < json->end && *json->at >= '0' && *json->at <= '9')
		json->at++;
	node_require(json->at > first);
}

static inline void node_number(struct json_nodes *json)
{
	node_take(json, '-');
	if (!node_take(json, '0'))
		node_digits(json);
	if (node_take(json, '.'))
		node_digits(json);
	if (node_take(json, 'e')) {
		if (!node_take(json, '+'))
			node_take(json, '-');
		node_digits(json);
	}
}

static inline void node_word(struct json_nodes *json)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < 3; i++) {
		size_t len = strlen(words[i]);

		if ((size_t)(json->end - json->at) >= len && memcmp(json->at, words[i], len) == 0) {
			json->at += len;
			return;
		}
	}
	abort();
}

/* The head of a value, in the object or array `inside`, if there is one; its number. */
static inline size_t node_value(struct json_nodes *json, struct json_node *inside)
{
	struct json_node node = { .kind = 'w' };

	if (inside && inside->kind == '{') {
		node_require(node_take(json, '"'));
		node_text(json, &node.key, &node.key_len);
		node_require(node_take(json, ':'));
	}
	if (inside)
		inside->n++;
	node.text = json->at;
	if (node_take(json, '{')) {
		node.kind = '{';
	} else if (node_take(json, '[')) {
		node.kind = '[';
	} else if (node_take(json, '"')) {
		node.kind = '"';
		node_text(json, &node.text, &node.len);
	} else if (json->at < json->end &&
		   (*json->at == '-' || (*json->at >= '0' && *json->at <= '9'))) {
		node.kind = 'n';
		node_number(json);
		node.len = (size_t)(json->at - node.text);
	} else {
		node_word(json);
		node.len = (size_t)(json->at - node.text);
	}
	if (json->n == json->capacity) {
		size_t capacity = 2 * json->capacity + 64;
		void *nodes = realloc(json->nodes, capacity * sizeof(*json->nodes));

		if (!nodes)
			abort();
		json->nodes = nodes;
		json->capacity = capacity;
	}
	node.next = json->n + 1;
	json->nodes[json->n] = node;
	return json->n++;
}

/* Takes a text apart that has no blanks; to be released. */
static inline void json_nodes_init(struct json_nodes *json, const char *text, size_t len)
{
	size_t open[NODE_DEPTH] = { 0 }, depth = 0;

	*json = (struct json_nodes){ .at = text, .end = text + len };
	do {
		struct json_node *inside = depth > 0 ? &json->nodes[open[depth - 1]] : NULL;
		size_t at;

		if (inside && node_take(json, inside->kind == '{' ? '}' : ']')) {
			inside->next = json->n;
			depth--;
			continue;
		}
		node_require(!inside || inside->n == 0 || node_take(json, ','));
		at = node_value(json, inside);
		if (json->nodes[at].kind == '{' || json->nodes[at].kind == '[') {
			node_require(depth < NODE_DEPTH);
			open[depth++] = at;
		}
	} while (depth > 0);
	node_require(json->at == json->end);
}

static inline void json_nodes_release(struct json_nodes *json)
{
	free(json->nodes);
}

/* The member of an object by its key; NULL if it has none. */
static inline const struct json_node *node_member(const struct json_nodes *json,
						  const struct json_node *object, const char *key)
{
	size_t at = (size_t)(object - json->nodes) + 1;

	node_require(object->kind == '{');
	for (size_t i = 0; i < object->n; i++, at = json->nodes[at].next)
		if (json->nodes[at].key_len == strlen(key) &&
		    memcmp(json->nodes[at].key, key, strlen(key)) == 0)
			return &json->nodes[at];
	return NULL;
}

/* A number, or a text of one, modulo 2^64. */
static inline uint64_t node_count(const struct json_node *node)
{
	bool is_negative = node->len > 0 && node->text[0] == '-';
	uint64_t value = 0;

	node_require(node->kind == 'n' || node->kind == '"');
	node_require(node->len > is_negative);
	for (size_t i = is_negative; i < node->len; i++) {
		node_require(node->text[i] >= '0' && node->text[i] <= '9');
		value = value * 10 + (uint64_t)(node->text[i] - '0');
	}
	return is_negative ? -value : value;
}

#endif
