/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function to be left out, which calls one from two places.  That returns by
 * a copy of its return address, which is known for one only by the address; and
 * the other one returns elsewhere.  Three times:
 *	f	call lea call lea call, nop ret	Ir=7 Dr=1 Dw=3, with calls 13, Dr=6, Dw=6
 *	copier	push ret			Ir=2 Dr=2 Dw=1
 *	aside	mov ret				Ir=2 Dr=1 Dw=1
 *	leaf	ret				Ir=1 Dr=1
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=16 Dw=6 Bc=3
	mov	$3, %ebx
1:	call	f			#> main f 3 Ir=39 Dr=18 Dw=18
	call	leaf			#> main leaf 3 Ir=3 Dr=3
	dec	%ebx
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	f, @function
f:					#@ f Ir=21 Dr=3 Dw=9
	call	copier			#> f copier 3 Ir=6 Dr=6 Dw=3
	lea	8(%rsp), %rsp
	call	copier			#> f copier 3 Ir=6 Dr=6 Dw=3
	lea	8(%rsp), %rsp
	call	aside			#> f aside 3 Ir=6 Dr=3 Dw=3
	ud2
f_aside:
	nop
	ret
	.size	f, . - f

	.type	copier, @function
copier:					#@ copier Ir=12 Dr=12 Dw=6
	push	(%rsp)
	ret
	.size	copier, . - copier

	.type	aside, @function
aside:					#@ aside Ir=6 Dr=3 Dw=3
	movq	$f_aside, (%rsp)
	ret
	.size	aside, . - aside

	.type	leaf, @function
leaf:					#@ leaf Ir=3 Dr=3
	ret
	.size	leaf, . - leaf

	.data
	.long	0			/* without data, there would be no symbols */
