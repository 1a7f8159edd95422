/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First all units are gone through, for where functions and variables are, and for the full names of what is
 * in namespaces and classes, which a DIE does not say.  The rest is read when it is asked for.
 */
#include "cmds/types/typereader.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/types/dwarftypes.h"
#include "cmds/types/dwarfwalk.h"
#include "profile/common/heap.h"
#include <elfutils/libdw.h>

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
