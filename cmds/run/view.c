/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind view: opens a profile in a viewer. */
#include "cmds/cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/annotate/annotate.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/inputs.h"
#include "cmds/cli/launch.h"
#include "cmds/convert/formats.h"
#include "profile/common/heap.h"

static const char command[] = "view";

struct view {
	struct option_common common;
	const char *with; /* the viewer that was asked for; NULL = the best one */
};

const struct option_rule view_options[] = {
	{ "--with", 0, OPTION_VALUE, "PROGRAM",
	  "Viewer to start [kcachegrind or qcachegrind, else text]; text is costgrind annotate",
	  OPTION_TEXT(struct view, with, "the name of a program") },
	{ .name = NULL },
};

/* The best viewer that can be run here; NULL is text. */
static const char *choose(const struct view *view)
{
	static const char *const viewers[] = { "kcachegrind", "qcachegrind" };
	const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
	char path[LAUNCH_PATH];

	if (view->with)
		return strcmp(view->with, "text") == 0 ? NULL : view->with;
	if ((!x || x[0] == '\0') && (!wayland || wayland[0] == '\0')) {
		if (!view->common.quiet)
			warn(command, "no display, the profile is shown as text");
		return NULL;
	}
	for (size_t i = 0; i < sizeof(viewers) / sizeof(viewers[0]); i++)
		if (launch_find(viewers[i], path, sizeof(path)))
			return viewers[i];
	if (!view->common.quiet)
		warn(command, "found neither kcachegrind nor qcachegrind (Debian: kcachegrind), "
			      "the profile is shown as text");
	return NULL;
}

/* A viewer would start, and then say it in a window, if at all. */
static bool can_show(const char *path)
{
	if (access(path, R_OK) != 0) {
		complain(command, "%s: %s", path, strerror(errno));
		return false;
	}
	if (wholefile_begins(path, FROM_TREE_HEAD)) {
		complain(command,
			 "%s: expected a profile, this is a call tree; costgrind convert "
			 "--to=speedscope makes something of it that can be shown",
			 path);
		return false;
	}
	return true;
}

int view_main(int argc, char **argv)
{
	struct view view = { .with = NULL };
	int n = 0, code = options_read(view_options, &view.common, argv, &n, &view);
	const char *viewer;

	(void)argc;
	if (code != OPTIONS_GO_ON)
		return code;
	if (n == 0) {
		complain(command, "expected a profile, try 'costgrind help view'");
		return EXIT_USAGE;
	}
	argv[n + 1] = NULL;
	for (int i = 1; i <= n; i++)
		if (!can_show(argv[i]))
			return EXIT_FAILED;
	viewer = choose(&view);
	if (!viewer) {
		char name[] = "annotate";

		argv[0] = name;
		return annotate_main(n + 1, argv);
	}
	argv[0] = heap_copy(viewer);
	execvp(viewer, argv);
	complain(command, "%s: %s", viewer, strerror(errno));
	free(argv[0]);
	return EXIT_FAILED;
}
