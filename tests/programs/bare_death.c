/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dies by the instructions DEATH (a string, of the compiler's command line)
 * in the middle of a superblock, without libc: 4 instructions and a write to
 * the stack are before them, more after them, where nothing may be counted.
 * rax and the top of the stack are 0, ecx is 5.
 */
int bare = 0; /* without data Valgrind would read no symbols */

__attribute__((naked, noreturn)) void _start(void);

void _start(void)
{
	__asm__("xorl %eax, %eax\n"
		"movl $5, %ecx\n"
		"pushq %rax\n"
		"nop\n" DEATH "\n"
		"pushq %rcx\n" /* what was read is used, or else Valgrind leaves the read out */
		"pushq %rax\n"
		"nop\n");
}
