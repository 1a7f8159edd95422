/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/bytes.h"

#include <string.h>

#include "profile/common/heap.h"

void bytes_init(struct bytes *bytes, const struct env *env)
{
	*bytes = (struct bytes){ .env = env };
}

void bytes_release(struct bytes *bytes)
{
	bytes->env->release(bytes->env->ctx, bytes->text);
	bytes_init(bytes, bytes->env);
}

void bytes_reset(struct bytes *bytes)
{
	bytes->len = 0;
	bytes->failed = false;
}

void bytes_add(struct bytes *bytes, const char *text, size_t len)
{
	void *grown = bytes->text;

	if (len == 0 || bytes->failed)
		return;
	if (len > (size_t)-1 - bytes->len ||
	    !heap_reserve(bytes->env, &grown, &bytes->capacity, bytes->len + len, 1)) {
		bytes->failed = true;
		return;
	}
	bytes->text = grown;
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
