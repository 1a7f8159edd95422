/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jumps to the first instruction of another function: calls, whose return is
 * the return of all before them.
 *
 * A chain, first by jumps, then its last link alone:
 *	chain3	nop ret		Ir=2 Dr=1
 *	chain2	nop jmp		Ir=2, with chain3 4
 *	chain1	nop jmp		Ir=2, with chain2 6
 *
 * maybe(edi) goes on to other() if edi is 0; edi is 0 1 0 1:
 *	maybe	test jz (ret)	4 x 2 + 2 x 1 = 10, Dr=2
 *	other	nop ret		2 x 2 = 4, Dr=2
 *
 * tick(6) goes on to tock(5), that to tick(4), and so on to tock(1), which
 * returns from all six:
 *		tick  tock  tick'2  tock'2  tick'2  tock'2
 *	Ir	18    15    12      9       6       3
 *	Bc	6     5     4       3       2       1
 * Dr is 1 for each of them.
 *
 * into ends in a branch, which here is not taken: it falls into next.
 *	into	test jz		Ir=2
 *	next	nop ret		Ir=2 Dr=1
 *
 * pushed goes on to by_return with a return instruction: the address that it
 * jumps to is not a call's.
 *	pushed		mov push ret	Ir=3 Dr=1 Dw=1
 *	by_return	ret		Ir=1 Dr=1
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=30 Dw=9 Bc=4
	call	chain1			#> main chain1 1 Ir=6 Dr=1
	call	chain3			#> main chain3 1 Ir=2 Dr=1
	mov	$4, %ebx
1:	mov	%ebx, %edi
	and	$1, %edi
	call	maybe			#> main maybe 4 Ir=14 Dr=4 Bc=4
	dec	%ebx
	jnz	1b
	mov	$6, %edi
	call	tick			#> main tick 1 Ir=18 Dr=1 Bc=6
	call	into			#> main into 1 Ir=4 Dr=1 Bc=1
	call	pushed			#> main pushed 1 Ir=4 Dr=2 Dw=1
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	chain1, @function
chain1:					#@ chain1 Ir=2
	nop
	jmp	chain2			#> chain1 chain2 1 Ir=4 Dr=1
	.size	chain1, . - chain1

	.type	chain2, @function
chain2:					#@ chain2 Ir=2
	nop
	jmp	chain3			#> chain2 chain3 1 Ir=2 Dr=1
	.size	chain2, . - chain2

	.type	chain3, @function
chain3:					#@ chain3 Ir=4 Dr=2
	nop
	ret
	.size	chain3, . - chain3

	.type	maybe, @function
maybe:					#@ maybe Ir=10 Dr=2 Bc=4
	test	%edi, %edi
	jz	other			#> maybe other 2 Ir=4 Dr=2
	ret
	.size	maybe, . - maybe

	.type	other, @function
other:					#@ other Ir=4 Dr=2
	nop
	ret
	.size	other, . - other

	.type	tick, @function
tick:					#@ tick Ir=3 Bc=1 #@ tick'2 Ir=6 Bc=2
	dec	%edi
	jz	1f
	jmp	tock			#> tick tock 1 Ir=15 Dr=1 Bc=5 #> tick'2 tock'2 2 Ir=12 Dr=2 Bc=4
1:	ret
	.size	tick, . - tick

	.type	tock, @function
tock:					#@ tock Ir=3 Bc=1 #@ tock'2 Ir=6 Dr=1 Bc=2
	dec	%edi
	jz	1f
	jmp	tick			#> tock tick'2 1 Ir=12 Dr=1 Bc=4 #> tock'2 tick'2 1 Ir=6 Dr=1 Bc=2
1:	ret
	.size	tock, . - tock

	/* edi is 0. */
	.type	into, @function
into:					#@ into Ir=2 Bc=1
	test	%edi, %edi
	jnz	other			#> into next 1 Ir=2 Dr=1
	.size	into, . - into

	.type	next, @function
next:					#@ next Ir=2 Dr=1
	nop
	ret
	.size	next, . - next

	.type	pushed, @function
pushed:					#@ pushed Ir=3 Dr=1 Dw=1
	mov	$by_return, %eax
	push	%rax
	ret				#> pushed by_return 1 Ir=1 Dr=1
	.size	pushed, . - pushed

	.type	by_return, @function
by_return:				#@ by_return Ir=1 Dr=1
	ret
	.size	by_return, . - by_return

	.data
	.long	0			/* without data, there would be no symbols */
