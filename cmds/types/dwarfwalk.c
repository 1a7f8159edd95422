/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/types/dwarfwalk.h"

#include <dwarf.h>
#include <string.h>

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
