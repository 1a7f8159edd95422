/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core tells the symbol and the line of an address.  Its strings are valid only until the next question, so
 * each is interned at once.  File names are dir/file if the debug information has a directory, as Cachegrind
 * writes them.
 */
#include "tool/symbols/symbol.h"

#include <stddef.h>

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "valgrind.h"

#include "tool/common/numbers.h"
#include "tool/common/self.h"
#include "tool/symbols/namesakes.h"
#include "writer/shared/d_name.h"

static const HChar unknown[] = "???";

enum {
	BODY_BY_NAME = 0x7fffffff,
	CORE_ASKED = 128,   /* with enum core_has */
	PLT_STUB_SIZE = 16, /* bytes, at least */
	FIRST_BYTES = 32,   /* of code, to recognise it */
};

/* VG_(get_fnname) without demangling; not in the core's public headers. */
extern Bool VG_(get_fnname_raw)(DiEpoch epoch, Addr address, const HChar **name);

/* A body: all functions of one name in an object, and their cold parts. */
struct function_body {
	struct function_body *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct text *object, *name;
	UInt number;
};

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

/* --- names of D --------------------------------------------------------------------------- */

extern Bool VG_(clo_demangle);
extern HChar *dlang_demangle(const HChar *mangled, Int options);

/* The length of the part of a name that must be demangled here; 0 if none. */
static SizeT length_of_d(const HChar *name, SizeT len)
{
#if __VALGRIND_MAJOR__ > 3 || __VALGRIND_MINOR__ >= 21
	(void)name;
	(void)len;
	return 0; /* the core has already done it */
#else
	return VG_(clo_demangle) && dropin_name() == DROPIN_NONE ? d_name_length(name, len) : 0;
#endif
}

/* "f(int) [clone .cold]" from a mangled name and a suffix, as for C++. */
static const struct text *demangle_d(struct text_table *names, const HChar *given, SizeT mangled,
				     SizeT len)
{
	HChar *copy = VG_(strdup)("costgrind.d.given", given), *shown;
	const HChar *demangled;
	const struct text *text;
	SizeT room;

	copy[mangled] = '\0';
	/* The result is in an arena of the core's and cannot be freed; each name is demangled only once. */
	demangled = dlang_demangle(copy, 0);
	VG_(free)(copy);
	if (demangled == NULL)
		return text_intern(names, given, len);
	room = VG_(strlen)(demangled) + len - mangled + sizeof(" [clone ]");
	shown = VG_(malloc)("costgrind.d.name", room);
	if (mangled == len)
		VG_(snprintf)(shown, (Int)room, "%s", demangled);
	else if (given[mangled] == '.')
		VG_(snprintf)(shown, (Int)room, "%s [clone %s]", demangled, given + mangled);
	else
		VG_(snprintf)(shown, (Int)room, "%s%s", demangled, given + mangled);
	text = text_intern(names, shown, VG_(strlen)(shown));
	VG_(free)(shown);
	return text;
}

static void d_names_init(struct d_names *d_names)
{
	text_table_init(&d_names->given, "costgrind.d.names");
	d_names->shown = NULL;
	d_names->room = 0;
}

/*
 * The name that is shown for one given by the core; a text of names.  It is the same, except for mangled names of D,
 * which the core does not demangle before 3.21.  Under the names of Valgrind's tools, and with --demangle=no, those
 * stay mangled, too.
 */
static const struct text *d_names_shown(struct d_names *d_names, struct text_table *names,
					const HChar *given)
{
	const SizeT len = VG_(strlen)(given), mangled = length_of_d(given, len);
	const UInt n = d_names->given.n;
	const struct text *text;

	if (mangled == 0)
		return text_intern(names, given, len);
	text = text_intern(&d_names->given, given, len);
	if (text->id < n)
		return d_names->shown[text->id];
	if (n == d_names->room) {
		d_names->room = n == 0 ? 64 : 2 * n;
		d_names->shown = VG_(realloc)("costgrind.d.shown", d_names->shown,
					      d_names->room * sizeof(const struct text *));
	}
	d_names->shown[n] = demangle_d(names, given, mangled, len);
	return d_names->shown[n];
}

/* --- lines -------------------------------------------------------------------------------- */

void symbols_init(struct symbols *symbols, struct symbols_options *options)
{
	text_table_init(&symbols->objects, "costgrind.objects");
	text_table_init(&symbols->files, "costgrind.files");
	text_table_init(&symbols->names, "costgrind.names");
	d_names_init(&symbols->d_names);
	symbols->functions = VG_(HT_construct)("costgrind.functions");
	symbols->n_functions = 0;
	symbols->bodies = VG_(HT_construct)("costgrind.bodies");
	symbols->n_bodies = 0;
	inlinees_init(&symbols->inlinees, &symbols->files, &symbols->names);
	symbols->namesakes = NULL;
	symbols->options = options;
}

