/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which instructions push each other out.  D1 is direct mapped, 4 KiB: 64 lines of 64 bytes.  x and y are 4096 bytes
 * apart, 16 lines each: of the 8 reads of a line, the first one is cold, and the 7 others find that the other array's
 * has come.  z lies 8192 bytes after x, and is read once for every 4th line, with its own: 4 lines.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$x, %ebx
	mov	$128, %ecx
1:	add	(%rbx), %rax		/* 16 cold, 112 conflict */
	add	4096(%rbx), %rax	/* the same */
	add	$8, %rbx
	dec	%ecx
	jnz	1b

	/* Each pushes out y's last line of the set, whose own reference missed there last. */
	mov	$x, %ebx
	mov	$4, %ecx
2:	add	(%rbx), %rax		/* 4 conflict, by line 14 */
	add	8192(%rbx), %rax	/* 4 cold */
	add	$256, %rbx
	dec	%ecx
	jnz	2b

	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start

	.data
	.balign	4096
x:	.skip	3 * 4096
