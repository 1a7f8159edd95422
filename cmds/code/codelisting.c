/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code is decoded twice: first all of it, for where instructions begin; then what is shown, for
 * its texts.
 */
#include "cmds/code/codelisting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

#define NO_RECORD SIZE_MAX

struct listing_step {
	uint64_t address;
	unsigned char len; /* bytes; 0 = there is no code */
	bool is_broken;    /* the profile has an instruction that begins within it */
	size_t record;     /* or NO_RECORD */
};

struct stepping {
	struct code_function *function;
	const struct code_records *records;
	const struct basis *basis;
	const struct codelisting_options *options;
	struct listing_step *steps;
	size_t n, capacity;
	size_t next_record;
};

static bool add_step(struct stepping *stepping, uint64_t address, size_t len, bool is_broken)
{
	const struct code_records *records = stepping->records;
	struct listing_step step = { address, (unsigned char)len, is_broken, NO_RECORD };

	if (stepping->next_record < records->n &&
	    records->records[stepping->next_record].address == address)
		step.record = stepping->next_record++;
	if (!heap_reserve(&heap_env, (void **)&stepping->steps, &stepping->capacity,
			  stepping->n + 1, sizeof(*stepping->steps)))
		return false;
	stepping->steps[stepping->n++] = step;
	return true;
}

/* The code at an address, up to the end of the stretch; NULL if there is none, or no disassembler. */
static const unsigned char *code_at(const struct stepping *stepping, uint64_t address, size_t *len)
{
	const struct code_function *function = stepping->function;
	const unsigned char *code;

	*len = 0;
	if (!function->object->text || address >= function->stretch.end)
		return NULL;
	code = objectfile_code(function->object->file, address, len);
	if (*len > function->stretch.end - address)
		*len = function->stretch.end - address;
	return code;
}

/* Steps from an address to where the profile goes on, or as far as is shown. */
static bool step_on(struct stepping *stepping, uint64_t address)
{
	const struct code_records *records = stepping->records;
	uint64_t behind = 0;

	for (;;) {
		struct disassembled instruction;
		uint64_t next = UINT64_MAX;
		bool is_broken;
		size_t len;
		const unsigned char *code = code_at(stepping, address, &len);

		if (!code ||
		    (stepping->next_record == records->n && behind++ > stepping->options->context))
			return true;
		disassembly_next(stepping->function->object->text, code, len, address,
				 &instruction);
		len = instruction.len;
		/* What comes next, but the record of this very instruction. */
		for (size_t i = stepping->next_record; i < records->n && next == UINT64_MAX; i++)
			if (records->records[i].address > address)
				next = records->records[i].address;
		is_broken = next - address < len;
		if (is_broken) {
			len = (size_t)(next - address);
			stepping->function->object->n_out_of_step++;
		}
		if (!add_step(stepping, address, len, is_broken))
			return false;
		address += len;
	}
}

static bool step_through(struct stepping *stepping)
{
	const struct code_records *records = stepping->records;
	const struct code_stretch *stretch = &stepping->function->stretch;
	size_t len;

	/* A symbol begins with an instruction; other stretches perhaps with data. */
	if (stretch->symbol && !step_on(stepping, stretch->start))
		return false;
	while (stepping->next_record < records->n) {
		uint64_t address = records->records[stepping->next_record].address;

		if (code_at(stepping, address, &len)) {
			if (!step_on(stepping, address))
				return false;
			continue;
		}
		if (stepping->function->object->file)
			stepping->function->object->n_outside++;
		if (!add_step(stepping, address, 0, false))
			return false;
	}
	return true;
}

/* -- texts --------------------------------------------------------------------------- */

static const char *copy(struct arena *arena, const char *text)
{
	return text[0] == '\0' ? "" : arena_copy(arena, text, strlen(text));
}

/* "<main+0x12>", "# 0x4018 <stdout>" */
static const char *note_of(const struct stepping *stepping, const struct disassembled *instruction)
{
	const struct basis *basis = stepping->basis;
	char number[32] = "";
	const char *label;
	char *note;
	size_t size;

	if (!instruction->has_target && !instruction->has_reference)
		return "";
	/* AArch64 has the address itself among its operands. */
	if (!instruction->has_target &&
	    objectfile_machine(stepping->function->object->file) != MACHINE_AARCH64)
		snprintf(number, sizeof(number), "# 0x%" PRIx64, instruction->reference);
	label = code_object_label(stepping->function->object, basis->model,
				  instruction->has_target ? instruction->target
							  : instruction->reference,
				  basis->arena);
	if (!label)
		return NULL;
	if (label[0] == '\0')
		return copy(basis->arena, number);
	size = strlen(number) + strlen(label) + sizeof(" <>");
	note = arena_alloc(basis->arena, size, 1);
	if (note)
		snprintf(note, size, "%s%s<%s>", number, number[0] != '\0' ? " " : "", label);
	return note;
}

