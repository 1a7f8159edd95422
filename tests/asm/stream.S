/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --simulate-hwpref: three lines of LL (64 B) in a row, and the one that is
 * five further on is fetched.  Offsets of data are those from 0x600000; pages
 * at 1000 and 2000 are streams 1 and 2, code is stream 0.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	/* Upwards. */
	add	0x1000(%rbx), %edx	/* 05 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x1040(%rbx), %edx	/* 0b: one step */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x1080(%rbx), %edx	/* 11: two, fetches 11c0 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	mov	%edx, 0x10c0(%rbx)	/* 17: fetches 1200 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	/* Bytes 1d to 22.  The same line is no step, though it misses D1. */
	add	0x10e0(%rbx), %edx	/* 1d */ #= Ir=1 Dr=1 I1mr=1 D1mr=1
	/* Another stream in between. */
	add	0x2000(%rbx), %edx	/* 23 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x1100(%rbx), %edx	/* 29: fetches 1240 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* What was fetched misses D1 alone.  The run is over. */
	add	0x11c0(%rbx), %edx	/* 2f */ #= Ir=1 Dr=1 D1mr=1
	add	0x1200(%rbx), %edx	/* 35: one step */ #= Ir=1 Dr=1 D1mr=1
	/* Bytes 3b to 40. */
	mov	%edx, 0x1240(%rbx)	/* 3b: two, fetches 1380 */ #= Ir=1 Dw=1 I1mr=1 D1mw=1 ILmr=1
	add	0x1280(%rbx), %edx	/* 41: fetches 13c0 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* A hit in D1 is not seen: the next one is a step from 1280. */
	add	0x1040(%rbx), %edx	/* 47 */ #= Ir=1 Dr=1
	/* Downwards: against the run, which is over; then a step, then two. */
	add	0x1260(%rbx), %edx	/* 4d */ #= Ir=1 Dr=1 D1mr=1
	add	0x1220(%rbx), %edx	/* 53 */ #= Ir=1 Dr=1 D1mr=1
	add	0x11e0(%rbx), %edx	/* 59: fetches 1080, which is there */ #= Ir=1 Dr=1 D1mr=1
	/* Bytes 5f to 64: the fetch is seen in line 40, one step. */
	add	0x1180(%rbx), %edx	/* 5f: fetches 1040 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 DLmr=1
	/* The other stream, downwards into the page below: that is stream 1 again. */
	add	0x2080(%rbx), %edx	/* 65 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x2040(%rbx), %edx	/* 6b: one step */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x2020(%rbx), %edx	/* 71: two, to 2000; fetches 1ec0 */ #= Ir=1 Dr=1 D1mr=1
	mov	%edx, 0x1ec0(%rbx)	/* 77 */ #= Ir=1 Dw=1 D1mw=1
	/*
	 * Bytes 7d to 82.  A reference is seen where it begins, in line 40, to
	 * which 5f was the only step; the next one is by line a0.
	 */
	add	0x1f40(%rbx), %edx	/* 7d */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	jmp	next			/* 83 */ #= Ir=1

	.org	0xa0
next:
	jmp	far			/* a0: in 80 of LL, two steps, fetches 1c0 */ #= Ir=1 I1mr=1

	.org	0x1c0
far:
	mov	$60, %eax		/* 1c0 */ #= Ir=1 I1mr=1
	xor	%edi, %edi		/* 1c5 */ #= Ir=1
	syscall				/* 1c7 */ #= Ir=1
	.size	_start, . - _start

	.data
data:	.skip	0x2100
