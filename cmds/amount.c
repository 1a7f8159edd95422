/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/amount.h"

#include <math.h>
#include <string.h>

size_t amount_print(char *buffer, amount value, bool grouped)
{
	char reversed[AMOUNT_TEXT];
	bool negative = value < 0;
	size_t n = 0, digits = 0;

	do {
		int digit = (int)(value % 10);

		if (grouped && digits > 0 && digits % 3 == 0)
			reversed[n++] = ',';
		reversed[n++] = (char)('0' + (digit < 0 ? -digit : digit));
		digits++;
		value /= 10;
	} while (value != 0);
	if (negative)
		reversed[n++] = '-';
	for (size_t i = 0; i < n; i++)
		buffer[i] = reversed[n - 1 - i];
	buffer[n] = '\0';
	return n;
}

double amount_percent(amount part, amount whole)
{
	return whole == 0 ? (double)NAN : 100.0 * (double)part / (double)whole;
}
