/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names in debug information are put into a table by their last components, unit by unit, until
 * one of them turns out to be the file that is asked for: its last component equals the
 * last component of the path as asked for or as resolved, and it resolves to the same.
 */
#include "cmds/source/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cli/complaint.h"
#include "profile/common/desc.h"
#include "profile/common/heap.h"
#include "writer/origin.h"

enum {
	MOST_NAMES = 1 << 20, /* a damaged file shall not fill the memory */
	MOST_TOLD = 10,       /* files refused that have a line each */
};

/* -- folders and files ---------------------------------------------------------------------- */

/* A path with all links and ".." resolved, if anything is there. */
static void add_resolved(struct dictionary *list, const char *path)
{
	char *resolved = realpath(path, NULL);

	if (resolved)
		dictionary_intern(list, resolved, strlen(resolved));
	free(resolved);
}

/* A folder that no option names; "/" would be everything. */
static void add_usual(struct read_policy *policy, const char *path)
{
	char *resolved = realpath(path, NULL);

	if (resolved && strcmp(resolved, "/") != 0)
		dictionary_intern(&policy->folders, resolved, strlen(resolved));
	free(resolved);
}

static void add_maps(struct read_policy *policy)
{
	const struct pathmap *paths = &policy->rules->paths;

	for (size_t i = 0; i < paths->n; i++) {
		size_t len;
		const char *text = pathmap_new(paths, i, &len);
		char *folder = heap_copy_part(text, len);

		/* What OLD is cut off from is below the working directory. */
		if (len > 0)
			add_resolved(&policy->folders, folder);
		free(folder);
	}
}

void read_policy_init(struct read_policy *policy, const struct searchpath *path,
		      struct name_rules *rules)
{
	struct dictionary *const lists[] = { &policy->folders,  &policy->files,  &policy->names,
					     &policy->bases,    &policy->judged, &policy->refused,
					     &policy->programs, &policy->scripts };
	char cache[PATH_MAX];

	*policy = (struct read_policy){
		.directories = path->directories,
		.n_directories = path->n_directories,
		.objects = &path->objects,
		.rules = rules,
	};
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		dictionary_init(lists[i]);
	add_usual(policy, ".");
	for (size_t i = 0; i < path->n_directories; i++)
		add_resolved(&policy->folders, path->directories[i]);
	if (rules)
		add_maps(policy);
	for (size_t i = 0; i < DEBUGINFOD_CACHES; i++)
		if (debuginfod_cache(i, cache, sizeof(cache)))
			add_usual(policy, cache);
}

void read_policy_release(struct read_policy *policy)
{
	dictionary_release(&policy->folders);
	dictionary_release(&policy->files);
	dictionary_release(&policy->scripts);
	dictionary_release(&policy->programs);
	dictionary_release(&policy->names);
	dictionary_release(&policy->bases);
	dictionary_release(&policy->judged);
	dictionary_release(&policy->refused);
	objectfile_free(policy->object);
	free(policy->candidates);
	free(policy->by_name);
	free(policy->heads);
	free(policy->verdicts);
	free(policy->reasons);
}

void read_policy_add_file(struct read_policy *policy, const char *path)
{
	add_resolved(&policy->files, path);
}

/* True if a resolved path is below a folder. */
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
	const char *value = part_desc_of(&part->header, ORIGIN_DESC);
	const char *program = part_desc_of(&part->header, "Program");
	char seal[ORIGIN_SEAL];

	if (!value || strlen(value) <= ORIGIN_SEAL || value[ORIGIN_DIGITS] != ' ' ||
	    !is_owned(part))
		return NULL;
	origin_seal(key, geteuid(), value + ORIGIN_SEAL, program ? program : "", seal);
	return strncmp(seal, value, ORIGIN_DIGITS) == 0 ? value + ORIGIN_SEAL : NULL;
}

