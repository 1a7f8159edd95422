/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One function called by others, through chains of three.
 *
 *	leaf	ret		Ir=1 Dr=1
 *	c	call ret	Ir=2 Dr=1 Dw=1, with leaf 3, Dr=2, Dw=1
 *	a	call call ret	Ir=3 Dr=1 Dw=2, with c and c 9, Dr=5, Dw=4
 *	b	call ret	Ir=2 Dr=1 Dw=1, with c 5, Dr=3, Dw=2
 *	r(2)	dec jz call ret, dec jz ret
 *				Ir=7 Dr=2 Dw=1 Bc=2, including the inner 3 Dr=1 Bc=1
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=8 Dw=4
	call	a			#> main a 1 Ir=9 Dr=5 Dw=4
	call	b			#> main b 1 Ir=5 Dr=3 Dw=2
	call	leaf			#> main leaf 1 Ir=1 Dr=1
	mov	$2, %edi
	call	r			#> main r 1 Ir=7 Dr=2 Dw=1 Bc=2
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	a, @function
a:					#@ a Ir=3 Dr=1 Dw=2
	call	c			#> a c 1 Ir=3 Dr=2 Dw=1
	call	c			#> a c 1 Ir=3 Dr=2 Dw=1
	ret
	.size	a, . - a

	.type	b, @function
b:					#@ b Ir=2 Dr=1 Dw=1
	call	c			#> b c 1 Ir=3 Dr=2 Dw=1
	ret
	.size	b, . - b

	.type	c, @function
c:					#@ c Ir=6 Dr=3 Dw=3
	call	leaf			#> c leaf 3 Ir=3 Dr=3
	ret
	.size	c, . - c

	.type	r, @function
r:					#@ r Ir=4 Dr=1 Dw=1 Bc=1 #@ r'2 Ir=3 Dr=1 Bc=1
	dec	%edi
	jz	1f
	call	r			#> r r'2 1 Ir=3 Dr=1 Bc=1
1:	ret
	.size	r, . - r

	.type	leaf, @function
leaf:					#@ leaf Ir=4 Dr=4
	ret
	.size	leaf, . - leaf

	.data
	.long	0			/* without data, there would be no symbols */
