/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core answers "which symbol, which line" for an address.  Its strings
 * live only until the next question, so each is interned at once.
 *
 * File names are dir/file where the debug information has a directory, as
 * Cachegrind writes them.
 */
#include "tool/symbol.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "valgrind.h"

static const HChar unknown[] = "???";

#if __VALGRIND_MAJOR__ > 3 || __VALGRIND_MINOR__ >= 24
/*
 * From 3.24 on the core demangles Ada names, which makes overloaded functions
 * one, except for a tool that is named "callgrind".  Not in its public headers.
 */
extern Bool VG_(lang_is_ada);

static void keep_ada_names(void)
{
	VG_(lang_is_ada) = False;
}
#else
static void keep_ada_names(void)
{
}
#endif

/*
 * Returns from signal handlers run code inside the tool's own image, at
 * addresses that depend on how the tool was linked.  These two symbols of the
 * core bracket it; they are not in its public headers.
 */
extern Addr VG_(trampoline_stuff_start);
extern Addr VG_(trampoline_stuff_end);

void symbols_init(struct symbols *symbols)
{
	text_table_init(&symbols->objects, "costgrind.objects");
	text_table_init(&symbols->files, "costgrind.files");
	text_table_init(&symbols->names, "costgrind.names");
	symbols->functions = VG_(HT_construct)("costgrind.functions");
	symbols->n_functions = 0;
}

static const struct text *intern(struct text_table *table, const HChar *chars)
{
	return text_intern(table, chars, VG_(strlen)(chars));
}

/* Whether a text is dir/file. */
static Bool is_path(const struct text *text, const HChar *dir, SizeT dir_len, const HChar *file)
{
	return text != NULL && text->len > dir_len && text->chars[dir_len] == '/' &&
	       VG_(memcmp)(text->chars, dir, dir_len) == 0 &&
		   VG_(strcmp)(text->chars + dir_len + 1, file) == 0;
}

/* The line of an address; "???" and 0 if the debug information has none. */
static const struct text *lookup_line(struct symbols *symbols, DiEpoch epoch, Addr address,
				      UInt *line)
{
	const HChar *file, *dir;
	const struct text *text;
	HChar *path;
	SizeT dir_len, len;

	if (!VG_(get_filename_linenum)(epoch, address, &file, &dir, line)) {
		*line = 0;
		return intern(&symbols->files, unknown);
	}
	if (dir[0] == '\0')
		return intern(&symbols->files, file);
	dir_len = VG_(strlen)(dir);
	if (is_path(symbols->files.last, dir, dir_len, file))
		return symbols->files.last;
	len = dir_len + 1 + VG_(strlen)(file);
	path = VG_(malloc)("costgrind.path", len + 1);
	VG_(snprintf)(path, (Int)len + 1, "%s/%s", dir, file);
	text = text_intern(&symbols->files, path, len);
	VG_(free)(path);
	return text;
}

static Bool in_trampoline(Addr address)
{
	return address >= (Addr)&VG_(trampoline_stuff_start) &&
				     address < (Addr)&VG_(trampoline_stuff_end);
}

/*
 * The load bias of the object called name that lies nearest to an address: one
 * that was loaded twice may still be known at both places.
 */
static Addr bias_of_file(const HChar *name, Addr address)
{
	Addr bias = 0, least = ~(Addr)0;

	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL;
	     info = VG_(next_DebugInfo)(info)) {
		Addr text = VG_(DebugInfo_get_text_avma)(info);
		Addr distance = text < address ? address - text : text - address;

		if (distance < least && VG_(strcmp)(VG_(DebugInfo_get_filename)(info), name) == 0) {
			least = distance;
			bias = (Addr)VG_(DebugInfo_get_text_bias)(info);
		}
	}
	return bias;
}

/* The object of an address, and in *bias what to subtract for the address as linked. */
static const struct text *lookup_object(struct symbols *symbols, DiEpoch epoch, Addr address,
					Addr *bias)
{
	const DebugInfo *info;
	const HChar *name;

	*bias = 0;
	if (in_trampoline(address)) {
		*bias = (Addr)&VG_(trampoline_stuff_start);
		return intern(&symbols->objects, "valgrind trampoline");
	}
	info = VG_(find_DebugInfo)(epoch, address);
	if (info != NULL) {
		*bias = (Addr)VG_(DebugInfo_get_text_bias)(info);
		return intern(&symbols->objects, VG_(DebugInfo_get_filename)(info));
	}
	/* Outside .text (.plt, .init, ...), or an object whose symbols were not read. */
	if (!VG_(get_objname)(epoch, address, &name))
		return intern(&symbols->objects, unknown);
	*bias = bias_of_file(name, address);
	return intern(&symbols->objects, name);
}

