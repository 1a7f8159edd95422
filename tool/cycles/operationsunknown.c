/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without Capstone. */
#include "tool/cycles/operations.h"

bool operations_init(struct operations *operations, const struct instructiontable *table)
{
	*operations = (struct operations){ .table = table };
	return false;
}

enum instruction_match operations_decode(const struct operations *operations, const uint8_t *code,
					 size_t size, struct operation *operation,
					 struct instruction_row *row)
{
	(void)operations;
	(void)code;
	(void)size;
	(void)operation;
	(void)row;
	return INSTRUCTION_DEFAULT;
}
