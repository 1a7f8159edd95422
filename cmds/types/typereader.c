/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions, variables and types, from debug information. */
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

#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

/* -- walks over DIEs --------------------------------------------------------------------------
 *
 * Nothing in the file is trusted.
 */

enum { DWARFWALK_DEEPEST = 64 }; /* DIEs within DIEs; deeper ones are not looked at */

/* Where a walk is. */
struct dwarf_walk {
	size_t depth;           /* of the DIE, 0 = the first one */
	const Dwarf_Die *above; /* depth of them: what it is in */
	uint64_t low, high;     /* the code that it holds for, if that is one stretch */
};

/* Bytes of a variable, member or type; false if that is not known. */
static bool dwarfwalk_size(Dwarf_Die *die, Dwarf_Word *size)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) ||
	    !dwarf_formref_die(&attribute, &type))
		return false;
	return dwarf_aggregate_size(&type, size) == 0;
}

struct range {
	uint64_t low, high;
};

/* The code of a DIE, from its lowest address to its highest; if it has none, the parent's. */
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

/* Calls take() for a DIE, and for its children as long as take() returns true. */
static void dwarfwalk(Dwarf_Die *root,
		      bool (*take)(void *ctx, Dwarf_Die *die, const struct dwarf_walk *walk),
		      void *ctx)
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
	uint64_t piece, piece_size; /* bytes of the variable: offset and size; 0 = all */
	/* For the next location. */
	Dwarf_Attribute *attribute;
	Dwarf_Op *ops;
	size_t n, next;
	ptrdiff_t list;
	Dwarf_Addr base;
};

/* The register of an operation of a kind: one of 32 from `first` on, or `any`, which names it. */
static bool read_register(struct dwarf_location *location, const Dwarf_Op *op, unsigned first,
			  unsigned any)
{
	if (op->atom != any && (op->atom < first || op->atom > first + 31))
		return false;
	location->reg = op->atom == any ? (unsigned)op->number : op->atom - first;
	return true;
}

/* The same of one with an offset. */
static bool read_based(struct dwarf_location *location, const Dwarf_Op *op)
{
	if (!read_register(location, op, DW_OP_breg0, DW_OP_bregx))
		return false;
	location->offset = (int64_t)(op->atom == DW_OP_bregx ? op->number2 : op->number);
	return true;
}

static enum location_kind classify(struct dwarf_location *location, const Dwarf_Op *ops, size_t n)
{
	Dwarf_Attribute result;

	if (n == 1 && read_register(location, ops, DW_OP_reg0, DW_OP_regx))
		return LOCATION_REGISTER;
	if (n == 1 && read_based(location, ops))
		return LOCATION_INDIRECT;
	if (n == 2 && ops[1].atom == DW_OP_stack_value && read_based(location, ops))
		return LOCATION_VALUE;
	if (n == 1 && ops->atom == DW_OP_call_frame_cfa)
		return LOCATION_CFA;
	if (n == 1 && ops->atom == DW_OP_fbreg) {
		location->offset = (int64_t)ops->number;
		return LOCATION_FRAME;
	}
	if (n == 2 && ops->atom == DW_OP_fbreg && ops[1].atom == DW_OP_deref) {
		location->offset = (int64_t)ops->number;
		return LOCATION_FRAME_REFERENCE;
	}
	if (n == 1 && ops->atom == DW_OP_addr) {
		location->address = ops->number;
		return LOCATION_ADDRESS;
	}
	if (n == 1 && (ops->atom == DW_OP_addrx || ops->atom == DW_OP_GNU_addr_index) &&
	    dwarf_getlocation_attr(location->attribute, ops, &result) == 0 &&
	    dwarf_formaddr(&result, &location->address) == 0)
		return LOCATION_ADDRESS;
	if (n == 2 && (ops->atom == DW_OP_const4u || ops->atom == DW_OP_const8u) &&
	    (ops[1].atom == DW_OP_GNU_push_tls_address || ops[1].atom == DW_OP_form_tls_address)) {
		location->address = ops->number;
		return LOCATION_THREAD;
	}
	return LOCATION_OTHER;
}

