/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two stacks, that of main and that of co, between which swap changes over.
 * co's stack is at CO_STACK; which counts are right depends on whether that is
 * below or above the other one, and stands in the test.
 *
 *	main	mov call, mov xor syscall		Ir=5 Dw=1
 *	go	mov, 3 x (call dec jnz), ret		Ir=11 Dr=1 Dw=3 Bc=3
 *	swap	mov mov mov ret				Ir=4 Dr=2 Dw=1 each time
 *	co	nop call call, 2 x (jmp call call)	Ir=9 Dw=6
 *	work	ret					Ir=1 Dr=1 each time
 *
 * (1) co's stack is the lower one: to change to it looks like calling deeper,
 * to change back like leaving all of that.
 *
 *	main > go > swap > co > swap'2	three times
 *
 *	go > swap	4 + 3 + 1 + 4 = 12, Dr=5, Dw=4 each time
 *	swap > co	8, Dr=3, Dw=3
 *	main > go	11 + 3 x 12
 *
 * (2) co's stack is the higher one: to change to it looks like leaving go, and
 * so co is called by main, in place of go; to change back, like calling deeper.
 *
 *	main > go > swap		go has cost 2, swap 4
 *	main > co > swap > go > swap'2	swap: 4 + go 3 + 4 = 11, twice
 *	main > co > swap > go > main'2	go: dec jnz ret; main: mov xor syscall
 *					4 + 3 + 3 = 10
 *	main > co			9 + 3 (work) + 2 x 11 + 10 = 44
 */
#define SYS_EXIT 60

	.text
	.globl	main
	.type	main, @function
main:
	mov	$main_stack, %esp
	call	go
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	go, @function
go:
	mov	$3, %ebx
1:	call	swap
	dec	%ebx
	jnz	1b
	ret
	.size	go, . - go

	.type	swap, @function
swap:
	mov	%rsp, %rax
	mov	other, %rsp
	mov	%rax, other
	ret
	.size	swap, . - swap

	.type	co, @function
co:
	nop
1:	call	work
	call	swap
	jmp	1b
	.size	co, . - co

	.type	work, @function
work:
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
