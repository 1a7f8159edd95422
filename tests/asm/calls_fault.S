/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults whose handler goes on in another function: what faulted makes a tail
 * call of it.  A call or jump to where there is no code has been made by then,
 * and goes where the handler says.  Three times:
 *	victim	xor mov				Ir=2 Dr=1; once to other, once to host
 *	first	mov				Ir=1 Dr=1
 *	illegal	nop ud2				Ir=2
 *	trap	nop int3			Ir=2
 *	null	nop call ret			Ir=3 Dr=1 Dw=1 Bi=1
 *	jump_null  nop jmp			Ir=2 Bi=1
 *	other, host  nop ret			Ir=2 Dr=1
 *	handler	mov ret				Ir=2 Dr=1 Dw=1; 21 times
 *	restorer  mov syscall			Ir=2
 */
#define SYS_SIGACTION 13
#define SYS_SIGRETURN 15
#define SYS_EXIT 60
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

	.text
	.globl	main
	.type	main, @function
main:					#@ main Ir=56 Dw=21 Bc=3
	handle	4, on_fault
	handle	5, on_fault
	handle	11, on_fault
	xor	%edi, %edi
	mov	$3, %ebp
1:	mov	$other, %ebx
	call	victim			#> main victim 3 Ir=12 Dr=6
	call	first			#> main first 3 Ir=9 Dr=6
	call	illegal			#> main illegal 3 Ir=12 Dr=3
	call	trap			#> main trap 3 Ir=12 Dr=3
	call	null			#> main null 3 Ir=15 Dr=6 Dw=3 Bi=3
	call	jump_null		#> main jump_null 3 Ir=12 Dr=3 Bi=3
	mov	$host_entered, %ebx
	call	victim			#> main victim 3 Ir=12 Dr=6
	dec	%ebp
	jnz	1b
	mov	$SYS_EXIT, %eax
	xor	%edi, %edi
	syscall
	.size	main, . - main

	.type	victim, @function
victim:					#@ victim Ir=12 Dr=6
	xor	%eax, %eax
	mov	(%rax), %eax		#> victim other 3 Ir=6 Dr=3 #> victim host 3 Ir=6 Dr=3
	ud2
	.size	victim, . - victim

	.type	first, @function
first:					#@ first Ir=3 Dr=3
	mov	(%rdi), %eax		#> first other 3 Ir=6 Dr=3
	ud2
	.size	first, . - first

	.type	illegal, @function
illegal:				#@ illegal Ir=6
	nop
	ud2				#> illegal other 3 Ir=6 Dr=3
	.size	illegal, . - illegal

	.type	trap, @function
trap:					#@ trap Ir=6
	nop
	int3				#> trap other 3 Ir=6 Dr=3
	ud2
	.size	trap, . - trap

	.type	null, @function
null:					#@ null Ir=9 Dr=3 Dw=3 Bi=3
	nop
	call	*%rdi			#> null other 3 Ir=6 Dr=3
	ret
	.size	null, . - null

	.type	jump_null, @function
jump_null:				#@ jump_null Ir=6 Bi=3
	nop
	jmp	*%rdi			#> jump_null other 3 Ir=6 Dr=3
	.size	jump_null, . - jump_null

	.type	other, @function
other:					#@ other Ir=36 Dr=18
	nop
	ret
	.size	other, . - other

	.type	host, @function
host:					#@ host Ir=6 Dr=3
	ud2
host_entered:
	nop
	ret
	.size	host, . - host

	.type	handler, @function
handler:				#@ handler Ir=42 Dr=21 Dw=21
	mov	%rbx, RIP(%rdx)
	ret
	.size	handler, . - handler

	.type	restorer, @function
	nop				#> restorer handler 21 Ir=42 Dr=21 Dw=21
restorer:				#@ restorer Ir=42
	mov	$SYS_SIGRETURN, %eax
	syscall
	.size	restorer, . - restorer

	.data
#define SA_SIGINFO 4
#define SA_RESTORER 0x04000000
on_fault: .quad	handler, SA_RESTORER | SA_SIGINFO, restorer, 0
