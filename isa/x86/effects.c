/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/x86/effects.h"

enum { NARROW = 4 }; /* bytes of an address after the prefix 67 */

/* -- registers ---------------------------------------------------------------------------------- */

#define GENERAL(number, a, b, c, d)                                                        \
 [X86_REG_##a] = (number) + 1, [X86_REG_##b] = (number) + 1, [X86_REG_##c] = (number) + 1, \
 [X86_REG_##d] = (number) + 1
#define NUMBERED(number) GENERAL(number, R##number, R##number##D, R##number##W, R##number##B)

/* 1 + number of a general register, however wide. */
static const uint8_t general[X86_REG_ENDING] = {
	GENERAL(0, RAX, EAX, AX, AL),
	[X86_REG_AH] = 1,
	GENERAL(1, RCX, ECX, CX, CL),
	[X86_REG_CH] = 2,
	GENERAL(2, RDX, EDX, DX, DL),
	[X86_REG_DH] = 3,
	GENERAL(3, RBX, EBX, BX, BL),
	[X86_REG_BH] = 4,
	GENERAL(4, RSP, ESP, SP, SPL),
	GENERAL(5, RBP, EBP, BP, BPL),
	GENERAL(6, RSI, ESI, SI, SIL),
	GENERAL(7, RDI, EDI, DI, DIL),
	NUMBERED(8),
	NUMBERED(9),
	NUMBERED(10),
	NUMBERED(11),
	NUMBERED(12),
	NUMBERED(13),
	NUMBERED(14),
	NUMBERED(15),
};

int8_t insn_general(unsigned reg)
{
	if (reg >= X86_REG_ENDING)
		return INSN_NO_REGISTER;
	return (int8_t)(general[reg] - 1);
}

int8_t insn_register(unsigned reg)
{
	static const struct {
		unsigned first, n;
		int8_t number;
	} ranges[] = {
		{ X86_REG_XMM0, 32, INSN_VECTOR }, { X86_REG_YMM0, 32, INSN_VECTOR },
		{ X86_REG_ZMM0, 32, INSN_VECTOR }, { X86_REG_K0, 8, INSN_MASK },
		{ X86_REG_MM0, 8, INSN_MMX },
	};

	for (unsigned i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (reg >= ranges[i].first && reg - ranges[i].first < ranges[i].n)
			return (int8_t)(ranges[i].number + (int)(reg - ranges[i].first));
	if (reg >= X86_REG_ST0 && reg <= X86_REG_ST7)
		return INSN_X87;
	if (reg == X86_REG_EFLAGS)
		return INSN_FLAGS;
	return insn_general(reg);
}

/* -- kinds -------------------------------------------------------------------------------------- */

static bool has_group(const cs_insn *insn, uint8_t group)
{
	for (uint8_t i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

enum insn_flow insn_flow(const cs_insn *insn)
{
	if (has_group(insn, X86_GRP_CALL))
		return FLOW_CALL;
	if (has_group(insn, X86_GRP_RET))
		return FLOW_RETURN;
	if (!has_group(insn, X86_GRP_JUMP))
		return FLOW_NEXT;
	return insn->id == X86_INS_JMP || insn->id == X86_INS_LJMP ? FLOW_JUMP : FLOW_CONDITIONAL;
}

bool insn_is_among(unsigned id, const uint16_t *ids, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

bool insn_refers(unsigned id)
{
	static const uint16_t ids[] = {
		X86_INS_LEA,         X86_INS_NOP,        X86_INS_PREFETCH,   X86_INS_PREFETCHW,
		X86_INS_PREFETCHNTA, X86_INS_PREFETCHT0, X86_INS_PREFETCHT1, X86_INS_PREFETCHT2,
	};

	return !insn_is_among(id, ids, sizeof(ids) / sizeof(ids[0]));
}

bool insn_cancels(unsigned id)
{
	static const uint16_t ids[] = {
		X86_INS_SUB,   X86_INS_XOR,   X86_INS_PXOR,   X86_INS_XORPS,
		X86_INS_XORPD, X86_INS_VPXOR, X86_INS_VXORPS, X86_INS_VXORPD,
		X86_INS_PSUBB, X86_INS_PSUBW, X86_INS_PSUBD,  X86_INS_PSUBQ,
	};

	return insn_is_among(id, ids, sizeof(ids) / sizeof(ids[0]));
}

static enum insn_segment segment_of(x86_reg reg)
{
	if (reg == X86_REG_FS)
		return INSN_FS;
	return reg == X86_REG_GS ? INSN_GS : INSN_FLAT;
}

bool insn_place(const cs_insn *insn, const cs_x86_op *op, struct insn_operand *place)
{
	const x86_op_mem *mem = &op->mem;

	*place = (struct insn_operand){
		.displacement = (uint64_t)mem->disp,
		.size = op->size,
		.base = insn_general(mem->base),
		.index = insn_general(mem->index),
		.scale = (uint8_t)mem->scale,
		.segment = segment_of(mem->segment),
		.narrow = insn->detail->x86.addr_size == NARROW,
		.writes = (op->access & CS_AC_WRITE) != 0,
	};
	if (mem->base == X86_REG_RIP || mem->base == X86_REG_EIP)
		place->displacement += insn->address + insn->size;
	else if (mem->base != X86_REG_INVALID && place->base == INSN_NO_REGISTER)
		return false;
	return mem->index == X86_REG_INVALID || mem->index == X86_REG_RIZ ||
	       mem->index == X86_REG_EIZ || place->index != INSN_NO_REGISTER;
}

/* -- what it makes of what ------------------------------------------------------------------------ */

static uint64_t bit_of(unsigned reg)
{
	const int8_t number = insn_register(reg);

	return number >= 0 && number < INSN_X87 ? UINT64_C(1) << number : 0;
}

static void note_memory(const cs_x86_op *operand, struct instruction_effects *effects)
{
	const uint64_t base = bit_of(operand->mem.base), index = bit_of(operand->mem.index);

	effects->addresses |= base | index;
	effects->loads |= (operand->access & CS_AC_READ) != 0;
	effects->stores |= (operand->access & CS_AC_WRITE) != 0;
	effects->has_slot = index == 0 && (base & (1U << INSN_RSP | 1U << INSN_RBP)) != 0;
	effects->slot_base = base;
	effects->slot_offset = operand->mem.disp;
}

/*
 * "xor %eax, %eax" and the like, whose result does not depend on the register.  With three operands (VEX), the one that is
 * only written is no source: the first in Intel's syntax, the last in AT&T's.
 */
static bool is_zero(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;
	unsigned source = X86_REG_INVALID, n = 0;

	if (!insn_cancels(insn->id))
		return false;
	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		if (operand->type != X86_OP_REG)
			return false;
		if (x86->op_count > 2 && operand->access == CS_AC_WRITE)
			continue;
		if (n++ > 0 && operand->reg != source)
			return false;
		source = operand->reg;
	}
	/* Three, where Capstone does not know which is only written. */
	return n >= 2;
}

/* Capstone 4 has no access for some that read all that they name. */
static bool only_reads(unsigned id)
{
	static const uint16_t ids[] = {
		X86_INS_CMP,     X86_INS_TEST,     X86_INS_BT,       X86_INS_COMISS,
		X86_INS_COMISD,  X86_INS_UCOMISS,  X86_INS_UCOMISD,  X86_INS_VCOMISS,
		X86_INS_VCOMISD, X86_INS_VUCOMISS, X86_INS_VUCOMISD, X86_INS_PTEST,
		X86_INS_VPTEST,
	};

	return insn_is_among(id, ids, sizeof(ids) / sizeof(ids[0]));
}

void insn_effects(const cs_insn *insn, struct instruction_effects *effects)
{
	const cs_detail *detail = insn->detail;
	const cs_x86 *x86 = &detail->x86;

	for (uint8_t i = 0; i < detail->regs_read_count; i++) {
		effects->reads |= bit_of(detail->regs_read[i]);
		effects->reads_flags |= detail->regs_read[i] == X86_REG_EFLAGS;
	}
	for (uint8_t i = 0; i < detail->regs_write_count; i++) {
		effects->writes |= bit_of(detail->regs_write[i]);
		effects->writes_flags |= detail->regs_write[i] == X86_REG_EFLAGS;
	}
	for (uint8_t i = 0; i < x86->op_count; i++) {
		cs_x86_op operand = x86->operands[i];

		if (only_reads(insn->id))
			operand.access = CS_AC_READ;
		if (operand.type == X86_OP_MEM && insn->id == X86_INS_LEA)
			effects->reads |= bit_of(operand.mem.base) | bit_of(operand.mem.index);
		else if (operand.type == X86_OP_MEM && insn->id != X86_INS_NOP)
			note_memory(&operand, effects);
		if (operand.type != X86_OP_REG)
			continue;
		if (operand.access & CS_AC_READ)
			effects->reads |= bit_of(operand.reg);
		if (operand.access & CS_AC_WRITE)
			effects->writes |= bit_of(operand.reg);
	}
	if (is_zero(insn))
		effects->reads = 0;
}

/* -- what types are followed by ------------------------------------------------------------------- */

/* Registers have DWARF's numbers here, as in the System V ABI for AMD64, figure 3.36. */
enum {
	RAX = 0,
	RDX = 1,
	RCX = 2,
	RSI = 4,
	RDI = 5,
	RBP = 6,
	RSP = 7,
	XMM0 = 17,
	N_MOTION_VECTORS = 16,
	WORD = 8,    /* bytes */
	IS_WIDE = 4, /* bytes that a register must be written with for its value to be followed */
};

/* Of a general register or a vector; -1 = another one, such as a vector from the 17th on. */
static int8_t any_number_of(unsigned reg)
{
	static const int8_t dwarf[N_INSN_GENERAL] = { RAX, RCX, RDX, 3,  RSP, RBP, RSI, RDI,
						      8,   9,   10,  11, 12,  13,  14,  15 };
	const int8_t number = insn_register(reg);

	if (number < 0 || number >= INSN_VECTOR + N_MOTION_VECTORS)
		return -1;
	if (number < N_INSN_GENERAL)
		return dwarf[number];
	return (int8_t)(number - INSN_VECTOR + XMM0);
}

/* The same of general registers only. */
static int8_t number_of(unsigned reg)
{
	const int8_t number = any_number_of(reg);

	if (number >= XMM0)
		return -1;
	return number;
}

static bool is_vector(const cs_x86_op *operand)
{
	return operand->type == X86_OP_REG && any_number_of(operand->reg) >= XMM0;
}

static uint64_t motion_bit(int8_t number)
{
	return number >= 0 ? UINT64_C(1) << number : 0;
}

static struct motion_place place_of(const cs_insn *insn, const cs_x86_op *operand)
{
	struct insn_operand place;

	(void)insn_place(insn, operand, &place);
	return (struct motion_place){
		.is_used = true,
		.is_special = place.segment == INSN_GS ||
			      (operand->mem.index != X86_REG_INVALID && place.index < 0),
		.is_thread = place.segment == INSN_FS,
		.base = number_of(operand->mem.base),
		.index = number_of(operand->mem.index),
		.scale = place.scale,
		.size = (uint8_t)place.size,
		.offset = (int64_t)place.displacement,
	};
}

static struct motion_place stack_place(int64_t offset)
{
	return (struct motion_place){
		.is_used = true,
		.base = RSP,
		.index = -1,
		.size = WORD,
		.offset = offset,
	};
}

static void read_source(const cs_insn *insn, const cs_x86_op *operand,
			struct instruction_motion *motion)
{
	switch (operand->type) {
	case X86_OP_REG:
		motion->source = any_number_of(operand->reg) >= 0 ? SOURCE_REGISTER : SOURCE_OTHER;
		motion->from = any_number_of(operand->reg);
		break;
	case X86_OP_IMM:
		motion->source = SOURCE_CONSTANT;
		motion->constant = operand->imm;
		break;
	case X86_OP_MEM:
		motion->source = SOURCE_MEMORY;
		motion->read = place_of(insn, operand);
		break;
	case X86_OP_INVALID:
	default:
		motion->source = SOURCE_OTHER;
		break;
	}
}

/* Of an instruction with a destination and a source. */
static void transfer(const cs_insn *insn, enum motion_kind kind, const cs_x86_op *to,
		     const cs_x86_op *from, struct instruction_motion *motion)
{
	if (from->type == X86_OP_MEM || to->type != X86_OP_MEM)
		read_source(insn, from, motion);
	if (to->type == X86_OP_REG && any_number_of(to->reg) >= 0) {
		motion->to = any_number_of(to->reg);
		motion->writes |= motion_bit(motion->to);
		if (to->size >= IS_WIDE)
			motion->kind = kind;
	}
	if (to->type != X86_OP_MEM)
		return;
	motion->written = place_of(insn, to);
	read_source(insn, from, motion);
	motion->kind = kind == MOTION_MOVE ? MOTION_STORE : MOTION_NONE;
	if (kind != MOTION_MOVE)
		motion->read = motion->written;
}

/* The first one counts. */
static void note_place(struct motion_place *to, struct motion_place place)
{
	if (!to->is_used)
		*to = place;
}

/* What it changes, and its operands in memory. */
static void note_operands(const cs_insn *insn, struct instruction_motion *motion)
{
	const cs_detail *detail = insn->detail;
	const cs_x86 *x86 = &detail->x86;

	for (uint8_t i = 0; i < detail->regs_write_count; i++)
		motion->writes |= motion_bit(any_number_of(detail->regs_write[i]));
	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		/* Capstone's word on vectors is not to be relied on: the first one is written, if any is. */
		if (operand->type == X86_OP_REG &&
		    ((operand->access & CS_AC_WRITE) || (i == 0 && is_vector(operand))))
			motion->writes |= motion_bit(any_number_of(operand->reg));
		if (operand->type != X86_OP_MEM || insn->id == X86_INS_LEA ||
		    insn->id == X86_INS_NOP)
			continue;
		/* String instructions have two. */
		if (operand->access != CS_AC_WRITE)
			note_place(&motion->read, place_of(insn, operand));
		if (operand->access & CS_AC_WRITE)
			note_place(&motion->written, place_of(insn, operand));
	}
	note_place(&motion->read, motion->written);
	note_place(&motion->written, motion->read);
}

/* A shift to the left, or a product with a number. */
static void scale(const cs_insn *insn, struct instruction_motion *motion)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *last = &x86->operands[x86->op_count - 1];
	const cs_x86_op *from = &x86->operands[x86->op_count == 3 ? 1 : 0];
	bool is_shift = insn->id != X86_INS_IMUL;
	int64_t constant = last->imm;

	if (x86->operands[0].type != X86_OP_REG || last->type != X86_OP_IMM)
		return;
	if (is_shift)
		constant = constant >= 0 && constant < 32 ? INT64_C(1) << constant : 0;
	transfer(insn, MOTION_SCALE, &x86->operands[0], from, motion);
	motion->constant = constant;
	if (constant <= 0 || constant > INT32_MAX)
		motion->kind = MOTION_NONE;
}

static void step(const cs_insn *insn, int64_t by, struct instruction_motion *motion)
{
	const cs_x86_op *to = &insn->detail->x86.operands[0];

	if (to->type != X86_OP_REG || number_of(to->reg) < 0 || to->size < IS_WIDE)
		return;
	motion->kind = MOTION_ADD;
	motion->to = number_of(to->reg);
	motion->writes |= motion_bit(motion->to);
	motion->source = SOURCE_CONSTANT;
	motion->constant = by;
}

static void push(const cs_insn *insn, struct instruction_motion *motion)
{
	const cs_x86_op *from = &insn->detail->x86.operands[0];

	motion->kind = MOTION_STORE;
	motion->read.is_used = false;
	read_source(insn, from, motion);
	motion->written = stack_place(-WORD);
	motion->stack = -WORD;
	motion->writes = 0;
}

static void pop(const cs_insn *insn, struct instruction_motion *motion)
{
	const cs_x86_op *to = &insn->detail->x86.operands[0];

	if (to->type == X86_OP_MEM)
		motion->written = place_of(insn, to);
	else
		motion->written.is_used = false;
	if (to->type != X86_OP_MEM && number_of(to->reg) >= 0)
		motion->to = number_of(to->reg);
	motion->kind = motion->to >= 0 ? MOTION_MOVE : MOTION_NONE;
	motion->source = SOURCE_MEMORY;
	motion->writes = motion_bit(motion->to);
	motion->stack = WORD;
	motion->read = stack_place(0);
}

/* "and $-16, %rsp" and the like leave what a register points to, all but the last bits. */
static bool is_mask(const cs_x86 *x86)
{
	return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG &&
	       number_of(x86->operands[0].reg) != RSP && x86->operands[0].size == WORD &&
	       x86->operands[1].type == X86_OP_IMM && x86->operands[1].imm < 0 &&
	       x86->operands[1].imm >= -4096;
}

/* True if it moves 8 bytes or more from or to a vector. */
static bool is_vector_move(const cs_insn *insn)
{
	static const uint16_t ids[] = {
		X86_INS_MOVQ,    X86_INS_MOVSD,   X86_INS_MOVDQA, X86_INS_MOVDQU,  X86_INS_LDDQU,
		X86_INS_MOVAPS,  X86_INS_MOVAPD,  X86_INS_MOVUPS, X86_INS_MOVUPD,  X86_INS_MOVNTDQ,
		X86_INS_MOVNTPS, X86_INS_MOVLPS,  X86_INS_MOVLPD, X86_INS_VMOVQ,   X86_INS_VMOVSD,
		X86_INS_VMOVDQA, X86_INS_VMOVDQU, X86_INS_VLDDQU, X86_INS_VMOVAPS, X86_INS_VMOVAPD,
		X86_INS_VMOVUPS, X86_INS_VMOVUPD,
	};
	const cs_x86 *x86 = &insn->detail->x86;

	return insn_is_among(insn->id, ids, sizeof(ids) / sizeof(ids[0])) && x86->op_count == 2 &&
	       (is_vector(&x86->operands[0]) || is_vector(&x86->operands[1]));
}

void insn_motion(const cs_insn *insn, struct instruction_motion *motion)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *operands = x86->operands;
	bool has_two = x86->op_count == 2;

	note_operands(insn, motion);
	switch (insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
	case X86_INS_MOVZX:
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
		if (has_two)
			transfer(insn, MOTION_MOVE, &operands[0], &operands[1], motion);
		break;
	case X86_INS_LEA:
		if (!has_two || operands[1].type != X86_OP_MEM)
			break;
		motion->address = place_of(insn, &operands[1]);
		motion->to = number_of(operands[0].reg);
		motion->writes |= motion_bit(motion->to);
		motion->kind = MOTION_ADDRESS;
		break;
	case X86_INS_ADD:
		if (has_two)
			transfer(insn, MOTION_ADD, &operands[0], &operands[1], motion);
		break;
	case X86_INS_SUB:
		if (has_two)
			transfer(insn, MOTION_SUBTRACT, &operands[0], &operands[1], motion);
		break;
	case X86_INS_INC:
	case X86_INS_DEC:
		step(insn, insn->id == X86_INS_INC ? 1 : -1, motion);
		break;
	case X86_INS_SHL:
	case X86_INS_SAL:
	case X86_INS_IMUL:
		if (x86->op_count >= 2)
			scale(insn, motion);
		break;
	case X86_INS_PUSH:
		push(insn, motion);
		break;
	case X86_INS_POP:
		pop(insn, motion);
		break;
	case X86_INS_XOR:
		if (!has_two || operands[0].type != X86_OP_REG || operands[1].type != X86_OP_REG ||
		    operands[0].reg != operands[1].reg || number_of(operands[0].reg) < 0)
			break;
		motion->kind = MOTION_MOVE; /* of 0 */
		motion->to = number_of(operands[0].reg);
		motion->source = SOURCE_CONSTANT;
		break;
	case X86_INS_AND:
		if (is_mask(x86)) /* it stays what it is */
			motion->writes = 0;
		break;
	case X86_INS_CALL:
		motion->kind = MOTION_CALL;
		motion->written = stack_place(-WORD);
		motion->writes = 1u << RAX | 1u << RDX | 1u << RCX | 1u << RSI | 1u << RDI |
				 0xfu << 8 | UINT64_C(0xffff) << XMM0;
		break;
	case X86_INS_RET:
		motion->read = stack_place(0);
		break;
	case X86_INS_LEAVE:
		motion->kind = MOTION_LEAVE;
		motion->read = stack_place(0);
		motion->read.base = RBP;
		break;
	case X86_INS_CDQE:
	case X86_INS_TEST:
	case X86_INS_CMP:
		motion->writes = 0;
		break;
	default:
		if (has_two && has_group(insn, X86_GRP_CMOV))
			transfer(insn, MOTION_CHOICE, &operands[0], &operands[1], motion);
		else if (is_vector_move(insn))
			transfer(insn, MOTION_MOVE, &operands[0], &operands[1], motion);
		break;
	}
}
