/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/x86/decoder.h"

#include <capstone/capstone.h>

#include "isa/x86/effects.h"

enum {
	STATE_SIZE = 512, /* bytes, of fxsave */
	SIZE_PREFIX = 2,  /* where Capstone puts 66 */
	MAX_SIZE = 15,    /* bytes of an instruction */
	SUFFIX = 2,       /* letters: ps, pd, ss, sd */
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

/* --- what it refers to ------------------------------------------------------------------- */

/* Instructions that name memory to manage it, or read it only where lanes are not masked. */
static bool reads_nothing_sure(unsigned id)
{
	static const uint16_t ids[] = {
		X86_INS_CLFLUSH,    X86_INS_CLFLUSHOPT, X86_INS_CLWB,       X86_INS_INVLPG,
		X86_INS_VMASKMOVPS, X86_INS_VMASKMOVPD, X86_INS_VPMASKMOVD, X86_INS_VPMASKMOVQ,
		X86_INS_VGATHERDPS, X86_INS_VGATHERDPD, X86_INS_VGATHERQPS, X86_INS_VGATHERQPD,
		X86_INS_VPGATHERDD, X86_INS_VPGATHERDQ, X86_INS_VPGATHERQD, X86_INS_VPGATHERQQ,
	};

	return insn_is_among(id, ids, sizeof(ids) / sizeof(ids[0]));
}

/* A word is popped from the stack, or from where the frame begins. */
static void add_stack_word(struct insn_traits *traits, const cs_insn *insn, int8_t base)
{
	bool is_short = insn->detail->x86.prefix[SIZE_PREFIX] == X86_PREFIX_OPSIZE;

	traits->operands[traits->n_operands++] = (struct insn_operand){
		.size = is_short ? 2 : 8,
		.base = base,
		.index = INSN_NO_REGISTER,
		.scale = 1,
	};
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
		if (insn_place(insn, op, &traits->operands[traits->n_operands]))
			traits->n_operands++;
	}
}

void insn_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		 uint64_t address, struct insn_traits *traits)
{
	cs_insn *insn = decoder->insn;
	size_t left = size;

	*traits = nothing;
	if (!cs_disasm_iter(decoder->handle, &code, &left, &address, insn) || left != 0 ||
	    !insn_refers(insn->id) || reads_nothing_sure(insn->id))
		return;
	traits->kind = kind_of(insn);
	read_operands(insn, traits);
	if (traits->kind == INSN_BIT_TEST)
		traits->bit_register = insn_general(insn->detail->x86.operands[1].reg);
	else if (traits->kind != INSN_PLAIN && traits->n_operands != 0)
		traits->operands[0].size = STATE_SIZE;
	else
		add_implicit(traits, insn);
}

/*
 * --- names -----------------------------------------------------------------------------------
 *
 * They tell more than Capstone's numbers of instructions, one for each of some hundred combinations of
 * operation, precision and width: "vfmadd231pd" is v + fmadd + 231 + pd.
 */

/* A name without NUL after it. */
struct name {
	const char *text;
	unsigned len;
};

static struct name name_of(const char *text)
{
	struct name name = { text, 0 };

	for (; *text != '\0'; text++) {
		name.len++;
		if (*text == ' ') { /* after a prefix: rep, lock, bnd ... */
			name.text = text + 1;
			name.len = 0;
		}
	}
	return name;
}

/* True if a name is one of the patterns, which have a blank between them; one that ends in '*' is a beginning. */
static bool fits(struct name name, const char *patterns)
{
	for (;;) {
		unsigned at = 0;

		while (at < name.len && name.text[at] == patterns[at])
			at++;
		if (patterns[at] == '*' ||
		    (at == name.len && (patterns[at] == ' ' || patterns[at] == '\0')))
			return true;
		while (*patterns != ' ' && *patterns != '\0')
			patterns++;
		if (*patterns++ == '\0')
			return false;
	}
}

static bool is_ymm(const cs_x86_op *op)
{
	return op->type == X86_OP_REG && op->reg >= X86_REG_YMM0 && op->reg <= X86_REG_YMM31;
}

static bool has_ymm(const cs_x86 *x86)
{
	for (uint8_t i = 0; i < x86->op_count; i++)
		if (is_ymm(&x86->operands[i]))
			return true;
	return false;
}

static bool has_vector(const cs_x86 *x86)
{
	for (uint8_t i = 0; i < x86->op_count; i++) {
		const int number = x86->operands[i].type == X86_OP_REG
					   ? insn_register(x86->operands[i].reg)
					   : INSN_NO_REGISTER;

		if (number >= INSN_VECTOR && number < INSN_MASK)
			return true;
	}
	return false;
}

/* --- floating-point operations -------------------------------------------------------------- */

static const char once[] = "add sub mul div sqrt min max rcp addsub hadd hsub rsqrt";

/* With the order of operands, or without it where there are four. */
static const char fused[] = "fmadd* fmsub* fnmadd* fnmsub*";

static const char extended[] =
	"fadd* fiadd fsub* fisub* fmul* fimul fdiv* fidiv* fsqrt fprem* fsin* fcos fptan fpatan f2xm1 fyl2x*";