/* The program of a part, by its desc line; NULL if that does not say which build. */
static const char *find_program(const struct model_part *part)
{
	const char *value = part_desc_of(&part->header, "Program");
	const char *path = value ? strchr(value, ' ') : NULL;

	return path && strncmp(value, "none ", 5) != 0 ? path + 1 : NULL;
}

/* Own ones come before all others, so that a name that both have is an own one. */
static void add_candidate(struct read_policy *policy, const struct read_policy_object *object)
{
	size_t n = policy->n_candidates, to = n;

	policy->candidates = heap_grow(policy->candidates, &policy->candidates_capacity, n + 1,
				       sizeof(*policy->candidates));
	while (object->is_own && to > 0 && !policy->candidates[to - 1].is_own)
		to--;
	memmove(policy->candidates + to + 1, policy->candidates + to, (n - to) * sizeof(*object));
	policy->candidates[to] = *object;
	policy->n_candidates++;
}

/* One that is named by these len bytes, in a folder; false if there is none. */
static bool add_program(struct read_policy *policy, const struct model *model, const char *folder,
			const char *path, size_t len)
{
	size_t folder_len = path[0] == '/' ? 0 : strlen(folder), n = policy->programs.count;
	char name[PATH_MAX], *resolved;
	struct stat status;
	uint32_t key;

	if (folder_len + len >= sizeof(name))
		return false;
	memcpy(name, folder, folder_len);
	memcpy(name + folder_len, path, len);
	name[folder_len + len] = '\0';
	if (stat(name, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	resolved = realpath(name, NULL);
	if (!resolved)
		return false;
	key = dictionary_intern(&policy->programs, resolved, strlen(resolved));
	free(resolved);
	if (key == n)
		add_candidate(policy,
			      &(struct read_policy_object){
				      .model = model,
				      .number = DICTIONARY_UNKNOWN,
				      .program = dictionary_name(&policy->programs, key).text,
			      });
	return true;
}

/*
 * The program of a cmd line, which has a path: from where the profile is, where most have run, or from
 * the working directory.  Cachegrind writes blanks as they are, so that the path may end at any.
 */
static void add_command(struct read_policy *policy, const struct model *model,
			const struct model_part *part)
{
	const char *cmd = part->header.cmd ? part->header.cmd : "", *end = cmd;
	const char *slash = part->file ? strrchr(part->file, '/') : NULL;
	size_t folder_len = slash ? (size_t)(slash + 1 - part->file) : 0;
	char folder[PATH_MAX];

	if (folder_len >= sizeof(folder))
		return;
	if (folder_len > 0)
		memcpy(folder, part->file, folder_len);
	folder[folder_len] = '\0';
	do {
		size_t len;

		end += strcspn(end, " ");
		len = (size_t)(end - cmd);
		if (memchr(cmd, '/', len) && (add_program(policy, model, folder, cmd, len) ||
					      add_program(policy, model, "", cmd, len)))
			return;
		end += strspn(end, " ");
	} while (*end != '\0');
}

/* The files that a cmd line names after the program, from the folder that it ran in. */
static void add_scripts(struct read_policy *policy, const struct model_part *part,
			const char *folder)
{
	const char *word = part->header.cmd ? part->header.cmd : "", *end;

	for (word += strcspn(word, " "); *word != '\0'; word = end) {
		char path[PATH_MAX];
		struct stat status;
		int len;

		word += strspn(word, " ");
		end = word + strcspn(word, " ");
		len = snprintf(path, sizeof(path), "%s/%.*s", word[0] == '/' ? "" : folder,
			       (int)(end - word), word);
		if (end > word && len > 0 && (size_t)len < sizeof(path) &&
		    stat(path, &status) == 0 && S_ISREG(status.st_mode))
			add_resolved(&policy->scripts, path);
	}
}

void read_policy_add_profile(struct read_policy *policy, const struct model *model)
{
	unsigned char key[ORIGIN_KEY];
	bool has_key = read_key(key);
	uint32_t program = DICTIONARY_NONE;

	for (size_t i = 0; has_key && i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];
		const char *folder = find_folder(part, key);
		const char *path = folder ? find_program(part) : NULL;

		if (folder) {
			add_usual(policy, folder);
			add_scripts(policy, part, folder);
		}
		for (uint32_t j = 0; path && j < model->names[NAME_OBJECT].count; j++)
			if (strcmp(path, model_name(model, NAME_OBJECT, j).text) == 0)
				program = j;
	}
	for (uint32_t i = 0; i < model->names[NAME_OBJECT].count; i++)
		if (i != DICTIONARY_UNKNOWN)
			add_candidate(policy,
				      &(struct read_policy_object){ .model = model,
								    .number = i,
								    .is_own = i == program });
	/* An object is looked for below the sysroot; what a cmd line names, nobody knows there. */
	for (size_t i = 0; !model->has_objects && !policy->objects->sysroot && i < model->n_parts;
	     i++)
		add_command(policy, model, &model->parts[i]);
}

/* -- names in debug information --------------------------------------------------------------- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void add_name(struct read_policy *policy, const char *name, size_t len)
{
	const char *base;
	size_t n_names = policy->names.count, n_bases = policy->bases.count;
	uint32_t key = dictionary_intern(&policy->names, name, len), of_base;

	if (key < n_names)
		return;
	/* Of the copy, which ends in a NUL. */
	base = base_of(dictionary_name(&policy->names, key).text);
	of_base = dictionary_intern(&policy->bases, base, strlen(base));
	policy->by_name = heap_grow(policy->by_name, &policy->by_name_capacity, key + 1,
				    sizeof(*policy->by_name));
	policy->heads = heap_grow(policy->heads, &policy->heads_capacity, of_base + 1,
				  sizeof(*policy->heads));
	if (of_base == n_bases)
		policy->heads[of_base] = DICTIONARY_NONE;
	policy->by_name[key] = (struct read_policy_name){
		.next = policy->heads[of_base],
		.is_own = policy->object_is_own,
	};
	policy->heads[of_base] = key;
}

