/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD64, by Capstone. */
#include "isa/x86/insntraits.h"

#include <capstone/capstone.h>

enum {
	STATE_SIZE = 512, /* bytes, of fxsave */
	NARROW = 4,       /* bytes of an address after the prefix 67 */
	SIZE_PREFIX = 2,  /* where Capstone puts 66 */
};

static const struct insn_traits nothing = { .kind = INSN_PLAIN, .bit_register = INSN_NO_REGISTER };

bool insn_decoder_exists(void)
{
	return true;
}

bool insn_decoder_init(struct insn_decoder *decoder)
{
	csh handle;

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
		return false;
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	decoder->handle = handle;
	decoder->insn = cs_malloc(handle);
	return decoder->insn != NULL;
}

/* The number of a general register, of whatever width; INSN_NO_REGISTER for others. */
static int8_t register_number(x86_reg reg)
{
	static const struct {
		x86_reg names[4];
		int8_t number;
	} registers[] = {
		{ { X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL }, 0 },
		{ { X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL }, 1 },
		{ { X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL }, 2 },
		{ { X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL }, 3 },
		{ { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL }, 4 },
		{ { X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL }, 5 },
		{ { X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL }, 6 },
		{ { X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL }, 7 },
		{ { X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B }, 8 },
		{ { X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B }, 9 },
		{ { X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B }, 10 },
		{ { X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B }, 11 },
		{ { X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B }, 12 },
		{ { X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B }, 13 },
		{ { X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B }, 14 },
		{ { X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B }, 15 },
	};

	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		for (size_t j = 0; j < 4; j++)
			if (registers[i].names[j] == reg)
				return registers[i].number;
	return INSN_NO_REGISTER;
}

/* Instructions with an operand in memory that they do not read, or not always. */
static bool is_no_reference(unsigned id)
{
	switch (id) {
	case X86_INS_LEA:
	case X86_INS_NOP:
	case X86_INS_CLFLUSH:
	case X86_INS_CLFLUSHOPT:
	case X86_INS_CLWB:
	case X86_INS_INVLPG:
	case X86_INS_PREFETCH:
	case X86_INS_PREFETCHNTA:
	case X86_INS_PREFETCHT0:
	case X86_INS_PREFETCHT1:
	case X86_INS_PREFETCHT2:
	case X86_INS_PREFETCHW:
	case X86_INS_VMASKMOVPS:
	case X86_INS_VMASKMOVPD:
	case X86_INS_VPMASKMOVD:
	case X86_INS_VPMASKMOVQ:
	case X86_INS_VGATHERDPS:
	case X86_INS_VGATHERDPD:
	case X86_INS_VGATHERQPS:
	case X86_INS_VGATHERQPD:
	case X86_INS_VPGATHERDD:
	case X86_INS_VPGATHERDQ:
	case X86_INS_VPGATHERQD:
	case X86_INS_VPGATHERQQ:
		return true;
	default:
		return false;
	}
}

static struct insn_operand *add_operand(struct insn_traits *traits, uint16_t size)
{
	struct insn_operand *operand = &traits->operands[traits->n_operands++];

	*operand = (struct insn_operand){
		.size = size,
		.base = INSN_NO_REGISTER,
		.index = INSN_NO_REGISTER,
		.scale = 1,
	};
	return operand;
}

static enum insn_segment segment_of(x86_reg reg)
{
	if (reg == X86_REG_FS)
		return INSN_FS;
	return reg == X86_REG_GS ? INSN_GS : INSN_FLAT;
}

/* An operand in memory; whether it can be described. */
static bool read_operand(const cs_insn *insn, const cs_x86_op *op, struct insn_traits *traits)
{
	const x86_op_mem *mem = &op->mem;
	struct insn_operand *operand = add_operand(traits, op->size);

	operand->writes = (op->access & CS_AC_WRITE) != 0;
	operand->displacement = (uint64_t)mem->disp;
	operand->segment = segment_of(mem->segment);
	operand->narrow = insn->detail->x86.addr_size == NARROW;
	operand->scale = (uint8_t)mem->scale;
	operand->base = register_number(mem->base);
	operand->index = register_number(mem->index);
	if (mem->base == X86_REG_RIP || mem->base == X86_REG_EIP)
		operand->displacement += insn->address + insn->size;
	else if (mem->base != X86_REG_INVALID && operand->base == INSN_NO_REGISTER)
		return false;
	return mem->index == X86_REG_INVALID || mem->index == X86_REG_RIZ ||
	       mem->index == X86_REG_EIZ || operand->index != INSN_NO_REGISTER;
}

/* What is popped from the stack, or from where the frame begins. */
static void add_stack_word(struct insn_traits *traits, const cs_insn *insn, int8_t base)
{
	bool is_short = insn->detail->x86.prefix[SIZE_PREFIX] == X86_PREFIX_OPSIZE;

	add_operand(traits, is_short ? 2 : 8)->base = base;
}

/* Reads whose place is not among the operands. */
static void add_implicit(struct insn_traits *traits, const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_POP:
	case X86_INS_POPF:
	case X86_INS_POPFQ:
		add_stack_word(traits, insn, INSN_RSP);
		break;
	case X86_INS_LEAVE:
		add_stack_word(traits, insn, INSN_RBP);
		break;
	default:
		break;
	}
}

static enum insn_kind kind_of(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	switch (insn->id) {
	case X86_INS_BT:
	case X86_INS_BTS:
	case X86_INS_BTR:
	case X86_INS_BTC:
		return x86->operands[1].type == X86_OP_REG ? INSN_BIT_TEST : INSN_PLAIN;
	case X86_INS_FXSAVE:
	case X86_INS_FXSAVE64:
	case X86_INS_FXRSTOR:
	case X86_INS_FXRSTOR64:
		return INSN_STATE;
	case X86_INS_XSAVE:
	case X86_INS_XSAVE64:
	case X86_INS_XSAVEOPT:
	case X86_INS_XSAVEOPT64:
	case X86_INS_XRSTOR:
	case X86_INS_XRSTOR64:
		return INSN_STATE_BY_MASK;
	default:
		return INSN_PLAIN;
	}
}

static void read_operands(const cs_insn *insn, struct insn_traits *traits)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];

		if (op->type != X86_OP_MEM || traits->n_operands == INSN_MAX_OPERANDS)
			continue;
		if (traits->kind == INSN_PLAIN && op->access == CS_AC_WRITE)
			continue;
		if (!read_operand(insn, op, traits))
			traits->n_operands--;
	}
}

void insn_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		 uint64_t address, struct insn_traits *traits)
{
	cs_insn *insn = decoder->insn;
	size_t left = size;

	*traits = nothing;
	if (!cs_disasm_iter(decoder->handle, &code, &left, &address, insn) || left != 0 ||
	    is_no_reference(insn->id))
		return;
	traits->kind = kind_of(insn);
	read_operands(insn, traits);
	if (traits->kind == INSN_BIT_TEST)
		traits->bit_register = register_number(insn->detail->x86.operands[1].reg);
	else if (traits->kind != INSN_PLAIN && traits->n_operands != 0)
		traits->operands[0].size = STATE_SIZE;
	else
		add_implicit(traits, insn);
}
