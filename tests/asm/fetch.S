/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that straddle two lines of code: one fetch, which touches both
 * lines and misses if either missed.  Lines of I1 begin at each 20, LL's
 * at each 40; no two lines that are touched share a set.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	jmp	a			/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	/* Both lines cold: 60 and 80 of I1, 40 and 80 of LL. */
	.org	0x7e
a:	mov	$1, %eax		/* 7e */ #= Ir=1 I1mr=1 ILmr=1
	jmp	c			/* 83 */ #= Ir=1
	/* The second line first: c0 is cold, e0 hits.  Both are line c0 of LL, which has it. */
	.org	0xde
b:	mov	$2, %eax		/* de */ #= Ir=1 I1mr=1
	jmp	d			/* e3 */ #= Ir=1
	.org	0xe8
c:	jmp	b			/* e8 */ #= Ir=1 I1mr=1 ILmr=1
	/* The first line is hit, 140 of I1 and of LL is cold. */
	.org	0x13c
d:	nop				/* 13c */ #= Ir=1 I1mr=1 ILmr=1
	mov	$3, %ecx		/* 13d */ #= Ir=1 I1mr=1 ILmr=1
	jmp	e			/* 142 */ #= Ir=1
	/*
	 * Three times: 160 and 180 are cold once, LL has 140 and misses 180.  The
	 * branch goes T T N at histories 0000000 0000001 0000011, counters 0.
	 */
	.org	0x17d
e:	mov	$4, %eax		/* 17d */ #= Ir=3 I1mr=1 ILmr=1
	dec	%ecx			/* 182 */ #= Ir=3
	jnz	e			/* 184 */ #= Ir=3 Bc=3 Bcm=2
	mov	$60, %eax		/* 186 */ #= Ir=1
	xor	%edi, %edi		/* 18b */ #= Ir=1
	syscall				/* 18d */ #= Ir=1
	.size	_start, . - _start

	.data
	.quad	0
