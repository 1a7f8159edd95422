/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zlib and zstd, as in SHF_COMPRESSED sections, and .xz, as in .gnu_debugdata.  The libraries get their memory here, so
 * that a refusal is a result like any other.
 *
 * The tool links the static libraries.  It runs no constructors and resolves no indirect functions, which liblzma's
 * checksums need to choose their code.  So the container of .xz is read here, and the library sees only the contents of
 * blocks.  configure defines NO_ZLIB, NO_ZSTD and NO_LZMA for a tool that is built without them.
 *
 * Source: the System V ABI, "Section Compression"; "The .xz File Format", 1.2.0, sections 2 to 4.
 */
#include "tool/elf/debugfile.h"

#include "tool/elf/dwarfunit.h"
#include "writer/freestanding.h"

#ifndef NO_ZLIB
# define ZLIB_CONST
# include <zlib.h>
#endif
#ifndef NO_ZSTD
# define ZSTD_STATIC_LINKING_ONLY /* for a decoder in our own memory */
# include <zstd.h>
#endif
#ifndef NO_LZMA
# include <lzma.h>
#endif

enum {
	LEAST_BOUND = 1 << 20, /* bytes */
	MAX_RATIO = 256,
};
/* zlib counts bytes in 32 bits. */
#define MAX_SIZE UINT64_C(0xffffffff)

/* True if len compressed bytes may yield size bytes. */
static bool is_plausible(uint64_t size, uint64_t len)
{
	return size > 0 && size <= MAX_SIZE && len <= MAX_SIZE &&
	       size <= LEAST_BOUND + MAX_RATIO * len;
}

/* --- zlib ---------------------------------------------------------------------------------- */

#ifndef NO_ZLIB
static void *zlib_allocate(void *memory, unsigned n, unsigned size)
{
	return ((const struct dwarf_memory *)memory)->allocate((size_t)n * size);
}

static void zlib_release(void *memory, void *piece)
{
	((const struct dwarf_memory *)memory)->release(piece);
}

static enum debug_obstacle read_zlib(struct debug_bytes from, uint8_t *to, uint64_t size,
				     const struct dwarf_memory *memory)
{
	struct dwarf_memory copy = *memory;
	z_stream stream = {
		.next_in = from.at,
		.avail_in = (unsigned)from.len,
		.next_out = to,
		.avail_out = (unsigned)size,
		.zalloc = zlib_allocate,
		.zfree = zlib_release,
		.opaque = &copy,
	};
	int status = inflateInit(&stream);

	if (status != Z_OK)
		return DEBUG_NO_MEMORY;
	status = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	if (status == Z_MEM_ERROR)
		return DEBUG_NO_MEMORY;
	return status == Z_STREAM_END && stream.avail_out == 0 ? DEBUG_NO_OBSTACLE : DEBUG_DAMAGED;
}
#else
/* NOLINTNEXTLINE(readability-non-const-parameter) ; as above */
static enum debug_obstacle read_zlib(struct debug_bytes from, uint8_t *to, uint64_t size,
				     const struct dwarf_memory *memory)
{
	(void)from, (void)to, (void)size, (void)memory;
	return DEBUG_NO_DECODER;
}
#endif

/* --- zstd ---------------------------------------------------------------------------------- */

#ifndef NO_ZSTD
static enum debug_obstacle read_zstd(struct debug_bytes from, uint8_t *to, uint64_t size,
				     const struct dwarf_memory *memory)
{
	const size_t room = ZSTD_estimateDCtxSize();
	void *workspace = memory->allocate(room);
	size_t n;

	if (workspace == NULL)
		return DEBUG_NO_MEMORY;
	n = ZSTD_decompressDCtx(ZSTD_initStaticDCtx(workspace, room), to, size, from.at, from.len);
	memory->release(workspace);
	return n == size ? DEBUG_NO_OBSTACLE
			 : DEBUG_DAMAGED; /* errors are numbers beyond any size */
}
#else
static enum debug_obstacle read_zstd(struct debug_bytes from, uint8_t *to, uint64_t size,
				     const struct dwarf_memory *memory)
{
	(void)from, (void)to, (void)size, (void)memory;
	return DEBUG_NO_DECODER;
}
#endif

