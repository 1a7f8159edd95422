/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* fopencookie() */
#include "cmds/emit/fitted.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmds/emit/visible.h"

enum {
	ESCAPE = 0x1b,
	TAB = 8,
	TITLE_LINES = 3, /* that a title has at most; a longer one is cut to a line */
};

/* Bytes of an escape sequence that changes how text looks, "\x1b[1m"; 0 if none begins here. */
static size_t escape_length(const char *text, size_t len)
{
	size_t i = 2;

	if (len < 3 || text[0] != ESCAPE || text[1] != '[')
		return 0;
	while (i < len && text[i] != 'm')
		i++;
	return i < len ? i + 1 : 0;
}

/* Columns of a text that begins at a column. */
static size_t columns_of(const char *text, size_t len, size_t at)
{
	size_t from = at;

	for (size_t i = 0; i < len; i++) {
		size_t escape = escape_length(text + i, len - i);

		if (escape > 0)
			i += escape - 1;
		else if (text[i] == '\t')
			at += TAB - at % TAB;
		else
			at += ((unsigned char)text[i] & 0xc0) != 0x80;
	}
	return at - from;
}

/* A word that has at most `room` columns, or is made so; returns its columns. */
static size_t print_word(struct fitted *fitted, const char *word, size_t len, size_t room)
{
	size_t columns = columns_of(word, len, 0), plain = len;
	struct bytes text;

	if (columns <= room) {
		fwrite(word, 1, len, fitted->under);
		return columns;
	}
	if (strspn(word, "-") >= len) {
		fwrite(word, 1, room, fitted->under);
		return room;
	}
	/* What ends bold type stays. */
	for (size_t i = 0; i < len; i++)
		if (escape_length(word + i, len - i) == len - i)
			plain = i;
	bytes_init(&text);
	shorttext_make(&text, word, plain, room);
	fwrite(text.text, 1, text.len, fitted->under);
	fwrite(word + plain, 1, len - plain, fitted->under);
	columns = columns_of(text.text, text.len, 0);
	bytes_release(&text);
	return columns;
}

static const char title[] = "-- ";

/* "-- Misses on struct node", perhaps in bold type: it may have names in it that are much longer than a line. */
static bool is_title(const char *line, size_t len)
{
	size_t escape = escape_length(line, len);

	return len - escape > strlen(title) && memcmp(line + escape, title, strlen(title)) == 0;
}

/* A line without its line feed. */
static void print_line(struct fitted *fitted, const char *line, size_t len)
{
	const size_t width = fitted->width;
	size_t indent = 0, at = 0, i = 0;

	if (columns_of(line, len, 0) <= width) {
		fwrite(line, 1, len, fitted->under);
		fputc('\n', fitted->under);
		return;
	}
	if (is_title(line, len)) {
		if (columns_of(line, len, 0) > TITLE_LINES * width) {
			print_word(fitted, line, len, width);
			fputc('\n', fitted->under);
			return;
		}
		indent = strlen(title);
	} else {
		while (indent < len && line[indent] == ' ')
			indent++;
		/* "  - word" */
		if (indent + 1 < len && line[indent] == '-' && line[indent + 1] == ' ')
			indent += 2;
	}
	if (indent > width / 2)
		indent = 0;
	while (i < len) {
		size_t blanks = 0, word = 0;

		while (i + blanks < len && line[i + blanks] == ' ')
			blanks++;
		/* "12 %" is one word. */
		while (i + blanks + word < len &&
		       (line[i + blanks + word] != ' ' ||
			(i + blanks + word + 1 < len && line[i + blanks + word + 1] == '%')))
			word++;
		if (at > indent &&
		    at + blanks + columns_of(line + i + blanks, word, at + blanks) > width) {
			fprintf(fitted->under, "\n%*s", (int)indent, "");
			at = indent;
			blanks = 0;
			while (line[i] == ' ')
				i++;
		}
		/* There is room for a word, whatever a line begins with. */
		blanks = blanks < width / 2 ? blanks : width / 2;
		fprintf(fitted->under, "%*s", (int)blanks, "");
		at += blanks;
		while (i < len && line[i] == ' ')
			i++;
		at += print_word(fitted, line + i, word, width - at);
		i += word;
	}
	fputc('\n', fitted->under);
}

static ssize_t write_lines(void *cookie, const char *data, size_t size)
{
	struct fitted *fitted = cookie;
	const char *end = data + size, *at = data, *feed;

	while ((feed = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		bytes_add(&fitted->line, at, (size_t)(feed - at));
		print_line(fitted, fitted->line.len > 0 ? fitted->line.text : "", fitted->line.len);
		bytes_reset(&fitted->line);
		at = feed + 1;
	}
	bytes_add(&fitted->line, at, (size_t)(end - at));
	return (ssize_t)size;
}

void fitted_open(struct fitted *fitted, FILE *out, size_t width)
{
	*fitted = (struct fitted){
		.under = out,
		.width = width < FITTED_LEAST ? FITTED_LEAST : width,
	};
	bytes_init(&fitted->line);
	fitted->out = fopencookie(fitted, "w", (cookie_io_functions_t){ .write = write_lines });
	if (!fitted->out)
		heap_exhausted(); /* nothing else can fail */
}

size_t fitted_set_width(struct fitted *fitted, size_t width)
{
	size_t before = fitted->width;

	fflush(fitted->out);
	fitted->width = width;
	return before;
}

void fitted_close(struct fitted *fitted)
{
	fclose(fitted->out);
	if (fitted->line.len > 0)
		print_line(fitted, fitted->line.text, fitted->line.len);
	bytes_release(&fitted->line);
}

size_t fitted_width(size_t wanted)
{
	struct winsize size;

	if (wanted > 0)
		return wanted;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return FITTED_PIPE;
}
