/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/object/codeobject.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/cli/loader.h"
#include "profile/common/heap.h"
#include "profile/names/symbolname.h"
#include "writer/shared/d_name.h"

/* -- names of C++, Rust and D ------------------------------------------------------------------ */

/*
 * The C++ library is loaded when the first name has to be demangled: linked, each start of each command
 * would pay for it.
 */

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

/* The path that a mangled name of Rust means, without its hash; NULL if it is none. */
static char *demangle_rust(const char *mangled, size_t len)
{
	struct bytes path;
	char *name = NULL;

	if (len < 3 || (memcmp(mangled, "_R", 2) != 0 && memcmp(mangled, "_ZN", 3) != 0))
		return NULL;
	bytes_init(&path);
	symbolname_fold(mangled, len, SYMBOLNAME_HASHES, &path);
	if (path.len > 0 && path.text[0] != '_')
		name = heap_copy_part(path.text, path.len);
	bytes_release(&path);
	return name;
}

/* Of C++, by the library. */
static char *demangle_cplusplus(const char *mangled)
{
	demangle_function *function = strncmp(mangled, "_Z", 2) == 0 ? find_demangler() : NULL;
	int status;

	/* cppcheck-suppress returnDanglingLifetime ; the status is not in it */
	return function ? function(mangled, NULL, NULL, &status) : NULL;
}

char *demangle(const char *symbol)
{
	char *mangled, *name, *whole;
	size_t len, of_d;

	/* Most are of C. */
	if (!symbol || symbol[0] != '_' || !strchr("ZRD", symbol[1]))
		return NULL;
	of_d = d_name_length(symbol, strlen(symbol));
	len = of_d > 0 ? of_d : strcspn(symbol, "@");
	mangled = heap_copy_part(symbol, len);
	name = of_d > 0 ? dlang_demangle(mangled, 0) : demangle_rust(mangled, len);
	if (!name)
		name = demangle_cplusplus(mangled);
	free(mangled);
	if (!name || symbol[len] == '\0')
		return name;
	/* As Valgrind has it: "f(int) [clone .cold]". */
	whole = symbol[len] == '.' ? heap_print("%s [clone %s]", name, symbol + len)
				   : heap_print("%s%s", name, symbol + len);
	free(name);
	return whole;
}

/* -- objects ----------------------------------------------------------------------- */

void code_objects_init(struct code_objects *objects, const struct model *model)
{
	objects->model = model;
	objects->by_number = (void *)heap_zeroed(model->names[NAME_OBJECT].count + 1,
						 sizeof(struct code_object *));
}

static void free_object(struct code_object *object)
{
	if (!object)
		return;
	disassembly_free(object->text);
	objectfile_free(object->file);
	idtable_release(&object->names);
	free(object->entries);
	free(object);
}

void code_objects_release(struct code_objects *objects)
{
	for (size_t i = 0; objects->by_number && i < objects->model->names[NAME_OBJECT].count; i++)
		free_object(objects->by_number[i]);
	free((void *)objects->by_number);
	objects->by_number = NULL;
}

static void open_file(struct code_object *object, const struct code_objects *objects)
{
	char build[MODEL_BUILD];
	struct timespec modified;
	bool is_known;

	if (object->number == DICTIONARY_UNKNOWN) {
		object->wrong = "the profile does not say which object it is in";
		return;
	}
	is_known = model_build(objects->model, object->name, build);
	object->wrong = objectfile_open(&object->file, object->name, is_known ? build : NULL,
					objects->options);
	if (object->wrong)
		return;
	object->wrong =
		disassembly_open(&object->text, objectfile_machine(object->file), objects->syntax);
	/* Of one that is the same for sure, the time does not matter. */
	modified = objectfile_modified(object->file);
	object->is_stale = !(is_known && objectfile_build_id(object->file)[0] != '\0') &&
			   loaded_before(objects->oldest, &modified);
	if (!object->is_stale || !objects->refuses_stale)
		return;
	if (!object->wrong)
		disassembly_free(object->text);
	objectfile_free(object->file);
	object->text = NULL;
	object->file = NULL;
	object->wrong = "changed after the profile was made";
}

static int compare_entries(const void *a, const void *b)
{
	const struct code_entry *of_a = a, *of_b = b;

	if (of_a->address != of_b->address)
		return of_a->address < of_b->address ? -1 : 1;
	return (of_a->function > of_b->function) - (of_a->function < of_b->function);
}

/* True if one name of a function is better to show than another. */
static bool is_shorter(const struct model *model, uint32_t a, uint32_t b)
{
	size_t len_a = model_name(model, NAME_FUNCTION, model->functions[a].name).len;
	size_t len_b = model_name(model, NAME_FUNCTION, model->functions[b].name).len;

	return len_a < len_b;
}

