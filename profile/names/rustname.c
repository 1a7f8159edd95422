/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The legacy scheme is that of C++ for a nested name, _ZN 4core 3fmt ... E, whose last
 * component is the hash; what an identifier cannot have is escaped: $LT$, $u20$, "..".
 */
#include "profile/names/rustname.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* -- Punycode ------------------------------------------------------------------ */

/* The decoder of RFC 3492, section 6.2, with the constants of section 5. */

enum {
	BASE = 36,
	T_MIN = 1,
	T_MAX = 26,
	SKEW = 38,
	DAMP = 700,
	FIRST_BIAS = 72,
	FIRST_CODE = 0x80,
	MAX_CHARACTERS = 256,
};

static int digit_value(char c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= '0' && c <= '9' ? c - '0' + 26 : -1;
}

static uint32_t adapt(uint32_t delta, uint32_t n, bool first)
{
	uint32_t k = 0;

	delta /= first ? DAMP : 2;
	delta += delta / n;
	for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

/* A number of variable length, added to *sum; returns the bytes it takes, 0 = wrong. */
static size_t take_delta(const char *text, size_t len, uint32_t bias, uint32_t *sum)
{
	uint32_t weight = 1;

	for (size_t i = 0; i < len; i++) {
		uint32_t k = BASE * (uint32_t)(i + 1);
		uint32_t t = k <= bias + T_MIN ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
		int digit = digit_value(text[i]);

		if (digit < 0 || (digit > 0 && weight > (UINT32_MAX - *sum) / (uint32_t)digit))
			return 0;
		*sum += (uint32_t)digit * weight;
		if ((uint32_t)digit < t)
			return i + 1;
		if (weight > UINT32_MAX / (BASE - t))
			return 0;
		weight *= BASE - t;
	}
	return 0;
}

/* Characters of all insertions, into codes, which begin with n; how many there are, 0 = wrong. */
static size_t insert_all(const char *text, size_t len, uint32_t *codes, size_t n)
{
	uint32_t code = FIRST_CODE, bias = FIRST_BIAS, at = 0;

	for (bool first = true; len > 0; first = false) {
		uint32_t before = at;
		size_t used = take_delta(text, len, bias, &at);

		if (used == 0 || n == MAX_CHARACTERS)
			return 0;
		n++;
		bias = adapt(at - before, (uint32_t)n, first);
		code += at / (uint32_t)n;
		at %= (uint32_t)n;
		if (code > UTF8_MAX_CODE || (code >= 0xd800 && code < 0xe000))
			return 0;
		memmove(codes + at + 1, codes + at, (n - 1 - at) * sizeof(*codes));
		codes[at++] = code;
		text += used;
		len -= used;
	}
	return n;
}

size_t punycode_decode(const char *text, size_t len, char *buffer, size_t size)
{
	uint32_t codes[MAX_CHARACTERS];
	size_t plain = len, used = 0;

	while (plain > 0 && text[plain - 1] != '_')
		plain--;
	if (plain > MAX_CHARACTERS || plain == len)
		return 0;
	for (size_t i = 0; i + 1 < plain; i++)
		codes[i] = (unsigned char)text[i];
	len = insert_all(text + plain, len - plain, codes, plain > 0 ? plain - 1 : 0);
	for (size_t i = 0; i < len; i++) {
		if (size - used < UTF8_MAX)
			return 0;
		used += utf8_put(codes[i], buffer + used);
	}
	return used;
}

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