/* Of 128 bits: the products that the constant selects, and the additions between them. */
static unsigned operations_of_dot_product(const cs_x86 *x86, unsigned lanes)
{
	const cs_x86_op *op = &x86->operands[x86->op_count - 1];
	unsigned n = 0;

	for (unsigned i = 0; i < lanes; i++)
		n += (unsigned)op->imm >> (4 + i) & 1;
	return n == 0 ? 0 : 2 * n - 1;
}

/* Of an operation with the suffix cut off, a lane or the whole vector; 0 if it is not one that counts. */
static unsigned operations_of(struct name stem, const cs_x86 *x86, unsigned lanes)
{
	if (fits(stem, once))
		return lanes;
	if (fits(stem, fused))
		return 2 * lanes;
	if (fits(stem, "dp") && x86->op_count > 0)
		return has_ymm(x86) ? 2 * operations_of_dot_product(x86, lanes / 2)
				    : operations_of_dot_product(x86, lanes);
	return 0;
}

/* name: without the v of AVX. */
static void count_operations(struct name name, const cs_x86 *x86, struct insn_work *work)
{
	struct name stem = { name.text, name.len - SUFFIX };
	bool is_packed, is_double;
	unsigned bits, n;

	if (name.len <= SUFFIX || (name.text[stem.len] != 'p' && name.text[stem.len] != 's'))
		return;
	if (name.text[stem.len + 1] != 's' && name.text[stem.len + 1] != 'd')
		return;
	is_packed = name.text[stem.len] == 'p';
	is_double = name.text[stem.len + 1] == 'd';
	bits = !is_packed ? 0 : has_ymm(x86) ? 256 : 128;
	n = operations_of(stem, x86, !is_packed ? 1 : bits / (is_double ? 64 : 32));
	if (n == 0)
		return;
	work->bits = (uint16_t)bits;
	if (is_double)
		work->doubles = (uint8_t)n;
	else
		work->singles = (uint8_t)n;
}

/* --- classes -------------------------------------------------------------------------------- */

/* By name, without the v of AVX; the first row that fits.  What fits none is CLASS_INTEGER. */
static const struct {
	enum insn_class class;
	const char *patterns;
} classes[] = {
	{ CLASS_BRANCH, "j* call ret* loop* lcall ljmp" },
	{ CLASS_NOP, "nop fnop endbr* pause prefetch*" },
	{ CLASS_SYSTEM, "sys* int* iret* cpuid rd* wr* xgetbv xsetbv xsave* xrstor* fxsave* "
			"fxrstor* ldmxcsr stmxcsr fldcw fldenv fnstcw fstcw fnstenv fnsave "
			"frstor fninit fnclex wait fwait emms zeroupper zeroall mfence lfence "
			"sfence clflush* clwb hlt ud* in insb insw insd out* cli sti xbegin "
			"xend xabort xtest" },
	{ CLASS_DIVIDE, "div* idiv sqrt* rcps* rcpps rsqrt* fdiv* fidiv* fsqrt fprem*" },
	{ CLASS_MULTIPLY, "mul* imul pmul* pmadd* pclmul* fmul* fimul fmadd* fmsub* fnmadd* "
			  "fnmsub* dpp*" },
	{ CLASS_CONVERSION, "cvt* cbw cwde cdqe cwd cdq cqo pmovsx* pmovzx* round* frndint fild "
			    "fist* fbld fbstp" },
	{ CLASS_SHUFFLE, "shufp* unpck* punpck* pack* pshuf* palignr perm* pinsr* pextr* insert* "
			 "extr* broadcast* pbroadcast* movddup movshdup movsldup movhlps movlhps "
			 "blend* pblend* pslldq psrldq" },
	{ CLASS_MOVE, "mov* cmov* push* pop popf* xchg leave enter lahf sahf lods* stos* "
		      "xlatb lddqu maskmov* pmaskmov* pmovmskb gather* pgather* fld* fst* "
		      "fnstsw fxch* fcmov* ffree* fincstp fdecstp" },
	{ CLASS_FLOATING, "comis* ucomis* f*" },
};

static enum insn_class class_of(struct name name, const cs_x86 *x86, const struct insn_work *work)
{
	for (unsigned i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (fits(name, classes[i].patterns))
			return classes[i].class;
	if (work->singles + work->doubles != 0)
		return CLASS_FLOATING;
	/* cmpltps, not the cmpsd of strings */
	return fits(name, "cmp*") && has_vector(x86) ? CLASS_FLOATING : CLASS_INTEGER;
}

void insn_work_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		      struct insn_work *work)
{
	cs_insn *insn = decoder->insn;
	uint64_t address = 0;
	size_t left = size;
	const cs_x86 *x86;
	struct name name;

	*work = (struct insn_work){ .class = size > MAX_SIZE ? CLASS_NOP : CLASS_SYSTEM };
	if (size > MAX_SIZE || !cs_disasm_iter(decoder->handle, &code, &left, &address, insn) ||
	    left != 0)
		return;
	x86 = &insn->detail->x86;
	name = name_of(insn->mnemonic);
	if (fits(name, "verr verw"))
		return;
	if (fits(name, "v*")) {
		name.text++;
		name.len--;
	}
	if (name.text[0] == 'f' && fits(name, extended))
		work->extendeds = 1;
	else
		count_operations(name, x86, work);
	work->class = class_of(name, x86, work);
}
