/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indirect jumps and calls, through registers and memory, and what is none:
 * returns, direct jumps and calls, and targets that Valgrind knows because they
 * are in the same superblock.
 *
 * Each has an entry of its own in the table of targets (their addresses differ
 * in the low 9 bits), which holds the last target: 3 rounds through the same
 * target are mispredicted once, as the entries start at 0.  The one at "turn"
 * alternates between two targets, f g f, and is mispredicted each time.
 *
 * The end of the loop: T T N at histories 0000000 0000001 0000011, counters 0:
 * two mispredictions.
 *
 * Data: lines 0x600000 and 0x600020 (turns; the same line of LL) have the
 * pointers, 0x601000 the stack, which shares set 0 of D1 and LL with the first.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$stack_top, %esp	/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	rounds, %ebx		/* 05 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
1:	mov	to_f, %rax		/* 0c */ #= Ir=3 Dr=3
	call	*%rax			/* 14 */ #= Ir=3 Dw=3 D1mw=1 DLmw=1 Bi=3 Bim=1
	/* A read of the target and a write of the return address.  Bytes 16 to 1c. */
	call	*to_f			/* 16 */ #= Ir=3 Dr=3 Dw=3 Bi=3 Bim=1
	/* Bytes 1d to 24: enters line 20. */
	mov	to_2, %rax		/* 1d */ #= Ir=3 Dr=3 I1mr=1
	jmp	*%rax			/* 25 */ #= Ir=3 Bi=3 Bim=1
	ud2				/* 27 */
2:	jmp	*to_3			/* 29 */ #= Ir=3 Dr=3 Bi=3 Bim=1
	ud2				/* 30 */
	/* A known target: as good as a direct call. */
3:	mov	$f, %eax		/* 32 */ #= Ir=3
	call	*%rax			/* 37 */ #= Ir=3 Dw=3
	call	f			/* 39 */ #= Ir=3 Dw=3
	/* Bytes 3e to 3f.  A jump by a return. */
	push	$4f			/* 3e */ #= Ir=3 Dw=3 I1mr=1 ILmr=1
	ret				/* 43 */ #= Ir=3 Dr=3
	ud2				/* 44 */
	/* f, g, f. */
4:	mov	turns(,%rbx,8), %rcx	/* 46 */ #= Ir=3 Dr=3 D1mr=1
	call	*%rcx			/* 4e */ #= Ir=3 Dw=3 Bi=3 Bim=3
	dec	%ebx			/* 50 */ #= Ir=3
	jnz	1b			/* 52 */ #= Ir=3 Bc=3 Bcm=2
	mov	$60, %eax		/* 54 */ #= Ir=1
	xor	%edi, %edi		/* 59 */ #= Ir=1
	syscall				/* 5b */ #= Ir=1
	.size	_start, . - _start

	/* Called 3 times each from four places, and twice by turns. */
	.balign	64
	.type	f, @function
f:	ret				/* 80 */ #= Ir=14 Dr=14 I1mr=1 ILmr=1
	.size	f, . - f
	/* Takes 8 more bytes off the stack, which the caller does not miss. */
	.balign	32
	.type	g, @function
g:	push	(%rsp)			/* a0 */ #= Ir=1 Dr=1 Dw=1 I1mr=1
	ret	$8			/* a3 */ #= Ir=1 Dr=1
	.size	g, . - g

	.data
rounds:	.long	3
	.balign	8
to_f:	.quad	f
to_2:	.quad	2b
to_3:	.quad	3b
turns:	.quad	0, f, g, f
	.org	0x1018
stack_top:
	.quad	0
