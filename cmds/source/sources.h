/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files: where they are looked for, like objects and debug information, which of them may be read, and their lines. */
#ifndef CMDS_SOURCE_SOURCES_H
#define CMDS_SOURCE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "cmds/cli/option.h"
#include "cmds/object/objectfile.h"
#include "profile/common/dictionary.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"

/* -- options (searchpath.c) ----------------------------------------------------------------- */

enum { SEARCHPATH_MOST = 256 }; /* folders of each kind */

/* Empty as zeros.  Texts are argv's; not to be moved once options were read. */
struct searchpath {
	const char *directories[SEARCHPATH_MOST]; /* of sources: --include */
	size_t n_directories;
	struct objectfile_options objects;
	const char *debug_directories[SEARCHPATH_MOST]; /* what objects point to */
	struct fetcher
		fetcher; /* objects points to it with --debuginfod; the caller sets its command */
	char *rc_text;   /* what searchpath_read_rc() has read, with NULs for the ends of options */
};

/* --include, --sysroot, --debug-dir, --debuginfod.  Their context is a struct searchpath. */
extern const struct option_rule searchpath_options[];

/*
 * Takes the options of the user's file, which hold wherever argv has no others: costgrind/rc below
 * $XDG_CONFIG_HOME, or ~/.config.  Each line is one of searchpath_options, empty, or a comment after
 * '#'.  Returns OPTIONS_GO_ON, also if there is no such file, or an exit code after a message.
 */
int searchpath_read_rc(struct searchpath *path);

void searchpath_release(struct searchpath *path);

/* -- which files may be read (read_policy.c) -----------------------------------------------------
 *
 * A profile names files as it likes, and may be anybody's:
 * what one of its names leads to ends up in a report that is passed on.  So a regular file is read
 * only if, once all links and ".." in its path are resolved,
 *
 *   - it is in a folder of sources: the working directory, or what --include or --source-map
 *     name; or the user names the file itself;
 *   - it is in the folder where the profile was made: on this machine, by this user, who owns the
 *     profile, as its desc line Folder proves (writer/origin.h);
 *   - such a profile's cmd line names it, from that folder: a script, which no debug information could name; or it is a module
 *     of Python in or below the folder of such a script, *.py.  Others may read it, too: the line is not proved;
 *   - it is in debuginfod's cache;
 *   - it is a module of Python that the system has installed: *.py in /usr/lib/python3 or
 *     /usr/lib/python3.N, root's as all folders on the way, and for everybody to read;
 *   - debug information names it: of an object of the profile that is here (where it names no
 *     objects, as in Cachegrind's format, of the program of its cmd line), has the build-id that the
 *     profile says, if it says one, and that nobody else can have written: it is the user's or root's,
 *     and so is the file with its debug information.  That is enough for files that others
 *     may read, too.  For one that is private, the object must be the program that this user ran
 *     when the profile was made here.
 *
 * "/" is no folder of sources unless an option names it, and nothing in /proc, /sys and the like is
 * a source.  An object comes with a profile as easily as by the user's own work, which is why
 * private files need more than its word.
 */

enum read_policy_verdict {
	READ_POLICY_FINE,
	READ_POLICY_UNNAMED, /* nothing that counts names it */
	READ_POLICY_PRIVATE, /* an object names it, but only its owner may read it */
};

/* An object that may name sources. */
struct read_policy_object {
	const struct model *model;
	uint32_t number;     /* of its name; DICTIONARY_UNKNOWN = it is a program of a cmd line */
	const char *program; /* the path of that; NULL = it is no such program */
	bool is_own;         /* the program that this user ran here */
};

/* A name in debug information. */
struct read_policy_name {
	uint32_t next; /* of the same last component; DICTIONARY_NONE = no more */
	bool is_own;   /* an object that is_own has it */
};

