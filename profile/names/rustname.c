/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The legacy scheme is that of C++ for a nested name, _ZN 4core 3fmt ... E, whose last
 * component is the hash; what an identifier cannot have is escaped: $LT$, $u20$, "..".
 */
#include "profile/names/rustname.h"

#include <stdint.h>
#include <string.h>

#include "profile/names/punycode.h"
#include "profile/names/rustv0.h"

enum { HASH_LEN = 17, MAX_TEXT = 64 * 1024 };

struct escape {
	const char *name;
	char meaning;
};

static const struct escape escapes[] = {
	{ "$SP$", '@' }, { "$BP$", '*' }, { "$RF$", '&' }, { "$LT$", '<' },
	{ "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' },
};

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_hash(const char *text, size_t len)
{
	if (len != HASH_LEN || text[0] != 'h')
		return false;
	for (size_t i = 1; i < len; i++)
		if (hex_value(text[i]) < 0)
			return false;
	return true;
}

/* One escape, at "$": adds what it stands for and returns its length, 0 = none. */
static size_t unescape_one(const char *text, size_t len, struct bytes *out)
{
	char character[UTF8_MAX];
	uint32_t value = 0;
	size_t i = 2;

	for (size_t k = 0; k < sizeof(escapes) / sizeof(escapes[0]); k++) {
		size_t n = strlen(escapes[k].name);

		if (len >= n && memcmp(text, escapes[k].name, n) == 0) {
			bytes_add_char(out, escapes[k].meaning);
			return n;
		}
	}
	if (len < 4 || text[1] != 'u')
		return 0;
	for (; i < len && i < 8 && hex_value(text[i]) >= 0; i++)
		value = value << 4 | (unsigned)hex_value(text[i]);
	if (i == 2 || i == len || text[i] != '$' || value < ' ' || value > UTF8_MAX_CODE)
		return 0;
	bytes_add(out, character, utf8_put(value, character));
	return i + 1;
}

/* Adds one component, or a path of them; false if an escape is wrong. */
static bool add_unescaped(const char *text, size_t len, struct bytes *out)
{
	for (size_t i = 0; i < len;) {
		size_t n = 1;

		/* "_" keeps a component from beginning with "$". */
		if (text[i] == '_' && i + 1 < len && text[i + 1] == '$' &&
		    (i == 0 || text[i - 1] == ':')) {
			i++;
			continue;
		}
		if (text[i] == '$') {
			n = unescape_one(text + i, len - i, out);
			if (n == 0)
				return false;
		} else if (text[i] == '.' && i + 1 < len && text[i + 1] == '.') {
			bytes_add_text(out, "::");
			n = 2;
		} else {
			bytes_add_char(out, text[i]);
		}
		i += n;
	}
	return true;
}

bool rustname_unescape(const char *name, size_t len, struct bytes *out)
{
	const size_t before = out->len;

	if (len > 0 && memchr(name, '$', len) && add_unescaped(name, len, out))
		return true;
	out->len = before;
	return false;
}

/* One component with its length before it, *at behind it; false if there is none. */
static bool take_component(const char *name, size_t len, size_t *at, const char **text, size_t *n)
{
	*n = 0;
	if (*at >= len || name[*at] < '1' || name[*at] > '9')
		return false;
	while (*at < len && name[*at] >= '0' && name[*at] <= '9' && *n <= len)
		*n = 10 * *n + (size_t)(name[(*at)++] - '0');
	*text = name + *at;
	if (*n > len - *at)
		return false;
	*at += *n;
	return true;
}

static bool demangle_legacy(const char *name, size_t len, struct bytes *out)
{
	const char *text = NULL, *last = NULL;
	size_t at = 3, n, last_len = 0, n_components = 0;

	if (len > MAX_TEXT || len < 3 || memcmp(name, "_ZN", 3) != 0)
		return false;
	/* Each is added when the next has come: the last one is the hash. */
	while (take_component(name, len, &at, &text, &n)) {
		if (n_components > 1)
			bytes_add_text(out, "::");
		if (n_components > 0 && !add_unescaped(last, last_len, out))
			return false;
		last = text;
		last_len = n;
		n_components++;
	}
	return n_components > 1 && is_hash(last, last_len) && at + 1 == len && name[at] == 'E';
}

bool rustname_demangle(const char *name, size_t len, struct bytes *out)
{
	const size_t before = out->len;

	if (len > 2 && memcmp(name, "_R", 2) == 0)
		return rustv0_demangle(name + 2, len - 2, out);
	if (demangle_legacy(name, len, out))
		return true;
	out->len = before;
	return false;
}
