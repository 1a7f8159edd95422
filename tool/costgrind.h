/* SPDX-License-Identifier: MIT-0 */
/*
 * costgrind.h: requests of a program to the costgrind tool that runs it.
 *
 * This file may be copied into any program, and changed, without any condition.
 * It needs valgrind.h, which comes with Valgrind.  Without the tool, a request takes a
 * few instructions and does nothing.  Requests of callgrind.h and cachegrind.h work too.
 *
 *	COSTGRIND_REGION_BEGIN("parse");
 *	parse(input);
 *	COSTGRIND_REGION_END("parse");
 *
 * Names and texts are C strings; of longer ones than 255 bytes the end is cut off.
 */
#ifndef TOOL_COSTGRIND_H
#define TOOL_COSTGRIND_H

#ifndef __VALGRIND_H
# include <valgrind/valgrind.h>
#endif

/* An interface: numbers stay what they are. */
typedef enum {
	VG_USERREQ__COSTGRIND_DUMP = VG_USERREQ_TOOL_BASE('C', 'S'),
	VG_USERREQ__COSTGRIND_ZERO,
	VG_USERREQ__COSTGRIND_TOGGLE_COLLECT,
	VG_USERREQ__COSTGRIND_START_INSTRUMENTATION,
	VG_USERREQ__COSTGRIND_STOP_INSTRUMENTATION,
	VG_USERREQ__COSTGRIND_REGION_BEGIN,
	VG_USERREQ__COSTGRIND_REGION_END,
	VG_USERREQ__COSTGRIND_WARM_BEGIN,
	VG_USERREQ__COSTGRIND_WARM_END,
	VG_USERREQ__COSTGRIND_COUNTER,
	VG_USERREQ__COSTGRIND_ADD_DESC,
	VG_USERREQ__COSTGRIND_SKIP_OBJECT,
	VG_USERREQ__COSTGRIND_NAME_CODE,
	VG_USERREQ__COSTGRIND_EVICT,
	VG_USERREQ__COSTGRIND_COLD
} Vg_CostgrindClientRequest;

/*
 * Regions do not pay for requests, but for COSTGRIND_COUNTER.  Before it sets one up, a program executes a marker: an
 * instruction that does nothing (nopl 0x74736f43(%rax,%rax,1) on x86-64), in memory the 8 bytes 0f 1f 84 00 43 6f 73 74.
 * The request that follows has COSTGRIND_MARKED as its sixth word, args[5], and is the last instruction: what the
 * thread executed from the marker to the request, both included, costs no region anything, neither the one that begins
 * or ends nor those around it.  It stays in the costs of the program and its functions.
 *
 * So other languages make a request like this, where args are six words in memory (assembler of x86-64):
 *
 *	.quad 0x74736f4300841f0f			# the marker
 *	... args[0] = 0x43530005 (REGION_BEGIN) or 0x43530006 (REGION_END), args[1] = address of its name,
 *	... args[2] to args[4] = 0, args[5] = 0x74736f43
 *	leaq args, %rax
 *	xorl %edx, %edx
 *	rolq $3, %rdi; rolq $13, %rdi; rolq $61, %rdi; rolq $51, %rdi
 *	xchgq %rbx, %rbx				# the request; its result is in %rdx
 *
 * A marker without a request has no effect: a program may jump away in between.  A request without a marker works too;
 * then regions pay for its instructions.  On processors other than x86-64 there is no marker yet.
 */
#define COSTGRIND_MARKED 0x74736f43

#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__) && !defined(__ILP32__) && \
	!defined(NVALGRIND)

# define COSTGRIND_MARKER           0x74736f4300841f0f
# define COSTGRIND_TEXT_OF_(number) # number
# define COSTGRIND_QUAD_(number)    ".quad " COSTGRIND_TEXT_OF_(number)

/*
 * get and constraint are how the first argument becomes a word: a text is an operand in memory, so that nothing
 * is left to be done before the marker.  No do-while: without optimization, clang jumps past it.
 */
# define COSTGRIND_REQUEST_(request, get, constraint, first, second, third) \
  __extension__({                                                           \
unsigned long costgrind_args[6];                                                              \
__asm__ volatile(COSTGRIND_QUAD_(COSTGRIND_MARKER) : : : "memory");                           \
__asm__ volatile(                                                                             \
"leaq %[args], %%rax\n\t" get " %[one], %%rdx\n\t"                                    \
"movq %[number], (%%rax)\n\t"                                                         \
"movq %%rdx, 8(%%rax)\n\t"                                                            \
"movq %[two], 16(%%rax)\n\t"                                                          \
"movq %[three], 24(%%rax)\n\t"                                                        \
"movq $0, 32(%%rax)\n\t"                                                              \
"movq %[marked], 40(%%rax)\n\t"                                                       \
"xorl %%edx, %%edx\n\t" __SPECIAL_INSTRUCTION_PREAMBLE "xchgq %%rbx, %%rbx"           \
: [args] "=m"(costgrind_args)                                                         \
: [one] constraint(first),                                                            \
[two] "rK"((unsigned long)(second)),                                                \
[three] "rK"((unsigned long)(third)),                                               \
[number] "re"((unsigned long)(request)),                                            \
[marked] "i"(COSTGRIND_MARKED)                                                      \
: "rax", \
"rdx", \
"cc", "memory");                                                                    \
  })
# define COSTGRIND_REQUEST(request, first, second, third) \
  COSTGRIND_REQUEST_(request, "movq", "rK", (unsigned long)(first), second, third)