/* The next location of an attribute, a piece of an expression; false if there is none. */
static bool dwarf_location_next(struct dwarf_location *location)
{
	size_t first = location->next, end;

	while (first >= location->n) {
		Dwarf_Addr start, stop;

		location->list = dwarf_getlocations(location->attribute, location->list,
						    &location->base, &start, &stop, &location->ops,
						    &location->n);
		if (location->list <= 0)
			return false;
		location->start = start;
		location->end = stop;
		location->piece = location->piece_size = 0;
		first = 0;
	}
	for (end = first; end < location->n && location->ops[end].atom != DW_OP_piece;)
		end++;
	location->kind = classify(location, location->ops + first, end - first);
	location->piece += location->piece_size;
	location->piece_size = end < location->n ? location->ops[end].number : 0;
	location->next = end + 1;
	return true;
}

/* The first location of an attribute, which outlives it; false if there is none. */
static bool dwarf_location_first(struct dwarf_location *location, Dwarf_Attribute *attribute)
{
	/*
	 * Go writes expressions as blocks, as in DWARF 3, in units of DWARF 4, where libdw expects the form of
	 * expressions.  Both are a length and as many bytes, and the length is the same in both.
	 */
	if (attribute->form == DW_FORM_block ||
	    (attribute->form == DW_FORM_block1 && *attribute->valp < 0x80))
		attribute->form = DW_FORM_exprloc;
	memset(location, 0, sizeof(*location));
	location->attribute = attribute;
	return dwarf_location_next(location);
}

/* -- types -------------------------------------------------------------------------------------- */

struct unread_type {
	uint32_t type;
	Dwarf_Die die;
};

/*
 * Types of debug information, read into a table as they are asked for.  The members of a struct are read after it
 * has its number, one struct after the other: types that point to each other are no loop, and how deeply they
 * nest does not matter.
 */
struct dwarftypes {
	struct typetable *table;
	/* Full names of types in namespaces and classes, and of types that are defined; by key: */
	struct dictionary names;
	Dwarf_Die *definitions; /* addr NULL = not defined so far */
	size_t definitions_capacity;
	/* By place_of() a DIE. */
	struct idtable named;       /* key of its full name */
	struct idtable read;        /* its type */
	struct unread_type *unread; /* structs whose members are to be read */
	size_t n_unread, unread_capacity;
	struct bytes text; /* for names */
};

enum {
	MOST_LINKS =
		64, /* from a type to what it is made of: pointers to pointers, typedefs of typedefs */
	MOST_MEMBERS = 4096, /* of a struct; others are left out */
};

