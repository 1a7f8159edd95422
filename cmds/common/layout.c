/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/common/layout.h"

#include <stdlib.h>
#include <string.h>

unsigned layout_wanted(char *const *argv)
{
	static const char option[] = "--layout=3.", built_for[] = VALGRIND_VERSION;
	const char *minor = strchr(built_for, '.');
	unsigned long layout = minor ? strtoul(minor + 1, NULL, 10) : 0;

	for (; *argv; argv++)
		if (strncmp(*argv, option, strlen(option)) == 0)
			layout = strtoul(*argv + strlen(option), NULL, 10);
	return (unsigned)layout;
}

bool layout_is_known(const char *value)
{
	return strcmp(value, "3.19") == 0 || strcmp(value, "3.21") == 0;
}
