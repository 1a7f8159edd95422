/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * png: pictures that libpng writes and reads, for scripts/compare-time.
 *
 *	png work		writes one, and reads it; prints a checksum
 *	png [NAME ROUNDS]	sides of pairs, as in rounds.h
 */
#include <png.h>
#include <zlib.h>

#include <vector>

#include "tests/bench/time/rounds.h"

namespace
{

enum { WIDTH = 640, HEIGHT = 480, ROW = 3 * WIDTH };

typedef std::vector<uint8_t> bytes;

bytes picture; /* what all rounds write */

/* Areas of changing brightness, and noise. */
bytes draw()
{
	bytes pixels(HEIGHT * ROW);
	uint64_t state = 1;

	for (uint32_t y = 0; y < HEIGHT; y++)
		for (uint32_t x = 0; x < WIDTH; x++) {
			const uint32_t area = (x / 80 * 5 + y / 60 * 3) % 7;

			for (uint32_t i = 0; i < 3; i++)
				pixels[y * ROW + 3 * x + i] =
					(uint8_t)(x * (i + 1) / 4 + y * area / 3 +
						  random_below(&state, area % 3 == 0 ? 8 : 2));
		}
	return pixels;
}

void append(png_structp png, png_bytep data, size_t size)
{
	bytes *file = (bytes *)png_get_io_ptr(png);

	file->insert(file->end(), data, data + size);
}

void flush(png_structp)
{
}

struct input {
	const uint8_t *at;
};

void take(png_structp png, png_bytep data, size_t size)
{
	struct input *file = (struct input *)png_get_io_ptr(png);

	memcpy(data, file->at, size);
	file->at += size;
}

/* Errors end the program: nobody called setjmp(). */
bytes encode(int filters, int strategy)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	bytes file;

	png_set_write_fn(png, &file, append, flush);
	png_set_IHDR(png, info, WIDTH, HEIGHT, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_filter(png, PNG_FILTER_TYPE_BASE, filters);
	png_set_compression_strategy(png, strategy);
	png_write_info(png, info);
	for (uint32_t y = 0; y < HEIGHT; y++)
		png_write_row(png, &picture[y * ROW]);
	png_write_end(png, NULL);
	png_destroy_write_struct(&png, &info);
	return file;
}

uint64_t decode(const bytes &file)
{
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	struct input input = { file.data() };
	bytes row(ROW);
	uint64_t sum = 0;

	png_set_read_fn(png, &input, take);
	png_read_info(png, info);
	for (uint32_t y = 0; y < HEIGHT; y++) {
		png_read_row(png, row.data(), NULL);
		sum = checksum_add(sum, row[y % ROW]);
	}
	png_read_end(png, NULL);
	png_destroy_read_struct(&png, &info, NULL);
	return sum;
}

uint64_t work()
{
	uint64_t sum = 0;
	bytes file;

	picture = draw();
	for (int i = 0; i < 2; i++)
		file = encode(PNG_ALL_FILTERS, Z_FILTERED);
	for (int i = 0; i < 10; i++)
		sum = checksum_add(sum, decode(file));
	return sum + file.size();
}

void set_up(size_t)
{
	picture = draw();
}

/* Nothing is searched for, as that takes longer or shorter by what a filter makes of the rows. */
uint64_t encode_plain(uint64_t)
{
	return encode(PNG_FILTER_NONE, Z_HUFFMAN_ONLY).size();
}

uint64_t encode_filtered(uint64_t)
{
	return encode(PNG_ALL_FILTERS, Z_HUFFMAN_ONLY).size();
}

const struct rounds sides[] = {
	{ "png-filter-fast", 1, encode_plain, set_up, 0 },
	{ "png-filter-slow", 1, encode_filtered, set_up, 0 },
};

} /* namespace */

int main(int argc, char **argv)
{
	if (argc == 2)
		return report("png", work());
	return rounds_main(sides, sizeof(sides) / sizeof(sides[0]), argc, argv);
}
