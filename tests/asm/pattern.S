/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pattern that the predictor learns.  The inner branch I goes T T N, the
 * outer one O goes T 9 times and then N, 10 rounds in all:
 *
 *	I T, I T, I N, O T, I T, I T, I N, O T, ... I T, I T, I N, O N
 *
 * H is the history before each branch (newest outcome on the right), c the
 * counter that belongs to this branch and this H; T is predicted from c = 2
 * on.  ! is a misprediction.
 *
 *	round	I T		I T		I N		O T
 *	1	0000000 c0 !	0000001 c0 !	0000011 c0	0000110 c0 !
 *	2	0001101 c0 !	0011011 c0 !	0110111 c0	1101110 c0 !
 *	3	1011101 c0 !	0111011 c0 !	1110111 c0	1101110 c1 !
 *	4	1011101 c1 !	0111011 c1 !	1110111 c0	1101110 c2
 *	5	1011101 c2	0111011 c2	1110111 c0	1101110 c3
 *	6 to 9	1011101 c3	0111011 c3	1110111 c0	1101110 c3
 *	10	1011101 c3	0111011 c3	1110111 c0	1101110 c3 ! (N)
 *
 * So I is mispredicted 8 times of 30, O 4 times of 10.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	rounds, %ebx		#= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
1:	mov	turns, %ecx		#= Ir=10 Dr=10
2:	dec	%ecx			#= Ir=30
	jnz	2b			#= Ir=30 Bc=30 Bcm=8
	dec	%ebx			#= Ir=10
	jnz	1b			#= Ir=10 Bc=10 Bcm=4
	mov	$60, %eax		#= Ir=1
	xor	%edi, %edi		/* 1b */ #= Ir=1
	syscall				/* 1d */ #= Ir=1
	.size	_start, . - _start

	.data
rounds:	.long	10
turns:	.long	3
