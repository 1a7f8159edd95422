/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The members of a struct are read after it has its number, one struct after the other: types that point to each
 * other are no loop, and how deep they are does not matter.
 */
#include "cmds/types/dwarftypes.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum {
	MOST_LINKS =
		64, /* from a type to what it is made of: pointers to pointers, typedefs of typedefs */
	MOST_MEMBERS = 4096, /* of a struct; others are left out */
	NO_NAME = 0,         /* in name_of_place; the others are keys + 1 */
};

void dwarftypes_init(struct dwarftypes *types, struct typetable *table)
{
	memset(types, 0, sizeof(*types));
	types->table = table;
	dictionary_init(&types->names, &heap_env);
	dictionary_init(&types->places, &heap_env);
	bytes_init(&types->text, &heap_env);
}

void dwarftypes_release(struct dwarftypes *types)
{
	dictionary_release(&types->names);
	dictionary_release(&types->places);
	bytes_release(&types->text);
	free(types->definitions);
	free(types->is_defined);
	free(types->of_place);
	free(types->name_of_place);
	free(types->unread);
}

/* -- places ---------------------------------------------------------------------------------- */

/* The key of where a DIE is; DICTIONARY_NONE if memory ran out. */
static uint32_t place_of(struct dwarftypes *types, const Dwarf_Die *die)
{
	const struct dictionary *places = &types->places;
	size_t before = places->count;
	/* Offsets of .debug_types and .debug_info are the same numbers. */
	uint32_t key =
		dictionary_intern(&types->places, (const char *)&die->addr, sizeof(die->addr));

	if (key == DICTIONARY_NONE ||
	    !heap_reserve(&heap_env, (void **)&types->of_place, &types->of_place_capacity,
			  places->count, sizeof(*types->of_place)) ||
	    !heap_reserve(&heap_env, (void **)&types->name_of_place, &types->name_of_place_capacity,
			  places->count, sizeof(*types->name_of_place))) {
		types->failed = true;
		return DICTIONARY_NONE;
	}
	if (places->count > before) {
		types->of_place[key] = UINT32_MAX;
		types->name_of_place[key] = NO_NAME;
	}
	return key;
}

static bool is_c(Dwarf_Die *die)
{
	Dwarf_Die unit;

	switch (dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return true;
	default:
		return false;
	}
}

static const char *prefix_of(Dwarf_Die *die)
{
	if (!is_c(die))
		return "";
	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return "";
	}
}

bool dwarftypes_note(struct dwarftypes *types, Dwarf_Die *die, const struct dwarf_walk *walk)
{
	const char *name = dwarf_diename(die);
	uint32_t key, place;
	size_t before = types->names.count;

	if (!name)
		return true;
	bytes_reset(&types->text);
	bytes_add_text(&types->text, prefix_of(die));
	for (size_t i = 1; i < walk->depth; i++) {
		Dwarf_Die above = walk->above[i];
		const char *part = dwarf_diename(&above);

		bytes_add_text(&types->text, part ? part : "(anonymous)");
		bytes_add_text(&types->text, "::");
	}
	bytes_add_text(&types->text, name);
	key = types->text.failed
		      ? DICTIONARY_NONE
		      : dictionary_intern(&types->names, types->text.text, types->text.len);
	if (key == DICTIONARY_NONE ||
	    !heap_reserve(&heap_env, (void **)&types->definitions, &types->definitions_capacity,
			  types->names.count, sizeof(*types->definitions)) ||
	    !heap_reserve(&heap_env, (void **)&types->is_defined, &types->is_defined_capacity,
			  types->names.count, sizeof(*types->is_defined)))
		return false;
	if (types->names.count > before)
		types->is_defined[key] = false;
	if (!types->is_defined[key] && !dwarf_hasattr(die, DW_AT_declaration)) {
		types->is_defined[key] = true;
		types->definitions[key] = *die;
	}
	place = place_of(types, die);
	if (place == DICTIONARY_NONE)
		return false;
	types->name_of_place[place] = key + 1;
	return true;
}

