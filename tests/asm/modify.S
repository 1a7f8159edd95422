/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that read and write the same place.  Such a modify is one
 * reference, a read: the write that follows it in the same instruction, to the
 * same place and of the same size, cannot miss and is not counted.
 *
 * Valgrind makes of a locked instruction a load and a compare-and-swap (a
 * modify: a read) that starts again if another thread was faster: two reads
 * and a conditional branch, never taken here.  The counters of branches start
 * at "not taken", so none of these is mispredicted.  lock cmpxchg needs no
 * loop: it is the compare-and-swap alone.
 *
 * Architecturally they are one modify, without a branch.
 *
 * "The same place" is what Valgrind sees to be the same address, not what
 * happens to be.
 *
 * Offsets from 0x400000 are before the counts; 20, 40 and so on are new lines
 * of I1, 40, 80 and so on of LL.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$stack_top, %esp	/* 00 */ #= Ir=1 I1mr=1 ILmr=1
	mov	$words, %ebx		/* 05 */ #= Ir=1
	/* Loaded, so that Valgrind does not know it; line 0x600040. */
	mov	64(%rbx), %eax		/* 0a */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Line 0x600000 is cold: a modify that misses is a read that misses. */
	add	%eax, (%rbx)		/* 0d */ #= Ir=1 Dr=1 D1mr=1 DLmr=1
	incl	4(%rbx)			/* 0f */ #= Ir=1 Dr=1
	shll	16(%rbx)		/* 12 */ #= Ir=1 Dr=1
	notl	20(%rbx)		/* 15 */ #= Ir=1 Dr=1
	/* Line 0x600020, the other half of LL's line.  Bytes 18 to 1c. */
	btsl	$3, 40(%rbx)		/* 18 */ #= Ir=1 Dr=1 D1mr=1
	adc	%eax, 28(%rbx)		/* 1d */ #= Ir=1 Dr=1
	/* A bit string: the byte of bit 5 is modified. */
	btsl	%eax, 24(%rbx)		/* 20 */ #= Ir=1 Dr=1 I1mr=1
	/*
	 * A bit in a register, which Valgrind puts into memory, 288 bytes below
	 * the stack pointer (0x600ee8, a cold line): written, the byte modified,
	 * read.  Architecturally there is no reference; Cachegrind's manual
	 * names these instructions as an exception.
	 */
	btsl	%eax, %edx		/* 24 */ #~ Ir=1 #= Ir=1 Dr=2 Dw=1 D1mw=1 DLmw=1

	xchg	%eax, (%rbx)		/* 27 */ #~ Ir=1 Dr=1 #= Ir=1 Dr=2 Bc=1
	lock addl $1, (%rbx)		/* 29 */ #~ Ir=1 Dr=1 #= Ir=1 Dr=2 Bc=1
	lock incl (%rbx)		/* 2d */ #~ Ir=1 Dr=1 #= Ir=1 Dr=2 Bc=1
	lock xadd %ecx, (%rbx)		/* 30 */ #~ Ir=1 Dr=1 #= Ir=1 Dr=2 Bc=1
	xadd	%ecx, (%rbx)		/* 34 */ #= Ir=1 Dr=1
	cmpxchg	%ecx, (%rbx)		/* 37 */ #= Ir=1 Dr=1
	lock cmpxchg %ecx, (%rbx)	/* 3a */ #= Ir=1 Dr=1
	/* Bytes 3e to 40: enters line 40. */
	cmpxchg8b (%rbx)		/* 3e */ #= Ir=1 Dr=1 I1mr=1 ILmr=1
	lock cmpxchg16b (%rbx)		/* 41 */ #= Ir=1 Dr=1
	lock btsl $3, (%rbx)		/* 46 */ #~ Ir=1 Dr=1 #= Ir=1 Dr=2 Bc=1

	/* Two places: a read and a write.  Line 0x601000 of the stack is cold. */
	pushq	(%rbx)			/* 4b */ #= Ir=1 Dr=1 Dw=1 D1mw=1 DLmw=1
	popq	8(%rbx)			/* 4d */ #= Ir=1 Dr=1 Dw=1
	push	%rcx			/* 50 */ #= Ir=1 Dw=1
	pop	%rdx			/* 51 */ #= Ir=1 Dr=1
	/* Two instructions. */
	mov	(%rbx), %r8d		/* 52 */ #= Ir=1 Dr=1
	mov	%r8d, (%rbx)		/* 55 */ #= Ir=1 Dw=1
	/* A copy onto itself, by addresses that Valgrind knows to be equal... */
	mov	%ebx, %esi		/* 58 */ #= Ir=1
	mov	%ebx, %edi		/* 5a */ #= Ir=1
	movsb				/* 5c */ #= Ir=1 Dr=1
	/* ...and by equal ones that it does not know.  Bytes 5d to 60: enters line 60. */
	mov	72(%rbx), %rsi		/* 5d */ #= Ir=1 Dr=1 I1mr=1
	mov	72(%rbx), %rdi		/* 61 */ #= Ir=1 Dr=1
	movsb				/* 65 */ #= Ir=1 Dr=1 Dw=1

	mov	$60, %eax		/* 66 */ #= Ir=1
	xor	%edi, %edi		/* 6b */ #= Ir=1
	syscall				/* 6d */ #= Ir=1
	.size	_start, . - _start

	.data
words:	.quad	0, 0, 0, 0, 0, 0, 0, 0
	.quad	5
	.quad	words
	.org	0x1008
stack_top:
	.quad	0
