/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instrumentation switched on and off by Cachegrind's requests, each of them twice. */
#include <valgrind/valgrind.h>

enum {
	START = VG_USERREQ_TOOL_BASE('C', 'G'),
	STOP,
};

/* 2 n + 2 instructions. */
__asm__(".globl leaf\n"
	".type leaf, @function\n"
	"leaf:	mov %edi, %ecx\n"
	"1:	dec %ecx\n"
	"	jnz 1b\n"
	"	ret\n"
	".size leaf, . - leaf\n");

void leaf(unsigned n);

int main(void)
{
	leaf(1);
	VALGRIND_DO_CLIENT_REQUEST_STMT(START, 0, 0, 0, 0, 0);
	leaf(10);
	VALGRIND_DO_CLIENT_REQUEST_STMT(START, 0, 0, 0, 0, 0);
	leaf(100);
	VALGRIND_DO_CLIENT_REQUEST_STMT(STOP, 0, 0, 0, 0, 0);
	leaf(1000);
	VALGRIND_DO_CLIENT_REQUEST_STMT(STOP, 0, 0, 0, 0, 0);
	leaf(10000);
	return 0;
}
