/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which variable an address is in.
 *
 * A range is made when one of its addresses is first asked for.  Valgrind gives the same answer for all addresses of a
 * variable, so its end is found by bisection.  Where there is no variable, symbols and sections of the file say how far
 * the gap goes; since Valgrind may have a debug file's symbols too, it is asked at some places in the gap.
 *
 * The block of a thread:
 *
 *	... | library | library | program | description |
 *	    ^ distance of it              ^ thread pointer
 */
#include "tool/data/state.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/thread.h"
#include "tool/common/guest.h"
#include "tool/common/self.h"
#include "tool/common/text.h"
#include "tool/instrument/state.h"

static struct variables *const variables = &tool_data.objects.variables;
static struct thread_blocks *const blocks = &tool_data.objects.thread_blocks;

enum {
	PROBES = 32,     /* of a gap */
	MAX_PIECES = 8,  /* segments that the zeroed memory of an object file may be in */
	MAX_NAME = 1024, /* bytes of a variable's name that are kept */
};

/* --- files ------------------------------------------------------------------------------- */

/* Does something with a file while it is open; False if it cannot be. */
static Bool with_source(const struct variables_file *file,
			Bool (*use)(const struct elf_source *source, void *ctx), void *ctx)
{
	struct elf_source source;
	Int descriptor;
	Bool done;

	/* Under seccomp, a system call of ours might end the program. */
	if (tool_self.sealed || !elf_source_open(&source, file->path->chars, &descriptor))
		return False;
	done = use(&source, ctx);
	elf_source_close(&source);
	return done;
}

static Bool read_data(const struct elf_source *source, void *ctx)
{
	return elf_data_read(ctx, source);
}

/* A variable whose name is read. */
struct name_reading {
	const struct elf_named *named;
	HChar name[MAX_NAME];
};

static Bool read_name(const struct elf_source *source, void *ctx)
{
	struct name_reading *reading = ctx;

	return elf_data_name(reading->named, source, reading->name, sizeof(reading->name));
}

static Bool is_program(const DebugInfo *info)
{
	const NSegment *segment = VG_(am_find_nsegment)(VG_(DebugInfo_get_text_avma)(info));
	const struct file_number *program = &tool_instrument.builds.program;

	return segment != NULL && segment->kind == SkFileC && segment->dev == program->dev &&
	       segment->ino == program->ino;
}

/* The object file that Valgrind knows by this description, read if it was not yet. */
static struct variables_file *variables_file(const DebugInfo *info)
{
	const struct text *path = data_objects_name(VG_(DebugInfo_get_filename)(info));
	const PtrdiffT bias = VG_(DebugInfo_get_text_bias)(info);
	struct variables_file *file = variables->files;

	while (file != NULL && (file->path != path || file->bias != bias))
		file = file->next;
	if (file != NULL)
		return file;
	file = VG_(calloc)("costgrind.variables_file", 1, sizeof(*file));
	*file = (struct variables_file){
		.next = variables->files,
		.path = path,
		.bias = bias,
		.is_program = is_program(info),
	};
	file->is_read = with_source(file, read_data, &file->data);
	variables->files = file;
	return file;
}

/* The object file of that name that Valgrind knows, or NULL. */
static struct variables_file *file_by_name(const HChar *name)
{
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL;
	     info = VG_(next_DebugInfo)(info))
		if (VG_(strcmp)(VG_(DebugInfo_get_filename)(info), name) == 0)
			return variables_file(info);
	return NULL;
}

/* The file that a segment maps, or follows without a gap, as zeroed memory of an object file does; or NULL. */
static const HChar *path_at(const NSegment *segment)
{
	for (UInt i = 0; i < MAX_PIECES && segment != NULL; i++) {
		if (segment->kind == SkFileC)
			return VG_(am_get_filename)(segment);
		if (segment->kind != SkAnonC)
			return NULL;
		segment = VG_(am_find_nsegment)(segment->start - 1);
	}
	return NULL;
}

static Bool has_section(const struct variables_file *file, Addr address)
{
	return file != NULL && file->is_read &&
	       elf_data_gap(&file->data, address - (Addr)file->bias).size != 0;
}

/* --- ranges ------------------------------------------------------------------------------ */

/* A symbol that Valgrind has: *start is where it begins. */
static Bool find_symbol(Addr address, const HChar **name, Addr *start)
{
	PtrdiffT offset;

	if (!VG_(get_datasym_and_offset)(VG_(current_DiEpoch)(), address, name, &offset) ||
					 offset < 0)
		return False;
	*start = address - (Addr)offset;
	return True;
}

static Bool is_of_symbol(Addr address, Addr start)
{
	const HChar *name;
	Addr found;

	return find_symbol(address, &name, &found) && found == start;
}