enum debug_obstacle compressed_read(uint32_t kind, struct debug_bytes from, uint64_t size,
				    const struct dwarf_memory *memory, uint8_t **to)
{
	enum debug_obstacle obstacle = DEBUG_NO_DECODER;

	*to = NULL;
	if (!is_plausible(size, from.len))
		return DEBUG_DAMAGED;
	*to = memory->allocate(size);
	if (*to == NULL)
		return DEBUG_NO_MEMORY;
	if (kind == COMPRESSION_ZLIB)
		obstacle = read_zlib(from, *to, size, memory);
	else if (kind == COMPRESSION_ZSTD)
		obstacle = read_zstd(from, *to, size, memory);
	if (obstacle != DEBUG_NO_OBSTACLE) {
		memory->release(*to);
		*to = NULL;
	}
	return obstacle;
}

/* --- .xz ----------------------------------------------------------------------------------- */

enum {
	XZ_HEADER_SIZE =
		12, /* of the stream, and of its footer; the flags are the last two bytes but four, or two */
	XZ_FRAME_SIZE = 2 * XZ_HEADER_SIZE,
	XZ_FLAGS = 7,
	XZ_FOOTER_INDEX_SIZE = 4,
	XZ_FILTER_LZMA2 = 0x21,
	MAX_DICTIONARY = 40, /* encoded */
};

struct xz_block {
	struct debug_bytes lzma; /* its contents */
	uint64_t size;           /* bytes that it yields */
	uint64_t dictionary;     /* bytes */
};

/* Reads the header of a block; unpadded is its size with header and check. */
static bool read_block(struct debug_bytes block, uint64_t unpadded, unsigned check_size,
		       struct xz_block *read)
{
	struct debug_cursor cursor = cursor_of(block);
	const uint64_t header_size = (cursor_number(&cursor, 1) + 1) * 4;
	const uint64_t flags = cursor_number(&cursor, 1);
	uint64_t filter, bits;

	if ((flags & 0x40) != 0)
		cursor_unsigned(&cursor); /* bytes of contents */
	if ((flags & 0x80) != 0)
		cursor_unsigned(&cursor); /* bytes that they yield */
	filter = cursor_unsigned(&cursor);
	if (cursor_unsigned(&cursor) != 1)
		return false;
	bits = cursor_number(&cursor, 1);
	if ((flags & 3) != 0 || filter != XZ_FILTER_LZMA2 || bits > MAX_DICTIONARY ||
	    cursor.failed || unpadded > block.len || unpadded < header_size + check_size)
		return false;
	read->lzma =
		(struct debug_bytes){ block.at + header_size, unpadded - header_size - check_size };
	read->dictionary = bits == MAX_DICTIONARY ? UINT32_MAX
						  : (UINT64_C(2) | (bits & 1)) << (bits / 2 + 11);
	return true;
}

