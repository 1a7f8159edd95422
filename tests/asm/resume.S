/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of use in a set of D1 survives a fault: what was referenced before
 * it in the same superblock is older than what is referenced after it.
 *
 * The handler does not return, so that nothing but the instructions below
 * refers to memory.  Set 0 of D1 is drawn after each reference, the most
 * recently used line first: A 0x600000, B 0x600100, C 0x600200.  The load that
 * faults asks for line 0x1020, in set 1.
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
	/* Bytes 1e to 22: enters line 20. */
	mov	$data, %ebx		/* 1e */ #= Ir=1 I1mr=1
	mov	$0x1028, %ecx		/* 23 */ #= Ir=1
	jmp	1f			/* 28 */ #= Ir=1

	.org	0x40
1:	add	0x000(%rbx), %ebp	/* 40: A */ #= Ir=1 Dr=1 I1mr=1 D1mr=1 ILmr=1 DLmr=1
	add	0x100(%rbx), %ebp	/* 42: B A */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x104(%rbx), %ebp	/* 48: B A */ #= Ir=1 Dr=1
	add	0x108(%rbx), %ebp	/* 4e: B A */ #= Ir=1 Dr=1
	add	0x10c(%rbx), %ebp	/* 54: B A */ #= Ir=1 Dr=1
	add	0x110(%rbx), %ebp	/* 5a: B A */ #= Ir=1 Dr=1
	add	0x114(%rbx), %ebp	/* 60: B A */ #= Ir=1 Dr=1 I1mr=1
	add	0x118(%rbx), %ebp	/* 66: B A */ #= Ir=1 Dr=1
	mov	(%rcx), %r14d		/* 6c */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x200(%rbx), %ebp	/* 6f */
	ud2

	.org	0x80
handler:
	mov	$data, %ebx		/* 80 */ #= Ir=1 I1mr=1 ILmr=1
	xor	%ebp, %ebp		/* 85 */ #= Ir=1
	add	0x004(%rbx), %ebp	/* 87: A B */ #= Ir=1 Dr=1
	add	0x204(%rbx), %ebp	/* 8a: C A */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	add	0x008(%rbx), %ebp	/* 90: A C */ #= Ir=1 Dr=1
	add	0x104(%rbx), %ebp	/* 93: B A */ #= Ir=1 Dr=1 D1mr=1
	mov	$60, %eax		/* 99 */ #= Ir=1
	xor	%edi, %edi		/* 9e */ #= Ir=1
	syscall				/* a0 */ #= Ir=1 I1mr=1
	.size	_start, . - _start

	.data
data:	.skip	0x400
	/* SA_SIGINFO and SA_RESTORER; the restorer is never called. */
action:	.quad	handler, 0x04000004, 0, 0
	.skip	0x2000
stack_top:
	.quad	0
