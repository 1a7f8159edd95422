/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/common/loading.h"

#include <stddef.h>

#include "cmds/common/loader.h"

static const char *set_part(void *ctx, const char *value)
{
	return selection_set(&((struct loader_options *)ctx)->parts, value);
}

static const char *set_thread(void *ctx, const char *value)
{
	return selection_set(&((struct loader_options *)ctx)->threads, value);
}

static const char *set_pid(void *ctx, const char *value)
{
	return selection_set(&((struct loader_options *)ctx)->pids, value);
}

static const char *set_lenient(void *ctx, const char *value)
{
	*(bool *)ctx = option_yes(value);
	return NULL;
}

const struct option_rule loading_options[] = {
	{ "--part", 0, OPTION_VALUE, "N,...", "only parts of these numbers, as in 1-3,5 [all]",
	  set_part },
	{ "--thread", 0, OPTION_VALUE, "N,...",
	  "only parts of these threads, of profiles that tell threads apart [all]", set_thread },
	{ "--pid", 0, OPTION_VALUE, "N,...", "only parts of these processes [all]", set_pid },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

const struct option_rule lenient_options[] = {
	{ "--lenient", 0, OPTION_YES_NO, "yes|no",
	  "skip lines that are no part of the format, with a warning [no]", set_lenient },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};
