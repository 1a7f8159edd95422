/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which line a set gives up: exact LRU in D1 and in LL, each by its own
 * references.  LL sees only what misses in L1, and what LL gives up stays in
 * L1.
 *
 * The state of the sets that matter is drawn after each reference, the most
 * recently used line first.  Offsets are those from 0x600000:
 *	D1 set 0: A 000, B 100, C 200, X 300 and u 700, v b00, w f00, x 1300
 *	D1 set 1: P 320 and U 720, V b20, W f20, Y 1320
 *	D1 set 2: Q 340, R 440, S 540
 *	LL set 12: X and P (one line, 300), u and U (700), v and V (b00),
 *		w and W (f00), x and Y (1300); the others are in other sets.
 *
 * A reference is "add line, %edx", so that none is dead.  Code is in the lines
 * 00 to c0 of I1, one miss each; every second one misses LL.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	xor	%edx, %eax		/* 05 */ #= Ir=1
	/* Two lines fit in a set of D1, three do not. */
	add	0x000(%rbx), %edx	/* 07: A       */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x100(%rbx), %edx	/* 09: B A     */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x004(%rbx), %edx	/* 0f: A B     */ #= Ir=1 Dr=1
	/* B is out, not A, which came earlier but was used later. */
	add	0x200(%rbx), %edx	/* 12: C A     */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x008(%rbx), %edx	/* 18: A C     */ #= Ir=1 Dr=1
	/* LL has them all. */
	add	0x104(%rbx), %edx	/* 1b: B A     */ #= Ir=1 Dr=1 I1mr=1 D1mr=1
	add	0x204(%rbx), %edx	/* 21: C B     */ #= Ir=1 Dr=1 D1mr=1
	/* A write brings a line in as a read does. */
	mov	%edx, 0x00c(%rbx)	/* 27: A C     */ #= Ir=1 Dw=1 D1mw=1
	mov	%edx, 0x208(%rbx)	/* 2a: C A     */ #= Ir=1 Dw=1
	addl	$1, 0x108(%rbx)		/* 30: B C     */ #= Ir=1 Dr=1 D1mr=1

	/* LL set 12 fills up and gives up X, which stays in D1. */
	add	0x300(%rbx), %edx	/* 37: X B     LL 300 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x720(%rbx), %edx	/* 3d: U       LL 700 300 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	add	0xb20(%rbx), %edx	/* 43: V U     LL b00 700 300 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0xf20(%rbx), %edx	/* 49: W V     LL f00 b00 700 300 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* A hit in D1 does not make X young in LL... */
	add	0x304(%rbx), %edx	/* 4f: X B */ #= Ir=1 Dr=1
	add	0x1320(%rbx), %edx	/* 55: Y W     LL 1300 f00 b00 700 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* ...and that it is gone there does not matter as long as it is in D1. */
	add	0x308(%rbx), %edx	/* 5b: X B */ #= Ir=1 Dr=1 I1mr=1
	add	0x20c(%rbx), %edx	/* 61: C X */ #= Ir=1 Dr=1 D1mr=1
	add	0x10c(%rbx), %edx	/* 67: B C */ #= Ir=1 Dr=1 D1mr=1
	add	0x30c(%rbx), %edx	/* 6d: X B     LL 300 1300 f00 b00 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1

	/* P, in X's line of LL, is brought into D1, and then that line goes out of LL. */
	add	0x320(%rbx), %edx	/* 73: P Y     LL 300 1300 f00 b00 */ #= Ir=1 Dr=1 D1mr=1
	add	0x700(%rbx), %edx	/* 79: u X     LL 700 300 1300 f00 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0xb00(%rbx), %edx	/* 7f: v u     LL b00 700 300 1300 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	add	0xf00(%rbx), %edx	/* 85: w v     LL f00 b00 700 300 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x1300(%rbx), %edx	/* 8b: x w     LL 1300 f00 b00 700 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Q goes out of D1 and stays in LL. */
	add	0x340(%rbx), %edx	/* 91: Q */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x440(%rbx), %edx	/* 97: R Q */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Bytes 9d to a2: enters line a0. */
	add	0x540(%rbx), %edx	/* 9d: S R */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 DLmr=1
	/*
	 * 33c to 343: P hits in D1, Q misses.  LL is asked for the whole
	 * reference: Q hits there, but P misses.
	 */
	add	0x33c(%rbx), %rdx	/* a3: P Y, Q S     LL 300 1300 f00 b00 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* So LL has P's line again, and 700 is out. */
	add	0x300(%rbx), %edx	/* aa: X x     LL 300 1300 f00 b00 */ #= Ir=1 Dr=1 D1mr=1
	add	0xb00(%rbx), %edx	/* b0: v X     LL b00 300 1300 f00 */ #= Ir=1 Dr=1 D1mr=1
	add	0x700(%rbx), %edx	/* b6: u v     LL 700 b00 300 1300 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Bytes bc to c0. */
	mov	$60, %eax		/* bc */ #= Ir=1 I1mr=1 ILmr=1
	xor	%edi, %edi		/* c1 */ #= Ir=1
	syscall				/* c3 */ #= Ir=1
	.size	_start, . - _start

	.data
data:	.skip	0x1400
