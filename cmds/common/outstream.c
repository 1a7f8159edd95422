/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* fopencookie */
#include "cmds/common/outstream.h"

#include <errno.h>

static ssize_t write_out(void *cookie, const char *data, size_t len)
{
	struct out *out = cookie;

	out_bytes(out, data, len);
	if (!out->error)
		return (ssize_t)len;
	errno = out->error > 0 ? out->error : ENOMEM;
	return 0;
}

FILE *outstream_open(struct out *out)
{
	static const cookie_io_functions_t functions = { .write = write_out };

	return fopencookie(out, "w", functions);
}