static const struct text *intern(struct text_table *table, const HChar *chars)
{
	return text_intern(table, chars, VG_(strlen)(chars));
}

/* Code of the running program and its object. */
struct code {
	DiEpoch epoch;
	Addr address;
	Addr linked; /* the address as linked */
	const struct text *object;
	Bool in_text; /* in the object's .text, according to the core */
};

enum {
	CORE_LACKS_ANY = CORE_LACKS_LINES | CORE_LACKS_INLINED | CORE_LACKS_ALL,
};

/*
 * What the core has read of the file of an object that an address is in: a set of enum core_has.  The core does not always notice
 * what it does not understand.
 */
static UInt find_core_has(struct symbols *symbols, const struct text *object, Addr address)
{
	UInt has = core_has(&symbols->core, object->chars);
	struct own_file *file = NULL;

	if ((has & (CORE_HAS_LINES | CORE_LACKS_ANY)) == CORE_HAS_LINES)
		file = own_file_at(&symbols->own, address);
	if (file != NULL && own_file_is_misread(file))
		has |= CORE_LACKS_LINES | CORE_LACKS_INLINED;
	return has;
}

/* The same, computed once. */
static UInt core_has_of(struct symbols *symbols, const struct text *object, Addr address)
{
	const UInt id = object->id;

	if (id >= symbols->n_core_has || symbols->n_changes != symbols->core.n_changes) {
		symbols->n_core_has = id < symbols->n_core_has ? symbols->n_core_has : id * 2 + 16;
		symbols->core_has =
			VG_(realloc)("costgrind.core_has", symbols->core_has, symbols->n_core_has);
		VG_(memset)(symbols->core_has, 0, symbols->n_core_has);
		symbols->n_changes = symbols->core.n_changes;
	}
	if (symbols->core_has[id] == 0)
		symbols->core_has[id] =
			(UChar)(find_core_has(symbols, object, address) | CORE_ASKED);
	return symbols->core_has[id];
}

/*
 * The file to be read by our own reader, or NULL.  With --names=core, only files that the core gives up: without our reader
 * there would be no profile of them.
 */
static struct own_file *own_file_of(struct symbols *symbols, const struct code *code)
{
	if (symbols->options->core_names &&
	    (core_has_of(symbols, code->object, code->address) & CORE_LACKS_ANY) == 0)
		return NULL;
	return own_file_at(&symbols->own, code->address);
}

/* True if a text is dir/file. */
static Bool is_path(const struct text *text, struct debug_name dir, struct debug_name file)
{
	return text != NULL && text->len == dir.len + 1 + file.len && text->chars[dir.len] == '/' &&
	       VG_(memcmp)(text->chars, dir.chars, dir.len) == 0 &&
		   VG_(memcmp)(text->chars + dir.len + 1, file.chars, file.len) == 0;
}

/* dir may be empty. */
static const struct text *intern_path(struct text_table *files, struct debug_name dir,
				      struct debug_name file)
{
	const struct text *text;
	HChar *path;

	if (dir.len == 0)
		return text_intern(files, file.chars, file.len);
	if (is_path(files->last, dir, file))
		return files->last;
	path = VG_(malloc)("costgrind.path", dir.len + 1 + file.len);
	VG_(memcpy)(path, dir.chars, dir.len);
	path[dir.len] = '/';
	VG_(memcpy)(path + dir.len + 1, file.chars, file.len);
	text = text_intern(files, path, dir.len + 1 + file.len);
	VG_(free)(path);
	return text;
}

static const struct text *core_line(struct symbols *symbols, const struct code *code, UInt *line)
{
	const HChar *file, *dir;

	if (!VG_(get_filename_linenum)(code->epoch, code->address, &file, &dir, line))
		return NULL;
	return intern_path(&symbols->files,
			   (struct debug_name){ dir, VG_(strlen)(dir) },
						(struct debug_name){ file, VG_(strlen)(file) });
}

static const struct text *own_line(struct symbols *symbols, const struct code *code, UInt *line)
{
	const Bool is_read = (core_has_of(symbols, code->object, code->address) &
			      (CORE_HAS_LINES | CORE_LACKS_ANY)) == CORE_HAS_LINES;
	struct own_file *file;
	struct dwarf_place place;

	/* The core has everything about .text, but leaves out code in other sections. */
	if (is_read && code->in_text)
		return NULL;
	file = own_file_of(symbols, code);
	if (file == NULL || (is_read && own_file_is_glue(file, code->linked)) ||
	    !own_file_line(file, code->linked, &place))
		return NULL;
	*line = place.line;
	return intern_path(&symbols->files, place.directory, place.file);
}

