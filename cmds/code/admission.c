/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names in debug information are put into a table by their last components, unit by unit, until
 * one of them turns out to be the file that is asked for: its last component is that of the
 * path as asked for or resolved, and it resolves to the same.
 */
#include "cmds/code/admission.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/common/complaint.h"
#include "profile/common/heap.h"
#include "writer/origin.h"

enum {
	MOST_NAMES = 1 << 20, /* a damaged file shall not fill the memory */
	MOST_TOLD = 10,       /* files refused that have a line each */
};

/* -- folders and files ---------------------------------------------------------------------- */

/* The path with all links and ".." resolved, to be freed; NULL if nothing is there. */
static char *resolve(struct admission *admission, const char *path)
{
	char *resolved = realpath(path, NULL);

	admission->failed |= !resolved && errno == ENOMEM;
	return resolved;
}

static void add_path(struct admission *admission, struct dictionary *list, const char *path)
{
	if (dictionary_intern(list, path, strlen(path)) == DICTIONARY_NONE)
		admission->failed = true;
}

static void add_resolved(struct admission *admission, struct dictionary *list, const char *path)
{
	char *resolved = resolve(admission, path);

	if (resolved)
		add_path(admission, list, resolved);
	free(resolved);
}

/* A folder that no option names; "/" would be everything. */
static void add_usual(struct admission *admission, const char *path)
{
	char *resolved = resolve(admission, path);

	if (resolved && strcmp(resolved, "/") != 0)
		add_path(admission, &admission->folders, resolved);
	free(resolved);
}

static void add_maps(struct admission *admission)
{
	const struct pathmap *paths = &admission->rules->paths;

	for (size_t i = 0; i < paths->n; i++) {
		size_t len;
		const char *text = pathmap_new(paths, i, &len);
		char *folder = strndup(text, len);

		admission->failed |= !folder;
		/* What OLD is cut off from is below the working directory. */
		if (folder && len > 0)
			add_resolved(admission, &admission->folders, folder);
		free(folder);
	}
}

void admission_init(struct admission *admission, const struct searchpath *path,
		    struct name_rules *rules)
{
	struct dictionary *const lists[] = { &admission->folders, &admission->files,
					     &admission->names,   &admission->bases,
					     &admission->judged,  &admission->refused };
	char cache[PATH_MAX];

	*admission = (struct admission){
		.directories = path->directories,
		.n_directories = path->n_directories,
		.objects = &path->objects,
		.rules = rules,
	};
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		dictionary_init(lists[i], &heap_env);
	add_usual(admission, ".");
	for (size_t i = 0; i < path->n_directories; i++)
		add_resolved(admission, &admission->folders, path->directories[i]);
	if (rules)
		add_maps(admission);
	for (size_t i = 0; i < SEARCHPATH_FETCHED; i++)
		if (searchpath_fetched(i, cache, sizeof(cache)))
			add_usual(admission, cache);
}

void admission_release(struct admission *admission)
{
	dictionary_release(&admission->folders);
	dictionary_release(&admission->files);
	dictionary_release(&admission->names);
	dictionary_release(&admission->bases);
	dictionary_release(&admission->judged);
	dictionary_release(&admission->refused);
	objectfile_free(admission->object);
	free(admission->candidates);
	free(admission->by_name);
	free(admission->heads);
	free(admission->verdicts);
	free(admission->reasons);
}

void admission_add_file(struct admission *admission, const char *path)
{
	add_resolved(admission, &admission->files, path);
}

/* Whether a resolved path is below a folder. */
static bool is_below(const struct dictionary *folders, const char *path)
{
	size_t len = strlen(path);

	for (uint32_t i = 0; i < folders->count; i++) {
		struct name folder = dictionary_name(folders, i);

		if (folder.len == 1 || (len > folder.len && path[folder.len] == '/' &&
					memcmp(path, folder.text, folder.len) == 0))
			return true;
	}
	return false;
}

/* -- profiles that were made here ------------------------------------------------------------- */