/* One that is not absolute is below the working directory, or means nothing here. */
static bool note_name(void *ctx, const char *name)
{
	struct read_policy *policy = ctx;
	struct profile_error error;
	size_t len = strlen(name);

	if (policy->names.count >= MOST_NAMES)
		return true;
	if (policy->rules)
		name_rules_apply(policy->rules, NAME_FILE, &name, &len, &error);
	if (len > 0 && name[0] == '/')
		add_name(policy, name, len);
	return true;
}

static void open_candidate(struct read_policy *policy)
{
	const struct read_policy_object *object = &policy->candidates[policy->next++];
	const char *name = object->program
				   ? object->program
				   : model_name(object->model, NAME_OBJECT, object->number).text;
	struct objectfile_options options = *policy->objects;
	char build[MODEL_BUILD];
	bool is_known = model_build(object->model, name, build);

	options.only_lines = true;
	options.fetcher = NULL; /* only to allow what is here */
	if (objectfile_open(&policy->object, name, is_known ? build : NULL, &options))
		return;
	policy->object_is_own = object->is_own;
	if (objectfile_is_safe(policy->object) &&
	    model_has_build(object->model, name, objectfile_build_id(policy->object)))
		return;
	objectfile_free(policy->object);
	policy->object = NULL;
}

/* Reads names of one more unit; false if there is none. */
static bool read_more(struct read_policy *policy)
{
	for (;;) {
		if (!policy->object) {
			if (policy->next == policy->n_candidates)
				return false;
			open_candidate(policy);
			continue;
		}
		if (objectfile_next_unit(policy->object, note_name, policy))
			return true;
		objectfile_free(policy->object);
		policy->object = NULL;
	}
}

/* -- sources from servers ------------------------------------------------------------------- */

/* True if a function of the object is in a file of this name. */
static bool has_file(const struct read_policy_object *object, const char *name)
{
	const struct model *model = object->model;
	uint32_t file = dictionary_find(&model->names[NAME_FILE], name, strlen(name));

	for (size_t i = 0; file != DICTIONARY_NONE && i < model->n_functions; i++)
		if (model->functions[i].object == object->number &&
		    model->functions[i].file == file)
			return true;
	return false;
}

