/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timekernels: loops whose costs a processor's manual states, for scripts/compare-time --kernels.
 *
 * What is counted is written in assembler, so that no compiler finds a shorter way: a chain of one kind of
 * instruction, where each waits for the one before it; the same without chains, as many as ports take;
 * jumps; walks and streams through 16 KiB (L1), 512 KiB (L2), 8 MiB (L3) and 96 MiB (memory).
 */
#include "tests/bench/time/rounds.h"

#include <stdlib.h>

enum { LINE = 64, PAGE = 4096 };

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

static char *area;       /* what set_up() has made */
static size_t area_size; /* bytes */
static uint64_t scratch[16];

/*
 * A kernel whose body is repeated `unroll` times in a loop.  rcx counts its turns, rsi has the address of scratch, rdi is 3,
 * r8 is 5, and each double of a vector a little more than 1, so that no chain reaches a value that a processor treats specially;
 * all others but rbp and rsp are the body's own.
 */
#define FILL_VECTORS                                           \
 "movddup 64(%%rsi), %%xmm0\n.irp n, 1, 2, 3, 4, 5, 6, 7, 8\n" \
 "movapd %%xmm0, %%xmm\\n\n.endr\n"

#define KERNEL(name, unroll, body)                                                                 \
 static uint64_t kernel_##name(uint64_t count)                                                     \
 {                                                                                                 \
  uint64_t turns = count / (unroll), sum = 1;                                                      \
  register uint64_t five __asm__("r8") = 5;                                                        \
                                                                                                   \
  scratch[0] = 1, scratch[8] = UINT64_C(0x3ff0000000001000);                                       \
  __asm__ volatile(FILL_VECTORS ".p2align 6\n1:\n.rept " #unroll "\n" body                         \
				"\n.endr\ndec %%rcx\njnz 1b"                                       \
		   : "+c"(turns), "+a"(sum), "+r"(five)                                            \
		   : "S"(scratch), "D"((uint64_t)3)                                                \
		   : "rbx", "rdx", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", \
		     "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "cc", "memory");      \
  return sum;                                                                                      \
 }

/* -- chains: the latency of an instruction -- */

KERNEL(add, 64, "add %%rdi, %%rax")
KERNEL(lea, 64, "lea 1(%%rax,%%rdi,4), %%rax")
KERNEL(imul, 64, "imul %%rdi, %%rax")
KERNEL(shift, 64, "rol $5, %%rax")
KERNEL(popcnt, 64, "popcnt %%rax, %%rax")
KERNEL(cmov, 64, "cmp %%rdi, %%rax\ncmovb %%r8, %%rax")
KERNEL(adc, 64, "adc %%rdi, %%rax")
KERNEL(div32, 16,
       "mov $0x7fffffff, %%eax\nxor %%edx, %%edx\nadd %%ebx, %%eax\ndiv %%edi\nmov %%edx, %%ebx")
KERNEL(div64, 16,
       "mov $0x7fffffffffff, %%rax\nxor %%edx, %%edx\nadd %%rbx, %%rax\ndiv %%rdi\nmov %%rdx, %%rbx")
KERNEL(addsd, 64, "addsd %%xmm1, %%xmm0")
KERNEL(mulsd, 64, "mulsd %%xmm1, %%xmm0")
KERNEL(divsd, 16, "divsd %%xmm1, %%xmm0")
/* Of roots alone a chain comes to 1, which Intel's cores have sooner. */
KERNEL(sqrtsd, 16, "sqrtsd %%xmm0, %%xmm0\naddsd %%xmm1, %%xmm0")
KERNEL(fma, 64, "vfmadd231sd %%xmm1, %%xmm2, %%xmm0")
KERNEL(convert, 32, "cvtsi2sd %%rax, %%xmm0\ncvttsd2si %%xmm0, %%rax")
KERNEL(paddd, 64, "paddd %%xmm1, %%xmm0")
KERNEL(pmulld, 32, "pmulld %%xmm1, %%xmm0")
KERNEL(pshufb, 64, "pshufb %%xmm1, %%xmm0")
KERNEL(forward, 32, "mov %%rax, 8(%%rsi)\nmov 8(%%rsi), %%rax\nadd %%rdi, %%rax")
KERNEL(memory_add, 32, "addq $1, 8(%%rsi)")

/* -- no chains: the ports, and how many instructions begin in a cycle -- */

KERNEL(adds, 16,
       "add %%rdi, %%rax\nadd %%rdi, %%rbx\nadd %%rdi, %%rdx\nadd %%rdi, %%r9\n"
       "add %%rdi, %%r10\nadd %%rdi, %%r11\nadd %%rdi, %%r12\nadd %%rdi, %%r13")
