/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file that a name stands for, wherever its links lead, and how it gets new contents without
 * being lost.  Nothing here knows what the contents are, or says anything.
 *
 * Names are walked by hand, one after the other, from directories that are held open: the program
 * may have another root by then, and the kernel follows other users' links where
 * fs.protected_symlinks is 0.
 */
#ifndef TOOL_COMMON_RESOLVED_PATH_H
#define TOOL_COMMON_RESOLVED_PATH_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

enum {
	/*
	 * An error number that is none of the kernel's: another user's file or link in a directory
	 * that all may write but not clear (sticky); /tmp is one.  Somebody may have put it there
	 * for us to write where we never meant to, or to read what we write.
	 */
	RESOLVED_PATH_FOREIGN = 4096,
};

struct resolved_path {
	Int dir;       /* O_PATH descriptor of the directory that the last name is in */
	Bool owns_dir; /* closed by resolved_path_release() */
	HChar *name;   /* there; empty for the directory itself */
	Bool is_link;  /* links led there */
	Bool is_magic; /* one of /proc's, which only the kernel can follow: it has no text */
	Int descriptor; /* a link says /dev/stdout or the like: this one's, not found further; or -1 */
	Bool exists;
	struct vki_stat stat; /* if it exists */
};

/* The descriptor that names like /dev/stdout and /dev/fd/3 stand for, -1 for other names. */
Int resolved_path_descriptor(const HChar *path);

/*
 * Finds what a path stands for, relative to the directory dir, or to root if it or a link on the
 * way begins with a slash.  Returns 0, also if only the last name is of no file, or a positive
 * error number.  resolved_path_release() it in either case; dir and root must stay open until then.
 */
Int resolved_path_find(struct resolved_path *target, Int root, Int dir, const HChar *path);
void resolved_path_release(struct resolved_path *target);

Bool resolved_path_is_regular(const struct resolved_path *target);

/*
 * Whether a new file may take its name: nothing is there, or a file of this one name with
 * something in it.  What is empty has just been made by a user who means to read that file,
 * and other names of a file, links among them, are to stay names of the same.
 */
Bool resolved_path_is_replaceable(const struct resolved_path *target);

/*
 * Opens it with these flags, all of it as it was; a file that was not there is made, for its owner
 * alone.  A descriptor, or a negative error number.
 */
Int resolved_path_open(const struct resolved_path *target, Int flags);

/*
 * Gives the open file the owner and the mode of the target, in part where that is refused: then
 * nobody may read it who may not now.  Returns whether it has both.  If it grows, its owner may
 * read and write it, whatever the mode.
 */
Bool resolved_path_lend_rights(const struct resolved_path *target, Int fd, Bool grows);

/*
 * Makes a regular file, open for writing, the same as the one at from, open for reading, size bytes
 * long.  Returns 0 or a positive error number; if the disk had no room, the file is as it was.
 */
Int resolved_path_overwrite(Int fd, Int from, ULong size);

#endif
