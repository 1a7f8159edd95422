/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/naming.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/message.h"
#include "tool/common/numbers.h"
#include "tool/counts/state.h"
#include "tool/generated/codename.h"
#include "tool/generated/state.h"
#include "tool/symbols/symbol.h"

enum {
	MAX_ROWS = 256, /* of sites that are looked at */
};

static const struct text *intern(struct text_table *table, const HChar *chars)
{
	return text_intern(table, chars, VG_(strlen)(chars));
}

/* Fills in what a name says of function, file and line; False if it says nothing. */
static Bool split(const HChar *name, SizeT len, struct named_code *code)
{
	static struct codename parts; /* too much for a stack of the core's */

	codename_split(name, len, &parts);
	if (parts.function[0] == '\0')
		return False;
	code->name = intern(&tool_symbols.names, parts.function);
	code->file = parts.file[0] == '\0' ? NULL : intern(&tool_symbols.files, parts.file);
	code->line = parts.line;
	return True;
}

static Bool is_range(Addr address, ULong size)
{
	return size > 0 && size <= NAMING_MAX_SIZE && address + (size - 1) >= address;
}

/* Whether code has that name already, with lines: some write it to two files. */
static Bool is_known_better(const struct named_code *code)
{
	const struct named_code *known =
		named_code_find(&tool_symbols.named_code, code->range.first);

	return known != NULL && known->lines != NULL && code->lines == NULL &&
	       known->name == code->name && known->range.first == code->range.first &&
	       known->range.last == code->range.last;
}

/* --- code that is translated already -------------------------------------------------------- */

/* Whether any of its code is translated; of large ranges it is assumed. */
static Bool is_translated(struct address_range range)
{
	const UWord first = range.first / SITE_ROW_SIZE, last = range.last / SITE_ROW_SIZE;

	if (last - first >= MAX_ROWS)
		return True;
	for (UWord key = first; key <= last; key++) {
		const struct site_row *row = VG_(HT_lookup)(tool_counts.sites.rows, key);

		for (const struct site *site = row == NULL ? NULL : row->first; site != NULL;
		     site = site->next)
			if (site->n_blocks > 0 && site->address >= range.first &&
			    site->address <= range.last)
				return True;
	}
	return False;
}

/* Has code that is translated translated again, so that it goes by its new name. */
static void note_renamed(struct address_range range)
{
	struct renamed *renamed = &tool_generated.renamed;
	struct address_range *last;

	if (!is_translated(range))
		return;
	if (renamed->n < MAX_RENAMED) {
		renamed->ranges[renamed->n++] = range;
		return;
	}
	last = &renamed->ranges[MAX_RENAMED - 1];
	if (range.first < last->first)
		last->first = range.first;
	if (range.last > last->last)
		last->last = range.last;
}

static void set(const struct named_code *code)
{
	named_code_set(&tool_symbols.named_code, code);
	note_renamed(code->range);
}

/* --- names ----------------------------------------------------------------------------------- */

const struct text *naming_set(const struct naming *naming)
{
	struct named_code code = {
		.entry = naming->address,
		.lines = naming->lines,
		.is_read = True,
	};

	if (tool_generated.n_names == NAMING_MAX_NAMES)
		return NULL;
	if (++tool_generated.n_names == NAMING_MAX_NAMES)
		message_note("names of generated code: no more than the first %u are read",
			     (UInt)NAMING_MAX_NAMES);
	if (!is_range(naming->address, naming->size) ||
	    !split(naming->name, naming->name_len, &code))
		return NULL;
	code.range = (struct address_range){ naming->address, naming->address + naming->size - 1 };
	/* Where a table of lines says which file it is, the function is in that. */
	if (code.file == NULL && code.lines != NULL)
		code.file = code.lines->lines[0].file;
	if (!is_known_better(&code))
		set(&code);
	return code.name;
}

void naming_move(Addr from, Addr to, ULong size)
{
	const struct named_code *found = named_code_find(&tool_symbols.named_code, from);
	struct named_code code;

	if (found == NULL || !found->is_read || found->entry != from || !is_range(to, size))
		return;
	code = *found;
	code.range = (struct address_range){ to, to + size - 1 };
	code.entry = to;
	set(&code);
}

void naming_remove(Addr address, ULong size, const struct text *name)
{
	struct named_code code = { .entry = address };
	const struct named_code *found;

	for (ULong at = 0; at < size; at += code.range.last - code.range.first + 1) {
		const Addr last = address + size - 1;

		found = named_code_find(&tool_symbols.named_code, address + at);
		if (found == NULL || found->name != name || found->entry != address)
			return;
		code.range.first = address + at;
		code.range.last = found->range.last < last ? found->range.last : last;
		set(&code);
	}
}

static Int line_order(const void *a, const void *b)
{
	const struct named_line *left = a, *right = b;

	return by_number(left->offset, right->offset);
}

static Bool are_sorted(const struct named_line *lines, UInt n)
{
	for (UInt i = 1; i < n; i++)
		if (lines[i].offset < lines[i - 1].offset)
			return False;
	return True;
}

struct named_lines *naming_lines(struct named_line *lines, UInt n)
{
	struct named_lines *table;

	if (n == 0)
		return NULL;
	/* Of several of one instruction, the last one counts. */
	if (!are_sorted(lines, n))
		VG_(ssort)(lines, n, sizeof(*lines), line_order);
	table = VG_(malloc)("costgrind.named_lines", sizeof(*table) + n * sizeof(*lines));
	table->n = n;
	VG_(memcpy)(table->lines, lines, n * sizeof(*lines));
	return table;
}

const struct text *naming_file(const HChar *chars, SizeT len)
{
	static struct codename parts;
	HChar *to = parts.file;
	SizeT n = 0;

	for (; n < len && n < sizeof(parts.file) - 1; n++) {
		to[n] = chars[n];
		if ((UChar)to[n] < ' ' || to[n] == 0x7f)
			to[n] = '?';
	}
	to[n] = '\0';
	return n == 0 ? NULL : intern(&tool_symbols.files, to);
}

Bool naming_is_numbered(const HChar *path, const HChar *prefix, const HChar *suffix)
{
	const HChar *slash = VG_(strrchr)(path, '/');
	const HChar *name = slash == NULL ? path : slash + 1;
	const SizeT len = VG_(strlen)(prefix);

	if (VG_(strncmp)(name, prefix, len) != 0 || !VG_(isdigit)(name[len]))
		return False;
	name += len;
	while (VG_(isdigit)(*name))
		name++;
	return VG_(strcmp)(name, suffix) == 0;
}
