/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code without symbols that goes with what jumps to it, and when it is
 * translated again with what calls it: .Lg is reached from .Lf 199 times, called
 * once, and reached from h, as it was before.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	lea	.Lf(%rip), %r14
	lea	.Lg(%rip), %r15
	mov	$2, %r12d
.Lboth:	call	*%r14
	call	h
	dec	%r12d
	jnz	.Lboth
	mov	$195, %r12d
.Lloop:	call	*%r14
	dec	%r12d
	jnz	.Lloop
	call	*%r15
	call	*%r15
	call	h
	call	h
	call	*%r14
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start

	.type	h, @function
h:	nop
	jmp	*%r15
	.size	h, . - h

	.p2align 4
.Lf:	nop
	jmp	.Lg
	.p2align 4
.Lg:	nop
	nop
	ret
	.section .note.GNU-stack, "", @progbits
