/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/object/disassembly.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/x86/bytes.h"
#include "isa/x86/effects.h"
#include "profile/common/heap.h"

struct disassembly {
	enum object_machine machine;
	csh handle;
	cs_insn *insn;
};

const char *disassembly_open(struct disassembly **disassembly, enum object_machine machine,
			     enum assembly_syntax syntax)
{
	static const struct {
		cs_arch arch;
		cs_mode mode;
	} machines[] = {
		[MACHINE_X86] = { CS_ARCH_X86, CS_MODE_32 },
		[MACHINE_X86_64] = { CS_ARCH_X86, CS_MODE_64 },
		[MACHINE_AARCH64] = { CS_ARCH_ARM64, CS_MODE_ARM },
	};
	struct disassembly *made;

	*disassembly = NULL;
	if (machine == MACHINE_OTHER)
		return "is for a machine whose code cannot be shown";
	made = heap_zeroed(1, sizeof(*made));
	made->machine = machine;
	if (cs_open(machines[machine].arch, machines[machine].mode, &made->handle) != CS_ERR_OK) {
		free(made);
		return "cannot be shown: this Capstone does not know the machine";
	}
	cs_option(made->handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (machine != MACHINE_AARCH64)
		cs_option(made->handle, CS_OPT_SYNTAX,
			  syntax == SYNTAX_ATT ? CS_OPT_SYNTAX_ATT : CS_OPT_SYNTAX_INTEL);
	made->insn = cs_malloc(made->handle);
	if (!made->insn)
		heap_exhausted();
	*disassembly = made;
	return NULL;
}

void disassembly_free(struct disassembly *disassembly)
{
	if (!disassembly)
		return;
	cs_free(disassembly->insn, 1);
	cs_close(&disassembly->handle);
	free(disassembly);
}

/* -- what Capstone has decoded --------------------------------------------------- */

static void describe_x86(const cs_insn *insn, struct disassembled *instruction)
{
	const cs_x86 *x86 = &insn->detail->x86;
	static const enum instruction_kind kinds[] = {
		[FLOW_NEXT] = INSTRUCTION_PLAIN,
		[FLOW_JUMP] = INSTRUCTION_JUMP,
		[FLOW_CONDITIONAL] = INSTRUCTION_CONDITIONAL,
		[FLOW_CALL] = INSTRUCTION_CALL,
		[FLOW_RETURN] = INSTRUCTION_RETURN,
	};

	instruction->kind = kinds[insn_flow(insn)];
	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		if (operand->type == X86_OP_IMM && x86->op_count == 1) {
			instruction->has_target = instruction->kind != INSTRUCTION_PLAIN &&
						  instruction->kind != INSTRUCTION_RETURN;
			instruction->target = (uint64_t)operand->imm;
		}
		if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP) {
			instruction->has_reference = true;
			instruction->reference =
				insn->address + insn->size + (uint64_t)operand->mem.disp;
		}
	}
}

static void describe_aarch64(csh handle, const cs_insn *insn, struct disassembled *instruction)
{
	const cs_arm64 *arm = &insn->detail->arm64;
	const cs_arm64_op *last = arm->op_count > 0 ? &arm->operands[arm->op_count - 1] : NULL;

	if (cs_insn_group(handle, insn, CS_GRP_CALL))
		instruction->kind = INSTRUCTION_CALL;
	else if (cs_insn_group(handle, insn, CS_GRP_RET))
		instruction->kind = INSTRUCTION_RETURN;
	else if (cs_insn_group(handle, insn, CS_GRP_JUMP))
		instruction->kind = INSTRUCTION_JUMP;
	switch (insn->id) {
	case ARM64_INS_BL:
	case ARM64_INS_BLR:
		instruction->kind = INSTRUCTION_CALL;
		break;
	case ARM64_INS_B:
		instruction->kind = arm->cc == ARM64_CC_INVALID || arm->cc == ARM64_CC_AL
					    ? INSTRUCTION_JUMP
					    : INSTRUCTION_CONDITIONAL;
		break;
	case ARM64_INS_BR:
		instruction->kind = INSTRUCTION_JUMP;
		break;
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
		instruction->kind = INSTRUCTION_CONDITIONAL;
		break;
	case ARM64_INS_RET:
		instruction->kind = INSTRUCTION_RETURN;
		break;
	case ARM64_INS_ADR:
		instruction->has_reference = last && last->type == ARM64_OP_IMM;
		instruction->reference = last ? (uint64_t)last->imm : 0;
		return;
	default:
		return;
	}
	instruction->has_target = last && last->type == ARM64_OP_IMM;
	instruction->target = last ? (uint64_t)last->imm : 0;
}

/* -- what it has not --------------------------------------------------------------- */

void disassembly_bytes(const unsigned char *code, size_t len, struct disassembled *instruction)
{
	size_t used = 0;

	memset(instruction, 0, sizeof(*instruction));
	instruction->len = len;
	instruction->kind = INSTRUCTION_UNKNOWN;
	snprintf(instruction->mnemonic, sizeof(instruction->mnemonic), ".byte");
	for (size_t i = 0; i < len; i++)
		used += (size_t)snprintf(instruction->operands + used,
					 sizeof(instruction->operands) - used, "%s0x%02x",
					 i > 0 ? ", " : "", code[i]);
}

/* How many bytes to show as one instruction, of code that is not known. */
static size_t unknown_length(const struct disassembly *disassembly, const unsigned char *code,
			     size_t len)
{
	size_t n;

	if (disassembly->machine == MACHINE_AARCH64)
		return len < 4 ? len : 4;
	n = vectorinsn_length(code, len, disassembly->machine == MACHINE_X86_64);
	return n > 0 ? n : 1;
}

