/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function with code from another file in its midst, which is entered
 * by a jump, goes round, and is left by a jump, 2 times.
 */
	.text
	.globl	main
	.type	main, @function
main:
	mov	$2, %ebx
1:	jmp	inlined			/* 2 */
	ud2
#include "jumps_files.inc"
	ud2
2:	dec	%ebx
	jnz	1b			/* 1/2 */
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.data
	.long	0			/* without data, there would be no symbols */