/* Where a DIE is: offsets of .debug_types and .debug_info are the same numbers, addresses are not. */
static uint64_t place_of(const Dwarf_Die *die)
{
	return (uintptr_t)die->addr;
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

/* Notes the full name of a type, by what it is in, and where it is defined. */
static void dwarftypes_note(struct dwarftypes *types, Dwarf_Die *die, const struct dwarf_walk *walk)
{
	const char *name = dwarf_diename(die);
	size_t before = types->names.count;
	uint32_t key;

	if (!name)
		return;
	bytes_reset(&types->text);
	bytes_add_text(&types->text, prefix_of(die));
	for (size_t i = 1; i < walk->depth; i++) {
		Dwarf_Die above = walk->above[i];
		const char *part = dwarf_diename(&above);

		bytes_add_text(&types->text, part ? part : "(anonymous)");
		bytes_add_text(&types->text, "::");
	}
	bytes_add_text(&types->text, name);
	key = dictionary_intern(&types->names, types->text.text, types->text.len);
	types->definitions = heap_grow(types->definitions, &types->definitions_capacity,
				       types->names.count, sizeof(*types->definitions));
	if (types->names.count > before)
		types->definitions[key].addr = NULL;
	if (!types->definitions[key].addr && !dwarf_hasattr(die, DW_AT_declaration))
		types->definitions[key] = *die;
	idtable_put(&types->named, place_of(die), key);
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

/* The name of a struct without one: the typedef of it, else where it is declared. */
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

/* Into types->text; returns its length. */
static size_t make_name(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined)
{
	uint32_t key = idtable_get(&types->named, place_of(die));
	const char *name = dwarf_diename(die);

	bytes_reset(&types->text);
	if (key != IDTABLE_NONE) {
		struct name full = dictionary_name(&types->names, key);

		bytes_add(&types->text, full.text, full.len);
	} else if (name) {
		bytes_add_text(&types->text, prefix_of(die));
		bytes_add_text(&types->text, name);
	} else {
		add_substitute(types, die, typedefined);
	}
	return types->text.len;
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

/* Reading the members of a struct. */
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

static void read_members(struct dwarftypes *types, const struct unread_type *unread)
{
	struct member_reading reading = {
		.types = types,
		.members = heap_alloc(MOST_MEMBERS * sizeof(*reading.members)),
	};
	Dwarf_Die die = unread->die;

	dwarfwalk(&die, take_inside, &reading);
	typetable_set_members(types->table, unread->type, reading.members, reading.n);
	if (reading.has_variants)
		typetable_edit(types->table, unread->type)->kind = DATA_UNION;
	free(reading.members);
}

/* -- types ----------------------------------------------------------------------------------- */

/* The type whose identity is types->text, and its name name_len bytes of that; NULL if *type was there already. */
static struct data_type *intern(struct dwarftypes *types, enum data_kind kind, size_t name_len,
				uint32_t *type)
{
	char *name = heap_copy_part(types->text.text, name_len);
	bool is_new;

	bytes_add_char(&types->text, '\0');
	*type = typetable_intern(types->table, types->text.text, kind, name, &is_new);
	free(name);
	return is_new ? typetable_edit(types->table, *type) : NULL;
}

static uint32_t read_struct(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined)
{
	enum data_kind kind = dwarf_tag(die) == DW_TAG_union_type ? DATA_UNION : DATA_STRUCT;
	struct member_reading only_text = { .types = types };
	Dwarf_Die definition = *die;
	struct data_type *made;
	uint64_t size = 0;
	uint32_t type;
	char text[32];
	size_t len = make_name(types, die, typedefined);

	if (dwarf_hasattr(die, DW_AT_declaration)) {
		uint32_t key = dictionary_find(&types->names, types->text.text, len);

		if (key != DICTIONARY_NONE && types->definitions[key].addr)
			definition = types->definitions[key];
	}
	if (!number_of(&definition, DW_AT_byte_size, &size))
		size = 0;
	/* Size and members distinguish it from others of its name. */
	snprintf(text, sizeof(text), "|%" PRIu64 "|", size);
	bytes_add_text(&types->text, text);
	dwarfwalk(&definition, take_inside, &only_text);
	made = intern(types, kind, len, &type);
	if (!made)
		return type;
	made->size = size;
	types->unread = heap_grow(types->unread, &types->unread_capacity, types->n_unread + 1,
				  sizeof(*types->unread));
	types->unread[types->n_unread++] = (struct unread_type){ type, definition };
	return type;
}

static uint32_t read_scalar(struct dwarftypes *types, Dwarf_Die *die)
{
	uint64_t size = 0, encoding = 0;
	enum data_kind kind = DATA_SCALAR;
	struct data_type *made;
	uint32_t type;

	if (!number_of(die, DW_AT_byte_size, &size))
		size = 0;
	if (dwarf_tag(die) == DW_TAG_base_type && number_of(die, DW_AT_encoding, &encoding) &&
	    size == 1 &&
	    (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char ||
	     encoding == DW_ATE_unsigned || encoding == DW_ATE_UTF))
		kind = DATA_BYTES;
	made = intern(types, kind, make_name(types, die, NULL), &type);
	if (made)
		made->size = size;
	return type;
}

/* A pointer to, or an array of another type: its name, and more of its identity. */
static uint32_t read_derived(struct dwarftypes *types, enum data_kind kind, uint32_t target,
			     const char *suffix, uint64_t size)
{
	struct data_type *made;
	char text[64];
	uint32_t type;
	size_t len;

	bytes_reset(&types->text);
	bytes_add_text(&types->text, typetable_get(types->table, target)->name);
	bytes_add_text(&types->text, suffix);
	len = types->text.len;
	snprintf(text, sizeof(text), "|%s %" PRIu32 ", %" PRIu64, kind == DATA_ARRAY ? "of" : "to",
		 target, size);
	bytes_add_text(&types->text, text);
	made = intern(types, kind, len, &type);
	if (made) {
		made->size = size;
		made->target = target;
	}
	return type;
}

static uint32_t pointer_to(struct dwarftypes *types, uint32_t target)
{
	enum data_kind kind = typetable_get(types->table, target)->kind;

	return read_derived(types, DATA_POINTER, target, kind == DATA_POINTER ? "*" : " *", 8);
}

static uint32_t read_tagged(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined,
			    int links)
{
	const char *name = dwarf_tag(die) == DW_TAG_typedef ? dwarf_diename(die) : NULL;
	Dwarf_Attribute attribute;
	Dwarf_Word size;
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
		return pointer_to(types, read_type_of(types, die, links + 1));
	case DW_TAG_array_type:
		if (dwarf_aggregate_size(die, &size) != 0)
			size = 0;
		return read_derived(types, DATA_ARRAY, read_type_of(types, die, links + 1), "[]",
				    size);
	default:
		return TYPE_NONE;
	}
}

static uint32_t read_type(struct dwarftypes *types, Dwarf_Die *die, const char *typedefined,
			  int links)
{
	uint32_t type;

	if (links >= MOST_LINKS)
		return TYPE_NONE;
	type = idtable_get(&types->read, place_of(die));
	if (type != IDTABLE_NONE)
		return type;
	type = read_tagged(types, die, typedefined, links);
	idtable_put(&types->read, place_of(die), type);
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

/* The type of a variable, or that a function returns; TYPE_NONE = not known. */
static uint32_t dwarftypes_of(struct dwarftypes *types, Dwarf_Die *die)
{
	uint32_t type = read_type_of(types, die, 0);

	while (types->n_unread > 0) {
		struct unread_type unread = types->unread[--types->n_unread];

		read_members(types, &unread);
	}
	return type;
}

/* -- the object ------------------------------------------------------------------------------
 *
 * First all units are read for where functions and variables are, and for the full names of what is in namespaces
 * and classes, which a DIE does not say.  The rest is read when it is asked for.
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
	bool is_untyped;      /* the unit at work has no types */
	bool is_fixed;
};

enum { MOST_RANGES = 1 << 22 }; /* a damaged file shall not fill the memory */

static bool add_range(struct range_list *list, uint64_t start, uint64_t end, Dwarf_Off die)
{
	if (start >= end || list->n == MOST_RANGES)
		return false;
	list->ranges = heap_grow(list->ranges, &list->capacity, list->n + 1, sizeof(*list->ranges));
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

static void sort_ranges(struct range_list *list)
{
	if (list->n > 0)
		qsort(list->ranges, list->n, sizeof(*list->ranges), compare_ranges);
}

static const struct known_range *find_range(const struct range_list *list, uint64_t address)
{
	const size_t n = array_upto(list->ranges, list->n, sizeof(*list->ranges),
				    offsetof(struct known_range, start), address);

	return n > 0 && address < list->ranges[n - 1].end ? &list->ranges[n - 1] : NULL;
}

static bool is_of_types(Dwarf_Die *die)
{
	static const int tags[] = {
		DW_TAG_array_type,
		DW_TAG_atomic_type,
		DW_TAG_base_type,
		DW_TAG_class_type,
		DW_TAG_const_type,
		DW_TAG_enumeration_type,
		DW_TAG_imported_unit,
		DW_TAG_interface_type,
		DW_TAG_pointer_type,
		DW_TAG_ptr_to_member_type,
		DW_TAG_reference_type,
		DW_TAG_restrict_type,
		DW_TAG_rvalue_reference_type,
		DW_TAG_string_type,
		DW_TAG_structure_type,
		DW_TAG_subrange_type,
		DW_TAG_subroutine_type,
		DW_TAG_typedef,
		DW_TAG_union_type,
		DW_TAG_unspecified_type,
		DW_TAG_volatile_type,
	};
	const int tag = dwarf_tag(die);

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (tags[i] == tag)
			return true;
	return false;
}

/*
 * With -g1 and -gline-tables-only a unit has functions only, without types.  Types may all be in another unit (Go, dwz), to
 * which functions, their parameters and variables refer.
 */
static bool unit_has_types(Dwarf_Die *unit)
{
	Dwarf_Die die, inner;

	for (int status = dwarf_child(unit, &die); status == 0;
	     status = dwarf_siblingof(&die, &die)) {
		if (is_of_types(&die) || dwarf_hasattr(&die, DW_AT_type))
			return true;
		if (dwarf_tag(&die) != DW_TAG_subprogram)
			continue;
		for (int left = dwarf_child(&die, &inner); left == 0;
		     left = dwarf_siblingof(&inner, &inner))
			if (dwarf_hasattr(&inner, DW_AT_type))
				return true;
	}
	return false;
}

/* True if another unit, which has types, describes a function: with -flto, code has its own unit. */
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
		if (!add_range(&reader->functions, start, end, dwarf_dieoffset(die)))
			break;
}

/* Gives a thread-local the address at which code finds it, relative to STATE_THREAD. */
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
	add_range(&reader->variables, location.address, location.address + size,
		  dwarf_dieoffset(die));
}

/* Called for each DIE; true if its children are of interest. */
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
		dwarftypes_note(&reader->types, die, walk);
		return dwarf_tag(die) != DW_TAG_enumeration_type;
	default:
		return false;
	}
}

