/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function of one block up to its branch, for breakpoints at its begin and in its midst. */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=155 Dw=50 Bc=50
	mov	$stack_top, %esp
	mov	$50, %ebp
1:	call	step			#> main step 50 Ir=500 Dr=200 Dw=50 Bc=50
	dec	%ebp
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.globl	step, middle, late
	.type	step, @function
step:					#@ step Ir=500 Dr=200 Dw=50 Bc=50
	nop
	incl	data
middle:	nop
	add	data, %edx
late:	push	%rdx
	pop	%rcx
	test	%ecx, %ecx
	jz	2f
	nop
2:	ret
	.size	step, . - step

	.data
data:	.long	0
	.skip	0x1000
	.balign	64
stack_top:
	.quad	0
