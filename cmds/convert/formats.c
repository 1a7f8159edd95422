/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/convert/formats.h"

#include <string.h>

const struct format format_table[] = {
#define FORMAT(name, traits, function, help) { name, traits, function },
	FORMATS(FORMAT)
#undef FORMAT
		{ NULL, 0, NULL },
};

const struct format *format_find(const char *name)
{
	for (const struct format *format = format_table; format->name; format++)
		if (strcmp(format->name, name) == 0)
			return format;
	return NULL;
}
