/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A branch that Valgrind knows is not taken, jrcxz, and a fault after it in the same segment: the
 * predictor has seen the branch.  Those before it, all at one place of its table, have taught it
 * the opposite.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$13, %eax
	mov	$11, %edi
	mov	$action, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	mov	$1f, %r12d
	mov	zero, %r13
	.rept 16
	.p2align 7
	nop; nop; test %r13, %r13
	jz	7f
	ud2
7:
	.endr
	jmp	2f
	.p2align 7
2:	mov $1, %ecx
	jrcxz 9f
	mov	8, %rbx
	ud2
1:	mov	$60, %eax
	xor	%edi, %edi
	syscall
9:	ud2
	.size	_start, . - _start
	.type	handler, @function
handler:
	mov	%r12, 168(%rdx)
	ret
	.size	handler, . - handler
restorer:
	mov	$15, %eax
	syscall
	.data
	.p2align 3
action:	.quad	handler, 0x44000004, restorer, 0
zero:	.quad 0
	.section .note.GNU-stack, "", @progbits
