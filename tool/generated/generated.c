/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/generated.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/numbers.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/counts/state.h"
#include "tool/generated/jitformats.h"
#include "tool/generated/state.h"
#include "tool/symbols/symbol.h"

enum {
	MAX_ROWS = 256,  /* of sites that are searched */
	ACCESS_MODE = 3, /* bits of the flags of open() */
};

/* --- names ----------------------------------------------------------------------------------- */

static const struct text *intern(struct text_table *table, const HChar *chars)
{
	return text_intern(table, chars, VG_(strlen)(chars));
}

/* Sets function, file and line from a name; False if it has no function. */
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

/* True if code already has this name, with lines: some programs write it to two files. */
static Bool is_known_better(const struct named_code *code)
{
	const struct named_code *known =
		named_code_find(&tool_symbols.named_code, code->range.first);

	return known != NULL && known->lines != NULL && code->lines == NULL &&
	       known->name == code->name && known->range.first == code->range.first &&
	       known->range.last == code->range.last;
}

/* True if any of the code is translated; assumed for large ranges. */
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

/* Translated code will be translated again, to get its new name. */
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

static void set_name(const struct named_code *code)
{
	named_code_set(&tool_symbols.named_code, code);
	note_renamed(code->range);
}

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
	/* If only the lines name a file, the function is in that file. */
	if (code.file == NULL && code.lines != NULL)
		code.file = code.lines->lines[0].file;
	if (!is_known_better(&code))
		set_name(&code);
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
	set_name(&code);
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
		set_name(&code);
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
	/* Of several lines of one instruction, the last one counts. */
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

/* --- what happens in the program ------------------------------------------------------------- */

static void read_names(Addr address)
{
	if (!named_code_can_be_at(address))
		return;
	if (tool_generated.has_missed) {
		tool_generated.has_missed = False;
		gdbjit_read();
	}
	jitfiles_read();
}

Bool generated_has_renamed(Addr address)
{
	if (!tool_generated.is_on)
		return False;
	read_names(address);
	return tool_generated.renamed.n > 0;
}

Bool generated_take_renamed(struct address_range *range)
{
	struct renamed *renamed = &tool_generated.renamed;

	if (renamed->n == 0)
		return False;
	*range = renamed->ranges[--renamed->n];
	return True;
}

static void note_mapped(Addr address, SizeT size)
{
	const NSegment *segment = size == 0 ? NULL : VG_(am_find_nsegment)(address);
	const HChar *name;

	if (segment == NULL || segment->kind != SkFileC)
		return;
	name = VG_(am_get_filename)(segment);
	if (name != NULL)
		jitfiles_mapped(name);
}

static void note_moved(Addr from, Addr to, SizeT size)
{
	(void)from;
	(void)to;
	(void)size;
}

static void note_unmapped(Addr address, SizeT size)
{
	(void)address;
	(void)size;
}

/* A file of names last written before now belongs to another process. */
static void note_started(void)
{
	tool_generated.started = syscall_clock(LINUX_CLOCK_REALTIME) / 1000000000;
}

void generated_start(void)
{
	static const struct mapping_watcher watcher = { note_mapped, note_moved, note_unmapped };

	tool_generated.is_on = True;
	tool_generated.has_missed = tool_calls.options.instr_atstart != INSTR_YES;
	note_started();
	tool_symbols.read_names = read_names;
	mappings_watch(&watcher);
	gdbjit_start();
}

void generated_opened(Int fd)
{
	HChar link[32], path[VKI_PATH_MAX];
	Word len;

	if (!tool_generated.is_on || tool_self.sealed ||
	    (syscall_fcntl(fd, VKI_F_GETFL, 0) & (ACCESS_MODE | LINUX_O_PATH)) == VKI_O_RDONLY)
		return;
	VG_(snprintf)(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = syscall_readlinkat(LINUX_AT_FDCWD, link, path, sizeof(path) - 1);
	if (len <= 0)
		return;
	path[len] = '\0';
	jitfiles_opened(path);
}

void generated_fork(void)
{
	if (!tool_generated.is_on)
		return;
	if (!tool_self.sealed)
		note_started();
	jitfiles_forget();
}

void generated_resume(void)
{
	tool_generated.has_missed = tool_generated.is_on;
}

/* --- names that come late -------------------------------------------------------------------- */

/* The name that a function without one has by now; NULL if there is none or it is uncertain. */
static const struct named_code *find_late(const struct function *function)
{
	const struct named_code *code;

	if (!function->unnamed)
		return NULL;
	code = named_code_find(&tool_symbols.named_code, function->entry);
	if (code == NULL || !code->is_read || code->reused || symbols_has_changed(function))
		return NULL;
	return code;
}

static void name_sites(void)
{
	for (struct site_page *page = tool_counts.sites.first; page != NULL; page = page->next)
		for (UInt i = 0; i < page->n; i++) {
			struct site *site = &page->sites[i];
			const struct named_code *code;
			const struct text *file;
			UInt line;

			if (!site->scope->function->anonymous || site->line != 0)
				continue;
			code = named_code_find(&tool_symbols.named_code, site->address);
			if (code == NULL || !code->is_read || code->reused)
				continue;
			line = named_code_line(code, site->address, &file);
			sites_name_source(&tool_counts.sites, site, file, line);
		}
}

void generated_name_late(void)
{
	struct function *function;
	Bool has_named = False;

	if (!tool_generated.is_on || !tool_symbols.has_unnamed)
		return;
	jitfiles_read();
	VG_(HT_ResetIter)(tool_symbols.functions);
	while ((function = VG_(HT_Next)(tool_symbols.functions)) != NULL) {
		const struct named_code *code = find_late(function);

		if (code == NULL)
			continue;
		symbols_name_late(function, code);
		has_named = True;
	}
	if (!has_named)
		return;
	name_sites();
	contexts_forget_names(&tool_counts.contexts);
}
