/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recursion.  A call of a function that is active is one of level 2; deeper
 * ones are of level 2, too, unless --separate-recs says otherwise.  What calls
 * at one place cost is added up, though one call contains the other.
 *
 * self(4): four activations, the inner one of 3 instructions, the others of 4:
 *	level		1   2   3   4
 *	Ir with callees	15  11  7   3
 *	Dw		3   2   1   0		one a call
 *	Dr		4   3   2   1		one a return
 *	Bc		4   3   2   1
 * so the calls in level 2 cost 7 + 3, of reads and branches 2 + 1, of writes 1.
 *
 * ping(6) calls pong(5), that ping(4), and so on to pong(1):
 *		ping  pong  ping'2  pong'2  ping'2  pong'2
 *	Ir	23    19    15      11      7       3
 *	Dw	5     4     3       2       1       0
 *	Dr, Bc	6     5     4       3       2       1
 *
 * tree(3) calls tree twice, each of these tree twice:
 *	depth		3   2   1
 *	activations	1   2   4
 *	Ir		6   6   4
 *	with callees	34  14  4	6 + 2 x 14, 6 + 2 x 4
 *	Dw		6   2   0
 *	Dr, Bc		7   3   1
 */
	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=9 Dw=3
	mov	$4, %edi
	call	self			#> main self 1 Ir=15 Dr=4 Dw=3 Bc=4
	mov	$6, %edi
	call	ping			#> main ping 1 Ir=23 Dr=6 Dw=5 Bc=6
	mov	$3, %edi
	call	tree			#> main tree 1 Ir=34 Dr=7 Dw=6 Bc=7
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	self, @function
self:					#@ self Ir=4 Dr=1 Dw=1 Bc=1 #@ self'2 Ir=11 Dr=3 Dw=2 Bc=3
	dec	%edi
	jz	1f
	call	self			#> self self'2 1 Ir=11 Dr=3 Dw=2 Bc=3 #> self'2 self'2 2 Ir=10 Dr=3 Dw=1 Bc=3
1:	ret
	.size	self, . - self

	.type	ping, @function
ping:					#@ ping Ir=4 Dr=1 Dw=1 Bc=1 #@ ping'2 Ir=8 Dr=2 Dw=2 Bc=2
	dec	%edi
	jz	1f
	call	pong			#> ping pong 1 Ir=19 Dr=5 Dw=4 Bc=5 #> ping'2 pong'2 2 Ir=14 Dr=4 Dw=2 Bc=4
1:	ret
	.size	ping, . - ping

	.type	pong, @function
pong:					#@ pong Ir=4 Dr=1 Dw=1 Bc=1 #@ pong'2 Ir=7 Dr=2 Dw=1 Bc=2
	dec	%edi
	jz	1f
	call	ping			#> pong ping'2 1 Ir=15 Dr=4 Dw=3 Bc=4 #> pong'2 ping'2 1 Ir=7 Dr=2 Dw=1 Bc=2
1:	ret
	.size	pong, . - pong

	.type	tree, @function
tree:					#@ tree Ir=6 Dr=1 Dw=2 Bc=1 #@ tree'2 Ir=28 Dr=6 Dw=4 Bc=6
	dec	%edi
	jz	1f
	call	tree			#> tree tree'2 1 Ir=14 Dr=3 Dw=2 Bc=3 #> tree'2 tree'2 2 Ir=8 Dr=2 Bc=2
	call	tree			#> tree tree'2 1 Ir=14 Dr=3 Dw=2 Bc=3 #> tree'2 tree'2 2 Ir=8 Dr=2 Bc=2
1:	inc	%edi
	ret
	.size	tree, . - tree

	.data
	.long	0			/* without data, there would be no symbols */
