/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C++ library is loaded when the first name has to be demangled: linked, each start of each command
 * would pay for it.
 */
#define _GNU_SOURCE /* asprintf() */
#include "cmds/object/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the Itanium C++ ABI. */
typedef char *demangle_function(const char *mangled, char *buffer, size_t *length, int *status);

static demangle_function *find_demangler(void)
{
	static const char *const libraries[] = { "libstdc++.so.6", "libc++abi.so.1" };
	static demangle_function *found;
	static bool is_known;

	for (size_t i = 0; !is_known && !found && i < sizeof(libraries) / sizeof(libraries[0]);
	     i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);

		/* POSIX has a pointer to an object become one to a function this way. */
		if (library)
			*(void **)&found = dlsym(library, "__cxa_demangle");
	}
	is_known = true;
	return found;
}

char *demangle(const char *symbol)
{
	demangle_function *function = strncmp(symbol, "_Z", 2) == 0 ? find_demangler() : NULL;
	size_t len = strcspn(symbol, "@");
	char *mangled, *name, *whole = NULL;
	int status;

	if (!function)
		return NULL;
	mangled = strndup(symbol, len);
	name = mangled ? function(mangled, NULL, NULL, &status) : NULL;
	free(mangled);
	if (!name || symbol[len] == '\0')
		return name;
	if (asprintf(&whole, "%s%s", name, symbol + len) < 0)
		whole = NULL;
	free(name);
	return whole;
}
