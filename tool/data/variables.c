/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranges are made when an address of them is first asked for.  A variable ends where Valgrind has
 * another answer: answers about one variable are the same from its beginning to its end, so that the
 * end is found by halves.  Where there is none, symbols and sections of the file say how far that goes;
 * as Valgrind may have a debug file's too, it is asked at some places of the gap.
 */
#include "tool/data/variables.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/common/self.h"
#include "tool/common/text.h"
#include "tool/data/data_object.h"
#include "tool/instrument/state.h"

enum {
	PROBES = 32,     /* of a gap */
	MAX_PIECES = 8,  /* segments that the zeroed memory of an object file may be in */
	MAX_NAME = 1024, /* bytes of a variable's name that are kept */
};

/* --- files -------------------------------------------------------------------------------- */

/* Does something with a file while it is open; False if it cannot be. */
static Bool with_source(const struct variables_file *file,
			Bool (*use)(const struct elf_source *source, void *ctx), void *ctx)
{
	struct elf_source source;
	Int descriptor;
	Bool done;

	/* Under seccomp, a system call of ours may be the program's end. */
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

struct variables_file *variables_file(struct variables *variables, struct data_objects *objects,
				      const DebugInfo *info)
{
	const struct text *path = data_objects_name(objects, VG_(DebugInfo_get_filename)(info));
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
static struct variables_file *file_by_name(struct variables *variables,
					   struct data_objects *objects, const HChar *name)
{
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL;
	     info = VG_(next_DebugInfo)(info))
		if (VG_(strcmp)(VG_(DebugInfo_get_filename)(info), name) == 0)
			return variables_file(variables, objects, info);
	return NULL;
}

/* The file that a segment is of, or follows without a gap, as zeroed memory of an object file does; or NULL. */
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

/* --- ranges ------------------------------------------------------------------------------- */

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

/* Takes off a gap around an address what a symbol has; returns whether there was any. */
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

/* What has no symbol around an address that has none. */
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

/* A variable of the file's own symbols, in whatever section; without an object if there is none. */
static struct data_range find_variable(const struct variables_file *file,
				       struct data_objects *objects, Addr address)
{
	struct data_range range = { { address, 0, 0 }, NULL };
	struct name_reading reading;
	Addr start;

	reading.named = elf_data_at(&file->data, address - (Addr)file->bias);
	if (reading.named == NULL || !with_source(file, read_name, &reading))
		return range;
	start = reading.named->span.start + (Addr)file->bias;
	range.extent = (struct data_extent){ start, reading.named->span.size, start };
	range.object = data_objects_named(objects, DATA_GLOBAL, file->path,
					  data_objects_name(objects, reading.name));
	return range;
}

/* What has no name. */
static struct data_range make_nameless(struct data_objects *objects,
				       const struct variables_file *file, const HChar *path,
				       VgSectKind kind, Addr address)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);
	const Bool is_of_file = kind == Vg_SectUnknown && segment->kind == SkFileC;
	const struct text *group = data_objects_name(objects, path);
	const struct elf_span gap = find_gap(file, address);

	return (struct data_range){
		.extent = { gap.start, gap.size, 0 },
		.object = is_of_file ? data_objects_named(objects, DATA_FILE, NULL, group)
				     : data_objects_named(objects, DATA_GLOBAL, group,
							  data_objects_name(objects,
									    name_by_kind(kind))),
	};
}

/*
 * What is at an address, and how far around it; without an object, and perhaps nothing around it, if it is nowhere.
 * Sections that Valgrind does not know (.noptrbss, or from linker scripts) may be memory that is of no file.
 */
static struct data_range make_range(struct variables *variables, struct data_objects *objects,
				    Addr address)
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
	file = file_by_name(variables, objects, path);
	if (segment->kind != SkFileC && kind == Vg_SectUnknown && !has_section(file, address))
		return range;
	/* Of constants, Valgrind has names, but does not say where they are. */
	if (find_symbol(address, &name, &range.extent.origin)) {
		range.extent.start = range.extent.origin;
		range.extent.size =
			end_of_symbol(address, range.extent.origin) - range.extent.origin;
		range.object = data_objects_named(objects, DATA_GLOBAL,
						  data_objects_name(objects, path),
						  data_objects_name(objects, name));
		return range;
	}
	if (kind == Vg_SectUnknown && has_section(file, address))
		range = find_variable(file, objects, address);
	return range.object != NULL ? range : make_nameless(objects, file, path, kind, address);
}

/* How many ranges begin at an address or before it. */
static UInt n_until(const struct variables *variables, Addr address)
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

static void insert(struct variables *variables, UInt at, const struct data_range *range)
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

struct data_object *variables_at(struct variables *variables, struct data_objects *objects,
				 Addr address, struct data_extent *extent)
{
	const UInt epoch = VG_(current_DiEpoch)().n;
	struct data_range range;
	UInt at;

	if (variables->epoch != epoch) {
		variables->epoch = epoch;
		variables->n = 0;
	}
	at = n_until(variables, address);
	if (at != 0 && address - variables->ranges[at - 1].extent.start <
			       variables->ranges[at - 1].extent.size) {
		*extent = variables->ranges[at - 1].extent;
		return variables->ranges[at - 1].object;
	}
	range = make_range(variables, objects, address);
	if (range.object == NULL)
		return NULL;
	*extent = range.extent;
	if (range.extent.size > 1)
		insert(variables, n_until(variables, range.extent.start), &range);
	return range.object;
}
