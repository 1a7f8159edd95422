/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data objects: blocks, variables, stacks and files, with their misses by piece. */
#include "tool/data/state.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/thread.h"
#include "tool/counts/context.h"
#include "tool/counts/site.h"
#include "tool/symbols/symbol.h"

static struct data_objects *const objects = &tool_data.objects;

enum {
	LEAST_SHIFT = 3, /* rows of 8 bytes */
	RED_ZONE = 128,  /* bytes below the stack pointer that a function may use: System V ABI */
};

void data_objects_init(UInt n_columns)
{
	objects->table = VG_(HT_construct)("costgrind.data");
	objects->n_columns = n_columns;
	text_table_init(&objects->names, "costgrind.data_names");
}

const struct text *data_objects_name(const HChar *chars)
{
	return text_intern(&objects->names, chars, VG_(strlen)(chars));
}

static UWord hash_of(const struct data_key *key)
{
	UWord hash = text_hash(0, &key->kind, sizeof(key->kind));

	hash = text_hash(hash, key->sites, key->n_sites * sizeof(key->sites[0]));
	hash = text_hash(hash, &key->group, sizeof(key->group));
	return text_hash(hash, &key->name, sizeof(key->name));
}

static Word compare(const void *a, const void *b)
{
	const struct data_key *left = &((const struct data_object *)a)->key;
	const struct data_key *right = &((const struct data_object *)b)->key;

	return left->kind != right->kind || left->n_sites != right->n_sites ||
	       left->group != right->group || left->name != right->name ||
	       VG_(memcmp)(left->sites, right->sites, left->n_sites * sizeof(left->sites[0])) != 0;
}

struct data_object *data_objects_find(const struct data_key *key)
{
	struct data_object wanted = { .hash = hash_of(key), .key = *key };
	struct data_object *object = VG_(HT_gen_lookup)(objects->table, &wanted, compare);

	if (object != NULL)
		return object;
	object = VG_(malloc)("costgrind.object", sizeof(*object));
	*object = wanted;
	object->number = objects->n;
	object->row_shift = LEAST_SHIFT;
	VG_(HT_add_node)(objects->table, object);
	if (objects->n == objects->room) {
		objects->room = objects->room == 0 ? 64 : 2 * objects->room;
		objects->by_number = VG_(realloc)("costgrind.objects", objects->by_number,
						  objects->room * sizeof(objects->by_number[0]));
	}
	objects->by_number[objects->n++] = object;
	return object;
}

void data_object_note_block(struct data_object *object, SizeT size, SizeT element)
{
	if (object->n_blocks++ == 0) {
		object->least = size;
		object->element = element;
	} else if (object->element != element) {
		object->is_irregular = True;
	}
	object->least = size < object->least ? size : object->least;
	object->most = size > object->most ? size : object->most;
}

/* --- rows -------------------------------------------------------------------------------- */

/* Makes rows twice as large. */
static void fold(struct data_object *object)
{
	const UInt n = objects->n_columns;

	for (UInt row = 0; row < object->n_rows; row++) {
		const ULong *from = object->rows + (SizeT)row * n;
		ULong *to = object->rows + (SizeT)(row / 2) * n;

		for (UInt i = 0; i < n; i++) {
			const ULong count = from[i];

			to[i] = row % 2 == 0 ? count : to[i] + count;
		}
	}
	object->n_rows = (object->n_rows + 1) / 2;
	object->row_shift++;
}

static void add_rows(struct data_object *object, UInt row)
{
	const SizeT size = objects->n_columns * sizeof(object->rows[0]);
	UInt n = row + 1;

	if (n < 2 * object->n_rows)
		n = 2 * object->n_rows < DATA_ROWS ? 2 * object->n_rows : DATA_ROWS;
	object->rows = VG_(realloc)("costgrind.rows", object->rows, n * size);
	VG_(memset)(object->rows + (SizeT)object->n_rows * objects->n_columns, 0,
		    (n - object->n_rows) * size);
	object->n_rows = n;
}

