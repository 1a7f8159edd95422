/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and lines of the code in one ELF file: its symbol tables, and its debug information with all the other
 * files that hold parts of it.  Addresses are as linked.
 *
 * Symbols come from .symtab and .dynsym, of the file and of its separate debug file, and from .gnu_debugdata.  Debug
 * information comes from the file if it has any, else from its separate debug file.  Sections may be compressed
 * (zlib, zstd).
 *
 * The other files, each looked for in this order, and used only if it is the right one (build-id, checksum, number of
 * the unit):
 *
 *	separate debug file	DIR/.build-id/XX/YYYY.debug; the name in .gnu_debuglink, in the file's folder,
 *				in .debug there, and in DIR/FOLDER; EXTRA/ the same; CACHE/BUILDID/debuginfo
 *	alternate (dwz)		the path in .gnu_debugaltlink or .debug_sup, then by build-id as above
 *	package (.dwp)		FILE.dwp, DEBUGFILE.dwp
 *	split unit (.dwo)	its path, from the folder that it was compiled in, then beside the file
 *
 * DIR is /usr/lib/debug, EXTRA and CACHE are debugfile_world's.
 *
 * Any bytes are safe: nothing outside of a file is read, and work and memory are in proportion to its size.  Sections
 * that claim to hold more than 1 MiB and 256 times their compressed size are not decompressed.
 */
#ifndef TOOL_ELF_DEBUGFILE_H
#define TOOL_ELF_DEBUGFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/elf/dwarf.h"

/* --- compressed sections ------------------------------------------------------------------ */

/* Why something that exists cannot be read. */
enum debug_obstacle {
	DEBUG_NO_OBSTACLE,
	DEBUG_DAMAGED,    /* it is damaged or too large */
	DEBUG_NO_DECODER, /* this build cannot read this kind of compression */
	DEBUG_NO_MEMORY,
};

/* As ELF numbers them (ch_type). */
enum compression {
	COMPRESSION_ZLIB = 1,
	COMPRESSION_ZSTD = 2,
};

/*
 * Decompresses all of from, which must yield size bytes, into *to: the caller's to release on success, otherwise
 * NULL.  kind may be any number.
 */
enum debug_obstacle compressed_read(uint32_t kind, struct debug_bytes from, uint64_t size,
				    const struct dwarf_memory *memory, uint8_t **to);

/* The same for an .xz file of one stream with LZMA2 blocks only; *size is its decompressed size.  Checksums are ignored. */
enum debug_obstacle compressed_read_xz(struct debug_bytes from, const struct dwarf_memory *memory,
				       uint8_t **to, uint64_t *size);

/* --- one file ----------------------------------------------------------------------------- */

/* Where files and memory come from.  It is borrowed, and must outlive every debugfile. */
struct debugfile_world {
	const struct dwarf_memory *memory;
	void *ctx;
	/* Maps a whole regular file, read-only; false if there is none, it is empty, or files may not be opened now. */
	bool (*map)(void *ctx, const char *path, struct debug_bytes *bytes, void **handle);
	void (*unmap)(void *ctx, struct debug_bytes bytes, void *handle);
	const char *extra_path;       /* --extra-debuginfo-path, or NULL */
	const char *debuginfod_cache; /* folder of debuginfod's client, or NULL */
};

/*
 * The files of this machine, and Valgrind's memory, by the options and the environment that Valgrind was started with: to be
 * called once these are read.  Nothing is opened under seccomp.  Files of up to 32 MiB are read at once, so that it does no harm
 * if they are cut later.
 */
void debugfile_world_init(struct debugfile_world *world);

struct debugfile;
struct elfobject;

/*
 * Opens a file by its path; NULL if it is no ELF file of x86-64, or memory is refused.  Only its headers are read: symbols
 * are indexed at the first question about them, debug information at the first about lines or inlined calls.
 */
struct debugfile *debugfile_open(const struct debugfile_world *world, const char *path);

/*
 * The same for a file whose bytes are there already: they are borrowed until it is closed.  path is where other files are looked
 * for beside it; it need not exist.
 */
struct debugfile *debugfile_open_bytes(const struct debugfile_world *world, const char *path,
				       struct debug_bytes bytes);

void debugfile_close(struct debugfile *file);

/* A function's symbol.  name is as in the file (mangled), ends in a NUL, is not empty, and is borrowed until the close. */
struct debug_symbol {
	const char *name;
	uint64_t address,
		size; /* size is 1 or more; a symbol without one reaches to the next, or its section's end */
};

/*
 * The symbol whose bytes include an address; false if there is none.  Of several it is the one that Valgrind's core takes,
 * as debugfile.c says.
 */
bool debugfile_symbol(struct debugfile *file, uint64_t address, struct debug_symbol *symbol);

/*
 * All names that the function at an address has, each once, that of debugfile_symbol() first; visit returns false if no
 * more is wanted.
 */
void debugfile_names(struct debugfile *file, uint64_t address,
		     bool (*visit)(void *ctx, const char *name), void *ctx);

/* As dwarf_line() and dwarf_inlined() (tool/elf/dwarf.h): false, and 0, if nothing is known. */
bool debugfile_line(struct debugfile *file, uint64_t address, struct dwarf_place *place);
size_t debugfile_inlined(struct debugfile *file, uint64_t address,
			 const struct dwarf_frame **frames);

/*
 * What was read of a file, and what is missing; texts are NULL if there is no such thing, else borrowed until the close.
 * Complete after a question of each kind: what has not been asked for has not been looked for.
 */
struct debugfile_facts {
	bool has_symbols;                  /* .symtab, of the file or of its debug file */
	bool has_dynamic_symbols;          /* .dynsym */
	bool has_mini_symbols;             /* .gnu_debugdata */
	bool has_dwarf;                    /* .debug_info or .debug_line, that could be read */
	unsigned dwarf_version;            /* of the first unit; 0: none */
	const char *debug_path;            /* the separate debug file that is used */
	const char *alternate_path;        /* dwz's file that is used */
	const char *package_path;          /* the .dwp that is used */
	const char *missing_debug;         /* name in .gnu_debuglink: no such file was found */
	const char *missing_alternate;     /* path of dwz's file, which was not found */
	const char *missing_split;         /* path of a .dwo that was not found, the first one */
	unsigned n_split, n_missing_split; /* .dwo units found; not found */
	enum debug_obstacle obstacle;      /* the first one */
	const char *obstacle_section;      /* the section's name, if there is one */
};
const struct debugfile_facts *debugfile_facts(const struct debugfile *file);

/*
 * True if the debug information of the file, or else of its separate debug file, has the section .debug_SUFFIX, or
 * .zdebug_SUFFIX.  Nothing is decompressed; after that, the facts have the separate debug file, if it was looked for.
 */
bool debugfile_has(struct debugfile *file, const char *suffix);

/*
 * True if the core of Valgrind 3.MINOR reads the debug information of the file, and of its debug file, to its end: as
 * dwarf_core_reads(), and if it can decompress it.
 */
bool debugfile_core_reads(struct debugfile *file, unsigned minor);

/* The file itself, without its other files; valid until the close. */
const struct elfobject *debugfile_object(const struct debugfile *file);

#endif
