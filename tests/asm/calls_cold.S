/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a function that is rarely needed, in another section and under
 * another symbol: the function itself.  f(1), f(0), g(0), f(0):
 *	f	test jz nop ret		3 x 4, Dr=3 Bc=3
 *	f.cold	nop call jmp		2 x 3, Dw=2: comes back
 *	g	test jz			Ir=2 Bc=1
 *	g.cold.7  nop jmp f		jumps to another function: a tail call, by g
 *	leaf	ret			Ir=1 Dr=1
 * again(2) has its first instruction as the head of a loop that goes through
 * the cold part: no recursion.
 *	again	dec jnz, dec jnz ret	Ir=5 Dr=1 Bc=2
 *	again.cold  jmp			Ir=1
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=10 Dw=4
	mov	$1, %edi
	call	f			#> main f 1 Ir=4 Dr=1 Bc=1
	xor	%edi, %edi
	call	f			#> main f 1 Ir=8 Dr=2 Dw=1 Bc=1
	call	g			#> main g 1 Ir=12 Dr=2 Dw=1 Bc=2
	mov	$2, %edi
	call	again			#> main again 1 Ir=6 Dr=1 Bc=2
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	f, @function
f:					#@ f Ir=18 Dr=3 Dw=2 Bc=3
	test	%edi, %edi
	jz	f.cold
f_warm:	nop
	ret
	.size	f, . - f

	.type	g, @function
g:					#@ g Ir=4 Bc=1
	test	%edi, %edi
	jz	g.cold.7
	ud2
	.size	g, . - g

	.type	again, @function
again:					#@ again Ir=6 Dr=1 Bc=2
	dec	%edi
	jnz	again.cold
	ret
	.size	again, . - again

	.section .text.unlikely, "ax", @progbits
	.type	f.cold, @function
f.cold:	nop
	call	leaf			#> f leaf 2 Ir=2 Dr=2
	jmp	f_warm
	.size	f.cold, . - f.cold

	.type	g.cold.7, @function
g.cold.7:
	nop
	jmp	f			#> g f 1 Ir=8 Dr=2 Dw=1 Bc=1
	.size	g.cold.7, . - g.cold.7

	.type	again.cold, @function
again.cold:
	jmp	again
	.size	again.cold, . - again.cold

	.type	leaf, @function
leaf:					#@ leaf Ir=2 Dr=2
	ret
	.size	leaf, . - leaf

	.data
	.long	0			/* without data, there would be no symbols */
