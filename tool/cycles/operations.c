/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/cycles/operations.h"

#include <capstone/capstone.h>

#include "isa/x86/effects.h"

enum {
	KEY_SIZE = 96,
	WORD = 8, /* bytes by which push and the like move the stack pointer */
	NOWHERE = N_CORE_REGISTERS,
	N_CORE_VECTORS = CORE_MMX - CORE_VECTOR,
};

bool operations_init(struct operations *operations, const struct instructiontable *table)
{
	*operations = (struct operations){ .table = table };
	return insn_decoder_init(&operations->decoder);
}

/* --- registers --------------------------------------------------------------------------- */

static bool is_within(unsigned reg, unsigned first, unsigned last)
{
	return reg >= first && reg <= last;
}

/* The core's number of a register; NOWHERE for registers that carry no values. */
static unsigned number_of(unsigned reg)
{
	const int8_t number = insn_register(reg);

	if (number == INSN_X87)
		return CORE_X87;
	if (number == INSN_FLAGS)
		return CORE_FLAGS;
	if (number >= INSN_MMX)
		return CORE_MMX + (unsigned)(number - INSN_MMX);
	if (number < 0 || number >= INSN_VECTOR + N_CORE_VECTORS)
		return NOWHERE;
	return number < INSN_VECTOR ? (unsigned)number
				    : CORE_VECTOR + (unsigned)(number - INSN_VECTOR);
}

static uint64_t bit_of(unsigned reg)
{
	const unsigned number = number_of(reg);

	return number == NOWHERE ? 0 : UINT64_C(1) << number;
}

static uint64_t bits_of(const uint16_t *registers, unsigned n)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < n; i++)
		bits |= bit_of(registers[i]);
	return bits;
}

/* --- what row it has --------------------------------------------------------------------- */

struct key {
	char text[KEY_SIZE];
	unsigned len;
};

static void add_text(struct key *key, const char *text)
{
	while (*text != '\0' && key->len + 1 < KEY_SIZE)
		key->text[key->len++] = *text++;
	key->text[key->len] = '\0';
}

static void add_number(struct key *key, unsigned number)
{
	char digits[] = { (char)('0' + number / 100 % 10), (char)('0' + number / 10 % 10),
			  (char)('0' + number % 10), '\0' };

	add_text(key, number >= 100 ? digits : number >= 10 ? digits + 1 : digits + 2);
}

static bool is_shift(unsigned id)
{
	switch (id) {
	case X86_INS_SHL:
	case X86_INS_SHR:
	case X86_INS_SAR:
	case X86_INS_SAL:
	case X86_INS_ROL:
	case X86_INS_ROR:
	case X86_INS_RCL:
	case X86_INS_RCR:
	case X86_INS_SHLD:
	case X86_INS_SHRD:
		return true;
	default:
		return false;
	}
}

/* Sizes of memory operands that are kinds of their own. */
static bool has_kind(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 || size == 10 || size == 16 ||
	       size == 32;
}

static void add_memory_kind(struct key *key, const cs_insn *insn, const cs_x86_op *op)
{
	const bool is_lea = insn->id == X86_INS_LEA;

	add_text(key, "m");
	if (is_lea && op->mem.base != X86_REG_INVALID && op->mem.index != X86_REG_INVALID &&
	    op->mem.disp != 0)
		add_text(key, "3");
	else if (is_lea && op->mem.index != X86_REG_INVALID && op->mem.scale > 1)
		add_text(key, "s");
	else if (!is_lea && insn->id != X86_INS_NOP && has_kind(op->size))
		add_number(key, op->size * 8U);
}

static void add_register_kind(struct key *key, const cs_insn *insn, const cs_x86_op *op)
{
	const unsigned number = number_of(op->reg);

	if (op->reg == X86_REG_CL && is_shift(insn->id)) {
		add_text(key, "cl");
	} else if (number < N_CORE_GENERAL) {
		add_text(key, "r");
		add_number(key, op->size * 8U);
	} else if (is_within(op->reg, X86_REG_YMM0, X86_REG_YMM15)) {
		add_text(key, "y");
	} else if (number >= CORE_X87) {
		add_text(key, "st");
	} else if (number >= CORE_MMX) {
		add_text(key, "mm");
	} else {
		add_text(key, "x");
	}
}