static bool read_key(unsigned char key[ORIGIN_KEY])
{
	for (size_t i = 0; i < N_ORIGIN_FILES; i++) {
		int fd = open(origin_files[i], O_RDONLY | O_CLOEXEC | O_NOCTTY);
		char text[64];
		ssize_t len = fd >= 0 ? read(fd, text, sizeof(text)) : 0;

		if (fd >= 0)
			close(fd);
		if (len > 0 && origin_key(text, (size_t)len, key))
			return true;
	}
	return false;
}

static const char *find_desc(const struct part *part, const char *type)
{
	for (size_t i = 0; i < part->n_descs; i++)
		if (strcmp(part->descs[i].type, type) == 0)
			return part->descs[i].value;
	return "";
}

/* The file of a part is the user's own; not, if it was read from a pipe. */
static bool is_owned(const struct model_part *part)
{
	struct stat status;

	if (!part->file)
		return false;
	if ((strcmp(part->file, "-") == 0 ? fstat(STDIN_FILENO, &status)
					  : stat(part->file, &status)) != 0)
		return false;
	return S_ISREG(status.st_mode) && status.st_uid == geteuid();
}

/* The folder that a part was made in, if that was here and by this user; else NULL. */
static const char *find_folder(const struct model_part *part, const unsigned char key[ORIGIN_KEY])
{
	const char *value = find_desc(&part->header, ORIGIN_DESC);
	char seal[ORIGIN_SEAL];

	if (strlen(value) <= ORIGIN_SEAL || value[ORIGIN_DIGITS] != ' ' || !is_owned(part))
		return NULL;
	origin_seal(key, geteuid(), value + ORIGIN_SEAL, find_desc(&part->header, "Program"), seal);
	return strncmp(seal, value, ORIGIN_DIGITS) == 0 ? value + ORIGIN_SEAL : NULL;
}

/* The program of a part, by its desc line; NULL if that does not say which build. */
static const char *find_program(const struct model_part *part)
{
	const char *value = find_desc(&part->header, "Program");
	const char *path = strchr(value, ' ');

	return path && strncmp(value, "none ", 5) != 0 ? path + 1 : NULL;
}

/* Own ones stand before all others, so that a name that both have is an own one. */
static void add_candidate(struct admission *admission, const struct admission_object *object)
{
	size_t n = admission->n_candidates, to = n;

	if (!heap_reserve(&heap_env, (void **)&admission->candidates,
			  &admission->candidates_capacity, n + 1, sizeof(*admission->candidates))) {
		admission->failed = true;
		return;
	}
	while (object->is_own && to > 0 && !admission->candidates[to - 1].is_own)
		to--;
	memmove(admission->candidates + to + 1, admission->candidates + to,
		(n - to) * sizeof(*object));
	admission->candidates[to] = *object;
	admission->n_candidates++;
}

void admission_add_profile(struct admission *admission, const struct model *model)
{
	unsigned char key[ORIGIN_KEY];
	bool has_key = read_key(key);
	uint32_t program = DICTIONARY_NONE;

	for (size_t i = 0; has_key && i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];
		const char *folder = find_folder(part, key);
		const char *path = folder ? find_program(part) : NULL;

		if (folder)
			add_usual(admission, folder);
		for (uint32_t j = 0; path && j < model->names[NAME_OBJECT].count; j++)
			if (strcmp(path, model_name(model, NAME_OBJECT, j).text) == 0)
				program = j;
	}
	for (uint32_t i = 0; i < model->names[NAME_OBJECT].count; i++)
		if (i != DICTIONARY_UNKNOWN)
			add_candidate(admission,
				      &(struct admission_object){ model, i, i == program });
}

