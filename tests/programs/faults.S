/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thousand faults by each route out of the handler.  The instruction that
 * faults counts, with what it asked for before and at the fault; what follows
 * it in the block does not.  Each function's own costs are in a comment, in
 * the notation of tests/asm/calls.py; caches are left out, as the place of the
 * signal frame is Valgrind's affair.
 *
 * N is COUNT.  Routes go on at r14, with their stack at r15.
 */
#define COUNT 1000
#define SYS_SIGACTION 13
#define SYS_SIGRETURN 15
#define SYS_EXIT 60
#define RIP 168 /* in the ucontext */

	/* 6 instructions */
	.macro	handle signal, action
	mov	$SYS_SIGACTION, %eax
	mov	$\signal, %edi
	mov	$\action, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	.endm

	/* 5 instructions: COUNT rounds, each going on at address; nothing is at rcx. */
	.macro	rounds address
	mov	$COUNT, %ebp
	mov	$\address, %r14d
	mov	%rsp, %r15
	mov	$8, %ecx
	xor	%ebx, %ebx
	.endm

	.text
	.globl	main
	.type	main, @function
	/* 1, 8 times handle, 9 calls, 3 */
main:					#@ main Ir=61 Dw=9
	mov	$stack_top, %esp
	handle	11, on_jump
	call	reads
	handle	11, on_return
	call	reads
	call	writes
	call	pushes
	call	pops
	handle	8, on_return
	call	divides
	handle	4, on_return
	call	undefined
	handle	11, on_nest
	handle	8, on_nest_deeper
	handle	4, on_step
	call	nests
	handle	4, on_jump
	call	nests
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	/*
	 * Twice: 5, N times 2 up to the fault and 3, ret.  The second read of a
	 * round is not made.
	 */
	.type	reads, @function
reads:					#@ reads Ir=10012 Dr=2002 Bc=2000
	rounds	2f
1:	nop
	add	(%rcx), %eax
	add	data, %eax
	incl	data
	ud2
2:	nop
	dec	%ebp
	jnz	1b
	ret
	.size	reads, . - reads

	/* 5, N times 3 with a read and a write, and 3, ret */
	.type	writes, @function
writes:					#@ writes Ir=6006 Dr=1001 Dw=1000 Bc=1000
	rounds	2f
1:	nop
	add	data, %eax
	mov	%eax, (%rcx)
	mov	%eax, data
	ud2
2:	nop
	dec	%ebp
	jnz	1b
	ret
	.size	writes, . - writes

	/* 5, N times 2 with the read of the push but not its write, and 3, ret */
	.type	pushes, @function
pushes:					#@ pushes Ir=5006 Dr=1001 Bc=1000
	rounds	2f
1:	nop
	push	(%rcx)
	push	%rax
	ud2
2:	mov	%r15, %rsp
	dec	%ebp
	jnz	1b
	ret
	.size	pushes, . - pushes

	/* 5, N times 3 with a push, and both the read and the write of the pop, and 3, ret */
	.type	pops, @function
pops:					#@ pops Ir=6006 Dr=1001 Dw=2000 Bc=1000
	rounds	2f
1:	push	%rax
	nop
	pop	(%rcx)
	pop	%rax
	ud2
2:	mov	%r15, %rsp
	dec	%ebp
	jnz	1b
	ret
	.size	pops, . - pops

	/* 5, N times 2 up to the fault and 3, ret */
	.type	divides, @function
divides:				#@ divides Ir=5006 Dr=1 Bc=1000
	rounds	2f
1:	nop
	idiv	%ebx
	add	data, %eax
	ud2
2:	nop
	dec	%ebp
	jnz	1b
	ret
	.size	divides, . - divides

	/* 5, N times 3 with a read up to the fault and 3, ret */
	.type	undefined, @function
undefined:				#@ undefined Ir=6006 Dr=1001 Bc=1000
	rounds	2f
1:	nop
	add	data, %eax
	ud2
2:	nop
	dec	%ebp
	jnz	1b
	ret
	.size	undefined, . - undefined

	/* Twice: 5, N times 2 up to the fault and 3, ret */
	.type	nests, @function
nests:					#@ nests Ir=10012 Dr=2002 Bc=2000
	rounds	2f
1:	nop
	add	(%rcx), %eax
	ud2
2:	nop
	dec	%ebp
	jnz	1b
	ret
	.size	nests, . - nests

	/* Leaves all handlers at once: N times out of reads, N times out of three in nests. */
	.type	jumper, @function
jumper:					#@ jumper Ir=4000 Bi=2000
	mov	%r15, %rsp
	jmp	*%r14
	.size	jumper, . - jumper

	/* Returns elsewhere: N times each to reads, writes, pushes, pops, divides and undefined. */
	.type	returner, @function
returner:				#@ returner Ir=12000 Dr=6000 Dw=6000
	mov	%r14, RIP(%rdx)
	ret
	.size	returner, . - returner

	/* Within a handler: up to the idiv 2 N times, and what follows N times. */
	.type	nest, @function
nest:					#@ nest Ir=6000 Dr=1000 Dw=1000
	nop
	idiv	%ebx
nest_rest:
	mov	%r14, RIP(%rdx)
	ret
	.size	nest, . - nest

	/*
	 * Within that one's: the same.  The address is not the one found there
	 * and 2: without the inline engine, Valgrind has it wrong at a division.
	 */
	.type	deeper, @function
deeper:					#@ deeper Ir=7000 Dr=1000 Dw=1000
	nop
	ud2
	movq	$nest_rest, RIP(%rdx)
	nop
	ret
	.size	deeper, . - deeper

	/* Within that one's: N times.  What adds to memory is one read. */
	.type	stepper, @function
stepper:				#@ stepper Ir=2000 Dr=2000
	addq	$2, RIP(%rdx)		/* after the ud2 */
	ret
	.size	stepper, . - stepper

	/* N returns of returner to each of six, and 3 N by the handlers of nests */
	.type	restorer, @function
	nop
restorer:				#@ restorer Ir=18000
	mov	$SYS_SIGRETURN, %eax
	syscall
	.size	restorer, . - restorer

	.data
#define FLAGS 0x44000004 /* SA_SIGINFO, SA_RESTORER, SA_NODEFER */
on_jump: .quad	jumper, FLAGS, restorer, 0
on_return: .quad returner, FLAGS, restorer, 0
on_nest: .quad	nest, FLAGS, restorer, 0
on_nest_deeper: .quad deeper, FLAGS, restorer, 0
on_step: .quad	stepper, FLAGS, restorer, 0
data:	.quad	0
	.skip	0x4000
	.balign	64
stack_top:
	.quad	0
