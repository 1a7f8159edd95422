# Branches of each kind, and ways from their conditions to what is loaded.  Never run: the profile is by hand.
	.text
	.globl _start
	.type _start, @function
_start:
	movzbl	(%rdi,%rax), %edx	# loads
	add	$1, %rax
	cmp	$127, %edx
	jbe	1f			# data-dependent
	inc	%rbx
1:	cmp	%rsi, %rax		# nothing before it is known
	jne	_start			# loop exit
	ret
	.size _start, .-_start

	.type slots, @function
slots:
	mov	8(%rsi), %rcx		# loads an address
	mov	(%rcx), %edx		# loads
	mov	%edx, -8(%rbp)
	xor	%eax, %eax
	mov	table(%rip), %r8d	# not it
	cmpl	$3, -8(%rbp)		# the slot that was filled
	setg	%al
	test	%eax, %eax
	jne	2f			# correlated
	cmpl	$5, -16(%rbp)		# a slot of which nothing is known
	jne	2f			# biased
	ret
2:	ret
	.size slots, .-slots

	.type returned, @function
returned:
	call	slots
	test	%eax, %eax
	js	3f			# mixed
	ucomisd	table(%rip), %xmm0	# loads
	jp	3f			# counted by jumps only
	jmp	*table(,%rax,8)
3:	call	*(%rbx)
	ret
	.size returned, .-returned

	.data
	.type table, @object
table:	.quad 1, 2
	.size table, 16
