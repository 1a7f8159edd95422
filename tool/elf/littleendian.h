/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in files of x86-64, wherever they lie: least byte first, as in memory. */
#ifndef TOOL_ELF_LITTLEENDIAN_H
#define TOOL_ELF_LITTLEENDIAN_H

#include <stdint.h>

#include "writer/freestanding.h"

static inline uint32_t read_16(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t read_32(const uint8_t *at)
{
	uint32_t number;

	memcpy(&number, at, sizeof(number));
	return number;
}

static inline uint64_t read_64(const uint8_t *at)
{
	uint64_t number;

	memcpy(&number, at, sizeof(number));
	return number;
}

#endif
