/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls of tests/cases/tg.c, by hand: leaf(5), three times inner(10), which
 * calls leaf(10) twice, leaf(7), and rec(4), which calls itself down to
 * rec(0), which calls leaf(3).
 *
 *	leaf(n)		2 + 3 n instructions: mov, ret, and n times add, dec, jnz
 *	inner(n)	5, none of them in a loop
 *	rec(n)		6; rec(0) 5
 *	main		2 for leaf(5); 1 + 3 x 4 for inner; 2 for leaf(7); 2 for rec;
 *			3 to exit: 22
 *
 * Own costs by chain of callers are thus
 *
 *	main				22
 *	main leaf			40	2 + 3 x 5 and 2 + 3 x 7
 *	main inner			15	3 x 5
 *	main inner leaf			192	6 x (2 + 3 x 10)
 *	main rec			6
 *	main rec rec			6
 *	main rec rec rec		6
 *	main rec rec rec rec		6
 *	main rec rec rec rec rec	5
 *	main rec rec rec rec rec leaf	11	2 + 3 x 3
 *
 * which is 309 in all.
 */
	.text
	.globl	main
	.type	main, @function
main:
	mov	$5, %edi
	call	leaf
	mov	$3, %ebx
1:	mov	$10, %edi
	call	inner
	dec	%ebx
	jnz	1b
	mov	$7, %edi
	call	leaf
	mov	$4, %edi
	call	rec
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	leaf, @function
leaf:
	mov	%edi, %ecx
1:	add	%ecx, s(%rip)
	dec	%ecx
	jnz	1b
	ret
	.size	leaf, . - leaf

	.type	inner, @function
inner:
	push	%rdi
	call	leaf
	pop	%rdi
	call	leaf
	ret
	.size	inner, . - inner

	.type	rec, @function
rec:
	test	%edi, %edi
	jz	1f
	dec	%edi
	call	rec
	inc	%eax
	ret
1:	mov	$3, %edi
	call	leaf
	ret
	.size	rec, . - rec

	.data
s:	.long	0