static void scan(struct typereader *reader)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t kind;

	objectfile_need_room();
	while (dwarf_get_units(reader->dwarf, unit, &unit, NULL, &kind, &die, NULL) == 0) {
		/* Assembly has only names. */
		if (dwarf_srclang(&die) != DW_LANG_Mips_Assembler) {
			reader->is_untyped = dwarf_tag(&die) == DW_TAG_compile_unit &&
					     !unit_has_types(&die);
			dwarfwalk(&die, note_die, reader);
		}
		objectfile_need_room();
	}
	sort_ranges(&reader->functions);
	sort_ranges(&reader->variables);
}

struct typereader *typereader_open(struct objectfile *object, struct typetable *table)
{
	struct typereader *reader = heap_zeroed(1, sizeof(*reader));

	reader->dwarf = (Dwarf *)objectfile_dwarf(object);
	reader->is_fixed = objectfile_is_fixed(object);
	reader->types.table = table;
	dictionary_init(&reader->types.names);
	idtable_init(&reader->types.named);
	idtable_init(&reader->types.read);
	bytes_init(&reader->types.text);
	if (reader->dwarf) {
		read_thread_size(reader);
		scan(reader);
	}
	return reader;
}

void typereader_free(struct typereader *reader)
{
	if (!reader)
		return;
	dictionary_release(&reader->types.names);
	idtable_release(&reader->types.named);
	idtable_release(&reader->types.read);
	bytes_release(&reader->types.text);
	free(reader->types.definitions);
	free(reader->types.unread);
	free(reader->functions.ranges);
	free(reader->variables.ranges);
	free(reader);
}

