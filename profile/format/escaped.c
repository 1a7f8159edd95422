/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's own functions write into memory here. */
#include "profile/format/escaped.h"

#include <errno.h>
#include <string.h>

#include "profile/common/heap.h"
#include "writer/escape.h"

bool escaped_name_fits(const char *name, size_t len)
{
	return escape_name_fits(name, len);
}

bool escaped_text_fits(const char *text, size_t len)
{
	return escape_text_fits(text, len);
}

static void *alloc(void *ctx, size_t size)
{
	const struct env *memory = ((struct escaped *)ctx)->memory;

	return memory->alloc(memory->ctx, size);
}

static void release(void *ctx, void *data)
{
	const struct env *memory = ((struct escaped *)ctx)->memory;

	memory->release(memory->ctx, data);
}

static int append(void *ctx, const void *data, size_t len)
{
	struct escaped *escaped = ctx;
	void *grown = escaped->data;

	if (!heap_reserve(escaped->memory, &grown, &escaped->capacity, escaped->len + len, 1))
		return ENOMEM;
	escaped->data = grown;
	memcpy(escaped->data + escaped->len, data, len);
	escaped->len += len;
	return 0;
}

static bool make(struct escaped *escaped, const struct env *env, const char *text, size_t len,
		 void (*escape)(struct out *out, const char *text, size_t len))
{
	struct out out;
	int error;

	*escaped = (struct escaped){ .memory = env };
	escaped->env = (struct env){ alloc, release, append, escaped };
	out_init(&out, &escaped->env);
	escape(&out, text, len);
	error = out_flush(&out);
	out_release(&out);
	return error == 0;
}

bool escaped_name(struct escaped *escaped, const struct env *env, const char *name, size_t len)
{
	return make(escaped, env, name, len, escape_name);
}

bool escaped_text(struct escaped *escaped, const struct env *env, const char *text, size_t len)
{
	return make(escaped, env, text, len, escape_text);
}

void escaped_release(struct escaped *escaped)
{
	release(escaped, escaped->data);
	escaped->data = NULL;
}
