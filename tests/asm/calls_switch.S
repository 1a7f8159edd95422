/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two stacks, main's and co's, between which swap changes over.
 * co's stack is at CO_STACK, below or above the other one, and all is the same.
 *
 *	go	mov, 3 x (call dec jnz), ret		Ir=11 Dr=1 Dw=3 Bc=3
 *	swap	mov mov mov ret				Ir=4 Dr=2 Dw=1 each time
 *	co	nop call call, 2 x (jmp call call)	Ir=9 Dw=6
 *	work	ret					Ir=1 Dr=1 each time
 *
 * Three times, go calls swap, which comes back to it when co calls swap in turn; that call is
 * over when go has called it the next time, the last one is not.  What ran
 * on the other stack is no cost of it.  Nobody has called co.
 *
 * Then main calls apart, which moves to the end of co's stack and calls work twice there: calls
 * like others.  The first part of co's stack is not used any more.
 *
 *	apart	mov mov call call mov ret		Ir=6 Dr=1 Dw=2
 */
#define SYS_EXIT 60

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=6 Dw=2
	mov	$main_stack, %esp
	call	go			#> main go 1 Ir=23 Dr=7 Dw=6 Bc=3
	call	apart			#> main apart 1 Ir=8 Dr=3 Dw=2
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	go, @function
go:					#@ go Ir=11 Dr=1 Dw=3 Bc=3
	mov	$3, %ebx
1:	call	swap			#> go swap 3 Ir=12 Dr=6 Dw=3
	dec	%ebx
	jnz	1b
	ret
	.size	go, . - go

	.type	swap, @function
swap:					#@ swap Ir=24 Dr=12 Dw=6
	mov	%rsp, %rax
	mov	other, %rsp
	mov	%rax, other
	ret
	.size	swap, . - swap

	.type	co, @function
co:					#@ co Ir=9 Dw=6
	nop
1:	call	work			#> co work 3 Ir=3 Dr=3
	call	swap			#> co swap 3 Ir=12 Dr=6 Dw=3
	jmp	1b
	.size	co, . - co

	.type	apart, @function
apart:					#@ apart Ir=6 Dr=1 Dw=2
	mov	%rsp, %rbp
	mov	$CO_STACK + 8, %esp
	call	work			#> apart work 1 Ir=1 Dr=1
	call	work			#> apart work 1 Ir=1 Dr=1
	mov	%rbp, %rsp
	ret
	.size	apart, . - apart

	.type	work, @function
work:					#@ work Ir=5 Dr=5
	ret
	.size	work, . - work

	.data
other:	.quad	CO_STACK
	.skip	0x1000
low:	.quad	co
	.skip	0x1000
main_stack:
	.skip	0x1000
high:	.quad	co
