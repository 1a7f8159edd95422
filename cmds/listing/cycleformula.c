/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/listing/cycleformula.h"

#include <stdio.h>
#include <string.h>

#include "cmds/cli/option.h"
#include "profile/analysis/metric.h"
#include "profile/common/event_names.h"

enum { MAX_NUMBERS = 4, NUMBER_TEXT = 16 };

/* A number of cycles, len bytes, into text; false if it is none, or no weight. */
static bool take_number(const char *value, size_t len, char text[NUMBER_TEXT])
{
	char formula[NUMBER_TEXT + sizeof(" Ir")];
	double number;

	if (len >= NUMBER_TEXT)
		return false;
	memcpy(text, value, len);
	text[len] = '\0';
	memcpy(formula, text, len);
	memcpy(formula + len, " Ir", sizeof(" Ir"));
	return option_decimal(text, 0, 1000000, &number) && strchr(text, '%') == NULL &&
	       formula_is_weighted(formula);
}

/* "1,5,35" or "1,5,35,10"; whether it is that. */
static bool read_numbers(const char *value, struct cycleformula *made)
{
	char numbers[MAX_NUMBERS][NUMBER_TEXT];
	int n = 0, len;

	for (; n < MAX_NUMBERS && *value != '\0'; n++) {
		size_t one = strcspn(value, ",");

		if (!take_number(value, one, numbers[n]))
			return false;
		value += one + (value[one] == ',' && value[one + 1] != '\0');
	}
	if (n < MAX_NUMBERS - 1 || *value != '\0')
		return false;
	len = snprintf(made->text, sizeof(made->text), METRIC_ESTIMATE_OF("%s", "%s", "%s"),
		       numbers[0], numbers[1], numbers[2]);
	if (n == MAX_NUMBERS && strspn(numbers[3], "0.") < strlen(numbers[3]))
		snprintf(made->text + len, sizeof(made->text) - (size_t)len, " + %s Bm",
			 numbers[3]);
	return true;
}

/* Whether a formula can be of more than nothing: a weight is above 0. */
static bool has_weight(const char *formula)
{
	const char *rest = formula;
	struct formula_term term;

	for (bool first = true; formula_next_weighted(&rest, first, &term) == 1; first = false)
		if (term.factor > 0)
			return true;
	return false;
}

const char *cycleformula_read(const char *value, struct cycleformula *made, const char **estimate)
{
	bool is_made = read_numbers(value, made);

	if (!is_made && !formula_is_weighted(value))
		return "a formula such as 'Ir + 0.5*D1m + 30 LLm' (three decimals at most), or cycles of L1, "
		       "LL, memory and perhaps mispredictions, such as 1,5,35";
	if (!has_weight(is_made ? made->text : value))
		return "a weight above 0";
	*estimate = is_made ? made->text : value;
	return NULL;
}
