/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --simulate-wb: which lines of LL are dirty, and which miss pushes one out.
 *
 * Lines of data by their offset from 0x600000, all of them in set 0 of D1 and
 * set 12 of LL: X 300, U 700, V b00, W f00, Y 1300.  After each reference
 * are both sets as they are then, the most recently used line first, a *
 * after what is dirty.  Code is in other sets, but for "far".
 *
 * In Callgrind, two lines that are 4 GiB apart are one.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	%edx, 0x300(%rbx)	/* 05  D1 X    LL X* */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	add	0x700(%rbx), %edx	/* 0b  D1 U X  LL U X* */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0xb00(%rbx), %edx	/* 11  D1 V U  LL V U X* */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0xf00(%rbx), %edx	/* 17  D1 W V  LL W V U X* */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x1300(%rbx), %edx	/* 1d  D1 Y W  LL Y W V U */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 DLmr=1 DLdmr=1
	/* Back again it is clean; a write that hits D1 is seen by LL. */
	add	0x300(%rbx), %edx	/* 23  D1 X Y  LL X Y W V */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	mov	%edx, 0x304(%rbx)	/* 29  D1 X Y  LL X* Y W V */ #= Ir=1 Dw=1
	add	0x700(%rbx), %edx	/* 2f  D1 U X  LL U X* Y W */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* A modify is a read, and makes the line dirty. */
	addl	$1, 0xb00(%rbx)		/* 35  D1 V U  LL V* U X* Y */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Bytes 3c to 41. */
	add	0xf00(%rbx), %edx	/* 3c  D1 W V  LL W V* U X* */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	mov	%edx, 0x1300(%rbx)	/* 42  D1 Y W  LL Y* W V* U */ #= Ir=1 Dw=1 D1mw=1 DLmw=1 DLdmw=1
	/* W stays in D1 and goes out of LL. */
	add	0xf04(%rbx), %edx	/* 48  D1 W Y  LL Y* W V* U */ #= Ir=1 Dr=1
	add	0x700(%rbx), %edx	/* 4e  D1 U W  LL U Y* W V* */ #= Ir=1 Dr=1 D1mr=1
	add	0xf08(%rbx), %edx	/* 54  D1 W U */ #= Ir=1 Dr=1
	add	0x300(%rbx), %edx	/* 5a  D1 X W  LL X U Y* W */ #= Ir=1 Dr=1 D1mr=1 DLmr=1 DLdmr=1
	add	0xf0c(%rbx), %edx	/* 60  D1 W X */ #= Ir=1 Dr=1 I1mr=1
	add	0xb00(%rbx), %edx	/* 66  D1 V W  LL V X U Y* */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* A write to it then brings it back, at which Y goes: no miss of anybody's. */
	mov	%edx, 0xf10(%rbx)	/* 6c  D1 W V  LL W* V X U */ #= Ir=1 Dw=1
	add	0x1300(%rbx), %edx	/* 72  D1 Y W  LL Y W* V X */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x300(%rbx), %edx	/* 78  D1 X Y  LL X Y W* V */ #= Ir=1 Dr=1 D1mr=1
	/* Bytes 7e to 83. */
	add	0xb00(%rbx), %edx	/* 7e  D1 V X  LL V X Y W* */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1

	/* A page 8 GiB above data, and in it a line of the same low bits as one of data. */
	mov	%edx, %ebp		/* 84: or the reads above would be dead */ #= Ir=1
	mov	$9, %eax		/* 86: mmap */ #= Ir=1
	mov	%ebx, %edi		/* 8b */ #= Ir=1
	bts	$33, %rdi		/* 8d */ #= Ir=1
	mov	$0x1000, %esi		/* 92 */ #= Ir=1
	mov	$3, %edx		/* 97: read, write */ #= Ir=1
	/* Bytes 9c to a1. */
	mov	$0x32, %r10d		/* 9c: private, fixed, anonymous */ #= Ir=1 I1mr=1
	mov	$-1, %r8		/* a2 */ #= Ir=1
	xor	%r9d, %r9d		/* a9 */ #= Ir=1
	syscall				/* ac */ #= Ir=1
	add	0x340(%rbx), %edx	/* ae */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x340(%rax), %edx	/* b4 */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	jmp	far			/* ba */ #= Ir=1

	.org	0x300 /* set 12 of LL: pushes W out, which is dirty */
far:
	mov	$60, %eax		/* 300 */ #= Ir=1 I1mr=1 ILmr=1 ILdmr=1
	xor	%edi, %edi		/* 305 */ #= Ir=1
	syscall				/* 307 */ #= Ir=1
	.size	_start, . - _start

	.data
data:	.skip	0x1400
