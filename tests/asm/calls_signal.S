/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signal handlers.  Nobody calls them, and who is interrupted does not pay.
 * But a handler returns, to the restorer, in whose midst it therefore seems to
 * have been called.
 *
 *	raise	5 instructions and ret		Ir=6 Dr=1
 *	restorer  mov syscall			Ir=2
 *
 * (1) SIGUSR1 to handler.
 *	handler	nop call ret			Ir=3 Dr=1 Dw=1
 *	leaf	ret				Ir=1 Dr=1
 * (2) SIGUSR2 to nester, which raises SIGUSR1; the raise in it is the second
 * that is active.  It costs Ir=6, not what handler costs.
 *	nester	mov call ret			Ir=3 Dr=1 Dw=1
 * (3) SIGALRM to apart, on a stack below main's, then on one above.
 *	apart	nop ret				Ir=2 Dr=1
 * (4) SIGTERM to jumper, which jumps to main: raise never returns.
 *	jumper	mov jmp				Ir=2 Bi=1
 * (5) SIGHUP to relay, which raises SIGTERM: two handlers are left at once.
 *	relay	mov call			Ir=2 Dw=1
 * (6) SIGSEGV to skipper, in the midst of victim, where it goes on.
 *	victim	xor mov call ret		Ir=4 Dr=2 Dw=1
 *	skipper	add ret				Ir=2 Dr=2
 */
#define SYS_SIGACTION 13
#define SYS_SIGRETURN 15
#define SYS_GETPID 39
#define SYS_EXIT 60
#define SYS_KILL 62
#define SYS_SIGALTSTACK 131
#define RIP 168				/* in the ucontext */

	/* 6 instructions */
	.macro	handle signal, action
	mov	$SYS_SIGACTION, %eax
	mov	$\signal, %edi
	mov	$\action, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	.endm

	/* 4 instructions */
	.macro	alternative stack
	mov	$SYS_SIGALTSTACK, %eax
	mov	$\stack, %edi
	xor	%esi, %esi
	syscall
	.endm

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=65 Dw=8
	mov	$middle_stack, %esp
	mov	%rsp, %rbp
	handle	10, on_usr1
	handle	12, on_usr2
	handle	14, on_alrm
	handle	15, on_term
	handle	1, on_hup
	handle	11, on_segv
	mov	$10, %esi
	call	raise			#> main raise 1 Ir=6 Dr=1
	mov	$12, %esi
	call	raise			#> main raise 1 Ir=6 Dr=1
	alternative low_stack
	mov	$14, %esi
	call	raise			#> main raise 1 Ir=6 Dr=1
	alternative high_stack
	mov	$14, %esi
	call	raise			#> main raise 1 Ir=6 Dr=1
	mov	$1f, %ebx
	mov	$15, %esi
	call	raise			#> main raise 1 Ir=5
	ud2
1:	mov	$1f, %ebx
	mov	$1, %esi
	call	raise			#> main raise 1 Ir=5
	ud2
1:	call	leaf			#> main leaf 1 Ir=1 Dr=1
	call	victim			#> main victim 1 Ir=5 Dr=3 Dw=1
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	raise, @function
raise:					#@ raise Ir=34 Dr=4 #@ raise'2 Ir=11 Dr=1
	mov	$SYS_GETPID, %eax
	syscall
	mov	%eax, %edi
	mov	$SYS_KILL, %eax
	syscall
	ret
	.size	raise, . - raise

	.type	handler, @function
handler:				#@ handler Ir=6 Dr=2 Dw=2
	nop
	call	leaf			#> handler leaf 2 Ir=2 Dr=2
	ret
	.size	handler, . - handler

	.type	nester, @function
nester:					#@ nester Ir=3 Dr=1 Dw=1
	mov	$10, %esi
	call	raise			#> nester raise'2 1 Ir=6 Dr=1
	ret
	.size	nester, . - nester

	.type	apart, @function
apart:					#@ apart Ir=4 Dr=2
	nop
	ret
	.size	apart, . - apart

	.type	jumper, @function
jumper:					#@ jumper Ir=4 Bi=2
	mov	%rbp, %rsp
	jmp	*%rbx
	.size	jumper, . - jumper

	.type	relay, @function
relay:					#@ relay Ir=2 Dw=1
	mov	$15, %esi
	call	raise			#> relay raise'2 1 Ir=5
	ud2
	.size	relay, . - relay

	.type	victim, @function
victim:					#@ victim Ir=4 Dr=2 Dw=1
	xor	%eax, %eax
victim_fault:
	mov	(%rax), %eax
victim_rest:
	call	leaf			#> victim leaf 1 Ir=1 Dr=1
	ret
	.size	victim, . - victim

	.type	skipper, @function
skipper:				#@ skipper Ir=2 Dr=2
	addq	$victim_rest - victim_fault, RIP(%rdx)
	ret
	.size	skipper, . - skipper

	.type	leaf, @function
leaf:					#@ leaf Ir=4 Dr=4
	ret
	.size	leaf, . - leaf

	.type	restorer, @function
	nop				#> restorer handler 2 Ir=8 Dr=4 Dw=2 #> restorer nester 1 Ir=9 Dr=2 Dw=1 #> restorer apart 2 Ir=4 Dr=2 #> restorer skipper 1 Ir=2 Dr=2
restorer:				#@ restorer Ir=12
	mov	$SYS_SIGRETURN, %eax
	syscall
	.size	restorer, . - restorer

	.data
#define SA_SIGINFO 4
#define SA_RESTORER 0x04000000
#define SA_ONSTACK 0x08000000
#define SA_NODEFER 0x40000000
on_usr1: .quad	handler, SA_RESTORER, restorer, 0
on_usr2: .quad	nester, SA_RESTORER, restorer, 0
on_alrm: .quad	apart, SA_RESTORER | SA_ONSTACK, restorer, 0
on_term: .quad	jumper, SA_RESTORER | SA_NODEFER, restorer, 0
on_hup:	.quad	relay, SA_RESTORER | SA_NODEFER, restorer, 0
on_segv: .quad	skipper, SA_RESTORER | SA_SIGINFO, restorer, 0
low_stack: .quad below_all, 0, 0x2000
high_stack: .quad middle_stack, 0, 0x2000
	.balign	64
below_all: .skip 0x8000
middle_stack: .skip 0x2000
