/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/types/types.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/bytes.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"
#include <elfutils/libdw.h>

/* -- walks -------------------------------------------------------------------------------------- */

/*
 * What debug information is read with: walks over DIEs, and locations of variables as the few kinds that
 * matter.  For typereader.c and dwarftypes.c only.  Nothing in the file is believed.
 */

enum { DWARFWALK_DEEPEST = 64 }; /* DIEs within DIEs; what is deeper is not looked at */

/* Where a walk is. */
struct dwarf_walk {
	size_t depth;           /* of the DIE, 0 = the first one */
	const Dwarf_Die *above; /* depth of them: what it is in */
	uint64_t low, high;     /* code that it holds for, as far as that is one stretch */
};

/*
 * Calls take() for a DIE and those in it, as far as take() wants that of the one above.
 */
void dwarfwalk(Dwarf_Die *root,
	       bool (*take)(void *ctx, Dwarf_Die *die, const struct dwarf_walk *walk), void *ctx);

/* Bytes of a variable, member or type; false if that is not known. */
bool dwarfwalk_size(Dwarf_Die *die, Dwarf_Word *size);

enum location_kind {
	LOCATION_OTHER,
	LOCATION_REGISTER,        /* in a register */
	LOCATION_VALUE,           /* is a register's value + offset */
	LOCATION_INDIRECT,        /* in memory, at a register's value + offset */
	LOCATION_FRAME,           /* in memory, at the frame's base + offset */
	LOCATION_FRAME_REFERENCE, /* its address is there */
	LOCATION_ADDRESS,
	LOCATION_THREAD, /* thread-local, at address bytes of what the object has for each thread */
	LOCATION_CFA,    /* of frame bases */
};

/* A variable, or a piece of it, in a stretch of code. */
struct dwarf_location {
	enum location_kind kind;
	uint64_t start, end; /* code; 0 and UINT64_MAX: wherever its scope is */
	unsigned reg;        /* by DWARF's number */
	int64_t offset;
	uint64_t address;
	uint64_t piece,
		piece_size; /* bytes of the variable: the first one, and how many; 0 = all */
	/* The rest is private. */
	Dwarf_Attribute *attribute;
	Dwarf_Op *ops;
	size_t n, next;
	ptrdiff_t list;
	Dwarf_Addr base;
};

/* The first, and the next location of an attribute, which outlives it; false if there is none. */
bool dwarf_location_first(struct dwarf_location *location, Dwarf_Attribute *attribute);
bool dwarf_location_next(struct dwarf_location *location);

bool dwarfwalk_size(Dwarf_Die *die, Dwarf_Word *size)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) ||
	    !dwarf_formref_die(&attribute, &type))
		return false;
	return dwarf_aggregate_size(&type, size) == 0;
}

/* -- walks ----------------------------------------------------------------------------------- */

struct range {
	uint64_t low, high;
};

/* The code of a DIE, from its lowest address to its highest; that of the one above if it says nothing. */
static struct range range_of(Dwarf_Die *die, struct range above)
{
	struct range range = { UINT64_MAX, 0 };
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		break;
	default:
		return above;
	}
	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (start < range.low)
			range.low = start;
		if (end > range.high)
			range.high = end;
	}
	return range.low < range.high ? range : above;
}

void dwarfwalk(Dwarf_Die *root,
	       bool (*take)(void *ctx, Dwarf_Die *die, const struct dwarf_walk *walk), void *ctx)
{
	Dwarf_Die path[DWARFWALK_DEEPEST];
	struct range ranges[DWARFWALK_DEEPEST];
	size_t depth = 0;

	path[0] = *root;
	ranges[0] = range_of(root, (struct range){ 0, UINT64_MAX });
	for (;;) {
		struct dwarf_walk walk = { .depth = depth,
					   .above = path,
					   .low = ranges[depth].low,
					   .high = ranges[depth].high };
		Dwarf_Die child;

		if (take(ctx, &path[depth], &walk) && depth + 1 < DWARFWALK_DEEPEST &&
		    dwarf_child(&path[depth], &child) == 0) {
			path[depth + 1] = child;
		} else {
			while (depth > 0 && dwarf_siblingof(&path[depth], &child) != 0)
				depth--;
			if (depth == 0)
				return;
			path[depth] = child;
			depth--;
		}
		depth++;
		ranges[depth] = range_of(&path[depth], ranges[depth - 1]);
	}
}