/* -- names in debug information --------------------------------------------------------------- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool add_name(struct admission *admission, const char *name, size_t len)
{
	const char *base;
	size_t n_names = admission->names.count, n_bases = admission->bases.count;
	uint32_t key = dictionary_intern(&admission->names, name, len), of_base;

	if (key == DICTIONARY_NONE)
		return false;
	if (key < n_names)
		return true;
	/* Of the copy, which has a NUL behind it. */
	base = base_of(dictionary_name(&admission->names, key).text);
	of_base = dictionary_intern(&admission->bases, base, strlen(base));
	if (of_base == DICTIONARY_NONE ||
	    !heap_reserve(&heap_env, (void **)&admission->by_name, &admission->by_name_capacity,
			  key + 1, sizeof(*admission->by_name)) ||
	    !heap_reserve(&heap_env, (void **)&admission->heads, &admission->heads_capacity,
			  of_base + 1, sizeof(*admission->heads)))
		return false;
	if (of_base == n_bases)
		admission->heads[of_base] = DICTIONARY_NONE;
	admission->by_name[key] = (struct admission_name){
		.next = admission->heads[of_base],
		.is_own = admission->object_is_own,
	};
	admission->heads[of_base] = key;
	return true;
}

/* One that is not absolute is below the working directory, or means nothing here. */
static bool note_name(void *ctx, const char *name)
{
	struct admission *admission = ctx;
	struct profile_error error;
	size_t len = strlen(name);

	if (admission->names.count >= MOST_NAMES)
		return true;
	if (admission->rules &&
	    name_rules_apply(admission->rules, NAME_FILE, &name, &len, &error) == PROFILE_NO_MEMORY)
		admission->failed = true;
	if (len == 0 || name[0] != '/')
		return true;
	if (!add_name(admission, name, len))
		admission->failed = true;
	return !admission->failed;
}

static void open_candidate(struct admission *admission)
{
	const struct admission_object *object = &admission->candidates[admission->next++];
	const char *name = model_name(object->model, NAME_OBJECT, object->number).text;
	struct objectfile_options options = *admission->objects;
	char build[MODEL_BUILD];
	bool is_known = model_build(object->model, name, build);
	const char *wrong;

	options.only_lines = true;
	wrong = objectfile_open(&admission->object, name, is_known ? build : NULL, &options);
	if (wrong) {
		admission->failed |= strcmp(wrong, "out of memory") == 0;
		return;
	}
	admission->object_is_own = object->is_own;
	if (objectfile_is_safe(admission->object) &&
	    model_has_build(object->model, name, objectfile_build_id(admission->object)))
		return;
	objectfile_free(admission->object);
	admission->object = NULL;
}

/* Reads names of one more unit; false if there is none. */
static bool read_more(struct admission *admission)
{
	for (;;) {
		if (admission->failed)
			return false;
		if (!admission->object) {
			if (admission->next == admission->n_candidates)
				return false;
			open_candidate(admission);
			continue;
		}
		if (objectfile_next_unit(admission->object, note_name, admission))
			return true;
		admission->failed |= objectfile_failed(admission->object);
		objectfile_free(admission->object);
		admission->object = NULL;
	}
}

/* What is asked for, and which names were compared with it. */
struct question {
	const char *resolved;
	const char *bases[2]; /* last components; the second one may be NULL */
	uint32_t compared[2]; /* by base: the name before which all were; or DICTIONARY_NONE */
	bool needs_own;       /* only what an own object names counts */
	bool is_named;        /* by some object */
};

static bool is_same_file(struct admission *admission, const char *name, const char *resolved)
{
	char *other = resolve(admission, name);
	bool is_same = other && strcmp(other, resolved) == 0;

	free(other);
	return is_same;
}

/* Compares the names that were not compared before. */
static bool is_answered(struct admission *admission, struct question *question, size_t which)
{
	const char *base = question->bases[which];
	uint32_t of_base = base ? dictionary_find(&admission->bases, base, strlen(base))
				: DICTIONARY_NONE;
	uint32_t head = of_base == DICTIONARY_NONE ? DICTIONARY_NONE : admission->heads[of_base];

	for (uint32_t i = head; i != question->compared[which]; i = admission->by_name[i].next) {
		if (!is_same_file(admission, dictionary_name(&admission->names, i).text,
				  question->resolved))
			continue;
		question->is_named = true;
		if (!question->needs_own || admission->by_name[i].is_own)
			return true;
	}
	question->compared[which] = head;
	return false;
}