bool typereader_is_fixed(const struct typereader *reader)
{
	return reader->is_fixed;
}

/* -- functions ------------------------------------------------------------------------------- */

/* Reading a function. */
struct function_reading {
	struct typereader *reader;
	struct type_function *function;
	int8_t frame_register; /* that its frame is at; -1 = the CFA */
	bool has_frame;
};

static void add_fact(struct function_reading *reading, const struct dwarf_location *at,
		     struct data_value value)
{
	struct type_function *function = reading->function;

	if (value.kind != VALUE_POINTER || at->reg >= STATE_REGISTERS)
		return;
	function->facts = heap_grow(function->facts, &function->facts_capacity,
				    function->n_facts + 1, sizeof(*function->facts));
	function->facts[function->n_facts++] = (struct register_fact){
		.start = at->start,
		.end = at->end,
		.reg = (uint8_t)at->reg,
		.value = value,
	};
}

static void add_place(struct function_reading *reading, const struct dwarf_location *at, int8_t reg,
		      uint32_t type)
{
	struct type_function *function = reading->function;
	const struct typetable *table = reading->reader->types.table;

	function->places = heap_grow(function->places, &function->places_capacity,
				     function->n_places + 1, sizeof(*function->places));
	function->places[function->n_places++] = (struct frame_fact){
		.start = at->start,
		.end = at->end,
		.reg = reg,
		.offset = at->offset,
		.size = at->piece_size ? at->piece_size : typetable_get(table, type)->size,
		.value = value_pointer(table, type, (int64_t)at->piece),
	};
}

