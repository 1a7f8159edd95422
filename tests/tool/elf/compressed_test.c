/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/elf/compressed: what the libraries compress comes back; cut, forged, and with memory refused it does not. */
#include "tool/elf/debugfile.h"

#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/common/check.h"
#include "tests/tool/elf/counted_memory.h"

enum {
	SIZE = 300000,
	ROOM = 400000,
};

static uint8_t plain[SIZE], packed[ROOM];

/* Which of them, 0 being .xz. */
enum { XZ = 0, N_KINDS = 3 };

/* Text-like, but not all the same. */
static void make_plain(void)
{
	uint32_t state = 1;

	for (size_t i = 0; i < SIZE; i++) {
		state = state * 1664525 + 1013904223;
		plain[i] = (uint8_t)("debug_info"[state >> 30] + (i % 1000 == 0));
	}
}

static struct debug_bytes pack(uint32_t kind, size_t size)
{
	lzma_mt threads;
	lzma_stream stream = LZMA_STREAM_INIT;
	uLongf len = ROOM;

	switch (kind) {
	case COMPRESSION_ZLIB:
		CHECK(compress(packed, &len, plain, size) == Z_OK);
		return (struct debug_bytes){ packed, len };
	case COMPRESSION_ZSTD:
		return (struct debug_bytes){ packed, ZSTD_compress(packed, ROOM, plain, size, 3) };
	default: /* in several blocks, as xz -T makes them */
		memset(&threads, 0, sizeof(threads));
		threads.threads = 1;
		threads.block_size = 100000;
		threads.preset = 3;
		threads.check = LZMA_CHECK_CRC64;
		CHECK(lzma_stream_encoder_mt(&stream, &threads) == LZMA_OK);
		stream.next_in = plain;
		stream.avail_in = size;
		stream.next_out = packed;
		stream.avail_out = ROOM;
		while (lzma_code(&stream, LZMA_FINISH) == LZMA_OK)
			;
		len = stream.total_out;
		lzma_end(&stream);
		return (struct debug_bytes){ packed, len };
	}
}

/* What comes of it, which is to be released if it is not NULL; *len is how much it is. */
static enum debug_obstacle unpack(uint32_t kind, struct debug_bytes from, uint64_t size,
				  uint8_t **to, uint64_t *len)
{
	*len = size;
	return kind == XZ ? compressed_read_xz(from, &memory, to, len)
			  : compressed_read(kind, from, size, &memory, to);
}

static void free_bytes(uint8_t *bytes)
{
	if (bytes != NULL)
		release(bytes);
}

TEST(whole)
{
	make_plain();
	for (uint32_t kind = 0; kind < N_KINDS; kind++)
		for (size_t size = 1; size <= SIZE; size = size * 7 + 1) {
			const struct debug_bytes from = pack(kind, size);
			uint64_t len;
			uint8_t *bytes;

			n_allowed = SIZE_MAX;
			CHECK_EQ_U64(unpack(kind, from, size, &bytes, &len), DEBUG_NO_OBSTACLE);
			if (CHECK(len == size))
				CHECK(memcmp(bytes, plain, size) == 0);
			free_bytes(bytes);
			CHECK_EQ_U64(n_pieces, 0);
		}
}

/* Nothing but the right bytes, or none; what the libraries do not notice is right in size. */
TEST(damaged)
{
	make_plain();
	for (uint32_t kind = 0; kind < N_KINDS; kind++) {
		const struct debug_bytes from = pack(kind, 20000);
		uint64_t len;
		uint8_t *bytes;

		n_allowed = SIZE_MAX;
		for (uint64_t left = 0; left < from.len; left += 1 + left / 50) {
			uint8_t *copy = malloc(left + 1);

			if (!CHECK(copy != NULL))
				return;
			memcpy(copy, packed, left);
			CHECK_EQ_U64(unpack(kind, (struct debug_bytes){ copy, left }, 20000, &bytes,
					    &len),
				     DEBUG_DAMAGED);
			CHECK(bytes == NULL);
			free(copy);
		}
		for (uint64_t i = 0; i < from.len; i += 1 + i / 50) {
			packed[i] ^= 0x55;
			if (unpack(kind, from, 20000, &bytes, &len) == DEBUG_NO_OBSTACLE &&
			    kind != XZ)
				CHECK_EQ_U64(len, 20000);
			free_bytes(bytes);
			packed[i] ^= 0x55;
		}
		CHECK_EQ_U64(n_pieces, 0);
	}
}

TEST(sizes)
{
	struct debug_bytes from;
	uint64_t len;
	uint8_t *bytes;

	make_plain();
	n_allowed = SIZE_MAX;
	for (uint32_t kind = 1; kind < N_KINDS; kind++) {
		from = pack(kind, 20000);
		CHECK_EQ_U64(unpack(kind, from, 19999, &bytes, &len), DEBUG_DAMAGED);
		CHECK_EQ_U64(unpack(kind, from, 20001, &bytes, &len), DEBUG_DAMAGED);
		CHECK_EQ_U64(unpack(kind, from, 0, &bytes, &len), DEBUG_DAMAGED);
		/* More than a megabyte and 256 times as much is not even tried. */
		n_allowed = 0;
		CHECK_EQ_U64(unpack(kind, from, (1 << 20) + 256 * from.len, &bytes, &len),
			     DEBUG_NO_MEMORY);
		CHECK_EQ_U64(unpack(kind, from, (1 << 20) + 256 * from.len + 1, &bytes, &len),
			     DEBUG_DAMAGED);
		CHECK_EQ_U64(unpack(kind, from, UINT64_MAX, &bytes, &len), DEBUG_DAMAGED);
		n_allowed = SIZE_MAX;
	}
	CHECK_EQ_U64(unpack(77, from, 20000, &bytes, &len), DEBUG_NO_DECODER);
	CHECK_EQ_U64(n_pieces, 0);
}

TEST(refused)
{
	make_plain();
	for (uint32_t kind = 0; kind < N_KINDS; kind++) {
		const struct debug_bytes from = pack(kind, 20000);
		enum debug_obstacle obstacle = DEBUG_NO_MEMORY;

		for (size_t n = 0; n < 100 && obstacle != DEBUG_NO_OBSTACLE; n++) {
			uint64_t len;
			uint8_t *bytes;

			n_allowed = n;
			obstacle = unpack(kind, from, 20000, &bytes, &len);
			CHECK(obstacle == DEBUG_NO_MEMORY || obstacle == DEBUG_NO_OBSTACLE);
			free_bytes(bytes);
			CHECK_EQ_U64(n_pieces, 0);
		}
		CHECK_EQ_U64(obstacle, DEBUG_NO_OBSTACLE);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(whole),
		CHECK_TEST(damaged),
		CHECK_TEST(sizes),
		CHECK_TEST(refused),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
