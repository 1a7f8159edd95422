/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/symbols/namedcode.h"

#include <stddef.h>

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/text.h"

/* A range is found by any other that shares a byte with it. */
static Word compare(const void *key, const void *element)
{
	const struct address_range *wanted = key, *range = element;

	if (wanted->last < range->first)
		return -1;
	return wanted->first > range->last;
}

static void insert(struct named_codes *codes, const struct named_code *code, UWord first,
		   UWord last)
{
	struct named_code *node = VG_(OSetGen_AllocNode)(codes->ranges, sizeof(*node));

	*node = *code;
	node->range = (struct address_range){ first, last };
	VG_(OSetGen_Insert)(codes->ranges, node);
}

static Bool is_same(const struct named_code *left, const struct named_code *right)
{
	return left->name == right->name && left->file == right->file &&
	       left->entry == right->entry;
}

/*
 * Removes a range; the rest of code on either side keeps its name.  Returns true if any of it differs from the code that will
 * take its place.
 */
static Bool cut(struct named_codes *codes, struct address_range range,
		const struct named_code *to_come)
{
	const struct named_code *found;
	Bool differs = False;

	while ((found = VG_(OSetGen_Lookup)(codes->ranges, &range)) != NULL) {
		struct named_code old = *found;

		differs |= !is_same(&old, to_come) || old.reused;
		VG_(OSetGen_FreeNode)(codes->ranges, VG_(OSetGen_Remove)(codes->ranges, &range));
		if (old.range.first < range.first)
			insert(codes, &old, old.range.first, range.first - 1);
		if (old.range.last > range.last)
			insert(codes, &old, range.last + 1, old.range.last);
	}
	return differs;
}

Bool named_code_set(struct named_codes *codes, const struct named_code *code)
{
	struct named_code next = *code;

	if (codes->ranges == NULL)
		codes->ranges = VG_(OSetGen_Create)(offsetof(struct named_code, range), compare,
						    VG_(malloc), "costgrind.code", VG_(free));
	codes->has_read |= code->is_read;
	next.reused = cut(codes, code->range, code);
	if (code->name != NULL && code->name->len > 0)
		insert(codes, &next, code->range.first, code->range.last);
	return next.reused;
}

const struct named_code *named_code_find(const struct named_codes *codes, Addr address)
{
	return named_code_within(codes, (struct address_range){ address, address });
}

const struct named_code *named_code_within(const struct named_codes *codes,
					   struct address_range range)
{
	return codes->ranges == NULL ? NULL : VG_(OSetGen_Lookup)(codes->ranges, &range);
}

Bool named_code_is_file(const HChar *name)
{
	static const HChar *const beginnings[] = { "/memfd:", "/SYSV", "/dev/shm/", "/dev/zero" };

	for (UInt i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (VG_(strncmp)(name, beginnings[i], VG_(strlen)(beginnings[i])) == 0)
			return True;
	return VG_(strstr)(name, " (deleted)") != NULL;
}

Bool named_code_can_be_at(Addr address)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);
	const HChar *name;

	if (segment == NULL || segment->kind == SkAnonC || segment->kind == SkShmC)
		return segment != NULL;
	name = segment->kind == SkFileC ? VG_(am_get_filename)(segment) : NULL;
	return name != NULL && named_code_is_file(name);
}

UInt named_code_line(const struct named_code *code, Addr address, const struct text **file)
{
	const struct named_lines *lines = code->lines;
	UInt first = 0, end = lines == NULL ? 0 : lines->n;

	*file = code->file;
	/* The last one at or before the address. */
	while (first < end) {
		UInt middle = first + (end - first) / 2;

		if (lines->lines[middle].offset <= address - code->entry)
			first = middle + 1;
		else
			end = middle;
	}
	if (first == 0)
		return code->line;
	if (lines->lines[first - 1].file != NULL)
		*file = lines->lines[first - 1].file;
	return lines->lines[first - 1].line;
}
