/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/emit/gzipper.h"

#include <limits.h>

#include "profile/common/heap.h"

enum {
	GZIP_WINDOW = 15 + 16, /* largest window, gzip's header */
	GZIP_MEMORY = 8,       /* the default */
};

void gzipper_init(struct gzipper *gzipper, struct out *out)
{
	gzipper->out = out;
	gzipper->stream = (z_stream){ .zalloc = Z_NULL };
	if (deflateInit2(&gzipper->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
			 GZIP_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		heap_exhausted(); /* nothing else can fail */
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

	while (!gzipper->out->error && len > 0) {
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
	if (!gzipper->out->error)
		run(gzipper, Z_FINISH);
	deflateEnd(&gzipper->stream);
}
