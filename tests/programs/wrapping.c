/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function that Valgrind has another one wrapped around; fact(n) is 3 n instructions and 1. */
#include <stdio.h>
#include <valgrind/valgrind.h>

__asm__(".globl fact\n"
	".type fact, @function\n"
	"fact:	mov $1, %eax\n"
	"1:	imul %edi, %eax\n"
	"	dec %edi\n"
	"	jnz 1b\n"
	"	ret\n"
	".size fact, . - fact\n");

int fact(int n);

int I_WRAP_SONAME_FNNAME_ZU(NONE, fact)(int n);

int I_WRAP_SONAME_FNNAME_ZU(NONE, fact)(int n)
{
	OrigFn original;
	int result;

	VALGRIND_GET_ORIG_FN(original);
	CALL_FN_W_W(result, original, n);
	return result + 1;
}

int main(void)
{
	int sum = 0;

	for (int i = 1; i <= 5; i++)
		sum += fact(i);
	printf("%d\n", sum);
	return 0;
}
