/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every kind of jump within a function, and what is none.  A conditional jump
 * that is never taken has no line.
 */
	.text
	.globl	main
	.type	main, @function
main:
	mov	$5, %ecx
	call	head
	mov	$2, %ecx
	call	head
	call	both_ways
	call	counted
	call	next
	call	far
	xor	%ebx, %ebx
1:	mov	%ebx, %eax
	call	switch
	mov	$lower, %esi
	call	computed
	inc	%ebx
	cmp	$7, %ebx
	jb	1b			#~ main 6/7 1b
	mov	$upper, %esi
	call	computed
	call	prefixed
	mov	$3, %ebx
	call	twice_a_line
	mov	$2, %edi
	call	leaves
	call	no_jumps
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	/* A loop whose head is the first instruction: 5 turns, then 2. */
	.type	head, @function
head:
	dec	%ecx
	jnz	head			#~ head 5/7 head
	ret
	.size	head, . - head

	/*
	 * 10 turns with the numbers 10 to 1: half of them are odd.  Valgrind
	 * turns jnz around: its side exit is the way that is not the jump.
	 */
	.type	both_ways, @function
both_ways:
	mov	$10, %ecx
1:	test	$1, %ecx
	jnz	2f			#~ both_ways 5/10 2f
	test	$1, %ecx
	jz	3f			#~ both_ways 5/5 3f
	ud2
2:	test	$1, %ecx
	jz	4f			/* never */
3:	jmp	5f			#~ both_ways 10 5f
4:	ud2
5:	dec	%ecx
	jz	6f			#~ both_ways 1/10 6f
	jmp	1b			#~ both_ways 9 1b
6:	ret
	.size	both_ways, . - both_ways

	/*
	 * loop and jrcxz, with a count that Valgrind does not know, and with one
	 * that it knows at the first turn, which has no side exit then.
	 */
	.type	counted, @function
counted:
	mov	four, %ecx
1:	loop	1b			#~ counted 3/4 1b
	mov	$4, %ecx
2:	loop	2b			#~ counted 3/4 2b
	jrcxz	3f			#~ counted 1/1 3f
	ud2
3:	mov	$1, %ecx
	jrcxz	4f			/* never, which Valgrind knows */
	mov	four, %ecx
	jrcxz	4f			/* never */
	xor	%ecx, %ecx
	jrcxz	4f			#~ counted 1/1 4f
	ud2
4:	ret
	.size	counted, . - counted

	/* To the next instruction, wherever they go: the condition decides. */
	.type	next, @function
next:
	cmpl	$4, four
	jz	1f			#~ next 1/1 1f
1:	jnz	2f			/* never */
2:	cmpl	$5, four
	jz	3f			/* never */
3:	jnz	4f			#~ next 1/1 4f
4:	jmp	5f			#~ next 1 5f
5:	ret
	.size	next, . - next

	/* Displacements of four bytes, forth and back. */
	.type	far, @function
far:
	mov	$3, %ecx
	jmp	2f			#~ far 1 2f
1:	dec	%ecx
	jnz	2f			#~ far 2/3 2f
	ret
	.skip	200, 0x90
2:	test	%ecx, %ecx
	jnz	1b			#~ far 3/3 1b
	ud2
	.size	far, . - far

	/* For eax = 0 to 6: 0 and 3 and 6 to the first, 1 and 4 to the second, 2 and 5 to the third. */
	.type	switch, @function
switch:
	xor	%edx, %edx
	mov	$3, %edi
	div	%edi
	jmp	*table(, %rdx, 8)	#~ switch 3 switch_0 #~ switch 2 switch_1 #~ switch 2 switch_2
switch_0:
	ret
switch_1:
	ret
switch_2:
	ret
	.size	switch, . - switch

	/* In a register; what is known when the code is translated is computed all the same. */
	.type	computed, @function
computed:
	jmp	*%rsi			#~ computed 7 lower #~ computed 1 upper
	ud2
upper:
	mov	$lower, %eax
	jmp	*%rax			#~ computed 1 lower
	ud2
lower:
	ret
	.size	computed, . - computed

	/* bnd, hints, notrack */
	.type	prefixed, @function
prefixed:
	mov	four, %ecx
1:	dec	%ecx
	bnd jnz	1b			#~ prefixed 3/4 1b
	mov	four, %ecx
2:	dec	%ecx
	jnz,pt	2b			#~ prefixed 3/4 2b
	bnd jmp	3f			#~ prefixed 1 3f
	ud2
3:	mov	$4f, %eax
	notrack jmp *%rax		#~ prefixed 1 4f
	ud2
4:	ret
	.size	prefixed, . - prefixed

	/*
	 * Instructions of one line with one target, which add up where lines are
	 * counted, but for the one that is never taken: of 3, 2 and 1 the 2 goes
	 * by the first, the 3 and the 1 get to the second, and the 3 goes by that.
	 */
	.type	twice_a_line, @function
twice_a_line:
1:	cmp	$2, %ebx; je 2f; cmp $3, %ebx; je 2f; test %ebx, %ebx; js 2f	#~ twice_a_line 2/5 2f
	ret
2:	dec	%ebx
	jmp	1b			#~ twice_a_line 2 1b
	.size	twice_a_line, . - twice_a_line

	/*
	 * Jumps to other functions are tail calls: taken or not, they have no
	 * line.  A second time around by a jump with the stack as it was.
	 */
	.type	leaves, @function
leaves:
	cmp	$2, %edi
	jne	other
	dec	%edi
	jmp	leaves			#~ leaves 1 leaves
	.size	leaves, . - leaves

	.type	other, @function
other:
	jmp	other_end
	.size	other, . - other
	.type	other_end, @function
other_end:
	ret
	.size	other_end, . - other_end

	/* Valgrind leaves the block in all of these. */
	.type	no_jumps, @function
no_jumps:
	mov	$3, %ecx
	mov	$bytes, %edi
	rep stosb
	mov	$3, %ecx
	mov	$bytes, %edi
	repne scasb
	mov	$4, %eax
	lock cmpxchg %ecx, four
	lock incl four
	cmp	%ecx, %eax
	cmovz	%eax, %edx
	setnz	%dl
	bsf	%ecx, %edx
	mov	$7, %eax
	xor	%edx, %edx
	divl	four
	call	1f			/* to learn where it is */
1:	pop	%rax
	ret
	.size	no_jumps, . - no_jumps

	.data
four:	.long	4
bytes:	.skip	8
	.align	8
table:	.quad	switch_0, switch_1, switch_2