/* -- locations ------------------------------------------------------------------------------- */

static bool is_register(const Dwarf_Op *op)
{
	return (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) || op->atom == DW_OP_regx;
}

static bool is_based(const Dwarf_Op *op)
{
	return (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) || op->atom == DW_OP_bregx;
}

static void read_address(struct dwarf_location *location, const Dwarf_Op *op)
{
	Dwarf_Attribute result;

	location->kind = LOCATION_ADDRESS;
	location->address = op->number;
	if (op->atom == DW_OP_addr)
		return;
	if (dwarf_getlocation_attr(location->attribute, op, &result) != 0 ||
	    dwarf_formaddr(&result, &location->address) != 0)
		location->kind = LOCATION_OTHER;
}

/* Register and offset of what begins with one. */
static void read_based(struct dwarf_location *location, const Dwarf_Op *op)
{
	bool is_any = op->atom == DW_OP_bregx;

	location->reg = is_any ? (unsigned)op->number : (unsigned)op->atom - DW_OP_breg0;
	location->offset = (int64_t)(is_any ? op->number2 : op->number);
}

static void classify(struct dwarf_location *location, const Dwarf_Op *ops, size_t n)
{
	location->kind = LOCATION_OTHER;
	if (n == 1 && is_register(ops)) {
		location->kind = LOCATION_REGISTER;
		location->reg = ops->atom == DW_OP_regx ? (unsigned)ops->number
							: (unsigned)ops->atom - DW_OP_reg0;
	} else if (n == 1 && is_based(ops)) {
		location->kind = LOCATION_INDIRECT;
		read_based(location, ops);
	} else if (n == 2 && is_based(ops) && ops[1].atom == DW_OP_stack_value) {
		location->kind = LOCATION_VALUE;
		read_based(location, ops);
	} else if (n == 1 && ops->atom == DW_OP_fbreg) {
		location->kind = LOCATION_FRAME;
		location->offset = (int64_t)ops->number;
	} else if (n == 2 && ops->atom == DW_OP_fbreg && ops[1].atom == DW_OP_deref) {
		location->kind = LOCATION_FRAME_REFERENCE;
		location->offset = (int64_t)ops->number;
	} else if (n == 1 && (ops->atom == DW_OP_addr || ops->atom == DW_OP_addrx ||
			      ops->atom == DW_OP_GNU_addr_index)) {
		read_address(location, ops);
	} else if (n == 2 && (ops->atom == DW_OP_const4u || ops->atom == DW_OP_const8u) &&
		   (ops[1].atom == DW_OP_GNU_push_tls_address ||
		    ops[1].atom == DW_OP_form_tls_address)) {
		location->kind = LOCATION_THREAD;
		location->address = ops->number;
	} else if (n == 1 && ops->atom == DW_OP_call_frame_cfa) {
		location->kind = LOCATION_CFA;
	}
}

/* The next piece of an expression; false at its end. */
static bool next_piece(struct dwarf_location *location)
{
	size_t first = location->next, end = first;
	uint64_t behind = location->piece + location->piece_size;

	if (first >= location->n)
		return false;
	while (end < location->n && location->ops[end].atom != DW_OP_piece)
		end++;
	classify(location, location->ops + first, end - first);
	location->piece = behind;
	location->piece_size = end < location->n ? location->ops[end].number : 0;
	location->next = end + 1;
	return true;
}

bool dwarf_location_next(struct dwarf_location *location)
{
	while (!next_piece(location)) {
		Dwarf_Addr start, end;

		location->list = dwarf_getlocations(location->attribute, location->list,
						    &location->base, &start, &end, &location->ops,
						    &location->n);
		if (location->list <= 0)
			return false;
		location->start = start;
		location->end = end;
		location->next = 0;
		location->piece = location->piece_size = 0;
	}
	return true;
}

