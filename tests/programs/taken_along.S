/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code without symbols that is of another unit when it is translated again, having been discarded
 * together with another block: .Lg comes into the unit of .Lf, which jumps to it; .Lk, its second
 * instruction, becomes hot and takes it along; and then .Lg is called.  Another object's h jumps
 * to it before and after.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	lea	.Lf(%rip), %r14
	lea	.Lg(%rip), %r15
	lea	.Lk(%rip), %r13
	call	*%r14
	call	h@PLT
	call	h@PLT
	call	h@PLT
	mov	$3000, %r12d
.Lloop:	call	*%r13
	dec	%r12d
	jnz	.Lloop
	call	*%r15
	call	h@PLT
	call	h@PLT
	call	*%r14
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start
	.p2align 4
.Lf:	nop
	jmp	.Lg
	.p2align 4
.Lg:	nop
.Lk:	nop
	ret
	.section .note.GNU-stack, "", @progbits
