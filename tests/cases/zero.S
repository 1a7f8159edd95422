/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reference to line 0 that is simulated before it faults: the first of the
 * parts, each read only if the mask says so, of a masked read of AVX.  The
 * handler steps over the instruction.
 */
	.text
	.globl	_start
	.type	_start, @function
_start:
	/* rt_sigaction(SIGSEGV, &action, NULL, 8) */
	mov	$13, %eax
	mov	$11, %edi
	lea	action(%rip), %rsi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	vpxor	%xmm0, %xmm0, %xmm0
	vpcmpeqd %xmm0, %xmm0, %xmm0
	xor	%ecx, %ecx
1:	vpmaskmovd (%rcx), %xmm0, %xmm1
2:	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, .-_start

	.type	handler, @function
handler:
	addq	$2b - 1b, 168(%rdx)
	ret
	.size	handler, .-handler
	.type	restorer, @function
restorer:
	mov	$15, %eax
	syscall
	.size	restorer, .-restorer

	.data
	/* SA_SIGINFO and SA_RESTORER */
action:	.quad	handler, 0x04000004, restorer, 0
	.section .note.GNU-stack, "", @progbits