/*
 * Go writes expressions as blocks, as DWARF 3 had them, in units of DWARF 4, where libdw wants the form of
 * expressions.  Both are a length and as many bytes, and the length is the same in both.
 */
static void accept_block(Dwarf_Attribute *attribute)
{
	if (attribute->form == DW_FORM_block ||
	    (attribute->form == DW_FORM_block1 && *attribute->valp < 0x80))
		attribute->form = DW_FORM_exprloc;
}

bool dwarf_location_first(struct dwarf_location *location, Dwarf_Attribute *attribute)
{
	accept_block(attribute);
	memset(location, 0, sizeof(*location));
	location->attribute = attribute;
	return dwarf_location_next(location);
}

/* -- types -------------------------------------------------------------------------------------- */

/* Types of debug information, read into a table as they are asked for.  For typereader.c only. */

/* A struct whose members are still to be read. */
struct unread_type {
	uint32_t type;
	Dwarf_Die die;
};

/* Fields are private but table and failed. */
struct dwarftypes {
	struct typetable *table;
	bool failed; /* memory ran out */
	struct dictionary
		names; /* full ones of types in namespaces and classes, and of those that are defined */
	Dwarf_Die *definitions; /* by key of a name: the type; owned */
	bool *is_defined;       /* likewise */
	size_t definitions_capacity, is_defined_capacity;
	struct dictionary places; /* where DIEs are, as texts; what is known of them by key: */
	uint32_t *of_place;       /* type, owned */
	uint32_t *name_of_place;  /* key of its full name, owned */
	size_t of_place_capacity, name_of_place_capacity;
	struct unread_type *unread; /* owned */
	size_t n_unread, unread_capacity;
	struct bytes text; /* for names */
};

void dwarftypes_init(struct dwarftypes *types, struct typetable *table);
void dwarftypes_release(struct dwarftypes *types);

/* Notes the full name of a type, by what it is in, and where it is defined; false if memory ran out. */
bool dwarftypes_note(struct dwarftypes *types, Dwarf_Die *die, const struct dwarf_walk *walk);

/* The type of a variable, or that a function returns; TYPE_NONE = not known, or memory ran out (failed). */
uint32_t dwarftypes_of(struct dwarftypes *types, Dwarf_Die *die);

/* A pointer to a type, `target`; TYPE_NONE if memory ran out (failed). */
uint32_t dwarftypes_pointer(struct dwarftypes *types, uint32_t target);

/*
 * The members of a struct are read after it has its number, one struct after the other: types that point to each
 * other are no loop, and how deep they are does not matter.
 */

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

/* -- the object --------------------------------------------------------------------------------- */

/*
 * First all units are gone through, for where functions and variables are, and for the full names of what is
 * in namespaces and classes, which a DIE does not say.  The rest is read when it is asked for.
 */

/* Addresses of a function, or of a variable. */
struct known_range {
	uint64_t start, end;
	Dwarf_Off die;
};

struct range_list {
	struct known_range *ranges; /* owned; by start */
	size_t n, capacity;
};

struct typereader {
	Dwarf *dwarf; /* borrowed; NULL = none */
	struct dwarftypes types;
	struct range_list functions, variables;
	uint64_t thread_size; /* bytes from the first thread-local to the thread's pointer; 0 = none */
	bool is_untyped;      /* the unit that is gone through has no types */
	bool failed;          /* memory ran out */
	bool is_fixed;
};

enum { MOST_RANGES = 1 << 22 }; /* a damaged file shall not fill the memory */