KERNEL(imuls, 16,
       "imul %%rdi, %%rax\nimul %%rdi, %%rbx\nimul %%rdi, %%rdx\nimul %%rdi, %%r9\n"
       "imul %%rdi, %%r10\nimul %%rdi, %%r11")
KERNEL(mulsds, 16,
       "mulsd %%xmm8, %%xmm0\nmulsd %%xmm8, %%xmm1\nmulsd %%xmm8, %%xmm2\nmulsd %%xmm8, %%xmm3\n"
       "mulsd %%xmm8, %%xmm4\nmulsd %%xmm8, %%xmm5\nmulsd %%xmm8, %%xmm6\nmulsd %%xmm8, %%xmm7")
KERNEL(divsds, 16,
       "movapd %%xmm8, %%xmm0\ndivsd %%xmm7, %%xmm0\nmovapd %%xmm8, %%xmm1\ndivsd %%xmm7, %%xmm1")
KERNEL(loads, 16,
       "mov (%%rsi), %%rax\nmov 8(%%rsi), %%rbx\nmov 16(%%rsi), %%rdx\nmov 24(%%rsi), %%r9")
KERNEL(stores, 16, "mov %%rdi, (%%rsi)\nmov %%rdi, 8(%%rsi)")
KERNEL(multiply_shift, 16,
       "mov %%rdi, %%rax\nimul %%r8, %%rax\nshr $7, %%rax\nmov %%rdi, %%rbx\n"
       "imul %%r8, %%rbx\nshl $3, %%rbx\nxor %%rax, %%r9\nxor %%rbx, %%r10")
KERNEL(blend, 16,
       "mov (%%rsi), %%rax\nadd %%rdi, %%rax\nmov %%rax, 64(%%rsi)\nlea 3(%%rbx,%%rdi), %%rbx\n"
       "mov 8(%%rsi), %%rdx\nxor %%rdx, %%r9\nimul %%rdi, %%r10\nshr $1, %%r11")

/* -- jumps -- */

KERNEL(jumps, 32, "jmp 2f\n.p2align 4\n2:")
/* As compilers align functions: of three jumps in 8 bytes Intel's target buffers do not keep all. */
KERNEL(calls, 32, "call 3f\njmp 2f\n.p2align 4\n3: ret\n.p2align 4\n2:")
KERNEL(untaken, 64, "cmp %%rdi, %%r8\njb 1b")

static uint64_t kernel_large_code(uint64_t count)
{
	uint64_t turns = count / 16384, sum = 1;

	/* 128 KiB, more than caches for code have. */
	__asm__ volatile(
		"1:\n.rept 4096\nlea 0x12345678(%%rdx,%%rdi), %%rax\nlea 0x12345678(%%rbx,%%rdi), %%r9\n"
		"lea 0x12345678(%%rdx,%%rdi), %%r10\nlea 0x12345678(%%rdx,%%rdi), %%r11\n.endr\ndec %0\n"
		"jnz 1b"
		: "+c"(turns), "+a"(sum)
		: "D"((uint64_t)3)
		: "rbx", "rdx", "r9", "r10", "r11", "cc");
	return sum;
}

static NOINLINE uint64_t next_one(uint64_t x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

static NOINLINE uint64_t next_two(uint64_t x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 2;
}

static NOINLINE uint64_t next_three(uint64_t x)
{
	__asm__ volatile("" : "+r"(x));
	return x ^ 3;
}

static NOINLINE uint64_t next_four(uint64_t x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 4;
}

static uint64_t (*const functions[4])(uint64_t) = { next_one, next_two, next_three, next_four };

static void fill_random(size_t size)
{
	uint64_t state = 1;

	area_size = size;
	area = allocate(size, 1);
	for (size_t i = 0; i < size; i++)
		area[i] = (char)(random_next(&state) & 63);
}

static uint64_t kernel_pointer(uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t (*function)(uint64_t) = functions[scratch[9] & 3];

		sum = function(sum);
	}
	return sum;
}

static uint64_t kernel_pointers(uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < count; i++)
		sum = functions[area[i & (area_size - 1)] & 3](sum);
	return sum;
}

/* A loop of one branch: taken if a number is odd, by chance. */
static uint64_t kernel_chance(uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < count; i++)
		if (area[i & (area_size - 1)] & 1) {
			__asm__ volatile("" ::: "memory");
			sum += 3;
		}
	return sum;
}