char *read_policy_fetch(struct read_policy *policy, const char *name)
{
	struct fetcher *fetcher = policy->objects->fetcher;
	bool any = true, is_asked = false;

	if (!fetcher)
		return NULL;
	if (name[0] != '/') { /* servers know absolute paths only */
		fetcher_pass(fetcher, name);
		return NULL;
	}
	for (size_t i = 0; i < policy->n_candidates; i++)
		any = any && !has_file(&policy->candidates[i], name);
	for (size_t i = 0; i < policy->n_candidates; i++) {
		const struct read_policy_object *object = &policy->candidates[i];
		char build[MODEL_BUILD], *path;

		if ((!any && !has_file(object, name)) ||
		    !model_build(object->model,
				 model_name(object->model, NAME_OBJECT, object->number).text,
				 build))
			continue;
		is_asked = true;
		path = fetcher_get(fetcher, FETCHED_SOURCE, build, name);
		if (path) {
			read_policy_add_file(policy, path); /* the cache may be new */
			return path;
		}
	}
	if (!is_asked)
		fetcher_pass(fetcher, name);
	return NULL;
}

/* What is asked for, and which names were compared with it. */
struct question {
	const char *resolved;
	const char *bases[2]; /* last components; the second one may be NULL */
	uint32_t compared[2]; /* by base: the name before which all were; or DICTIONARY_NONE */
	bool needs_own;       /* only what an own object names counts */
	bool is_named;        /* by some object */
};

static bool is_same_file(const char *name, const char *resolved)
{
	char *other = realpath(name, NULL);
	bool is_same = other && strcmp(other, resolved) == 0;

	free(other);
	return is_same;
}

/* Compares the names that were not compared before. */
static bool is_answered(struct read_policy *policy, struct question *question, size_t which)
{
	const char *base = question->bases[which];
	uint32_t of_base = base ? dictionary_find(&policy->bases, base, strlen(base))
				: DICTIONARY_NONE;
	uint32_t head = of_base == DICTIONARY_NONE ? DICTIONARY_NONE : policy->heads[of_base];

	for (uint32_t i = head; i != question->compared[which]; i = policy->by_name[i].next) {
		if (!is_same_file(dictionary_name(&policy->names, i).text, question->resolved))
			continue;
		question->is_named = true;
		if (!question->needs_own || policy->by_name[i].is_own)
			return true;
	}
	question->compared[which] = head;
	return false;
}

/* True if only its owner may read a file, or root for all others. */
static bool is_private(const struct stat *status)
{
	/* Root owns what is everybody's: of its files, the group's are secrets like /etc/shadow. */
	mode_t others = status->st_uid == geteuid() && status->st_uid != 0 ? S_IRGRP | S_IROTH
									   : S_IROTH;

	return !(status->st_mode & others);
}

static enum read_policy_verdict ask_objects(struct read_policy *policy, const char *path,
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
		if (is_answered(policy, &question, 0) || is_answered(policy, &question, 1))
			return READ_POLICY_FINE;
	} while (read_more(policy));
	return question.is_named ? READ_POLICY_PRIVATE : READ_POLICY_UNNAMED;
}

