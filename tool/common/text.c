/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/text.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

UWord text_hash(UWord seed, const void *data, SizeT len)
{
	const UChar *bytes = data;
	UWord hash = seed ^ 0xcbf29ce484222325UL;

	for (SizeT i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3UL;
	return hash;
}

void text_table_init(struct text_table *table, const HChar *name)
{
	table->table = VG_(HT_construct)(name);
	table->n = 0;
	table->last = NULL;
}

static Word text_compare(const void *a, const void *b)
{
	const struct text *left = a, *right = b;

	return left->len != right->len || VG_(memcmp)(left->chars, right->chars, left->len) != 0;
}

struct text *text_intern(struct text_table *table, const HChar *chars, SizeT len)
{
	struct text wanted = { .len = (UInt)len, .chars = chars };
	struct text *text;
	HChar *copy;

	if (table->last != NULL && text_compare(table->last, &wanted) == 0)
		return table->last;
	wanted.key = text_hash(0, chars, len);
	text = VG_(HT_gen_lookup)(table->table, &wanted, text_compare);
	table->last = text;
	if (text != NULL)
		return text;
	text = VG_(perm_malloc)(sizeof(*text), 8);
	copy = VG_(malloc)("costgrind.text", len + 1);
	VG_(memcpy)(copy, chars, len);
	copy[len] = '\0';
	*text = wanted;
	text->chars = copy;
	text->id = table->n++;
	VG_(HT_add_node)(table->table, text);
	table->last = text;
	return text;
}

static Int alphabetical(const void *a, const void *b)
{
	const struct text *const *left = a, *const *right = b;

	return VG_(strcmp)((*left)->chars, (*right)->chars);
}

void text_table_rank(struct text_table *table)
{
	UInt n;
	struct text **all = (struct text **)VG_(HT_to_array)(table->table, &n);

	if (all == NULL)
		return;
	VG_(ssort)(all, n, sizeof(*all), alphabetical);
	for (UInt i = 0; i < n; i++)
		all[i]->rank = i;
	VG_(free)(all);
}
