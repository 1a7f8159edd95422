/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Floating-point operations of each kind and width (--collect-flops=yes), three times; and of an instruction whose
 * load faults: it counts, as its Ir does, what follows it does not.
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
	fninit		#= Ir=1
	mov	$3, %ebx		#= Ir=1
1:
	/* One lane. */
	addss	%xmm1, %xmm2		#= Ir=3 FlS=3
	subsd	%xmm1, %xmm2		#= Ir=3 FlD=3
	mulss	data, %xmm3		#= Ir=3 FlS=3
	divsd	data, %xmm3		#= Ir=3 FlD=3
	sqrtss	%xmm1, %xmm2		#= Ir=3 FlS=3
	minsd	%xmm1, %xmm2		#= Ir=3 FlD=3
	maxss	%xmm1, %xmm2		#= Ir=3 FlS=3
	rcpss	%xmm1, %xmm2		#= Ir=3 FlS=3
	rsqrtss	%xmm1, %xmm2		#= Ir=3 FlS=3
	vaddsd	%xmm1, %xmm2, %xmm3		#= Ir=3 FlD=3
	/* 128 bits: four lanes or two. */
	addps	%xmm1, %xmm2		#= Ir=3 FlS=12 Fl128=3
	addpd	data, %xmm2		#= Ir=3 FlD=6 Fl128=3
	subps	data, %xmm2		#= Ir=3 FlS=12 Fl128=3
	mulpd	%xmm1, %xmm2		#= Ir=3 FlD=6 Fl128=3
	divps	%xmm1, %xmm2		#= Ir=3 FlS=12 Fl128=3
	sqrtpd	%xmm1, %xmm2		#= Ir=3 FlD=6 Fl128=3
	minps	%xmm1, %xmm2		#= Ir=3 FlS=12 Fl128=3
	maxpd	%xmm1, %xmm2		#= Ir=3 FlD=6 Fl128=3
	rcpps	%xmm1, %xmm2		#= Ir=3 FlS=12 Fl128=3
	rsqrtps	%xmm1, %xmm2		#= Ir=3 FlS=12 Fl128=3
	addsubps	%xmm1, %xmm2		#= Ir=3 FlS=12 Fl128=3
	haddps	%xmm1, %xmm2		#= Ir=3 FlS=12 Fl128=3
	hsubpd	%xmm1, %xmm2		#= Ir=3 FlD=6 Fl128=3
	vmulps	%xmm1, %xmm2, %xmm3		#= Ir=3 FlS=12 Fl128=3
	/* Products that the constant selects, and the additions between them. */
	dpps	$0xf1, %xmm1, %xmm2		#= Ir=3 FlS=21 Fl128=3
	dpps	$0x11, %xmm1, %xmm2		#= Ir=3 FlS=3 Fl128=3
	dpps	$0x0f, %xmm1, %xmm2		#= Ir=3
	dppd	$0x31, %xmm1, %xmm2		#= Ir=3 FlD=9 Fl128=3
	/* 256 bits. */
	vaddps	%ymm1, %ymm2, %ymm3		#= Ir=3 FlS=24 Fl256=3
	vaddpd	data, %ymm2, %ymm3		#= Ir=3 FlD=12 Fl256=3
	vsubps	%ymm1, %ymm2, %ymm3		#= Ir=3 FlS=24 Fl256=3
	vmulpd	%ymm1, %ymm2, %ymm3		#= Ir=3 FlD=12 Fl256=3
	vdivps	%ymm1, %ymm2, %ymm3		#= Ir=3 FlS=24 Fl256=3
	vsqrtpd	data, %ymm2		#= Ir=3 FlD=12 Fl256=3
	vminpd	%ymm1, %ymm2, %ymm3		#= Ir=3 FlD=12 Fl256=3
	vmaxps	%ymm1, %ymm2, %ymm3		#= Ir=3 FlS=24 Fl256=3
	vrcpps	%ymm1, %ymm2		#= Ir=3 FlS=24 Fl256=3
	vaddsubpd	%ymm1, %ymm2, %ymm3		#= Ir=3 FlD=12 Fl256=3
	vhaddps	%ymm1, %ymm2, %ymm3		#= Ir=3 FlS=24 Fl256=3
	/* Fused: two a lane. */
	vfmadd231ss	%xmm1, %xmm2, %xmm3		#= Ir=3 FlS=6
	vfmadd132sd	data, %xmm2, %xmm3		#= Ir=3 FlD=6
	vfmsub213ps	%xmm1, %xmm2, %xmm3		#= Ir=3 FlS=24 Fl128=3
	vfnmadd231pd	%xmm1, %xmm2, %xmm3		#= Ir=3 FlD=12 Fl128=3
	vfmadd231ps	%ymm1, %ymm2, %ymm3		#= Ir=3 FlS=48 Fl256=3
	vfmadd213pd	data, %ymm2, %ymm3		#= Ir=3 FlD=24 Fl256=3
	vfmaddsub132pd	%ymm1, %ymm2, %ymm3		#= Ir=3 FlD=24 Fl256=3
	vfnmsub231ps	%ymm1, %ymm2, %ymm3		#= Ir=3 FlS=48 Fl256=3
	/* x87, 1 each. */
	fld1		#= Ir=3
	fldl	data		#= Ir=3
	fadd	%st(1), %st		#= Ir=3 FlX=3
	fsubs	data		#= Ir=3 FlX=3
	fmull	data		#= Ir=3 FlX=3
	fdivr	%st, %st(1)		#= Ir=3 FlX=3
	fiaddl	data		#= Ir=3 FlX=3
	fsqrt		#= Ir=3 FlX=3
	fsin		#= Ir=3 FlX=3
	fyl2xp1		#= Ir=3 FlX=3
	fld1		#= Ir=3
	fprem		#= Ir=3 FlX=3
	fchs		#= Ir=3
	fcomi	%st(1), %st		#= Ir=3
	faddp		#= Ir=3 FlX=3
	fstpt	data + 32		#= Ir=3
	/* No operations. */
	cmpltps	%xmm1, %xmm2		#= Ir=3
	ucomisd	%xmm1, %xmm2		#= Ir=3
	vcmppd	$13, %ymm1, %ymm2, %ymm3		#= Ir=3
	cvtsi2sd	%rax, %xmm2		#= Ir=3
	cvtps2pd	%xmm1, %xmm2		#= Ir=3
	roundsd	$1, %xmm1, %xmm2		#= Ir=3
	movaps	%xmm1, %xmm2		#= Ir=3
	andps	%xmm1, %xmm2		#= Ir=3
	vxorpd	%ymm1, %ymm2, %ymm3		#= Ir=3
	shufps	$1, %xmm1, %xmm2		#= Ir=3
	vblendvps	%ymm1, %ymm2, %ymm3, %ymm4		#= Ir=3
	paddd	%xmm1, %xmm2		#= Ir=3
	pminsd	%xmm1, %xmm2		#= Ir=3
	vmaskmovps	data, %ymm1, %ymm2		#= Ir=3
	dec	%ebx		#= Ir=3
	jnz	1b		#= Ir=3

	/* The handler goes on at 2. */
	mov	$0x1008, %ecx		#= Ir=1
	mulps	%xmm1, %xmm2		#= Ir=1 FlS=4 Fl128=1
	addpd	(%rcx), %xmm2		#= Ir=1 FlD=2 Fl128=1
	subpd	%xmm1, %xmm2
2:	mov	$60, %eax		#= Ir=1
	xor	%edi, %edi		#= Ir=1
	syscall		#= Ir=1
	.size	_start, . - _start

	.type	handler, @function
handler:
	movq	$2b, 168(%rdx)		#= Ir=1
	add	$8, %rsp		#= Ir=1
	mov	$15, %eax		#= Ir=1
	syscall		#= Ir=1
	.size	handler, . - handler

	.data
	.balign	32
data:	.float	1.5, 2.5, 3.5, 4.5, 1.5, 2.5, 3.5, 4.5
	.skip	32
	/* SA_SIGINFO and SA_RESTORER; the restorer is never called. */
action:	.quad	handler, 0x04000004, 0, 0
	.skip	0x2000
	.balign	64
stack_top:
	.quad	0