static void list_entries(struct code_object *object, const struct model *model)
{
	size_t used = 0, capacity = 0;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		if (model->functions[i].object != object->number)
			continue;
		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line) && line.at.instr == 0)
			;
		if (line.at.instr == 0)
			continue;
		object->entries = heap_grow(object->entries, &capacity, object->n_entries + 1,
					    sizeof(*object->entries));
		object->entries[object->n_entries++] = (struct code_entry){ line.at.instr, i };
	}
	if (object->n_entries > 0)
		qsort(object->entries, object->n_entries, sizeof(*object->entries),
		      compare_entries);
	for (size_t i = 0; i < object->n_entries; i++) {
		struct code_entry *entry = &object->entries[i];
		struct code_entry *last = used > 0 ? &object->entries[used - 1] : NULL;

		if (!last || last->address != entry->address)
			object->entries[used++] = *entry;
		else if (is_shorter(model, entry->function, last->function))
			last->function = entry->function;
	}
	object->n_entries = used;
}

/* Names of stretches: the first function in each. */
static void list_names(struct code_object *object)
{
	for (size_t i = 0; i < object->n_entries; i++) {
		const struct code_entry *entry = &object->entries[i];
		struct code_stretch stretch = code_object_stretch(object, entry->address);

		if (idtable_get(&object->names, stretch.start) == IDTABLE_NONE)
			idtable_put(&object->names, stretch.start, entry->function);
	}
}

struct code_object *code_objects_get(struct code_objects *objects, uint32_t number)
{
	struct code_object *object = objects->by_number[number];

	if (object)
		return object;
	object = heap_zeroed(1, sizeof(*object));
	object->number = number;
	object->name = model_name(objects->model, NAME_OBJECT, number).text;
	idtable_init(&object->names);
	open_file(object, objects);
	list_entries(object, objects->model);
	list_names(object);
	objects->by_number[number] = object;
	return object;
}

void code_object_warn(const char *command, const struct code_object *object, const char *lost)
{
	static const char moved[] = LAUNCH_STABLE_FOLDER "/";

	/* "[kernel]" and its like never were files. */
	if (object->wrong && object->name[0] != '[')
		warn(command, "%s: %s%s: %s", object->name, object->wrong,
		     strncmp(object->name, moved, sizeof(moved) - 1) == 0
			     ? ", where run --stable had it (--keep=program leaves it where it is)"
			     : "",
		     lost);
	else if (object->is_stale)
		warn(command,
		     "%s: changed after the profile was made, so its code may not be what was "
		     "executed",
		     objectfile_path(object->file));
}

struct code_stretch code_object_stretch(const struct code_object *object, uint64_t address)
{
	struct code_stretch stretch = { .start = 0, .end = UINT64_MAX };
	struct object_symbol symbol;
	size_t next;

	if (object->file && objectfile_symbol(object->file, address, &symbol))
		return (struct code_stretch){ symbol.start, symbol.end, symbol.name };
	if (object->file)
		objectfile_gap(object->file, address, &stretch.start, &stretch.end);
	next = array_upto(object->entries, object->n_entries, sizeof(*object->entries),
			  offsetof(struct code_entry, address), address);
	if (next > 0 && object->entries[next - 1].address > stretch.start)
		stretch.start = object->entries[next - 1].address;
	if (next < object->n_entries && object->entries[next].address < stretch.end)
		stretch.end = object->entries[next].address;
	return stretch;
}

uint32_t code_object_function(const struct code_object *object, uint64_t start)
{
	uint32_t function = idtable_get(&object->names, start);

	return function == IDTABLE_NONE ? MODEL_NO_FUNCTION : function;
}

/* The function of an object that the profile shows under a symbol's name, which may be mangled. */
static uint32_t function_of_symbol(const struct code_object *object, const struct model *model,
				   const char *symbol)
{
	char *plain = demangle(symbol);
	const char *name = plain ? plain : symbol;
	const size_t len = strlen(name);
	uint32_t found = MODEL_NO_FUNCTION;

	for (uint32_t i = 0; i < model->n_functions && found == MODEL_NO_FUNCTION; i++) {
		const struct name shown =
			model_name(model, NAME_FUNCTION, model->functions[i].name);

		if (model->functions[i].object == object->number && shown.len == len &&
		    memcmp(shown.text, name, len) == 0)
			found = i;
	}
	free(plain);
	return found;
}

