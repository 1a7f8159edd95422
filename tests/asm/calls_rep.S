/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of what repeats.  As the architecture has it, "rep stosb" and "rep
 * movsb" are one instruction each, and what they repeat is Rep:
 *
 *		calls	Ir	Dr	Dw	Rep
 *	fill	2	5	1	5 + 1	5
 *	copy	2	4	3 + 1	3	3
 *
 * of a call, reads and writes of calls and returns among them.
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=10 Dw=2 Bc=2
	mov	$2, %ebx
1:	call	fill			#> main fill 2 Ir=18 Dr=10 Dw=18 Rep=16
	dec	%ebx
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	fill, @function
fill:					#@ fill Ir=10 Dr=2 Dw=12 Rep=10
	mov	$target, %edi
	mov	$5, %ecx
	rep stosb
	call	copy			#> fill copy 2 Ir=8 Dr=8 Dw=6 Rep=6
	ret
	.size	fill, . - fill

	.type	copy, @function
copy:					#@ copy Ir=8 Dr=8 Dw=6 Rep=6
	mov	$source, %esi
	mov	$3, %ecx
	rep movsb
	ret
	.size	copy, . - copy

	.data
source:	.skip	3
target:	.skip	8
