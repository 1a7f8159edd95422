/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls by constants, registers and memory, of all thirteen events.
 *
 *	c	mov ret			Ir=2 Dr=2
 *	b	nop call ret		Ir=3 Dr=1 Dw=1, and c: Ir=5 Dr=3 Dw=1
 *	a	call call ret		Ir=3 Dr=1 Dw=2, and twice b: Ir=13 Dr=7 Dw=4
 * main calls a once, b 5 times (once by a register), c once by memory: b is called
 * 7 times, c 8 times.
 *
 * Each function is in lines of its own of I1 and of LL.  Code misses once a line, at its first call:
 *	main	two lines of I1, one of LL
 *	a, b, c	one of each
 * so the first call of a costs I1mr=3 ILmr=3, and later calls nothing.
 * Return addresses are in one line of D1 and LL, in which the first call of
 * main misses; the word that c reads is in another, in which its first read
 * misses; the word that holds c's address is in a third.
 *
 * The loop of 3 turns: T T N at the histories 0 1 3, at counters 0: T is
 * mispredicted, N is not.  Both indirect calls come for the first time.
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=19 Dr=1 Dw=7 I1mr=2 D1mr=1 D1mw=1 ILmr=1 DLmr=1 DLmw=1 Bc=3 Bcm=2 Bi=2 Bim=2
	mov	$stack_top, %esp	/* 00 */
	mov	$b, %ebp		/* 05 */
	call	a			/* 0a */ #> main a 1 Ir=13 Dr=7 Dw=4 I1mr=3 D1mr=1 ILmr=3 DLmr=1
	call	b			/* 0f */ #> main b 1 Ir=5 Dr=3 Dw=1
	mov	$3, %ebx		/* 14 */
1:	call	b			/* 19 */ #> main b 3 Ir=15 Dr=9 Dw=3
	dec	%ebx			/* 1e */
	jnz	1b			/* 20 */
	/* In another superblock than the constant, or Valgrind knows the target. */
	call	*%rbp			/* 22 */ #> main b 1 Ir=5 Dr=3 Dw=1
	call	*pointer		/* 24 */ #> main c 1 Ir=2 Dr=2
	mov	$60, %eax		/* 2b */
	xor	%edi, %edi		/* 30 */
	syscall				/* 32 */
	.size	main, . - main

	.org	0x40
	.type	a, @function
a:					#@ a Ir=3 Dr=1 Dw=2 I1mr=1 ILmr=1
	call	b			#> a b 1 Ir=5 Dr=3 Dw=1 I1mr=2 D1mr=1 ILmr=2 DLmr=1
	call	b			#> a b 1 Ir=5 Dr=3 Dw=1
	ret
	.size	a, . - a

	.org	0x80
	.type	b, @function
b:					#@ b Ir=21 Dr=7 Dw=7 I1mr=1 ILmr=1
	nop
	call	c			#> b c 7 Ir=14 Dr=14 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	ret
	.size	b, . - b

	.org	0xc0
	.type	c, @function
c:					#@ c Ir=16 Dr=16 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	mov	word, %ecx
	ret
	.size	c, . - c

	.data
word:	.quad	0
	.org	0x40
pointer:
	.quad	c
	.org	0x1a0
stack_top:
	.quad	0
