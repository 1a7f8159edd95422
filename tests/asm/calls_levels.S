/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls from one place whose level of recursion changes from one to the next.
 * x calls y, and y(n) calls x, unless n is 1, for y(n - 1):
 *	x	call ret			Ir=2 Dr=1 Dw=1
 *	y	dec jz call ret, dec jz ret	Ir=4 Dr=1 Dw=1 Bc=1, Ir=3 Dr=1 Bc=1
 *	n		1	2	3	4
 *	y with calls
 *		Ir	3	9	15	21
 *		Dr	1	3	5	7
 *		Dw	0	2	4	6
 *		Bc	1	2	3	4
 *	x with y(n)
 *		Ir	5	11	17
 *		Dr	2	4	6
 *		Dw	1	3	5
 *		Bc	1	2	3
 * A turn, one of three:
 *	x y(1)
 *	y(2) x y'2(1)
 *	y(3) x y'2(2) x'2 y'2(1)
 *	y(4) x y'2(3) x'2 y'2(2) x'2 y'2(1)
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=34 Dw=12 Bc=3
	mov	$3, %ebp
1:	mov	$1, %edi
	call	x			#> main x 3 Ir=15 Dr=6 Dw=3 Bc=3
	mov	$2, %edi
	call	y			#> main y 3 Ir=27 Dr=9 Dw=6 Bc=6
	mov	$3, %edi
	call	y			#> main y 3 Ir=45 Dr=15 Dw=12 Bc=9
	mov	$4, %edi
	call	y			#> main y 3 Ir=63 Dr=21 Dw=18 Bc=12
	dec	%ebp
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	x, @function
x:					#@ x Ir=24 Dr=12 Dw=12 #@ x'2 Ir=18 Dr=9 Dw=9
	call	y			#> x y 3 Ir=9 Dr=3 Bc=3 #> x y'2 9 Ir=81 Dr=27 Dw=18 Bc=18 #> x'2 y'2 9 Ir=45 Dr=15 Dw=6 Bc=12
	ret
	.size	x, . - x

	.type	y, @function
y:					#@ y Ir=45 Dr=12 Dw=9 Bc=12 #@ y'2 Ir=63 Dr=18 Dw=9 Bc=18
	dec	%edi
	jz	1f
	call	x			#> y x 9 Ir=99 Dr=36 Dw=27 Bc=18 #> y'2 x'2 9 Ir=63 Dr=24 Dw=15 Bc=12
1:	ret
	.size	y, . - y

	.data
	.long	0			/* without data, there would be no symbols */
