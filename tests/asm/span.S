/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A superblock that spans functions: a falls through into b, and b into code
 * that belongs to no function and so is of b, which comes there.  Each
 * instruction's costs belong to its own function.
 *
 * The history at the end of the loop is 0000000 0000001 and so on: of 10 turns
 * (T 9 times, then N) all are mispredicted: 7 at counters 0 of the histories
 * before 1111111, T at 0, T at 1 and N at 2 there.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$stack_top, %esp	/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	rounds, %ebx		/* 05 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
1:	call	a			/* 0c */ #= Ir=10 Dw=10 D1mw=1 DLmw=1
	dec	%ebx			/* 11 */ #= Ir=10
	jnz	1b			/* 13 */ #= Ir=10 Bc=10 Bcm=10
	mov	$60, %eax		/* 15 */ #= Ir=1
	xor	%edi, %edi		/* 1a */ #= Ir=1
	syscall				/* 1c */ #= Ir=1
	.size	_start, . - _start

	.balign	32
	.globl	a
	.type	a, @function
a:	nop				/* 20 */ #= Ir=10 I1mr=1
	incl	count			/* 21 */ #= Ir=10 Dr=10
	.size	a, . - a
	.globl	b
	.type	b, @function
b:	nop				/* 28 */ #= Ir=10
	incl	count + 4		/* 29 */ #= Ir=10 Dr=10
	nop				/* 30 */ #= Ir=10
	.size	b, . - b
	/* Behind the end of b, before any other symbol. */
	nop				/* 31 */ #= Ir=10
	ret				/* 32 */ #= Ir=10 Dr=10

	.data
rounds:	.long	10
count:	.long	0, 0
	.org	0x1028
stack_top:
	.quad	0