static bool add_range(struct typereader *reader, struct range_list *list, uint64_t start,
		      uint64_t end, Dwarf_Off die)
{
	if (start >= end || list->n == MOST_RANGES)
		return false;
	if (!heap_reserve(&heap_env, (void **)&list->ranges, &list->capacity, list->n + 1,
			  sizeof(*list->ranges))) {
		reader->failed = true;
		return false;
	}
	list->ranges[list->n++] = (struct known_range){ start, end, die };
	return true;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct known_range *of_a = a, *of_b = b;

	if (of_a->start != of_b->start)
		return of_a->start < of_b->start ? -1 : 1;
	return (of_a->die > of_b->die) - (of_a->die < of_b->die);
}

static const struct known_range *find_range(const struct range_list *list, uint64_t address)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->ranges[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && address < list->ranges[low - 1].end ? &list->ranges[low - 1] : NULL;
}

/* -- what there is --------------------------------------------------------------------------- */

static bool is_of_types(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_array_type:
	case DW_TAG_atomic_type:
	case DW_TAG_base_type:
	case DW_TAG_class_type:
	case DW_TAG_const_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_imported_unit:
	case DW_TAG_interface_type:
	case DW_TAG_pointer_type:
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_reference_type:
	case DW_TAG_restrict_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_string_type:
	case DW_TAG_structure_type:
	case DW_TAG_subrange_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_typedef:
	case DW_TAG_union_type:
	case DW_TAG_unspecified_type:
	case DW_TAG_volatile_type:
		return true;
	default:
		return false;
	}
}

/* True if something has a type: it, its parameters or variables. */
static bool names_type(Dwarf_Die *die)
{
	Dwarf_Die inner;
	int status;

	if (dwarf_hasattr(die, DW_AT_type))
		return true;
	if (dwarf_tag(die) != DW_TAG_subprogram)
		return false;
	status = dwarf_child(die, &inner);
	for (; status == 0; status = dwarf_siblingof(&inner, &inner))
		if (dwarf_hasattr(&inner, DW_AT_type))
			return true;
	return false;
}

/*
 * Those of -g1 and -gline-tables-only have functions alone.  Where a language has types, some are of no namespace;
 * they may all be in another unit (Go, dwz), to which functions and variables refer.
 */
static bool unit_has_types(Dwarf_Die *unit)
{
	Dwarf_Die die;
	int status = dwarf_child(unit, &die);

	for (; status == 0; status = dwarf_siblingof(&die, &die))
		if (is_of_types(&die) || names_type(&die))
			return true;
	return false;
}

/* Whether a function is described in another unit, which has types: with -flto, code has a unit of its own. */
static bool is_described_elsewhere(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin, unit;

	return dwarf_attr(die, DW_AT_abstract_origin, &attribute) &&
	       dwarf_formref_die(&attribute, &origin) && dwarf_diecu(&origin, &unit, NULL, NULL) &&
	       unit_has_types(&unit);
}

static void note_function(struct typereader *reader, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	if (reader->is_untyped && !is_described_elsewhere(die))
		return;
	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
		if (!add_range(reader, &reader->functions, start, end, dwarf_dieoffset(die)))
			break;
}

/* A thread-local of a program is where code finds it by the thread's pointer. */
static void place_thread_local(const struct typereader *reader, struct dwarf_location *location)
{
	if (location->kind != LOCATION_THREAD || location->address >= reader->thread_size)
		return;
	location->kind = LOCATION_ADDRESS;
	location->address += (uint64_t)STATE_THREAD - reader->thread_size;
}

/*
 * What there is for each thread lies before its pointer, in the program itself ("ELF Handling For Thread-Local Storage",
 * variant II).  The pointer is at a multiple of the alignment, the block as far from one as its segment.
 */
static void read_thread_size(struct typereader *reader)
{
	Elf *elf = dwarf_getelf(reader->dwarf);
	GElf_Phdr header;
	size_t n;

	if (!elf || elf_getphdrnum(elf, &n) != 0)
		return;
	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		uint64_t mask;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_TLS)
			continue;
		mask = header.p_align > 0 && header.p_align <= INT_MAX ? header.p_align - 1 : 0;
		if ((header.p_align & mask) != 0)
			mask = 0;
		if (header.p_memsz < INT_MAX)
			reader->thread_size =
				header.p_memsz + (-(header.p_vaddr + header.p_memsz) & mask);
	}
}

