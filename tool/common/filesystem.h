/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the tool writes: the file that a path leads to through all links, safe ways to give it
 * new contents, and nameless files in memory.  Nothing here knows what the contents are, and nothing
 * prints messages.
 *
 * Paths are walked by hand, name by name, from directories that are held open: by then the program may
 * have another root, and the kernel follows other users' links if fs.protected_symlinks is 0.
 */
#ifndef TOOL_COMMON_FILESYSTEM_H
#define TOOL_COMMON_FILESYSTEM_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

enum {
	/*
	 * An error number of our own: another user's file or link in a sticky directory that everybody
	 * may write, such as /tmp.  Somebody may have put it there to have us write where we never
	 * meant to, or to read what we write.
	 */
	RESOLVED_PATH_FOREIGN = 4096,
};

struct resolved_path {
	Int dir;        /* O_PATH descriptor of the directory that holds the last name */
	Bool owns_dir;  /* closed by resolved_path_release() */
	HChar *name;    /* in dir; empty for the directory itself */
	Bool is_link;   /* links led there */
	Bool is_magic;  /* a link of /proc, which only the kernel can follow: it has no text */
	Int descriptor; /* a link leads to /dev/stdout or the like, the walk ends there; or -1 */
	Bool exists;
	struct vki_stat stat; /* if it exists */
};

/* The descriptor that a path like /dev/stdout or /dev/fd/3 means, -1 for other paths. */
Int resolved_path_descriptor(const HChar *path);

/*
 * Finds the file that a path leads to, relative to the directory dir, or to root if the path or a link
 * on the way begins with a slash.  Returns 0, even if the last name does not exist, or a positive error
 * number.  Call resolved_path_release() in either case; dir and root must stay open until then.
 */
Int resolved_path_find(struct resolved_path *target, Int root, Int dir, const HChar *path);
void resolved_path_release(struct resolved_path *target);

Bool resolved_path_is_regular(const struct resolved_path *target);

/*
 * True if a new file may take its name: nothing is there, or a file with contents and no other name.
 * An empty file was just made by a user who means to read that very file, and the other names of a
 * file, links included, must keep naming the same file.
 */
Bool resolved_path_is_replaceable(const struct resolved_path *target);

/*
 * Opens it with these flags and leaves its contents alone; creates a missing file, accessible to its
 * owner only.  Returns a descriptor or a negative error number.
 */
Int resolved_path_open(const struct resolved_path *target, Int flags);

/*
 * Gives an open file the target's owner and mode, as far as the system allows it, and never so that
 * somebody may read it who may not read the target.  Returns true if it got both.  If the file still
 * grows, its owner may read and write it whatever the mode.
 */
Bool resolved_path_lend_rights(const struct resolved_path *target, Int fd, Bool grows);

/*
 * Overwrites a regular file, open for writing, with the first size bytes of from, open for reading.
 * Returns 0 or a positive error number; if the disk was full, the file is unchanged.
 */
Int resolved_path_overwrite(Int fd, Int from, ULong size);

/*
 * Files in memory, for what a process hands to the program that it executes or to its children.  Their
 * descriptors are beyond those that the program may have, so they survive whatever it closes, and
 * exec.  The tool of the next program finds a file by its name in /proc.
 */

/* The descriptor of the file with this name, up to 32 bytes, that existed at the start; or -1. */
Int memfile_find(const HChar *name);

/* Makes an empty file that exec does not close; returns its descriptor, -1 on failure. */
Int memfile_make(const HChar *name);

#endif
