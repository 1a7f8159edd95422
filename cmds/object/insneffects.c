/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A register is a bit, and so are its parts: what writes al counts as writing rax.  On x86 these
 * are the 16 general ones, 32 of vectors, 8 masks and 8 of MMX; on AArch64 32 (the last one is
 * the stack pointer) and 32 of vectors.
 */
#include "cmds/object/insneffects.h"

/* -- x86 --------------------------------------------------------------------------------------- */

enum {
	X86_SP = 7, /* places in the table below */
	X86_BP = 6,
	X86_VECTORS = 16,
	X86_MASKS = 48,
	X86_MMX = 56,
	N_X86_VECTORS = 32,
	N_X86_MASKS = 8,
};

static const uint16_t x86_names[16][5] = {
	{ X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH },
	{ X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH },
	{ X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH },
	{ X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH },
	{ X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL },
	{ X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
	[X86_BP] = { X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL },
	[X86_SP] = { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL },
	{ X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B },
	{ X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
	{ X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B },
	{ X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
	{ X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B },
	{ X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
	{ X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B },
	{ X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
};

static bool is_within(unsigned number, unsigned first, unsigned n)
{
	return number >= first && number - first < n;
}

/* The bit of a register; 0 for what does not matter: segments, the instruction pointer, the x87. */
static uint64_t x86_bit(unsigned reg)
{
	static const unsigned vectors[] = { X86_REG_XMM0, X86_REG_YMM0, X86_REG_ZMM0 };

	if (reg == X86_REG_INVALID)
		return 0;
	for (unsigned i = 0; i < 16; i++)
		for (unsigned j = 0; j < 5; j++)
			if (x86_names[i][j] == reg)
				return UINT64_C(1) << i;
	for (unsigned i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		if (is_within(reg, vectors[i], N_X86_VECTORS))
			return UINT64_C(1) << (X86_VECTORS + reg - vectors[i]);
	if (is_within(reg, X86_REG_K0, N_X86_MASKS))
		return UINT64_C(1) << (X86_MASKS + reg - X86_REG_K0);
	if (is_within(reg, X86_REG_MM0, N_X86_MASKS))
		return UINT64_C(1) << (X86_MMX + reg - X86_REG_MM0);
	return 0;
}

static void x86_memory(const cs_x86_op *operand, struct instruction_effects *effects)
{
	uint64_t base = x86_bit(operand->mem.base), index = x86_bit(operand->mem.index);

	effects->addresses |= base | index;
	effects->loads |= (operand->access & CS_AC_READ) != 0;
	effects->stores |= (operand->access & CS_AC_WRITE) != 0;
	effects->has_slot = index == 0 &&
			    (base & (UINT64_C(1) << X86_SP | UINT64_C(1) << X86_BP)) != 0;
	effects->slot_base = base;
	effects->slot_offset = operand->mem.disp;
}

/* "xor %eax, %eax" and the like are 0, whatever the register was. */
static bool x86_is_zero(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	switch (insn->id) {
	case X86_INS_XOR:
	case X86_INS_SUB:
	case X86_INS_PXOR:
	case X86_INS_XORPS:
	case X86_INS_XORPD:
		break;
	case X86_INS_VPXOR:
	case X86_INS_VXORPS:
	case X86_INS_VXORPD:
		return x86->op_count == 3 && x86->operands[0].type == X86_OP_REG &&
		       x86->operands[1].type == X86_OP_REG &&
		       x86->operands[0].reg == x86->operands[1].reg;
	default:
		return false;
	}
	return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG &&
	       x86->operands[1].type == X86_OP_REG && x86->operands[0].reg == x86->operands[1].reg;
}

/* Capstone 4 has no access for some that read all that they name. */
static bool x86_only_reads(unsigned id)
{
	switch (id) {
	case X86_INS_CMP:
	case X86_INS_TEST:
	case X86_INS_BT:
	case X86_INS_COMISS:
	case X86_INS_COMISD:
	case X86_INS_UCOMISS:
	case X86_INS_UCOMISD:
	case X86_INS_VCOMISS:
	case X86_INS_VCOMISD:
	case X86_INS_VUCOMISS:
	case X86_INS_VUCOMISD:
	case X86_INS_PTEST:
	case X86_INS_VPTEST:
		return true;
	default:
		return false;
	}
}

void insneffects_x86(const cs_insn *insn, struct instruction_effects *effects)
{
	const cs_detail *detail = insn->detail;
	const cs_x86 *x86 = &detail->x86;
	bool is_address = insn->id == X86_INS_LEA, only_reads = x86_only_reads(insn->id);

	for (uint8_t i = 0; i < detail->regs_read_count; i++) {
		effects->reads |= x86_bit(detail->regs_read[i]);
		effects->reads_flags |= detail->regs_read[i] == X86_REG_EFLAGS;
	}
	for (uint8_t i = 0; i < detail->regs_write_count; i++) {
		effects->writes |= x86_bit(detail->regs_write[i]);
		effects->writes_flags |= detail->regs_write[i] == X86_REG_EFLAGS;
	}
	for (uint8_t i = 0; i < x86->op_count; i++) {
		cs_x86_op operand = x86->operands[i];

		if (only_reads)
			operand.access = CS_AC_READ;
		if (operand.type == X86_OP_MEM && is_address)
			effects->reads |= x86_bit(operand.mem.base) | x86_bit(operand.mem.index);
		else if (operand.type == X86_OP_MEM && insn->id != X86_INS_NOP)
			x86_memory(&operand, effects);
		if (operand.type != X86_OP_REG)
			continue;
		if (operand.access & CS_AC_READ)
			effects->reads |= x86_bit(operand.reg);
		if (operand.access & CS_AC_WRITE)
			effects->writes |= x86_bit(operand.reg);
	}
	if (x86_is_zero(insn))
		effects->reads = 0;
}

/* -- AArch64 ----------------------------------------------------------------------------------- */

enum { ARM_SP = 31, ARM_VECTORS = 32, N_ARM_VECTORS = 32 };

static uint64_t arm_bit(unsigned reg)
{
	static const unsigned vectors[] = { ARM64_REG_V0, ARM64_REG_Q0, ARM64_REG_D0,
					    ARM64_REG_S0, ARM64_REG_H0, ARM64_REG_B0 };

	if (is_within(reg, ARM64_REG_X0, 29))
		return UINT64_C(1) << (reg - ARM64_REG_X0);
	if (is_within(reg, ARM64_REG_W0, 31))
		return UINT64_C(1) << (reg - ARM64_REG_W0);
	if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
		return UINT64_C(1) << (reg == ARM64_REG_X29 ? 29 : 30);
	if (reg == ARM64_REG_SP || reg == ARM64_REG_WSP)
		return UINT64_C(1) << ARM_SP;
	for (unsigned i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		if (is_within(reg, vectors[i], N_ARM_VECTORS))
			return UINT64_C(1) << (ARM_VECTORS + reg - vectors[i]);
	return 0;
}

static bool arm_stores(const cs_insn *insn)
{
	return insn->mnemonic[0] == 's' && insn->mnemonic[1] == 't';
}

static void arm_memory(const cs_insn *insn, const cs_arm64_op *operand,
		       struct instruction_effects *effects)
{
	uint64_t base = arm_bit(operand->mem.base), index = arm_bit(operand->mem.index);

	effects->addresses |= base | index;
	effects->stores |= arm_stores(insn);
	effects->loads |= !arm_stores(insn);
	effects->has_slot = index == 0 && (base & (UINT64_C(1) << ARM_SP | UINT64_C(1) << 29)) != 0;
	effects->slot_base = base;
	effects->slot_offset = operand->mem.disp;
}

/*
 * By the order of operands, as Capstone 4's access of them is not to be relied on: what is written comes
 * first, if anything is.
 */
static bool arm_writes_first(const cs_insn *insn)
{
	switch (insn->id) {
	case ARM64_INS_CMP:
	case ARM64_INS_CMN:
	case ARM64_INS_TST:
	case ARM64_INS_CCMP:
	case ARM64_INS_CCMN:
	case ARM64_INS_FCMP:
	case ARM64_INS_FCMPE:
	case ARM64_INS_FCCMP:
	case ARM64_INS_FCCMPE:
	case ARM64_INS_B:
	case ARM64_INS_BR:
	case ARM64_INS_BLR:
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
	case ARM64_INS_RET:
		return false;
	default:
		return !arm_stores(insn);
	}
}

/* The second register of a pair is written, too. */
static bool arm_writes(const cs_insn *insn, uint8_t i)
{
	bool is_pair = insn->id == ARM64_INS_LDP || insn->id == ARM64_INS_LDPSW;

	return arm_writes_first(insn) && (i == 0 || (i == 1 && is_pair));
}

void insneffects_aarch64(const cs_insn *insn, struct instruction_effects *effects)
{
	const cs_detail *detail = insn->detail;
	const cs_arm64 *arm = &detail->arm64;

	effects->writes_flags = arm->update_flags;
	effects->reads_flags = arm->cc != ARM64_CC_INVALID && arm->cc != ARM64_CC_AL;
	for (uint8_t i = 0; i < detail->regs_write_count; i++)
		effects->writes_flags |= detail->regs_write[i] == ARM64_REG_NZCV;
	for (uint8_t i = 0; i < arm->op_count; i++) {
		const cs_arm64_op *operand = &arm->operands[i];

		if (operand->type == ARM64_OP_MEM)
			arm_memory(insn, operand, effects);
		if (operand->type != ARM64_OP_REG)
			continue;
		if (arm_writes(insn, i))
			effects->writes |= arm_bit(operand->reg);
		else
			effects->reads |= arm_bit(operand->reg);
	}
	/* Part of what it was stays. */
	if (insn->id == ARM64_INS_MOVK || insn->id == ARM64_INS_BFI || insn->id == ARM64_INS_BFXIL)
		effects->reads |= effects->writes;
}

/* -- what types are followed by, of x86-64 -------------------------------------------------------- */

/* Registers have DWARF's numbers here, as in the System V ABI for AMD64, figure 3.36. */
enum {
	RAX = 0,
	RDX = 1,
	RCX = 2,
	RSI = 4,
	RDI = 5,
	RBP = 6,
	RSP = 7,
	N_MOTION_REGISTERS = 16,
	XMM0 = 17,
	N_MOTION_VECTORS = 16,
	WORD = 8,    /* bytes */
	IS_WIDE = 4, /* bytes that a register must be written with for its value to be followed */
};

/* rax rdx rcx rbx rsi rdi rbp rsp r8... and their parts of 8, 4, 2, 1 and 1 byte. */
static const uint16_t motion_registers[N_MOTION_REGISTERS][5] = {
	{ X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH },
	{ X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH },
	{ X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH },
	{ X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH },
	{ X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL },
	{ X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
	{ X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL },
	{ X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL },
	{ X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B },
	{ X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
	{ X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B },
	{ X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
	{ X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B },
	{ X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
	{ X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B },
	{ X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
};

/* A general register's number; -1 = another one, or none. */
static int8_t number_of(unsigned reg)
{
	if (reg == X86_REG_INVALID)
		return -1;
	for (int i = 0; i < N_MOTION_REGISTERS; i++)
		for (int j = 0; j < 5; j++)
			if (motion_registers[i][j] == reg)
				return (int8_t)i;
	return -1;
}

/* The same of general registers and vectors, of which those behind the 16th are none. */
static int8_t any_number_of(unsigned reg)
{
	if (is_within(reg, X86_REG_XMM0, N_MOTION_VECTORS))
		return (int8_t)(XMM0 + reg - X86_REG_XMM0);
	if (is_within(reg, X86_REG_YMM0, N_MOTION_VECTORS))
		return (int8_t)(XMM0 + reg - X86_REG_YMM0);
	if (is_within(reg, X86_REG_ZMM0, N_MOTION_VECTORS))
		return (int8_t)(XMM0 + reg - X86_REG_ZMM0);
	return number_of(reg);
}

static bool is_vector(const cs_x86_op *operand)
{
	return operand->type == X86_OP_REG && any_number_of(operand->reg) >= XMM0;
}

static uint64_t bit_of(int8_t number)
{
	return number >= 0 ? UINT64_C(1) << number : 0;
}

static struct motion_place place_of(const cs_insn *insn, const cs_x86_op *operand)
{
	const x86_op_mem *memory = &operand->mem;
	struct motion_place place = {
		.is_used = true,
		.base = number_of(memory->base),
		.index = number_of(memory->index),
		.scale = (uint8_t)memory->scale,
		.size = operand->size,
		.offset = memory->disp,
	};

	if (memory->base == X86_REG_RIP)
		place.offset += (int64_t)(insn->address + insn->size);
	place.is_thread = memory->segment == X86_REG_FS;
	place.is_special = memory->segment == X86_REG_GS ||
			   (memory->index != X86_REG_INVALID && place.index < 0);
	return place;
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
		motion->writes |= bit_of(motion->to);
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
		motion->writes |= bit_of(any_number_of(detail->regs_write[i]));
	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		/* Capstone's word on vectors is not to be relied on: the first one is written, if any is. */
		if (operand->type == X86_OP_REG &&
		    ((operand->access & CS_AC_WRITE) || (i == 0 && is_vector(operand))))
			motion->writes |= bit_of(any_number_of(operand->reg));
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

static bool is_conditional_move(unsigned id)
{
	switch (id) {
	case X86_INS_CMOVA:
	case X86_INS_CMOVAE:
	case X86_INS_CMOVB:
	case X86_INS_CMOVBE:
	case X86_INS_CMOVE:
	case X86_INS_CMOVG:
	case X86_INS_CMOVGE:
	case X86_INS_CMOVL:
	case X86_INS_CMOVLE:
	case X86_INS_CMOVNE:
	case X86_INS_CMOVNO:
	case X86_INS_CMOVNP:
	case X86_INS_CMOVNS:
	case X86_INS_CMOVO:
	case X86_INS_CMOVP:
	case X86_INS_CMOVS:
		return true;
	default:
		return false;
	}
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
	motion->writes |= bit_of(motion->to);
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

	motion->writes = 0;
	motion->stack = WORD;
	if (to->type == X86_OP_MEM)
		motion->written = place_of(insn, to);
	else if (number_of(to->reg) >= 0)
		motion->to = number_of(to->reg);
	motion->kind = motion->to >= 0 ? MOTION_MOVE : MOTION_NONE;
	motion->source = SOURCE_MEMORY;
	motion->writes = bit_of(motion->to);
	motion->read = stack_place(0);
	if (to->type != X86_OP_MEM)
		motion->written.is_used = false;
}

/* "and $-16, %rsp" and the like leave what a register points to, all but the last bits. */
static bool is_mask(const cs_x86 *x86)
{
	return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG &&
	       number_of(x86->operands[0].reg) != RSP && x86->operands[0].size == WORD &&
	       x86->operands[1].type == X86_OP_IMM && x86->operands[1].imm < 0 &&
	       x86->operands[1].imm >= -4096;
}

/* Whether it moves 8 bytes or more from or to a vector. */
static bool is_vector_move(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	switch (insn->id) {
	case X86_INS_MOVQ:
	case X86_INS_MOVSD:
	case X86_INS_MOVDQA:
	case X86_INS_MOVDQU:
	case X86_INS_LDDQU:
	case X86_INS_MOVAPS:
	case X86_INS_MOVAPD:
	case X86_INS_MOVUPS:
	case X86_INS_MOVUPD:
	case X86_INS_MOVNTDQ:
	case X86_INS_MOVNTPS:
	case X86_INS_MOVLPS:
	case X86_INS_MOVLPD:
	case X86_INS_VMOVQ:
	case X86_INS_VMOVSD:
	case X86_INS_VMOVDQA:
	case X86_INS_VMOVDQU:
	case X86_INS_VLDDQU:
	case X86_INS_VMOVAPS:
	case X86_INS_VMOVAPD:
	case X86_INS_VMOVUPS:
	case X86_INS_VMOVUPD:
		return x86->op_count == 2 &&
		       (is_vector(&x86->operands[0]) || is_vector(&x86->operands[1]));
	default:
		return false;
	}
}

static void move_others(const cs_insn *insn, struct instruction_motion *motion)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *operands = x86->operands;
	bool is_zero = x86->op_count == 2 && operands[0].type == X86_OP_REG &&
		       operands[1].type == X86_OP_REG && operands[0].reg == operands[1].reg;

	switch (insn->id) {
	case X86_INS_XOR:
		if (is_zero && number_of(operands[0].reg) >= 0) {
			motion->kind = MOTION_MOVE;
			motion->to = number_of(operands[0].reg);
			motion->source = SOURCE_CONSTANT;
		}
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
		motion->read = (struct motion_place){
			.is_used = true, .base = RBP, .index = -1, .size = WORD
		};
		break;
	case X86_INS_CDQE:
	case X86_INS_TEST:
	case X86_INS_CMP:
		motion->writes = 0;
		break;
	default:
		break;
	}
}

void insneffects_motion(const cs_insn *insn, struct instruction_motion *motion)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *operands = x86->operands;

	note_operands(insn, motion);
	switch (insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
	case X86_INS_MOVZX:
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
		if (x86->op_count == 2)
			transfer(insn, MOTION_MOVE, &operands[0], &operands[1], motion);
		break;
	case X86_INS_LEA:
		if (x86->op_count != 2 || operands[1].type != X86_OP_MEM)
			break;
		motion->address = place_of(insn, &operands[1]);
		motion->to = number_of(operands[0].reg);
		motion->writes |= bit_of(motion->to);
		motion->kind = MOTION_ADDRESS;
		break;
	case X86_INS_ADD:
		if (x86->op_count == 2)
			transfer(insn, MOTION_ADD, &operands[0], &operands[1], motion);
		break;
	case X86_INS_SUB:
		if (x86->op_count == 2)
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
	default:
		if (is_conditional_move(insn->id) && x86->op_count == 2)
			transfer(insn, MOTION_CHOICE, &operands[0], &operands[1], motion);
		else if (is_vector_move(insn))
			transfer(insn, MOTION_MOVE, &operands[0], &operands[1], motion);
		else
			move_others(insn, motion);
		break;
	}
}