static void note_variable(struct typereader *reader, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	struct dwarf_location location;
	Dwarf_Word size;

	if (!dwarf_attr(die, DW_AT_location, &attribute) ||
	    !dwarf_location_first(&location, &attribute))
		return;
	place_thread_local(reader, &location);
	if (location.kind != LOCATION_ADDRESS)
		return;
	if (!dwarfwalk_size(die, &size) || size == 0)
		return;
	add_range(reader, &reader->variables, location.address, location.address + size,
		  dwarf_dieoffset(die));
}

/* Called for each DIE; whether what is in it is of interest, too. */
static bool note_die(void *ctx, Dwarf_Die *die, const struct dwarf_walk *walk)
{
	struct typereader *reader = ctx;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		note_function(reader, die);
		return false;
	case DW_TAG_variable:
		note_variable(reader, die);
		return false;
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_type_unit:
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		reader->failed |= !dwarftypes_note(&reader->types, die, walk);
		return dwarf_tag(die) != DW_TAG_enumeration_type;
	default:
		return false;
	}
}

/* Of code by hand there is nothing but names, and of functions in a unit without types, nothing but where they are. */
static void scan(struct typereader *reader)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t kind;

	objectfile_need_room();
	while (!reader->failed &&
	       dwarf_get_units(reader->dwarf, unit, &unit, NULL, &kind, &die, NULL) == 0) {
		if (dwarf_srclang(&die) != DW_LANG_Mips_Assembler) {
			reader->is_untyped = dwarf_tag(&die) == DW_TAG_compile_unit &&
					     !unit_has_types(&die);
			dwarfwalk(&die, note_die, reader);
		}
		objectfile_need_room();
	}
	if (reader->functions.n > 0)
		qsort(reader->functions.ranges, reader->functions.n, sizeof(struct known_range),
		      compare_ranges);
	if (reader->variables.n > 0)
		qsort(reader->variables.ranges, reader->variables.n, sizeof(struct known_range),
		      compare_ranges);
}

bool typereader_open(struct typereader **reader, struct objectfile *object, struct typetable *table)
{
	struct typereader *made = calloc(1, sizeof(*made));

	*reader = made;
	if (!made)
		return false;
	made->dwarf = (Dwarf *)objectfile_dwarf(object);
	made->is_fixed = objectfile_is_fixed(object);
	dwarftypes_init(&made->types, table);
	if (made->dwarf) {
		read_thread_size(made);
		scan(made);
	}
	return !made->failed;
}

void typereader_free(struct typereader *reader)
{
	if (!reader)
		return;
	dwarftypes_release(&reader->types);
	free(reader->functions.ranges);
	free(reader->variables.ranges);
	free(reader);
}

bool typereader_failed(const struct typereader *reader)
{
	return reader->failed || reader->types.failed;
}

bool typereader_is_fixed(const struct typereader *reader)
{
	return reader->is_fixed;
}

/* -- functions ------------------------------------------------------------------------------- */

/* A function that is read. */
struct function_reading {
	struct typereader *reader;
	struct type_function *function;
	int8_t frame_register; /* that its frame is at; -1 = the CFA */
	bool has_frame;
	bool failed;
};

static void read_frame(struct function_reading *reading, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	struct dwarf_location location;

	if (!dwarf_attr_integrate(die, DW_AT_frame_base, &attribute) ||
	    !dwarf_location_first(&location, &attribute))
		return;
	reading->frame_register = -1;
	reading->has_frame = location.kind == LOCATION_CFA;
	if (location.kind == LOCATION_REGISTER && location.reg < STATE_REGISTERS) {
		reading->has_frame = true;
		reading->frame_register = (int8_t)location.reg;
	}
}

static bool add_fact(struct function_reading *reading, const struct dwarf_location *at,
		     struct data_value value)
{
	struct type_function *function = reading->function;

