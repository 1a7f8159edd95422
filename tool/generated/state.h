/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of this room: names of generated code, as the program writes them for profilers and
 * debuggers (generated.h).  jitfiles.c and gdbjit.c read them, generated.c keeps them.
 */
#ifndef TOOL_GENERATED_STATE_H
#define TOOL_GENERATED_STATE_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/basics.h"
#include "tool/symbols/namedcode.h"

enum {
	/* Bytes of code with one name: if there are more, the file is damaged. */
	NAMING_MAX_SIZE = 1 << 30,
	/* Names of one process, counted each time that one is read: they are all kept. */
	NAMING_MAX_NAMES = 1 << 22,
	MAX_RENAMED = 64,
	MAX_DUMP_FILES = 16, /* of one process; further ones are not read */
};

/* Translated code with a new name, to be discarded; the last range may cover more than such code. */
struct renamed {
	UInt n;
	struct address_range ranges[MAX_RENAMED];
};

/* A file that the program, or a helper of it, is still writing. */
struct growingfile {
	HChar *path; /* owned; NULL if there is no file */
	ULong device, inode;
	ULong seen; /* its size in bytes when it was last looked at */
	ULong read; /* bytes from its beginning that have been read for good */
};

struct dumpfile {
	struct growingfile file;
	Bool is_over; /* closed or damaged */
	/* Lines of code whose own record is still to come. */
	Addr address;
	struct named_lines *lines; /* NULL: none */
};

/* What the program has registered with debuggers. */
struct registrations {
	VgHashTable *objects; /* struct registered_object by the address of its list entry */
	/* The object that registered something last, and the address of its list; valid in this epoch. */
	const struct text *object;
	UInt epoch;
	Addr head;
};

struct generated_state {
	Bool is_on;
	ULong started;   /* when the process started, in seconds since 1970 */
	Bool has_missed; /* registrations, while nothing was counted */
	UInt n_names;    /* names read */
	UInt n_lines;    /* lines kept from registered objects */
	struct renamed renamed;
	struct growingfile map; /* the perf map; without a path, the one named by the process id */
	Bool map_is_long_line; /* what is read next continues a line that is too long, to be skipped */
	UInt n_dumps;
	struct dumpfile dumps[MAX_DUMP_FILES]; /* its jitdump files */
	struct registrations registered;
};

extern struct generated_state tool_generated;

/* --- names (generated.c) -------------------------------------------------------------------- */

struct naming {
	Addr address;
	ULong size; /* bytes, at least 1 */
	const HChar *name;
	SizeT name_len;
	const struct named_lines *lines; /* must live forever; or NULL */
};

/*
 * Names code.  The name is split into function, file and line (jitformats.h).  Returns the function's
 * name, NULL if there is none.
 */
const struct text *naming_set(const struct naming *naming);

/* Code was moved and takes its names and lines along. */
void naming_move(Addr from, Addr to, ULong size);

/* Removes a name from code, where it is still the code's name. */
void naming_remove(Addr address, ULong size, const struct text *name);

/*
 * A table of these n lines, in any order, whose offsets fit 32 bits; NULL if n is 0.  It is never
 * freed; lines may be reordered.
 */
struct named_lines *naming_lines(struct named_line *lines, UInt n);

/* The file of this name, kept forever; NULL if the name is empty. */
const struct text *naming_file(const HChar *chars, SizeT len);

/* --- perf maps and jitdump files (jitfiles.c) ----------------------------------------------- */

/* The program has opened a file for writing: if it has a perf map's name, it is the program's map. */
void jitfiles_opened(const HChar *path);

/* The program has mapped a file: if it has a jitdump file's name, it is one.  perf finds it the same way. */
void jitfiles_mapped(const HChar *path);

/* A forked child starts without any. */
void jitfiles_forget(void);

/* Reads what has been added to all files. */
void jitfiles_read(void);

/* --- GDB's JIT interface (gdbjit.c) ---------------------------------------------------------- */

/* Watches registrations from now on.  To be called before code is translated. */
void gdbjit_start(void);

/* Reads the lists as they are now: for what was registered while nothing was counted. */
void gdbjit_read(void);

#endif