/* The line of an address; "???" and 0 if the debug information has none. */
static const struct text *lookup_line(struct symbols *symbols, const struct code *code, UInt *line)
{
	const Bool own_first =
		(core_has_of(symbols, code->object, code->address) & CORE_LACKS_LINES) != 0;
	const struct text *file = own_first ? own_line(symbols, code, line)
					    : core_line(symbols, code, line);

	if (file == NULL)
		file = own_first ? core_line(symbols, code, line) : own_line(symbols, code, line);
	if (file != NULL)
		return file;
	*line = 0;
	return intern(&symbols->files, unknown);
}

/* inlinees_read() by our own reader. */
static UInt own_frames(struct symbols *symbols, const struct code *code)
{
	struct own_file *file = own_file_of(symbols, code);
	const struct dwarf_frame *frames;
	const SizeT n = file == NULL ? 0 : own_file_inlined(file, code->linked, &frames);

	inlinees_begin(&symbols->inlinees);
	for (SizeT i = 0; i < n; i++) {
		const struct dwarf_frame *from = &frames[i];
		const struct inline_frame frame = {
			.name = from->function.len == 0
					? intern(&symbols->names, unknown)
					: text_intern(&symbols->names, from->function.chars,
						      from->function.len),
			.file = from->place.file.len == 0
					? intern(&symbols->files, unknown)
					: intern_path(&symbols->files, from->place.directory,
						      from->place.file),
			.line = from->place.line,
		};

		inlinees_add(&symbols->inlinees, &frame);
	}
	return n == 0 ? 0 : (UInt)n - 1;
}

/* The core cannot find names in other units (link-time optimisation, dwz). */
static Bool has_nameless_frame(const struct inlinees *inlinees, UInt n)
{
	for (UInt i = 0; i < n; i++) {
		const HChar *name = inlinees->frames[i].name->chars;

		if (VG_(strcmp)(name, "UnknownInlinedFun") == 0 ||
			VG_(strcmp)(name, "AbsOriFnNameNotFound") == 0)
			return True;
	}
	return False;
}

/* True if the core found nothing inlined where something may be: it has no lines, or ignores .dwo files. */
static Bool core_may_lack(struct symbols *symbols, const struct code *code, UInt n)
{
	struct own_file *file;
	UInt line;

	if (n != 0)
		return False;
	file = own_file_of(symbols, code);
	return file != NULL && (own_file_is_split(file) || own_line(symbols, code, &line) != NULL);
}

/*
 * Reads the frames of an instruction if inlined functions matter.  Returns the frame of the function around them, NULL if
 * nothing is inlined there.
 */
static const struct inline_frame *outermost_frame(struct symbols *symbols, const struct code *code)
{
	struct inlinees *inlinees = &symbols->inlinees;
	UInt n = 0;
	Bool own_first;

	if (symbols->options->inlined == INLINED_LINES)
		return NULL;
	own_first = (core_has_of(symbols, code->object, code->address) & CORE_LACKS_INLINED) != 0;
	if (own_first)
		n = own_frames(symbols, code);
	if (n == 0)
		n = inlinees_read(inlinees, code->epoch, code->address);
	if (!own_first && (has_nameless_frame(inlinees, n) || core_may_lack(symbols, code, n))) {
		const UInt of_own = own_frames(symbols, code);

		n = of_own != 0 || n == 0 ? of_own
					  : inlinees_read(inlinees, code->epoch, code->address);
	}
	return n == 0 ? NULL : &inlinees->frames[n];
}

static Bool is_unknown(const struct text *text)
{
	return VG_(strcmp)(text->chars, unknown) == 0;
}

/* The file of a function, by its first instruction. */
static const struct text *file_of_function(struct symbols *symbols, const struct code *first)
{
	const struct inline_frame *frame = outermost_frame(symbols, first);
	UInt line;

	if (frame != NULL && !is_unknown(frame->file))
		return frame->file;
	return lookup_line(symbols, first, &line);
}

/* Sets what an instruction is inlined in; place->function is set already. */
static void lookup_inlined(struct symbols *symbols, const struct code *code,
			   struct source_location *place)
{
	const struct inline_frame *frame = outermost_frame(symbols, code);

	place->inlined = NOT_INLINED;
	if (symbols->options->inlined == INLINED_LINES)
		return;
	if (frame == NULL) {
		/* Without a line, the code is taken to be in the function's file. */
		if (place->line == 0 && !place->function->anonymous)
			place->file = place->function->file;
	} else if (symbols->options->inlined == INLINED_CALLS) {
		place->inlined = inlinees_find(&symbols->inlinees, place->function->body);
	} else if (!is_unknown(frame->file)) {
		place->file = frame->file;
		place->line = frame->line;
	}
}

/* Functions that share their name with another one in the object's file. */
struct object_namesakes {
	struct object_namesakes *next;
	const struct text *object;
	struct namesakes functions;
};

