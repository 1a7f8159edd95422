/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls as function hooks see them (tool/calls/callhook.h): arguments in registers at the first
 * instruction, the result in rax at the return address.  The test has the lines of --trace-calls.
 */
	.macro	function name
	.type	\name, @function
	.globl	\name
\name:
	.endm

	.macro	ends name
	.size	\name, . - \name
	.endm

	.text
function main
	mov	$main_stack + 0x200, %esp
	call	plainly
	call	by_tails
	call	inwards
	mov	$4, %edi
	call	skips_levels
	call	unusually
	call	unwinding
	call	switching
	mov	$60, %eax
	xor	%edi, %edi
	syscall
ends main

/* --- arguments, recursion --- */

function plainly
	mov	$1, %edi
	mov	$2, %esi
	mov	$3, %edx
	mov	$4, %ecx
	mov	$5, %r8d
	mov	$6, %r9d
	call	sum6
	mov	$3, %edi
	call	factorial
	ret
ends plainly

function sum6
	lea	(%rdi,%rsi), %rax
	add	%rdx, %rax
	add	%rcx, %rax
	add	%r8, %rax
	add	%r9, %rax
	ret
ends sum6

function factorial
	mov	$1, %eax
	cmp	$1, %rdi
	je	1f
	push	%rdi
	dec	%rdi
	call	factorial
	pop	%rdi
	imul	%rdi, %rax
1:	ret
ends factorial

/* --- tail calls: who returns is another function --- */

function by_tails
	mov	$7, %edi
	call	tail1
	mov	$0x10, %edi
	call	falls
	ret
ends by_tails

function tail1
	inc	%edi
	jmp	tail2
ends tail1

function tail2
	inc	%edi
	jmp	tail3
ends tail2

function tail3
	lea	(%rdi,%rdi), %eax
	ret
ends tail3

/* Falls into the next function, whose argument is overwritten in the same superblock. */
function falls
	mov	$0x11, %edi
ends falls

function fallen_into
	mov	$0x12, %edi
	mov	%edi, %eax
	ret
ends fallen_into

/* --- jumps and calls that are no calls of a function --- */

function inwards
	mov	$3, %edi
	call	countdown
	call	middle
	ret
ends inwards

/* A loop back to the first instruction. */
function countdown
	dec	%edi
	jnz	countdown
	mov	$0xc0, %eax
	ret
ends countdown

function entered_late
	nop
middle:
	mov	$1, %eax
	ret
ends entered_late

/* --- recursion whose innermost level returns from the third one, which it leaves --- */

function skips_levels
	cmp	$3, %edi
	cmove	%rsp, %rbp
	dec	%edi
	jz	1f
	call	skips_levels
	mov	$0x5c, %eax
	ret
1:	mov	%rbp, %rsp
	mov	$0x1c, %eax
	ret
ends skips_levels

/* --- returns that are no plain ones, and a call that is none --- */

function unusually
	mov	$0x20, %edi
	call	returns_by_jump
	push	$0
	mov	$0x21, %edi
	call	takes_argument_away
	mov	$0x22, %edi
	call	goes_on_by_return
	push	%rbx
	mov	$0x30, %edi
	call	keeps_return_address
	pop	%rbx
	ret
ends unusually

function returns_by_jump
	pop	%rcx
	lea	1(%rdi), %eax
	jmp	*%rcx
ends returns_by_jump

/* Has its return address in a register while it calls something, whose own has its place. */
function keeps_return_address
	pop	%rbx
	inc	%edi
	call	returns_by_jump
	push	%rbx
	ret
ends keeps_return_address

function takes_argument_away
	lea	1(%rdi), %eax
	ret	$8
ends takes_argument_away

function goes_on_by_return
	inc	%edi
	push	$returned_into
	ret
ends goes_on_by_return

function returned_into
	lea	1(%rdi), %eax
	ret
ends returned_into

/*
 * --- calls that are unwound ---
 *
 * calls throws, which goes back over caught_by to where the call of that would return to;
 * then, from the same place, leaf.
 */
function unwinding
	push	%rbx
	mov	$0x40, %edi
	mov	$throws, %ebx
	mov	%rsp, %rbp
again:	call	*%rbx
back:	cmp	$throws, %rbx
	mov	$leaf, %ebx
	je	again
	pop	%rbx
	ret
ends unwinding

function throws
	push	%rbx
	call	thrower
	ud2
ends throws

function thrower
	mov	%rbp, %rsp
	jmp	elsewhere
ends thrower

/* Part of unwinding, as it were: not the return address itself. */
	.type	unwinding.cold, @function
unwinding.cold:
elsewhere:
	nop
	jmp	back
	.size	unwinding.cold, . - unwinding.cold

function leaf
	mov	$0x1eaf, %eax
	ret
ends leaf

/*
 * --- stacks ---
 *
 * Number 2 is main's; two more have a call of works each.  All three call swap(from, to), these two from
 * the same places.  In memory the order is 1, 2, 0.
 */
	.macro	switch from to
	mov	$\from, %edi
	mov	$\to, %esi
	call	swap
	.endm

function switching
	.rept	3
	switch	2 0
	switch	2 1
	.endr
	ret
ends switching

/* Switches from stack edi to stack esi; the result is where it has been. */
function swap
	mov	%edi, %eax
	mov	%rsp, stacks(,%rdi,8)
	mov	stacks(,%rsi,8), %rsp
	ret
ends swap

function loop0
	mov	$0xa0, %edi
	call	works
	switch	0 2
	ud2
ends loop0

function loop1
	mov	$0xa1, %edi
	call	works
	switch	1 2
	ud2
ends loop1

/* Changes over to the main stack and back, and returns; then does so once more. */
function works
	push	%rdi
	and	$1, %edi
	mov	$2, %esi
	call	swap
	mov	(%rsp), %rdi
	and	$1, %edi
	mov	$2, %esi
	call	swap
	pop	%rax
	ret
ends works

	.data
stacks:	.quad	high, low, 0
	.skip	0x400 - 24
low:	.quad	loop1
	.skip	0xc00
main_stack:
	.skip	0x400
high:	.quad	loop0
