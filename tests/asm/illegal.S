/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that trap.  Each counts once; one that Valgrind cannot decode
 * has no length that it knows and counts as one of 1 byte.
 *
 * The handler goes on at the address in r12.  It touches one word of the signal
 * frame, whose place is Valgrind's affair; therefore D1 and LL are fully
 * associative here and large enough for all: each line misses once.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	/* rt_sigaction(SIGILL, &action, NULL, 8) */
	mov	$13, %eax		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	$4, %edi		/* 05 */ #= Ir=1
	mov	$action, %esi		/* 0a */ #= Ir=1
	xor	%edx, %edx		/* 0f */ #= Ir=1
	mov	$8, %r10d		/* 11 */ #= Ir=1
	syscall				/* 17 */ #= Ir=1
	/* rt_sigaction(SIGTRAP, &action, NULL, 8).  Bytes 1e to 22: enters line 20. */
	mov	$13, %eax		/* 19 */ #= Ir=1
	mov	$5, %edi		/* 1e */ #= Ir=1 I1mr=1
	mov	$action, %esi		/* 23 */ #= Ir=1
	xor	%edx, %edx		/* 28 */ #= Ir=1
	mov	$8, %r10d		/* 2a */ #= Ir=1
	syscall				/* 30 */ #= Ir=1
	mov	$stack_top, %esp	/* 32 */ #= Ir=1
	mov	$1f, %r12d		/* 37 */ #= Ir=1
	ud2				/* 3d */ #= Ir=1

	/* 7f and 80: the 2 bytes of ud2 touch lines 60 and 80, of LL 40 and 80. */
	.org	0x40
1:	mov	$2f, %r12d		/* 40 */ #= Ir=1 I1mr=1 ILmr=1
	jmp	9f			/* 46 */ #= Ir=1
	.org	0x7f
9:	ud2				/* 7f */ #= Ir=1 I1mr=1 ILmr=1
	/* So LL has the line of a0. */
	.org	0xa0
2:	mov	$3f, %r12d		/* a0 */ #= Ir=1 I1mr=1
	jmp	9f			/* a6 */ #= Ir=1

	/* df to e1: but only line c0 is touched, as line e0 is cold afterwards. */
	.org	0xdf
9:	vmcall				/* df */ #= Ir=1 I1mr=1 ILmr=1
	.org	0xf0
3:	mov	$4f, %r12d		/* f0 */ #= Ir=1 I1mr=1
	int3				/* f6 */ #= Ir=1
	nop				/* f7 */

	.org	0x100
4:	mov	$60, %eax		/* 100 */ #= Ir=1 I1mr=1 ILmr=1
	xor	%edi, %edi		/* 105 */ #= Ir=1
	syscall				/* 107 */ #= Ir=1
	.size	_start, . - _start

	/* Four times: sets RIP in the frame, then rt_sigreturn() as if after a return. */
	.org	0x140
	.type	handler, @function
handler:
	mov	%r12, 168(%rdx)		/* 140 */ #= Ir=4 Dw=4 I1mr=1 D1mw=1 ILmr=1 DLmw=1
	add	$8, %rsp		/* 147 */ #= Ir=4
	mov	$15, %eax		/* 14b */ #= Ir=4
	syscall				/* 150 */ #= Ir=4
	.size	handler, . - handler

	.data
	/* SA_SIGINFO and SA_RESTORER; the restorer is never called. */
action:	.quad	handler, 0x04000004, 0, 0
	.skip	0x2000
	.balign	64
stack_top:
	.quad	0