static const struct namesakes *namesakes_of(struct symbols *symbols, const struct text *object)
{
	struct object_namesakes *of = symbols->namesakes;
	struct elf_source source;
	Int descriptor;

	while (of != NULL && of->object != object)
		of = of->next;
	if (of != NULL)
		return &of->functions;
	of = VG_(calloc)("costgrind.namesakes", 1, sizeof(*of));
	*of = (struct object_namesakes){ .next = symbols->namesakes, .object = object };
	symbols->namesakes = of;
	/* Under seccomp, a system call of ours may end the program. */
	if (!tool_self.sealed && elf_source_open(&source, object->chars, &descriptor)) {
		namesakes_read(&of->functions, &source);
		elf_source_close(&source);
	}
	return &of->functions;
}

/* The file of a function without lines, by its symbol; NULL if it is not needed. */
static const struct text *file_of_symbol(struct symbols *symbols, const struct text *object,
					 Addr entry)
{
	const HChar *file;

	/* Callgrind and Cachegrind add up all functions of a name. */
	if (dropin_name() != DROPIN_NONE)
		return NULL;
	file = namesakes_file(namesakes_of(symbols, object), entry);
	return file == NULL ? NULL : intern(&symbols->files, file);
}

static Bool in_trampoline(Addr address)
{
	return address >= (Addr)&VG_(trampoline_stuff_start) &&
				     address < (Addr)&VG_(trampoline_stuff_end);
}

/* The core's information about the file called name, which may be loaded twice, nearest to an address; or NULL. */
static const DebugInfo *info_of_file(const HChar *name, Addr address)
{
	const DebugInfo *nearest = NULL;
	Addr least = ~(Addr)0;

	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL;
	     info = VG_(next_DebugInfo)(info)) {
		Addr text = VG_(DebugInfo_get_text_avma)(info);
		Addr distance = text < address ? address - text : text - address;

		if (distance < least && VG_(strcmp)(VG_(DebugInfo_get_filename)(info), name) == 0) {
			least = distance;
			nearest = info;
		}
	}
	return nearest;
}

/* The object that an address is in. */
struct object {
	const struct text *name;
	Addr bias; /* address - address as linked */
	Bool in_text;
	Bool is_known;              /* the core has read it */
	struct address_range named; /* the symbol of our own reader around the address; or 0 and 0 */
};

/*
 * Sets the bias of code outside of any .text that the core knows.  It is the bias of the object's .text if both are in one
 * mapping; another mapping may belong to a second copy, which the core does not know (dlmopen()).
 */
static void find_bias(struct symbols *symbols, Addr address, struct object *object)
{
	const DebugInfo *info = info_of_file(object->name->chars, address);
	const struct own_file *file;

	if (info != NULL)
		object->bias = (Addr)VG_(DebugInfo_get_text_bias)(info);
	if (symbols->options->core_names)
		return;
	object->is_known = info != NULL &&
			   (core_has_of(symbols, object->name, address) & CORE_LACKS_ALL) == 0 &&
			   VG_(am_find_nsegment)(VG_(DebugInfo_get_text_avma)(info)) ==
						 VG_(am_find_nsegment)(address);
	if (object->is_known)
		return;
	file = own_file_at(&symbols->own, address);
	if (file != NULL)
		own_file_bias(file, address, &object->bias);
}

static void lookup_object(struct symbols *symbols, DiEpoch epoch, Addr address,
			  struct object *object)
{
	const DebugInfo *info;
	const HChar *name;

	*object = (struct object){ .in_text = False };
	if (in_trampoline(address)) {
		object->bias = (Addr)&VG_(trampoline_stuff_start);
		object->name = intern(&symbols->objects, "valgrind trampoline");
		return;
	}
	info = VG_(find_DebugInfo)(epoch, address);
	if (info != NULL) {
		object->bias = (Addr)VG_(DebugInfo_get_text_bias)(info);
		object->name = intern(&symbols->objects, VG_(DebugInfo_get_filename)(info));
		object->in_text = True;
		object->is_known = True;
		return;
	}
	/* Outside .text (.plt, .init, ...), or an object whose symbols were not read. */
	if (!VG_(get_objname)(epoch, address, &name)) {
		object->name = intern(&symbols->objects, unknown);
		return;
	}
	object->name = intern(&symbols->objects, name);
	find_bias(symbols, address, object);
}

/* Length of a name without the suffix of a cold part: "f.cold", "f.cold.3", "f() [clone .cold]". */
static SizeT length_without_cold(const struct text *name)
{
	static const HChar *const suffixes[] = { " [clone .cold", ".cold" };

	for (UInt i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const HChar *at = VG_(strstr)(name->chars, suffixes[i]);
		const HChar *rest = at == NULL ? NULL : at + VG_(strlen)(suffixes[i]);

		if (rest != NULL && (*rest == '\0' || *rest == '.' || *rest == ']'))
			return (SizeT)(at - name->chars);
	}
	return name->len;
}

static Word body_compare(const void *a, const void *b)
{
	const struct function_body *left = a, *right = b;

	return left->object != right->object || left->name != right->name;
}

