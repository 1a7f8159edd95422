/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditional branches, one kind after the other.
 *
 * H is the history, the last 7 outcomes with the newest on the right.  Each
 * branch has a counter of its own for each H (no two branches here share the
 * low 7 bits of their addresses); it starts at 0, goes up to 3 with each
 * "taken" (T) and down to 0 with each "not taken" (N), and predicts T from 2
 * on.  So N at a counter of 0 or 1 is predicted, T at 0 or 1 is not.
 *
 * The code is in lines 00, 20 and 40 of I1, 00 and 40 of LL.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	ten, %ecx		/* 00 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	/*
	 * A loop of 10 turns: T 9 times, then N.
	 *	H 0000000 0000001 0000011 0000111 0001111 0011111 0111111
	 *			at 0: 7 mispredicted
	 *	H 1111111	T at 0, T at 1, N at 2: 3 mispredicted
	 */
1:	dec	%ecx			/* 07 */ #= Ir=10
	jnz	1b			/* 09 */ #= Ir=10 Bc=10 Bcm=10
	/*
	 * T T T N by the loop instruction, at
	 *	H 1111110 1111101 1111011	counter 0: mispredicted
	 *	H 1110111			counter 0: right
	 */
	mov	four, %ecx		/* 0b */ #= Ir=1 Dr=1
2:	loop	2b			/* 12 */ #= Ir=4 Bc=4 Bcm=3
	/*
	 * The same with a count that is in the same superblock: Valgrind
	 * knows that the first turn is not the last, and so that one has no
	 * conditional branch.  T T N remain, at
	 *	H 1101110 1011101	counter 0: mispredicted
	 *	H 0111011		counter 0: right
	 */
	mov	$4, %ecx		/* 14 */ #= Ir=1
3:	loop	3b			/* 19 */ #= Ir=4 Bc=3 Bcm=2
	/* rcx is 0: T at H 1110110, mispredicted.  Byte 1b to 1c. */
	jrcxz	4f			/* 1b */ #= Ir=1 Bc=1 Bcm=1
	ud2				/* 1d */
	/* N at H 1101101: right.  Bytes 1f to 25: enters line 20. */
4:	cmp	%ecx, ten		/* 1f */ #= Ir=1 Dr=1 I1mr=1
	jz	4b			/* 26 */ #= Ir=1 Bc=1
	/*
	 * A branch to the next instruction: wherever it goes, it goes there.
	 * Valgrind leaves the superblock if the condition holds, and what leaves
	 * it for the next instruction counts as not taken: this one as taken.
	 * T at H 1011010: mispredicted.
	 */
	jz	5f			/* 28 */ #= Ir=1 Bc=1 Bcm=1
	/* A jump without condition, setcc and cmovcc are no branches. */
5:	jmp	6f			/* 2a */ #= Ir=1
	ud2				/* 2c */
6:	cmp	%ecx, ten		/* 2e */ #= Ir=1 Dr=1
	setz	%dl			/* 35 */ #= Ir=1
	cmovz	%eax, %ebx		/* 38 */ #= Ir=1
	/* Bytes 3b to 3f, then line 40. */
	mov	$60, %eax		/* 3b */ #= Ir=1
	xor	%edi, %edi		/* 40 */ #= Ir=1 I1mr=1 ILmr=1
	syscall				/* 42 */ #= Ir=1
	.size	_start, . - _start

	.data
ten:	.long	10
four:	.long	4
