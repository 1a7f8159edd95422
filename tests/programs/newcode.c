/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newcode N: writes a function N times to the same place, each time with instructions that were not there before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	const long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;

	if (code == MAP_FAILED)
		return 1;
	for (int i = 0; i < n; i++) {
		int (*function)(void);

		/* mov $i, %eax; add $i, %eax; ret */
		code[0] = 0xb8;
		memcpy(&code[1], &i, 4);
		code[5] = 0x05;
		memcpy(&code[6], &i, 4);
		code[10] = 0xc3;
		memcpy(&function, &code, sizeof(function));
		sum += function();
	}
	printf("%d\n", sum);
	return 0;
}