/* Sets the body of a function or cold part. */
static void find_body(struct symbols *symbols, struct function *function)
{
	SizeT len = length_without_cold(function->name);
	struct function_body wanted = { .object = function->object, .name = function->name };
	struct function_body *body;

	function->cold = len < function->name->len;
	if (function->cold)
		wanted.name = text_intern(&symbols->names, function->name->chars, len);
	wanted.key = wanted.name->key ^ wanted.object->key * 7;
	body = VG_(HT_gen_lookup)(symbols->bodies, &wanted, body_compare);
	if (body == NULL) {
		body = VG_(perm_malloc)(sizeof(*body), 8);
		*body = wanted;
		body->number = symbols->n_bodies++;
		VG_(HT_add_node)(symbols->bodies, body);
	}
	function->body = body->number;
}

static Word function_compare(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	return left->object != right->object || left->file != right->file ||
	       left->name != right->name || left->entry != right->entry;
}

/* Where a function's symbol came from; neither if it has none. */
struct symbol_origin {
	Addr address;          /* in memory, of the core's symbol; or 0 */
	struct own_file *file; /* of our own reader's symbol; or NULL */
};

static void apply_settings(const struct symbols *symbols, struct function *function,
			   struct symbol_origin origin)
{
	struct symbols_options *options = symbols->options;
	const struct fn_settings defaults = {
		.callers = options->separate_callers,
		.recs = options->separate_recs,
		.skip = function->plt && options->skip_plt,
		.codeless = function->settings.codeless,
	};
	struct aliases aliases = { .n = 0 };

	if (origin.address != 0 && fn_rules_want_aliases(&options->fn_rules))
		aliases_read(&aliases, origin.address);
	if (origin.file != NULL && fn_rules_want_aliases(&options->fn_rules))
		own_file_aliases(origin.file, function->entry, &aliases);
	fn_rules_apply(&options->fn_rules, function->name->chars, &aliases, function->object->chars,
		       &defaults, &function->settings);
	aliases_release(&aliases);
	if (function->plt) { /* it is not the function that it is named after */
		function->settings.call_hooks = 0;
		function->settings.hooks &= (UChar)~HOOK_CALLS;
	}
}

/* The function that equals wanted in object, file, name and entry; BODY_BY_NAME: the body is found by its name. */
static struct function *intern_symbol(struct symbols *symbols, struct function wanted,
				      struct symbol_origin origin)
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
	if (wanted.anonymous)
		function->body = symbols->n_bodies++;
	else if (wanted.body == BODY_BY_NAME)
		find_body(symbols, function);
	apply_settings(symbols, function, origin);
	VG_(HT_add_node)(symbols->functions, function);
	return function;
}

static struct function *intern_function(struct symbols *symbols, struct function wanted)
{
	return intern_symbol(symbols, wanted, (struct symbol_origin){ 0, NULL });
}

/*
 * Bytes from the start of an address's symbol to the address; 0 if the symbol is not shown as name.  The core gives them only as
 * a "+N" after the name.
 */
static Addr offset_in_symbol(struct symbols *symbols, DiEpoch epoch, Addr address,
			     const struct text *name)
{
	const HChar *with_offset, *plus;
	HChar *given;
	Bool is_shown;

	if (!VG_(get_fnname_w_offset)(epoch, address, &with_offset))
		return 0;
	if (VG_(strncmp)(with_offset, name->chars, name->len) == 0 && with_offset[name->len] == '+')
		return (Addr)VG_(strtoull10)(with_offset + name->len + 1, NULL);
	/* Names of D are shown in another way than the core's. */
	plus = VG_(strrchr)(with_offset, '+');
	if (plus == NULL || with_offset[0] != '_' || with_offset[1] != 'D')
		return 0;
	given = VG_(strdup)("costgrind.given", with_offset);
	given[plus - with_offset] = '\0';
	is_shown = d_names_shown(&symbols->d_names, &symbols->names, given) == name;
	VG_(free)(given);
	return is_shown ? (Addr)VG_(strtoull10)(plus + 1, NULL) : 0;
}

/* Kinds of code without a symbol: sections of an object are distinguished. */
enum code_section {
	SECTION_TEXT,
	SECTION_PLT,
	SECTION_OTHER, /* .init, .fini, no object at all */
};

/*
 * A stub of a procedure linkage table: endbr64, maybe, and a jump through a
 * word of the global offset table.  The core knows .plt; the stubs in
 * .plt.sec and .plt.got are recognised by what they do.  Returns where the word is, or 0.
 */
static Addr stub_word(Addr address)
{
	static const UChar endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const UChar *code = (const UChar *)address;
	Int offset;

	if (!VG_(am_is_valid_for_client)(address, PLT_STUB_SIZE, VKI_PROT_READ))
		return 0;
	if (VG_(memcmp)(code, endbr64, sizeof(endbr64)) == 0)
		code += sizeof(endbr64);
	if (code[0] == 0xf2) /* bnd */
		code++;
	if (code[0] != 0xff || code[1] != 0x25)
		return 0;
	VG_(memcpy)(&offset, code + 2, sizeof(offset));
	return (Addr)code + 6 + (Addr)(Word)offset;
}

