/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What loops of known cost take on each core that is built in, by its table and its machine, next to what was published or
 * measured of the processor.  They are the kernels of tests/bench/time/timekernels.c that need only the core: there they are
 * timed, here they are walked.
 */
#include <stdlib.h>

#include "isa/x86/effects.h"
#include "sim/core/core.h"
#include "sim/core/instructiontable.h"
#include "sim/machines/machinecosts.h"
#include "sim/machines/machinefile.h"
#include "tests/common/check.h"
#include "tool/cycles/operations.h"

enum {
	N_CORES = 9,
	MAX_CODE = 4096, /* bytes of a loop */
	FIRST = 20,      /* rounds that are not counted */
	ROUNDS = 60,
	NEAR = 10, /* % */
	VALUED =
		30, /* %: divisions, which take a time that depends on their values; the model has one in the middle */
	TARGETS = 20, /* %: branches, by where they lie */
	CODE = 0x401000,
};

static const char *const cores[N_CORES] = {
	"zen2",       "zen3",    "zen4",       "zen5",           "skylake",
	"skylake-sp", "icelake", "goldencove", "sapphirerapids",
};

/* Where a figure is from. */
static const char sources[] =
	"I"  /* InstLatX64: what AIDA64 measures, https://github.com/InstLatx64/InstLatx64 */
	"F"  /* A. Fog's instruction tables */
	"G"  /* AMD's software optimization guides: 56305, 56665, 57647, 58455 */
	"O"  /* Intel's optimization manual, 248966 */
	"C"  /* Chips and Cheese */
	"D"  /* T. Downs's uarch-bench */
	"M"  /* scripts/compare-time --kernels, or loops like its, on such a processor */
	"-"; /* assumed: what the model says */

/*
 * Name, how often its body is in the loop, the body, by how much % the model may differ, and of each core, in the order
 * above, where the figure is from and the cycles that the body takes.
 */