/* A jump within the function that is not recorded. */
static bool add_jump(const struct stepping *stepping, const struct disassembled *instruction,
		     struct code_instruction *to)
{
	struct code_jump *jump;

	if (!stepping->options->adds_jumps || !to->record || !instruction->has_target ||
	    (instruction->kind != INSTRUCTION_JUMP &&
	     instruction->kind != INSTRUCTION_CONDITIONAL) ||
	    !code_stretch_has(&stepping->function->stretch, instruction->target))
		return true;
	jump = arena_alloc(stepping->basis->arena, sizeof(*jump), 8);
	if (!jump)
		return false;
	*jump = (struct code_jump){
		.target = instruction->target,
		.is_conditional = instruction->kind == INSTRUCTION_CONDITIONAL,
	};
	to->jumps = jump;
	to->n_jumps = 1;
	return true;
}

static bool write_text(const struct stepping *stepping, const struct listing_step *step,
		       struct code_instruction *to)
{
	struct arena *arena = stepping->basis->arena;
	struct disassembled instruction;
	size_t len;

	to->mnemonic = to->operands = to->note = "";
	to->bytes = step->len > 0 ? code_at(stepping, step->address, &len) : NULL;
	if (!to->bytes)
		return true;
	to->len = step->len;
	/* The part of a broken one is no instruction. */
	disassembly_next(stepping->function->object->text, to->bytes, step->len, step->address,
			 &instruction);
	if (instruction.len < step->len || step->is_broken)
		disassembly_bytes(to->bytes, step->len, &instruction);
	to->mnemonic = copy(arena, instruction.mnemonic);
	to->operands = copy(arena, instruction.operands);
	to->note = note_of(stepping, &instruction);
	return to->mnemonic && to->operands && to->note && add_jump(stepping, &instruction, to);
}

static bool write_instruction(const struct stepping *stepping, size_t i, bool is_behind_gap,
			      struct code_instruction *to)
{
	const struct listing_step *step = &stepping->steps[i];

	*to = (struct code_instruction){
		.address = step->address,
		.source = CODE_NO_SOURCE,
		.is_behind_gap = is_behind_gap,
	};
	if (step->record != NO_RECORD) {
		to->record = &stepping->records->records[step->record];
		to->jumps = to->record->jumps;
		to->n_jumps = to->record->n_jumps;
	}
	return write_text(stepping, step, to);
}

/* Marks what is near to something recorded; returns how many. */
static size_t mark_shown(const struct stepping *stepping, bool *shown)
{
	uint64_t context = stepping->options->context, left = 0;
	size_t n_shown = 0;

	for (size_t i = 0; i < stepping->n; i++) {
		if (stepping->steps[i].record != NO_RECORD)
			left = context + 1;
		shown[i] = left > 0;
		left -= left > 0;
	}
	left = 0;
	for (size_t i = stepping->n; i-- > 0;) {
		if (stepping->steps[i].record != NO_RECORD)
			left = context + 1;
		shown[i] |= left > 0;
		left -= left > 0;
		n_shown += shown[i];
	}
	return n_shown;
}

/* Whether there is code between two steps, as far as one can know. */
static bool is_gap(const struct listing_step *last, const struct listing_step *step)
{
	return last->len > 0 && last->address + last->len != step->address;
}

static int write_instructions(const struct stepping *stepping)
{
	struct code_function *function = stepping->function;
	const struct listing_step *last = NULL;
	bool *shown = heap_zeroed(&heap_env, stepping->n, sizeof(*shown));
	size_t n_shown;
	bool fine = shown != NULL;

	if (!fine)
		return PROFILE_NO_MEMORY;
	n_shown = mark_shown(stepping, shown);
	function->instructions = arena_alloc(stepping->basis->arena,
					     (n_shown + 1) * sizeof(*function->instructions), 8);
	fine = function->instructions != NULL;
	for (size_t i = 0; fine && i < stepping->n; i++) {
		const struct listing_step *step = &stepping->steps[i];

		if (!shown[i])
			continue;
		fine = write_instruction(stepping, i,
					 last ? is_gap(last, step)
					      : step->address != function->stretch.start,
					 &function->instructions[function->n++]);
		last = step;
	}
	free(shown);
	return fine ? PROFILE_OK : PROFILE_NO_MEMORY;
}

int codelisting_make(struct code_function *function, const struct code_records *records,
		     const struct basis *basis, const struct codelisting_options *options)
{
	struct stepping stepping = {
		.function = function,
		.records = records,
		.basis = basis,
		.options = options,
	};
	int status = PROFILE_NO_MEMORY;

	if (step_through(&stepping))
		status = write_instructions(&stepping);
	if (!status && function->n > 0) {
		const struct code_instruction *last = &function->instructions[function->n - 1];

		function->is_cut = last->len > 0 &&
				   last->address + last->len < function->stretch.end;
	}
	free(stepping.steps);
	return status;
}
