/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that ends, or not, by the instructions DEATH in a function that
 * was called by another one.  Calls that are active then cost what they have
 * cost so far.
 *
 *	outer	nop nop call		Ir=3 Dw=1
 *	inner	nop, DEATH		Ir=1 and DEATH's
 */
#define SYS_GETPID 39
#define SYS_EXECVE 59
#define SYS_EXIT 60
#define SYS_KILL 62
#define SYS_EXIT_GROUP 231

	/* 6 instructions */
	.macro	die signal
	mov	$SYS_GETPID, %eax
	syscall
	mov	%eax, %edi
	mov	$\signal, %esi
	mov	$SYS_KILL, %eax
	syscall
	.endm

	/* 3 instructions */
	.macro	end call
	mov	$\call, %eax
	mov	$7, %edi
	syscall
	.endm

	/* 5 instructions */
	.macro	execute
	mov	$SYS_EXECVE, %eax
	mov	$program, %edi
	mov	$arguments, %esi
	xor	%edx, %edx
	syscall
	.endm

	.text
	.globl	main
	.type	main, @function
main:
	call	outer
	end	SYS_EXIT_GROUP
	.size	main, . - main

	.type	outer, @function
outer:
	nop
	nop
	call	inner
	ret
	.size	outer, . - outer

	.type	inner, @function
inner:
	nop
	DEATH
	ret
	.size	inner, . - inner

	.data
program: .asciz	PROGRAM
	.balign	8
arguments: .quad program, 0
