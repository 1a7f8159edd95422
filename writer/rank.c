/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writer/rank.h"

static const struct rank_variable {
	const char *name;
	uint32_t first;
	const char *sizes[2]; /* NULL = none */
} rank_variables[] = {
#define ROW(name, first, size, other_size) { name, first, { size, other_size } },
	RANK_VARIABLES(ROW)
#undef ROW
};

/* A whole text of digits, RANK_DIGITS at most. */
static bool parse(const char *text, uint32_t *number)
{
	uint32_t len = 0;

	*number = 0;
	for (; text[len] >= '0' && text[len] <= '9' && len < RANK_DIGITS; len++)
		*number = 10 * *number + (uint32_t)(text[len] - '0');
	return len > 0 && text[len] == '\0';
}

/* How many ranks there are; 0 = not known, or fewer than the rank needs. */
static uint32_t find_size(const struct rank *rank, const struct rank_variable *variable,
			  const char *(*lookup)(const char *name))
{
	for (uint32_t i = 0; i < 2; i++) {
		const char *text = variable->sizes[i] ? lookup(variable->sizes[i]) : NULL;
		uint32_t n;

		if (!text || !text[0])
			continue;
		if (!parse(text, &n) || rank->number < rank->first ||
		    rank->number - rank->first >= n)
			return 0;
		return n;
	}
	return 0;
}

void rank_find(struct rank *rank, const char *(*lookup)(const char *name))
{
	*rank = (struct rank){ .variable = NULL };
	for (uint32_t i = 0; i < sizeof(rank_variables) / sizeof(rank_variables[0]); i++) {
		const struct rank_variable *variable = &rank_variables[i];

		rank->text = lookup(variable->name);
		if (!rank->text || !rank->text[0])
			continue;
		rank->variable = variable->name;
		rank->first = variable->first;
		rank->is_number = parse(rank->text, &rank->number);
		if (rank->is_number)
			rank->n = find_size(rank, variable, lookup);
		return;
	}
}

static size_t add_char(char *to, size_t len, char c)
{
	if (to)
		to[len] = c;
	return len + 1;
}

size_t rank_expand(char *to, const char *name, const char *number)
{
	size_t len = 0;

	for (; *name != '\0'; name++) {
		if (*name == '%' && name[1] == 'r') {
			for (const char *digit = number; *digit != '\0'; digit++)
				len = add_char(to, len, *digit);
			name++;
			continue;
		}
		len = add_char(to, len, *name);
		if (*name == '%' && name[1] != '\0')
			len = add_char(to, len, *++name);
	}
	add_char(to, len, '\0');
	return len;
}

bool rank_is_in(const char *name)
{
	for (; *name != '\0'; name++) {
		if (*name != '%' || name[1] == '\0')
			continue;
		name++; /* "%%r" has none */
		if (*name == 'r')
			return true;
	}
	return false;
}

static uint32_t add_number(char *text, uint32_t number)
{
	char digits[10];
	uint32_t n = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	for (uint32_t i = 0; i < n; i++)
		text[i] = digits[n - 1 - i];
	return n;
}

uint32_t rank_list(char text[RANK_LIST_SIZE], uint32_t first, uint32_t last)
{
	uint32_t len = add_number(text, first);

	if (last != first) {
		text[len++] = '-';
		len += add_number(text + len, last);
	}
	text[len] = '\0';
	return len;
}
