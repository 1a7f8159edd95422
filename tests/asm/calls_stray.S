/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code without symbols in a program that has some: what a function jumps to is
 * of it, what is called, or found by a stub, is a function of its own.  All of
 * this three times; the comments have the sum.
 *
 * (1) away goes on in .Lpart and comes back, twice.
 *	away	nop jmp, nop call jmp, nop ret	Ir=7 Dr=1 Dw=1
 *	leaf	ret				Ir=1 Dr=1
 * (2) goes goes on in .Ltail, which makes a tail call of leaf.
 *	goes	nop jmp, nop jmp		Ir=4
 * (3) one and two share .Lend; pusher comes there by a return.
 *	one, two  jmp, nop ret			Ir=3 Dr=1
 *	pusher	mov push ret, nop ret		Ir=5 Dr=2 Dw=1
 * (4) thrower goes to .Lcaught over nobody, then over relay.
 *	catcher	mov mov call, nop ret		Ir=5 Dr=1 Dw=1
 *	far_catcher  the same
 *	relay	call				Ir=1 Dw=1
 *	thrower	mov jmp				Ir=2 Bi=1
 * (5) rec(3) calls itself in .Lagain.
 *	level		1   2   3
 *			dec jz jmp, call ret	the same	dec jz ret
 *	Ir with callees	13  8   3
 * (6) Called: .Lcalled, which goes on in .Lend, and .Lvia, a tail call of leaf.
 *	.Lcalled  nop jmp, nop ret		Ir=4 Dr=1
 *	.Lvia	jmp				Ir=1
 *	.Lend	nop ret				Ir=2 Dr=1
 * (7) A linkage table's entry is skipped; it finds leaf, or .Lend, which is a
 * function then.
 *	linked, found  nop jmp, jmp *		Ir=3 Dr=1 Bi=1
 * (8) Code in another object, which was made by the program, is called; and so
 * is .Lend from there.
 *	outside	nop jmp *			Ir=2 Bi=1
 *	made	nop jmp *			Ir=2 Bi=1
 */
#define MADE 0x10000000
#define SYS_MMAP 9
#define SYS_EXIT 60

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=69 Dw=46 Bc=3
	mov	$SYS_MMAP, %eax
	mov	$MADE, %edi
	mov	$4096, %esi
	mov	$7, %edx		/* PROT_READ | PROT_WRITE | PROT_EXEC */
	mov	$0x32, %r10d		/* MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED */
	mov	$-1, %r8
	xor	%r9d, %r9d
	syscall
	movl	$0xe5ff4190, MADE	/* nop; jmp *%r13 */
	mov	$MADE, %r12d
	mov	$.Lend, %r13d
	mov	$3, %r15d
1:	call	away			#> main away 3 Ir=24 Dr=6 Dw=3
	call	away			#> main away 3 Ir=24 Dr=6 Dw=3
	call	goes			#> main goes 3 Ir=15 Dr=3
	call	one			#> main one 3 Ir=9 Dr=3
	call	two			#> main two 3 Ir=9 Dr=3
	call	pusher			#> main pusher 3 Ir=15 Dr=6 Dw=3
	call	catcher			#> main catcher 3 Ir=21 Dr=3 Dw=3 Bi=3
	call	far_catcher		#> main far_catcher 3 Ir=24 Dr=3 Dw=6 Bi=3
	mov	$3, %edi
	call	rec			#> main rec 3 Ir=39 Dr=9 Dw=6 Bc=9
	call	.Lcalled		#> main 0x0000000000400200 3 Ir=12 Dr=3
	call	.Lvia			#> main 0x0000000000400210 3 Ir=6 Dr=3
	call	.Lend			#> main 0x0000000000400220 3 Ir=6 Dr=3
	call	linked			#> main linked 3 Ir=12 Dr=6 Bi=3
	call	found			#> main found 3 Ir=15 Dr=6 Bi=3
	call	outside			#> main outside 3 Ir=18 Dr=3 Bi=6
	dec	%r15d
	jnz	1b
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	away, @function
away:					#@ away Ir=42 Dr=6 Dw=6
	nop
	jmp	.Lpart