static SizeT offset_in_element(const struct data_object *object, SizeT offset)
{
	return object->element != 0 && !object->is_irregular ? offset % object->element : offset;
}

SizeT data_object_piece(const struct data_object *object, SizeT offset)
{
	return offset_in_element(object, offset) >> object->row_shift << object->row_shift;
}

ULong *data_object_row(struct data_object *object, SizeT offset)
{
	SizeT at = offset_in_element(object, offset);

	while (at >> object->row_shift >= DATA_ROWS)
		fold(object);
	at >>= object->row_shift;
	if (at >= object->n_rows)
		add_rows(object, (UInt)at);
	return object->rows + at * objects->n_columns;
}

SizeT data_object_row_offset(const struct data_object *object, UInt row)
{
	return (SizeT)row << object->row_shift;
}

void data_objects_zero(void)
{
	for (UInt i = 0; i < objects->n; i++) {
		struct data_object *object = objects->by_number[i];

		if (object->rows != NULL)
			VG_(memset)(object->rows, 0,
				    (SizeT)object->n_rows * objects->n_columns *
					    sizeof(object->rows[0]));
	}
}

/* --- data in no block -------------------------------------------------------------------- */

struct data_object *data_objects_named(enum data_kind kind, const struct text *group,
				       const struct text *name)
{
	return data_objects_find(&(struct data_key){ .kind = kind, .group = group, .name = name });
}

/* The function whose frame an address is in; NULL: not on the thread's stack. */
static const struct context *frame_at(const struct thread *thread, Addr address)
{
	SizeT low = 0, high = callstack_depth(&thread->stack);
	const Addr sp = VG_(get_SP)(thread->number);
	const NSegment *segment;

	if (address + RED_ZONE < sp)
		return NULL;
	segment = VG_(am_find_nsegment)(sp);
	if (segment == NULL || address < segment->start || address > segment->end)
		return NULL;
	/* Each frame begins at a lower address: finds the last one that begins above this one. */
	while (high - low > 1) {
		const SizeT middle = low + (high - low) / 2;

		if (callstack_frame(&thread->stack, middle)->sp > address)
			low = middle;
		else
			high = middle;
	}
	return thread_activation(thread, low)->context;
}

/* Not looked up by name: much of what allocators keep is such memory. */
static struct data_object *memory_of(enum memory_kind kind)
{
	static const HChar *const names[N_MEMORY_KINDS] = {
		[MEMORY_OWN] = "(in no block)",
		[MEMORY_SHARED] = "(shared, in no block)",
		[MEMORY_UNKNOWN] = "(unknown)",
	};

	if (objects->memory[kind] == NULL)
		objects->memory[kind] =
			data_objects_named(DATA_MEMORY, NULL, data_objects_name(names[kind]));
	return objects->memory[kind];
}

static struct data_object *mapping_at(Addr address)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);
	const HChar *file;

	if (segment == NULL)
		return memory_of(MEMORY_UNKNOWN);
	file = segment->kind == SkFileC ? VG_(am_get_filename)(segment) : NULL;
	if (file != NULL)
		return data_objects_named(DATA_FILE, NULL, data_objects_name(file));
	return memory_of(segment->kind == SkShmC ? MEMORY_SHARED : MEMORY_OWN);
}

struct data_object *data_objects_at(const struct threads *threads, Addr address,
				    struct data_extent *extent)
{
	const struct thread *thread = threads->running;
	struct data_object *object = thread_blocks_at(thread->number, address, &extent->origin);
	const struct context *frame;

	/* A thread's block may be at the end of its stack. */
	if (object != NULL)
		return object;
	frame = frame_at(thread, address);
	if (frame != NULL)
		return data_objects_named(DATA_STACK, frame->function->object,
					  frame->function->name);
	object = variables_at(address, extent);
	if (object == NULL)
		object = thread_blocks_at_any(threads, address, &extent->origin);
	return object != NULL ? object : mapping_at(address);
}

struct data_object *data_objects_code(const struct site *site)
{
	return data_objects_named(DATA_CODE, NULL, site->scope->function->object);
}
