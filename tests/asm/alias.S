/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two branches that share a counter.  A counter is chosen by the last 7
 * outcomes and the low 7 bits of the branch's address: A, always taken, and B,
 * never taken, 128 bytes after it, share theirs if the histories are equal.
 * They are made equal by 7 branches before each that are never taken.
 *
 * 5 rounds; the history is 0000000 at A, at B and at the end of the loop:
 *	A	counter 0: T mispredicted, now 1
 *	B	counter 1: N predicted, now 0
 *	end	T T T T N at counters 0 1 2 3 3: mispredicted 3 times
 * so A is mispredicted 5 times, B never.
 *
 * C and D do the same, but D is 129 bytes after C, so each has a counter:
 *	C	T at counters 0 1 2 3 3: mispredicted twice
 *	D	N at counter 0: never
 *
 * A, B, C and D are at 0x40, 0xc0, 0x150 and 0x1d1, the ends at 0xc4 and 0x1d5,
 * the groups of 7 at 0x12, 0x82, 0x112 and 0x182, each 14 bytes.  But for A and
 * B, and for the groups, whose counters stay at 0, no two agree in the low 7 bits.
 *
 * The code touches the lines 00 20 40 80 c0 100 120 140 180 1c0 1e0 of I1, each
 * in a set of its own, and 00 40 80 c0 100 140 180 1c0 of LL.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	rounds, %ecx		/* 00 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	/* Is not 0, and jumps leave the flags as they are. */
1:	test	%ecx, %ecx		/* 07 */ #= Ir=5
	jmp	2f			/* 09 */ #= Ir=5
	.org	0x10
9:	ud2
2:	jz 9b; jz 9b; jz 9b; jz 9b; jz 9b; jz 9b; jz 9b /* 12 */ #= Ir=35 Bc=35
	jmp	a			/* 20 */ #= Ir=5 I1mr=1
	.org	0x40
a:	jnz	3f			/* 40 */ #= Ir=5 I1mr=1 ILmr=1 Bc=5 Bcm=5
	.org	0x80
9:	ud2
3:	jz 9b; jz 9b; jz 9b; jz 9b; jz 9b; jz 9b; jz 9b /* 82 */ #= Ir=35 I1mr=1 ILmr=1 Bc=35
	jmp	b			/* 90 */ #= Ir=5
	.org	0xc0
b:	jz	9b			/* c0 */ #= Ir=5 I1mr=1 ILmr=1 Bc=5
	dec	%ecx			/* c2 */ #= Ir=5
	jnz	1b			/* c4 */ #= Ir=5 Bc=5 Bcm=3

	mov	rounds, %ecx		/* ca */ #= Ir=1 Dr=1
4:	test	%ecx, %ecx		/* d1 */ #= Ir=5
	jmp	5f			/* d3 */ #= Ir=5
	.org	0x110
9:	ud2
5:	jz 9b; jz 9b; jz 9b; jz 9b; jz 9b; jz 9b; jz 9b /* 112 */ #= Ir=35 I1mr=1 ILmr=1 Bc=35
	jmp	c			/* 120 */ #= Ir=5 I1mr=1
	.org	0x150
c:	jnz	6f			/* 150 */ #= Ir=5 I1mr=1 ILmr=1 Bc=5 Bcm=2
	.org	0x180
9:	ud2
6:	jz 9b; jz 9b; jz 9b; jz 9b; jz 9b; jz 9b; jz 9b /* 182 */ #= Ir=35 I1mr=1 ILmr=1 Bc=35
	jmp	d			/* 190 */ #= Ir=5
	.org	0x1d1
d:	jz	9b			/* 1d1 */ #= Ir=5 I1mr=1 ILmr=1 Bc=5
	dec	%ecx			/* 1d3 */ #= Ir=5
	jnz	4b			/* 1d5 */ #= Ir=5 Bc=5 Bcm=3
	mov	$60, %eax		/* 1db */ #= Ir=1
	xor	%edi, %edi		/* 1e0 */ #= Ir=1 I1mr=1
	syscall				/* 1e2 */ #= Ir=1
	.size	_start, . - _start

	.data
rounds:	.long	5