/* The text after a prefix and a blank; NULL if it does not begin with them. */
static const char *after(const char *text, const char *prefix)
{
	while (*prefix != '\0')
		if (*text++ != *prefix++)
			return NULL;
	return *text == ' ' ? text + 1 : NULL;
}

/* True for a string instruction, which rep repeats. */
static bool is_string(const char *name)
{
	static const char *const names[] = { "movs", "stos", "lods", "scas", "cmps" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unsigned at = 0;

		while (names[i][at] != '\0' && name[at] == names[i][at])
			at++;
		/* One more letter for the size; movsd may also be an SSE instruction, which has no prefix. */
		if (names[i][at] == '\0' && name[at] != '\0' && name[at + 1] == '\0')
			return true;
	}
	return false;
}

/* The mnemonic, with the prefixes that the table knows. */
static void add_name(struct key *key, const char *mnemonic)
{
	static const struct {
		const char *prefix, *known; /* known: NULL if it is left out */
		bool of_strings;
	} prefixes[] = {
		{ "lock", "lock ", false },  { "rep", "rep ", true },
		{ "repe", "rep ", true },    { "repz", "rep ", true },
		{ "repne", "repne ", true }, { "repnz", "repne ", true },
		{ "bnd", NULL, false },      { "notrack", NULL, false },
		{ "data16", NULL, false },   { "xacquire", NULL, false },
		{ "xrelease", NULL, false },
	};

	for (unsigned i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		const char *name = after(mnemonic, prefixes[i].prefix);

		if (name == NULL)
			continue;
		if (prefixes[i].known != NULL && (!prefixes[i].of_strings || is_string(name)))
			add_text(key, prefixes[i].known);
		mnemonic = name;
		i = (unsigned)-1; /* there may be another one */
	}
	add_text(key, mnemonic);
}

/* "add r64,m64", as in the table. */
static void make_key(struct key *key, const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	key->len = 0;
	add_name(key, insn->mnemonic);
	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];

		add_text(key, i == 0 ? " " : ",");
		if (op->type == X86_OP_REG) {
			add_register_kind(key, insn, op);
		} else if (op->type == X86_OP_MEM) {
			add_memory_kind(key, insn, op);
		} else {
			add_text(key, "i");
		}
	}
}

/* --- what it reads and writes ------------------------------------------------------------ */

/* SSE instructions that keep part of their result; the decoder does not say that they read it. */
static bool merges(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	switch (insn->id) {
	case X86_INS_CVTSI2SD:
	case X86_INS_CVTSI2SS:
	case X86_INS_CVTSS2SD:
	case X86_INS_CVTSD2SS:
	case X86_INS_SQRTSD:
	case X86_INS_SQRTSS:
	case X86_INS_RSQRTSS:
	case X86_INS_RCPSS:
	case X86_INS_ROUNDSD:
	case X86_INS_ROUNDSS:
	case X86_INS_MOVLPS:
	case X86_INS_MOVLPD:
	case X86_INS_MOVHPS:
	case X86_INS_MOVHPD:
		return x86->operands[0].type == X86_OP_REG;
	case X86_INS_MOVSD:
	case X86_INS_MOVSS:
		return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG &&
		       x86->operands[1].type == X86_OP_REG;
	default:
		return false;
	}
}

static void read_register(const cs_insn *insn, const cs_x86_op *op, bool is_first,
			  struct operation *operation)
{
	/* If the decoder does not say, the first operand is the result. */
	const uint8_t access = op->access != 0 ? op->access
			       : is_first      ? CS_AC_READ | CS_AC_WRITE
					       : CS_AC_READ;
	const bool is_part = number_of(op->reg) < N_CORE_GENERAL && op->size < 4;

