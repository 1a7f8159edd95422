/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults in the middle of superblocks.  The faulting instruction counts, with
 * its reference: it was fetched and it asked for its data.  What follows
 * it in the superblock has not run and leaves no trace, neither in the counts
 * nor in the caches.  (Cachegrind loses up to 16 events before the fault.)
 *
 * The handler goes on at the address in r12.  It touches one word of the signal
 * frame, whose place is Valgrind's affair; therefore D1 and LL are fully
 * associative here and large enough for all: each line misses once.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	/* rt_sigaction(SIGSEGV, &action, NULL, 8) */
	mov	$13, %eax		/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	$11, %edi		/* 05 */ #= Ir=1
	mov	$action, %esi		/* 0a */ #= Ir=1
	xor	%edx, %edx		/* 0f */ #= Ir=1
	mov	$8, %r10d		/* 11 */ #= Ir=1
	syscall				/* 17 */ #= Ir=1
	mov	$stack_top, %esp	/* 19 */ #= Ir=1
	/* Bytes 1e to 22: enters line 20 of I1. */
	mov	$2, %ebx		/* 1e */ #= Ir=1 I1mr=1
	mov	$0x1008, %ecx		/* 23 */ #= Ir=1
	mov	$2f, %r12d		/* 28 */ #= Ir=1
	jmp	1f			/* 2e */ #= Ir=1

	/*
	 * A load from an address where nothing is, twice; what follows never
	 * runs.  (The sum is all that is needed of the two loads, so that
	 * Valgrind would like to load when it adds, with the second one.)
	 */
	.org	0x40
1:	nop				/* 40 */ #= Ir=2 I1mr=1 ILmr=1
	add	$1, %r13d		/* 41 */ #= Ir=2
	add	(%rcx), %esi		/* 45 */ #= Ir=2 Dr=2 D1mr=1 DLmr=1
	add	data + 64, %esi
	movl	$1, data + 128
	mov	data + 192, %r15d	/* 59 */
	ud2
	/* Line 60 of the code is cold when it is used at last, but LL has it with line 40. */
	.org	0x70
behind:	jmp	7f			/* 70 */ #= Ir=1 I1mr=1
	.org	0x80
	/* T N at histories 0000000 0000001, counters 0. */
2:	dec	%ebx			/* 80 */ #= Ir=2 I1mr=1 ILmr=1
	jnz	1b			/* 82 */ #= Ir=2 Bc=2 Bcm=1
	mov	$0x2008, %ecx		/* 84 */ #= Ir=1
	mov	$4f, %r12d		/* 89 */ #= Ir=1
	jmp	3f			/* 8f */ #= Ir=1

	/* A store; the handler goes on after it, so what follows runs once. */
	.org	0xa0
3:	mov	data, %r14d		/* a0 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 DLmr=1
	mov	%ebp, (%rcx)		/* a8 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
4:	add	data + 32, %r14d	/* aa */ #= Ir=1 Dr=1 D1mr=1
	mov	%r14d, data + 36	/* b2 */ #= Ir=1 Dw=1
	jmp	5f			/* ba */ #= Ir=1

	/* A jump to where nothing is: the jump counts, there is nothing else. */
	.org	0xc0
5:	mov	$6f, %r12d		/* c0 */ #= Ir=1 I1mr=1 ILmr=1
	jmp	*%rcx			/* c6 */ #= Ir=1 Bi=1 Bim=1
	ud2

	/* Of the data, 40 and 80 are cold: what follows the load has not run. */
	.org	0xe0
6:	mov	data + 64, %r14d	/* e0 */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 DLmr=1
	movl	$1, data + 128		/* e8 */ #= Ir=1 Dw=1 D1mw=1 DLmw=1
	jmp	behind			/* f3 */ #= Ir=1
		.org	0x100
7:	mov	$60, %eax		/* 100 */ #= Ir=1 I1mr=1 ILmr=1
	xor	%edi, %edi		/* 105 */ #= Ir=1
	syscall				/* 107 */ #= Ir=1
	.size	_start, . - _start

	/* Four times: sets RIP in the frame, then rt_sigreturn() as if after a return. */
	.org	0x140
	.type	handler, @function
handler:
	mov	%r12, 168(%rdx)		/* 140 */ #= Ir=4 Dw=4 I1mr=1 D1mw=1 ILmr=1 DLmw=1
	add	$8, %rsp		/* 147 */ #= Ir=4
	mov	$15, %eax		/* 14b */ #= Ir=4
	syscall				/* 150 */ #= Ir=4
	.size	handler, . - handler

	.data
data:	.skip	0x200
	/* SA_SIGINFO and SA_RESTORER; the restorer is never called. */
action:	.quad	handler, 0x04000004, 0, 0
	.skip	0x2000
	.balign	64
stack_top:
	.quad	0