/* Where the symbol ends that begins at start and holds an address. */
static Addr end_of_symbol(Addr address, Addr start)
{
	Addr inside = address, outside;
	SizeT step = 1;

	for (; inside + step > inside && is_of_symbol(inside + step, start); step *= 2)
		inside += step;
	outside = inside + step;
	while (outside - inside > 1) {
		const Addr middle = inside + (outside - inside) / 2;

		if (is_of_symbol(middle, start))
			inside = middle;
		else
			outside = middle;
	}
	return outside;
}

/* Removes what a symbol occupies from a gap around an address; False if there is no symbol at place. */
static Bool cut_gap(struct elf_span *gap, Addr address, Addr place)
{
	const HChar *name;
	Addr start, end;

	if (!find_symbol(place, &name, &start))
		return False;
	if (place > address) {
		gap->size = (start > address ? start : address + 1) - gap->start;
	} else {
		end = end_of_symbol(place, start);
		gap->size -= (end < address ? end : address) - gap->start;
		gap->start = end < address ? end : address;
	}
	return True;
}

/* The gap without symbols around an address. */
static struct elf_span find_gap(const struct variables_file *file, Addr address)
{
	struct elf_span gap = { address, 1 };
	Bool is_cut = True;

	if (file == NULL || !file->is_read)
		return gap;
	gap = elf_data_gap(&file->data, address - (Addr)file->bias);
	gap.start += (Addr)file->bias;
	if (gap.size == 0)
		return (struct elf_span){ address, 1 };
	while (is_cut) {
		is_cut = False;
		for (UInt i = 0; i <= PROBES && !is_cut; i++)
			is_cut = cut_gap(&gap, address,
					 gap.start + (SizeT)((gap.size - 1) / PROBES) * i +
						 (i == PROBES ? (gap.size - 1) % PROBES : 0));
	}
	return gap;
}

static const HChar *name_by_kind(VgSectKind kind)
{
	return kind == Vg_SectBSS || kind == Vg_SectData || kind == Vg_SectUnknown
		       ? "(variables without a name)"
	       : kind == Vg_SectGOT || kind == Vg_SectGOTPLT ? "(table of addresses)"
							     : "(constants and code)";
}

/* A variable by the file's own symbols, in whatever section; without an object if there is none. */
static struct data_range find_variable(const struct variables_file *file, Addr address)
{
	struct data_range range = { { address, 0, 0 }, NULL };
	struct name_reading reading;
	Addr start;

	reading.named = elf_data_at(&file->data, address - (Addr)file->bias);
	if (reading.named == NULL || !with_source(file, read_name, &reading))
		return range;
	start = reading.named->span.start + (Addr)file->bias;
	range.extent = (struct data_extent){ start, reading.named->span.size, start };
	range.object = data_objects_named(DATA_GLOBAL, file->path, data_objects_name(reading.name));
	return range;
}

/* A range without a name. */
static struct data_range make_nameless(const struct variables_file *file, const HChar *path,
				       VgSectKind kind, Addr address)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);
	const Bool is_of_file = kind == Vg_SectUnknown && segment->kind == SkFileC;
	const struct text *group = data_objects_name(path);
	const struct elf_span gap = find_gap(file, address);

	return (struct data_range){
		.extent = { gap.start, gap.size, 0 },
		.object = is_of_file ? data_objects_named(DATA_FILE, NULL, group)
				     : data_objects_named(DATA_GLOBAL, group,
							  data_objects_name(name_by_kind(kind))),
	};
}

/*
 * The object at an address, and how far it goes; without an object if the address is in no object file.  Sections that
 * Valgrind does not know (.noptrbss, or from linker scripts) may be memory that maps no file.
 */
static struct data_range make_range(Addr address)
{
	const HChar *path = NULL, *name;
	struct data_range range = { { address, 0, 0 }, NULL };
	const VgSectKind kind = VG_(DebugInfo_sect_kind)(&path, address);
	const NSegment *segment = VG_(am_find_nsegment)(address);
	struct variables_file *file;

	if (segment == NULL)
		return range;
	if (kind == Vg_SectUnknown)
		path = path_at(segment);
	if (path == NULL)
		return range;
	file = file_by_name(path);
	if (segment->kind != SkFileC && kind == Vg_SectUnknown && !has_section(file, address))
		return range;
	/* Valgrind has names of constants, but does not know their sections. */
	if (find_symbol(address, &name, &range.extent.origin)) {
		range.extent.start = range.extent.origin;
		range.extent.size =
			end_of_symbol(address, range.extent.origin) - range.extent.origin;
		range.object = data_objects_named(DATA_GLOBAL, data_objects_name(path),
						  data_objects_name(name));
		return range;
	}
	if (kind == Vg_SectUnknown && has_section(file, address))
		range = find_variable(file, address);
	return range.object != NULL ? range : make_nameless(file, path, kind, address);
}

