/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that lock the bus: those with a lock prefix, and xchg with
 * memory, which needs none.  Fences do not, nor does what modifies memory
 * without a lock.
 *
 * A locked instruction is a read and then a compare-and-swap.  If the read
 * faults, the bus is not locked; if the compare-and-swap does, it is.  (lock
 * cmpxchg has no read before.)
 *
 *	locks	14 instructions that lock, 8 that do not, ret	Ir=23 Ge=14
 *	once	xadd ret			Ir=2 Ge=1
 *	skipper	add ret				Ir=2
 *	restorer  mov syscall			Ir=2
 */
#define SYS_SIGACTION 13
#define SYS_SIGRETURN 15
#define SYS_EXIT 60
#define RBX 128				/* in the ucontext */
#define RIP 168

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=36 Ge=3
	mov	$stack_top, %esp		#= Ir=1
	mov	$SYS_SIGACTION, %eax		#= Ir=1
	mov	$11, %edi			#= Ir=1
	mov	$action, %esi			#= Ir=1
	xor	%edx, %edx			#= Ir=1
	mov	$8, %r10d			#= Ir=1
	syscall					#= Ir=1
	mov	$words, %ebx			#= Ir=1
	call	locks				#> main locks 1 Ir=23 Ge=14 #= Ir=1
	mov	$5, %ebp			#= Ir=1
1:	call	once				#> main once 5 Ir=10 Ge=5 #= Ir=5
	dec	%ebp				#= Ir=5
	jnz	1b				#= Ir=5
	/* The handler goes on at the address in rbx. */
	xor	%eax, %eax			#= Ir=1
	mov	$2f, %ebx			#= Ir=1
	/* Cannot be read. */
	lock incl (%rax)			#= Ir=1
	lock incl words
2:	mov	$3f, %ebx			#= Ir=1
	/* Can be read, but not written. */
	lock incl constant			#= Ir=1 Ge=1
	lock incl words
3:	mov	$4f, %ebx			#= Ir=1
	/* Locked once before the second faults. */
	lock incl words				#= Ir=1 Ge=1
	lock cmpxchg %ecx, (%rax)		#= Ir=1 Ge=1
	lock incl words
4:	mov	$SYS_EXIT, %eax			#= Ir=1
	xor	%edi, %edi			#= Ir=1
	syscall					#= Ir=1
	.size	main, . - main

	.type	locks, @function
locks:					#@ locks Ir=23 Ge=14
	lock addl $1, (%rbx)			#= Ir=1 Ge=1
	lock incb 4(%rbx)			#= Ir=1 Ge=1
	lock notw 4(%rbx)			#= Ir=1 Ge=1
	lock xorq %rax, (%rbx)			#= Ir=1 Ge=1
	/* A fence as compilers make it. */
	lock orl $0, (%rsp)			#= Ir=1 Ge=1
	lock xadd %ecx, (%rbx)			#= Ir=1 Ge=1
	lock btsl $3, (%rbx)			#= Ir=1 Ge=1
	lock btcl %ecx, (%rbx)			#= Ir=1 Ge=1
	lock cmpxchg %ecx, (%rbx)		#= Ir=1 Ge=1
	lock cmpxchg8b (%rbx)			#= Ir=1 Ge=1
	lock cmpxchg16b (%rbx)			#= Ir=1 Ge=1
	xchg	%eax, (%rbx)			#= Ir=1 Ge=1
	xchg	%al, (%rbx)			#= Ir=1 Ge=1
	/* With a prefix that it does not need. */
	lock xchg %rcx, (%rbx)			#= Ir=1 Ge=1
	addl	$1, (%rbx)			#= Ir=1
	xadd	%ecx, (%rbx)			#= Ir=1
	cmpxchg	%ecx, (%rbx)			#= Ir=1
	btsl	$3, (%rbx)			#= Ir=1
	xchg	%eax, %ecx			#= Ir=1
	mfence					#= Ir=1
	lfence					#= Ir=1
	pause					#= Ir=1
	ret					#= Ir=1
	.size	locks, . - locks

	.type	once, @function
once:					#@ once Ir=10 Ge=5
	lock xadd %ecx, (%rbx)			#= Ir=5 Ge=5
	ret					#= Ir=5
	.size	once, . - once

	.type	skipper, @function
skipper:				#@ skipper Ir=9
	mov	RBX(%rdx), %rax			#= Ir=3
	mov	%rax, RIP(%rdx)			#= Ir=3
	ret					#= Ir=3
	.size	skipper, . - skipper

	.type	restorer, @function
	nop				#> restorer skipper 3 Ir=9
restorer:				#@ restorer Ir=6
	mov	$SYS_SIGRETURN, %eax		#= Ir=3
	syscall					#= Ir=3
	.size	restorer, . - restorer
	.balign	64
constant: .quad	0

	.data
#define SA_SIGINFO 4
#define SA_RESTORER 0x04000000
	.balign	64
words:	.quad	0, 0
action:	.quad	skipper, SA_RESTORER | SA_SIGINFO, restorer, 0
	.balign	64
	.skip	0x2000
stack_top:
