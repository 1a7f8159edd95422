/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of instructions (--mix=yes): each is of one, and reads or writes memory besides. */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$2, %r12d		#= Ir=1 Mov=1
1:
	mov	data, %eax		#= Ir=2 Ld=2 Mov=2
	mov	%eax, data		#= Ir=2 St=2 Mov=2
	add	%ecx, data		#= Ir=2 Ld=2 St=2 Al=2
	push	%rax		#= Ir=2 St=2 Mov=2
	pop	%rax		#= Ir=2 Ld=2 Mov=2
	pushq	data		#= Ir=2 Ld=2 St=2 Mov=2
	popq	data		#= Ir=2 Ld=2 St=2 Mov=2
	xchg	%rax, data		#= Ir=2 Ld=2 St=2 Mov=2
	cmove	data, %ecx		#= Ir=2 Ld=2 Mov=2
	lea	data, %edi		#= Ir=2 Al=2
	movzbl	%al, %ecx		#= Ir=2 Mov=2
	sete	%al		#= Ir=2 Al=2
	bt	%rcx, %rax		#= Ir=2 Al=2
	btsl	$3, data		#= Ir=2 Ld=2 St=2 Al=2
	imul	%ecx, %ecx		#= Ir=2 Mul=2
	pmulld	%xmm1, %xmm2		#= Ir=2 Mul=2
	mulsd	data, %xmm2		#= Ir=2 Ld=2 Mul=2
	vfmadd231pd	%ymm1, %ymm2, %ymm3		#= Ir=2 Mul=2
	mov	$1, %ecx		#= Ir=2 Mov=2
	xor	%edx, %edx		#= Ir=2 Al=2
	div	%ecx		#= Ir=2 Div=2
	sqrtps	%xmm1, %xmm2		#= Ir=2 Div=2
	divpd	data, %xmm1		#= Ir=2 Ld=2 Div=2
	addps	%xmm1, %xmm2		#= Ir=2 Fa=2
	ucomisd	data, %xmm1		#= Ir=2 Ld=2 Fa=2
	andps	%xmm1, %xmm2		#= Ir=2 Al=2
	paddd	%xmm1, %xmm2		#= Ir=2 Al=2
	cltq		#= Ir=2 Cv=2
	cvtsi2sdl	data, %xmm1		#= Ir=2 Ld=2 Cv=2
	pshufd	$1, %xmm1, %xmm2		#= Ir=2 Shf=2
	vinsertf128	$1, data, %ymm1, %ymm1		#= Ir=2 Ld=2 Shf=2
	movaps	%xmm1, data		#= Ir=2 St=2 Mov=2
	nop		#= Ir=2 Nop=2
	nopw	data		#= Ir=2 Nop=2
	prefetcht0	data		#= Ir=2 Nop=2
	cpuid		#= Ir=2 Sys=2
	mfence		#= Ir=2 Sys=2
	fnstcw	data		#= Ir=2 St=2 Sys=2
	fldl	data		#= Ir=2 Ld=2 Mov=2
	fmuls	data		#= Ir=2 Ld=2 Mul=2
	fchs		#= Ir=2 Fa=2
	fistpl	data		#= Ir=2 St=2 Cv=2
	mov	data, %ecx		#= Ir=2 Ld=2 Mov=2
	mov	data, %ecx		#= Ir=2 Ld=2 Mov=2
	mov	$data, %edi		#= Ir=2 Mov=2
	maskmovdqu	%xmm1, %xmm2		#= Ir=2 St=2 Mov=2
	mov	$data, %esi		#= Ir=2 Mov=2
	mov	four, %rcx		#= Ir=2 Ld=2 Mov=2
	rep movsb		#~ Ir=2 Rep=8 Ld=2 St=2 Mov=2 #= Ir=10 Ld=10 St=10 Mov=10
	mov	four, %rcx		#= Ir=2 Ld=2 Mov=2
	rep stosb		#~ Ir=2 Rep=8 St=2 Mov=2 #= Ir=10 St=10 Mov=10
	movsb		#= Ir=2 Ld=2 St=2 Mov=2
	call	3f		#= Ir=2 St=2 Jmp=2
	jmp	2f		#= Ir=2 Jmp=2
2:	dec	%r12d		#= Ir=2 Al=2
	jnz	1b		#= Ir=2 Jmp=2
	mov	$60, %eax		#= Ir=1 Mov=1
	xor	%edi, %edi		#= Ir=1 Al=1
	syscall		#= Ir=1 Sys=1
	.size	_start, . - _start

	.type	callee, @function
callee:
3:	ret		#= Ir=2 Ld=2 Jmp=2
	.size	callee, . - callee

	.data
	.balign	64
data:	.skip	64
four:	.quad	4
