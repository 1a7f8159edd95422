/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What compressed sections hold: zlib and zstd, as SHF_COMPRESSED has them, and .xz, as .gnu_debugdata does.  The
 * libraries get their memory here, so that a refusal is a result like any other.
 *
 * Nothing is made that is larger than 1 MiB and 256 times its compressed size: what compilers write shrinks to a tenth, while
 * a few bytes may claim to hold gigabytes.
 *
 * Source: the System V ABI, "Section Compression"; "The .xz File Format", 1.2.0, sections 2 to 4.
 */
#ifndef TOOL_ELF_COMPRESSED_H
#define TOOL_ELF_COMPRESSED_H

#include "tool/elf/debugcursor.h"
#include "tool/elf/dwarf.h"

/* Why something that is there cannot be read. */
enum debug_obstacle {
	DEBUG_NO_OBSTACLE,
	DEBUG_DAMAGED,    /* it is not what it says, or too large */
	DEBUG_NO_DECODER, /* it is compressed in a way that this build cannot read */
	DEBUG_NO_MEMORY,
};

/* As ELF numbers them (ch_type). */
enum compression {
	COMPRESSION_ZLIB = 1,
	COMPRESSION_ZSTD = 2,
};

/*
 * Decompresses all of from, which must give size bytes, into *to, which is the caller's to release if nothing is in the
 * way, and NULL else.  A kind may be any number.
 */
enum debug_obstacle compressed_read(uint32_t kind, struct debug_bytes from, uint64_t size,
				    const struct dwarf_memory *memory, uint8_t **to);

/*
 * The same of an .xz of one stream, whose blocks are compressed by LZMA2 alone; *size is how many bytes it gives.  Checksums
 * are not looked at.
 */
enum debug_obstacle compressed_read_xz(struct debug_bytes from, const struct dwarf_memory *memory,
				       uint8_t **to, uint64_t *size);

#endif