	if (value.kind != VALUE_POINTER || at->reg >= STATE_REGISTERS)
		return true;
	if (!heap_reserve(&heap_env, (void **)&function->facts, &function->facts_capacity,
			  function->n_facts + 1, sizeof(*function->facts)))
		return false;
	function->facts[function->n_facts++] = (struct register_fact){
		.start = at->start,
		.end = at->end,
		.reg = (uint8_t)at->reg,
		.value = value,
	};
	return true;
}

static bool add_place(struct function_reading *reading, const struct dwarf_location *at, int8_t reg,
		      uint32_t type)
{
	struct type_function *function = reading->function;
	const struct typetable *table = reading->reader->types.table;
	struct data_value value = value_pointer(table, type, (int64_t)at->piece);

	if (!heap_reserve(&heap_env, (void **)&function->places, &function->places_capacity,
			  function->n_places + 1, sizeof(*function->places)))
		return false;
	function->places[function->n_places++] = (struct frame_fact){
		.start = at->start,
		.end = at->end,
		.reg = reg,
		.offset = at->offset,
		.size = at->piece_size ? at->piece_size : typetable_get(table, type)->size,
		.value = value,
	};
	return true;
}

/* A variable is at an address that a register has, plus an offset. */
static bool add_indirect(struct function_reading *reading, const struct dwarf_location *at,
			 uint32_t type)
{
	const struct typetable *table = reading->reader->types.table;

	if (at->reg == STATE_SP || (int)at->reg == reading->frame_register)
		return add_place(reading, at, (int8_t)at->reg, type);
	return add_fact(reading, at,
			value_pointer(table, type,
				      offset_difference((int64_t)at->piece, at->offset)));
}

static bool add_location(struct function_reading *reading, const struct dwarf_location *at,
			 uint32_t type)
{
	struct typereader *reader = reading->reader;
	struct data_value value = value_of_type(reader->types.table, type, at->piece);

	switch (at->kind) {
	case LOCATION_REGISTER:
		return add_fact(reading, at, value);
	case LOCATION_VALUE: /* the variable is register + offset */
		value.offset = offset_difference(value.offset, at->offset);
		return add_fact(reading, at, value);
	case LOCATION_INDIRECT:
		return add_indirect(reading, at, type);
	case LOCATION_FRAME:
		return !reading->has_frame || add_place(reading, at, reading->frame_register, type);
	case LOCATION_FRAME_REFERENCE:
		return !reading->has_frame || add_place(reading, at, reading->frame_register,
							dwarftypes_pointer(&reader->types, type));
	case LOCATION_ADDRESS:
	case LOCATION_THREAD:
	case LOCATION_CFA:
	case LOCATION_OTHER:
		break;
	}
	return true;
}

/* An expression without a list holds wherever its scope is. */
static void limit(struct dwarf_location *location, const struct dwarf_walk *walk)
{
	if (location->start != 0 || location->end != UINT64_MAX)
		return;
	location->start = walk->low;
	location->end = walk->high;
}

static void note_static(struct typereader *reader, Dwarf_Die *die,
			const struct dwarf_location *location)
{
	struct range_list *list = &reader->variables;
	Dwarf_Word size;

	/* It comes again if its function does. */
	if (find_range(list, location->address) || !dwarfwalk_size(die, &size) || size == 0)
		return;
	if (add_range(reader, list, location->address, location->address + size,
		      dwarf_dieoffset(die)))
		qsort(list->ranges, list->n, sizeof(*list->ranges), compare_ranges);
}

