/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where profiles go.  A profile is written to .<name>.partial in the same directory, and gets its
 * name when it is whole, by one of two ways (tool/common/resolved_path.h):
 *
 *	renamed: a new name, or one of a file that has no other name and is not empty, whose
 *		mode and owner the new one takes over;
 *	copied: an empty file, whoever made it may have it open; a link; a file with several
 *		names; one that cannot be renamed over (a mount).  The file is written over
 *		once its disk has room for all, and then the partial one is removed.
 *
 * So at every moment there is a whole profile, the old one or the new one, under one of the two
 * names.  Where no file can be made in the directory but the file itself can be written, it is
 * collected in memory first, and copied from there.
 *
 * The directory is held open from the start, so that the name means the same file
 * when the program has changed its directory, root or identity.
 *
 * A name that is no regular file (a pipe, a terminal, /dev/stdout) is written
 * directly.  Links lead where they say, but another user's in a directory that all may write
 * lead nowhere.
 *
 * With --combine-dumps a file grows: its first part is written as above, and each further one
 * behind it.  One that cannot be written whole is cut off again.
 */
#ifndef TOOL_OUTPUT_OUTPUT_H
#define TOOL_OUTPUT_OUTPUT_H

#include <stddef.h>

#include "pub_tool_basics.h"

/* The file that parts are added to; it is open only while one is written, unless it is a pipe. */
struct grown_file {
	Bool exists;     /* it has a part, of this process */
	Bool is_regular; /* it can be cut */
	Bool replaced;   /* there was a file of that name */
	Int fd;          /* of one that is not regular */
	ULong inode;     /* another one's, if another file was put there */
	ULong end;       /* bytes of all parts that stay */
	ULong length; /* of what is there: what comes behind the end is written for the time being */
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
	Bool continues;      /* the name is that of the program before, which may have left one */
	struct grown_file grown;
	HChar **finished; /* names of the files of the last dump, in the directory; the core's */
	UInt n_finished;
};

/* One profile on its way. */
struct output_file {
	struct output *output;
	enum {
		OUTPUT_BESIDE,   /* a partial file */
		OUTPUT_DIRECT,   /* no regular file */
		OUTPUT_IN_PLACE, /* the file itself: no partial one can be made */
		OUTPUT_GROWN,    /* it has parts already */
	} kind;
	Int fd;   /* what is written to */
	Int over; /* the file itself, OUTPUT_IN_PLACE only; fd is one in memory, or the same */
	Int no_partial;  /* the error for which it is in place */
	ULong inode;     /* of the file of that name, if regular; when it is there */
	Bool is_further; /* it has a part already, to which this one is added */
	Bool is_whole;   /* the partial file is, whatever happened to the file itself */
	HChar *name;     /* in the directory */
	HChar *partial;  /* likewise, while it is being written; OUTPUT_BESIDE only */
	Bool replaced;   /* there was a file of that name */
};

/* The root, for output_init(), before the program can have another one. */
Int output_root(void);

/*
 * At the start of the run, of a file that is called so: expands the format (%p pid, %q{VAR} environment,
 * %n number, %%), relative to the directory in which Valgrind was started.
 * path is that of the program that executed this one in its place, or empty: if it
 * is what the format gives, but in another directory of the start, or with pids behind it, it
 * stays, as long as there is that directory.  Ends the run with a message if the profile
 * could not be written there.
 */
void output_init(struct output *output, Int root, const HChar *what, const HChar *format,
		 const HChar *path);

/* Whether the name is that of a file, which may be still to come: no pipe, no /dev/null. */
Bool output_is_file(const struct output *output);

/* In the child after a fork: a name of its own, in the same directory. */
void output_fork(struct output *output);

/* The same, with this name. */
void output_fork_as(struct output *output, const HChar *base);

/*
 * Opens a profile; suffix ("" or ".1") comes behind the name.  Returns 0 or a
 * positive error number; then nothing is open.
 */
Int output_begin(struct output *output, const HChar *suffix, struct output_file *file);

/* Writes all of the bytes; 0 or a positive error number.  ctx is the struct output_file. */
int output_write(void *ctx, const void *data, size_t len);

/*
 * Closes the file, and if error is 0 gives it its name.  Returns the first
 * error, 0 if there was none.  On an error the partial file stays, and is_whole says whether all
 * is in it.  The
 * names in *file stay readable until output_release().
 */
Int output_end(struct output_file *file, Int error);
void output_release(struct output_file *file);

/*
 * Keeps the file just written open, so that the next profile can be written
 * in its place should the directory not be writable then (setuid).
 */
void output_hold(struct output *output);

/*
 * Before a dump, of one file or several: nothing is finished, and what was written for the time
 * being is cut off.  Returns 0 or a positive error number.
 */
Int output_begin_dump(struct output *output);

/* The parts that the file has by now stay; what is written next comes behind them. */
void output_keep(struct output *output);

/*
 * Removes what the last dump has finished, since it is not to count (an exec that failed, a part
 * of which not every file could be written).  What it has not got to stays: an older profile's.
 */
void output_withdraw(struct output *output);

/* The first number from this one on for which there is no file with it and a dot behind the name. */
UInt output_free_part(struct output *output, UInt part);

#endif