Addr symbols_stub_target(Addr address)
{
	Addr word = stub_word(address);

	if (word == 0 || !VG_(am_is_valid_for_client)(word, sizeof(Addr), VKI_PROT_READ))
		return 0;
	return *(const Addr *)word;
}

Bool symbols_is_stub(Addr address)
{
	VgSectKind kind = VG_(DebugInfo_sect_kind)(NULL, address);

	return kind == Vg_SectPLT || (kind != Vg_SectText && stub_word(address) != 0);
}

static enum code_section section_of(Addr address, Bool in_text)
{
	if (in_text)
		return SECTION_TEXT;
	if (symbols_is_stub(address))
		return SECTION_PLT;
	return SECTION_OTHER;
}

/* Code without a symbol; its section is used in place of a symbol's address. */
static struct function *anonymous_function(struct symbols *symbols, const struct text *object,
					   enum code_section section)
{
	const struct function wanted = {
		.object = object,
		.file = intern(&symbols->files, unknown),
		.name = intern(&symbols->names, unknown),
		.entry = section,
		.anonymous = True,
		.plt = section == SECTION_PLT,
	};

	return intern_function(symbols, wanted);
}

/* The name that the program has given to its code at an address without a symbol; or NULL. */
static const struct named_code *find_named(const struct symbols *symbols, Addr address)
{
	const struct named_code *code = named_code_find(&symbols->named_code, address);

	return code == NULL || (code->is_read && !named_code_can_be_at(address)) ? NULL : code;
}

/* The function of code that the program has named; NULL if it has not. */
static struct function *named_function(struct symbols *symbols, Addr address,
				       const struct object *object)
{
	const struct named_code *code = find_named(symbols, address);
	struct function wanted = { .object = object->name, .body = BODY_BY_NAME };
	struct function *function;

	if (code == NULL)
		return NULL;
	wanted.name = code->name;
	wanted.file = code->file == NULL ? intern(&symbols->files, unknown) : code->file;
	wanted.entry = code->entry - object->bias;
	function = intern_function(symbols, wanted);
	if (code->is_read)
		function->settings.hooks |= HOOK_NONE;
	return function;
}

/* True if code with this name belongs to the function. */
static Bool is_same_symbol(const struct function *function, const struct text *object,
			   const struct text *name)
{
	return function->name == name && function->object == object;
}

/*
 * The function of code for which only our own reader has a symbol; NULL if it has none.  Stubs of objects that the core knows are
 * recognised by their code instead.
 */
static struct function *own_function(struct symbols *symbols, const struct code *code,
				     struct object *object, const struct source_location *previous)
{
	struct function wanted = { .object = object->name, .body = BODY_BY_NAME };
	struct code first = *code;
	struct own_symbol symbol;
	struct own_file *file;

	if (symbols->options->core_names || (object->is_known && symbols_is_stub(code->address)))
		return NULL;
	file = own_file_at(&symbols->own, code->address);
	if (file == NULL)
		return NULL;
	file->is_alone |= !object->is_known;
	file->core_has_debug_file |=
		(core_has_of(symbols, object->name, code->address) & CORE_HAS_LINES) != 0;
	if (!own_file_symbol(file, code->linked, &symbol))
		return NULL;
	object->named =
		(struct address_range){ symbol.first + object->bias, symbol.last + object->bias };
	wanted.name = d_names_shown(&symbols->d_names, &symbols->names, symbol.name);
	if (previous != NULL && is_same_symbol(previous->function, wanted.object, wanted.name))
		return previous->function;
	first.address = object->named.first;
	first.linked = symbol.first;
	wanted.entry = symbol.first;
	wanted.file = file_of_function(symbols, &first);
	return intern_symbol(symbols, wanted, (struct symbol_origin){ 0, file });
}

/* The function of code for which the core has no symbol. */
static struct function *function_without_symbol(struct symbols *symbols, const struct code *code,
						struct object *object,
						const struct source_location *previous)
{
	struct function *function;

	if (previous == NULL && symbols->read_names != NULL)
		symbols->read_names(code->address);
	function = named_function(symbols, code->address, object);
	/* The rest of a stub does not look like one. */
	if (function == NULL && previous != NULL && previous->function->plt)
		function = previous->function;
	if (function == NULL)
		function = own_function(symbols, code, object, previous);
	if (function == NULL)
		function = anonymous_function(symbols, object->name,
					      section_of(code->address, object->in_text));
	return function;
}

