/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A register is a bit, and so are its parts: what writes al counts as writing rax.  On x86 these
 * are the 16 general ones, 32 of vectors, 8 masks and 8 of MMX; on AArch64 32 (the last one is
 * the stack pointer) and 32 of vectors.
 */
#include "cmds/code/insneffects.h"

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