/* directories is for reading, the rest is private.  Not to be moved. */
struct read_policy {
	const char *const *directories; /* --include, in which files are looked for */
	size_t n_directories;
	const struct objectfile_options *objects;
	struct name_rules *rules;  /* what is done to names in debug information */
	struct dictionary folders; /* resolved */
	struct dictionary files;   /* that the user names; resolved */
	struct dictionary
		scripts; /* that cmd lines name, of profiles that were made here; resolved */
	struct read_policy_object *candidates;
	size_t n_candidates, candidates_capacity;
	size_t next; /* candidate to be looked at */
	struct objectfile *object;
	bool object_is_own;
	struct dictionary programs; /* of cmd lines; resolved */
	struct dictionary names;    /* of debug information, as far as it was read */
	struct read_policy_name *by_name;
	size_t by_name_capacity;
	struct dictionary bases; /* their last components */
	uint32_t *heads;         /* by base: a name */
	size_t heads_capacity;
	struct dictionary judged; /* paths */
	unsigned char *verdicts;  /* by path */
	size_t verdicts_capacity;
	struct dictionary refused; /* resolved paths, in the order in which they were asked for */
	unsigned char *reasons;    /* by path refused: a verdict */
	size_t reasons_capacity;
};

/* path and rules outlive it; rules may be NULL. */
void read_policy_init(struct read_policy *policy, const struct searchpath *path,
		      struct name_rules *rules);
void read_policy_release(struct read_policy *policy);

/* The user names this file; it need not be there. */
void read_policy_add_file(struct read_policy *policy, const char *path);

/* A profile that was read, whose parts say in which files; it outlives the admission. */
void read_policy_add_profile(struct read_policy *policy, const struct model *model);

/*
 * Says if a regular file may be read: by the path by which it is asked for, the same resolved, and
 * what stat() says about it.  Debug information is read only if nothing else decides, and only
 * until it names the file.
 */
enum read_policy_verdict read_policy_judge(struct read_policy *policy, const char *path,
					   const char *resolved, const struct stat *status);

/*
 * Has a source fetched from debuginfod's servers, if that is wanted: by the objects with a function in the file
 * of this name, else by all whose build-id is known.  Returns the path of the copy, to be freed;
 * NULL = there is none.
 */
char *read_policy_fetch(struct read_policy *policy, const char *name);

/* A file is not read for this reason, and nothing else is in its place: to be reported, once. */
void read_policy_refuse(struct read_policy *policy, const char *resolved,
			enum read_policy_verdict reason);

/* The resolved path of refused file i; NULL if there are no more. */
const char *read_policy_refused(const struct read_policy *policy, size_t i);

/* Warns of the files refused, with the option that allows each; of the first few, or of all. */
void read_policy_report(const struct read_policy *policy, const char *command, bool all);

/* -- lines (sourcetext.c) ----------------------------------------------------------------------- */

enum { SOURCETEXT_MOST = 64 << 20 }; /* bytes of a file; larger ones do not count */

struct sourcetext {
	char *path;            /* where it was found; owned, as all below */
	const char *directory; /* of those given, in which it was found; NULL = as named */
	char *data;
	size_t len;     /* bytes */
	size_t *starts; /* of lines; n_lines + 1, the last is where the file ends */
	size_t n_lines; /* the last one too, if it has no line feed */
	struct timespec modified;
};

/*
 * Looks for a file: by a name of a profile as it is, and if there is none, by what was escaped in
 * it ("caf\xe9.c", which is no UTF-8); by each, as it is named; then below each of the directories that
 * --include names, by its whole name, then without its first component, and so on to its last one.
 * Only regular files of at most SOURCETEXT_MOST bytes count, and what they have beyond the size that
 * they say is not read; and only those that may be read (see above).  True if it was
 * found and read, and is to be released then.  If there is such a file, but it may not be read, that is noted to be reported, and
 * errno is EPERM.
 */
bool sourcetext_find(struct sourcetext *text, const char *name, struct read_policy *policy);
void sourcetext_release(struct sourcetext *text);

/* True if it may be source: there is no byte 0 in it, in whatever encoding it is. */
bool sourcetext_is_text(const struct sourcetext *text);

/* Line 1..n_lines, without its line end; *len bytes. */
const char *sourcetext_line(const struct sourcetext *text, size_t number, size_t *len);

#endif