/* The index, after the last block; its cursor is at the number of blocks. */
static bool find_index(struct debug_bytes from, struct debug_cursor *index)
{
	static const uint8_t magic[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	struct debug_cursor footer;
	uint64_t size;

	if (from.len < XZ_FRAME_SIZE)
		return false;
	for (unsigned i = 0; i < sizeof(magic); i++)
		if (from.at[i] != magic[i])
			return false;
	footer = (struct debug_cursor){ from.at + from.len - XZ_HEADER_SIZE + XZ_FOOTER_INDEX_SIZE,
					4, false };
	size = (cursor_number(&footer, 4) + 1) * 4;
	if (size > from.len - XZ_FRAME_SIZE)
		return false;
	*index = (struct debug_cursor){ from.at + from.len - XZ_HEADER_SIZE - size, size, false };
	return cursor_number(index, 1) == 0;
}

/* The block at *at, with its entry in the index; false if it is damaged.  *at moves past the block. */
static bool next_block(struct debug_bytes from, struct debug_cursor *index, uint64_t *at,
		       struct xz_block *block)
{
	static const uint8_t check_sizes[] = { 0,  4,  4,  4,  8,  8,  8,  16,
					       16, 16, 32, 32, 32, 64, 64, 64 };
	const uint64_t unpadded = cursor_unsigned(index);

	block->size = cursor_unsigned(index);
	if (index->failed || unpadded > from.len - *at ||
	    !read_block((struct debug_bytes){ from.at + *at, from.len - *at }, unpadded,
			check_sizes[from.at[XZ_FLAGS] & 15], block))
		return false;
	*at += unpadded + (-unpadded & 3);
	return *at <= from.len;
}

#ifndef NO_LZMA
static void *lzma_allocate(void *memory, size_t n, size_t size)
{
	return ((const struct dwarf_memory *)memory)->allocate(n * size);
}

static void lzma_release(void *memory, void *piece)
{
	if (piece != NULL)
		((const struct dwarf_memory *)memory)->release(piece);
}

static enum debug_obstacle read_lzma(const struct xz_block *block, uint8_t *to,
				     const struct dwarf_memory *memory)
{
	struct dwarf_memory copy = *memory;
	const lzma_allocator allocator = { lzma_allocate, lzma_release, &copy };
	/* No distance is larger than the decompressed size. */
	lzma_options_lzma options = {
		.dict_size = (uint32_t)(block->dictionary < block->size ? block->dictionary
									: block->size),
	};
	const lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &options },
					{ LZMA_VLI_UNKNOWN, NULL } };
	size_t n_read = 0, n_written = 0;
	const lzma_ret status = lzma_raw_buffer_decode(filters, &allocator, block->lzma.at, &n_read,
						       block->lzma.len, to, &n_written,
						       block->size);

	if (status == LZMA_MEM_ERROR)
		return DEBUG_NO_MEMORY;
	return status == LZMA_OK && n_written == block->size ? DEBUG_NO_OBSTACLE : DEBUG_DAMAGED;
}
#else
static enum debug_obstacle read_lzma(const struct xz_block *block, uint8_t *to,
				     const struct dwarf_memory *memory)
{
	(void)block, (void)to, (void)memory;
	return DEBUG_NO_DECODER;
}
#endif

enum debug_obstacle compressed_read_xz(struct debug_bytes from, const struct dwarf_memory *memory,
				       uint8_t **to, uint64_t *size)
{
	enum debug_obstacle obstacle = DEBUG_NO_OBSTACLE;
	struct debug_cursor index, sizes;
	struct xz_block block;
	uint64_t n, done = 0, at = XZ_HEADER_SIZE;

	*to = NULL;
	*size = 0;
	if (!find_index(from, &index))
		return DEBUG_DAMAGED;
	n = cursor_unsigned(&index);
	sizes = index;
	for (uint64_t i = 0; i < n; i++) {
		if (!next_block(from, &sizes, &at, &block) || block.size > MAX_SIZE)
			return DEBUG_DAMAGED;
		*size += block.size;
	}
	if (!is_plausible(*size, from.len))
		return DEBUG_DAMAGED;
	*to = memory->allocate(*size);
	if (*to == NULL)
		return DEBUG_NO_MEMORY;
	at = XZ_HEADER_SIZE;
	for (uint64_t i = 0; i < n && obstacle == DEBUG_NO_OBSTACLE; i++) {
		if (!next_block(from, &index, &at, &block))
			obstacle = DEBUG_DAMAGED;
		else
			obstacle = read_lzma(&block, *to + done, memory);
		done += block.size;
	}
	if (obstacle != DEBUG_NO_OBSTACLE) {
		memory->release(*to);
		*to = NULL;
	}
	return obstacle;
}
