/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

void bytes_init(struct bytes *bytes, const struct env *env)
{
	*bytes = (struct bytes){ .env = env };
}

void bytes_release(struct bytes *bytes)
{
	free(bytes->text);
	bytes_init(bytes, bytes->env);
}

void bytes_reset(struct bytes *bytes)
{
	bytes->len = 0;
}

void bytes_add(struct bytes *bytes, const char *text, size_t len)
{
	if (len == 0)
		return;
	bytes->text = heap_grow(bytes->text, &bytes->capacity, bytes->len + len, 1);
	memcpy(bytes->text + bytes->len, text, len);
	bytes->len += len;
}

void bytes_add_char(struct bytes *bytes, char c)
{
	bytes_add(bytes, &c, 1);
}

void bytes_add_text(struct bytes *bytes, const char *text)
{
	bytes_add(bytes, text, strlen(text));
}
