/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A long stretch of generated code that the core never interrupts.  It counts
 * the blocks that a thread has run, to give others their turn, but not those
 * that a direct jump forward leads to.  Here that is all but one of each turn:
 * LINKS lines of code, each FILL times INSN and a jump to the next one.
 *
 *	turn		LINKS times FILL + 1, dec jnz
 *
 * TURNS turns with rbx at A, then MORE with rbx at B, end in
 *
 *	inner		4, all turns, 2 times 4, then 3 reads and ret
 *	main		mov call, mov xor syscall
 *
 * so Ir = 21 + (TURNS + MORE) * (LINKS * (FILL + 1) + 2).  With FAULT, inner ends
 * in a fault, 2 instructions more and one read, and ret and the 3 of main are not
 * reached: Ir = 19 + the same.
 *
 * D1 has 2 sets of 2 lines of 64 B.  A, B and C, at which INSN and the three
 * reads are, are in set 0, the word of stack in set 1.  The turns refer to A
 * and then B, so C takes the place of A, whatever the numbers are that stand
 * for the time by then: C misses, B hits, A misses.
 *
 * Branches, with N for TURNS and M for MORE, not less than 10: the one of each
 * turn goes T N-1 times, then N.  It misses at seven histories from 0000000 to
 * 0111111 that are new to it, 2 times more at 1111111, and at its end: 10.  The
 * other one then goes T, new to history 1111110: 1.  In the second round the
 * histories are 1111101 to 0111111, six of them new, then 1111111, where it is
 * right until it ends: 7.  At last the other one goes N, as it was once T: 0.
 */
#define SYS_EXIT 60

	.text
	.globl	main
	.type	main, @function
main:
	mov	$stack_top, %esp
	call	inner
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	inner, @function
inner:
	mov	$data, %ebx
	mov	$2, %ecx
	mov	$TURNS, %ebp
	jmp	1f
	.balign	64
1:
	.rept	LINKS
	.rept	FILL
	INSN
	.endr
	jmp	2f
	.balign	64
2:
	.endr
	dec	%ebp
	jnz	1b
	mov	$MORE, %ebp
	add	$0x80, %ebx
	dec	%ecx
	jnz	1b
	add	(%rbx), %eax
	add	-0x80(%rbx), %eax
	add	-0x100(%rbx), %eax
#ifdef FAULT
	xor	%edx, %edx
	add	0x10c0(%rdx), %eax	/* a line of set 1 */
	nop
#endif
	ret
	.size	inner, . - inner

	.data
data:	.skip	0x180
	.skip	0x48
stack_top:
	.quad	0
