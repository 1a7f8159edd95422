# SPDX-License-Identifier: GPL-3.0-or-later
# x86-64, at fixed addresses; the counts in loop.cg are derived by hand from what it does.
	.text
	.globl _start
	.type _start, @function
_start:
	mov $3, %ecx
	xor %eax, %eax
1:	add %ecx, %eax
	dec %ecx
	jnz 1b
	call add_hidden
	mov pointer(%rip), %rdx
	call *%rdx
	mov $1, %edi
	call fact
	jmp 2f
	.fill 40, 1, 0x90
2:	.byte 0x62, 0xf1, 0x65, 0x48, 0x72, 0xcb, 0x10 # vprold $0x10,%zmm3,%zmm3
	.byte 0xc5, 0xfb, 0x93, 0xc0 # kmovd %k0,%eax
	mov $60, %eax
	syscall
	.size _start, . - _start

# Calls itself: levels of recursion are one piece of code.
	.type fact, @function
fact:
	dec %edi
	js 1f
	call fact
1:	ret
	.size fact, . - fact

# No symbol of its own once it is stripped; a label within it is none.
	.type add_hidden, @function
add_hidden:
	add $2, %rax
hidden_label:
	ret
	.size add_hidden, . - add_hidden

# Without a size: it goes on to the end of the section.
free_label:
	lea pointer(%rip), %rsi
	rep movsb
	ret

	.data
	.globl pointer
	.type pointer, @object
pointer:
	.quad free_label
	.size pointer, 8
