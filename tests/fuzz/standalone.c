/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzz target over files, so that its corpus is an ordinary test where
 * no fuzzer is installed: link this with the target instead of libFuzzer.
 * Arguments are files and directories; of a directory all regular files are
 * taken, in the order of their names.  Prints TAP.  A target reports a
 * failure by crashing, and then the plan, printed first, is not met.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct paths {
	char **items;
	size_t count;
};

static void fail(const char *path)
{
	printf("Bail out! %s: %s\n", path, strerror(errno));
	exit(1);
}

static void *checked(void *memory)
{
	if (!memory)
		fail("memory");
	return memory;
}

/* Takes over path. */
static void paths_add(struct paths *paths, char *path)
{
	size_t size = (paths->count + 1) * sizeof(*paths->items);

	paths->items = checked(realloc(paths->items, size));
	paths->items[paths->count++] = path;
}

static bool is_directory(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		fail(path);
	return S_ISDIR(status.st_mode);
}

static void paths_add_directory(struct paths *paths, const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, NULL, alphasort);

	if (count < 0)
		fail(directory);
	for (int i = 0; i < count; i++) {
		size_t size = strlen(directory) + strlen(entries[i]->d_name) + 2;
		char *path = checked(malloc(size));

		snprintf(path, size, "%s/%s", directory, entries[i]->d_name);
		free(entries[i]);
		if (is_directory(path))
			free(path);
		else
			paths_add(paths, path);
	}
	free(entries);
}

/* Returns the contents in a block of exactly their size, so that ASan sees a byte too many. */
static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	long length = -1;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0 ||
	    fseek(file, 0, SEEK_SET) != 0)
		fail(path);
	*size = (size_t)length;

	uint8_t *data = checked(malloc(*size ? *size : 1));

	if (fread(data, 1, *size, file) != *size)
		fail(path);
	fclose(file);
	return data;
}

int main(int argc, char **argv)
{
	struct paths paths = { NULL, 0 };

	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	for (int i = 1; i < argc; i++) {
		if (is_directory(argv[i]))
			paths_add_directory(&paths, argv[i]);
		else
			paths_add(&paths, checked(strdup(argv[i])));
	}
	if (paths.count == 0) {
		fprintf(stderr, "usage: %s FILE|DIRECTORY...\n", argv[0]);
		return 2;
	}
	printf("1..%zu\n", paths.count);
	for (size_t i = 0; i < paths.count; i++) {
		const char *slash = strrchr(paths.items[i], '/');
		size_t size;
		uint8_t *data = read_file(paths.items[i], &size);

		LLVMFuzzerTestOneInput(data, size);
		printf("ok %zu - %s\n", i + 1, slash ? slash + 1 : paths.items[i]);
		free(data);
		free(paths.items[i]);
	}
	free(paths.items);
	return 0;
}
