/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and lines of the code in one ELF file: its symbol tables, and its debug information with all the other
 * files that hold parts of it.  Addresses are as linked.
 *
 * Symbols come from .symtab and .dynsym, of the file and of its separate debug file, and from .gnu_debugdata.  Debug
 * information comes from the file if it has any, otherwise from its separate debug file.  Sections may be compressed
 * (zlib, zstd).
 *
 * The other files are searched for in this order, and used only if they are the right ones (build-id, checksum, id of
 * the unit):
 *
 *	separate debug file	DIR/.build-id/XX/YYYY.debug; the name in .gnu_debuglink, in the file's folder,
 *				in .debug there, and in DIR/FOLDER; EXTRA/ the same; CACHE/BUILDID/debuginfo
 *	alternate (dwz)		the path in .gnu_debugaltlink or .debug_sup, then by build-id as above
 *	package (.dwp)		FILE.dwp, DEBUGFILE.dwp
 *	split unit (.dwo)	its path, from the folder where it was compiled, then the file's folder
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

/* Where files and memory come from.  Borrowed; must outlive every debugfile. */
struct debugfile_world {
	const struct dwarf_memory *memory;
	void *ctx;
	/* Maps a whole regular file, read-only; false if it does not exist, is empty, or must not be opened now. */
	bool (*map)(void *ctx, const char *path, struct debug_bytes *bytes, void **handle);
	void (*unmap)(void *ctx, struct debug_bytes bytes, void *handle);
	const char *extra_path;       /* --extra-debuginfo-path, or NULL */
	const char *debuginfod_cache; /* folder of debuginfod's client, or NULL */
};

/*
 * Files of this computer and Valgrind's memory, with the options and the environment that Valgrind was started with; to be
 * called after these are read (elfopen.c).  Nothing is opened under seccomp.  Files of up to 32 MiB are read at once, so
 * truncating them later does no harm.
 */
void debugfile_world_init(struct debugfile_world *world);

struct debugfile;
struct elfobject;

/*
 * Opens a file by its path; NULL if it is not an ELF file of x86-64, or memory is refused.  Reads only its headers: symbols
 * are indexed at the first question about them, debug information at the first question about lines or inlined calls.
 */
struct debugfile *debugfile_open(const struct debugfile_world *world, const char *path);

/*
 * The same for bytes in memory, which are borrowed until the close.  path is where the search for other files starts; it need
 * not exist.
 */
struct debugfile *debugfile_open_bytes(const struct debugfile_world *world, const char *path,
				       struct debug_bytes bytes);

void debugfile_close(struct debugfile *file);

/* A function's symbol.  name is as in the file (mangled), NUL-terminated, not empty, and borrowed until the close. */
struct debug_symbol {
	const char *name;
	uint64_t address,
		size; /* size is at least 1; a symbol without a size reaches to the next one or the end of its section */
};

/* The symbol whose bytes include an address; false if there is none.  Of several, the one that the core chooses (symbolindex.h). */
bool debugfile_symbol(struct debugfile *file, uint64_t address, struct debug_symbol *symbol);

/* Visits all names of the function at an address, each once, starting with debugfile_symbol()'s; visit returns false to stop. */
void debugfile_names(struct debugfile *file, uint64_t address,
		     bool (*visit)(void *ctx, const char *name), void *ctx);

/* As dwarf_line() and dwarf_inlined(): false and 0 if nothing is known. */
bool debugfile_line(struct debugfile *file, uint64_t address, struct dwarf_place *place);
size_t debugfile_inlined(struct debugfile *file, uint64_t address,
			 const struct dwarf_frame **frames);

/*
 * What was read of a file, and what is missing; texts are NULL or borrowed until the close.  Complete only after a question of
 * each kind, since parts are searched for when they are needed.
 */
struct debugfile_facts {
	bool has_symbols;                  /* .symtab, of the file or of its debug file */
	bool has_dynamic_symbols;          /* .dynsym */
	bool has_mini_symbols;             /* .gnu_debugdata */
	bool has_dwarf;                    /* readable .debug_info or .debug_line */
	unsigned dwarf_version;            /* of the first unit; 0: none */
	const char *debug_path;            /* the separate debug file that is used */
	const char *alternate_path;        /* dwz's file that is used */
	const char *package_path;          /* the .dwp that is used */
	const char *missing_debug;         /* name in .gnu_debuglink of a file that was not found */
	const char *missing_alternate;     /* path of dwz's file that was not found */
	const char *missing_split;         /* path of the first .dwo that was not found */
	unsigned n_split, n_missing_split; /* .dwo units found; not found */
	enum debug_obstacle obstacle;      /* the first one */
	const char *obstacle_section;      /* the section's name, if there is one */
};
const struct debugfile_facts *debugfile_facts(const struct debugfile *file);

/*
 * True if the debug information, of the file or of its separate debug file, has a section .debug_SUFFIX or .zdebug_SUFFIX.
 * Decompresses nothing; afterwards the facts name the separate debug file, if it was searched for.
 */
bool debugfile_has(struct debugfile *file, const char *suffix);

/*
 * True if the core of Valgrind 3.MINOR reads the debug information of the file and its debug file to the end
 * (dwarf_core_reads()), and can decompress it.
 */
bool debugfile_core_reads(struct debugfile *file, unsigned minor);

/* The file itself, without its other files; valid until the close. */
const struct elfobject *debugfile_object(const struct debugfile *file);

#endif
