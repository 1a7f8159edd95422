/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A product of tiles of matrices whose rows are a power of two apart.  PART: as in hash.c. */

enum { PARTS = 4, ROW = 128, TILE = 20, ROUNDS = 30 };

#if PART == 0
double a[TILE][ROW];
#elif PART == 1
double b[TILE][ROW];
#elif PART == 2
double c[TILE][ROW];
#else
extern double a[TILE][ROW], b[TILE][ROW], c[TILE][ROW];

__attribute__((noinline)) void work(void)
{
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < TILE; i++)
			for (int j = 0; j < TILE; j++) {
				double sum = 0;

				for (int k = 0; k < TILE; k++)
					sum += a[i][k] * b[k][j];
				c[i][j] += sum;
			}
}

int main(void)
{
	for (int i = 0; i < TILE; i++)
		for (int j = 0; j < TILE; j++)
			a[i][j] = b[i][j] = i + j;
	work();
	return c[0][0] < 0;
}
#endif