/* -- names ----------------------------------------------------------------------------------- */

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *number)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;

	if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word) != 0)
		return false;
	*number = word;
	return true;
}

/* What a struct is called that has no name of its own: by what it was defined as, else by where. */
static void add_substitute(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined)
{
	const char *file, *slash;
	char text[32];
	int line = 0;

	if (typedefined) {
		bytes_add_text(&types->text, typedefined);
		return;
	}
	bytes_add_text(&types->text, dwarf_tag(die) == DW_TAG_union_type ? "union" : "struct");
	file = dwarf_decl_file(die);
	if (!file || dwarf_decl_line(die, &line) != 0)
		return;
	slash = strrchr(file, '/');
	snprintf(text, sizeof(text), ":%d", line);
	bytes_add_text(&types->text, " at ");
	bytes_add_text(&types->text, slash ? slash + 1 : file);
	bytes_add_text(&types->text, text);
}

/* Into types->text, from its beginning. */
static void make_name(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined)
{
	uint32_t place = place_of(types, die);
	const char *name = dwarf_diename(die);

	bytes_reset(&types->text);
	if (place != DICTIONARY_NONE && types->name_of_place[place] != NO_NAME) {
		struct name full = dictionary_name(&types->names, types->name_of_place[place] - 1);

		bytes_add(&types->text, full.text, full.len);
	} else if (name) {
		bytes_add_text(&types->text, prefix_of(die));
		bytes_add_text(&types->text, name);
	} else {
		add_substitute(types, die, typedefined);
	}
}

/* -- members --------------------------------------------------------------------------------- */

static bool offset_of(Dwarf_Die *die, uint64_t *offset)
{
	Dwarf_Attribute attribute;
	uint64_t bits;
	Dwarf_Op *ops;
	size_t n;

	*offset = 0;
	if (number_of(die, DW_AT_data_bit_offset, &bits)) {
		*offset = bits / 8;
		return true;
	}
	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attribute) ||
	    dwarf_formudata(&attribute, offset) == 0)
		return true;
	/* Of virtual bases it is to be computed. */
	if (dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1 ||
	    ops[0].atom != DW_OP_plus_uconst)
		return false;
	*offset = ops[0].number;
	return true;
}

static bool is_member(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_member:
		return !dwarf_hasattr(die, DW_AT_external) &&
		       !dwarf_hasattr(die, DW_AT_declaration);
	case DW_TAG_inheritance:
		return true;
	default:
		return false;
	}
}

/* Members of a struct, as they are read. */
struct member_reading {
	struct dwarftypes *types;
	struct data_member *members; /* MOST_MEMBERS of them; NULL: only text is made */
	size_t n;
	bool has_variants;
};

static uint32_t read_type(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined,
			  int links);
static uint32_t read_type_of(struct dwarftypes *types, Dwarf_Die *die, int links);

static void take_member(struct member_reading *reading, Dwarf_Die *die)
{
	const char *name = dwarf_tag(die) == DW_TAG_member ? dwarf_diename(die) : NULL;
	struct dwarftypes *types = reading->types;
	struct data_member *member;
	Dwarf_Word size = 0;
	uint64_t offset, bits;

	if (reading->n == MOST_MEMBERS || !offset_of(die, &offset))
		return;
	if (!reading->members) {
		char text[32];

		snprintf(text, sizeof(text), "@%" PRIu64, offset);
		bytes_add_text(&types->text, name ? name : "");
		bytes_add_text(&types->text, text);
		return;
	}
	if (number_of(die, DW_AT_bit_size, &bits))
		size = (bits + 7) / 8;
	else
		(void)dwarfwalk_size(die, &size);
	member = &reading->members[reading->n++];
	*member = (struct data_member){
		.name = typetable_copy(types->table, name ? name : ""),
		.offset = offset,
		.size = size,
		.type = read_type_of(types, die, 0),
		.is_base = dwarf_tag(die) == DW_TAG_inheritance,
	};
	types->failed |= !member->name;
}

