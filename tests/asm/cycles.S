/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of a million rounds each, of which a manual says what a round takes on Zen 4: tests/tool/translate/cycles.sh. */
	.text
	.globl	_start
	.type	_start, @function
_start:
	call	multiplications
	call	memory
	call	renamed
	call	chase
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, .-_start

	.p2align 6
	.type	multiplications, @function
multiplications:
	mov	$1000000, %ecx
1:	imul	%rax, %rax
	imul	%rax, %rax
	imul	%rax, %rax
	dec	%ecx
	jnz	1b
	ret
	.size	multiplications, .-multiplications

	.p2align 6
	.type	memory, @function
memory:
	mov	$1000000, %ecx
1:	addq	$1, place(%rip)
	dec	%ecx
	jnz	1b
	ret
	.size	memory, .-memory

	.p2align 6
	.type	renamed, @function
renamed:
	mov	$1000000, %ecx
1:	addq	$1, -8(%rsp)
	dec	%ecx
	jnz	1b
	ret
	.size	renamed, .-renamed

	.p2align 6
	.type	chase, @function
chase:
	mov	$1000000, %ecx
	lea	link(%rip), %rax
1:	mov	(%rax), %rax
	dec	%ecx
	jnz	1b
	ret
	.size	chase, .-chase

	.data
	.p2align 6
place:	.quad	0
	.p2align 6
link:	.quad	link