/* True if all folders of a resolved path are root's, and everybody may go there. */
static bool is_public_way(const char *resolved)
{
	char folder[PATH_MAX];
	struct stat status;

	for (const char *slash = strchr(resolved + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		size_t len = (size_t)(slash - resolved);

		if (len >= sizeof(folder))
			return false;
		memcpy(folder, resolved, len);
		folder[len] = '\0';
		if (stat(folder, &status) != 0 || status.st_uid != 0 ||
		    !(status.st_mode & S_IXOTH) || (status.st_mode & S_IWOTH))
			return false;
	}
	return true;
}

/*
 * A module of Python that the system has installed: what is there for everybody, to be read as a source, is no
 * secret, and no debug information could name it.
 */
static bool is_installed_module(const char *resolved, const struct stat *status)
{
	static const char folder[] = "/usr/lib/python3";
	size_t len = strlen(resolved);
	const char *rest;

	if (status->st_uid != 0 || !(status->st_mode & S_IROTH) || len < 3 ||
	    strcmp(resolved + len - 3, ".py") != 0 ||
	    strncmp(resolved, folder, strlen(folder)) != 0)
		return false;
	rest = resolved + strlen(folder);
	return rest[strspn(rest, ".0123456789")] == '/' && is_public_way(resolved);
}

/* A script that a cmd line names, or a module next to one, which others may read, too. */
static bool is_script(const struct read_policy *policy, const char *resolved,
		      const struct stat *status)
{
	static const char python[] = ".py";
	const size_t len = strlen(resolved);

	if (is_private(status))
		return false;
	for (uint32_t i = 0; i < policy->scripts.count; i++) {
		const struct name script = dictionary_name(&policy->scripts, i);
		const size_t folder = (size_t)(base_of(script.text) - script.text);

		if (strcmp(script.text, resolved) == 0)
			return true;
		/* A script in "/" has everything below its folder. */
		if (folder > 1 && script.len > strlen(python) && len > strlen(python) &&
		    strcmp(script.text + script.len - strlen(python), python) == 0 &&
		    strcmp(resolved + len - strlen(python), python) == 0 &&
		    strncmp(script.text, resolved, folder) == 0)
			return true;
	}
	return false;
}

/* -- verdicts --------------------------------------------------------------------------------- */

enum read_policy_verdict read_policy_judge(struct read_policy *policy, const char *path,
					   const char *resolved, const struct stat *status)
{
	size_t n = policy->judged.count;
	uint32_t key;
	enum read_policy_verdict verdict;

	if (is_below(&policy->folders, resolved) || is_installed_module(resolved, status) ||
	    is_script(policy, resolved, status) ||
	    dictionary_find(&policy->files, resolved, strlen(resolved)) != DICTIONARY_NONE)
		return READ_POLICY_FINE;
	key = dictionary_intern(&policy->judged, path, strlen(path));
	if (key < n)
		return (enum read_policy_verdict)policy->verdicts[key];
	policy->verdicts = heap_grow(policy->verdicts, &policy->verdicts_capacity, key + 1, 1);
	verdict = ask_objects(policy, path, resolved, status);
	policy->verdicts[key] = (unsigned char)verdict;
	return verdict;
}

void read_policy_refuse(struct read_policy *policy, const char *resolved,
			enum read_policy_verdict reason)
{
	size_t n = policy->refused.count;
	uint32_t key = dictionary_intern(&policy->refused, resolved, strlen(resolved));

	policy->reasons = heap_grow(policy->reasons, &policy->reasons_capacity, key + 1, 1);
	if (key == n)
		policy->reasons[key] = (unsigned char)reason;
}

const char *read_policy_refused(const struct read_policy *policy, size_t i)
{
	if (i >= policy->refused.count)
		return NULL;
	return dictionary_name(&policy->refused, (uint32_t)i).text;
}

void read_policy_report(const struct read_policy *policy, const char *command, bool all)
{
	size_t n = policy->refused.count;
	size_t n_listed = !all && n > MOST_TOLD ? MOST_TOLD : n;

	for (uint32_t i = 0; i < n_listed; i++) {
		const char *path = dictionary_name(&policy->refused, i).text;
		const char *why = policy->reasons[i] == READ_POLICY_PRIVATE
					  ? "it is private, and only debug information names it"
					  : "no debug information here names it, and it is in no "
					    "folder of sources";
		size_t len = (size_t)(base_of(path) - path);

		warn(command, "%s: not read as a source: %s; --include=%.*s allows it", path, why,
		     (int)(len > 1 ? len - 1 : len), path);
	}
	if (n_listed < n)
		warn(command,
		     "%zu more files are not read as sources: --include=FOLDER allows those in it, "
		     "--verbose names them",
		     n - n_listed);
}
