/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/code/codesource.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/filename.h"
#include "profile/common/heap.h"

void code_sources_init(struct code_sources *sources, const struct model *model,
		       struct admission *admission, struct normal *normal)
{
	*sources = (struct code_sources){
		.model = model,
		.admission = admission,
		.normal = normal,
	};
	idtable_init(&sources->by_file, &heap_env);
	idtable_init(&sources->by_name, &heap_env);
	dictionary_init(&sources->names, &heap_env);
}

void code_sources_release(struct code_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		if (sources->sources[i].is_found)
			sourcetext_release(&sources->sources[i].text);
	free(sources->sources);
	sources->sources = NULL;
	sources->n = 0;
	if (!sources->model)
		return;
	idtable_release(&sources->by_file);
	idtable_release(&sources->by_name);
	dictionary_release(&sources->names);
}

static bool add(struct code_sources *sources, const char *name, uint32_t *place)
{
	struct code_source *source;

	if (!heap_reserve(&heap_env, (void **)&sources->sources, &sources->capacity, sources->n + 1,
			  sizeof(*sources->sources)))
		return false;
	*place = (uint32_t)sources->n;
	source = &sources->sources[sources->n++];
	*source = (struct code_source){ .name = name };
	if (!sources->admission)
		return true;
	source->is_found = sourcetext_find(&source->text, name, sources->admission);
	return source->is_found || errno != ENOMEM;
}

bool code_sources_file(struct code_sources *sources, uint32_t file, uint32_t *place)
{
	*place = idtable_get(&sources->by_file, file);
	if (*place != IDTABLE_NONE)
		return true;
	if (file == DICTIONARY_UNKNOWN) {
		*place = CODE_NO_SOURCE;
		return true;
	}
	return add(sources, model_name(sources->model, NAME_FILE, file).text, place) &&
	       idtable_put(&sources->by_file, file, *place);
}

/* The file of the profile that has the same name. */
static bool find_file(const struct code_sources *sources, const char *name, size_t len,
		      uint32_t *file)
{
	char *clean = malloc(len + 1);

	*file = DICTIONARY_NONE;
	if (!clean)
		return false;
	len = filename_clean(name, len, clean);
	*file = dictionary_find(&sources->model->names[NAME_FILE], clean, len);
	free(clean);
	return true;
}

bool code_sources_name(struct code_sources *sources, const char *name, uint32_t *place)
{
	uint32_t key = dictionary_intern(&sources->names, name, strlen(name)), file, shown = key;
	struct profile_error error;
	size_t len = strlen(name);

	if (key == DICTIONARY_NONE)
		return false;
	*place = idtable_get(&sources->by_name, key);
	if (*place != IDTABLE_NONE)
		return true;
	/* A name that has no normal form stays as it is; those of the profile have one. */
	if (sources->normal &&
	    normal_apply(sources->normal, NAME_FILE, &name, &len, &error) == PROFILE_OK)
		shown = dictionary_intern(&sources->names, name, len);
	if (shown == DICTIONARY_NONE || !find_file(sources, name, len, &file))
		return false;
	if (file != DICTIONARY_NONE && file != DICTIONARY_UNKNOWN) {
		if (!code_sources_file(sources, file, place))
			return false;
	} else if (!add(sources, dictionary_name(&sources->names, shown).text, place)) {
		return false;
	}
	return idtable_put(&sources->by_name, key, *place);
}

bool code_sources_learn(struct code_sources *sources, const char *name, uint32_t file)
{
	uint32_t key = dictionary_intern(&sources->names, name, strlen(name)), place;

	if (key == DICTIONARY_NONE)
		return false;
	if (idtable_get(&sources->by_name, key) != IDTABLE_NONE)
		return true;
	return code_sources_file(sources, file, &place) &&
	       (place == CODE_NO_SOURCE || idtable_put(&sources->by_name, key, place));
}
