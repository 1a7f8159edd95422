/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jumps in several contexts.  a has loop go round 3 times, b 5 times and twice
 * 2 times; r calls itself once, and each of the two goes round 2 times.
 */
	.text
	.globl	main
	.type	main, @function
main:
	call	a
	call	b
	mov	$1, %esi
	call	r
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	a, @function
a:
	mov	$3, %edi
	call	loop
	ret
	.size	a, . - a

	.type	b, @function
b:
	mov	$5, %edi
	call	loop
	mov	$2, %edi
	call	loop
	mov	$2, %edi
	call	loop
	ret
	.size	b, . - b

	.type	loop, @function
loop:
	nop
1:	dec	%edi
	jnz	1b			#~ loop 8/12 1b
	ret
	.size	loop, . - loop

	.type	r, @function
r:
	mov	$2, %edi
1:	dec	%edi
	jnz	1b			#~ r 1/2 1b #~ r'2 1/2 1b
	dec	%esi
	js	2f			#~ r'2 1/1 2f
	call	r
2:	ret
	.size	r, . - r

	.data
	.long	0			/* without data, there would be no symbols */
