/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Built without Capstone: nothing is known. */
#include "isa/x86/decoder.h"

bool insn_decoder_exists(void)
{
	return false;
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

void insn_work_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		      struct insn_work *work)
{
	(void)decoder;
	(void)code;
	(void)size;
	*work = (struct insn_work){ .class = CLASS_SYSTEM };
}
