/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One loop twice, of 12 bytes and 1,000 rounds: across the edge of two windows of 64 bytes, and so of 32 and
 * 16; and at the beginning of one.  What is between is not executed.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	lea	data(%rip), %rsi
	mov	$1000, %ecx
	call	crossing
	mov	$1000, %ecx
	call	fitting
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start

	.balign	64
	.type	crossing, @function
crossing:
	jmp	1f
	.skip	56, 0x90
1:	add	%rcx, %rax		/* offsets 58 to 61 */
	add	(%rsi,%rcx), %rdx	/* 61 to 65: across the edge */
	dec	%rcx
	jne	1b
	ret
	.size	crossing, . - crossing

	.balign	64
	.type	fitting, @function
fitting:
	add	%rcx, %rax
	add	(%rsi,%rcx), %rdx
	dec	%rcx
	jne	fitting
	ret
	.size	fitting, . - fitting

	.data
data:	.fill	128, 8, 1
