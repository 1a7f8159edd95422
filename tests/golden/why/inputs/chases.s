# SPDX-License-Identifier: GPL-3.0-or-later
# Loads, the first instruction of each function, and what else is executed as often; but "seldom" has one that is not.
	.text
	.globl _start
_start:
	.macro function name
	.globl \name
	.type \name, @function
\name:
	.endm

	function itself
	movq (%rax), %rax
	.size itself, . - itself

	function copied
	movq 8(%rdi), %rax
	movq %rax, %rdi
	.size copied, . - copied

	function index
	movl (%rdi, %rax, 4), %eax
	.size index, . - index

	function twice
	movq (%rax), %rax
	movq 8(%rax), %rax
	.size twice, . - twice

	function seldom
	movq (%rax), %rax
	movq 16(%rsp), %rax
	.size seldom, . - seldom

	function before
	addq 8(%rdi), %rax
	movq (%rdi), %rdi
	.size before, . - before

	function other_load
	movq (%rax), %rax
	movq (%rdi, %rcx, 8), %rax
	.size other_load, . - other_load

	function stride
	movq (%rax), %rdx
	addq $24, %rax
	.size stride, . - stride

	function register_stride
	movq (%rax, %rcx, 8), %rdx
	addq %rsi, %rcx
	.size register_stride, . - register_stride

	function neither
	addsd (%rax), %xmm0
	.size neither, . - neither

	function computed
	movq 8(%rdi), %rax
	movq %rax, %rdi
	leaq (%rcx, %rdx), %rdi
	.size computed, . - computed

	function returns
	addq $1, %rax
	addq $2, %rbx
	ret
	.size returns, . - returns
