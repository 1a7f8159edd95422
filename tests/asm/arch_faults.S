/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults in rep instructions and locked ones, with --counting=architectural.
 *
 * An instruction that faults counts, once, with the round and the references that it
 * asked for.  The handler goes on at the address in r12, with the registers as they
 * were then, but for rdi, rsi and rdx.  (And rcx: Valgrind has taken off the round that
 * faults.)
 *
 * D1 and LL have one set each, larger than all that is touched: each line misses
 * once.  The code is one line of I1.  The page at 0x601000 is unmapped.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	/* rt_sigaction(SIGSEGV, &action, NULL, 8) */
	mov	$13, %eax		#~ Ir=1 I1mr=1 ILmr=1
	mov	$11, %edi		#~ Ir=1
	mov	$action, %esi		#~ Ir=1
	xor	%edx, %edx		#~ Ir=1
	mov	$8, %r10d		#~ Ir=1
	syscall				#~ Ir=1
	/* munmap(0x601000, 4096) */
	mov	$11, %eax		#~ Ir=1
	mov	$0x601000, %edi		#~ Ir=1
	mov	$4096, %esi		#~ Ir=1
	syscall				#~ Ir=1
	mov	$stack_top, %esp	#~ Ir=1
	jmp	1f			#~ Ir=1

	/* Four rounds, and the one that faults: lines 0x600fe0 and 0x601000. */
1:	mov	$2f, %r12d		#~ Ir=1
	mov	$0x600ffc, %edi		#~ Ir=1
	mov	$12, %ecx		#~ Ir=1
	rep stosb			#~ Ir=1 Dw=5 D1mw=2 DLmw=2 Rep=5
	ud2
	/* Eight rounds are left, and memory for them. */
2:	mov	$data, %edi		#~ Ir=1
	mov	$8, %ecx		#~ Ir=1
	rep stosb			#~ Ir=1 Dw=8 D1mw=1 DLmw=1 Rep=8

	/* The read faults in the first round; LL and D1 have the line now. */
	mov	$3f, %r12d		#~ Ir=1
	mov	$0x601000, %esi		#~ Ir=1
	mov	count, %rcx		#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	rep movsb			#~ Ir=1 Dr=1 Rep=1
	ud2
	/* The write faults, when the read is done. */
3:	mov	$4f, %r12d		#~ Ir=1
	mov	$data, %esi		#~ Ir=1
	mov	$0x601000, %edi		#~ Ir=1
	rep movsb			#~ Ir=1 Dr=1 Dw=1 Rep=1
	ud2
	/* It compares two rounds, and faults in the third, with its second read (as Valgrind reads). */
4:	mov	$5f, %r12d		#~ Ir=1
	mov	$0x600ffe, %esi		#~ Ir=1
	mov	$data, %edi		#~ Ir=1
	repe cmpsb			#~ Ir=1 Dr=6 Rep=3
	ud2
5:	mov	$data + 8, %esi		#~ Ir=1
	mov	$data, %edi		#~ Ir=1
	movb	$1, data + 8		#~ Ir=1 Dw=1
	repe cmpsb			#~ Ir=1 Dr=2 Rep=1
	jne	6f			#~ Ir=1 Bc=1 Bcm=1
	ud2

	/* A lock that is never had. */
6:	mov	$7f, %r12d		#~ Ir=1
	mov	$0x601000, %ebx		#~ Ir=1
	lock incl (%rbx)		#~ Ir=1 Dr=1
	ud2
7:	lock incl data			#~ Ir=1 Dr=1 Ge=1
	lock cmpxchg %ecx, data		#~ Ir=1 Dr=1 Ge=1
	mov	$60, %eax		#~ Ir=1
	xor	%edi, %edi		#~ Ir=1
	syscall				#~ Ir=1
	ud2

	/* Each time, deeper on the stack. */
handler:
	jmp	*%r12			#~ Ir=5 Bi=5 Bim=5
	.size	_start, . - _start

	.data
data:	.skip	0x20
	/* SA_SIGINFO, SA_RESTORER and SA_NODEFER; the restorer is never called. */
action:	.quad	handler, 0x44000004, 0, 0
	.skip	0x40
count:	.quad	9
	.skip	0x8000
stack_top:
	.quad	0
