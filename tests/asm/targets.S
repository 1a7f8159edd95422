/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two indirect jumps that share an entry of the table of targets, which is
 * chosen by the low 9 bits of the jump's address: A and B are 512 bytes apart
 * and go to different places, so each finds the other's target: both are
 * mispredicted in each of the 4 rounds.  C and D are 513 bytes apart: each is
 * mispredicted once.
 *
 * The ends of the loops: T T T N at histories 0000000 0000001 0000011 0000111,
 * counters 0: 3 mispredictions; then T T T N at 0001110 0011101 0111011
 * 1110111, by a branch of other low 7 bits: again 3.
 *
 * The lines of code are 00 40 80 c0 100 140 240 300, of I1 as of LL; 40 and 240,
 * 100 and 300 share a set of I1 without harm.  to_4 is in the second line of data.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	rounds, %ecx		/* 00 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	mov	to_b, %rsi		/* 07 */ #= Ir=1 Dr=1
	mov	to_2, %rdi		/* 0f */ #= Ir=1 Dr=1
1:	jmp	a			/* 17 */ #= Ir=4
	.org	0x40
a:	jmp	*%rsi			/* 40 */ #= Ir=4 I1mr=1 ILmr=1 Bi=4 Bim=4
	.org	0x80
2:	dec	%ecx			/* 80 */ #= Ir=4 I1mr=1 ILmr=1
	jnz	1b			/* 82 */ #= Ir=4 Bc=4 Bcm=3
	mov	rounds, %ecx		/* 84 */ #= Ir=1 Dr=1
	mov	to_d, %rsi		/* 8b */ #= Ir=1 Dr=1
	mov	to_4, %rdi		/* 93 */ #= Ir=1 Dr=1 D1mr=1
	jmp	3f			/* 9b */ #= Ir=1
	.org	0xc0
3:	jmp	c			/* c0 */ #= Ir=4 I1mr=1 ILmr=1
	.org	0x100
c:	jmp	*%rsi			/* 100 */ #= Ir=4 I1mr=1 ILmr=1 Bi=4 Bim=1
	.org	0x144
4:	dec	%ecx			/* 144 */ #= Ir=4 I1mr=1 ILmr=1
	jnz	3b			/* 146 */ #= Ir=4 Bc=4 Bcm=3
	mov	$60, %eax		/* 14c */ #= Ir=1
	xor	%edi, %edi		/* 151 */ #= Ir=1
	syscall				/* 153 */ #= Ir=1
	.org	0x240
b:	jmp	*%rdi			/* 240 */ #= Ir=4 I1mr=1 ILmr=1 Bi=4 Bim=4
	.org	0x301
d:	jmp	*%rdi			/* 301 */ #= Ir=4 I1mr=1 ILmr=1 Bi=4 Bim=1
	.size	_start, . - _start

	.data
rounds:	.long	4
	.balign	8
to_b:	.quad	b
to_2:	.quad	2b
to_d:	.quad	d
to_4:	.quad	4b
