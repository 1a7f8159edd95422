/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks for the time, and writes the answers to standard output, 16 bytes each:
 * seconds and ns.  An instruction takes 1 ns, a question 1 us.
 */
	.macro ask clock, at
	mov $228, %eax		/* clock_gettime */
	mov $\clock, %edi
	mov $answers + 16 * \at, %esi
	syscall
	.endm

	.globl _start
	.type _start, @function
_start:
	ask 0, 0		/* date: 4 instructions, 1 question */
	ask 1, 1		/* monotonic: 8, 2 */
	ask 2, 2		/* CPU time of the process: 12, 3 */
	ask 3, 3		/* of the thread: 16, 4 */
	mov $35, %eax		/* nanosleep of 5 ms */
	mov $nap, %edi
	xor %esi, %esi
	syscall
	ask 1, 4		/* 24, 5, and 5 ms */
	ask 2, 5		/* 28, 6 */
	rdtsc			/* 29 */
	mov %eax, answers + 16 * 6
	mov %edx, answers + 16 * 6 + 4
	mov $300, %ecx		/* becomes warm meanwhile */
again:
	rdtsc
	dec %ecx
	jnz again
	mov %eax, answers + 16 * 6 + 8	/* 32 + 299 * 3 + 1 = 930 */
	mov $201, %eax		/* time */
	xor %edi, %edi
	syscall
	mov %rax, answers + 16 * 7
	mov $1, %eax		/* write */
	mov $1, %edi
	mov $answers, %esi
	mov $16 * 8, %edx
	syscall
	mov $60, %eax		/* exit */
	xor %edi, %edi
	syscall
	.size _start, . - _start

	.data
nap:
	.quad 0, 5000000
answers:
	.skip 16 * 8
