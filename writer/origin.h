/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a profile was made, so that this machine knows its own profiles again:
 *
 *	desc: Folder: d1b0c9...64 /home/ann/build
 *
 * The digits are a seal: a keyed hash (SipHash-2-4 of 128 bits) of the user, the working
 * directory and the program, under the number of the machine.  Who does not know that number
 * cannot seal another folder or program.  The seal does not cover the rest of the
 * profile: it vouches for the folder and the program, not for what else a file says.
 *
 * Programs on the machine can read its number; that is no secret among its users.
 */
#ifndef WRITER_ORIGIN_H
#define WRITER_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ORIGIN_KEY = 16,                /* bytes */
	ORIGIN_DIGITS = 32,             /* of a seal, and of a key */
	ORIGIN_SEAL = ORIGIN_DIGITS + 1 /* with its NUL */
};

/* Type of the desc line. */
#define ORIGIN_DESC "Folder"

/* Files that have the number of the machine; the first that has a key counts. */
extern const char *const origin_files[];
enum { N_ORIGIN_FILES = 2 };

/* The key in the text of such a file: 32 hexadecimal digits, "-" between them or not. */
bool origin_key(const char *text, size_t len, unsigned char key[ORIGIN_KEY]);

/*
 * The seal of a working directory, for the user who made the profile.  program is the value of
 * its desc line Program; "" = it has none.
 */
void origin_seal(const unsigned char key[ORIGIN_KEY], uint64_t user, const char *folder,
		 const char *program, char seal[ORIGIN_SEAL]);

#endif