/* Whether only its owner may read a file, or root for all others. */
static bool is_private(const struct stat *status)
{
	/* Root owns what is everybody's: of its files, the group's are secrets like /etc/shadow. */
	mode_t others = status->st_uid == geteuid() && status->st_uid != 0 ? S_IRGRP | S_IROTH
									   : S_IROTH;

	return !(status->st_mode & others);
}

static enum admission_verdict ask_objects(struct admission *admission, const char *path,
					  const char *resolved, const struct stat *status)
{
	struct question question = {
		.resolved = resolved,
		.bases = { base_of(resolved), base_of(path) },
		.compared = { DICTIONARY_NONE, DICTIONARY_NONE },
		.needs_own = is_private(status),
	};

	if (strcmp(question.bases[0], question.bases[1]) == 0)
		question.bases[1] = NULL;
	do {
		if (is_answered(admission, &question, 0) || is_answered(admission, &question, 1))
			return ADMISSION_FINE;
	} while (read_more(admission));
	if (admission->failed)
		return ADMISSION_FAILED;
	return question.is_named ? ADMISSION_PRIVATE : ADMISSION_UNNAMED;
}

/* -- verdicts ----------------------------------------------------------------------------------- */

enum admission_verdict admission_judge(struct admission *admission, const char *path,
				       const char *resolved, const struct stat *status)
{
	size_t n = admission->judged.count;
	uint32_t key;
	enum admission_verdict verdict;

	if (admission->failed)
		return ADMISSION_FAILED;
	if (is_below(&admission->folders, resolved) ||
	    dictionary_find(&admission->files, resolved, strlen(resolved)) != DICTIONARY_NONE)
		return ADMISSION_FINE;
	key = dictionary_intern(&admission->judged, path, strlen(path));
	if (key != DICTIONARY_NONE && key < n)
		return (enum admission_verdict)admission->verdicts[key];
	if (key == DICTIONARY_NONE || !heap_reserve(&heap_env, (void **)&admission->verdicts,
						    &admission->verdicts_capacity, key + 1, 1)) {
		admission->failed = true;
		return ADMISSION_FAILED;
	}
	verdict = ask_objects(admission, path, resolved, status);
	admission->verdicts[key] = (unsigned char)verdict;
	return verdict;
}

void admission_refuse(struct admission *admission, const char *resolved,
		      enum admission_verdict reason)
{
	size_t n = admission->refused.count;
	uint32_t key = dictionary_intern(&admission->refused, resolved, strlen(resolved));

	if (key == DICTIONARY_NONE || !heap_reserve(&heap_env, (void **)&admission->reasons,
						    &admission->reasons_capacity, key + 1, 1)) {
		admission->failed = true;
		return;
	}
	if (key == n)
		admission->reasons[key] = (unsigned char)reason;
}

const char *admission_refused(const struct admission *admission, size_t i)
{
	if (i >= admission->refused.count)
		return NULL;
	return dictionary_name(&admission->refused, (uint32_t)i).text;
}

void admission_tell(const struct admission *admission, const char *command, bool all)
{
	size_t n = admission->refused.count;
	size_t told = !all && n > MOST_TOLD ? MOST_TOLD : n;

	for (uint32_t i = 0; i < told; i++) {
		const char *path = dictionary_name(&admission->refused, i).text;
		const char *why = admission->reasons[i] == ADMISSION_PRIVATE
					  ? "it is private, and only debug information names it"
					  : "no debug information here names it, and it is in no "
					    "folder of sources";
		size_t len = (size_t)(base_of(path) - path);

		warn(command, "%s: not read as a source: %s; --include=%.*s allows it", path, why,
		     (int)(len > 1 ? len - 1 : len), path);
	}
	if (told < n)
		warn(command,
		     "%zu more files are not read as sources: --include=FOLDER allows those in it, "
		     "--verbose names them",
		     n - told);
}
