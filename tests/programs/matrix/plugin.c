/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared.h"

static ALONE long own(long times)
{
	return read_cell(times) * 2;
}

long plug(long times)
{
	return own(times) + 1;
}
