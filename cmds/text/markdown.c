/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/text/markdown.h"

#include <stdbool.h>
#include <string.h>

#include "cmds/text/visible.h"

void markdown_text(FILE *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("&<>@", text[i]) && text[i] != '\0')
			fprintf(out, "&#%d;", text[i]);
		else if (strchr("\\`*_{}[]()#+-.!|~$:=", text[i]) && text[i] != '\0')
			fprintf(out, "\\%c", text[i]);
		else
			visible_print(out, text + i, 1, false);
	}
}

void markdown_string(FILE *out, const char *text)
{
	markdown_text(out, text, strlen(text));
}

/* Code ends at a run of backticks as long as the one that began it. */
static size_t fence_length(const char *text, size_t len)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < len; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest + 1;
}

static void print_fence(FILE *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fputc('`', out);
}

void markdown_block(FILE *out, const char *text, size_t len)
{
	size_t fence = fence_length(text, len);

	if (fence < 3)
		fence = 3;
	print_fence(out, fence);
	fputs("text\n", out);
	fwrite(text, 1, len, out);
	print_fence(out, fence);
	fputc('\n', out);
}

void markdown_code(FILE *out, const char *text, size_t len)
{
	size_t fence = fence_length(text, len);
	bool pads = len > 0 && (text[0] == '`' || text[len - 1] == '`');

	if (len == 0)
		return;
	print_fence(out, fence);
	if (pads)
		fputc(' ', out);
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '|')
			fputc('\\', out);
		visible_print(out, text + i, 1, false);
	}
	if (pads)
		fputc(' ', out);
	print_fence(out, fence);
}
