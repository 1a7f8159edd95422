/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/text/base64.h"

void base64_init(struct base64 *base64, struct out *to)
{
	*base64 = (struct base64){ .to = to };
}

/* Three bytes as four characters, the last ones of which may be padding. */
static void put(struct out *to, const unsigned char *bytes, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[4] = {
		digits[bytes[0] >> 2],
		digits[(bytes[0] & 0x3) << 4 | bytes[1] >> 4],
		digits[(bytes[1] & 0xf) << 2 | bytes[2] >> 6],
		digits[bytes[2] & 0x3f],
	};

	if (n < 3)
		text[3] = '=';
	if (n < 2)
		text[2] = '=';
	out_bytes(to, text, sizeof(text));
}

void base64_bytes(struct base64 *base64, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	while (len > 0 && (base64->n_rest > 0 || len < 3)) {
		base64->rest[base64->n_rest++] = *bytes++;
		len--;
		if (base64->n_rest == 3) {
			put(base64->to, base64->rest, 3);
			base64->n_rest = 0;
		}
	}
	for (; len >= 3; len -= 3, bytes += 3)
		put(base64->to, bytes, 3);
	while (len-- > 0)
		base64->rest[base64->n_rest++] = *bytes++;
}

void base64_finish(struct base64 *base64)
{
	size_t n = base64->n_rest;

	if (n == 0)
		return;
	while (base64->n_rest < 3)
		base64->rest[base64->n_rest++] = 0;
	put(base64->to, base64->rest, n);
	base64->n_rest = 0;
}
