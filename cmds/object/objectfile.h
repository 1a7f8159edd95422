/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An object of a profile, program or library, as it is on this machine: code by
 * address, symbols, source lines, read from its ELF file and the file with its debug
 * information, by libelf and libdw.  Addresses are the file's own, as in profiles and objdump -d.
 */
#ifndef CMDS_OBJECT_OBJECTFILE_H
#define CMDS_OBJECT_OBJECTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "profile/common/dictionary.h"

enum object_machine {
	MACHINE_OTHER, /* whose code cannot be disassembled */
	MACHINE_X86,
	MACHINE_X86_64,
	MACHINE_AARCH64,
};

struct fetcher;

struct objectfile_options {
	const char *sysroot;                  /* objects are below it; NULL = none */
	const char *const *debug_directories; /* before /usr/lib/debug */
	size_t n_debug_directories;
	bool only_lines;         /* no symbols are read */
	struct fetcher *fetcher; /* of what is not on this machine; NULL = nothing is fetched */
};

struct objectfile; /* opaque */

/* Where a function is; of code without a symbol there is none. */
struct object_symbol {
	const char *name;    /* as in the file, not demangled; lives as long as the object */
	uint64_t start, end; /* end is after its last byte; start < end */
};

/*
 * Opens the object of a name: below the sysroot if there is one, else as named.
 * build_id is what it must have, in hexadecimal; NULL = not known.  If it is known and
 * the file is not there, or has another one, what debuginfod has fetched is taken, or is fetched.
 *
 * Returns NULL, or why there is none: a text that lives for ever.  *object is to be freed if
 * NULL was returned.  Damaged files are opened as far as they can be read.
 */
const char *objectfile_open(struct objectfile **object, const char *name, const char *build_id,
			    const struct objectfile_options *options);
void objectfile_free(struct objectfile *object);

/* Where it was found; lives as long as the object, as do all other texts. */
const char *objectfile_path(const struct objectfile *object);

/* Where its debug information is from, NULL = from itself, or there is none. */
const char *objectfile_debug_path(const struct objectfile *object);

/* Hexadecimal; "" if it has none. */
const char *objectfile_build_id(const struct objectfile *object);

enum object_machine objectfile_machine(const struct objectfile *object);
struct timespec objectfile_modified(const struct objectfile *object);

/*
 * The code from an address on, to the end of its section, *len bytes, which live as long as
 * the object; NULL if there is no code.
 */
const unsigned char *objectfile_code(const struct objectfile *object, uint64_t address,
				     size_t *len);

/* The function at an address; functions do not overlap, and lie within sections.  False if there is none. */
bool objectfile_symbol(const struct objectfile *object, uint64_t address,
		       struct object_symbol *symbol);

/*
 * Another name of a function, number i, from 0, in the order of addresses: of an alias, or of one that the linker has folded
 * into the same code.  objectfile_symbol() has the one that counts.  False if there are no more.
 */
bool objectfile_alias(const struct objectfile *object, size_t i, struct object_symbol *symbol);

/*
 * The stretch around an address that has no symbol: up to the functions before and after it,
 * and the ends of its section; or between sections.  False if there is a symbol.
 */
bool objectfile_gap(const struct objectfile *object, uint64_t address, uint64_t *start,
		    uint64_t *end);

/* The variable at an address; false if none is known. */
bool objectfile_variable(const struct objectfile *object, uint64_t address,
			 struct object_symbol *symbol);

/* The source line of an address, by the debug information; false if it is not known. */
bool objectfile_line(struct objectfile *object, uint64_t address, const char **file,
		     uint64_t *line);

/*
 * The line at which the code at an address was inlined, by the debug information: of those on the way out, the first whose file
 * is_wanted() takes.  *file lives as long as the object.  False if there is none.
 */
bool objectfile_call_site(struct objectfile *object, uint64_t address,
			  bool (*is_wanted)(void *ctx, const char *file), void *ctx,
			  const char **file, uint64_t *line);

/*
 * Its debug information, which libdw reads (a Dwarf); lives as long as the object.  NULL if there is none, or it
 * is damaged.
 */
void *objectfile_dwarf(struct objectfile *object);

/* What an object and the file with its debug information have, to say what they lack. */
struct objectfile_holdings {
	bool has_symbols; /* a table of all functions */
	bool has_lines;   /* tables of lines */
	const char *
		missing_link; /* the debug file that it names and that is not here; NULL = none; lives as long as the object */
};

void objectfile_hold(const struct objectfile *object, struct objectfile_holdings *holdings);

/* True if it can only be where the file says: numbers in its code may be addresses. */
bool objectfile_is_fixed(const struct objectfile *object);

/*
 * True if nobody but this user and root can have written the object and the file with its debug
 * information: they own them, and not everybody may write them.
 */
bool objectfile_is_safe(const struct objectfile *object);

/*
 * Passes to note() the names of source files in the next unit of the debug information, until it
 * returns false; a name lives until note() returns.  False if there is no further unit.
 */
bool objectfile_next_unit(struct objectfile *object, bool (*note)(void *ctx, const char *name),
			  void *ctx);

/*
 * libdw dies, or ends the program with a message of its own, where it finds no memory.  Ends it with heap.h's message if there
 * is less than libdw takes for a unit.
 */
void objectfile_need_room(void);

/* -- servers (fetcher.c) -------------------------------------------------------------------------
 *
 * Files that debuginfod servers have, by the build-id of an object: the object, its debug
 * information, its sources.  Asks the network, and so is used only if the user wants it (--debuginfod).
 *
 * By elfutils' client library, which is loaded when the first file is asked for: it needs a dozen
 * others, and nobody who does not fetch shall wait for them.  It keeps files in its cache, which
 * debuginfod_cache() knows.
 */

enum fetched {
	FETCHED_EXECUTABLE,
	FETCHED_DEBUGINFO,
	FETCHED_SOURCE,
};

/*
 * NULL, or why nothing can be fetched: "costgrind was built without ...", or the library or the servers
 * that are missing here.
 */
const char *fetcher_missing(void);

/* Fields are private.  All zero, but for the command, it is ready. */
struct fetcher {
	const char *command; /* for messages */
	bool is_quiet;       /* none are printed */
	bool has_begun;
	bool is_over; /* there is nothing to ask, or no answer */
	void *library, *client;
	struct dictionary asked; /* what for */
	size_t n_said;           /* messages so far */
};

/*
 * Asks for what the object of a build-id (hexadecimal) has; name is the path of a source as the
 * compiler knew it, else what the object is called, for messages.  Returns the path of the file in
 * the cache, to be freed, or NULL, after a message that says why.
 *
 * If a server is not there, or does not answer for 10 seconds, nothing more is asked for.
 */
char *fetcher_get(struct fetcher *fetcher, enum fetched what, const char *build_id,
		  const char *name);

/*
 * What is missing here, and cannot be asked for: a source whose path is not absolute, or what belongs to an
 * object of no known build-id.  Says so, once; or that no server can be asked for anything.
 */
void fetcher_pass(struct fetcher *fetcher, const char *name);
void fetcher_release(struct fetcher *fetcher);

enum { DEBUGINFOD_CACHES = 3 };

/*
 * Folder i of DEBUGINFOD_CACHES in which debuginfod keeps what it has fetched, in the order in which it
 * looks; false if there is no such folder, or its name does not fit.  If an environment
 * variable says where, there is only the first.
 */
bool debuginfod_cache(size_t i, char *folder, size_t size);

#endif
