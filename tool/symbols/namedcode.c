/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/symbols/namedcode.h"

#include <stddef.h>

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

/* A range is found by any other that shares a byte with it. */
static Word compare(const void *key, const void *element)
{
	const struct address_range *wanted = key, *range = element;

	if (wanted->last < range->first)
		return -1;
	return wanted->first > range->last;
}

static void insert(struct named_codes *codes, UWord first, UWord last, Addr entry,
		   const HChar *name)
{
	struct named_code *code = VG_(OSetGen_AllocNode)(codes->ranges, sizeof(*code));

	*code = (struct named_code){ .range = { first, last }, .entry = entry, .name = name };
	VG_(OSetGen_Insert)(codes->ranges, code);
}

/* Takes a range out; of one that it cuts, what is left on either side keeps its name. */
static void cut(struct named_codes *codes, struct address_range range)
{
	const struct named_code *found;

	while ((found = VG_(OSetGen_Lookup)(codes->ranges, &range)) != NULL) {
		struct named_code old = *found;

		VG_(OSetGen_FreeNode)(codes->ranges, VG_(OSetGen_Remove)(codes->ranges, &range));
		if (old.range.first < range.first)
			insert(codes, old.range.first, range.first - 1, old.entry, old.name);
		if (old.range.last > range.last)
			insert(codes, range.last + 1, old.range.last, old.entry, old.name);
	}
}

void named_code_set(struct named_codes *codes, struct address_range range, const HChar *name)
{
	if (codes->ranges == NULL)
		codes->ranges = VG_(OSetGen_Create)(offsetof(struct named_code, range), compare,
						    VG_(malloc), "costgrind.code", VG_(free));
	cut(codes, range);
	if (name[0] != '\0')
		insert(codes, range.first, range.last, range.first, name);
}

const struct named_code *named_code_find(const struct named_codes *codes, Addr address)
{
	const struct address_range range = { address, address };

	return codes->ranges == NULL ? NULL : VG_(OSetGen_Lookup)(codes->ranges, &range);
}
