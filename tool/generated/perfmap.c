/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/generated/perfmap.h"

struct line {
	const char *chars;
	size_t len, at;
};

static bool is_blank(const struct line *line)
{
	return line->at < line->len &&
	       (line->chars[line->at] == ' ' || line->chars[line->at] == '\t');
}

static void skip_blanks(struct line *line)
{
	while (is_blank(line))
		line->at++;
}

/* Reads a digit; 16 if there is none. */
static unsigned digit(struct line *line)
{
	unsigned c;

	if (line->at == line->len)
		return 16;
	c = (unsigned char)line->chars[line->at++];
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	line->at--;
	return 16;
}

/* A number of 64 bits with a blank behind it. */
static bool read_number(struct line *line, uint64_t *number)
{
	size_t begin;
	unsigned value;

	if (line->at + 2 < line->len && line->chars[line->at] == '0' &&
	    (line->chars[line->at + 1] == 'x' || line->chars[line->at + 1] == 'X'))
		line->at += 2;
	begin = line->at;
	*number = 0;
	while ((value = digit(line)) < 16) {
		if (*number >> 60 != 0)
			return false;
		*number = *number << 4 | value;
	}
	return line->at > begin && is_blank(line);
}

bool perfmap_parse(const char *text, size_t len, struct perfmap_entry *entry)
{
	struct line line = { text, len, 0 };

	if (len > 0 && text[len - 1] == '\r')
		line.len--;
	skip_blanks(&line);
	if (!read_number(&line, &entry->address))
		return false;
	skip_blanks(&line);
	if (!read_number(&line, &entry->size))
		return false;
	skip_blanks(&line);
	entry->name = text + line.at;
	entry->name_len = line.len - line.at;
	return entry->name_len > 0 && entry->size > 0 &&
	       entry->address + (entry->size - 1) >= entry->address;
}
