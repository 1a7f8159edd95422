/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions of AMD64 as operations of a core (sim/core/core.h): which registers they read and write, where they
 * refer to memory, and their row in the table of the core (sim/core/instructiontable.h).  Capstone decodes.
 */
#ifndef TOOL_CYCLES_OPERATIONS_H
#define TOOL_CYCLES_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/x86/decoder.h"
#include "sim/core/core.h"

struct operations {
	struct insn_decoder decoder;
	const struct instructiontable *table; /* borrowed */
};

/* Initialises for good; false if this program has no decoder, or no memory for it. */
bool operations_init(struct operations *operations, const struct instructiontable *table);

/*
 * Decodes the instruction of size bytes as an operation.  Writes its row of the table to *row; operation->row points there,
 * unless it needs none.  Returns how well the row fits.  An instruction that the decoder does not know becomes an operation
 * without operands, with the table's default row.
 */
enum instruction_match operations_decode(const struct operations *operations, const uint8_t *code,
					 size_t size, struct operation *operation,
					 struct instruction_row *row);

#endif
