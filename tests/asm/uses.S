/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --cacheuse: what lines have cost whoever brought them in, 1000 / uses and
 * the bytes that were never used.  Parts are bytes in L1 (lines of 32 B), and
 * pairs of bytes in LL (lines of 64 B).
 *
 * Lines of data by their offset from 0x600000, with the D1 set: X 300, U 700
 * and V b00 (0), P 320 (1), Q 2e0 (7).  LL has X and P in one line.
 *
 * Nothing goes but X and U from D1, once each.  At the end there are, with
 * the instruction that brought them in, uses and used bytes:
 *	I1 00	00	6	all
 *	I1 20	1f	7	all
 *	I1 40	3f	1	40
 *	LL 00	00	6 + 7	all
 *	LL 40	3f	1	40, so 2 in LL
 *	D1 X	2b	2	31c to 31f, 300 and 301
 *	D1 V	1f	1	4
 *	D1 P	25	1	4
 *	D1 Q	32	1	2
 *	LL X	05	3 of D1's first X, 2 of the second, 1 of P; in pairs 300 302 31c 31e 320 322
 *	LL U	18	1	8
 *	LL V	1f	1	4
 *	LL Q	32	1	2
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	/* I1 00: 1000 / 6.  LL 00: 1000 / 13. */
	mov	$data, %ebx		/* 00 */ #= Ir=1 I1mr=1 ILmr=1 AcCost1=166 AcCost2=76
	/* The first X in D1, until 1f: 1000 / 3, and 5 bytes.  LL X: 1000 / 6, 64 - 12. */
	add	0x300(%rbx), %edx	/* 05: X */ #= Ir=1 Dr=1 D1mr=1 DLmr=1 AcCost1=333 SpLoss1=27 AcCost2=166 SpLoss2=52
	add	0x302(%rbx), %dx	/* 0b: X */ #= Ir=1 Dr=1
	movb	%dl, 0x31f(%rbx)	/* 12: X */ #= Ir=1 Dw=1
	/* U, until 2b. */
	add	0x700(%rbx), %rdx	/* 18: U X */ #= Ir=1 Dr=1 D1mr=1 DLmr=1 AcCost1=1000 SpLoss1=24 AcCost2=1000 SpLoss2=56
	/* Bytes 1f to 24.  I1 20: 1000 / 7; and V. */
	add	0xb00(%rbx), %edx	/* 1f: V U */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 DLmr=1 AcCost1=1142 SpLoss1=28 AcCost2=1000 SpLoss2=60
	add	0x320(%rbx), %edx	/* 25: P */ #= Ir=1 Dr=1 D1mr=1 AcCost1=1000 SpLoss1=28
	/* A modify is one use. */
	addl	$1, 0x31c(%rbx)		/* 2b: X V */ #= Ir=1 Dr=1 D1mr=1 AcCost1=500 SpLoss1=26
	/* 2fe to 301: a use of Q and one of X. */
	add	0x2fe(%rbx), %edx	/* 32: X V, Q */ #= Ir=1 Dr=1 D1mr=1 DLmr=1 AcCost1=1000 SpLoss1=30 AcCost2=1000 SpLoss2=62
	xor	%edi, %edi		/* 38 */ #= Ir=1
	mov	$60, %eax		/* 3a */ #= Ir=1
	/* Bytes 3f and 40. */
	syscall				/* 3f */ #= Ir=1 I1mr=1 ILmr=1 AcCost1=1000 SpLoss1=31 AcCost2=1000 SpLoss2=62
	.size	_start, . - _start

	.data
data:	.skip	0x1400
