/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a report: cmds/report/page/page.html with style and script in it, a policy that forbids
 * all other ones and the network, and the data, compressed by gzip, as base64.
 */
#ifndef CMDS_REPORT_REPORTPAGE_H
#define CMDS_REPORT_REPORTPAGE_H

#include "cmds/emit/gzipper.h"
#include "writer/out.h"

/* Bytes as base64 (RFC 4648, with padding, without line ends) on their way to a struct out. */
struct base64 {
	struct out *to;
	unsigned char rest[3]; /* bytes that wait for others */
	size_t n_rest;
};

/* Fields are private, but data.  Not to be moved. */
struct reportpage {
	struct out data; /* what is written here is the page's data */
	struct env data_env;
	struct gzipper gzipper;
	struct out compressed;
	struct env compressed_env;
	struct base64 base64;
	struct out page;
	const struct env *env;
	const char *title;
	size_t title_len;
	const char *next; /* of the frame */
};

/*
 * Begins a page that is written by env, which outlives it; the title is UTF-8 or is shown
 * as if it were, and is borrowed.  Errors stick until the end.
 */
void reportpage_begin(struct reportpage *page, const struct env *env, const char *title,
		      size_t title_len);

/* Ends it, and gives all memory back.  Returns the error, as out_flush() does. */
int reportpage_end(struct reportpage *page);

#endif