	if ((access & CS_AC_READ) != 0 || (is_first && merges(insn)) ||
	    ((access & CS_AC_WRITE) != 0 && is_part))
		operation->reads |= bit_of(op->reg);
	if ((access & CS_AC_WRITE) != 0)
		operation->writes |= bit_of(op->reg);
}

static void read_memory(const cs_insn *insn, const cs_x86_op *op, bool is_first,
			struct operation *operation)
{
	const x86_op_mem *mem = &op->mem;
	const uint8_t access = op->access != 0 ? op->access : is_first ? CS_AC_WRITE : CS_AC_READ;
	const uint64_t registers = bit_of(mem->base) | bit_of(mem->index);

	if (insn->id == X86_INS_LEA) {
		operation->reads |= registers;
		return;
	}
	operation->addressing |= registers;
	if (!insn_refers(insn->id))
		return;
	operation->place = (struct operation_place){
		.displacement = (int32_t)mem->disp,
		.size = op->size,
		.base = insn_general(mem->base),
		.index = insn_general(mem->index),
		.scale = (uint8_t)mem->scale,
	};
	operation->loads = operation->loads || (access & CS_AC_READ) != 0;
	operation->stores = operation->stores || (access & CS_AC_WRITE) != 0;
}

static void read_operands(const cs_insn *insn, struct operation *operation)
{
	const cs_x86 *x86 = &insn->detail->x86;

	operation->reads = bits_of(insn->detail->regs_read, insn->detail->regs_read_count);
	operation->writes = bits_of(insn->detail->regs_write, insn->detail->regs_write_count);
	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];

		if (op->type == X86_OP_REG)
			read_register(insn, op, i == 0, operation);
		else if (op->type == X86_OP_MEM)
			read_memory(insn, op, i == 0, operation);
	}
}

/* --- what becomes of known values -------------------------------------------------------- */

static void copy(struct operation *operation, int8_t to, int8_t from, int64_t plus)
{
	if (to == CORE_NO_REGISTER || from == CORE_NO_REGISTER || plus != (int32_t)plus)
		return;
	operation->copied_to = to;
	operation->copied_from = from;
	operation->copied_plus = (int32_t)plus;
}

/*
 * A word goes to the stack, or comes from it: sets the place, and the pointer, which the core tracks while it decodes.  An
 * instruction that loads the word first (push or call of memory) has the place of the load; where it stores is unknown.
 */
static void use_stack(struct operation *operation, int8_t base, bool is_pushed)
{
	if (!operation->loads && !operation->stores) {
		operation->place = (struct operation_place){
			.displacement = is_pushed ? -WORD : 0,
			.size = WORD,
			.base = base,
			.index = CORE_NO_REGISTER,
		};
		operation->addressing = UINT64_C(1) << base;
	}
	operation->stores = operation->stores || (is_pushed && !operation->loads);
	operation->loads = operation->loads || !is_pushed;
	operation->reads &= ~(UINT64_C(1) << CORE_RSP);
	operation->writes &= ~(UINT64_C(1) << CORE_RSP);
	copy(operation, CORE_RSP, base, is_pushed ? -WORD : WORD);
}

/* An addition of a constant to a register of 64 bits, sign 1 or -1. */
static void add_constant(const cs_x86 *x86, struct operation *operation, int64_t sign)
{
	const cs_x86_op *to = &x86->operands[0], *by = &x86->operands[1];

	if (to->type == X86_OP_REG && to->size == WORD && by->type == X86_OP_IMM)
		copy(operation, insn_general(to->reg), insn_general(to->reg), sign * by->imm);
}

/* True for operations that are done while registers are renamed: they need no port and no time. */
static void rename_only(struct operation *operation)
{
	operation->row = NULL;
	operation->latency = 0;
}

