/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * References longer than a line.  Valgrind's cache simulations cut what the
 * x87 and fxsave instructions read and write to the smallest line size of the
 * three caches, here 32 B:
 *
 *	fnstenv, fldenv	28 bytes
 *	fnsave, frstor	108 bytes, cut to 32
 *	fxsave, fxrstor	made of 18 references: the x87 state, 160 bytes, cut
 *			to 32; the control word of SSE, 8 bytes at 18; and the
 *			16 registers, 16 bytes each, at a0 to 19f
 *
 * Architecturally each is one reference of all its bytes, fxsave of 512.  Then
 *
 *	80 to eb	are 4 lines of D1, and e1 to 14c 4 more
 *	200 to 3ff	are 16: two in each set, nothing older stays
 *	410 to 60f	are 17, three of them in set 0: 400 has gone when 600 comes, and
 *			so the way back misses 400, 500 and 600, one after another; LL
 *			has them all
 *
 * Offsets are those from 0x600000.  Each line of LL is touched here for the
 * first time but where it is said to hit.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	/* 04 to 1f: one line. */
	fnstenv	0x04(%rbx)		/* 05 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	/* 45 to 60: 40 and 60. */
	fnstenv	0x45(%rbx)		/* 08 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	/* 80 to 9f of 80 to eb: one line; the next one is not touched, in LL it hits. */
	fnsave	0x80(%rbx)		/* 0b */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	add	0xa0(%rbx), %edx	/* 11 */ #~ Ir=1 Dr=1 #= Ir=1 Dr=1 D1mr=1
	/* e1 to 100: e0 and 100. */
	fnsave	0xe1(%rbx)		/* 17 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	/* Bytes 1d to 1f, and 20 to 25. */
	fldenv	0x04(%rbx)		/* 1d */ #= Ir=1 Dr=1
	frstor	0x80(%rbx)		/* 20 */ #= Ir=1 Dr=1 I1mr=1
	/*
	 * 200 to 21f; 218 hits; registers in 2a0 2c0 2e0 300 320 340 360 380: 9
	 * lines of D1, of LL 200 280 2c0 300 340 380.
	 */
	fxsave	0x200(%rbx)		/* 26 */ #~ Ir=1 Dw=1 D1mw=1 DLmw=1 #= Ir=1 Dw=18 D1mw=9 DLmw=6
	/*
	 * 410 to 42f, two lines at once; 428 hits; registers from 4b0 in 4a0 4c0
	 * 4e0 500 520 540 560 580 5a0: 10 misses; of LL 400 480 4c0 500 540 580.
	 */
	fxsave	0x410(%rbx)		/* 2d */ #~ Ir=1 Dw=1 D1mw=1 DLmw=1 #= Ir=1 Dw=18 D1mw=10 DLmw=6
	/* Its lines are all in D1 still. */
	fxrstor	0x410(%rbx)		/* 34 */ #~ Ir=1 Dr=1 D1mr=1 #= Ir=1 Dr=18
	/* 440 is past what was cut off.  Bytes 3b to 40: enters line 40. */
	add	0x444(%rbx), %edx	/* 3b */ #~ Ir=1 Dr=1 I1mr=1 ILmr=1 #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	mov	$60, %eax		/* 41 */ #= Ir=1
	xor	%edi, %edi		/* 46 */ #= Ir=1
	syscall				/* 48 */ #= Ir=1
	.size	_start, . - _start

	.data
data:	.skip	0x800