/* The profile's function that begins at an address, by an instruction there or by any of its names, from alias number i on. */
static uint32_t function_at(const struct code_object *object, const struct model *model, size_t i,
			    uint64_t start)
{
	uint32_t function = code_object_function(object, start);
	struct object_symbol symbol;

	if (function == MODEL_NO_FUNCTION && objectfile_symbol(object->file, start, &symbol))
		function = function_of_symbol(object, model, symbol.name);
	for (; function == MODEL_NO_FUNCTION && objectfile_alias(object->file, i, &symbol) &&
	       symbol.start == start;
	     i++)
		function = function_of_symbol(object, model, symbol.name);
	return function;
}

/* As is_wanted() of code_object_find_alias(), of a symbol. */
static bool takes_symbol(const char *symbol, uint32_t function,
			 bool (*is_wanted)(void *ctx, uint32_t function, struct name alias),
			 void *ctx)
{
	char *plain = demangle(symbol);
	const char *name = plain ? plain : symbol;
	const bool takes = is_wanted(ctx, function, (struct name){ name, strlen(name), 0 });

	free(plain);
	return takes;
}

uint32_t code_object_find_alias(const struct code_object *object, const struct model *model,
				bool (*is_wanted)(void *ctx, uint32_t function, struct name alias),
				void *ctx)
{
	uint64_t last = UINT64_MAX;
	uint32_t function = MODEL_NO_FUNCTION;
	struct object_symbol alias, first;

	for (size_t i = 0; object->file && objectfile_alias(object->file, i, &alias); i++) {
		if (alias.start != last) {
			last = alias.start;
			function = function_at(object, model, i, last);
			if (function != MODEL_NO_FUNCTION &&
			    objectfile_symbol(object->file, last, &first) &&
			    takes_symbol(first.name, function, is_wanted, ctx))
				return function;
		}
		if (function != MODEL_NO_FUNCTION &&
		    takes_symbol(alias.name, function, is_wanted, ctx))
			return function;
	}
	return MODEL_NO_FUNCTION;
}

bool code_object_is_nameless(const struct model *model, uint32_t function)
{
	struct name name = model_name(model, NAME_FUNCTION, model->functions[function].name);

	return name.len > 2 && memcmp(name.text, "0x", 2) == 0;
}

const char *code_object_name(const struct code_object *object, const struct model *model,
			     const struct code_stretch *stretch, size_t *len)
{
	uint32_t function = code_object_function(object, stretch->start);
	const char *symbol = stretch->symbol ? stretch->symbol : "";
	struct name name;

	*len = strlen(symbol);
	if (function == MODEL_NO_FUNCTION || (*len > 0 && code_object_is_nameless(model, function)))
		return symbol;
	name = model_name(model, NAME_FUNCTION, model->functions[function].name);
	/* "f'2", "f'main": only where the symbol says so, since names of C++ may have a quote. */
	if (*len > 0 && name.len > *len && memcmp(name.text, symbol, *len) == 0 &&
	    name.text[*len] == '\'')
		return symbol;
	*len = name.len;
	return name.text;
}

const char *code_object_copy_name(const struct code_object *object, const struct model *model,
				  const struct code_stretch *stretch, struct arena *arena)
{
	size_t len;
	const char *name = code_object_name(object, model, stretch, &len);
	/* The profile's names are as its writer has them. */
	char *plain = len > 0 && name == stretch->symbol ? demangle(name) : NULL;

	name = arena_copy(arena, plain ? plain : name, plain ? strlen(plain) : len);
	free(plain);
	return name;
}

const char *code_object_label(const struct code_object *object, const struct model *model,
			      uint64_t address, struct arena *arena)
{
	struct code_stretch stretch = code_object_stretch(object, address);
	struct object_symbol variable;
	const char *name = "", *symbol = stretch.symbol;
	char *label, *plain = NULL, offset[24] = "";
	uint64_t from = stretch.start;
	size_t len = 0;

	if (stretch.symbol) {
		name = code_object_name(object, model, &stretch, &len);
	} else if (object->file && objectfile_variable(object->file, address, &variable)) {
		name = symbol = variable.name;
		len = strlen(name);
		from = variable.start;
	}
	if (len == 0)
		return "";
	/* The profile's names are as its writer has them. */
	if (name == symbol)
		plain = demangle(symbol);
	if (plain) {
		name = plain;
		len = strlen(plain);
	}
	if (address > from)
		snprintf(offset, sizeof(offset), "+0x%" PRIx64, address - from);
	label = arena_alloc(arena, len + sizeof(offset), 1);
	memcpy(label, name, len);
	memcpy(label + len, offset, strlen(offset) + 1);
	free(plain);
	return label;
}
