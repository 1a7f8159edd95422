/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * FRAMES activations of f at once, of n = 1 ... FRAMES levels:
 *	f	dec jz push push call lea ret	Ir=7 Dr=1 Dw=3 Bc=1
 *	the innermost one: dec jz ret		Ir=3 Dr=1 Bc=1
 * so that n of them cost Ir = 7 n - 4, Dr = Bc = n, Dw = 3 n - 3.  The innermost
 * one ends in END: it returns, dies, or jumps to where main goes on, with one
 * more instruction.
 */
	.text
	.globl	main
	.type	main, @function
main:
	mov	%rsp, %rbp
	mov	$FRAMES, %edi
	call	f
main_rest:
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	f, @function
f:
	dec	%edi
	jz	1f
	push	%rdi
	push	%rdi
	call	f
	lea	16(%rsp), %rsp
	ret
1:
#if END == 1
	ret
#elif END == 2
	ud2
#else
	mov	%rbp, %rsp
	jmp	main_rest
#endif
	.size	f, . - f

	.data
	.long	0			/* without data, there would be no symbols */
