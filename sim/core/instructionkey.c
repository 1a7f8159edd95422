/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/core/instructionkey.h"

size_t instructionkey_prefix_len(const char *key, size_t len)
{
	static const char *const prefixes[] = { "lock ", "rep ", "repne " };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = 0;

		while (n < len && prefixes[i][n] != '\0' && key[n] == prefixes[i][n])
			n++;
		if (prefixes[i][n] == '\0')
			return n;
	}
	return 0;
}

size_t instructionkey_name_len(const char *key, size_t len)
{
	size_t n = instructionkey_prefix_len(key, len);

	while (n < len && key[n] != ' ')
		n++;
	return n;
}

static bool kind_is(const char *kind, size_t len, const char *name)
{
	size_t i = 0;

	while (i < len && name[i] != '\0' && kind[i] == name[i])
		i++;
	return i == len && name[i] == '\0';
}

/* Where the kind that begins there ends. */
static size_t kind_end(const struct instructionkey *key, size_t at)
{
	while (at < key->len && key->text[at] != ',')
		at++;
	return at;
}

struct instructionkey_kinds instructionkey_kinds(const struct instructionkey *key)
{
	struct instructionkey_kinds kinds = { false, false, false };
	size_t first = key->name_len + 1, end;

	for (size_t at = first; at < key->len; at = end + 1) {
		const char *kind = key->text + at;

		end = kind_end(key, at);
		if (*kind == 'x' || *kind == 'y' || *kind == 's' || kind_is(kind, end - at, "mm"))
			kinds.vectors = true;
		else if (*kind == 'm' && at != first)
			kinds.memory = true;
		if (at != first && kind_is(kind, end - at, "m256"))
			kinds.wide = true;
	}
	return kinds;
}

/* Puts a kind in the place of [at, end) of a key; what does not fit makes a key that nobody has. */
static size_t put_kind(struct instructionkey *key, size_t at, size_t end, const char *kind)
{
	size_t n = 0, len = key->len;

	while (kind[n] != '\0')
		n++;
	if (len - (end - at) + n > sizeof(key->text))
		return end;
	if (n <= end - at)
		for (size_t i = end; i < len; i++)
			key->text[i - (end - at - n)] = key->text[i];
	else
		for (size_t i = len; i > end; i--)
			key->text[i - 1 + n - (end - at)] = key->text[i - 1];
	for (size_t i = 0; i < n; i++)
		key->text[at + i] = kind[i];
	key->len = len - (end - at) + n;
	return at + n;
}

/* What a kind becomes; NULL: it stays. */
static const char *reduce_kind(const char *kind, size_t len,
			       enum instructionkey_reduction reduction,
			       struct instructionkey_kinds kinds, bool is_first)
{
	switch (reduction) {
	case INSTRUCTIONKEY_WIDTHS:
		if (kind_is(kind, len, "r8") || kind_is(kind, len, "r16") ||
		    kind_is(kind, len, "r32"))
			return "r64";
		if (!kinds.vectors && (kind_is(kind, len, "m8") || kind_is(kind, len, "m16") ||
				       kind_is(kind, len, "m32")))
			return "m64";
		return NULL;
	case INSTRUCTIONKEY_VECTORS:
		if (kind_is(kind, len, "y"))
			return "x";
		return kind_is(kind, len, "m256") ? "m128" : NULL;
	case INSTRUCTIONKEY_LOADS:
	default:
		if (is_first || *kind != 'm' || kind_is(kind, len, "mm"))
			return NULL;
		if (kind_is(kind, len, "m256"))
			return "y";
		return kinds.vectors ? "x" : "r64";
	}
}

void instructionkey_reduce(struct instructionkey *key, enum instructionkey_reduction reduction)
{
	const struct instructionkey_kinds kinds = instructionkey_kinds(key);
	size_t first = key->name_len + 1, end;

	for (size_t at = first; at < key->len; at = end + 1) {
		end = kind_end(key, at);
		const char *kind =
			reduce_kind(key->text + at, end - at, reduction, kinds, at == first);

		if (kind != NULL)
			end = put_kind(key, at, end, kind);
	}
}

struct instructionkey instructionkey_make(const char *key, size_t len)
{
	struct instructionkey result = { .len = len,
					 .name_len = instructionkey_name_len(key, len) };

	for (size_t i = 0; i < len; i++)
		result.text[i] = key[i];
	return result;
}
