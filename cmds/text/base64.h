/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes as base64 (RFC 4648, with padding, without line ends) on their way to a struct out. */
#ifndef CMDS_TEXT_BASE64_H
#define CMDS_TEXT_BASE64_H

#include <stddef.h>

#include "writer/out.h"

/* Fields are private. */
struct base64 {
	struct out *to;
	unsigned char rest[3]; /* bytes that wait for others */
	size_t n_rest;
};

/* to is borrowed; errors stick there. */
void base64_init(struct base64 *base64, struct out *to);

void base64_bytes(struct base64 *base64, const void *data, size_t len);

/* What waits, padded. */
void base64_finish(struct base64 *base64);

#endif
