/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks the file: whether it is stripped, has lines, or names a debug file that is not here; and dpkg's lists,
 * which package it is from.
 */
#include "cmds/object/lacking.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/object/objectfile.h"
#include "profile/common/heap.h"

/* -- packages ------------------------------------------------------------------------------ */

/* True if a list of dpkg's has a file; what is below /usr may have been packed as what is not. */
static bool has_line(const char *list, struct name path)
{
	static const char usr[] = "/usr";
	FILE *in = fopen(list, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;
	ssize_t len;

	while (in && !found && (len = getline(&line, &size, in)) > 0) {
		len -= line[len - 1] == '\n';
		for (size_t cut = 0; cut <= strlen(usr); cut += strlen(usr))
			found |= (size_t)len + cut == path.len &&
				 (cut == 0 || memcmp(path.text, usr, cut) == 0) &&
				 memcmp(line, path.text + cut, (size_t)len) == 0;
	}
	if (in)
		fclose(in);
	free(line);
	return found;
}

/* The package that has a file, "libc6"; to be freed, NULL if there is none. */
static char *find_package(struct name path)
{
	static const char lists[] = "/var/lib/dpkg/info/", end[] = ".list";
	DIR *folder = opendir(lists);
	struct dirent *entry;
	char *package = NULL;

	while (folder && !package && (entry = readdir(folder)) != NULL) {
		const size_t len = strlen(entry->d_name);
		char *list;

		if (len <= strlen(end) || strcmp(entry->d_name + len - strlen(end), end) != 0)
			continue;
		list = heap_print("%s%s", lists, entry->d_name);
		/* "libc6:amd64.list" */
		if (has_line(list, path))
			package =
				heap_copy_part(entry->d_name, strcspn(entry->d_name, ":") < len
								      ? strcspn(entry->d_name, ":")
								      : len - strlen(end));
		free(list);
	}
	if (folder)
		closedir(folder);
	return package;
}

char *lacking_package(struct name path)
{
	char *package = find_package(path), *debug;

	if (!package)
		return NULL;
	/* The one library whose package with debug symbols is older than the rule. */
	debug = heap_print("%s%s", package, strcmp(package, "libc6") == 0 ? "-dbg" : "-dbgsym");
	free(package);
	return debug;
}

/* -- advice -------------------------------------------------------------------------------- */

/* An address of code in an object that has no lines in the profile, of the function that costs most; 0 if none is known. */
static uint64_t lineless_address(const struct model *model, uint32_t object)
{
	uint64_t costs[PROFILE_MAX_EVENTS], most = 0, found = 0;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;
		uint64_t cost = 0, address = 0;

		if (model->functions[i].object != object ||
		    model->functions[i].file != DICTIONARY_UNKNOWN)
			continue;
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			model_self(model, i, part, costs);
			cost += costs[0];
		}
		model_lines(model, i, 0, &cursor);
		while (address == 0 && model_next_line(&cursor, &line))
			address = line.at.instr;
		if (address != 0 && cost >= most) {
			most = cost;
			found = address;
		}
	}
	return found;
}

/* Of a file that has tables of lines, but none for some of its code in the profile. */
static char *advise_lines(struct objectfile *file, uint64_t address)
{
	const char *source;
	uint64_t line;

	return address != 0 && objectfile_line(file, address, &source, &line)
		       ? heap_copy(
				 "it has debug information that the run did not read: run it again")
		       : heap_copy("compile this part of it with -g, too, and run it again");
}

static char *advise(struct objectfile *file, const struct model *model, uint32_t object,
		    enum lacking what)
{
	struct objectfile_holdings holdings;
	char *package, *advice;

	objectfile_hold(file, &holdings);
	if (what == LACKS_LINES && holdings.has_lines)
		return advise_lines(file, lineless_address(model, object));
	if (what == LACKS_NAMES && holdings.has_symbols)
		return heap_copy("its symbol table leaves this code out");
	package = lacking_package(model_name(model, NAME_OBJECT, object));
	if (package)
		advice =
			heap_print("install %s, or set DEBUGINFOD_URLS, and run it again", package);
	else if (holdings.missing_link)
		advice = heap_print(
			"its debug file %.100s is not here: put it next to the file, or below "
			"/usr/lib/debug, or set DEBUGINFOD_URLS, and run it again",
			holdings.missing_link);
	else if (what == LACKS_NAMES)
		advice = heap_copy("it is stripped: keep its symbols (no -s, no strip), and run it "
				   "again");
	/* It may have been compiled with -g. */
	else if (!holdings.has_symbols)
		advice = heap_copy(
			"it is stripped: keep its debug information (-g, no -s, no strip), "
			"and run it again");
	else
		advice = heap_copy("it has no debug information: compile it with -g, keep that (no "
				   "strip), and run it again");
	free(package);
	return advice;
}

char *lacking_advice(const struct model *model, uint32_t object, enum lacking what)
{
	const struct objectfile_options options = { .only_lines = true };
	const char *name = model_name(model, NAME_OBJECT, object).text;
	char build[MODEL_BUILD], *advice;
	struct objectfile *file;
	bool is_known;

	if (object == DICTIONARY_UNKNOWN || name[0] != '/')
		return NULL;
	is_known = model_build(model, name, build);
	if (objectfile_open(&file, name, is_known ? build : NULL, &options))
		return NULL;
	/* If one has a build-id and the other has not, the file may be any other one. */
	advice = is_known == (objectfile_build_id(file)[0] != '\0')
			 ? advise(file, model, object, what)
			 : NULL;
	objectfile_free(file);
	return advice;
}
