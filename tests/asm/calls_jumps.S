/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jumps that are no calls, though Callgrind says so of some; jumps into the
 * midst of functions and superblocks that span two, which it does not know about.
 *
 * loop(5), whose first instruction is the head of the loop, and twice(3) with
 * the loop around two calls of loop(1):
 *	loop	5 x (dec jnz) ret	Ir=11 Dr=1 Bc=5; loop(1): Ir=3 Dr=1 Bc=1
 *	twice	3 x (mov call mov call dec jnz) ret	Ir=19 Dr=1 Dw=6 Bc=3
 * Callgrind calls each turn a recursion.
 *
 * deeper(3) jumps to its own beginning with more on its stack, which is a call
 * of itself:
 *	level		1   2   3
 *			dec jz push jmp		the same	dec jz lea ret
 *	Ir with callees	12  8   4
 *
 * first falls into second in the midst of a superblock: a tail call as well.
 *	first	nop			Ir=1
 *	second	nop nop ret		Ir=3 Dr=1
 *
 * visit jumps into the midst of host and comes back: a call and a return.
 *	visit	nop jmp, nop ret	Ir=4 Dr=1
 *	host	nop jmp			Ir=2
 *
 * leave jumps into the midst of host, which then returns for both.
 *	leave	nop jmp			Ir=2
 *	host	nop ret			Ir=2 Dr=1
 *
 * here calls its next instruction, to learn where it is: no call.
 *	here	call pop ret		Ir=3 Dr=2 Dw=1
 *
 * thunk calls into its own midst, where the return address is replaced by one
 * to jump to ("retpoline"): a tail call.
 *	thunk	call mov ret		Ir=3 Dr=1 Dw=2
 *	aim	ret			Ir=1 Dr=1
 *
 * ender ends in a call; what it calls returns to the beginning of after.  That
 * is called by ender then, from the same place.
 *	ender	call			Ir=1 Dw=1
 *	aim	ret			Ir=1 Dr=1
 *	after	ret			Ir=1 Dr=1
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=16 Dw=10
	mov	$5, %edi
	call	loop			#> main loop 1 Ir=11 Dr=1 Bc=5
	mov	$3, %ebx
	call	twice			#> main twice 1 Ir=37 Dr=7 Dw=6 Bc=9
	mov	$3, %edi
	call	deeper			#> main deeper 1 Ir=12 Dr=1 Dw=2 Bc=3
	call	first			#> main first 1 Ir=4 Dr=1
	call	second			#> main second 1 Ir=3 Dr=1
	call	visit			#> main visit 1 Ir=6 Dr=1
	call	leave			#> main leave 1 Ir=4 Dr=1
	call	here			#> main here 1 Ir=3 Dr=2 Dw=1
	mov	$aim, %esi
	call	thunk			#> main thunk 1 Ir=4 Dr=2 Dw=2
	call	ender			#> main ender 1 Ir=3 Dr=2 Dw=1
	mov	$60, %eax
	syscall
	.size	main, . - main

	.type	loop, @function
loop:					#@ loop Ir=29 Dr=7 Bc=11
	dec	%edi
	jnz	loop
	ret
	.size	loop, . - loop

	.type	twice, @function
twice:					#@ twice Ir=19 Dr=1 Dw=6 Bc=3
	mov	$1, %edi
	call	loop			#> twice loop 3 Ir=9 Dr=3 Bc=3
	mov	$1, %edi
	call	loop			#> twice loop 3 Ir=9 Dr=3 Bc=3
	dec	%ebx
	jnz	twice
	ret
	.size	twice, . - twice

	.type	deeper, @function
deeper:					#@ deeper Ir=4 Dw=1 Bc=1 #@ deeper'2 Ir=8 Dr=1 Dw=1 Bc=2
	dec	%edi
	jz	1f
	push	%rdi
	jmp	deeper			#> deeper deeper'2 1 Ir=8 Dr=1 Dw=1 Bc=2 #> deeper'2 deeper'2 1 Ir=4 Dr=1 Bc=1
1:	lea	16(%rsp), %rsp
	ret
	.size	deeper, . - deeper

	.type	first, @function
first:					#@ first Ir=1
	nop				#> first second 1 Ir=3 Dr=1
	.size	first, . - first

	.type	second, @function
second:					#@ second Ir=6 Dr=2
	nop
	nop
	ret
	.size	second, . - second

	.type	visit, @function
visit:					#@ visit Ir=4 Dr=1
	nop
	jmp	host_visited		#> visit host 1 Ir=2
visit_back:
	nop
	ret
	.size	visit, . - visit

	.type	leave, @function
leave:					#@ leave Ir=2
	nop
	jmp	host_left		#> leave host 1 Ir=2 Dr=1
	.size	leave, . - leave

	.type	host, @function
host:					#@ host Ir=4 Dr=1
	ud2
host_visited:
	nop
	jmp	visit_back
host_left:
	nop
	ret
	.size	host, . - host

	.type	here, @function
here:					#@ here Ir=3 Dr=2 Dw=1
	call	1f
1:	pop	%rax
	ret
	.size	here, . - here

	.type	thunk, @function
thunk:					#@ thunk Ir=3 Dr=1 Dw=2
	call	2f
1:	pause
	jmp	1b
2:	mov	%rsi, (%rsp)
	ret				#> thunk aim 1 Ir=1 Dr=1
	.size	thunk, . - thunk

	.type	ender, @function
ender:					#@ ender Ir=1 Dw=1
	call	aim			#> ender aim 1 Ir=1 Dr=1 #> ender after 1 Ir=1 Dr=1
	.size	ender, . - ender

	.type	after, @function
after:					#@ after Ir=1 Dr=1
	ret
	.size	after, . - after

	.type	aim, @function
aim:					#@ aim Ir=2 Dr=2
	ret
	.size	aim, . - aim

	.data
	.long	0			/* without data, there would be no symbols */
