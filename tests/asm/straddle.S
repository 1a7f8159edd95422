/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data references that straddle two lines.  Such a reference is one: it
 * touches both lines and misses if either missed.  If it missed in D1, LL is
 * asked for the whole of it.
 *
 * Lines of D1 begin at each 20, LL's at each 40.  No line that a set of
 * D1 had to give up is touched again.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	xor	%eax, %eax		/* 05 */ #= Ir=1
	/* 1c to 23: lines 00 and 20 are cold; they are one line of LL, cold too. */
	add	0x1c(%rbx), %rax	/* 07 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Both hit. */
	add	0x1c(%rbx), %rax	/* 0b */ #= Ir=1 Dr=1
	add	0x1d(%rbx), %eax	/* 0f */ #= Ir=1 Dr=1
	/* 3c to 43: 20 hits, 40 is cold; of LL's lines, 00 hits and 40 is cold. */
	add	0x3c(%rbx), %rax	/* 12 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* a0 is cold; then 9c to a3: 80 is cold, a0 hits; LL has both, in line 80. */
	add	0xa0(%rbx), %rax	/* 16 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Bytes 1d to 23: enters line 20 of code. */
	add	0x9c(%rbx), %rax	/* 1d */ #= Ir=1 Dr=1 I1mr=1 D1mr=1
	/* 13c to 143: 120 and 140 are cold, 100 and 140 of LL too: one miss each. */
	add	0x13c(%rbx), %rax	/* 24 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* 1c0 is cold; then 1bc to 1c3: 1a0 is cold, 1c0 hits; LL misses 180. */
	add	0x1c0(%rbx), %rax	/* 2b */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x1bc(%rbx), %rax	/* 32 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Writes: 21e to 221, lines 200 and 220 are cold, 200 of LL too; then again. */
	mov	%eax, 0x21e(%rbx)	/* 39 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	/* Bytes 3f to 44: enters line 40 of code. */
	mov	%eax, 0x21e(%rbx)	/* 3f */ #= Ir=1 Dw=1 I1mr=1 ILmr=1
	/* A modify, 23f and 240: 220 hits, 240 is cold; LL has 200, misses 240. */
	addw	$1, 0x23f(%rbx)		/* 45 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* 16 bytes, 291 to 2a0: 280 and 2a0 are cold, and so is 280 of LL. */
	movups	0x291(%rbx), %xmm0	/* 4d */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* 16 bytes, 2b0 to 2bf: up to the end of line 2a0. */
	movups	%xmm0, 0x2b0(%rbx)	/* 54 */ #= Ir=1 Dw=1
	/* 16 bytes, 2b1 to 2c0: 2a0 hits, 2c0 is cold, in LL too.  Enters line 60 of code. */
	movups	%xmm0, 0x2b1(%rbx)	/* 5b */ #= Ir=1 Dw=1 I1mr=1 D1mw=1 DLmw=1
	/* The stack's word is 2fc to 303: 2e0 and 300 are cold, in LL 2c0 hits, 300 not. */
	lea	0x304(%rbx), %rsp	/* 62 */ #= Ir=1
	call	1f			/* 69 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	ud2				/* 6e */
1:	pop	%rdx			/* 70 */ #= Ir=1 Dr=1
	mov	$60, %eax		/* 71 */ #= Ir=1
	xor	%edi, %edi		/* 76 */ #= Ir=1
	syscall				/* 78 */ #= Ir=1
	.size	_start, . - _start

	.data
data:	.skip	0x400
