/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes compressed by gzip on their way to a struct out; the same bytes come out each time. */
#ifndef CMDS_EMIT_GZIPPER_H
#define CMDS_EMIT_GZIPPER_H

#include <stddef.h>

#define ZLIB_CONST /* what is compressed is only read */
#include <zlib.h>

#include "writer/out.h"

/* Fields are private; not to be moved. */
struct gzipper {
	z_stream stream;
	struct out *out;
	unsigned char buffer[16384];
};

/* out is borrowed; errors of writing stick there. */
void gzipper_init(struct gzipper *gzipper, struct out *out);

void gzipper_bytes(struct gzipper *gzipper, const void *data, size_t len);

/* Ends the file, and gives memory back. */
void gzipper_finish(struct gzipper *gzipper);

#endif