/* Reads where it is; returns whether that says where it is at the function's entry. */
static bool read_variable(struct function_reading *reading, Dwarf_Die *die,
			  const struct dwarf_walk *walk)
{
	const uint64_t entry = reading->function->entry;
	struct dwarf_location location;
	Dwarf_Attribute attribute;
	uint32_t type = TYPE_NONE;
	bool goes_on, is_there = false;

	if (!dwarf_attr(die, DW_AT_location, &attribute))
		return false;
	for (goes_on = dwarf_location_first(&location, &attribute); goes_on && !reading->failed;
	     goes_on = dwarf_location_next(&location)) {
		struct dwarf_location at = location;

		if (at.kind == LOCATION_OTHER)
			continue;
		is_there |= entry >= at.start && entry < at.end;
		if (type == TYPE_NONE)
			type = dwarftypes_of(&reading->reader->types, die);
		if (type == TYPE_NONE)
			continue;
		limit(&at, walk);
		place_thread_local(reading->reader, &at);
		if (at.kind == LOCATION_ADDRESS)
			note_static(reading->reader, die, &at);
		else if (!add_location(reading, &at, type))
			reading->failed = true;
	}
	return is_there;
}

static bool read_die(void *ctx, Dwarf_Die *die, const struct dwarf_walk *walk)
{
	struct function_reading *reading = ctx;
	bool is_there;

	switch (dwarf_tag(die)) {
	case DW_TAG_formal_parameter:
	case DW_TAG_variable:
		is_there = read_variable(reading, die, walk);
		if (walk->depth == 1 && dwarf_tag(die) == DW_TAG_formal_parameter && !is_there)
			reading->function->has_lost_parameters = true;
		return false;
	case DW_TAG_subprogram:
		return walk->depth == 0;
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return !reading->failed;
	default:
		return false;
	}
}

/* DWARF 5, 2.18: without DW_AT_entry_pc, the function begins where its first range does, which need not be the lowest. */
static uint64_t entry_of(const struct type_function *function, Dwarf_Die *die)
{
	Dwarf_Addr entry;

	if (dwarf_hasattr(die, DW_AT_entry_pc) && dwarf_entrypc(die, &entry) == 0)
		return entry;
	return function->n_ranges > 0 ? function->ranges[0].start : 0;
}

static bool read_ranges(struct type_function *function, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		if (!heap_reserve(&heap_env, (void **)&function->ranges, &function->ranges_capacity,
				  function->n_ranges + 1, sizeof(*function->ranges)))
			return false;
		function->ranges[function->n_ranges++] = (struct code_range){ start, end };
	}
	function->entry = entry_of(function, die);
	return true;
}

bool typereader_function(struct typereader *reader, uint64_t address,
			 struct type_function *function, bool *failed)
{
	const struct known_range *range = find_range(&reader->functions, address);
	struct function_reading reading = { .reader = reader, .function = function };
	Dwarf_Die die;

	*failed = false;
	memset(function, 0, sizeof(*function));
	if (!range)
		return false;
	objectfile_need_room();
	if (!dwarf_offdie(reader->dwarf, range->die, &die))
		return false;
	read_frame(&reading, &die);
	*failed = !read_ranges(function, &die);
	if (!*failed)
		dwarfwalk(&die, read_die, &reading);
	*failed |= reading.failed || typereader_failed(reader);
	return !*failed;
}

void type_function_release(struct type_function *function)
{
	free(function->ranges);
	free(function->facts);
	free(function->places);
	memset(function, 0, sizeof(*function));
}

/* -- by address ------------------------------------------------------------------------------ */

struct data_value typereader_result(struct typereader *reader, uint64_t address)
{
	const struct known_range *range = find_range(&reader->functions, address);
	struct data_value nothing = { .kind = VALUE_NONE };
	Dwarf_Die die;

	if (!range || range->start != address || !dwarf_offdie(reader->dwarf, range->die, &die))
		return nothing;
	return value_of_type(reader->types.table, dwarftypes_of(&reader->types, &die), 0);
}

struct data_value typereader_variable(struct typereader *reader, uint64_t address)
{
	const struct known_range *range = find_range(&reader->variables, address);
	struct data_value nothing = { .kind = VALUE_NONE };
	uint32_t type;
	Dwarf_Die die;

	if (!range || !dwarf_offdie(reader->dwarf, range->die, &die))
		return nothing;
	type = dwarftypes_of(&reader->types, &die);
	if (type == TYPE_NONE)
		return nothing;
	return value_pointer(reader->types.table, type, (int64_t)(address - range->start));
}
