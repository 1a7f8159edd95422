/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/convert/formats.h"

#include <string.h>

const struct format format_table[] = {
	{ "callgrind", FORMAT_JUMPS | FORMAT_PARTS | FORMAT_NEGATIVE, to_callgrind },
	{ "callgrind-portable", FORMAT_LINES | FORMAT_NEGATIVE, to_callgrind_portable },
	{ "cachegrind", FORMAT_LINES | FORMAT_NEGATIVE, to_cachegrind },
	{ "xdebug", FORMAT_LINES | FORMAT_ONE_EVENT, to_xdebug },
	{ "webgrind", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR, to_webgrind7 },
	{ "webgrind4", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR | FORMAT_EXACT, to_webgrind4 },
	{ "webgrind5", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR, to_webgrind5 },
	{ "webgrind6", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR, to_webgrind6 },
	{ "webgrind7", FORMAT_LINES | FORMAT_ONE_EVENT | FORMAT_PAIR, to_webgrind7 },
	{ "collapsed", FORMAT_FUNCTIONS | FORMAT_ONE_EVENT | FORMAT_TREE, to_collapsed },
	{ "collapsed-diff", FORMAT_FUNCTIONS | FORMAT_ONE_EVENT | FORMAT_TREE | FORMAT_TWO,
	  to_collapsed_diff },
	{ "speedscope", FORMAT_FUNCTIONS | FORMAT_ONE_EVENT | FORMAT_TREE, to_speedscope },
	{ "pprof", FORMAT_LINES | FORMAT_TREE, to_pprof },
	{ "dot", FORMAT_FUNCTIONS | FORMAT_ONE_EVENT, to_dot },
	{ "json", FORMAT_JUMPS | FORMAT_NEGATIVE, to_json },
	{ "csv", FORMAT_NEGATIVE, to_csv },
	{ NULL, 0, NULL },
};

const struct format *format_find(const char *name)
{
	for (const struct format *format = format_table; format->name; format++)
		if (strcmp(format->name, name) == 0)
			return format;
	return NULL;
}
