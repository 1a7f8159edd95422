/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A walk backwards that keeps what is wanted: registers, the flags, slots of the frame.  The condition depends on
 * an instruction that writes something wanted: what it reads is wanted instead.
 *
 *	mov (%rdi,%rax,4), %edx	  loads; wanted: rdi, rax
 *	add $1, %rax		  (does not write what is wanted below)
 *	cmp $128, %edx		  wanted: rdx
 *	jl ...			  wanted: the flags
 *
 * A slot of the frame is followed to the store that filled it, since unoptimised code keeps all its variables
 * there; where no store is found, the load of the slot counts if there is no other load.
 */
#include "cmds/branches/branchlist.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum { MOST_SLOTS = 8 };

/* An instruction before the jump. */
struct window_entry {
	uint64_t address;
	struct disassembled text;
	struct instruction_effects effects;
};

struct frame_slot {
	uint64_t base;
	int64_t offset;
	size_t load; /* the entry that loads it */
};

struct condition_walk {
	struct window_entry entries[CONDITION_WINDOW + 1]; /* a ring; the jump is the last one */
	size_t n;                                          /* so far in all */
	uint64_t *targets;                                 /* of jumps in the function; owned */
	size_t n_targets, targets_capacity;
	/* What is wanted. */
	uint64_t registers;
	bool flags;
	struct frame_slot slots[MOST_SLOTS];
	size_t n_slots;
	/* Entries that load what is wanted, and which of these are slots that were not resolved. */
	size_t loads[CONDITION_WINDOW + 1];
	bool is_slot[CONDITION_WINDOW + 1];
	size_t n_loads;
};

static struct window_entry *entry_at(struct condition_walk *walk, size_t i)
{
	return &walk->entries[i % (CONDITION_WINDOW + 1)];
}

/* -- the code up to the jump, and targets of jumps in all of the function ------------------------- */

/* Reads the function; returns true if an instruction begins at the address. */
static bool read_function(struct condition_walk *walk, const struct code_object *object,
			  const struct code_stretch *stretch, uint64_t address)
{
	uint64_t end = stretch->end, at = stretch->start;
	bool is_found = false;
	size_t len;
	const unsigned char *code = objectfile_code(object->file, at, &len);

	if (!code)
		return false;
	if (end - at > len)
		end = at + len;
	if (end - at > CONDITION_MOST_CODE)
		return false;
	for (const unsigned char *next = code; at < end;) {
		struct window_entry *entry = entry_at(walk, walk->n);
		struct disassembled text;

		disassembly_next(object->text, next, (size_t)(end - at), at, &text);
		if (!is_found) {
			entry->address = at;
			entry->text = text;
			/* Texts of effects belong to the entry. */
			disassembly_effects(object->text, &entry->text, &entry->effects);
			walk->n++;
		}
		is_found |= at == address;
		if (text.has_target &&
		    (text.kind == INSTRUCTION_JUMP || text.kind == INSTRUCTION_CONDITIONAL)) {
			walk->targets = heap_grow(walk->targets, &walk->targets_capacity,
						  walk->n_targets + 1, sizeof(*walk->targets));
			walk->targets[walk->n_targets++] = text.target;
		}
		at += text.len;
		next += text.len;
	}
	return is_found;
}

static bool is_target(const struct condition_walk *walk, uint64_t address)
{
	for (size_t i = 0; i < walk->n_targets; i++)
		if (walk->targets[i] == address)
			return true;
	return false;
}

/* -- backwards ------------------------------------------------------------------------------------- */

/* True if the entry fills a wanted slot, which is not wanted any more then, and its load does not count. */
static bool fills_slot(struct condition_walk *walk, size_t i)
{
	const struct instruction_effects *effects = &entry_at(walk, i)->effects;
	bool fills = false;

	if (!effects->stores || !effects->has_slot)
		return false;
	for (size_t slot = 0; slot < walk->n_slots;) {
		const struct frame_slot *wanted = &walk->slots[slot];
		size_t load = 0;

		if (wanted->base != effects->slot_base || wanted->offset != effects->slot_offset) {
			slot++;
			continue;
		}
		while (load < walk->n_loads && walk->loads[load] != wanted->load)
			load++;
		if (load < walk->n_loads) {
			size_t after = walk->n_loads - load - 1;

			memmove(&walk->loads[load], &walk->loads[load + 1],
				after * sizeof(walk->loads[0]));
			memmove(&walk->is_slot[load], &walk->is_slot[load + 1],
				after * sizeof(walk->is_slot[0]));
			walk->n_loads--;
		}
		walk->slots[slot] = walk->slots[--walk->n_slots];
		fills = true;
	}
	return fills;
}

