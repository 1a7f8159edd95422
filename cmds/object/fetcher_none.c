/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of fetcher.c where costgrind was configured --without-debuginfod. */
#include "cmds/object/objectfile.h"

#include "cmds/cli/complaint.h"

const char *fetcher_missing(void)
{
	return "costgrind was built without debuginfod (Debian: libdebuginfod-dev)";
}

static void begin(struct fetcher *fetcher)
{
	if (!fetcher->has_begun)
		warn(fetcher->command, "--debuginfod: nothing is fetched: %s", fetcher_missing());
	fetcher->has_begun = true;
}

void fetcher_pass(struct fetcher *fetcher, const char *name)
{
	(void)name;
	begin(fetcher);
}

char *fetcher_get(struct fetcher *fetcher, enum fetched what, const char *build_id,
		  const char *name)
{
	(void)what;
	(void)build_id;
	(void)name;
	begin(fetcher);
	return NULL;
}

void fetcher_release(struct fetcher *fetcher)
{
	(void)fetcher;
}