/* True for a copy of a whole register. */
static void read_move(const cs_x86 *x86, struct operation *operation)
{
	const cs_x86_op *to = &x86->operands[0], *from = &x86->operands[1];

	if (to->type != X86_OP_REG || from->type != X86_OP_REG || to->size < 4 ||
	    to->reg == from->reg)
		return;
	rename_only(operation);
	if (to->size == WORD)
		copy(operation, insn_general(to->reg), insn_general(from->reg), 0);
}

static void read_lea(const cs_x86 *x86, struct operation *operation)
{
	const cs_x86_op *to = &x86->operands[0];
	const x86_op_mem *mem = &x86->operands[1].mem;

	if (to->size == WORD && mem->index == X86_REG_INVALID)
		copy(operation, insn_general(to->reg), insn_general(mem->base), mem->disp);
}

/* True if both sources are the same register and the result does not depend on it. */
static bool is_of_itself(const cs_x86 *x86)
{
	const unsigned n = x86->op_count;

	return n >= 2 && x86->operands[n - 1].type == X86_OP_REG &&
	       x86->operands[n - 2].type == X86_OP_REG &&
	       x86->operands[n - 1].reg == x86->operands[n - 2].reg &&
	       x86->operands[n - 1].size >= 4;
}

static void read_zeroing(const cs_x86 *x86, struct operation *operation)
{
	if (!is_of_itself(x86))
		return;
	operation->reads = 0;
	rename_only(operation);
}

/* By kinds of instructions. */
static void read_kind(const cs_insn *insn, struct operation *operation)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (insn_cancels(insn->id))
		read_zeroing(x86, operation);
	switch (insn->id) {
	case X86_INS_PUSH:
	case X86_INS_PUSHFQ:
	case X86_INS_CALL:
		use_stack(operation, CORE_RSP, true);
		break;
	case X86_INS_POP:
	case X86_INS_POPFQ:
	case X86_INS_RET:
		use_stack(operation, CORE_RSP, false);
		break;
	case X86_INS_LEAVE:
		use_stack(operation, CORE_RBP, false);
		break;
	case X86_INS_ADD:
		add_constant(x86, operation, 1);
		break;
	case X86_INS_SUB:
		add_constant(x86, operation, -1);
		break;
	case X86_INS_MOV:
	case X86_INS_MOVAPS:
	case X86_INS_MOVAPD:
	case X86_INS_MOVUPS:
	case X86_INS_MOVUPD:
	case X86_INS_MOVDQA:
	case X86_INS_MOVDQU:
	case X86_INS_VMOVAPS:
	case X86_INS_VMOVAPD:
	case X86_INS_VMOVUPS:
	case X86_INS_VMOVUPD:
	case X86_INS_VMOVDQA:
	case X86_INS_VMOVDQU:
		read_move(x86, operation);
		break;
	case X86_INS_LEA:
		read_lea(x86, operation);
		break;
	case X86_INS_PCMPEQB:
	case X86_INS_PCMPEQW:
	case X86_INS_PCMPEQD:
	case X86_INS_PCMPEQQ:
	case X86_INS_VPCMPEQB:
	case X86_INS_VPCMPEQW:
	case X86_INS_VPCMPEQD:
	case X86_INS_VPCMPEQQ:
		if (is_of_itself(x86))
			operation->reads = 0;
		break;
	case X86_INS_SBB:
		if (is_of_itself(x86))
			operation->reads = UINT64_C(1) << CORE_FLAGS;
		break;
	case X86_INS_CWD:
	case X86_INS_CDQ:
	case X86_INS_CQO:
		operation->writes = bit_of(X86_REG_RDX); /* Capstone says RAX, too */
		break;
	default:
		break;
	}
}

/* True if a conditional jump after it is fused with it. */
static bool can_fuse(const struct instructiontable *table, const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	switch (insn->id) {
	case X86_INS_CMP:
	case X86_INS_TEST:
		return x86->op_count == 2 &&
		       (x86->operands[0].type != X86_OP_MEM || x86->operands[1].type != X86_OP_IMM);
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_AND:
	case X86_INS_INC:
	case X86_INS_DEC:
		return !table->fuses_compares && x86->operands[0].type == X86_OP_REG;
	default:
		return false;
	}
}

