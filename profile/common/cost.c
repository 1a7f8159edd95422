/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

size_t int128_print(char *buffer, int128 value, bool grouped)
{
	char reversed[INT128_TEXT];
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

size_t int128_print_decimal(char *buffer, int128 value, bool grouped, unsigned decimals)
{
	int128 unit = 1, magnitude = int128_magnitude(value);
	size_t len = value < 0;

	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	buffer[0] = '-';
	len += int128_print(buffer + len, magnitude / unit, grouped);
	if (decimals > 0)
		buffer[len++] = '.';
	for (magnitude %= unit; unit > 1; magnitude %= unit) {
		unit /= 10;
		buffer[len++] = (char)('0' + (int)(magnitude / unit));
	}
	buffer[len] = '\0';
	return len;
}

size_t int128_print_whole(char *buffer, int128 value, unsigned decimals)
{
	int128 unit = 1;

	for (; decimals > 0; decimals--)
		unit *= 10;
	return int128_print(buffer, (value + (value < 0 ? -unit / 2 : unit / 2)) / unit, true);
}

size_t int128_print_scaled(char *buffer, int128 value, unsigned decimals, double from)
{
	static const char units[] = "kMGTPE";
	double scaled = (double)value;
	size_t unit = 0;

	for (; decimals > 0; decimals--)
		scaled /= 10;
	if (scaled < from - 0.5 && scaled > 0.5 - from)
		return int128_print(buffer, (int128)(scaled + (scaled < 0 ? -0.5 : 0.5)), true);
	/* 999,950 is 1.0 M, not 1000.0 k. */
	for (scaled /= 1000; unit + 2 < sizeof(units) && (scaled >= 999.95 || scaled <= -999.95);
	     unit++)
		scaled /= 1000;
	return (size_t)snprintf(buffer, INT128_TEXT, "%.1f %c", scaled, units[unit]);
}

size_t int128_print_percent(char *buffer, int128 change, int128 old)
{
	int128 whole = int128_magnitude(old), magnitude = int128_magnitude(change);
	int128 hundredths;
	size_t len = 0;

	buffer[0] = '\0';
	if (whole == 0)
		return 0;
	hundredths = (magnitude * 20000 + whole) / (2 * whole);
	if (hundredths == 0 && magnitude != 0) {
		buffer[len++] = '<';
		hundredths = 1;
	}
	if (change != 0)
		buffer[len++] = change < 0 ? '-' : '+';
	len += int128_print(buffer + len, hundredths / 100, true);
	buffer[len++] = '.';
	buffer[len++] = (char)('0' + (int)(hundredths % 100 / 10));
	buffer[len++] = (char)('0' + (int)(hundredths % 10));
	buffer[len++] = '%';
	buffer[len] = '\0';
	return len;
}

double int128_percent(int128 part, int128 whole)
{
	return whole == 0 ? (double)NAN : 100.0 * (double)part / (double)whole;
}
