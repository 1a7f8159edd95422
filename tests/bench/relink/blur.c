/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of three colours are blurred from row to row; rows are a power of two apart.  PART: as in hash.c. */
#include <stdalign.h>

enum { PARTS = 4, ROW = 1024, ROWS = 24, STRIP = 16, WIDTH = 512, NEAR = 4 };

#if PART == 0
alignas(64) float red[ROWS][ROW];
#elif PART == 1
alignas(64) float green[ROWS][ROW];
#elif PART == 2
alignas(64) float blue[ROWS][ROW];
#else
extern float red[ROWS][ROW], green[ROWS][ROW], blue[ROWS][ROW];
static alignas(64) float grey[ROWS][WIDTH];

__attribute__((noinline)) void work(void)
{
	for (int strip = 0; strip < WIDTH; strip += STRIP)
		for (int y = NEAR; y < ROWS; y++)
			for (int x = strip; x < strip + STRIP; x++) {
				float sum = 0;

				for (int near = 0; near < NEAR; near++)
					sum += red[y - near][x] + green[y - near][x] +
					       blue[y - near][x];
				grey[y][x] = sum;
			}
}

int main(void)
{
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < WIDTH; x++)
			red[y][x] = green[y][x] = blue[y][x] = (float)(x ^ y);
	work();
	return grey[9][9] > 1e9F;
}
#endif
