/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says its arguments, each in brackets. */
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		fprintf(stderr, "[%s]", argv[i]);
	fputc('\n', stderr);
	return 0;
}
