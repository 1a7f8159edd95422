/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function of another object that jumps where %r15 says. */
	.globl	h
	.type	h, @function
h:	nop
	jmp	*%r15
	.size	h, . - h
	.section .note.GNU-stack, "", @progbits
