/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	reload COUNT LIBRARY...
 *
 * Loads each library in turn, COUNT times, calls its function work() and
 * unloads it; says at which address it was.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static int use(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	void *symbol = library != NULL ? dlsym(library, "work") : NULL;
	void (*work)(void);

	if (symbol == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return -1;
	}
	/* As POSIX wants it: ISO C has no conversion from one to the other. */
	*(void **)&work = symbol;
	work();
	printf("%p\n", symbol);
	return dlclose(library);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (long n = strtol(argv[1], NULL, 10); n > 0; n--) {
		for (int i = 2; i < argc; i++) {
			if (use(argv[i]) != 0)
				return 1;
		}
	}
	return 0;
}