.Laway_back:
	nop
	ret
	.size	away, . - away

	.type	goes, @function
goes:					#@ goes Ir=12
	nop
	jmp	.Ltail
	.size	goes, . - goes

	.type	one, @function
one:					#@ one Ir=9 Dr=3
	jmp	.Lend
	.size	one, . - one

	.type	two, @function
two:					#@ two Ir=9 Dr=3
	jmp	.Lend
	.size	two, . - two

	.type	pusher, @function
pusher:					#@ pusher Ir=15 Dr=6 Dw=3
	mov	$.Lend, %eax
	push	%rax
	ret
	.size	pusher, . - pusher

	.type	catcher, @function
catcher:				#@ catcher Ir=15 Dr=3 Dw=3
	mov	$.Lcaught, %ebx
	mov	%rsp, %rbp
	call	thrower			#> catcher thrower 3 Ir=6 Bi=3
	.size	catcher, . - catcher

	.type	far_catcher, @function
far_catcher:				#@ far_catcher Ir=15 Dr=3 Dw=3
	mov	$.Lcaught, %ebx
	mov	%rsp, %rbp
	call	relay			#> far_catcher relay 3 Ir=9 Dw=3 Bi=3
	.size	far_catcher, . - far_catcher

	.type	relay, @function
relay:					#@ relay Ir=3 Dw=3
	call	thrower			#> relay thrower 3 Ir=6 Bi=3
	.size	relay, . - relay

	.type	thrower, @function
thrower:				#@ thrower Ir=12 Bi=6
	mov	%rbp, %rsp
	jmp	*%rbx
	.size	thrower, . - thrower

	.type	rec, @function
rec:					#@ rec Ir=15 Dr=3 Dw=3 Bc=3 #@ rec'2 Ir=24 Dr=6 Dw=3 Bc=6
	dec	%edi
	jz	1f
	jmp	.Lagain
1:	ret
	.size	rec, . - rec

	.type	linked, @function
linked:					#@ linked Ir=9 Dr=3 Bi=3
	nop
	jmp	.Lstub			#> linked leaf 3 Ir=3 Dr=3
	.size	linked, . - linked

	.type	found, @function
found:					#@ found Ir=9 Dr=3 Bi=3
	nop
	jmp	.Lstub_to_end		#> found 0x0000000000400220 3 Ir=6 Dr=3
	.size	found, . - found

	.type	outside, @function
outside:				#@ outside Ir=6 Bi=3
	nop
	jmp	*%r12			#> outside 0x0000000010000000 3 Ir=12 Dr=3 Bi=3
	.size	outside, . - outside

	.type	leaf, @function
leaf:					#@ leaf Ir=15 Dr=15
	ret
	.size	leaf, . - leaf

	/* From here on there are no symbols. */
	.org	0x200
.Lcalled:
	nop
	jmp	.Lend
	.org	0x210
.Lvia:	jmp	leaf			#> 0x0000000000400210 leaf 3 Ir=3 Dr=3
	.org	0x220
.Lend:	nop
	ret
.Lpart:	nop
	call	leaf			#> away leaf 6 Ir=6 Dr=6
	jmp	.Laway_back
.Ltail:	nop
	jmp	leaf			#> goes leaf 3 Ir=3 Dr=3
.Lcaught:
	nop
	ret
.Lagain:
	call	rec			#> rec rec'2 3 Ir=24 Dr=6 Dw=3 Bc=6 #> rec'2 rec'2 3 Ir=9 Dr=3 Bc=3
	ret

	.section .plt, "ax", @progbits
	.balign	16
.Lstub:	jmp	*to_leaf(%rip)
	.balign	16
.Lstub_to_end:
	jmp	*to_end(%rip)
	.balign	16

	.data
to_leaf: .quad	leaf
to_end:	.quad	.Lend
