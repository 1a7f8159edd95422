/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads of values that nobody uses.  That of rax is removed by Valgrind before
 * any tool sees it.  That of rbp is kept for those who want to know the frame
 * wherever memory is referenced; Cachegrind says that it does not.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	movq	$1, data(%rip)
	mov	data+8(%rip), %rbp
	mov	data+16(%rip), %rax
	mov	data+24(%rip), %rbp
	mov	data+32(%rip), %rax
	mov	%rax, data(%rip)
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, .-_start

	.data
	.balign	64
data:	.skip	64
	.section .note.GNU-stack, "", @progbits
