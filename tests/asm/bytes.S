/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes that instructions read and write (--collect-bytes=yes), twice: of each size, as often as strings say, and of lanes
 * that are not masked.  Then two instructions whose second reference faults, or their first: what was referred to counts.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$13, %eax		#= Ir=1
	mov	$11, %edi		#= Ir=1
	mov	$action, %esi		#= Ir=1
	xor	%edx, %edx		#= Ir=1
	mov	$8, %r10d		#= Ir=1
	syscall		#= Ir=1
	mov	$stack_top, %esp		#= Ir=1
	mov	$2, %ebx		#= Ir=1
1:
	/* Loads and stores of each size. */
	movzbl	data, %eax		#= Ir=2 BytR=2
	movzwl	data, %eax		#= Ir=2 BytR=4
	mov	data, %eax		#= Ir=2 BytR=8
	mov	data, %rax		#= Ir=2 BytR=16
	movb	$1, data		#= Ir=2 BytW=2
	mov	%ax, data		#= Ir=2 BytW=4
	movl	$0, data		#= Ir=2 BytW=8
	mov	%rax, data		#= Ir=2 BytW=16
	movss	data, %xmm1		#= Ir=2 BytR=8
	movsd	data, %xmm1		#= Ir=2 BytR=16
	movaps	data, %xmm1		#= Ir=2 BytR=32
	vmovups	data, %ymm2		#= Ir=2 BytR=64
	movss	%xmm1, data		#= Ir=2 BytW=8
	movlps	%xmm1, data		#= Ir=2 BytW=16
	movups	%xmm1, data		#= Ir=2 BytW=32
	vmovaps	%ymm2, data		#= Ir=2 BytW=64
	vbroadcastss	data, %ymm1		#= Ir=2 BytR=8
	vinsertf128	$1, data, %ymm1, %ymm1		#= Ir=2 BytR=32
	cvtps2pd	data, %xmm1		#= Ir=2 BytR=16
	pmovzxbq	data, %xmm1		#= Ir=2 BytR=4
	/* The first of these two is of no use to anyone. */
	mov	data, %ecx		#= Ir=2 BytR=8
	mov	data, %ecx		#= Ir=2 BytR=8
	cmove	data, %ecx		#= Ir=2 BytR=8
	/* No references. */
	lea	data, %edi		#= Ir=2
	nopw	data		#= Ir=2
	prefetcht0	data		#= Ir=2
	/* Read and written. */
	add	%ecx, data		#= Ir=2 BytR=8 BytW=8
	incq	data		#= Ir=2 BytR=16 BytW=16
	notb	data		#= Ir=2 BytR=2 BytW=2
	lock addl	$1, data		#= Ir=2 BytR=8 BytW=8
	xchg	%rax, data		#= Ir=2 BytR=16 BytW=16
	lock cmpxchg	%ecx, data		#= Ir=2 BytR=8 BytW=8
	cmpxchg	%cx, data		#= Ir=2 BytR=4 BytW=4
	mov	$0, %ecx		#= Ir=2
	mov	%rbx, %r8		#= Ir=2
	lock cmpxchg16b	data		#= Ir=2 BytR=32 BytW=32
	mov	%r8, %rbx		#= Ir=2
	lock xadd	%rax, data		#= Ir=2 BytR=16 BytW=16
	/* The stack; a copy from memory to it is both. */
	push	%rax		#= Ir=2 BytW=16
	push	$1		#= Ir=2 BytW=16
	pop	%rcx		#= Ir=2 BytR=16
	pop	%rcx		#= Ir=2 BytR=16
	pushq	data		#= Ir=2 BytR=16 BytW=16
	popq	data		#= Ir=2 BytR=16 BytW=16
	push	%rbp		#= Ir=2 BytW=16
	mov	%rsp, %rbp		#= Ir=2
	leave		#= Ir=2 BytR=16
	call	3f		#= Ir=2 BytW=16
	/* Bits, in memory and not. */
	mov	$70, %ecx		#= Ir=2
	bt	%ecx, data		#= Ir=2 BytR=8
	bts	%rcx, data		#= Ir=2 BytR=16 BytW=16
	bt	%rcx, %rax		#= Ir=2
	btsl	$3, data		#= Ir=2 BytR=8 BytW=8
	/* x87 and its state. */
	fldt	data		#= Ir=2 BytR=20
	fstpt	data		#= Ir=2 BytW=20
	fldl	data		#= Ir=2 BytR=16
	fistpl	data		#= Ir=2 BytW=8
	fnstcw	data		#= Ir=2 BytW=4
	fldcw	data		#= Ir=2 BytR=4
	fnstenv	data		#= Ir=2 BytW=56
	fldenv	data		#= Ir=2 BytR=56
	fnsave	data		#= Ir=2 BytW=216
	frstor	data		#= Ir=2 BytR=216
	fxsave	data		#= Ir=2 BytW=1024
	fxrstor	data		#= Ir=2 BytR=1024
	stmxcsr	data		#= Ir=2 BytW=8
	ldmxcsr	data		#= Ir=2 BytR=8
	/* Strings: as many as the counter says. */
	cld		#= Ir=2
	mov	many, %rcx		#= Ir=2 BytR=16
	mov	$data, %esi		#= Ir=2
	mov	$data + 64, %edi		#= Ir=2
	rep movsb		#~ Ir=2 Rep=24 BytR=24 BytW=24 #= Ir=26 BytR=24 BytW=24
	mov	few, %rcx		#= Ir=2 BytR=16
	rep stosq		#~ Ir=2 Rep=10 BytW=80 #= Ir=12 BytW=80
	mov	none, %rcx		#= Ir=2 BytR=16
	rep movsb		#~ Ir=2 #= Ir=2
	mov	many, %rcx		#= Ir=2 BytR=16
	mov	$zeroes, %esi		#= Ir=2
	mov	$zeroes, %edi		#= Ir=2
	repe cmpsw		#~ Ir=2 Rep=24 BytR=96 #= Ir=26 BytR=96
	mov	many, %rcx		#= Ir=2 BytR=16
	mov	$second, %edi		#= Ir=2
	mov	$2, %al		#= Ir=2
	repne scasb		#~ Ir=2 Rep=4 BytR=4 #= Ir=4 BytR=4
	mov	$3, %ecx		#= Ir=2
	mov	$data, %edi		#= Ir=2
	rep stosb		#~ Ir=2 Rep=6 BytW=6 #= Ir=8 BytW=6
	mov	$data, %esi		#= Ir=2
	mov	$data, %edi		#= Ir=2
	movsq		#= Ir=2 BytR=16 BytW=16
	stosl		#= Ir=2 BytW=8
	lodsw		#= Ir=2 BytR=4
	/* Lanes that are not masked: 3 of 8, 1 of 2, 5 of 8, 2 of 4; and none, and all. */
	vmovups	masks, %ymm1		#= Ir=2 BytR=64
	vmaskmovps	data, %ymm1, %ymm2		#= Ir=2 BytR=24
	vmaskmovps	%ymm2, %ymm1, data		#= Ir=2 BytW=24
	vpmaskmovd	data, %ymm1, %ymm2		#= Ir=2 BytR=24
	vmovups	masks + 32, %xmm1		#= Ir=2 BytR=32
	vpmaskmovq	%xmm2, %xmm1, data		#= Ir=2 BytW=16
	vmaskmovpd	data, %xmm1, %xmm2		#= Ir=2 BytR=16
	mov	$data, %eax		#= Ir=2
	vmovups	indices, %ymm3		#= Ir=2 BytR=64
	vmovups	masks + 64, %ymm1		#= Ir=2 BytR=64
	vgatherdps	%ymm1, (%rax,%ymm3,4), %ymm2		#= Ir=2 BytR=40
	vmovups	masks + 96, %ymm1		#= Ir=2 BytR=64
	vgatherdpd	%ymm1, (%rax,%xmm3,8), %ymm2		#= Ir=2 BytR=32
	vmovups	masks + 96, %ymm1		#= Ir=2 BytR=64
	vpgatherqq	%ymm1, (%rax,%ymm4), %ymm2		#= Ir=2 BytR=32
	vpxor	%xmm1, %xmm1, %xmm1		#= Ir=2
	vpgatherdd	%xmm1, (%rax,%xmm3,4), %xmm2		#= Ir=2
	vmaskmovps	%ymm2, %ymm1, data		#= Ir=2
	vpcmpeqd	%ymm1, %ymm1, %ymm1		#= Ir=2
	vpgatherdd	%ymm1, (%rax,%ymm3,4), %ymm2		#= Ir=2 BytR=64
	mov	$data, %edi		#= Ir=2
	movups	bytes, %xmm1		#= Ir=2 BytR=32
	maskmovdqu	%xmm1, %xmm2		#= Ir=2 BytW=12
	vmaskmovdqu	%xmm1, %xmm2		#= Ir=2 BytW=12
	movq	bytes, %mm1		#= Ir=2 BytR=16
	maskmovq	%mm1, %mm2		#= Ir=2 BytW=8
	emms		#= Ir=2
	dec	%ebx		#= Ir=2
	jnz	1b		#= Ir=2
	/* The handler goes on at 2, and then at 4.  (Valgrind has registers in memory after a jump.) */
	mov	$0x1008, %ecx		#= Ir=1
	mov	$2f, %r12d		#= Ir=1
	jmp	5f		#= Ir=1