#define KERNELS(K)                                                                                                   \
 /* Chains: the latency. */                                                                                          \
 K(add, 64, "add %rdi, %rax", NEAR, "IIIIIIIIM", 1, 1, 1, 1, 1, 1, 1, 1, 1)                                          \
 K(lea, 64, "lea 1(%rax,%rdi,4), %rax", NEAR, "IIIIIIIIM", 2, 2, 2, 2, 3, 3, 1, 2, 2)                                \
 K(imul, 64, "imul %rdi, %rax", NEAR, "IIIIIIIIM", 3, 3, 3, 3, 3, 3, 3, 3, 3)                                        \
 K(shift, 64, "rol $5, %rax", NEAR, "IIIIIIIIM", 1, 1, 1, 1, 1, 1, 1, 1, 1)                                          \
 K(popcnt, 64, "popcnt %rax, %rax", NEAR, "IIIIIIIIM", 1, 1, 1, 1, 3, 3, 3, 3, 3)                                    \
 K(cmov, 64, "cmp %rdi, %rax; cmovb %r8, %rax", NEAR, "IIIIIIIIM", 2, 2, 2, 2, 2, 2, 2, 2, 2)                        \
 K(cmova, 64, "cmp %rdi, %rax; cmova %r8, %rax", NEAR, "---M-----", 3, 2, 2, 3, 3, 3, 3, 3, 3)                       \
 K(adc, 64, "adc %rdi, %rax", NEAR, "IIIIIIIIM", 1, 1, 1, 1, 1, 1, 1, 1, 1)                                          \
 K(addsd, 64, "addsd %xmm1, %xmm0", NEAR, "IIIIIIIIM", 3, 3, 3, 2, 4, 4, 4, 2, 2)                                    \
 K(mulsd, 64, "mulsd %xmm1, %xmm0", NEAR, "IIIIIIIIM", 3, 3, 3, 3, 4, 4, 4, 4, 4)                                    \
 K(divsd, 16, "divsd %xmm1, %xmm0", NEAR, "IIIMIIIIM", 13, 13.5, 13, 13, 14, 14, 14, 14, 14)                         \
 K(sqrtsd, 16, "sqrtsd %xmm0, %xmm0; addsd %xmm1, %xmm0", NEAR, "IIIMIIIIM", 23, 23.5, 24, 22, 22,                   \
   22, 22, 21, 21)                                                                                                   \
 K(fma, 64, "vfmadd231sd %xmm1, %xmm2, %xmm0", NEAR, "IIIIIIIIM", 5, 4, 4, 4, 4, 4, 4, 4, 4)                         \
 K(convert, 32, "cvtsi2sd %rax, %xmm0; cvttsd2si %xmm0, %rax", NEAR, "IIIMIIIIM", 13, 13, 12, 12,                    \
   12, 12, 12, 12, 12)                                                                                               \
 K(paddd, 64, "paddd %xmm1, %xmm0", NEAR, "IIIMIIIIM", 1, 1, 1, 2, 1, 1, 1, 1, 1)                                    \
 K(pmulld, 32, "pmulld %xmm1, %xmm0", NEAR, "IIIIIIIIM", 4, 3, 3, 3, 10, 10, 10, 10, 10)                             \
 K(pshufb, 64, "pshufb %xmm1, %xmm0", NEAR, "IIMIIIIIM", 1, 1, 2, 2, 1, 1, 1, 1, 1)                                  \
 K(logic, 64, "xor %rdi, %rax", NEAR, "IIIIIIIIM", 1, 1, 1, 1, 1, 1, 1, 1, 1)                                        \
 K(constants, 64, "add $1, %rax", NEAR, "IIIIIIIIM", 1, 1, 1, 1, 1, 1, 1, 0.167, 0.167)                              \
 K(div32, 16, "mov $0x7fffffff, %eax; xor %edx, %edx; add %ebx, %eax; div %edi; mov %edx, %ebx",                     \
   VALUED, "IIIMIIIIM", 30, 15, 15, 14, 27, 27, 16, 16, 16.1)                                                        \
 K(div64, 16,                                                                                                        \
   "mov $0x7fffffffffff, %rax; xor %edx, %edx; add %rbx, %rax; div %rdi; mov %rdx, %rbx", VALUED,                    \
   "IIII--IIM", 38, 18, 18, 17, 41, 41, 19, 19, 19)                                                                  \
 /* A value that passes through memory, and memory that is changed in place. */                                      \
 K(forward, 32, "mov %rax, 8(%rsi); mov 8(%rsi), %rax; add %rdi, %rax", NEAR, "MCMIDIDIM", 1, 1,                     \
   1, 1, 5.4, 5.4, 1, 1, 1)                                                                                          \
 K(global, 32, "mov %rax, end_global(%rip); mov end_global(%rip), %rax; add %rdi, %rax", NEAR,                       \
   "F-M-I-I-M", 8, 8, 1, 9, 5.4, 5, 6, 7.4, 7.4)                                                                     \
 K(memory_add, 32, "addq $1, 8(%rsi)", NEAR, "IIIIIIIIM", 1, 7.8, 1, 1, 5.4, 5.5, 7, 1, 1)                           \
 K(memory_sum, 32, "addq %rdi, 8(%rsi)", NEAR, "IIIIIIIIM", 1, 7.8, 1, 1, 5.4, 5.5, 7.1, 7.3, 7.3)                   \
 K(stack, 32, "push %rax; pop %rax; add %rdi, %rax", NEAR, "IIIIIIIIM", 1, 1, 1, 1, 5.4, 5.4, 1,                     \
   1, 1)                                                                                                             \
 /* No chains: the ports. */                                                                                         \
 K(adds, 16,                                                                                                         \
   "add %rdi, %rax; add %rdi, %rbx; add %rdi, %rdx; add %rdi, %r9; add %rdi, %r10; add %rdi, %r11; add %rdi, %r12; " \
   "add %rdi, %r13",                                                                                                 \
   NEAR, "GGGGOOOOM", 2, 2, 2, 1.33, 2, 2, 2, 1.6, 1.6)                                                              \
 K(imuls, 16,                                                                                                        \
   "imul %rdi, %rax; imul %rdi, %rbx; imul %rdi, %rdx; imul %rdi, %r9; imul %rdi, %r10; imul %rdi, %r11",            \
   NEAR, "IIIIIIIIM", 6, 6, 6, 3, 6, 6, 6, 6, 6)                                                                     \
 K(mulsds, 16,                                                                                                       \
   "mulsd %xmm8, %xmm0; mulsd %xmm8, %xmm1; mulsd %xmm8, %xmm2; mulsd %xmm8, %xmm3; mulsd %xmm8, %xmm4; "            \
   "mulsd %xmm8, %xmm5; mulsd %xmm8, %xmm6; mulsd %xmm8, %xmm7",                                                     \
   NEAR, "IIIIIIIIM", 4, 4, 4, 4, 4, 4, 4, 4, 4)                                                                     \
 K(divsds, 16, "movapd %xmm8, %xmm0; divsd %xmm7, %xmm0; movapd %xmm8, %xmm1; divsd %xmm7, %xmm1",                   \
   NEAR, "IIIIIIIIM", 10, 8.5, 9.4, 8, 8, 8, 8, 8, 8)                                                                \
 K(loads, 16, "mov (%rsi), %rax; mov 8(%rsi), %rbx; mov 16(%rsi), %rdx; mov 24(%rsi), %r9", NEAR,                    \
   "IIIIIIIIM", 2, 1.33, 1.33, 1, 2, 2, 2, 1.33, 1.33)                                                               \
 K(stores, 16, "mov %rdi, (%rsi); mov %rdi, 8(%rsi)", NEAR, "IIIIIIIIM", 2, 1, 1, 1, 2, 2, 1, 1,                     \
   1)                                                                                                                \
 /* What is taken. */                                                                                                \
 K(jumps, 32, "jmp 2f; .p2align 4; 2:", NEAR, "GGC----CC", 2, 1, 1, 1, 1, 1, 1, 1, 1)                                \
 K(calls, 32, "call 3f; jmp 2f; .p2align 4; 3: ret; .p2align 4; 2:", TARGETS, "-G------M", 6, 5,                     \
   5, 5, 3, 3, 3, 6, 6)

