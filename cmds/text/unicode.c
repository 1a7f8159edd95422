/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/text/unicode.h"

/* No surrogates, and the shortest form only. */
size_t unicode_len(const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;
	static const unsigned char least[] = { 0, 0, 0x80, 0xa0, 0x90 };
	unsigned char c = bytes[0];
	size_t n;

	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4)
		return 0;
	n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (n > len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 || c == 0xf0) && bytes[1] < least[n])
		return 0;
	if ((c == 0xed && bytes[1] > 0x9f) || (c == 0xf4 && bytes[1] > 0x8f))
		return 0;
	return n;
}
