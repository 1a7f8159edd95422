/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of one function; used by machinecode.c only. */
#ifndef CMDS_CODE_CODELISTING_H
#define CMDS_CODE_CODELISTING_H

#include "cmds/code/machinecode.h"

struct codelisting_options {
	uint64_t context;
	bool adds_jumps; /* those seen in instructions, as none are recorded */
};

/*
 * Fills instructions of a function from its stretch and what is recorded in it: bytes, texts, records,
 * jumps, gaps.  Where the profile has an instruction, one begins.  Texts are the arena's.
 * Returns a status.
 */
int codelisting_make(struct code_function *function, const struct code_records *records,
		     const struct basis *basis, const struct codelisting_options *options);

#endif
