/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames that are left without a return: the stack pointer is put back, as
 * longjmp and the unwinder of exceptions do.
 *
 * outer calls middle, that inner, that thrower, which jumps to where outer
 * goes on, over middle and inner: all three calls end there.
 *	thrower	nop mov jmp			Ir=3 Bi=1
 *	inner	nop call			Ir=2 Dw=1, with thrower 5
 *	middle	nop nop call			Ir=3 Dw=1, with inner 8, Dw=2
 *	outer	mov mov call, call ret		Ir=5 Dr=1 Dw=2
 *	leaf	ret				Ir=1 Dr=1
 *	outer with calls			5 + 8 + 1 = 14, Dr=2, Dw=4, Bi=1
 *
 * catcher is like outer, but goes on in its cold part:
 *	catcher	mov mov call			Ir=3 Dw=1
 *	its cold part  call ret			Ir=2 Dr=1 Dw=1
 *
 * again(5) calls itself up to again(0), which jumps to where the third
 * activation goes on.  That one, the second and the first return.
 *	activation	1   2   3   4   5   6
 *	Ir		7   7   7   5   5   4
 *	with callees	35  28  21  14  9   4
 *	Dr		3   2   1   0   0   0
 *	Dw		5   4   3   2   1   0
 *	Bc		6   5   4   3   2   1
 *	Bi		1   1   1   1   1   1
 * The third to the sixth are called in level 2: 21 + 14 + 9 + 4 = 48.
 *
 * Three functions below, main itself is where catch_all jumps to.
 *	one, two  call				Ir=1 Dw=1
 *	catch_all  mov jmp			Ir=2
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=11 Dw=5
	call	outer			#> main outer 1 Ir=14 Dr=2 Dw=4 Bi=1
	call	catcher			#> main catcher 1 Ir=14 Dr=2 Dw=4 Bi=1
	mov	$5, %edi
	mov	$again_caught, %ebx
	call	again			#> main again 1 Ir=35 Dr=3 Dw=5 Bc=6 Bi=1
	mov	%rsp, %rbp
	call	one			#> main one 1 Ir=4 Dw=2
	ud2
main_caught:
	call	leaf			#> main leaf 1 Ir=1 Dr=1
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	outer, @function
outer:					#@ outer Ir=5 Dr=1 Dw=2
	mov	$outer_caught, %ebx
	mov	%rsp, %rbp
	call	middle			#> outer middle 1 Ir=8 Dw=2 Bi=1
	ud2
outer_caught:
	call	leaf			#> outer leaf 1 Ir=1 Dr=1
	ret
	.size	outer, . - outer

	.type	catcher, @function
catcher:				#@ catcher Ir=5 Dr=1 Dw=2
	mov	$catcher.cold, %ebx
	mov	%rsp, %rbp
	call	middle			#> catcher middle 1 Ir=8 Dw=2 Bi=1
	ud2
	.size	catcher, . - catcher

	.type	middle, @function
middle:					#@ middle Ir=6 Dw=2
	nop
	nop
	call	inner			#> middle inner 2 Ir=10 Dw=2 Bi=2
	ud2
	.size	middle, . - middle

	.type	inner, @function
inner:					#@ inner Ir=4 Dw=2
	nop
	call	thrower			#> inner thrower 2 Ir=6 Bi=2
	ud2
	.size	inner, . - inner

	.type	thrower, @function
thrower:				#@ thrower Ir=6 Bi=2
	nop
	mov	%rbp, %rsp
	jmp	*%rbx
	.size	thrower, . - thrower

	.type	catcher.cold, @function
catcher.cold:
	call	leaf			#> catcher leaf 1 Ir=1 Dr=1
	ret
	.size	catcher.cold, . - catcher.cold

	.type	again, @function
again:					#@ again Ir=7 Dr=1 Dw=1 Bc=1 #@ again'2 Ir=28 Dr=2 Dw=4 Bc=5 Bi=1
	dec	%edi
	js	2f
	cmp	$2, %edi
	cmove	%rsp, %rbp
	call	again			#> again again'2 1 Ir=28 Dr=2 Dw=4 Bc=5 Bi=1 #> again'2 again'2 4 Ir=48 Dr=1 Dw=6 Bc=10 Bi=4
again_caught:
	nop
	ret
2:	mov	%rbp, %rsp
	jmp	*%rbx
	.size	again, . - again

	.type	one, @function
one:					#@ one Ir=1 Dw=1
	call	two			#> one two 1 Ir=3 Dw=1
	ud2
	.size	one, . - one

	.type	two, @function
two:					#@ two Ir=1 Dw=1
	call	catch_all		#> two catch_all 1 Ir=2
	ud2
	.size	two, . - two

	.type	catch_all, @function
catch_all:				#@ catch_all Ir=2
	mov	%rbp, %rsp
	jmp	main_caught
	.size	catch_all, . - catch_all

	.type	leaf, @function
leaf:					#@ leaf Ir=3 Dr=3
	ret
	.size	leaf, . - leaf

	.data
	.long	0			/* without data, there would be no symbols */
