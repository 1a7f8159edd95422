	.text
	.globl	copy
copy:				# of %rdi bytes, from %rsi to %rdx
	testq	%rdi, %rdi
	je	.Ldone
.Lnext:
	movb	(%rsi), %al
	movb	%al, (%rdx)
	incq	%rsi
	incq	%rdx
	decq	%rdi
	jne	.Lnext
.Ldone:
	ret
