/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code that the program writes itself, into anonymous memory, and changes while
 * it is in use.  It has no object, no function and no line: its instructions
 * are known by their addresses alone, at 0x700000:
 *
 *			calls 1 to 4	5 to 7		8 and 9		counts
 *	0x700000	nop		clc		clc		9
 *	0x700001	inc %r13d	inc %r13d	ret		9
 *	0x700004	ret		ret				7
 *
 * so 25 instructions, 9 returns, each with a read.  The code is line 0x700000
 * of I1, where it misses once, like the code at 0x400000 in set 0, which holds
 * both.  LL has the line then, as the code was written to it before.
 *
 * A loop of n turns ends in a branch that goes T n - 1 times, then N, at
 * histories that are new to it: all T are mispredicted, N is not.  The first:
 * 0000000 0000001 0000011 0000111; the second: 0001110 0011101 0111011; the
 * third: 1110110 1101101.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	/* mmap(0x700000, 4096, PROT_READ | WRITE | EXEC, MAP_PRIVATE | ANON | FIXED, -1, 0) */
	mov	$9, %eax		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	$0x700000, %edi		/* 05 */ #= Ir=1
	mov	$4096, %esi		/* 0a */ #= Ir=1
	mov	$7, %edx		/* 0f */ #= Ir=1
	mov	$0x32, %r10d		/* 14 */ #= Ir=1
	/* Bytes 1a to 20: enters line 20. */
	mov	$-1, %r8		/* 1a */ #= Ir=1 I1mr=1
	xor	%r9d, %r9d		/* 21 */ #= Ir=1
	syscall				/* 24 */ #= Ir=1
	mov	$stack_top, %esp	/* 26 */ #= Ir=1
	mov	%rax, %rbx		/* 2b */ #= Ir=1
	/* nop; inc %r13d; and ret */
	movl	$0xc5ff4190, (%rbx)	/* 2e */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	movb	$0xc3, 4(%rbx)		/* 34 */ #= Ir=1 Dw=1
	mov	$4, %ebp		/* 38 */ #= Ir=1
	/* Bytes 3d to 3e, and 3f to 40: enters line 40. */
1:	call	*%rbx			/* 3d */ #= Ir=4 Dw=4 D1mw=1 DLmw=1 Bi=4 Bim=1
	dec	%ebp			/* 3f */ #= Ir=4 I1mr=1 ILmr=1
	jnz	1b			/* 41 */ #= Ir=4 Bc=4 Bcm=3
	/* clc */
	movb	$0xf8, (%rbx)		/* 43 */ #= Ir=1 Dw=1
	mov	$3, %ebp		/* 46 */ #= Ir=1
2:	call	*%rbx			/* 4b */ #= Ir=3 Dw=3 Bi=3 Bim=1
	dec	%ebp			/* 4d */ #= Ir=3
	jnz	2b			/* 4f */ #= Ir=3 Bc=3 Bcm=2
	/* ret, where the inc begins */
	movb	$0xc3, 1(%rbx)		/* 51 */ #= Ir=1 Dw=1
	mov	$2, %ebp		/* 55 */ #= Ir=1
3:	call	*%rbx			/* 5a */ #= Ir=2 Dw=2 Bi=2 Bim=1
	dec	%ebp			/* 5c */ #= Ir=2
	/* Bytes 5e to 5f, and then line 60. */
	jnz	3b			/* 5e */ #= Ir=2 Bc=2 Bcm=1
	mov	$60, %eax		/* 60 */ #= Ir=1 I1mr=1
	xor	%edi, %edi		/* 65 */ #= Ir=1
	syscall				/* 67 */ #= Ir=1
	.size	_start, . - _start

	.data
	.org	0x1028
stack_top:
	.quad	0