/* An instruction of two operations moves its value in the second; the first writes the flags (measured on Zen 2). */
static bool is_conditional_move(unsigned id)
{
	switch (id) {
	case X86_INS_CMOVA:
	case X86_INS_CMOVBE:
	case X86_INS_CMOVL:
	case X86_INS_CMOVGE:
	case X86_INS_CMOVG:
	case X86_INS_CMOVLE:
		return true;
	default:
		return false;
	}
}

/* True if the core renames registers for what it loads or stores. */
static bool is_renamed(enum instruction_renaming renaming, const struct operation *operation)
{
	const uint64_t general = (UINT64_C(1) << N_CORE_GENERAL) - 1;
	const bool is_changed = operation->loads && operation->stores;
	const bool has_base = operation->place.base != CORE_NO_REGISTER;

	switch (renaming) {
	case INSTRUCTION_RENAMES_ALL:
		return true;
	case INSTRUCTION_RENAMES_CONSTANTS:
		return has_base && operation->place.index == CORE_NO_REGISTER &&
		       (!is_changed || (operation->reads & general) == 0);
	case INSTRUCTION_RENAMES_MOVES:
		return has_base && !is_changed;
	case INSTRUCTION_RENAMES_BASES:
	default:
		return has_base;
	}
}

/* --- what it takes ----------------------------------------------------------------------- */

/* Cycles of its load. */
static uint8_t load_of(const struct instruction_loads *loads, const struct operation *operation,
		       bool is_vector)
{
	if (!operation->loads)
		return 0;
	return !is_vector                   ? loads->integer
	       : operation->place.size > 16 ? loads->wide
					    : loads->vector;
}

/* Cycles without its load. */
static uint8_t latency_of(const struct operation *operation, const struct instruction_row *row)
{
	if (operation->stores && !operation->loads)
		return 0;
	return row->latency > operation->load ? (uint8_t)(row->latency - operation->load) : 0;
}

static bool has_vector(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (uint8_t i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_REG &&
		    number_of(x86->operands[i].reg) >= CORE_VECTOR)
			return true;
	return insn->mnemonic[0] == 'f'; /* x87, whose registers may be implicit */
}

enum instruction_match operations_decode(const struct operations *operations, const uint8_t *code,
					 size_t size, struct operation *operation,
					 struct instruction_row *row)
{
	cs_insn *insn = operations->decoder.insn;
	enum instruction_match match;
	uint64_t address = 0;
	size_t left = size;
	struct key key;

	*operation = (struct operation){
		.row = row,
		.copied_to = CORE_NO_REGISTER,
		.copied_from = CORE_NO_REGISTER,
		.size = (uint8_t)size,
	};
	if (!cs_disasm_iter(operations->decoder.handle, &code, &left, &address, insn) ||
	    left != 0) {
		*row = operations->table->other;
		operation->slots = row->uops;
		operation->latency = row->latency;
		return INSTRUCTION_DEFAULT;
	}
	make_key(&key, insn);
	match = instructiontable_find(operations->table, key.text, key.len, row);
	read_operands(insn, operation);
	read_kind(insn, operation);
	operation->is_renamed = is_renamed(operations->table->renaming, operation);
	operation->slots = row->uops;
	operation->load = load_of(&operations->table->loads, operation, has_vector(insn));
	operation->latency = latency_of(operation, row);
	if (is_conditional_move(insn->id) && operation->latency > 1) {
		operation->flags_first = (uint8_t)(operation->latency - 1);
		operation->latency = 1;
	}
	operation->is_conditional = insn_flow(insn) == FLOW_CONDITIONAL &&
				    insn->detail->x86.operands[0].type == X86_OP_IMM;
	operation->is_call = insn->id == X86_INS_CALL || insn->id == X86_INS_RET;
	operation->fuses = can_fuse(operations->table, insn);
	return match;
}
