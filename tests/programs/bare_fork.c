/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A parent and a child without libc; each of their instructions is counted:
 *
 *	parent	fork 2, test 2, wait 6, exit 3
 *	child	test 2, exit 5, a write and a read among them
 *
 * The child's first instruction is the one after its system call.
 */
int bare = 0; /* without data Valgrind would read no symbols */

__attribute__((naked, noreturn)) void _start(void);

void _start(void)
{
	__asm__("movl $57, %eax\n" /* fork */
		"syscall\n"
		"testl %eax, %eax\n"
		"jz 1f\n"
		"movl $61, %eax\n" /* wait4(-1, NULL, 0, NULL) */
		"movq $-1, %rdi\n"
		"xorl %esi, %esi\n"
		"xorl %edx, %edx\n"
		"xorl %r10d, %r10d\n"
		"syscall\n"
		"movl $60, %eax\n" /* exit(0) */
		"xorl %edi, %edi\n"
		"syscall\n"
		"1: movl $60, %eax\n" /* exit(1) */
		"movl $1, %edi\n"
		"pushq %rdi\n"
		"popq %rdi\n"
		"syscall\n");
}
