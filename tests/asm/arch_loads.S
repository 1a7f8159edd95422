/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * References that Valgrind does not have, with --counting=architectural.
 *
 * D1 and LL have one set each, larger than all that is touched: each line misses
 * once, 00 20 40 and so on of D1, 00 40 80 of LL.  The code is one line of I1.
 * Offsets are those from 0x600000.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	$stack, %esp		#~ Ir=1 I1mr=1 ILmr=1
	mov	$data, %ebx		#~ Ir=1
	mov	$1, %ecx		#~ Ir=1
	/* Loads whose values nobody uses, by registers that change in the block. */
	mov	(%rbx), %eax		#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	mov	0x20(%rbx), %eax	#~ Ir=1 Dr=1 D1mr=1
	add	$0x40, %rbx		#~ Ir=1
	cmp	%eax, (%rbx)		#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	add	$0x10, %rbx		#~ Ir=1
	/* 50 + 2 * 8, across 5f and 60. */
	lea	1(%rcx), %ecx		#~ Ir=1
	cmp	-2(%rbx,%rcx,8), %eax	#~ Ir=1 Dr=1 D1mr=1
	test	%al, data + 0x80	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	testb	$1, data + 0xa0(%rip)	#~ Ir=1 Dr=1 D1mr=1
	/* Cut to 32 bits: 0x6000c0. */
	mov	$0x700000000, %rax	#~ Ir=1
	add	$data + 0xc0, %rax	#~ Ir=1
	mov	(%eax), %edx		#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	xor	%edx, %edx		#~ Ir=1
	/* 0x600100, 108, 110. */
	pop	%rax			#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	pop	%rax			#~ Ir=1 Dr=1
	popf				#~ Ir=1 Dr=1
	/* The frame at 0x600140. */
	mov	$data + 0x140, %ebp	#~ Ir=1
	leave				#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	xor	%ebp, %ebp		#~ Ir=1
	mov	$data + 0x180, %esi	#~ Ir=1
	mov	$data + 0x1a0, %edi	#~ Ir=1
	lodsb				#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	xor	%eax, %eax		#~ Ir=1
	scasb				#~ Ir=1 Dr=1 D1mr=1
	movaps	data + 0x1c0, %xmm0	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	movq	data + 0x1e0, %xmm0	#~ Ir=1 Dr=1 D1mr=1
	xorps	%xmm0, %xmm0		#~ Ir=1
	/* None of these refers to memory. */
	lea	0x400(%rbx), %eax	#~ Ir=1
	nopl	0x400(%rbx)		#~ Ir=1
	prefetcht0 0x400(%rbx)		#~ Ir=1
	prefetchw 0x400(%rbx)		#~ Ir=1
	endbr64				#~ Ir=1
	jmp	1f			#~ Ir=1

	/* Bits of registers, whatever Valgrind does with them. */
1:	mov	$37, %eax		#~ Ir=1
	bts	%eax, %edx		#~ Ir=1
	btr	%rax, %rdx		#~ Ir=1
	btc	%ax, %dx		#~ Ir=1
	bt	%eax, %edx		#~ Ir=1
	/*
	 * Bits in memory: a word of the operand's size has bit 37, the second one of 4
	 * bytes, 220 to 223; the first one of 8, 21c to 223; the third one of 2, 220 and 221.
	 */
	mov	$data + 0x21c, %ebx	#~ Ir=1
	bts	%eax, (%rbx)		#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	bt	%rax, (%rbx)		#~ Ir=1 Dr=1 D1mr=1
	btr	%ax, (%rbx)		#~ Ir=1 Dr=1
	/* Bit -1 is the last one of the word before, 27c to 27f. */
	mov	$data + 0x280, %ebx	#~ Ir=1
	mov	$-1, %eax		#~ Ir=1
	lock btc %eax, (%rbx)		#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	/* Bit 600, in hexadecimal, as the low half of rax says: 280 + c0. */
	mov	$0x500000600, %rax	#~ Ir=1
	bt	%eax, (%rbx)		#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	jmp	2f			#~ Ir=1

	/* x87 and the control word of SSE alone, header: 600400 to 63f; and back. */
2:	mov	$data + 0x400, %ebx	#~ Ir=1
	mov	$3, %eax		#~ Ir=1
	xor	%edx, %edx		#~ Ir=1
	xsave	(%rbx)			#~ Ir=1 Dw=1 D1mw=1 DLmw=1
	xrstor	(%rbx)			#~ Ir=1 Dr=1
	mov	0x620(%rbx), %ecx	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	mov	0x220(%rbx), %ecx	#~ Ir=1 Dr=1
	/* With the upper halves, to 73f. */
	mov	$7, %eax		#~ Ir=1
	xsave	(%rbx)			#~ Ir=1 Dw=1 D1mw=1 DLmw=1
	mov	0x338(%rbx), %ecx	#~ Ir=1 Dr=1
	mov	0x340(%rbx), %ecx	#~ Ir=1 Dr=1 D1mr=1 DLmr=1
	jmp	3f			#~ Ir=1

	/*
	 * Branches and jumps whose way Valgrind knows: taken and not, mispredicted and
	 * right (histories 0000000, 0000001); and a jump and a call.
	 */
3:	xor	%eax, %eax		#~ Ir=1
	jz	4f			#~ Ir=1 Bc=1 Bcm=1
	ud2
4:	xor	%eax, %eax		#~ Ir=1
	jnz	4b			#~ Ir=1 Bc=1
	mov	$5f, %eax		#~ Ir=1
	jmp	*%rax			#~ Ir=1 Bi=1 Bim=1
	ud2
5:	mov	$6f, %eax		#~ Ir=1
	/* Into the line of 138, which is there. */
	call	*%rax			#~ Ir=1 Dw=1 Bi=1 Bim=1
	ud2
6:	mov	$60, %eax		#~ Ir=1
	xor	%edi, %edi		#~ Ir=1
	syscall				#~ Ir=1
	.size	_start, . - _start

	.data
data:	.skip	0x100
	/* What is popped, the last time into the flags; not the one for traps. */
stack:	.quad	1, 2, 2, 0, 0, 0, 0, 0
	.skip	0x1000
