/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Uses three lines of data, tries to become another program, called "f", and
 * uses two of the lines again.  A profile is written before a program is
 * replaced; if that fails, it must have changed nothing.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$data, %ebx
	add	(%rbx), %ebp
	add	0x40(%rbx), %ebp
	add	0x80(%rbx), %ebp
	mov	$59, %eax	/* execve */
	mov	$path, %edi
	xor	%esi, %esi
	xor	%edx, %edx
	syscall
	add	0x10(%rbx), %ebp
	add	0x90(%rbx), %ebp
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start

	.data
data:	.skip	0x100
path:	.asciz	"f"
