/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls, which belong to the instruction that makes them.  A call that
 * a handler interrupts is one call
 *
 * (1) if it is started again: its instruction is executed twice;
 * (2) if the handler does not return (another one is made afterwards);
 * (3) if the handler returns to elsewhere (the same);
 * (4) if it fails for that reason (the same).
 *
 * Each time, arm has an alarm come while read_one waits for a byte in a pipe,
 * into which the handler then puts one.
 *
 *	read_one	4 syscall ret		Ir=6 sysCount=1
 *	write_one	4 syscall ret		Ir=6 sysCount=1
 *	arm		4 syscall ret		Ir=6 sysCount=1
 *	identify	mov syscall ret		Ir=3 sysCount=1
 *	restorer	mov syscall		Ir=2 sysCount=1
 */
#define SYS_READ 0
#define SYS_WRITE 1
#define SYS_SIGACTION 13
#define SYS_SIGRETURN 15
#define SYS_PIPE 22
#define SYS_SETITIMER 38
#define SYS_GETPID 39
#define SYS_EXIT 60
#define RIP 168				/* in the ucontext */

	/* 6 instructions */
	.macro	handle action
	mov	$SYS_SIGACTION, %eax
	mov	$14, %edi
	mov	$\action, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	.endm

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=61 sysCount=6
	mov	$stack_top, %esp		#= Ir=1
	mov	$5, %ebx			#= Ir=1
1:	call	identify		#> main identify 5 Ir=15 sysCount=5 #= Ir=5
	dec	%ebx				#= Ir=5
	jnz	1b				#= Ir=5
	call	both			#> main both 1 Ir=9 sysCount=2 #= Ir=1
	mov	$SYS_PIPE, %eax			#= Ir=1
	mov	$pipe_read, %edi		#= Ir=1
	syscall					#= Ir=1 sysCount=1

	handle	on_restart			#= Ir=6 sysCount=1
	call	arm			#> main arm 1 Ir=6 sysCount=1 #= Ir=1
	call	read_one		#> main read_one 1 Ir=7 sysCount=1 #= Ir=1

	handle	on_jump				#= Ir=6 sysCount=1
	mov	%rsp, %rbp			#= Ir=1
	mov	$2f, %ebx			#= Ir=1
	call	arm			#> main arm 1 Ir=6 sysCount=1 #= Ir=1
	call	read_one		#> main read_one 1 Ir=5 sysCount=1 #= Ir=1
	ud2
2:	call	read_one		#> main read_one 1 Ir=6 sysCount=1 #= Ir=1

	handle	on_skip				#= Ir=6 sysCount=1
	call	arm			#> main arm 1 Ir=6 sysCount=1 #= Ir=1
	call	read_one		#> main read_one 1 Ir=6 sysCount=1 #= Ir=1
	call	read_one		#> main read_one 1 Ir=6 sysCount=1 #= Ir=1

	handle	on_fail				#= Ir=6 sysCount=1
	call	arm			#> main arm 1 Ir=6 sysCount=1 #= Ir=1
	call	read_one		#> main read_one 1 Ir=6 sysCount=1 #= Ir=1
	call	read_one		#> main read_one 1 Ir=6 sysCount=1 #= Ir=1

	/* It does not return. */
	mov	$SYS_EXIT, %eax			#= Ir=1
	xor	%edi, %edi			#= Ir=1
	syscall					#= Ir=1 sysCount=1
	.size	main, . - main

	.type	both, @function
both:					#@ both Ir=3
	call	identify		#> both identify 1 Ir=3 sysCount=1 #= Ir=1
	call	identify		#> both identify 1 Ir=3 sysCount=1 #= Ir=1
	ret					#= Ir=1
	.size	both, . - both

	.type	identify, @function
identify:				#@ identify Ir=21 sysCount=7
	mov	$SYS_GETPID, %eax		#= Ir=7
	syscall					#= Ir=7 sysCount=7
	ret					#= Ir=7
	.size	identify, . - identify

	.type	read_one, @function
read_one:				#@ read_one Ir=42 sysCount=7
	xor	%eax, %eax			#= Ir=7
	mov	pipe_read, %edi			#= Ir=7
	mov	$byte, %esi			#= Ir=7
	mov	$1, %edx			#= Ir=7
	syscall					#= Ir=8 sysCount=7
	ret					#= Ir=6
	.size	read_one, . - read_one

	.type	write_one, @function
write_one:				#@ write_one Ir=24 sysCount=4
	mov	$SYS_WRITE, %eax		#= Ir=4
	mov	pipe_write, %edi		#= Ir=4
	mov	$byte, %esi			#= Ir=4
	mov	$1, %edx			#= Ir=4
	syscall					#= Ir=4 sysCount=4
	ret					#= Ir=4
	.size	write_one, . - write_one

	.type	arm, @function
arm:					#@ arm Ir=24 sysCount=4
	mov	$SYS_SETITIMER, %eax		#= Ir=4
	xor	%edi, %edi			#= Ir=4
	mov	$timer, %esi			#= Ir=4
	xor	%edx, %edx			#= Ir=4
	syscall					#= Ir=4 sysCount=4
	ret					#= Ir=4
	.size	arm, . - arm

	.type	handler, @function
handler:				#@ handler Ir=4
	call	write_one		#> handler write_one 2 Ir=12 sysCount=2 #= Ir=2
	ret					#= Ir=2
	.size	handler, . - handler

	.type	jumper, @function
jumper:					#@ jumper Ir=3
	call	write_one		#> jumper write_one 1 Ir=6 sysCount=1 #= Ir=1
	mov	%rbp, %rsp			#= Ir=1
	jmp	*%rbx				#= Ir=1
	.size	jumper, . - jumper

	.type	skipper, @function
skipper:				#@ skipper Ir=5
	push	%rdx				#= Ir=1
	call	write_one		#> skipper write_one 1 Ir=6 sysCount=1 #= Ir=1
	pop	%rdx				#= Ir=1
	addq	$2, RIP(%rdx)			#= Ir=1
	ret					#= Ir=1
	.size	skipper, . - skipper

	.type	restorer, @function
	nop				#> restorer handler 2 Ir=16 sysCount=2 #> restorer skipper 1 Ir=11 sysCount=1
restorer:				#@ restorer Ir=6 sysCount=3
	mov	$SYS_SIGRETURN, %eax		#= Ir=3
	syscall					#= Ir=3 sysCount=3
	.size	restorer, . - restorer

	.data
#define SA_SIGINFO 4
#define SA_RESTORER 0x04000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
	.balign	8
on_restart: .quad handler, SA_RESTORER | SA_RESTART, restorer, 0
on_jump: .quad	jumper, SA_RESTORER | SA_RESTART | SA_NODEFER, restorer, 0
on_skip: .quad	skipper, SA_RESTORER | SA_RESTART | SA_SIGINFO, restorer, 0
on_fail: .quad	handler, SA_RESTORER, restorer, 0
	/* Long enough for read_one to wait by then. */
timer:	.quad	0, 0, 0, 300000
pipe_read: .long 0
pipe_write: .long 0
byte:	.quad	0
	.balign	64
	.skip	0x2000
stack_top:
