/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	... | library | library | program | description |
 *	    ^ distance of it              ^ thread pointer
 */
#include "tool/data/thread_blocks.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/thread.h"
#include "tool/common/guest.h"
#include "tool/common/text.h"
#include "tool/data/data_object.h"
#include "tool/data/variables.h"

enum {
	DESCRIPTION_SIZE =
		704, /* of glibc's, that of which the ABI and the compiler know something */
	MAX_DISTANCE = 1 << 20, /* bytes of blocks of a thread that are taken for possible */
	TABLE_AT = 8,           /* where the description points to the table of modules */
	TABLE_SLOT = 16,        /* bytes of an entry of it, as glibc has it */
	MAX_MODULES = 4096,
	NAME_SIZE = 256,
};

static Addr thread_pointer(ThreadId thread)
{
	return guest_read(thread, GUEST_THREAD_POINTER);
}

/* --- where parts are ---------------------------------------------------------------------- */

static Bool read_word(Addr address, ULong *word)
{
	if (!VG_(am_is_valid_for_client)(address, sizeof(*word), VKI_PROT_READ))
		return False;
	VG_(memcpy)(word, (const void *)address, sizeof(*word));
	return True;
}

/* Whether a block can begin so far from the thread pointer. */
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

/* It has stored the number of the module, by which the thread has a table. */
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

static void forget_parts(struct thread_blocks *blocks)
{
	for (UInt i = 0; i < blocks->n; i++)
		VG_(free)(blocks->parts[i].objects);
	blocks->n = 0;
	blocks->n_unknown = 0;
	blocks->longest = 0;
}

static void find_parts(struct data_objects *objects, Addr pointer)
{
	struct thread_blocks *blocks = &objects->thread_blocks;

	forget_parts(blocks);
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL);
	     info != NULL && blocks->n < THREAD_BLOCKS_MAX; info = VG_(next_DebugInfo)(info)) {
		const struct variables_file *file =
			variables_file(&objects->variables, objects, info);
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

/* What was not known may be by now: it is looked for after 1, 2, 4 ... addresses that were asked for. */
static void look_for_parts(struct data_objects *objects, Addr pointer)
{
	struct thread_blocks *blocks = &objects->thread_blocks;
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
	find_parts(objects, pointer);
}

/* --- what is there ------------------------------------------------------------------------ */

static struct data_object *name_object(struct data_objects *objects,
				       const struct variables_file *file,
				       const struct elf_variable *variable)
{
	HChar name[NAME_SIZE];

	if (variable == NULL)
		VG_(snprintf)(name, sizeof(name), "(thread-local variables)");
	else
		VG_(snprintf)(name, sizeof(name), "%s (thread-local)", variable->name);
	return data_objects_named(objects, DATA_GLOBAL, file->path,
				  data_objects_name(objects, name));
}

static struct data_object *object_at(struct data_objects *objects, const struct thread_block *part,
				     Addr start, Addr address, Addr *origin)
{
	const struct elf_block *block = &part->file->data.block;
	const struct elf_variable *variable = elf_block_at(block, address - start);
	const SizeT number = variable == NULL ? block->n_variables
					      : (SizeT)(variable - block->variables);

	*origin = variable == NULL ? start : start + variable->span.start;
	if (part->objects[number] == NULL)
		part->objects[number] = name_object(objects, part->file, variable);
	return part->objects[number];
}

/* The same as thread_blocks_at(), of the thread with this pointer. */
static struct data_object *find_at(struct data_objects *objects, Addr pointer, Addr address,
				   Addr *origin)
{
	struct thread_blocks *blocks = &objects->thread_blocks;

	if (pointer == 0)
		return NULL;
	if (address - pointer < DESCRIPTION_SIZE) {
		*origin = pointer;
		return data_objects_named(objects, DATA_STACK, NULL,
					  data_objects_name(objects, "(descriptions of threads)"));
	}
	if (pointer - address > MAX_DISTANCE)
		return NULL;
	look_for_parts(objects, pointer);
	if (pointer - address > blocks->longest)
		return NULL;
	for (UInt i = 0; i < blocks->n; i++) {
		const Addr start = pointer - blocks->parts[i].distance;

		if (address - start < blocks->parts[i].file->data.block.size)
			return object_at(objects, &blocks->parts[i], start, address, origin);
	}
	return NULL;
}

struct data_object *thread_blocks_at(struct data_objects *objects, ThreadId thread, Addr address,
				     Addr *origin)
{
	return find_at(objects, thread_pointer(thread), address, origin);
}

/* --- of any thread ------------------------------------------------------------------------ */

static Int compare_pointers(const void *a, const void *b)
{
	const Addr left = *(const Addr *)a, right = *(const Addr *)b;

	return left < right ? -1 : left > right;
}

static void find_pointers(struct thread_blocks *blocks, const struct threads *threads)
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
 * Blocks do not overlap: an address can be only in that below the next thread pointer, or in the
 * description that begins at the one before.  A program may have thousands of threads that wait.
 */
struct data_object *thread_blocks_at_any(struct data_objects *objects,
					 const struct threads *threads, Addr address, Addr *origin)
{
	struct thread_blocks *blocks = &objects->thread_blocks;
	struct data_object *object = NULL;
	UInt low = 0, high;

	find_pointers(blocks, threads);
	high = blocks->n_pointers;
	while (low < high) {
		const UInt middle = low + (high - low) / 2;

		if (blocks->pointers[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		object = find_at(objects, blocks->pointers[low - 1], address, origin);
	if (object == NULL && low < blocks->n_pointers)
		object = find_at(objects, blocks->pointers[low], address, origin);
	return object;
}