void disassembly_next(struct disassembly *disassembly, const unsigned char *code, size_t len,
		      uint64_t address, struct disassembled *instruction)
{
	const uint8_t *next = code;
	size_t left = len;
	const cs_insn *insn = disassembly->insn;

	memset(instruction, 0, sizeof(*instruction));
	/* Capstone 4 takes incssp for lfence, which it would be without its prefix f3. */
	if (!cs_disasm_iter(disassembly->handle, &next, &left, &address, disassembly->insn) ||
	    (disassembly->machine != MACHINE_AARCH64 && code[0] == 0xf3 &&
	     insn->id == X86_INS_LFENCE)) {
		disassembly_bytes(code, unknown_length(disassembly, code, len), instruction);
		return;
	}
	instruction->len = insn->size;
	snprintf(instruction->mnemonic, sizeof(instruction->mnemonic), "%s", insn->mnemonic);
	snprintf(instruction->operands, sizeof(instruction->operands), "%s", insn->op_str);
	if (disassembly->machine == MACHINE_AARCH64)
		describe_aarch64(disassembly->handle, insn, instruction);
	else
		describe_x86(insn, instruction);
}

/* -- what instructions of AArch64 do ------------------------------------------------ */

/* A register is a bit, and so are its parts: 32 general ones, the last one the stack pointer, and 32 of vectors. */
enum { ARM_SP = 31, ARM_VECTORS = 32, N_ARM_VECTORS = 32 };

static bool is_within(unsigned number, unsigned first, unsigned n)
{
	return number >= first && number - first < n;
}

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
static bool arm_writes(const cs_insn *insn, uint8_t i)
{
	static const uint16_t ids[] = {
		ARM64_INS_CMP,  ARM64_INS_CMN,   ARM64_INS_TST,   ARM64_INS_CCMP,   ARM64_INS_CCMN,
		ARM64_INS_FCMP, ARM64_INS_FCMPE, ARM64_INS_FCCMP, ARM64_INS_FCCMPE, ARM64_INS_B,
		ARM64_INS_BR,   ARM64_INS_BLR,   ARM64_INS_CBZ,   ARM64_INS_CBNZ,   ARM64_INS_TBZ,
		ARM64_INS_TBNZ, ARM64_INS_RET,
	};
	/* The second register of a pair is written, too. */
	bool is_pair = insn->id == ARM64_INS_LDP || insn->id == ARM64_INS_LDPSW;

	return i <= is_pair && !arm_stores(insn) &&
	       !insn_is_among(insn->id, ids, sizeof(ids) / sizeof(ids[0]));
}

static void aarch64_effects(const cs_insn *insn, struct instruction_effects *effects)
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

/* -- what it does ------------------------------------------------------------------ */

/* The operand that is in parentheses or brackets, else the first that is neither a register nor a number. */
static void find_memory(const char *operands, struct instruction_effects *effects)
{
	const char *start = operands;
	unsigned depth = 0;

	for (const char *c = operands;; c++) {
		bool ends = *c == '\0' || (*c == ',' && depth == 0);

		if (*c == '(' || *c == '[')
			depth++;
		if ((*c == ')' || *c == ']') && depth > 0)
			depth--;
		if (ends && start < c) {
			size_t len = (size_t)(c - start);
			bool is_sure = memchr(start, '(', len) || memchr(start, '[', len);

			if (is_sure || (!effects->memory && *start != '%' && *start != '$')) {
				effects->memory = start;
				effects->memory_len = len;
			}
			if (is_sure)
				return;
		}
		if (*c == '\0')
			return;
		if (ends)
			start = c + 1 + (c[1] == ' ');
	}
}

/* By the conventions of Linux, in bits as effects have them. */
static uint64_t lost_in_call(enum object_machine machine)
{
	/* All but rbx, rbp, rsp and r12 to r15; all but x19 to x29, sp, and d8 to d15. */
	switch (machine) {
	case MACHINE_X86_64:
		return ~UINT64_C(0xf038);
	case MACHINE_X86:
		return ~UINT64_C(0xf8);
	case MACHINE_AARCH64:
		return ~UINT64_C(0x0000ff00bff80000);
	case MACHINE_OTHER:
		break;
	}
	return UINT64_MAX;
}

void disassembly_effects(const struct disassembly *disassembly,
			 const struct disassembled *instruction,
			 struct instruction_effects *effects)
{
	memset(effects, 0, sizeof(*effects));
	if (instruction->kind == INSTRUCTION_UNKNOWN)
		return;
	if (disassembly->machine == MACHINE_AARCH64)
		aarch64_effects(disassembly->insn, effects);
	else
		insn_effects(disassembly->insn, effects);
	if (effects->loads || effects->stores)
		find_memory(instruction->operands, effects);
	if (instruction->kind == INSTRUCTION_CALL)
		effects->lost_in_call = lost_in_call(disassembly->machine);
}

void disassembly_motion(const struct disassembly *disassembly,
			const struct disassembled *instruction, struct instruction_motion *motion)
{
	memset(motion, 0, sizeof(*motion));
	motion->to = motion->from = -1;
	if (disassembly->machine != MACHINE_X86_64)
		return;
	if (instruction->kind != INSTRUCTION_UNKNOWN)
		insn_motion(disassembly->insn, motion);
	else /* it may be of AVX-512, and write any vector */
		motion->writes = UINT64_C(0xffff) << 17;
}
