/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A straight line: reads and writes of every size, what looks like a reference
 * and is none, and the first touch of every line of code, data and stack.
 *
 * Each instruction has its offset from 0x400000, so that one sees where it
 * enters a line of code: 32 B in I1, 64 B in LL.  One that straddles two lines
 * is one fetch of both, and misses if either missed.
 *
 * All is one superblock, in which Valgrind removes loads whose result is not
 * used: they are not counted, by Cachegrind neither.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$stack_top, %esp	/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	$words, %ebx		/* 05 */ #= Ir=1
	/* Line 0x600000 of D1 and LL: the first touch misses both. */
	mov	(%rbx), %eax		/* 0a */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	movzbl	3(%rbx), %ecx		/* 0c */ #= Ir=1 Dr=1
	movzwl	6(%rbx), %edx		/* 10 */ #= Ir=1 Dr=1
	mov	8(%rbx), %rsi		/* 14 */ #= Ir=1 Dr=1
	movups	16(%rbx), %xmm0		/* 18 */ #= Ir=1 Dr=1
	/* Line 0x600020 of D1, the second half of the line that LL has. */
	mov	%eax, 32(%rbx)		/* 1c */ #= Ir=1 Dw=1 D1mw=1
	/* Bytes 1f to 21: enters line 20 of I1, the second half of LL's line 00. */
	mov	%cl, 36(%rbx)		/* 1f */ #= Ir=1 Dw=1 I1mr=1
	mov	%dx, 38(%rbx)		/* 22 */ #= Ir=1 Dw=1
	mov	%rsi, 40(%rbx)		/* 26 */ #= Ir=1 Dw=1
	movups	%xmm0, 48(%rbx)		/* 2a */ #= Ir=1 Dw=1
	/* No references: an address that is only computed, a hint. */
	nop				/* 2e */ #= Ir=1
	lea	64(%rbx), %rdi		/* 2f */ #= Ir=1
	prefetcht0 64(%rbx)		/* 33 */ #= Ir=1
	/* So line 0x600040 is new to D1 and LL. */
	movl	$7, 64(%rbx)		/* 37 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	/*
	 * Bytes 3e to 41: enters line 40 of I1 and LL.  The load is dead, as r8
	 * is loaded again: it is no reference, and line 0x600060 stays cold.
	 */
	mov	96(%rbx), %r8d		/* 3e */ #= Ir=1 I1mr=1 ILmr=1
	mov	68(%rbx), %r8d		/* 42 */ #= Ir=1 Dr=1
	mov	100(%rbx), %r10d	/* 46 */ #= Ir=1 Dr=1 D1mr=1
	/* The stack's word is in line 0x6010a0 of D1, 0x601080 of LL. */
	push	%rax			/* 4a */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	pop	%r9			/* 4b */ #= Ir=1 Dr=1
	cmp	%r9d, (%rbx)		/* 4d */ #= Ir=1 Dr=1
	setz	69(%rbx)		/* 50 */ #= Ir=1 Dw=1
	cmovnz	(%rbx), %r11d		/* 54 */ #= Ir=1 Dr=1
	mov	$60, %eax		/* 58 */ #= Ir=1
	xor	%edi, %edi		/* 5d */ #= Ir=1
	/* Bytes 5f and 60: enters line 60 of I1. */
	syscall				/* 5f */ #= Ir=1 I1mr=1
	.size	_start, . - _start

	.data
words:	.quad	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
	.org	0x10a8
stack_top:
	.quad	0
