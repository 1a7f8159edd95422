/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that debuginfod servers have, by the build-id of an object: the object, its debug
 * information, its sources.  Asks the network, and so is used only if the user wants it (--debuginfod).
 *
 * By elfutils' client library, which is loaded when the first file is asked for: it needs a dozen
 * others, and nobody who does not fetch shall wait for them.  It keeps files in its cache, which
 * cmds/source/searchpath.h knows.
 */
#ifndef CMDS_OBJECT_FETCHER_H
#define CMDS_OBJECT_FETCHER_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/dictionary.h"

enum fetched {
	FETCHED_EXECUTABLE,
	FETCHED_DEBUGINFO,
	FETCHED_SOURCE,
};

/*
 * NULL, or why nothing can be fetched: "costgrind was built without ...", or the library or the servers
 * that are missing here.
 */
const char *fetcher_missing(void);

/* Fields are private.  All zero, but for the command, it is ready. */
struct fetcher {
	const char *command; /* for messages */
	bool is_quiet;       /* none are printed */
	bool has_begun;
	bool is_over; /* there is nothing to ask, or no answer */
	void *library, *client;
	struct dictionary asked; /* what for */
	size_t n_said;           /* messages so far */
};

/*
 * Asks for what the object of a build-id (hexadecimal) has; name is the path of a source as the
 * compiler had it, else what the object is called, for messages.  Returns the path of the file in
 * the cache, to be freed, or NULL, after a message that says why.
 *
 * If a server is not there, or does not answer for 10 seconds, nothing more is asked for.
 */
char *fetcher_get(struct fetcher *fetcher, enum fetched what, const char *build_id,
		  const char *name);

/*
 * What is missing here, and cannot be asked for: a source whose path is not absolute, or what belongs to an
 * object of no known build-id.  Says so, once; or that no server can be asked for anything.
 */
void fetcher_pass(struct fetcher *fetcher, const char *name);
void fetcher_release(struct fetcher *fetcher);

#endif
