/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/emit/gzipper.h"

#include <limits.h>

enum {
	GZIP_WINDOW = 15 + 16, /* largest window, gzip's header */
	GZIP_MEMORY = 8,       /* the default */
};

static void *gzipper_alloc(void *ctx, unsigned count, unsigned size)
{
	const struct env *env = ((const struct gzipper *)ctx)->out->env;

	return env->alloc(env->ctx, (size_t)count * size);
}

static void gzipper_free(void *ctx, void *memory)
{
	const struct env *env = ((const struct gzipper *)ctx)->out->env;

	env->release(env->ctx, memory);
}

void gzipper_init(struct gzipper *gzipper, struct out *out)
{
	gzipper->out = out;
	gzipper->stream =
		(z_stream){ .zalloc = gzipper_alloc, .zfree = gzipper_free, .opaque = gzipper };
	gzipper->is_open = deflateInit2(&gzipper->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
					GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
	if (!gzipper->is_open)
		out_fail(out, OUT_NO_MEMORY);
}

/* Compresses what was given, to the end of the file if flush is Z_FINISH. */
static void run(struct gzipper *gzipper, int flush)
{
	z_stream *stream = &gzipper->stream;

	do {
		stream->next_out = gzipper->buffer;
		stream->avail_out = sizeof(gzipper->buffer);
		deflate(stream, flush);
		out_bytes(gzipper->out, (const char *)gzipper->buffer,
			  sizeof(gzipper->buffer) - stream->avail_out);
	} while (stream->avail_out == 0);
}

void gzipper_bytes(struct gzipper *gzipper, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	while (gzipper->is_open && !gzipper->out->error && len > 0) {
		unsigned part = len < UINT_MAX ? (unsigned)len : UINT_MAX;

		gzipper->stream.next_in = bytes;
		gzipper->stream.avail_in = part;
		run(gzipper, Z_NO_FLUSH);
		bytes += part;
		len -= part;
	}
}

void gzipper_finish(struct gzipper *gzipper)
{
	if (!gzipper->is_open)
		return;
	if (!gzipper->out->error)
		run(gzipper, Z_FINISH);
	deflateEnd(&gzipper->stream);
	gzipper->is_open = false;
}