#define AS_TEXT(name, unroll, body, ...)                     \
 ".p2align 6\nloop_" #name ":\n1:\n.rept " #unroll "\n" body \
 "\n.endr\ndec %rcx\njnz 1b\nend_" #name ":\n"

__asm__(".pushsection .text\n" KERNELS(AS_TEXT) ".popsection\n");

#define AS_SYMBOLS(name, ...) extern const uint8_t loop_##name[], end_##name[];

KERNELS(AS_SYMBOLS)

static const struct kernel {
	const char *name;
	const uint8_t *code, *end;
	unsigned unroll;
	unsigned within; /* % */
	const char *sources;
	double cycles[N_CORES];
} kernels[] = {
#define AS_ROW(name, unroll, body, within, sources, ...) \
 { #name, loop_##name, end_##name, unroll, within, sources, { __VA_ARGS__ } },
	KERNELS(AS_ROW)
};

/* --- a core --------------------------------------------------------------------------------- */

static struct instructiontable table;
static void *memory;
static struct core_config config;
static struct operations operations;
static struct core_walk walk;

/* As tool/options/machineconf.c takes it. */
static bool take(const char *name)
{
	const struct embedded_text *core = core_table_find(name);
	const struct embedded_text *preset = machine_preset_find(name);
	struct instructiontable_error error;
	struct machinefile_error machine_error;
	struct machinefile file;
	struct machinecosts costs;

	free(memory);
	memory = malloc(instructiontable_size(core->text, core->len));
	if (!CHECK(memory != NULL) ||
	    !CHECK(instructiontable_parse(&table, core->text, core->len, memory, &error)) ||
	    !CHECK(machinefile_parse(&file, preset->text, preset->len, &machine_error)))
		return false;
	machinecosts_read(&costs, &file);
	config = (struct core_config){
		.width = costs.amounts[AMOUNT_WIDTH],
		.decoded = costs.decoded,
		.window = costs.amounts[AMOUNT_FETCH],
		.jump = costs.cycles[COST_JUMP],
		.call = costs.cycles[COST_CALL],
		.forward = costs.cycles[COST_FORWARD],
		.renamed = costs.cycles[COST_RENAMED],
		.memory_ports = instructiontable_memory_ports(&table),
	};
	core_walk_init(&walk, &config);
	return true;
}

/* --- a loop --------------------------------------------------------------------------------- */

struct step {
	struct operation operation;
	struct instruction_row row;
	enum insn_flow flow;
	unsigned next, target; /* offsets in the loop */
};

static struct step steps[MAX_CODE]; /* by their offsets */

static void decode(const struct kernel *kernel)
{
	const size_t size = (size_t)(kernel->end - kernel->code);
	cs_insn *insn = operations.decoder.insn;
	const uint8_t *code = kernel->code;
	size_t left = size;
	uint64_t address = 0;

	if (!CHECK(size <= MAX_CODE))
		return;
	memset(steps, 0, sizeof(steps));
	while (left > 0) {
		const unsigned at = (unsigned)address;
		struct step *step = &steps[at];

		if (!CHECK(cs_disasm_iter(operations.decoder.handle, &code, &left, &address, insn)))
			return;
		*step = (struct step){ .flow = insn_flow(insn), .next = (unsigned)address };
		if (step->flow != FLOW_NEXT && step->flow != FLOW_RETURN)
			step->target = (unsigned)insn->detail->x86.operands[0].imm;
		CHECK(operations_decode(&operations, kernel->code + at, step->next - at,
					&step->operation, &step->row) == INSTRUCTION_EXACT);
	}
}

/* Cycles that the body takes. */
static double cycles_of(const struct kernel *kernel)
{
	uint64_t ticks = 0;
	unsigned at = 0, back = 0;
	bool jumped = false;

	decode(kernel);
	core_walk_begin(&walk);
	for (unsigned round = 0, tag = 1; round < ROUNDS; tag++) {
		const struct step *step = &steps[at];
		struct core_cost cost;

		if (!CHECK(step->operation.size != 0)) /* not where an instruction begins */
			return 0;
		core_walk_step(&walk, &step->operation, CODE + at, jumped, tag, &cost);
		if (round >= FIRST)
			ticks += cost.base + cost.dependence + cost.front_end;
		jumped = step->flow != FLOW_NEXT;
		if (step->flow == FLOW_CALL)
			back = step->next;
		round += step->flow == FLOW_CONDITIONAL;
		at = !jumped ? step->next : step->flow == FLOW_RETURN ? back : step->target;
	}
	return (double)ticks / CORE_TICKS / (ROUNDS - FIRST) / kernel->unroll;
}

static void check_kernel(const struct kernel *kernel, unsigned core)
{
	const double got = cycles_of(kernel), want = kernel->cycles[core];
	const double within = want * kernel->within / 100;

	if (!CHECK(got >= want - within && got <= want + within))
		printf("# %s, %s: %.2f cycles, not %.2f (%c)\n", cores[core], kernel->name, got,
		       want, kernel->sources[core]);
}

TEST(kernels_take_what_is_known)
{
	for (unsigned core = 0; core < N_CORES; core++)
		for (size_t i = 0; take(cores[core]) && i < sizeof(kernels) / sizeof(kernels[0]);
		     i++)
			check_kernel(&kernels[i], core);
	free(memory);
}

TEST(figures_have_sources)
{
	CHECK_EQ_U64(n_core_tables, N_CORES);
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		CHECK_EQ_U64(strlen(kernels[i].sources), N_CORES);
		CHECK_EQ_U64(strspn(kernels[i].sources, sources), N_CORES);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(figures_have_sources),
		CHECK_TEST(kernels_take_what_is_known),
	};

	return operations_init(&operations, &table)
		       ? check_run(tests, sizeof(tests) / sizeof(tests[0]))
		       : 1;
}
