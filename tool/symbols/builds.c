/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/symbols/builds.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/common/text.h"
#include "tool/symbols/elfimage.h"

enum {
	MAX_BANNER = 160,         /* bytes */
	AUXV_END = 0,             /* entries of the auxiliary vector */
	AUXV_PROGRAM_HEADERS = 3, /* AT_PHDR */
};

static bool is_readable(uintptr_t address, size_t size)
{
	return VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ);
}

static const NSegment *file_segment(Addr address)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);

	return segment != NULL && segment->kind == SkFileC ? segment : NULL;
}

void builds_init(struct builds *builds, const UWord *auxv)
{
	*builds = (struct builds){ .builds = NULL };
	for (; auxv != NULL && is_readable((Addr)auxv, 2 * sizeof(*auxv)) && auxv[0] != AUXV_END;
	     auxv += 2) {
		const NSegment *segment = auxv[0] == AUXV_PROGRAM_HEADERS ? file_segment(auxv[1])
									  : NULL;

		if (segment != NULL)
			builds->program = (struct file_number){ segment->dev, segment->ino };
	}
}

/* The start addresses of all *n mapped files; to be freed by the caller. */
static Addr *list_files(Int *n)
{
	Int room = 64;
	Addr *starts = VG_(malloc)("costgrind.starts", (SizeT)room * sizeof(*starts));

	/* If they do not fit, the result is minus the room that they need. */
	while ((*n = VG_(am_get_segment_starts)(SkFileC, starts, room)) < 0) {
		room = -*n;
		VG_(free)(starts);
		starts = VG_(malloc)("costgrind.starts", (SizeT)room * sizeof(*starts));
	}
	return starts;
}

static Bool is_same_file(const NSegment *left, const NSegment *right)
{
	return left != NULL && left->dev == right->dev && left->ino == right->ino;
}

/* The start of a segment's file, the nearest below it if it is mapped several times; or 0. */
static Addr find_header(const NSegment *segment)
{
	Int n;
	Addr *starts = list_files(&n);
	Addr header = 0;

	for (Int i = 0; i < n; i++) {
		const NSegment *other = file_segment(starts[i]);

		if (is_same_file(other, segment) && other->offset == 0 &&
		    other->start <= segment->start && other->start > header)
			header = other->start;
	}
	VG_(free)(starts);
	return header;
}

Bool builds_image(Addr address, struct elf_image *image)
{
	const NSegment *segment = file_segment(address);

	return segment != NULL && elfimage_open(image, find_header(segment), is_readable);
}

static Bool is_c_library(const struct text *object)
{
	const HChar *slash = VG_(strrchr)(object->chars, '/');
	const HChar *name = slash == NULL ? object->chars : slash + 1;

	return VG_(strncmp)(name, "libc.so", 7) == 0 || VG_(strncmp)(name, "libc-2.", 7) == 0;
}

/* The version line of glibc in a segment, without its full stop; or NULL. */
static HChar *read_banner(const NSegment *segment)
{
	static const HChar words[] = "GNU C Library ";
	const SizeT len = sizeof(words) - 1;

	for (const HChar *at = (const HChar *)segment->start; (Addr)at + MAX_BANNER <= segment->end;
	     at++) {
		HChar *banner;
		SizeT end = len;

		if (*at != words[0] || VG_(memcmp)(at, words, len) != 0)
			continue;
		while (end < MAX_BANNER && at[end] != '\n' && at[end] != '\0')
			end++;
		if (at[end - 1] == '.')
			end--;
		banner = VG_(malloc)("costgrind.banner", end + 1);
		VG_(memcpy)(banner, at, end);
		banner[end] = '\0';
		return banner;
	}
	return NULL;
}

/* The line is among glibc's constants, once. */
static HChar *find_banner(const NSegment *segment)
{
	Int n;
	Addr *starts = list_files(&n);
	HChar *banner = NULL;

	for (Int i = 0; i < n && banner == NULL; i++) {
		const NSegment *other = file_segment(starts[i]);

		if (is_same_file(other, segment) && !other->hasW &&
		    is_readable(other->start, other->end - other->start + 1))
			banner = read_banner(other);
	}
	VG_(free)(starts);
	return banner;
}

static void make_room(struct builds *builds, UInt n)
{
	UInt room = builds->room == 0 ? 16 : builds->room;

	if (n <= builds->room)
		return;
	while (room < n)
		room *= 2;
	builds->builds =
		VG_(realloc)("costgrind.builds", builds->builds, room * sizeof(*builds->builds));
	VG_(memset)
	(builds->builds + builds->room, 0, (room - builds->room) * sizeof(*builds->builds));
	builds->room = room;
}

void builds_note(struct builds *builds, const struct text *object, Addr address)
{
	const NSegment *segment;
	struct build *build;

	make_room(builds, object->id + 1);
	build = &builds->builds[object->id];
	if (build->object != NULL)
		return;
	build->object = object;
	/* If the core does not know the object, the name is no path. */
	segment = object->chars[0] == '/' ? file_segment(address) : NULL;
	if (segment == NULL)
		return;
	build->is_file = True;
	build->is_program = segment->dev == builds->program.dev &&
			    segment->ino == builds->program.ino;
	elfimage_build_id(find_header(segment), is_readable, &build->id);
	if (builds->c_library == NULL && is_c_library(object))
		builds->c_library = find_banner(segment);
}

static Int compare(const void *left, const void *right)
{
	const struct build *const *a = left, *const *b = right;

	return VG_(strcmp)((*a)->object->chars, (*b)->object->chars);
}

const struct build **builds_sorted(const struct builds *builds, UInt *n)
{
	const struct build **sorted;

	*n = 0;
	for (UInt i = 0; i < builds->room; i++)
		*n += builds->builds[i].is_file;
	if (*n == 0)
		return NULL;
	sorted = VG_(malloc)("costgrind.sorted", *n * sizeof(const struct build *));
	*n = 0;
	for (UInt i = 0; i < builds->room; i++)
		if (builds->builds[i].is_file)
			sorted[(*n)++] = &builds->builds[i];
	VG_(ssort)((void *)sorted, *n, sizeof(const struct build *), compare);
	return sorted;
}
