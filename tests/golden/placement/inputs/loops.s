# Loops, each on other windows of 16, 32 and 64 bytes, from 0x401000 on.  Never run: the profile is by hand.
	.text
	.globl _start
	.type _start, @function
_start:
	xor	%eax, %eax
	.fill	54, 1, 0x90
1:	add	%rdi, %rax		# 12 bytes at 56 of 64
	add	(%rsi, %rax), %rdx
	dec	%rcx
	jne	1b
	ret
	.size _start, .-_start

	.balign 64
	.type placed, @function
placed:
	add	%rdi, %rax		# the same at 0
	add	(%rsi, %rax), %rdx
	dec	%rcx
	jne	placed
	ret
	.size placed, .-placed

	.balign 64
	.fill	24, 1, 0x90
	.type first, @function
first:					# 24 of 64: two of 16 and of 32, one of 64
	add	%rdi, %rax
	add	(%rsi, %rax), %rdx
	dec	%rcx
	jne	first
	ret
	.size first, .-first

	.balign 64
	.type nested, @function
nested:
	mov	%rdi, %rcx
	.fill	51, 1, 0x90
1:	add	(%rsi), %eax		# 54 of 64: the inner loop is placed badly
	add	$8, %rsi
	sub	$1, %ecx
	jns	1b
	sub	$1, %edi
	jns	nested
	ret
	.size nested, .-nested

	.balign 64
	.type seldom, @function
seldom:
	.fill	3, 1, 0x90
1:	add	(%rsi), %eax
	jns	3f
2:	shl	%eax			# seldom: part of the loop around it
	js	2b
3:	lea	64(%rsi), %rsi
	sub	$1, %edi
	jns	1b
	ret
	.size seldom, .-seldom

	.balign 64
	.type large, @function
large:
	.fill	3, 1, 0x90
1:	jmp	2f
	.fill	512, 1, 0x90		# more than 512 in all
2:	dec	%rcx
	jne	1b
	ret
	.size large, .-large

	.balign 64
	.type always, @function
always:
	jmp	3f			# into the middle
	.fill	59, 1, 0x90
1:	dec	%rcx
	js	2f
3:	jmp	1b			# jumps back always
2:	ret
	.size always, .-always

	.balign 64
	.type twice, @function
twice:
	.fill	10, 1, 0x90
1:	add	$3, %rax
	test	$1, %al
	jne	1b			# goes on
	sub	$5, %rax
	jns	1b
	ret
	.size twice, .-twice

	.balign 64
	.type cold, @function
cold:
	.fill	60, 1, 0x90
1:	dec	%rcx			# less than 2 %
	jne	1b
	ret
	.size cold, .-cold
