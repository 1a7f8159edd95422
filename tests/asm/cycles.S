/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of a million rounds each; it is known what a round takes: tests/tool/instrument/cycles.sh. */
	.text
	.globl	_start
	.type	_start, @function
_start:
	lea	first(%rip), %rax
	lea	second(%rip), %rdx
	mov	%rdx, (%rax)
	mov	%rdx, 8(%rax)
	mov	%rax, (%rdx)
	mov	%rax, 8(%rdx)
	call	multiplications
	call	memory
	call	renamed
	call	chase
	call	two_lines
	call	side_by_side
	call	by_slot
	call	by_chance
	call	beside
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

/* Each link leads to the other one, on a line of the same set if D1 has 4 KiB. */
	.p2align 6
	.type	two_lines, @function
two_lines:
	mov	$1000000, %ecx
	lea	first(%rip), %rax
1:	mov	(%rax), %rax
	dec	%ecx
	jnz	1b
	ret
	.size	two_lines, .-two_lines

/* The same lines, at addresses that nothing has to be waited for. */
	.p2align 6
	.type	side_by_side, @function
side_by_side:
	mov	$1000000, %ecx
1:	mov	first(%rip), %rax
	mov	second(%rip), %rdx
	dec	%ecx
	jnz	1b
	ret
	.size	side_by_side, .-side_by_side

/*
 * As two_lines, but each link is stored in a slot, which is loaded again by another name, as an interpreter does it: what it points
 * to is in the second word of a line.
 */
	.p2align 6
	.type	by_slot, @function
by_slot:
	mov	$1000000, %ecx
	mov	slots(%rip), %rdi
	lea	first(%rip), %rax
	mov	%rax, (%rdi)
1:	mov	slot(%rip), %rax
	mov	8(%rax), %rdx
	mov	%rdx, (%rdi)
	dec	%ecx
	jnz	1b
	ret
	.size	by_slot, .-by_slot

/* Three steps of a generator of random numbers (Knuth's, of MMIX), 4 cycles each; a branch depends on a bit of them. */
	.p2align 6
	.type	by_chance, @function
by_chance:
	mov	$1000000, %ecx
	movabs	$6364136223846793005, %rsi
	movabs	$1442695040888963407, %rdi
1:	.rept	3
	imul	%rsi, %rax
	add	%rdi, %rax
	.endr
	test	%rax, %rax
	js	2f
	add	$1, %rdx
2:	dec	%ecx
	jnz	1b
	ret
	.size	by_chance, .-by_chance

/* A round is a chain of twelve multiplications, 36 cycles; the branch is of one step next to it. */
	.p2align 6
	.type	beside, @function
beside:
	mov	$1000000, %ecx
	movabs	$6364136223846793005, %rsi
	movabs	$1442695040888963407, %rdi
1:	.rept	12
	imul	%r8, %r8
	.endr
	imul	%rsi, %rax
	add	%rdi, %rax
	test	%rax, %rax
	js	2f
	add	$1, %rdx
2:	dec	%ecx
	jnz	1b
	ret
	.size	beside, .-beside

	.data
	.p2align 6
place:	.quad	0
	.p2align 6
link:	.quad	link
	.p2align 6
slots:	.quad	slot
slot:	.quad	0

/* Of no file, whose lines the tool does not read. */
	.bss
	.p2align 12
	.skip	4096
first:	.skip	4096
second:	.skip	4096
