/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jumps that the call graph looks at too.  Those that make a call, or take the
 * frame of a function away, are no jumps.
 */
	.text
	.globl	main
	.type	main, @function
	/*
	 * Nobody calls the first function, so with more on its stack it is no
	 * call of itself: 3 times, and 2 of the 3 that are then left to 5.  Then
	 * with less than when it began.
	 */
main:
	incl	turns
	cmpl	$3, turns
	ja	1f			#~ main 3/6 1f
	push	%rax
	jmp	main			#~ main 3 main
1:	push	%rax
	cmpl	$6, turns
	jb	main			#~ main 2/3 main
	lea	64(%rsp), %rsp
	mov	$2f, %eax
	jmp	*%rax			#~ main 1 2f
	ud2
2:	mov	$3, %edi
	call	mixed
	mov	$2, %edi
	call	unwound
	mov	$3, %edi
	call	part
	mov	$3, %edi
	mov	$1f, %r12d
	jmp	into_host		/* and back */
1:	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	/*
	 * With 3: 2 is even and goes back to the start; 1 is odd and does so with
	 * a word pushed, by the same jump: mixed calls itself.  There 0 ends it.
	 */
	.type	mixed, @function
mixed:
	dec	%edi
	jz	2f			#~ mixed'2 1/1 2f
	test	$1, %edi
	jz	1f			#~ mixed 1/2 1f
	push	%rdi
1:	test	%edi, %edi
	jnz	mixed			#~ mixed 1/2 mixed
	ud2
2:	lea	8(%rsp), %rsp
	ret
	.size	mixed, . - mixed

	/* The inner call goes back into the outer one, as longjmp does. */
	.type	unwound, @function
unwound:
	dec	%edi
	jz	1f			#~ unwound'2 1/1 1f
	mov	%rsp, %rbp
	call	unwound
	ud2
1:	mov	%rbp, %rsp
	jmp	*back_address
	ud2
back:	mov	$2f, %eax
	jmp	*%rax			#~ unwound 1 2f
	ud2
2:	ret
	.size	unwound, . - unwound

	/* Its cold part is a part of it. */
	.type	part, @function
part:
	dec	%edi
	jnz	part_cold		#~ part 2/3 part_cold
	ret
	.size	part, . - part
	.type	part.cold, @function
part.cold:
part_cold:
	jmp	part			#~ part 2 part
	.size	part.cold, . - part.cold

	/* Entered in its midst, which is a tail call; jumps are its own all the same. */
	.type	host, @function
host:
	ud2
into_host:
	dec	%edi
	jnz	into_host		#~ host 2/3 into_host
	jmp	*%r12
	.size	host, . - host

	.data
turns:	.long	0
	.align	8
back_address:
	.quad	back
