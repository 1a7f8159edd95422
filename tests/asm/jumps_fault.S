/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code that a fault cuts short.  main comes to "try" three times.  The first
 * two come from above, where Valgrind knows that ecx is not 0: the jump leaves
 * no side exit, and is in the same run of instructions as the load after it.
 * That faults the first time; the handler has it go on at the address in r12.
 * The third time ecx is 0.
 *
 * The handler, which nobody called, goes round once by its own start.
 */
	.text
	.globl	main
	.type	main, @function
main:
	/* rt_sigaction(SIGSEGV, &action, NULL, 8) */
	mov	$13, %eax
	mov	$11, %edi
	mov	$action, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	xor	%ebx, %ebx
	mov	$0x1008, %esi
	mov	$2f, %r12d
1:	inc	%ebx
	mov	$1, %ecx
try:	jrcxz	3f			#~ main 1/3 3f
	mov	(%rsi), %eax
2:	mov	$turns, %esi
	cmp	$2, %ebx
	jb	1b			#~ main 1/2 1b
	xor	%ecx, %ecx
	jmp	try			#~ main 1 try
3:	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	handler, @function
handler:
	incl	turns
	cmpl	$2, turns
	jb	handler			#~ handler 1/2 handler
	mov	%r12, 168(%rdx)		/* uc_mcontext.gregs[REG_RIP] */
	ret
	.size	handler, . - handler

	.type	restorer, @function
restorer:
	mov	$15, %eax
	syscall
	.size	restorer, . - restorer

	.data
turns:	.long	0
	.align	8
action:	.quad	handler, 0x04000004, restorer, 0 /* SA_RESTORER | SA_SIGINFO */
