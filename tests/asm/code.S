/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replacement in I1, and LL shared by code and data.
 *
 * F, G and H are lines of code at 1e0, 3e0 and 5e0, all of I1's set 15, which
 * holds two.  In LL, F and H are in set 7, at 1c0 and 5c0, and G in set 15.
 * The state is drawn after each call, the most recently used line first.
 *
 * The misses of F, G and H come from their only instruction, a return:
 *	call	set 15 of I1	LL set 7	misses
 *	F	F		F		I1 LL
 *	G	G F				I1 LL
 *	F	F G
 *	H	H F		H F		I1 LL
 *	F	F H
 *	G	G F				I1
 *	H	H G		H F		I1
 *	then four lines of data, w x y z, go through LL set 7:
 *				z y x w
 *	H	H G				none: still in I1
 *	F	F H		F z y x		I1 LL
 *	w is read again		w F z y		(its DLmr)
 *	G	G F				I1
 *	H	H G		H w F z		I1 LL
 *	F	F H		F H w z		I1
 * F: 3 of I1, 2 of LL; G: 3 and 1; H: 3 and 2.
 *
 * The data lines w x y z are 1c0, 5c0, 9c0 and dc0 from 0x600000: all of D1's
 * set 6.  The return addresses are at 0x601020.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$stack_top, %esp	/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	$data, %ebx		/* 05 */ #= Ir=1
	xor	%edx, %eax		/* 0a */ #= Ir=1
	call	f			/* 0c */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	call	g			/* 11 */ #= Ir=1 Dw=1
	call	f			/* 16 */ #= Ir=1 Dw=1
	call	h			/* 1b */ #= Ir=1 Dw=1
	call	f			/* 20 */ #= Ir=1 Dw=1 I1mr=1
	call	g			/* 25 */ #= Ir=1 Dw=1
	call	h			/* 2a */ #= Ir=1 Dw=1
	add	0x1c0(%rbx), %edx	/* 2f: w */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x5c0(%rbx), %edx	/* 35: x */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x9c0(%rbx), %edx	/* 3b: y; bytes 3b to 40 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	add	0xdc0(%rbx), %edx	/* 41: z */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	call	h			/* 47 */ #= Ir=1 Dw=1
	call	f			/* 4c */ #= Ir=1 Dw=1
	/* w was the oldest in set 7 when F came: it is out. */
	add	0x1c0(%rbx), %edx	/* 51 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	call	g			/* 57 */ #= Ir=1 Dw=1
	/* Bytes 5c to 60: enters line 60. */
	call	h			/* 5c */ #= Ir=1 Dw=1 I1mr=1
	call	f			/* 61 */ #= Ir=1 Dw=1
	mov	$60, %eax		/* 66 */ #= Ir=1
	xor	%edi, %edi		/* 6b */ #= Ir=1
	syscall				/* 6d */ #= Ir=1
	.size	_start, . - _start

	.org	0x1e0
	.type	f, @function
f:	ret				#= Ir=5 Dr=5 I1mr=3 ILmr=2
	.size	f, . - f
	.org	0x3e0
	.type	g, @function
g:	ret				#= Ir=3 Dr=3 I1mr=3 ILmr=1
	.size	g, . - g
	.org	0x5e0
	.type	h, @function
h:	ret				#= Ir=4 Dr=4 I1mr=3 ILmr=2
	.size	h, . - h

	.data
data:	.skip	0x1000
	.org	0x1028
stack_top:
	.quad	0
