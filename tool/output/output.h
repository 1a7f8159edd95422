/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where profiles go.  A profile is written to .<name>.partial in the same directory, and gets its name when it is
 * whole, in one of two ways (tool/common/filesystem.h):
 *
 *	renamed: if there is no file of the name, or one that is not empty and has no other name; the new file takes
 *		over its mode and owner
 *	copied: to an empty file, which whoever made it may have open; a link; a file with several names; one that
 *		cannot be renamed over (a mount).  The file is overwritten once its disk has room for everything, and
 *		then the partial one is removed.
 *
 * So there is always a whole profile, the old or the new one, under one of the two names.  If no file can be made in the
 * directory but the file itself can be written, the profile is collected in memory and copied from there.
 *
 * The directory is held open from the start, so that the name means the same file when the program has changed its
 * directory, root or identity.
 *
 * A name that is no regular file (a pipe, a terminal, /dev/stdout) is written directly.  Links are followed, except
 * another user's in a directory that everyone may write.
 *
 * With --combine-dumps a file grows: its first part is written as above, and each further one is appended.  One that
 * cannot be written whole is cut off again.
 */
#ifndef TOOL_OUTPUT_OUTPUT_H
#define TOOL_OUTPUT_OUTPUT_H

#include <stddef.h>

#include "pub_tool_basics.h"

#include "writer/out.h"

/* The file that parts are added to; it is open only while one is written, unless it is a pipe. */
struct grown_file {
	Bool exists;     /* it has a part, of this process */
	Bool is_regular; /* it can be cut */
	Bool replaced;   /* there was a file of that name */
	Int fd;          /* of one that is not regular */
	ULong inode;     /* differs if another file was put there */
	ULong end;       /* bytes of all parts that stay */
	ULong length;    /* of the file: what follows end is provisional */
};

struct output {
	const HChar *what;   /* "profile", for messages */
	const HChar *format; /* the user's, with %p and the like */
	HChar *path;         /* absolute, expanded for this process */
	const HChar *base;   /* the name in its directory: the end of path */
	Int root;            /* O_PATH descriptor of the root of the start */
	Int dir;             /* of that directory, -1 if direct >= 0 */
	Int direct;          /* descriptor of /dev/stdout or the like, else -1 */
	Int held;            /* the finished file, open for writing in place, else -1 */
	Bool written;        /* this process has written its profile before */
	Bool replaced;       /* ... and there was a file of that name before that */
	Bool combines;       /* files grow; set after output_init() */
	Bool continues; /* the program before, in this process, has the same name and may have left a file */
	struct grown_file grown;
	HChar **finished; /* names of the files of the last dump, in the directory; the core's */
	UInt n_finished;
};

/* One profile on its way. */
struct output_file {
	struct output *output;
	enum {
		OUTPUT_PARTIAL,  /* a partial file */
		OUTPUT_DIRECT,   /* no regular file */
		OUTPUT_IN_PLACE, /* the file itself: no partial one can be made */
		OUTPUT_GROWN,    /* it has parts already */
	} kind;
	Int fd;   /* written to */
	Int over; /* the file itself, OUTPUT_IN_PLACE only; fd is one in memory, or the same */
	Int no_partial;  /* the error that made it OUTPUT_IN_PLACE */
	ULong inode;     /* of the file of that name, once it is there, if regular */
	Bool is_further; /* the file has a part already */
	Bool is_whole;   /* the partial file is whole, whatever happened to the file itself */
	HChar *name;     /* in the directory */
	HChar *partial; /* its name in the directory while it is being written; OUTPUT_PARTIAL only */
	Bool replaced; /* there was a file of that name */
};

/* Opens the root, for output_init(), before the program can change it. */
Int output_root(void);

/*
 * At the start of the run: expands the format (%p pid, %q{VAR} environment, %n number, %%), relative to the directory in
 * which Valgrind was started.  what names the file in messages.  path is the path of the program that executed this
 * one in its place, or empty: it stays if its directory exists and it is what the format gives, perhaps in another
 * starting directory, or with pids appended.  Ends the run with a message if the profile could not be written there.
 */
void output_init(struct output *output, Int root, const HChar *what, const HChar *format,
		 const HChar *path);

/* True if the name is a regular file's, which need not exist yet: no pipe, no /dev/null. */
Bool output_is_file(const struct output *output);

/* In the child after a fork: a name of its own, in the same directory. */
void output_fork(struct output *output);

/* The same, with this name. */
void output_fork_as(struct output *output, const HChar *base);

/* Opens a profile; suffix ("" or ".1") is appended to the name.  Returns 0, or a positive error number: then nothing is open. */
Int output_begin(struct output *output, const HChar *suffix, struct output_file *file);

/*
 * Closes the file, and if error is 0 gives it its name.  Returns the first error, or 0.  After an error the partial
 * file stays, and is_whole says if it is complete.  The names in *file stay readable until output_release().
 */
Int output_end(struct output_file *file, Int error);
void output_release(struct output_file *file);

/*
 * Keeps the file just written open, so that the next profile can be written
 * in its place should the directory not be writable then (setuid).
 */
void output_hold(struct output *output);

/* Begins a dump of one or several files: none is finished, and provisional parts are cut off. */
void output_begin_dump(struct output *output);

/* The parts that the file has by now stay; the next one is appended. */
void output_keep(struct output *output);

/*
 * Removes the files that the last dump has finished, since it does not count (an exec that failed, a part with a file that
 * could not be written).  Files that it did not reach stay: they are an older profile's.
 */
void output_withdraw(struct output *output);

/* For a writer: memory from the core, and output to a file, which is borrowed. */
struct env output_env(struct output_file *file);

/*
 * Reports in one line why a file was not written, and what is there instead.  goes_on: it is a part but not the last,
 * and its costs go on being counted; its partial file is removed, since the next part may need the room.
 */
void output_report_error(const struct output_file *file, const HChar *suffix, Int error,
			 Bool goes_on);

/* Reports that a file was overwritten without a partial one, and why, if so. */
void output_report_in_place(const struct output_file *file, const HChar *suffix);

/* The first number from part on for which there is no file NAME.NUMBER. */
UInt output_free_part(struct output *output, UInt part);

#endif
