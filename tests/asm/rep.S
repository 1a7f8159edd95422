/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated string instructions.  Valgrind makes of "rep movsb" a loop of one
 * instruction:
 *
 *	if rcx is 0, go on after it; rcx -= 1; move a byte; again
 *
 * so n bytes are n + 1 instructions, each with the conditional branch of the
 * first step, and the references are made in n of them.  The branch leads to
 * the next instruction and is therefore counted the other way round: it is
 * "taken" as long as the loop goes on.  repe and repne have a second branch
 * after the comparison, taken as long as the loop goes on.
 *
 * A condition that Valgrind knows while it translates is no branch: the first
 * turn of a loop whose count is in the same superblock.
 *
 * Mispredictions: each instruction has counters of its own (their addresses
 * differ in the low 7 bits), all 0 at first, one for each history H of the
 * last 7 outcomes, the newest on the right; all are 0 at first.  A counter
 * says "taken" from 2 on.
 *
 * Architecturally an instruction is one whatever its rounds, which are Rep, and has
 * no branch.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	many, %rcx		/* 00 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	mov	$source, %esi		/* 08 */ #= Ir=1
	mov	$target, %edi		/* 0d */ #= Ir=1
	/*
	 * 12 bytes from 0x600020 (D1 misses, LL has the line of 0x600000) to
	 * 0x600078 to 7f and 0x600080 to 83 (two lines, new to D1 and LL).
	 *
	 * T 12 times, then N:
	 *	H 0000000 to 0111111	7 counters at 0: mispredicted
	 *	H 1111111		at 0, 1: mispredicted twice, then right 3 times
	 *	H 1111111, N		at 3: mispredicted
	 */
	rep movsb			/* 12 */ #~ Ir=1 Dr=12 Dw=12 D1mr=1 D1mw=2 DLmw=2 Rep=12 #= Ir=13 Dr=12 Dw=12 D1mr=1 D1mw=2 DLmw=2 Bc=13 Bcm=10
	mov	few, %rcx		/* 14 */ #= Ir=1 Dr=1
	/*
	 * 5 times 8 bytes to 0x600084, 8c, 94, 9c, a4.  The fourth straddles:
	 * 0x600080 hits, 0x6000a0 misses; both are one line of LL, which has it.
	 *
	 * T at H 1111110 1111101 1111011 1110111 1101111: counters at 0,
	 * mispredicted; N at H 1011111: right.
	 */
	rep stosq			/* 1c */ #~ Ir=1 Dw=5 D1mw=1 Rep=5 #= Ir=6 Dw=5 D1mw=1 Bc=6 Bcm=5
	/* Bytes 1f to 26: enters line 20.  Then N at H 0111110: right. */
	mov	none, %rcx		/* 1f */ #= Ir=1 Dr=1 I1mr=1
	rep movsb			/* 27 */ #~ Ir=1 #= Ir=1 Bc=1
	mov	many, %rcx		/* 29 */ #= Ir=1 Dr=1
	mov	$source, %esi		/* 31 */ #= Ir=1
	mov	$target, %edi		/* 36 */ #= Ir=1
	/*
	 * The bytes are equal: T T 12 times, then N.
	 *	H 1111100 1111001 1110011 1100111 1001111 0011111 0111111
	 *				7 counters at 0: mispredicted
	 *	H 1111111		at 0, 1: mispredicted twice, then right 15 times
	 *	H 1111111, N		at 3: mispredicted
	 */
	repe cmpsb			/* 3b */ #~ Ir=1 Dr=24 Rep=12 #= Ir=13 Dr=24 Bc=25 Bcm=10
	/* Bytes 3d to 44: enters line 40. */
	mov	many, %rcx		/* 3d */ #= Ir=1 Dr=1 I1mr=1 ILmr=1
	mov	$2, %al			/* 45 */ #= Ir=1
	mov	$source, %edi		/* 47 */ #= Ir=1
	/*
	 * The second byte is 2: T T T N.
	 * H 1111110 1111101 1111011: at 0, mispredicted; H 1110111, N: right.
	 */
	repne scasb			/* 4c */ #~ Ir=1 Dr=2 Rep=2 #= Ir=2 Dr=2 Bc=4 Bcm=3
	/* The first turn is known not to be the last.  T T N, H 1101110 1011101 0111011. */
	mov	$3, %ecx		/* 4e */ #= Ir=1
	mov	$target, %edi		/* 53 */ #= Ir=1
	rep stosb			/* 58 */ #~ Ir=1 Dw=3 Rep=3 #= Ir=4 Dw=3 Bc=3 Bcm=2
	/* The first turn is known to be the last. */
	xor	%ecx, %ecx		/* 5a */ #= Ir=1
	rep stosb			/* 5c */ #= Ir=1
	/* Bytes 5e to 62: enters line 60. */
	mov	$60, %eax		/* 5e */ #= Ir=1 I1mr=1
	xor	%edi, %edi		/* 63 */ #= Ir=1
	syscall				/* 65 */ #= Ir=1
	.size	_start, . - _start

	.data
many:	.quad	12
few:	.quad	5
none:	.quad	0
	.org	0x20
source:	.byte	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
	.org	0x78
target:	.skip	128