static struct function *lookup_function(struct symbols *symbols, const struct code *code,
					struct object *object,
					const struct source_location *previous)
{
	struct function wanted = { .object = object->name, .body = BODY_BY_NAME };
	struct code first = *code;
	const HChar *chars;
	Addr offset;

	if (!VG_(get_fnname)(code->epoch, code->address, &chars))
		return function_without_symbol(symbols, code, object, previous);
	wanted.name = d_names_shown(&symbols->d_names, &symbols->names, chars);
	if (previous != NULL && is_same_symbol(previous->function, wanted.object, wanted.name))
		return previous->function;
	offset = offset_in_symbol(symbols, code->epoch, code->address, wanted.name);
	first.address -= offset;
	first.linked -= offset;
	wanted.file = file_of_function(symbols, &first);
	wanted.entry = first.linked;
	if (object->in_text && is_unknown(wanted.file)) {
		const struct text *file = file_of_symbol(symbols, wanted.object, wanted.entry);

		wanted.file_is_symbol = file != NULL;
		if (file != NULL)
			wanted.file = file;
	}
	return intern_symbol(symbols, wanted, (struct symbol_origin){ first.address, NULL });
}

/* --- code whose function is known --------------------------------------------------------- */

static struct known_code *known_code_slot(struct symbols *symbols, Addr address)
{
	return &symbols->known[address / KNOWN_CODE_SIZE % KNOWN_CODES];
}

/* Sets place->address and place->function if they are known; otherwise returns False. */
static Bool lookup_known(struct symbols *symbols, DiEpoch epoch, Addr address,
			 const struct source_location *previous, struct source_location *place)
{
	const struct known_code *known = known_code_slot(symbols, address);

	if (known->function == NULL || known->epoch.n != epoch.n || address < known->range.first ||
	    address > known->range.last)
		return False;
	place->address = address - known->bias;
	place->function = known->function;
	if (previous != NULL &&
	    is_same_symbol(previous->function, known->function->object, known->function->name))
		place->function = previous->function;
	return True;
}

/* Remembers the function of an address and of the code around it with the same symbol. */
static void note_known(struct symbols *symbols, DiEpoch epoch, Addr address,
		       const struct object *object, const struct source_location *place)
{
	struct known_code *known = known_code_slot(symbols, address);
	struct known_code next = { .function = place->function,
				   .bias = object->bias,
				   .epoch = epoch };
	Addr first = address / KNOWN_CODE_SIZE * KNOWN_CODE_SIZE;
	Addr last = first + KNOWN_CODE_SIZE - 1;
	Addr start = place->function->entry + object->bias;

	if (!object->in_text || place->function->anonymous || start > address ||
	    find_named(symbols, address) != NULL)
		return;
	next.range = (struct address_range){ first, first - 1 };
	if (known->function == next.function && known->epoch.n == epoch.n &&
	    known->range.first == first && known->range.last == first - 1)
		return;
	if (object->named.last != 0) {
		if (last > object->named.last)
			last = object->named.last;
		next.range = (struct address_range){ start > first ? start : first, last };
	} else if (offset_in_symbol(symbols, epoch, last, next.function->name) == last - start) {
		next.range = (struct address_range){ start > first ? start : first, last };
	}
	*known = next;
}

/* True if a symbol that only our own reader knows begins at an address, in a file that has given names already. */
static Bool is_own_entry(struct symbols *symbols, Addr address)
{
	struct own_file *file = own_file_at(&symbols->own, address);
	struct own_symbol symbol;
	Addr bias;

	return file != NULL && file->gave_names && own_file_bias(file, address, &bias) &&
	       own_file_symbol(file, address - bias, &symbol) && symbol.first == address - bias;
}

Bool symbols_is_entry(struct symbols *symbols, Addr address)
{
	const DiEpoch epoch = VG_(current_DiEpoch)();
	const struct named_code *code = find_named(symbols, address);
	const HChar *name;

	if (code != NULL && code->entry == address)
		return True;
	return VG_(get_fnname_if_entry)(epoch, address, &name) ||
		   (symbols->own.files != NULL && !VG_(get_fnname_raw)(epoch, address, &name) &&
						       is_own_entry(symbols, address));
}

/* A hash of the first bytes of code at an address; 0 if they cannot be read. */
static UWord hash_first_bytes(Addr address)
{
	if (!VG_(am_is_valid_for_client)(address, FIRST_BYTES, VKI_PROT_READ))
		return 0;
	return text_hash(0, (const void *)address, FIRST_BYTES);
}

/* Marks generated code without a name; the function may be new. */
static void note_unnamed(struct symbols *symbols, struct function *function)
{
	const HChar *object = function->object->chars;

	if (symbols->read_names == NULL || function->unnamed || function->plt ||
	    (!is_unknown(function->object) && !named_code_is_file(object)))
		return;
	symbols->has_unnamed = True;
	function->unnamed = True;
	if (symbols->named_code.has_read)
		function->settings.hooks |= HOOK_NONE;
	function->first_bytes = hash_first_bytes(function->entry);
}