static Word function_compare(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	return left->object != right->object || left->file != right->file ||
	       left->name != right->name || left->entry != right->entry;
}

/* The function that equals wanted in object, file, name and entry. */
static const struct function *intern_function(struct symbols *symbols, struct function wanted)
{
	struct function *function;

	wanted.key = wanted.name->key ^ wanted.file->key * 3 ^ wanted.object->key * 7 ^
		     wanted.entry;
	function = VG_(HT_gen_lookup)(symbols->functions, &wanted, function_compare);
	if (function != NULL)
		return function;
	function = VG_(perm_malloc)(sizeof(*function), 8);
	*function = wanted;
	function->id = symbols->n_functions++;
	VG_(HT_add_node)(symbols->functions, function);
	return function;
}

/*
 * Bytes between the start of the symbol called name and the address.  The
 * core tells them only as a "+N" behind the name.
 */
static Addr offset_in_symbol(DiEpoch epoch, Addr address, const struct text *name)
{
	const HChar *with_offset;

	if (!VG_(get_fnname_w_offset)(epoch, address, &with_offset) ||
		 VG_(strlen)(with_offset) <= name->len || with_offset[name->len] != '+')
		return 0;
	return (Addr)VG_(strtoull10)(with_offset + name->len + 1, NULL);
}

/* Fills place->function; place->address is there already. */
static void lookup_function(struct symbols *symbols, DiEpoch epoch, Addr address,
			    const struct text *object, const struct place *previous,
			    struct place *place)
{
	struct function wanted = { .object = object };
	const HChar *chars;
	Addr offset;
	UInt line;

	if (!VG_(get_fnname)(epoch, address, &chars)) {
		wanted.file = intern(&symbols->files, unknown);
		wanted.name = intern(&symbols->names, unknown);
		place->function = intern_function(symbols, wanted);
		return;
	}
	wanted.name = intern(&symbols->names, chars);
	if (previous != NULL && previous->function->name == wanted.name &&
	    previous->function->object == wanted.object) {
		place->function = previous->function;
		return;
	}
	offset = offset_in_symbol(epoch, address, wanted.name);
	wanted.file = lookup_line(symbols, epoch, address - offset, &line);
	wanted.entry = place->address - offset;
	place->function = intern_function(symbols, wanted);
}

void symbols_lookup(struct symbols *symbols, Addr address, const struct place *previous,
		    struct place *place)
{
	DiEpoch epoch = VG_(current_DiEpoch)();
	Addr bias;
	const struct text *object;

	keep_ada_names();
	object = lookup_object(symbols, epoch, address, &bias);
	place->address = address - bias;
	lookup_function(symbols, epoch, address, object, previous, place);
	place->file = lookup_line(symbols, epoch, address, &place->line);
}

static Int by_rank(UInt a, UInt b)
{
	return a < b ? -1 : a > b;
}

static Int function_order(const void *a, const void *b)
{
	const struct function *left = *(const struct function *const *)a;
	const struct function *right = *(const struct function *const *)b;
	Int order = by_rank(left->object->rank, right->object->rank);

	if (order == 0)
		order = by_rank(left->file->rank, right->file->rank);
	if (order == 0)
		order = by_rank(left->name->rank, right->name->rank);
	if (order == 0)
		order = left->entry < right->entry ? -1 : left->entry > right->entry;
	return order;
}

void symbols_rank(struct symbols *symbols)
{
	UInt n;
	struct function **all;

	text_table_rank(&symbols->objects);
	text_table_rank(&symbols->files);
	text_table_rank(&symbols->names);
	all = (struct function **)VG_(HT_to_array)(symbols->functions, &n);
	if (all == NULL)
		return;
	VG_(ssort)(all, n, sizeof(*all), function_order);
	for (UInt i = 0; i < n; i++)
		all[i]->rank = i;
	VG_(free)(all);
}
