/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call instruction that stands before a return address.  Code cannot be read
 * backwards for certain; a direct call whose target is code is taken for one,
 * otherwise the longest call through a register or memory that fits.
 */
#ifndef TOOL_DECODE_CALLINSN_H
#define TOOL_DECODE_CALLINSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CALLINSN_MAX_SIZE = 8, /* bytes */
};

struct callinsn {
	size_t size; /* bytes, with its prefixes; 0: there is none */
	bool is_direct;
	uint64_t target; /* of a direct one */
};

/*
 * Looks at the CALLINSN_MAX_SIZE bytes of code before a return address, the last of
 * them first; is_code tells whether an address may be called.
 */
struct callinsn callinsn_before(const uint8_t code[CALLINSN_MAX_SIZE], uint64_t return_address,
				bool (*is_code)(uint64_t address));

#endif