/* What an entry reads is wanted. */
static void want_sources(struct condition_walk *walk, size_t i)
{
	const struct instruction_effects *effects = &entry_at(walk, i)->effects;

	walk->registers |= effects->reads;
	walk->flags |= effects->reads_flags;
	if (!effects->loads)
		return;
	walk->loads[walk->n_loads] = i;
	walk->is_slot[walk->n_loads++] = effects->has_slot;
	if (!effects->has_slot)
		walk->registers |= effects->addresses;
	else if (walk->n_slots < MOST_SLOTS)
		walk->slots[walk->n_slots++] = (struct frame_slot){
			.base = effects->slot_base,
			.offset = effects->slot_offset,
			.load = i,
		};
}

/* False: nothing before it is known. */
static bool step_back(struct condition_walk *walk, size_t i, struct condition *condition)
{
	const struct window_entry *entry = entry_at(walk, i);
	const struct instruction_effects *effects = &entry->effects;
	bool writes_flags = walk->flags && effects->writes_flags;
	bool is_wanted;

	switch (entry->text.kind) {
	case INSTRUCTION_JUMP:
	case INSTRUCTION_RETURN:
	case INSTRUCTION_UNKNOWN:
		return false;
	case INSTRUCTION_CALL:
		/* Results come in the first register, or the first one of vectors. */
		if (!condition->has_call && (walk->registers & effects->lost_in_call) != 0) {
			condition->has_call = true;
			condition->call = entry->address;
		}
		walk->registers &= ~effects->lost_in_call;
		return !walk->flags;
	case INSTRUCTION_PLAIN:
	case INSTRUCTION_CONDITIONAL:
		break;
	}
	is_wanted = fills_slot(walk, i) || writes_flags || (effects->writes & walk->registers) != 0;
	if (!is_wanted)
		return true;
	walk->registers &= ~effects->writes;
	if (writes_flags)
		walk->flags = false;
	want_sources(walk, i);
	return true;
}

static void walk_back(struct condition_walk *walk, struct condition *condition, struct arena *arena)
{
	size_t last = walk->n - 1;
	size_t first = last > CONDITION_WINDOW ? last - CONDITION_WINDOW : 0;
	bool has_data = false;

	want_sources(walk, last);
	for (size_t i = last; !is_target(walk, entry_at(walk, i)->address) && i-- > first;) {
		if (walk->registers == 0 && !walk->flags && walk->n_slots == 0)
			break;
		if (!step_back(walk, i, condition))
			break;
	}
	for (size_t i = 0; i < walk->n_loads; i++)
		has_data |= !walk->is_slot[i];
	for (size_t i = 0; i < walk->n_loads && condition->n_loads < CONDITION_MOST_LOADS; i++) {
		const struct window_entry *entry = entry_at(walk, walk->loads[i]);

		if (has_data && walk->is_slot[i])
			continue;
		condition->loads[condition->n_loads++] = (struct condition_load){
			.address = entry->address,
			.operand = arena_copy(arena,
					      entry->effects.memory ? entry->effects.memory : "",
					      entry->effects.memory_len),
			.has_reference = entry->text.has_reference,
			.reference = entry->text.reference,
		};
	}
}

void condition_find(struct condition *condition, const struct code_object *object, uint64_t address,
		    struct arena *arena)
{
	struct code_stretch stretch = code_object_stretch(object, address);
	struct condition_walk *walk;
	const unsigned char *code;
	size_t len;

	*condition = (struct condition){ .n_loads = 0 };
	code = objectfile_code(object->file, address, &len);
	if (!code)
		return;
	disassembly_next(object->text, code, len, address, &condition->jump);
	if (condition->jump.kind != INSTRUCTION_CONDITIONAL)
		return;
	walk = heap_zeroed(1, sizeof(*walk));
	if (read_function(walk, object, &stretch, address))
		walk_back(walk, condition, arena);
	free(walk->targets);
	free(walk);
}
