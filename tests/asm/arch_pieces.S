/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads that Valgrind has in pieces, with --counting=architectural: each is one of all its bytes.
 *
 * D1 and LL have one set each, larger than all that is touched: each line misses
 * once, 00 20 40 and so on of D1, 00 40 80 of LL.  A read that straddles two lines is one,
 * and misses once.  The code is one line of I1.  Offsets are those from 0x600000.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx		#~ Ir=1 I1mr=1 ILmr=1
	/* 1c to 23: both lines, and the second has been read then. */
	cvtps2pd 0x1c(%rbx), %xmm0	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	mov	0x20(%rbx), %eax	#~ Ir=1 Dr=1
	/* 40 to 4f, of one line. */
	cvtpd2pi 0x40(%rbx), %mm0	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	cvttps2pi 0x40(%rbx), %mm1	#~ Ir=1 Dr=1
	emms				#~ Ir=1
	roundps	$1, 0x90(%rbx), %xmm1	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	/* 98 to b7; registers are used after it, so that all pieces are there. */
	vfmadd213pd 0x98(%rbx), %ymm0, %ymm1	#~ Ir=1 Dr=1 D1mr=1
	vfnmsub231ps 0xb0(%rbx), %xmm0, %xmm1	#~ Ir=1 Dr=1
	vmovddup 0xd0(%rbx), %ymm2	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	mov	0xe0(%rbx), %eax	#~ Ir=1 Dr=1
	vaddpd	%ymm1, %ymm2, %ymm3	#~ Ir=1
	vmovapd	%ymm3, 0x100(%rbx)	#~ Ir=1 Dw=1 D1mw=1 DLmw=1
	/*
	 * 158 to 167: of the upper half, across 160, nobody uses anything, and Valgrind has but the
	 * lower one.
	 */
	lea	0x100(%rbx), %ebx	#~ Ir=1
	vcvtps2pd 0x58(%rbx), %ymm4	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	vmovapd	%xmm4, %xmm5		#~ Ir=1
	vcvtps2pd 0x80(%rbx), %ymm4	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	mov	0x60(%rbx), %eax	#~ Ir=1 Dr=1
	vmovapd	%ymm4, 0x80(%rbx)	#~ Ir=1 Dw=1
	/* A word of memory that goes to the stack is a read and a write. */
	mov	$stack, %esp		#~ Ir=1
	push	(%rbx)			#~ Ir=1 Dr=1 Dw=1 D1mw=1 DLmw=1
	pop	(%rbx)			#~ Ir=1 Dr=1 Dw=1
	mov	$60, %eax		#~ Ir=1
	xor	%edi, %edi		#~ Ir=1
	syscall				#~ Ir=1
	.size	_start, . - _start

	.data
data:	.skip	0x200
	.skip	0x20
stack:	.skip	0x20
