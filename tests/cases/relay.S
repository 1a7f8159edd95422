/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Twenty threads, one after the other, each of which makes the next one and
 * ends.  What is counted does not depend on who runs first behind clone():
 * both execute the same instructions, without a branch or a reference to data,
 * up to one system call, which ends the old thread and lets the new one wait
 * until the old one has ended.
 */
#define SYS_CLONE 56
#define SYS_EXIT 60
#define SYS_FUTEX 202
#define SYS_SET_TID_ADDRESS 218
#define SYS_EXIT_GROUP 231
/* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, PARENT_SETTID, CHILD_CLEARTID */
#define THREAD_FLAGS 0x350f00
#define STACK 4096

	.text
	.globl	_start
	.type	_start, @function
_start:
	/* r14: the word that the kernel clears when this thread has ended, r13d: its value till then */
	lea	words(%rip), %r14
	lea	stacks(%rip), %r12
	mov	$20, %ebx
	mov	%r14, %rdi
	mov	$SYS_SET_TID_ADDRESS, %eax
	syscall
	mov	%eax, (%r14)
	mov	%eax, %r13d
1:	call	work
	dec	%ebx
	jz	2f
	mov	$SYS_CLONE, %eax
	mov	$THREAD_FLAGS, %edi
	add	$STACK, %r12
	mov	%r12, %rsi
	lea	4(%r14), %rdx
	mov	%rdx, %r10
	xor	%r8d, %r8d
	mov	$SYS_FUTEX, %ebp
	syscall
	test	%eax, %eax
	mov	$SYS_EXIT, %eax
	cmovz	%ebp, %eax
	/* futex(r14, FUTEX_WAIT, r13d, no timeout), or exit() with any status */
	mov	%r14, %rdi
	xor	%esi, %esi
	mov	%r13d, %edx
	xor	%r10d, %r10d
	syscall
	add	$4, %r14
	mov	(%r14), %r13d
	jmp	1b
2:	mov	$SYS_EXIT_GROUP, %eax
	xor	%edi, %edi
	syscall
	.size	_start, .-_start

	/* Writes below the stack pointer, reads what all threads share. */
	.type	work, @function
work:
	mov	$100, %ecx
1:	mov	shared(, %rcx, 8), %rax
	mov	%rax, -1000(%rsp, %rcx, 8)
	test	$1, %cl
	jz	2f
	incq	shared(, %rcx, 8)
2:	dec	%ecx
	jnz	1b
	ret
	.size	work, .-work

	.data
words:	.skip	4 * 20
	.balign	64
shared:	.skip	8 * 101
	.bss
	.balign	4096
	/* The first one is used by the second thread, from its end downwards. */
stacks:	.skip	20 * STACK
	.section .note.GNU-stack, "", @progbits