5:	pushq	(%rcx)		#= Ir=1 BytR=8
2:	mov	$4f, %r12d		#= Ir=1
	mov	$data, %esi		#= Ir=1
	mov	%rcx, %rdi		#= Ir=1
	jmp	6f		#= Ir=1
6:	movsq		#= Ir=1 BytR=8 BytW=8
4:	mov	data, %rax		#= Ir=1 BytR=8
	mov	$60, %eax		#= Ir=1
	xor	%edi, %edi		#= Ir=1
	syscall		#= Ir=1
	.size	_start, . - _start

	.type	callee, @function
callee:
3:	ret		#= Ir=2 BytR=16
	.size	callee, . - callee

	.type	handler, @function
handler:
	mov	%r12, 168(%rdx)		#= Ir=2 BytW=16
	add	$8, %rsp		#= Ir=2
	mov	$15, %eax		#= Ir=2
	syscall		#= Ir=2
	.size	handler, . - handler

	.data
	.balign	64
data:	.skip	512
zeroes:	.skip	64
masks:	.long	-1, 0, 0, -1, -1, 0, 0, 0
	.quad	0, -1, 0, 0
	.long	-1, -1, 0, -1, 0, -1, -1, 0
	.quad	-1, 0, 0, -1
indices:
	.long	0, 3, 5, 7, 9, 11, 13, 15
bytes:	.byte	-1, 0, -1, 1, -1, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, -128
second:	.byte	1, 2
	.balign	8
many:	.quad	12
few:	.quad	5
none:	.quad	0
	/* SA_SIGINFO and SA_RESTORER; the restorer is never called. */
action:	.quad	handler, 0x04000004, 0, 0
	.skip	0x2000
	.balign	64
stack_top:
	.quad	0