static void add_location(struct function_reading *reading, const struct dwarf_location *at,
			 uint32_t type)
{
	struct dwarftypes *types = &reading->reader->types;
	struct data_value value = value_of_type(types->table, type, at->piece);

	switch (at->kind) {
	case LOCATION_REGISTER:
		add_fact(reading, at, value);
		break;
	case LOCATION_VALUE: /* the variable is register + offset */
		value.offset = offset_difference(value.offset, at->offset);
		add_fact(reading, at, value);
		break;
	case LOCATION_INDIRECT: /* the register + offset is its address */
		if (at->reg == STATE_SP || (int)at->reg == reading->frame_register)
			add_place(reading, at, (int8_t)at->reg, type);
		else
			add_fact(reading, at,
				 value_pointer(types->table, type,
					       offset_difference((int64_t)at->piece, at->offset)));
		break;
	case LOCATION_FRAME:
		if (reading->has_frame)
			add_place(reading, at, reading->frame_register, type);
		break;
	case LOCATION_FRAME_REFERENCE:
		if (reading->has_frame)
			add_place(reading, at, reading->frame_register, pointer_to(types, type));
		break;
	case LOCATION_ADDRESS:
	case LOCATION_THREAD:
	case LOCATION_CFA:
	case LOCATION_OTHER:
		break;
	}
}

/* Reads where a variable is; true if it has a place at the function's entry. */
static bool read_variable(struct function_reading *reading, Dwarf_Die *die,
			  const struct dwarf_walk *walk)
{
	const uint64_t entry = reading->function->entry;
	struct range_list *variables = &reading->reader->variables;
	struct dwarf_location location;
	Dwarf_Attribute attribute;
	Dwarf_Word size;
	uint32_t type = TYPE_NONE;
	bool goes_on, is_there = false;

	if (!dwarf_attr(die, DW_AT_location, &attribute))
		return false;
	for (goes_on = dwarf_location_first(&location, &attribute); goes_on;
	     goes_on = dwarf_location_next(&location)) {
		struct dwarf_location at = location;

		if (at.kind == LOCATION_OTHER)
			continue;
		is_there |= entry >= at.start && entry < at.end;
		if (type == TYPE_NONE)
			type = dwarftypes_of(&reading->reader->types, die);
		if (type == TYPE_NONE)
			continue;
		/* An expression without a list holds for the whole scope. */
		if (at.start == 0 && at.end == UINT64_MAX) {
			at.start = walk->low;
			at.end = walk->high;
		}
		place_thread_local(reading->reader, &at);
		if (at.kind != LOCATION_ADDRESS)
			add_location(reading, &at, type);
		else if (!find_range(variables,
				     at.address) && /* the function may have been read before */
			 dwarfwalk_size(die, &size) &&
			 size > 0 &&
			 add_range(variables, at.address, at.address + size, dwarf_dieoffset(die)))
			sort_ranges(variables);
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
		return true;
	default:
		return false;
	}
}

bool typereader_function(struct typereader *reader, uint64_t address,
			 struct type_function *function)
{
	const struct known_range *range = find_range(&reader->functions, address);
	struct function_reading reading = {
		.reader = reader,
		.function = function,
		.frame_register = -1,
	};
	Dwarf_Addr base, start, end, entry;
	struct dwarf_location frame;
	Dwarf_Attribute attribute;
	ptrdiff_t offset = 0;
	Dwarf_Die die;

	memset(function, 0, sizeof(*function));
	if (!range)
		return false;
	objectfile_need_room();
	if (!dwarf_offdie(reader->dwarf, range->die, &die))
		return false;
	if (dwarf_attr_integrate(&die, DW_AT_frame_base, &attribute) &&
	    dwarf_location_first(&frame, &attribute)) {
		reading.has_frame = frame.kind == LOCATION_CFA;
		if (frame.kind == LOCATION_REGISTER && frame.reg < STATE_REGISTERS) {
			reading.has_frame = true;
			reading.frame_register = (int8_t)frame.reg;
		}
	}
	while ((offset = dwarf_ranges(&die, offset, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		function->ranges = heap_grow(function->ranges, &function->ranges_capacity,
					     function->n_ranges + 1, sizeof(*function->ranges));
		function->ranges[function->n_ranges++] = (struct code_range){ start, end };
	}
	/* Without DW_AT_entry_pc, the first range begins with the entry; it need not be the lowest (DWARF 5, 2.18). */
	if (dwarf_hasattr(&die, DW_AT_entry_pc) && dwarf_entrypc(&die, &entry) == 0)
		function->entry = entry;
	else if (function->n_ranges > 0)
		function->entry = function->ranges[0].start;
	dwarfwalk(&die, read_die, &reading);
	return true;
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