static NOINLINE uint64_t descend(uint64_t depth)
{
	uint64_t below;

	if (depth == 0)
		return 1;
	below = descend(depth - 1);
	__asm__ volatile("" : "+r"(below));
	return below + 1;
}

/* Deeper than a processor remembers returns. */
static uint64_t kernel_deep(uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < count / 200; i++)
		sum += descend(199);
	return sum;
}

/* -- memory -- */

/* One cycle through all lines of the area, in random order. */
static void link_lines(size_t size, size_t stride)
{
	const size_t n = size / stride;
	uint32_t *order = allocate(n, sizeof(*order));
	uint64_t state = 1;

	area_size = size;
	area = aligned_alloc(PAGE, size);
	require(area != NULL, "memory");
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	for (size_t i = n - 1; i > 0; i--) {
		const uint32_t other = random_below(&state, (uint32_t)i + 1), kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
	for (size_t i = 0; i < n; i++) {
		char *const from = area + order[i] * stride, *const to = area + order[(i + 1) % n] *
											stride;

		/*
		 * One page, one set, if lines were at the same place of each; and of a larger cache that is
		 * looked up by addresses that follow each other, as the model's are, 32 pages are all sets.
		 */
		*(char **)(void *)(from + (stride == PAGE ? order[i] / 32 % 64 * LINE : 0)) =
			to + (stride == PAGE ? order[(i + 1) % n] / 32 % 64 * LINE : 0);
	}
	free(order);
}

static void set_up_chase(size_t size)
{
	link_lines(size, LINE);
}

static void set_up_pages(size_t size)
{
	link_lines(size, PAGE);
}

static uint64_t kernel_chase(uint64_t count)
{
	static const char
		*last; /* goes on where the last round ended, or that would see its lines again */
	const char *at = last ? last : area;

	for (uint64_t i = 0; i < count; i++)
		__asm__ volatile("mov (%0), %0" : "+r"(at)::"memory");
	last = at;
	return (uint64_t)(at - area) & 1;
}

static void set_up_stream(size_t size)
{
	area_size = size;
	area = aligned_alloc(PAGE, size);
	require(area != NULL, "memory");
	memset(area, 1, size);
}

/* count lines of 64 bytes, eight bytes at a time, of the first part of the area, again and again. */
#define STREAM(name, part, body)                                            \
 static uint64_t kernel_##name(uint64_t count)                              \
 {                                                                          \
  const uint64_t size = area_size / (part);                                 \
                                                                            \
  for (uint64_t done = 0; done < count; done += size / LINE) {              \
   const char *at = area;                                                   \
   uint64_t lines = size / LINE;                                            \
                                                                            \
   __asm__ volatile(".p2align 6\n1:\n" body "\nadd $64, %0\ndec %1\njnz 1b" \
		    : "+S"(at), "+c"(lines)                                 \
		    : "D"(size)                                             \
		    : "rax", "rbx", "rdx", "r8", "r9", "cc", "memory");     \
  }                                                                         \
  return 0;                                                                 \
 }

STREAM(read, 1,
       "mov (%0), %%rax\nmov 8(%0), %%rbx\nmov 16(%0), %%rdx\nmov 24(%0), %%r8\n"
       "mov 32(%0), %%rax\nmov 40(%0), %%rbx\nmov 48(%0), %%rdx\nmov 56(%0), %%r8")
STREAM(write, 1,
       "mov %%rdi, (%0)\nmov %%rdi, 8(%0)\nmov %%rdi, 16(%0)\nmov %%rdi, 24(%0)\n"
       "mov %%rdi, 32(%0)\nmov %%rdi, 40(%0)\nmov %%rdi, 48(%0)\nmov %%rdi, 56(%0)")
STREAM(copy, 2,
       "mov (%0), %%rax\nmov %%rax, (%0,%%rdi)\nmov 8(%0), %%rbx\nmov %%rbx, 8(%0,%%rdi)\n"
       "mov 16(%0), %%rax\nmov %%rax, 16(%0,%%rdi)\nmov 24(%0), %%rbx\nmov %%rbx, 24(%0,%%rdi)\n"
       "mov 32(%0), %%rax\nmov %%rax, 32(%0,%%rdi)\nmov 40(%0), %%rbx\nmov %%rbx, 40(%0,%%rdi)\n"
       "mov 48(%0), %%rax\nmov %%rax, 48(%0,%%rdi)\nmov 56(%0), %%rbx\nmov %%rbx, 56(%0,%%rdi)")

static const struct rounds kernels[] = {
	/* A turn of those without chains is all of its instructions. */
	{ "add", 8388608, kernel_add, NULL, 0 },
	{ "lea", 8388608, kernel_lea, NULL, 0 },
	{ "imul", 4194304, kernel_imul, NULL, 0 },
	{ "shift", 8388608, kernel_shift, NULL, 0 },
	{ "popcnt", 8388608, kernel_popcnt, NULL, 0 },
	{ "cmov", 8388608, kernel_cmov, NULL, 0 },
	{ "adc", 8388608, kernel_adc, NULL, 0 },
	{ "div32", 524288, kernel_div32, NULL, 0 },
	{ "div64", 524288, kernel_div64, NULL, 0 },
	{ "addsd", 4194304, kernel_addsd, NULL, 0 },
	{ "mulsd", 4194304, kernel_mulsd, NULL, 0 },
	{ "divsd", 524288, kernel_divsd, NULL, 0 },
	{ "sqrtsd", 524288, kernel_sqrtsd, NULL, 0 },
	{ "convert", 1048576, kernel_convert, NULL, 0 },
	{ "paddd", 8388608, kernel_paddd, NULL, 0 },
	{ "pmulld", 4194304, kernel_pmulld, NULL, 0 },
	{ "pshufb", 8388608, kernel_pshufb, NULL, 0 },
	{ "forward", 2097152, kernel_forward, NULL, 0 },
	{ "memory-add", 2097152, kernel_memory_add, NULL, 0 },
	{ "adds", 2097152, kernel_adds, NULL, 0 },
	{ "imuls", 2097152, kernel_imuls, NULL, 0 },
	{ "mulsds", 2097152, kernel_mulsds, NULL, 0 },
	{ "divsds", 1048576, kernel_divsds, NULL, 0 },
	{ "loads", 2097152, kernel_loads, NULL, 0 },
	{ "stores", 4194304, kernel_stores, NULL, 0 },
	{ "multiply-shift", 2097152, kernel_multiply_shift, NULL, 0 },
	{ "blend", 2097152, kernel_blend, NULL, 0 },
	{ "jumps", 4194304, kernel_jumps, NULL, 0 },
	{ "calls", 2097152, kernel_calls, NULL, 0 },
	{ "untaken", 4194304, kernel_untaken, NULL, 0 },
	{ "large-code", 8388608, kernel_large_code, NULL, 0 },
	{ "pointer", 2097152, kernel_pointer, NULL, 0 },
	{ "pointers", 1048576, kernel_pointers, fill_random, 4 * MIB },
	{ "chance", 2097152, kernel_chance, fill_random, 4 * MIB },
	{ "deep", 2000000, kernel_deep, NULL, 0 },
	{ "chase-l1", 1048576, kernel_chase, set_up_chase, 16 * KIB },
	{ "chase-l2", 524288, kernel_chase, set_up_chase, 512 * KIB },
	{ "chase-l3", 262144, kernel_chase, set_up_chase, 8 * MIB },
	{ "chase-memory", 262144, kernel_chase, set_up_chase, 96 * MIB },
	{ "chase-pages", 262144, kernel_chase, set_up_pages, 8 * MIB },
	{ "read-l1", 524288, kernel_read, set_up_stream, 16 * KIB },
	{ "read-l2", 262144, kernel_read, set_up_stream, 512 * KIB },
	{ "read-l3", 262144, kernel_read, set_up_stream, 8 * MIB },
	{ "read-memory", 1572864, kernel_read, set_up_stream, 96 * MIB },
	{ "write-l1", 524288, kernel_write, set_up_stream, 16 * KIB },
	{ "write-l2", 262144, kernel_write, set_up_stream, 512 * KIB },
	{ "write-l3", 262144, kernel_write, set_up_stream, 8 * MIB },
	{ "write-memory", 1572864, kernel_write, set_up_stream, 96 * MIB },
	{ "copy-l1", 524288, kernel_copy, set_up_stream, 16 * KIB },
	{ "copy-l2", 262144, kernel_copy, set_up_stream, 512 * KIB },
	{ "copy-l3", 262144, kernel_copy, set_up_stream, 8 * MIB },
	{ "copy-memory", 1572864, kernel_copy, set_up_stream, 96 * MIB },
	{ "fma", 4194304, kernel_fma, NULL, 0 },
};

int main(int argc, char **argv)
{
	size_t size = sizeof(kernels) / sizeof(kernels[0]);

	/* The last one. */
	size -= !__builtin_cpu_supports("fma");
	return rounds_main(kernels, size, argc, argv);
}
