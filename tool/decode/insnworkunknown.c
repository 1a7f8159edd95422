/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without Capstone: nothing is known of any instruction. */
#include "tool/decode/insnwork.h"

bool insn_may_float(const uint8_t *code, size_t size)
{
	(void)code;
	(void)size;
	return false;
}

void insn_work_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		      struct insn_work *work)
{
	(void)decoder;
	(void)code;
	(void)size;
	*work = (struct insn_work){ .class = CLASS_SYSTEM };
}
