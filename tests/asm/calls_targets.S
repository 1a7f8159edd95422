/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One call and one jump to 20 functions, which all call hub, which calls leaf:
 * more ways than are remembered.  The test derives what that costs.
 *	t0 to t19  1 to 20 x nop, call ret	Ir=3 to 22, Dr=1 Dw=1
 *	hub	call ret			Ir=2 Dr=1 Dw=1
 *	leaf	ret				Ir=1 Dr=1
 *	jumper	jmp				Ir=1 Dr=1 Bi=1
 */
#define TARGETS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19

	.text
	.globl	main
	.type	main, @function
main:
	mov	$3, %ebp
1:	xor	%ebx, %ebx
2:	call	*table(, %rbx, 8)
	call	jumper
	inc	%ebx
	cmp	$20, %ebx
	jne	2b
	dec	%ebp
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.irp	i, TARGETS
	.type	t\i, @function
t\i:
	.rept	\i + 1
	nop
	.endr
	call	hub
	ret
	.size	t\i, . - t\i
	.endr

	.type	jumper, @function
jumper:	jmp	*table(, %rbx, 8)
	.size	jumper, . - jumper

	.type	hub, @function
hub:	call	leaf
	ret
	.size	hub, . - hub

	.type	leaf, @function
leaf:	ret
	.size	leaf, . - leaf

	.data
table:
	.irp	i, TARGETS
	.quad	t\i
	.endr
