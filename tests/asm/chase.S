/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "if (a && b)" with a false: what follows the first branch never runs.
 * Valgrind can translate the two tests into one branch, and then it runs the
 * second test at any rate; a tool that lets it do so counts instructions that
 * were not executed.
 *
 * A is the first branch, E the end of the loop; T each time, but N at the last
 * E.  H is the history, c the counter that belongs to the branch and H.
 *
 *	turn	A		E
 *	1	0000000 c0 !	0000001 c0 !
 *	2	0000011 c0 !	0000111 c0 !
 *	3	0001111 c0 !	0011111 c0 !
 *	4	0111111 c0 !	1111111 c0 !
 *	5	1111111 c0 !	1111111 c1 !
 *	6	1111111 c1 !	1111111 c2
 *	7 to 9	right		right
 *	10	right		1111111 c3 ! (N)
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	turns, %ecx		/* 00 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	mov	first, %esi		/* 07 */ #= Ir=1 Dr=1
	mov	second, %edi		/* 0e */ #= Ir=1 Dr=1
1:	cmp	$1, %esi		/* 15 */ #= Ir=10
	jne	2f			/* 18 */ #= Ir=10 Bc=10 Bcm=6
	cmp	$1, %edi		/* 1a */
	jne	2f			/* 1d */
	inc	%edx			/* 1f */
2:	dec	%ecx			/* 21 */ #= Ir=10 I1mr=1
	jnz	1b			/* 23 */ #= Ir=10 Bc=10 Bcm=6
	mov	$60, %eax		/* 25 */ #= Ir=1
	xor	%edi, %edi		/* 2a */ #= Ir=1
	syscall				/* 2c */ #= Ir=1
	.size	_start, . - _start

	.data
turns:	.long	10
first:	.long	0
second:	.long	1
