/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prefetch instructions.  Lines of 64 bytes, the data at 0x600000: line A at 0, B at 64 and so on.  Behind
 * each instruction that refers to memory or asks for a line:
 *
 *	#d	what it costs without --prefetch: misses of a reference by level; a prefetch has none
 *	#p	what it has with --prefetch=yes on a machine without prefetchers, Pf and what becomes of it
 *
 * derived by hand.  Nothing leaves a cache, so that only what was not asked for before comes in.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx
	mov	$2, %ecx
	add	(%rbx), %edx			/* A */ #d D1mr L2dr DLmr
	prefetcht0 0x40(%rbx)			/* B */ #p Pf PfU PfL
	add	0x48(%rbx), %edx		/* B */ #d
	prefetcht1 0x80(%rbx)			/* C, into L2 */ #p Pf PfU
	prefetcht2 -0x40(%rbx,%rcx,8)		/* line -1, into L2 */ #p Pf
	prefetchnta 0xb0(%rbx,%rcx,8)		/* D */ #p Pf PfU
	prefetchw (%rbx)			/* A: it is there */ #p
	prefetcht0 0xc0(%rbx)			/* D once more */ #p
	prefetcht0 data + 0x100(%rip)		/* E */ #p Pf
	addr32 prefetcht0 0x140(%ebx)		/* F */ #p Pf
	prefetcht0 8				/* nothing is there */ #p
	xor	%eax, %eax
	prefetcht0 (%rax)			/* nor there */ #p
	mov	$100, %eax
1:	sub	$1, %eax
	jnz	1b
	add	0x80(%rbx), %edx		/* C */ #d D1mr
	add	0xc0(%rbx), %edx		/* D */ #d
	/* The register changes around it, as in a loop that Valgrind unrolls. */
	add	$0x180, %rbx
	prefetcht0 (%rbx)			/* G */ #p Pf PfU PfL
	add	$0x40, %rbx
	add	-0x40(%rbx), %edx		/* G */ #d
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start

	.data
	.balign	4096
	.skip	4096
	.balign	64
data:	.skip	0x200
