/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Built without Capstone: nothing is known. */
#include "tool/decode/insntraits.h"

#include "tool/common/libcnames.h"

bool insn_decoder_exists(void)
{
	return false;
}

void libcnames_init(void)
{
}

bool insn_decoder_init(struct insn_decoder *decoder)
{
	(void)decoder;
	return false;
}

void insn_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		 uint64_t address, struct insn_traits *traits)
{
	(void)decoder;
	(void)code;
	(void)size;
	(void)address;
	*traits = (struct insn_traits){ .bit_register = INSN_NO_REGISTER };
}