Bool symbols_has_changed(const struct function *function)
{
	const UWord now = hash_first_bytes(function->entry);

	return now != 0 && now != function->first_bytes;
}

struct function *symbols_function_at(struct symbols *symbols, const struct source_location *place)
{
	HChar name[32];
	struct function *function;
	struct function wanted = {
		.object = place->function->object,
		.file = place->function->file,
		.entry = place->address,
		.body = place->function->body,
		.plt = place->function->plt,
	};

	VG_(snprintf)(name, sizeof(name), "0x%016llx%s", (ULong)place->address,
		      wanted.plt ? " [PLT]" : "");
	wanted.name = intern(&symbols->names, name);
	function = intern_function(symbols, wanted);
	note_unnamed(symbols, function);
	return function;
}

void symbols_name_late(struct function *function, const struct named_code *code)
{
	function->unnamed = False;
	function->name = code->name;
	if (code->file != NULL)
		function->file = code->file;
}

struct function *symbols_inlined(struct symbols *symbols, const struct text *object,
				 const struct text *file, const struct text *name)
{
	const struct function wanted = {
		.object = object,
		.file = file,
		.name = name,
		.body = BODY_BY_NAME,
	};

	return intern_function(symbols, wanted);
}

/* Sets the line of code that the program has named, if the program gave lines. */
static void lookup_named_line(const struct symbols *symbols, Addr address,
			      struct source_location *place)
{
	const struct named_code *code = find_named(symbols, address);
	const struct text *file;

	if (code == NULL || code->name != place->function->name)
		return;
	place->line = named_code_line(code, address, &file);
	if (file != NULL)
		place->file = file;
}

void symbols_mapped(Addr address, Int descriptor)
{
	own_file_mapped(&tool_symbols.own, address, descriptor);
}

struct function *symbols_outside(struct symbols *symbols, const HChar *object, const HChar *name)
{
	const struct function wanted = {
		.object = intern(&symbols->objects, object),
		.file = intern(&symbols->files, unknown),
		.name = intern(&symbols->names, name),
		.body = BODY_BY_NAME,
		.settings.codeless = True,
	};

	return intern_function(symbols, wanted);
}

struct function *symbols_interpreted(struct symbols *symbols, const struct text *object,
				     const struct text *file, const struct text *name, UInt line)
{
	const struct function wanted = {
		.object = object,
		.file = file,
		.name = name,
		.entry = line,
		.body = BODY_BY_NAME,
	};
	struct function *function = intern_function(symbols, wanted);

	/* It has no code to skip, and no arguments where observers of calls expect them. */
	function->settings.skip = False;
	function->settings.call_hooks = 0;
	function->settings.hooks &= (UChar)~HOOK_CALLS;
	return function;
}

void symbols_lookup(struct symbols *symbols, Addr address, const struct source_location *previous,
		    struct source_location *place)
{
	struct code code = { .epoch = VG_(current_DiEpoch)(), .address = address, .in_text = True };
	struct object object;

	keep_ada_names();
	if (!lookup_known(symbols, code.epoch, address, previous, place)) {
		lookup_object(symbols, code.epoch, address, &object);
		code.object = object.name;
		code.in_text = object.in_text;
		code.linked = place->address = address - object.bias;
		place->function = lookup_function(symbols, &code, &object, previous);
		note_known(symbols, code.epoch, address, &object, place);
	}
	code.object = place->function->object;
	code.linked = place->address;
	place->file = lookup_line(symbols, &code, &place->line);
	if (place->line == 0)
		lookup_named_line(symbols, address, place);
	if (place->function->file_is_symbol && is_unknown(place->file))
		place->file = place->function->file;
	lookup_inlined(symbols, &code, place);
}

static Int function_order(const void *a, const void *b)
{
	const struct function *left = *(const struct function *const *)a;
	const struct function *right = *(const struct function *const *)b;
	Int order = by_number(left->object->rank, right->object->rank);

	if (order == 0)
		order = by_number(left->file->rank, right->file->rank);
	if (order == 0)
		order = by_number(left->name->rank, right->name->rank);
	if (order == 0)
		order = left->entry < right->entry ? -1 : left->entry > right->entry;
	return order;
}

struct function **symbols_ranked(struct symbols *symbols, UInt *n)
{
	struct function **all = (struct function **)VG_(HT_to_array)(symbols->functions, n);

	if (all != NULL)
		VG_(ssort)(all, *n, sizeof(*all), function_order);
	return all;
}

void symbols_rank(struct symbols *symbols)
{
	UInt n;
	struct function **all;

	text_table_rank(&symbols->objects);
	text_table_rank(&symbols->files);
	text_table_rank(&symbols->names);
	all = symbols_ranked(symbols, &n);
	if (all == NULL)
		return;
	for (UInt i = 0; i < n; i++)
		all[i]->rank = i;
	VG_(free)(all);
}