# define COSTGRIND_TEXT_REQUEST(request, text) \
  COSTGRIND_REQUEST_(request, "leaq", "m", ((const volatile char *)(text))[0], 0, 0)
# define COSTGRIND_MARK_ __asm__ volatile(COSTGRIND_QUAD_(COSTGRIND_MARKER) : : : "memory")

#else

# define COSTGRIND_REQUEST(request, first, second, third) \
  VALGRIND_DO_CLIENT_REQUEST_STMT(request, first, second, third, 0, 0)
# define COSTGRIND_TEXT_REQUEST(request, text) COSTGRIND_REQUEST(request, text, 0, 0)
# define COSTGRIND_MARK_                       __asm__ volatile("" : : : "memory")

#endif

/*
 * Writes what was counted since the last part as a part of its own; text says why.  It is of all
 * threads, with --separate-threads=yes too, as are zeroes (callgrind.h's requests: of this one).
 */
#define COSTGRIND_DUMP(text) COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_DUMP, (text), 0, 0)

/* Sets all counts to zero. */
#define COSTGRIND_ZERO COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_ZERO, 0, 0, 0)

/* What this thread does is not collected from now on, or it is again. */
#define COSTGRIND_TOGGLE_COLLECT COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_TOGGLE_COLLECT, 0, 0, 0)

/*
 * Counts and simulates, or runs as fast as without a tool.  Caches keep what they have; calls,
 * regions and whether anything is collected are forgotten.
 */
#define COSTGRIND_START_INSTRUMENTATION \
 COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_START_INSTRUMENTATION, 0, 0, 0)
#define COSTGRIND_STOP_INSTRUMENTATION \
 COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_STOP_INSTRUMENTATION, 0, 0, 0)

/*
 * A region of this thread, or of the signal handler that it is in.  Regions nest, and
 * may lie across each other.  Each has a line with its costs in the profile;
 * --collect-region=PATTERN collects what is in regions of such names only.
 */
#define COSTGRIND_REGION_BEGIN(name) \
 COSTGRIND_TEXT_REQUEST(VG_USERREQ__COSTGRIND_REGION_BEGIN, name)
#define COSTGRIND_REGION_END(name) COSTGRIND_TEXT_REQUEST(VG_USERREQ__COSTGRIND_REGION_END, name)

/*
 * For harnesses, which have something left to decide at both ends of what they measure.  REGION_BEGIN_IF() begins a
 * region if the condition is true, without a jump: in both cases the request is its last instruction.  What a thread does from
 * REGION_PAUSE to REGION_END_PAUSED(), without another request between them, costs no region anything.
 */
#define COSTGRIND_REGION_BEGIN_IF(condition, name)                                      \
 COSTGRIND_TEXT_REQUEST((condition) ? (unsigned long)VG_USERREQ__COSTGRIND_REGION_BEGIN \
				    : (unsigned long)VG_USERREQ__RUNNING_ON_VALGRIND,   \
			name)
#define COSTGRIND_REGION_PAUSE COSTGRIND_MARK_
#define COSTGRIND_REGION_END_PAUSED(name)                                           \
 VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__COSTGRIND_REGION_END, (name), 0, 0, 0, \
				 COSTGRIND_MARKED)

/* Between the two, caches and predictors learn, and nothing is collected; they nest. */
#define COSTGRIND_WARM_BEGIN COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_WARM_BEGIN, 0, 0, 0)
#define COSTGRIND_WARM_END   COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_WARM_END, 0, 0, 0)

/*
 * How often an event ("Ir", "DLmr") has happened in this thread so far, collected or not, into
 * *count, an unsigned long long.  Derived events work, too: "EstCyc", or "Cyc" in tenths of a
 * cycle.  It never goes back: dumps and zeroes do not change it.  Gives 1, or 0 where it is not
 * counted or there is no tool.
 */
#define COSTGRIND_COUNTER(event, count) \
 VALGRIND_DO_CLIENT_REQUEST_EXPR(0, VG_USERREQ__COSTGRIND_COUNTER, (event), (count), 0, 0, 0)

/* A line "desc: name: text" in the header of each part from now on. */
#define COSTGRIND_ADD_DESC(name, text) \
 COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_ADD_DESC, (name), (text), 0)

/*
 * Functions of objects of such names, as a profile has them, are part of their callers,
 * as with --obj-skip, as far as they have not run yet.
 */
#define COSTGRIND_SKIP_OBJECT(pattern) \
 COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_SKIP_OBJECT, (pattern), 0, 0)

/*
 * Code that the program has made itself, in size bytes from address on, is a function of that
 * name; "" takes the name away.  Of ranges that overlap, the last one counts.  To be said
 * when the code is there and has not run yet, and again when other code is in its place.
 */
#define COSTGRIND_NAME_CODE(address, size, name) \
 COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_NAME_CODE, (address), (size), (name))

/*
 * Caches, TLBs, predictors and prefetchers are as at the program's start: empty.  So a region that is begun next costs
 * the same each time; --region-start=cold does this before each region.
 */
#define COSTGRIND_COLD COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_COLD, 0, 0, 0)

/* Takes all lines with any of size bytes from address on out of all caches, so that they miss. */
#define COSTGRIND_EVICT(address, size) \
 COSTGRIND_REQUEST(VG_USERREQ__COSTGRIND_EVICT, (address), (size), 0)

#endif
