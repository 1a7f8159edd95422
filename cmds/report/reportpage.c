/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * data -> gzipper -> compressed -> base64 -> page -> env: each but the last is a buffer whose
 * environment writes to the next one, so that there is no copy of the whole.
 */
#include "cmds/report/report.h"

#include <errno.h>
#include <report_page.h> /* made by scripts/embed-report */
#include <stdbool.h>
#include <string.h>

#include "cmds/emit/visible.h"

/* -- base64 -------------------------------------------------------------------- */

static void base64_init(struct base64 *base64, struct out *to)
{
	*base64 = (struct base64){ .to = to };
}

/* Three bytes as four characters, the last ones of which may be padding. */
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

/* What waits, padded. */
static void base64_finish(struct base64 *base64)
{
	size_t n = base64->n_rest;

	if (n == 0)
		return;
	while (base64->n_rest < 3)
		base64->rest[base64->n_rest++] = 0;
	put_digits(base64->to, base64->rest, n);
	base64->n_rest = 0;
}

/* -- the page ------------------------------------------------------------------ */

#define POLICY                                                                            \
 "default-src 'none'; script-src '" REPORT_SCRIPT_HASH "'; style-src '" REPORT_STYLE_HASH \
 "'; img-src data:; base-uri 'none'; form-action 'none'"

static void *page_alloc(void *ctx, size_t size)
{
	const struct env *env = ((const struct reportpage *)ctx)->env;

	return env->alloc(env->ctx, size);
}

static void page_release(void *ctx, void *memory)
{
	const struct env *env = ((const struct reportpage *)ctx)->env;

	env->release(env->ctx, memory);
}

static int write_data(void *ctx, const void *data, size_t len)
{
	struct reportpage *page = ctx;

	gzipper_bytes(&page->gzipper, data, len);
	/* Which error it is stands where it happened. */
	return page->page.error || page->compressed.error ? EIO : 0;
}

static int write_compressed(void *ctx, const void *data, size_t len)
{
	struct reportpage *page = ctx;

	base64_bytes(&page->base64, data, len);
	return page->page.error ? EIO : 0;
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

/* What a mark of the frame stands for; false if it is the data's, which comes from elsewhere. */
static bool put_mark(struct reportpage *page, const char *mark, size_t len)
{
	struct out *out = &page->page;

	if (len == strlen("DATA") && memcmp(mark, "DATA", len) == 0)
		return false;
	if (len == strlen("STYLE") && memcmp(mark, "STYLE", len) == 0)
		out_bytes(out, report_style, sizeof(report_style));
	else if (len == strlen("SCRIPT") && memcmp(mark, "SCRIPT", len) == 0)
		out_bytes(out, report_script, sizeof(report_script));
	else if (len == strlen("POLICY") && memcmp(mark, "POLICY", len) == 0)
		out_text(out, POLICY);
	else if (len == strlen("TITLE") && memcmp(mark, "TITLE", len) == 0)
		put_title(out, page->title, page->title_len);
	return true;
}

/* The frame from where it was left, up to the data or the end; marks are @NAME@. */
static void put_frame(struct reportpage *page)
{
	const char *end = report_frame + sizeof(report_frame);

	while (page->next < end) {
		const char *at = memchr(page->next, '@', (size_t)(end - page->next));
		const char *behind = at ? memchr(at + 1, '@', (size_t)(end - at - 1)) : NULL;
		bool goes_on;

		if (!behind)
			break;
		out_bytes(&page->page, page->next, (size_t)(at - page->next));
		page->next = behind + 1;
		goes_on = put_mark(page, at + 1, (size_t)(behind - at - 1));
		if (!goes_on)
			return;
	}
	out_bytes(&page->page, page->next, (size_t)(end - page->next));
	page->next = end;
}

void reportpage_begin(struct reportpage *page, const struct env *env, const char *title,
		      size_t title_len)
{
	page->title = title;
	page->title_len = title_len;
	page->next = report_frame;
	page->env = env;
	page->data_env = (struct env){ page_alloc, page_release, write_data, page };
	page->compressed_env = (struct env){ page_alloc, page_release, write_compressed, page };
	out_init(&page->page, env);
	out_init(&page->compressed, &page->compressed_env);
	out_init(&page->data, &page->data_env);
	base64_init(&page->base64, &page->page);
	gzipper_init(&page->gzipper, &page->compressed);
	put_frame(page);
}

int reportpage_end(struct reportpage *page)
{
	int error;

	out_flush(&page->data);
	gzipper_finish(&page->gzipper);
	out_flush(&page->compressed);
	base64_finish(&page->base64);
	put_frame(page);
	error = out_flush(&page->page);
	if (!error)
		error = page->compressed.error;
	if (!error)
		error = page->data.error;
	out_release(&page->data);
	out_release(&page->compressed);
	out_release(&page->page);
	return error;
}
