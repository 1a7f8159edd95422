/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fork amid calls.  What was called before, the child has once, if it is
 * still active then, at the cost since the fork; the test says what.  The
 * parent:
 *	leaf	ret				Ir=1 Dr=1
 *	inner	call, 4, wait 6, call ret	Ir=13 Dr=1 Dw=2 Bc=1, with leaf 15, Dr=3
 *	outer(1)  dec jz call, call ret		Ir=5 Dr=1 Dw=2 Bc=1, with calls 21, Dr=5, Dw=4, Bc=2
 *	outer(2)  dec jz call jmp, call ret	Ir=6 Dr=1 Dw=2 Bc=1, with calls 28, Dr=7, Dw=6, Bc=3
 * With HANDLER, outer is called by a signal handler.
 */
#define SYS_SIGACTION 13
#define SYS_SIGRETURN 15
#define SYS_GETPID 39
#define SYS_FORK 57
#define SYS_EXIT 60
#define SYS_WAIT4 61
#define SYS_KILL 62

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=7 Dw=3
	call	leaf			#> main leaf 1 Ir=1 Dr=1
#ifdef HANDLER
	mov	$SYS_SIGACTION, %eax
	mov	$10, %edi
	mov	$on_usr1, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	call	raise
#else
	mov	$2, %edi
	call	outer			#> main outer 1 Ir=28 Dr=7 Dw=6 Bc=3
#endif
	call	leaf			#> main leaf 1 Ir=1 Dr=1
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	outer, @function
outer:					#@ outer Ir=6 Dr=1 Dw=2 Bc=1 #@ outer'2 Ir=5 Dr=1 Dw=2 Bc=1
	dec	%edi
	jz	1f
	call	outer			#> outer outer'2 1 Ir=21 Dr=5 Dw=4 Bc=2
	jmp	2f
1:	call	inner			#> outer'2 inner 1 Ir=15 Dr=3 Dw=2 Bc=1
2:	call	leaf			#> outer leaf 1 Ir=1 Dr=1 #> outer'2 leaf 1 Ir=1 Dr=1
	ret
	.size	outer, . - outer

	.type	inner, @function
inner:					#@ inner Ir=13 Dr=1 Dw=2 Bc=1
	call	leaf			#> inner leaf 1 Ir=1 Dr=1
	mov	$SYS_FORK, %eax
	syscall
	test	%eax, %eax
	jz	1f
	mov	$SYS_WAIT4, %eax
	mov	$-1, %rdi
	xor	%esi, %esi
	xor	%edx, %edx
	xor	%r10d, %r10d
	syscall
1:	call	leaf			#> inner leaf 1 Ir=1 Dr=1
	ret
	.size	inner, . - inner

	.type	leaf, @function
leaf:					#@ leaf Ir=6 Dr=6
	ret
	.size	leaf, . - leaf

	.type	handler, @function
handler:
	mov	$2, %edi
	call	outer
	ret
	.size	handler, . - handler

	.type	raise, @function
raise:
	mov	$SYS_GETPID, %eax
	syscall
	mov	%eax, %edi
	mov	$10, %esi
	mov	$SYS_KILL, %eax
	syscall
	ret
	.size	raise, . - raise

	.type	restorer, @function
	nop
restorer:
	mov	$SYS_SIGRETURN, %eax
	syscall
	.size	restorer, . - restorer

	.data
#define SA_RESTORER 0x04000000
on_usr1: .quad	handler, SA_RESTORER, restorer, 0