static bool take_inside(void *ctx, Dwarf_Die *die, const struct dwarf_walk *walk)
{
	struct member_reading *reading = ctx;

	if (walk->depth == 0)
		return true;
	if (is_member(die)) {
		take_member(reading, die);
		return false;
	}
	/* Rust's enums. */
	if (dwarf_tag(die) == DW_TAG_variant_part) {
		reading->has_variants = true;
		return true;
	}
	return dwarf_tag(die) == DW_TAG_variant;
}

/* What tells it from others of its name, into types->text, which has the name. */
static void add_members_text(struct dwarftypes *types, Dwarf_Die *die, uint64_t size)
{
	struct member_reading reading = { .types = types };
	char text[32];

	snprintf(text, sizeof(text), "|%" PRIu64 "|", size);
	bytes_add_text(&types->text, text);
	dwarfwalk(die, take_inside, &reading);
}

static void read_members(struct dwarftypes *types, const struct unread_type *unread)
{
	struct member_reading reading = {
		.types = types,
		.members = calloc(MOST_MEMBERS, sizeof(*reading.members)),
	};
	Dwarf_Die die = unread->die;

	if (!reading.members) {
		types->failed = true;
		return;
	}
	dwarfwalk(&die, take_inside, &reading);
	types->failed |=
		!typetable_set_members(types->table, unread->type, reading.members, reading.n);
	if (reading.has_variants)
		typetable_set_kind(types->table, unread->type, DATA_UNION);
	free(reading.members);
}

/* -- types ----------------------------------------------------------------------------------- */

/* A type whose identity is in types->text, and its name is name_len bytes of it. */
static uint32_t intern(struct dwarftypes *types, enum data_kind kind, size_t name_len, bool *is_new)
{
	uint32_t type = TYPE_NONE;
	char *name;

	*is_new = false;
	name = types->text.failed ? NULL : strndup(types->text.text, name_len);
	if (name)
		type = typetable_intern(types->table, types->text.text, kind, name, is_new);
	free(name);
	types->failed |= type == TYPE_NONE;
	return type;
}

static uint32_t read_struct(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined)
{
	bool is_union = dwarf_tag(die) == DW_TAG_union_type, is_new;
	Dwarf_Die definition = *die;
	uint64_t size = 0;
	uint32_t type;
	size_t len;

	make_name(types, die, typedefined);
	len = types->text.len;
	if (dwarf_hasattr(die, DW_AT_declaration)) {
		uint32_t key = dictionary_find(&types->names, types->text.text, len);

		if (key != DICTIONARY_NONE && types->is_defined[key])
			definition = types->definitions[key];
	}
	if (!number_of(&definition, DW_AT_byte_size, &size))
		size = 0;
	add_members_text(types, &definition, size);
	bytes_add_char(&types->text, '\0');
	type = intern(types, is_union ? DATA_UNION : DATA_STRUCT, len, &is_new);
	if (!is_new)
		return type;
	typetable_set_size(types->table, type, size);
	if (!heap_reserve(&heap_env, (void **)&types->unread, &types->unread_capacity,
			  types->n_unread + 1, sizeof(*types->unread))) {
		types->failed = true;
		return type;
	}
	types->unread[types->n_unread++] = (struct unread_type){ type, definition };
	return type;
}

static uint32_t read_scalar(struct dwarftypes *types, Dwarf_Die *die)
{
	uint64_t size = 0, encoding = 0;
	enum data_kind kind = DATA_SCALAR;
	uint32_t type;
	size_t len;
	bool is_new;

	if (!number_of(die, DW_AT_byte_size, &size))
		size = 0;
	if (dwarf_tag(die) == DW_TAG_base_type && number_of(die, DW_AT_encoding, &encoding) &&
	    size == 1 &&
	    (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char ||
	     encoding == DW_ATE_unsigned || encoding == DW_ATE_UTF))
		kind = DATA_BYTES;
	make_name(types, die, NULL);
	len = types->text.len;
	bytes_add_char(&types->text, '\0');
	type = intern(types, kind, len, &is_new);
	if (is_new)
		typetable_set_size(types->table, type, size);
	return type;
}

