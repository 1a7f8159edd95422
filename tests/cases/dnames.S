/* Functions with names of D, and of Rust, each called once, of 11 instructions; foo2 has 2, and goes on in its cold part. */
	.macro function name
	.globl	"\name"
	.type	"\name", @function
"\name":
	mov	$4, %ecx
1:	dec	%ecx
	jnz	1b
	nop
	ret
	.size	"\name", . - "\name"
	.endm

	.text
	.globl	main
	.type	main, @function
main:
	call	_D2dd__T3fooTiZQhFNaNbNiNfiZi
	call	_D2dd4foo2FiZi
	call	_D2dd3Cat5speakMFAyaZv.llvm.123
	call	_Dmain
	call	_D2ddWrong
	call	_D_Mutex
	call	_RNvCs1234_7mycrate3foo
	call	_RNvCs1234_7mycrate3foo.llvm.123
	xor	%eax, %eax
	ret
	.size	main, . - main

	function _D2dd__T3fooTiZQhFNaNbNiNfiZi
	.globl	_D2dd4foo2FiZi
	.type	_D2dd4foo2FiZi, @function
_D2dd4foo2FiZi:
	nop
	jmp	_D2dd4foo2FiZi.cold
	.size	_D2dd4foo2FiZi, . - _D2dd4foo2FiZi
	function _D2dd4foo2FiZi.cold
	function _D2dd3Cat5speakMFAyaZv.llvm.123
	function _Dmain
	function _D2ddWrong
	function _D_Mutex
	function _RNvCs1234_7mycrate3foo
	function _RNvCs1234_7mycrate3foo.llvm.123

	.data
	.long	1
	.section .note.GNU-stack, "", @progbits
