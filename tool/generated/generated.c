/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/generated.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"

#include "tool/calls/state.h"
#include "tool/common/guest.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/counts/state.h"
#include "tool/generated/mapfile.h"
#include "tool/generated/state.h"
#include "tool/symbols/symbol.h"

enum {
	ACCESS_MODE = 3, /* bits of what a file is opened for */
};

static void read_files(void)
{
	mapfile_read();
	dumpfiles_read(); /* they have lines, so they are to win */
}

static void read_names(Addr address)
{
	if (!named_code_can_be_at(address))
		return;
	if (tool_generated.has_missed) {
		tool_generated.has_missed = False;
		objectlist_read();
	}
	read_files();
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
		dumpfiles_mapped(name);
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

/* A file of names that was last written before now is not this process's. */
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
	objectlist_start();
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
	mapfile_opened(path);
}

void generated_fork(void)
{
	if (!tool_generated.is_on)
		return;
	if (!tool_self.sealed)
		note_started();
	mapfile_forget();
	dumpfiles_forget();
}

void generated_resume(void)
{
	tool_generated.has_missed = tool_generated.is_on;
}

/* The name that a function without one has by now; NULL if none, or it is not certain. */
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
	read_files();
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