uint32_t dwarftypes_pointer(struct dwarftypes *types, uint32_t target)
{
	const struct data_type *of = typetable_get(types->table, target);
	char text[32];
	uint32_t type;
	size_t len;
	bool is_new;

	bytes_reset(&types->text);
	bytes_add_text(&types->text, of->name);
	bytes_add_text(&types->text, of->kind == DATA_POINTER ? "*" : " *");
	len = types->text.len;
	snprintf(text, sizeof(text), "|to %" PRIu32, target);
	bytes_add_text(&types->text, text);
	bytes_add_char(&types->text, '\0');
	type = intern(types, DATA_POINTER, len, &is_new);
	if (is_new) {
		typetable_set_size(types->table, type, 8);
		typetable_set_target(types->table, type, target);
	}
	return type;
}

static uint32_t read_array(struct dwarftypes *types, Dwarf_Die *die, int links)
{
	uint32_t element = read_type_of(types, die, links + 1);
	Dwarf_Word size = 0;
	char text[64];
	uint32_t type;
	size_t len;
	bool is_new;

	if (dwarf_aggregate_size(die, &size) != 0)
		size = 0;
	bytes_reset(&types->text);
	bytes_add_text(&types->text, typetable_get(types->table, element)->name);
	bytes_add_text(&types->text, "[]");
	len = types->text.len;
	snprintf(text, sizeof(text), "|of %" PRIu32 ", %" PRIu64, element, (uint64_t)size);
	bytes_add_text(&types->text, text);
	bytes_add_char(&types->text, '\0');
	type = intern(types, DATA_ARRAY, len, &is_new);
	if (is_new) {
		typetable_set_size(types->table, type, size);
		typetable_set_target(types->table, type, element);
	}
	return type;
}

static uint32_t read_tagged(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined,
			    int links)
{
	const char *name = dwarf_tag(die) == DW_TAG_typedef ? dwarf_diename(die) : NULL;
	Dwarf_Attribute attribute;
	Dwarf_Die target;

	switch (dwarf_tag(die)) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		if (!dwarf_attr(die, DW_AT_type, &attribute) ||
		    !dwarf_formref_die(&attribute, &target))
			return TYPE_NONE;
		return read_type(types, &target, name ? name : typedefined, links + 1);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_union_type:
		return read_struct(types, die, typedefined);
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
		return read_scalar(types, die);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return dwarftypes_pointer(types, read_type_of(types, die, links + 1));
	case DW_TAG_array_type:
		return read_array(types, die, links);
	default:
		return TYPE_NONE;
	}
}

static uint32_t read_type(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined,
			  int links)
{
	uint32_t place = links < MOST_LINKS ? place_of(types, die) : DICTIONARY_NONE;
	uint32_t type;

	if (place == DICTIONARY_NONE)
		return TYPE_NONE;
	if (types->of_place[place] != UINT32_MAX)
		return types->of_place[place];
	type = read_tagged(types, die, typedefined, links);
	types->of_place[place] = type;
	return type;
}

static uint32_t read_type_of(struct dwarftypes *types, Dwarf_Die *die, int links)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) ||
	    !dwarf_formref_die(&attribute, &type))
		return TYPE_NONE;
	return read_type(types, &type, NULL, links);
}

uint32_t dwarftypes_of(struct dwarftypes *types, Dwarf_Die *die)
{
	uint32_t type = read_type_of(types, die, 0);

	while (types->n_unread > 0 && !types->failed) {
		struct unread_type unread = types->unread[--types->n_unread];

		read_members(types, &unread);
	}
	return type;
}
