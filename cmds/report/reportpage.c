/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * data -> gzipper -> compressed -> base64 -> html -> env: each except the last is a buffer whose
 * environment writes to the next one, so the whole is never copied.
 */
#include "cmds/report/report.h"

#include <errno.h>
#include <report_page.h> /* made by scripts/embed-report */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/emit/gzipper.h"
#include "cmds/emit/visible.h"
#include "profile/common/heap.h"

/* Bytes as base64 (RFC 4648, with padding, without line ends) on their way to a struct out. */
struct base64 {
	struct out *to;
	unsigned char rest[3]; /* bytes that wait for others */
	size_t n_rest;
};

struct reportpage {
	struct out data, compressed, html;
	struct env data_env, compressed_env;
	struct gzipper gzipper;
	struct base64 base64;
	const char *title;
	const char *next; /* of the frame */
};

/* -- base64 -------------------------------------------------------------------- */

/* Three bytes as four characters; with fewer bytes, the last ones are padding. */
static void put_digits(struct out *to, const unsigned char *bytes, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[4] = {
		digits[bytes[0] >> 2],
		digits[(bytes[0] & 0x3) << 4 | bytes[1] >> 4],
		digits[(bytes[1] & 0xf) << 2 | bytes[2] >> 6],
		digits[bytes[2] & 0x3f],
	};

	if (n < 3)
		text[3] = '=';
	if (n < 2)
		text[2] = '=';
	out_bytes(to, text, sizeof(text));
}

static void base64_bytes(struct base64 *base64, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	while (len > 0 && (base64->n_rest > 0 || len < 3)) {
		base64->rest[base64->n_rest++] = *bytes++;
		len--;
		if (base64->n_rest == 3) {
			put_digits(base64->to, base64->rest, 3);
			base64->n_rest = 0;
		}
	}
	for (; len >= 3; len -= 3, bytes += 3)
		put_digits(base64->to, bytes, 3);
	while (len-- > 0)
		base64->rest[base64->n_rest++] = *bytes++;
}

/* -- the page ------------------------------------------------------------------ */

#define POLICY                                                                            \
 "default-src 'none'; script-src '" REPORT_SCRIPT_HASH "'; style-src '" REPORT_STYLE_HASH \
 "'; img-src data:; base-uri 'none'; form-action 'none'"

static int write_data(void *ctx, const void *data, size_t len)
{
	struct reportpage *page = ctx;

	gzipper_bytes(&page->gzipper, data, len);
	/* The error itself sticks where it happened. */
	return page->html.error || page->compressed.error ? EIO : 0;
}

static int write_compressed(void *ctx, const void *data, size_t len)
{
	struct reportpage *page = ctx;

	base64_bytes(&page->base64, data, len);
	return page->html.error ? EIO : 0;
}

/* Text of a profile as text of HTML; what is no character there is U+FFFD. */
static void put_title(struct out *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		unsigned char c = (unsigned char)text[i];
		size_t n = unicode_len(text + i, len - i);

		if (n == 0 || visible_control(text + i, len - i))
			out_text(out, UNICODE_REPLACEMENT);
		else if (c == '<')
			out_text(out, "&lt;");
		else if (c == '>')
			out_text(out, "&gt;");
		else if (c == '&')
			out_text(out, "&amp;");
		else if (c == '"')
			out_text(out, "&quot;");
		else
			out_bytes(out, text + i, n);
		i += n > 0 ? n : 1;
	}
}

/* The frame from where it was left, up to the data, which is written elsewhere, or the end; marks are @NAME@. */
static void put_frame(struct reportpage *page)
{
	static const struct {
		const char *mark, *text;
		size_t len;
	} texts[] = {
		{ "@STYLE@", report_style, sizeof(report_style) },
		{ "@SCRIPT@", report_script, sizeof(report_script) },
		{ "@POLICY@", POLICY, sizeof(POLICY) - 1 },
	};
	const char *end = report_frame + sizeof(report_frame);

	while (page->next < end) {
		const char *at = memchr(page->next, '@', (size_t)(end - page->next));
		const char *after = at ? memchr(at + 1, '@', (size_t)(end - at - 1)) : NULL;

		if (!after)
			break;
		out_bytes(&page->html, page->next, (size_t)(at - page->next));
		page->next = after + 1;
		if (strncmp(at, "@DATA@", (size_t)(page->next - at)) == 0)
			return;
		if (strncmp(at, "@TITLE@", (size_t)(page->next - at)) == 0)
			put_title(&page->html, page->title, strlen(page->title));
		for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
			if (strncmp(at, texts[i].mark, (size_t)(page->next - at)) == 0)
				out_bytes(&page->html, texts[i].text, texts[i].len);
	}
	out_bytes(&page->html, page->next, (size_t)(end - page->next));
	page->next = end;
}

struct reportpage *reportpage_new(const struct env *env, const char *title, struct out **data)
{
	struct reportpage *page = heap_zeroed(1, sizeof(*page));

	page->title = title;
	page->next = report_frame;
	page->data_env = page->compressed_env = heap_env;
	page->data_env.write = write_data;
	page->compressed_env.write = write_compressed;
	page->data_env.ctx = page->compressed_env.ctx = page;
	page->base64.to = &page->html;
	out_init(&page->html, env);
	out_init(&page->compressed, &page->compressed_env);
	out_init(&page->data, &page->data_env);
	gzipper_init(&page->gzipper, &page->compressed);
	put_frame(page);
	*data = &page->data;
	return page;
}

int reportpage_end(struct reportpage *page)
{
	int error;

	out_flush(&page->data);
	gzipper_finish(&page->gzipper);
	out_flush(&page->compressed);
	if (page->base64.n_rest > 0) {
		memset(page->base64.rest + page->base64.n_rest, 0, 3 - page->base64.n_rest);
		put_digits(&page->html, page->base64.rest, page->base64.n_rest);
	}
	put_frame(page);
	error = out_flush(&page->html);
	if (!error)
		error = page->compressed.error;
	out_release(&page->data);
	out_release(&page->compressed);
	out_release(&page->html);
	free(page);
	return error;
}
