/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A division by zero in the middle of a superblock: counted as any other
 * fault, the instructions up to it and itself, though it refers to no memory.
 *
 * The handler, the frame and the caches: as in faults.S.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	/* rt_sigaction(SIGFPE, &action, NULL, 8) */
	mov	$13, %eax		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	$8, %edi		/* 05 */ #= Ir=1
	mov	$action, %esi		/* 0a */ #= Ir=1
	xor	%edx, %edx		/* 0f */ #= Ir=1
	mov	$8, %r10d		/* 11 */ #= Ir=1
	syscall				/* 17 */ #= Ir=1
	mov	$stack_top, %esp	/* 19 */ #= Ir=1
	/* Bytes 1e to 23: enters line 20. */
	mov	$2f, %r12d		/* 1e */ #= Ir=1 I1mr=1
	xor	%ecx, %ecx		/* 24 */ #= Ir=1
	jmp	1f			/* 26 */ #= Ir=1

	.org	0x40
1:	mov	data, %r14d		/* 40 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	nop				/* 48 */ #= Ir=1
	nop				/* 49 */ #= Ir=1
	div	%ecx			/* 4a */ #= Ir=1
	mov	data + 64, %r15d	/* 4c */
	movl	$1, data + 128		/* 54 */
	nop				/* 5f */
	nop				/* 60 */
	ud2

	.org	0x80
2:	mov	data + 64, %r15d	/* 80 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	movl	$1, data + 128		/* 88 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	mov	$60, %eax		/* 93 */ #= Ir=1
	xor	%edi, %edi		/* 98 */ #= Ir=1
	syscall				/* 9a */ #= Ir=1
	.size	_start, . - _start

	.org	0x140
	.type	handler, @function
handler:
	mov	%r12, 168(%rdx)		/* 140 */ #= Ir=1 Dw=1 I1mr=1 D1mw=1 ILmr=1 DLmw=1
	add	$8, %rsp		/* 147 */ #= Ir=1
	mov	$15, %eax		/* 14b */ #= Ir=1
	syscall				/* 150 */ #= Ir=1
	.size	handler, . - handler

	.data
data:	.skip	0x200
	/* SA_SIGINFO and SA_RESTORER; the restorer is never called. */
action:	.quad	handler, 0x04000004, 0, 0
	.skip	0x2000
	.balign	64
stack_top:
	.quad	0