/* The number of ranges that begin at an address or before it. */
static UInt n_until(Addr address)
{
	UInt low = 0, high = variables->n;

	while (low < high) {
		const UInt middle = low + (high - low) / 2;

		if (variables->ranges[middle].extent.start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(UInt at, const struct data_range *range)
{
	if (variables->n == variables->room) {
		variables->room = variables->room == 0 ? 64 : 2 * variables->room;
		variables->ranges = VG_(realloc)("costgrind.ranges", variables->ranges,
						 variables->room * sizeof(variables->ranges[0]));
	}
	VG_(memmove)(variables->ranges + at + 1, variables->ranges + at,
		     (variables->n - at) * sizeof(variables->ranges[0]));
	variables->ranges[at] = *range;
	variables->n++;
}

struct data_object *variables_at(Addr address, struct data_extent *extent)
{
	const UInt epoch = VG_(current_DiEpoch)().n;
	struct data_range range;
	UInt at;

	if (variables->epoch != epoch) {
		variables->epoch = epoch;
		variables->n = 0;
	}
	at = n_until(address);
	if (at != 0 && address - variables->ranges[at - 1].extent.start <
			       variables->ranges[at - 1].extent.size) {
		*extent = variables->ranges[at - 1].extent;
		return variables->ranges[at - 1].object;
	}
	range = make_range(address);
	if (range.object == NULL)
		return NULL;
	*extent = range.extent;
	if (range.extent.size > 1)
		insert(n_until(range.extent.start), &range);
	return range.object;
}

/* --- thread-local variables -------------------------------------------------------------- */

enum {
	DESCRIPTION_SIZE = 704, /* of glibc's, the part that ABI and compiler rely on */
	MAX_DISTANCE = 1 << 20, /* bytes: larger blocks of a thread are taken for impossible */
	TABLE_AT = 8,           /* where the description points to the table of modules */
	TABLE_SLOT = 16,        /* bytes of an entry of it, in glibc */
	MAX_MODULES = 4096,
	NAME_SIZE = 256,
};

static Addr thread_pointer(ThreadId thread)
{
	return guest_read(thread, GUEST_THREAD_POINTER);
}

/* --- where parts are --------------------------------------------------------------------- */

static Bool read_word(Addr address, ULong *word)
{
	if (!VG_(am_is_valid_for_client)(address, sizeof(*word), VKI_PROT_READ))
		return False;
	VG_(memcpy)(word, (const void *)address, sizeof(*word));
	return True;
}

/* True if a block can begin this far from the thread pointer. */
static Bool is_possible(const struct elf_block *block, Addr pointer, ULong distance)
{
	return distance >= block->size && distance <= MAX_DISTANCE &&
	       ((pointer - distance - block->address) & (block->alignment - 1)) == 0;
}

/* The dynamic linker has stored the distance of a variable. */
static Bool find_by_distance(const struct variables_file *file, Addr pointer, ULong *distance)
{
	const struct elf_block_word *word = &file->data.block.distance;
	ULong value;

	if (!word->is_known || !read_word(word->address + (Addr)file->bias, &value) || value == 0)
		return False;
	*distance = word->offset - value;
	return is_possible(&file->data.block, pointer, *distance);
}

/* It has stored the number of the module, which indexes a table of the thread. */
static Bool find_by_module(const struct variables_file *file, Addr pointer, ULong *distance)
{
	const struct elf_block_word *word = &file->data.block.module;
	ULong number, table, start;

	if (!word->is_known || !read_word(word->address + (Addr)file->bias, &number) ||
	    number == 0 || number > MAX_MODULES || !read_word(pointer + TABLE_AT, &table) ||
	    !read_word(table + number * TABLE_SLOT, &start))
		return False;
	*distance = pointer - start;
	return is_possible(&file->data.block, pointer, *distance);
}

static Bool find_distance(const struct variables_file *file, Addr pointer, ULong *distance)
{
	if (file->is_program) {
		*distance = elf_block_distance(&file->data.block);
		return True;
	}
	return find_by_distance(file, pointer, distance) || find_by_module(file, pointer, distance);
}

static void forget_parts(void)
{
	for (UInt i = 0; i < blocks->n; i++)
		VG_(free)(blocks->parts[i].objects);
	blocks->n = 0;
	blocks->n_unknown = 0;
	blocks->longest = 0;
}

static void find_parts(Addr pointer)
{
	forget_parts();
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL);
	     info != NULL && blocks->n < THREAD_BLOCKS_MAX; info = VG_(next_DebugInfo)(info)) {
		const struct variables_file *file = variables_file(info);
		ULong distance;

		if (!file->is_read || file->data.block.size == 0)
			continue;
		if (!find_distance(file, pointer, &distance)) {
			blocks->n_unknown++;
			continue;
		}
		blocks->parts[blocks->n++] = (struct thread_block){
			.file = file,
			.distance = distance,
			.objects = VG_(calloc)("costgrind.thread_block",
					       file->data.block.n_variables + 1,
					       sizeof(struct data_object *)),
			};
		if (distance > blocks->longest)
			blocks->longest = distance;
	}
}

/* What was unknown may be known by now: looks for it after 1, 2, 4 ... addresses that were asked for. */
static void look_for_parts(Addr pointer)
{
	const UInt epoch = VG_(current_DiEpoch)().n;

	if (blocks->epoch != epoch) {
		blocks->epoch = epoch;
		blocks->n_asked = blocks->n_looked = 0;
	}
	blocks->n_asked++;
	if (blocks->n_looked != 0 &&
	    (blocks->n_unknown == 0 || blocks->n_asked < 2 * blocks->n_looked))
		return;
	blocks->n_looked = blocks->n_asked;
	find_parts(pointer);
}

/* --- what is there ----------------------------------------------------------------------- */

static struct data_object *name_object(const struct variables_file *file,
				       const struct elf_variable *variable)
{
	HChar name[NAME_SIZE];

	if (variable == NULL)
		VG_(snprintf)(name, sizeof(name), "(thread-local variables)");
	else
		VG_(snprintf)(name, sizeof(name), "%s (thread-local)", variable->name);
	return data_objects_named(DATA_GLOBAL, file->path, data_objects_name(name));
}

static struct data_object *object_at(const struct thread_block *part, Addr start, Addr address,
				     Addr *origin)
{
	const struct elf_block *block = &part->file->data.block;
	const struct elf_variable *variable = elf_block_at(block, address - start);
	const SizeT number = variable == NULL ? block->n_variables
					      : (SizeT)(variable - block->variables);

	*origin = variable == NULL ? start : start + variable->span.start;
	if (part->objects[number] == NULL)
		part->objects[number] = name_object(part->file, variable);
	return part->objects[number];
}

/* thread_blocks_at() for the thread with this pointer. */
static struct data_object *find_at(Addr pointer, Addr address, Addr *origin)
{
	if (pointer == 0)
		return NULL;
	if (address - pointer < DESCRIPTION_SIZE) {
		*origin = pointer;
		return data_objects_named(DATA_STACK, NULL,
					  data_objects_name("(descriptions of threads)"));
	}
	if (pointer - address > MAX_DISTANCE)
		return NULL;
	look_for_parts(pointer);
	if (pointer - address > blocks->longest)
		return NULL;
	for (UInt i = 0; i < blocks->n; i++) {
		const Addr start = pointer - blocks->parts[i].distance;

		if (address - start < blocks->parts[i].file->data.block.size)
			return object_at(&blocks->parts[i], start, address, origin);
	}
	return NULL;
}

struct data_object *thread_blocks_at(ThreadId thread, Addr address, Addr *origin)
{
	return find_at(thread_pointer(thread), address, origin);
}

/* --- of any thread ----------------------------------------------------------------------- */

static Int compare_pointers(const void *a, const void *b)
{
	const Addr left = *(const Addr *)a, right = *(const Addr *)b;

	return left < right ? -1 : left > right;
}

static void find_pointers(const struct threads *threads)
{
	if (blocks->pointers != NULL && blocks->n_changes == threads->n_changes)
		return;
	blocks->n_changes = threads->n_changes;
	blocks->n_pointers = 0;
	blocks->pointers = VG_(realloc)("costgrind.thread_pointers", blocks->pointers,
					threads->n * sizeof(blocks->pointers[0]));
	for (UInt i = 0; i < threads->n; i++) {
		const struct thread *thread = threads->by_number[i];

		if (thread != NULL && thread->is_alive)
			blocks->pointers[blocks->n_pointers++] = thread_pointer(thread->number);
	}
	VG_(ssort)
	(blocks->pointers, blocks->n_pointers, sizeof(blocks->pointers[0]), compare_pointers);
}

/*
 * Blocks do not overlap: an address can be only in the block below the next thread pointer, or in the description at
 * the one before.  Bisected, since a program may have thousands of threads that wait.
 */
struct data_object *thread_blocks_at_any(const struct threads *threads, Addr address, Addr *origin)
{
	struct data_object *object = NULL;
	UInt low = 0, high;

	find_pointers(threads);
	high = blocks->n_pointers;
	while (low < high) {
		const UInt middle = low + (high - low) / 2;

		if (blocks->pointers[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		object = find_at(blocks->pointers[low - 1], address, origin);
	if (object == NULL && low < blocks->n_pointers)
		object = find_at(blocks->pointers[low], address, origin);
	return object;
}
