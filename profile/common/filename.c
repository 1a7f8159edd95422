/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/filename.h"

#include <string.h>

bool filename_is_unclean(const char *name, size_t len)
{
	size_t start = 0; /* of a component */

	for (size_t i = 0; i <= len; i++) {
		if (i < len && name[i] != '/')
			continue;
		if (i - start == 1 && name[start] == '.' && len > 1)
			return true;
		if (i == start && i > 0 && i < len)
			return true;
		start = i + 1;
	}
	return len > 1 && name[len - 1] == '/';
}

size_t filename_clean(const char *name, size_t len, char *buffer)
{
	bool is_absolute = len > 0 && name[0] == '/';
	size_t used = 0, start = 0;

	if (is_absolute)
		buffer[used++] = '/';
	for (size_t i = 0; i <= len; i++) {
		size_t n = i - start;

		if (i < len && name[i] != '/')
			continue;
		if (n > 0 && !(n == 1 && name[start] == '.')) {
			if (used > 0 && buffer[used - 1] != '/')
				buffer[used++] = '/';
			memmove(buffer + used, name + start, n);
			used += n;
		}
		start = i + 1;
	}
	if (used == 0 && len > 0)
		buffer[used++] = '.';
	return used;
}
