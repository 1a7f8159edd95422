/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Delimiters and flags are read here, as Perl's toke.c does by perlop ("Gory
 * details of parsing quoted constructs"): the end of a part is found first, by
 * its delimiter alone; a backslash before the delimiter is then taken away, except
 * in OLD between brackets.  "$" and "@" in OLD that Perl would take for variables
 * are looked for before PCRE2 gets it.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "profile/names/expression.h"

#include <pcre2.h>
#include <stdint.h>
#include <string.h>

#include "profile/names/replacement.h"

enum {
	MATCH_LIMIT = 1000000,    /* PCRE2's steps from one place of a name */
	MIN_MATCH_LIMIT = 1000,   /* see limit_match() */
	HEAP_LIMIT = 32 * 1024,   /* KiB */
	MAX_PATTERN = 64 * 1024,  /* bytes */
	MAX_LIMITED_NAME = 10000, /* bytes */
};

struct expression {
	const struct env *env;
	pcre2_general_context *memory;
	pcre2_match_context *matching;
	pcre2_code *code;
	pcre2_match_data *match;
	struct replacement replacement;
	uint32_t options; /* PCRE2_... */
	bool global;
	const char *subject; /* of the match at work */
};

/* OLD or NEW. */
struct expression_part {
	size_t start, end;  /* in the text of the expression, without delimiters */
	char open, close;   /* delimiters; the same if it is no bracket */
	bool keeps;         /* backslashes before delimiters stay */
	struct bytes clean; /* without them */
};

struct expression_parser {
	const char *text;
	size_t at;
	struct profile_error *error;
	struct expression *expression;
	struct expression_part old, new;
};

static bool fail(struct expression_parser *parser, size_t at, const char *expected)
{
	profile_error_set(parser->error, PROFILE_SYNTAX, "%s", expected);
	if (parser->error) {
		parser->error->line = 1;
		parser->error->column = at + 1;
	}
	return false;
}

static bool fail_memory(struct expression_parser *parser)
{
	profile_error_status(parser->error, PROFILE_NO_MEMORY);
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || c == '_' || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static void skip_blanks(struct expression_parser *parser)
{
	while (is_blank(parser->text[parser->at]))
		parser->at++;
}

/* -- delimiters ------------------------------------------------------------ */

static char closing(char open)
{
	switch (open) {
	case '(':
		return ')';
	case '<':
		return '>';
	case '[':
		return ']';
	case '{':
		return '}';
	default:
		return open;
	}
}

/* Whether the backslash at a place of a part goes. */
static bool is_dropped(const struct expression_parser *parser, const struct expression_part *part,
		       size_t at)
{
	char next = parser->text[at + 1];

	return parser->text[at] == '\\' && !part->keeps &&
	       (next == part->open || next == part->close);
}

/* What is between the delimiters; the place is behind the opening one, then at the closing one. */
static bool take_part(struct expression_parser *parser, struct expression_part *part)
{
	const char *text = parser->text;
	size_t depth = 0;

	part->start = parser->at;
	for (; text[parser->at]; parser->at++) {
		char c = text[parser->at];

		if (c == '\\' && text[parser->at + 1]) {
			if (!is_dropped(parser, part, parser->at))
				bytes_add_char(&part->clean, c);
			c = text[++parser->at];
		} else if (c == part->close && depth == 0) {
			break;
		} else if (c == part->close) {
			depth--;
		} else if (c == part->open) {
			depth++;
		}
		bytes_add_char(&part->clean, c);
	}
	part->end = parser->at;
	return !part->clean.failed || fail_memory(parser);
}

/* Where in the text a byte of the clean part is. */
static size_t place_of(const struct expression_parser *parser, const struct expression_part *part,
		       size_t byte)
{
	size_t at = part->start;

	for (;;) {
		bool drops = at < part->end && is_dropped(parser, part, at);
		/* An escape is stepped over whole, so that its second byte is not taken for one. */
		size_t kept = at < part->end && parser->text[at] == '\\' && !drops ? 2 : 1;

		at += drops;
		if (byte < kept || at >= part->end)
			return at + byte < part->end ? at + byte : part->end;
		byte -= kept;
		at += kept;
	}
}

static bool take_delimiter(struct expression_parser *parser, struct expression_part *part,
			   bool blanks)
{
	char c = parser->text[parser->at];

	if (c == '\0' || (unsigned char)c >= 0x80 || (is_word(c) && !blanks) ||
	    (c == '#' && blanks))
		return fail(parser, parser->at, "expected a delimiter, as '/' in s/OLD/NEW/");
	part->open = c;
	part->close = closing(c);
	parser->at++;
	return true;
}

static bool fail_end(struct expression_parser *parser, const struct expression_part *part,
		     const char *what)
{
	fail(parser, parser->at, "");
	profile_error_set(parser->error, PROFILE_SYNTAX, "expected '%c' at the end of %s",
			  part->close, what);
	return false;
}

static bool take_old(struct expression_parser *parser)
{
	bool blanks;

	skip_blanks(parser);
	if (strncmp(parser->text + parser->at, "tr", 2) == 0 || parser->text[parser->at] == 'y')
		return fail(parser, parser->at, "expected s/OLD/NEW/ (tr and y are not known)");
	if (parser->text[parser->at] != 's')
		return fail(parser, parser->at, "expected s/OLD/NEW/");
	parser->at++;
	blanks = is_blank(parser->text[parser->at]);
	skip_blanks(parser);
	if (!take_delimiter(parser, &parser->old, blanks))
		return false;
	parser->old.keeps = parser->old.open != parser->old.close;
	if (!take_part(parser, &parser->old))
		return false;
	if (parser->text[parser->at] != parser->old.close)
		return fail_end(parser, &parser->old, "OLD");
	if (parser->old.clean.len == 0)
		return fail(parser, parser->at, "expected what is to be replaced");
	parser->at++;
	return true;
}

static bool take_new(struct expression_parser *parser)
{
	parser->new.open = parser->old.open;
	parser->new.close = parser->old.close;
	if (parser->old.open != parser->old.close) {
		bool blanks = is_blank(parser->text[parser->at]);
		size_t start;

		skip_blanks(parser);
		start = parser->at;
		if (!take_delimiter(parser, &parser->new, blanks))
			return false;
		if (parser->new.open == '\'')
			return fail(parser, start, "expected another delimiter than \"'\" for NEW");
	}
	if (!take_part(parser, &parser->new))
		return false;
	if (parser->text[parser->at] != parser->new.close)
		return fail_end(parser, &parser->new, "NEW");
	parser->at++;
	return true;
}

static bool take_flags(struct expression_parser *parser)
{
	struct expression *expression = parser->expression;

	for (; is_word(parser->text[parser->at]); parser->at++) {
		switch (parser->text[parser->at]) {
		case 'g':
			expression->global = true;
			break;
		case 'i':
			expression->options |= PCRE2_CASELESS;
			break;
		case 'm':
			expression->options |= PCRE2_MULTILINE;
			break;
		case 'n':
			expression->options |= PCRE2_NO_AUTO_CAPTURE;
			break;
		case 's':
			expression->options |= PCRE2_DOTALL;
			break;
		case 'x':
			expression->options |= (expression->options & PCRE2_EXTENDED)
						       ? PCRE2_EXTENDED_MORE
						       : PCRE2_EXTENDED;
			break;
		case 'a':
		case 'c':
		case 'd':
		case 'o':
		case 'p':
			break;
		case 'e':
			return fail(parser, parser->at,
				    "NEW is not run as code: expected no flag e");
		case 'r':
			return fail(parser, parser->at,
				    "a name stays as it is by the flag r: expected none");
		default:
			return fail(parser, parser->at,
				    "expected a flag of g i m n s x, or the end");
		}
	}
	for (; is_blank(parser->text[parser->at]) || parser->text[parser->at] == ';'; parser->at++)
		;
	/* Behind "#" is a comment. */
	if (parser->text[parser->at] && parser->text[parser->at] != '#')
		return fail(
			parser, parser->at,
			"expected a flag of g i m n s x, or the end (one expression an option)");
	return true;
}

/* -- OLD ------------------------------------------------------------------- */

/* Of "{ 1, 2 }" and "{,2}" it depends on Perl's version whether they are quantifiers. */
static bool is_doubtful_quantifier(const char *text, size_t len)
{
	size_t i = 1, digits = 0;
	bool doubtful = len > 1 && text[1] == ',';

	for (; i < len && (text[i] == ' ' || text[i] == ',' || (text[i] >= '0' && text[i] <= '9'));
	     i++) {
		doubtful |= text[i] == ' ';
		digits += text[i] >= '0' && text[i] <= '9';
	}
	return doubtful && digits > 0 && i < len && text[i] == '}';
}

/* What is wrong with a place of OLD though PCRE2 would take it; NULL = nothing. */
static const char *doubt(const char *text, size_t len)
{
	char next = '\0';

	if (len > 1)
		next = text[1];

	switch (text[0]) {
	case '$':
		return len == 1 || strchr("()| \t\r\n", next)
			       ? NULL
			       : "expected '\\' before '$', or the end, ')' or '|' behind it (a "
				 "variable else)";
	case '@':
		return len > 1 && (is_word(next) || strchr(":'{$", next))
			       ? "expected '\\' before '@' (an array else)"
			       : NULL;
	case '{':
		return is_doubtful_quantifier(text, len) ? "expected {MIN,MAX}" : NULL;
	default:
		return NULL;
	}
}

static bool check_old(struct expression_parser *parser)
{
	const struct bytes *old = &parser->old.clean;

	for (size_t i = 0; i < old->len; i++) {
		const char *expected = doubt(old->text + i, old->len - i);

		if (expected && parser->old.open != '\'')
			return fail(parser, place_of(parser, &parser->old, i), expected);
		if (old->text[i] != '\\' || ++i == old->len)
			continue;
		if (old->text[i] == 'b' && i + 1 < old->len && old->text[i + 1] == '{')
			return fail(parser, place_of(parser, &parser->old, i + 1),
				    "expected \\b without a brace");
	}
	return true;
}

static void *take_memory(size_t size, void *ctx)
{
	const struct expression *expression = ctx;

	return expression->env->alloc(expression->env->ctx, size ? size : 1);
}

static void give_memory(void *memory, void *ctx)
{
	const struct expression *expression = ctx;

	expression->env->release(expression->env->ctx, memory);
}

static bool make_contexts(struct expression *expression)
{
	expression->memory = pcre2_general_context_create(take_memory, give_memory, expression);
	if (!expression->memory)
		return false;
	expression->matching = pcre2_match_context_create(expression->memory);
	if (!expression->matching)
		return false;
	pcre2_set_heap_limit(expression->matching, HEAP_LIMIT);
	return true;
}

static bool fail_compile(struct expression_parser *parser, int code, size_t at)
{
	PCRE2_UCHAR message[PROFILE_ERROR_TEXT] = "no regular expression";

	if (code == PCRE2_ERROR_HEAP_FAILED || code == PCRE2_ERROR_NOMEMORY)
		return fail_memory(parser);
	pcre2_get_error_message(code, message, sizeof(message));
	return fail(parser, place_of(parser, &parser->old, at), (const char *)message);
}

static bool compile_old(struct expression_parser *parser)
{
	struct expression *expression = parser->expression;
	const uint32_t options = expression->options | PCRE2_DUPNAMES | PCRE2_NEVER_UTF |
				 PCRE2_NEVER_UCP;
	pcre2_compile_context *compiling;
	PCRE2_SIZE at = 0;
	int code = 0;

	if (!make_contexts(expression))
		return fail_memory(parser);
	compiling = pcre2_compile_context_create(expression->memory);
	if (!compiling)
		return fail_memory(parser);
	pcre2_set_newline(compiling, PCRE2_NEWLINE_LF);
	pcre2_set_bsr(compiling, PCRE2_BSR_UNICODE);
	pcre2_set_max_pattern_length(compiling, MAX_PATTERN);
	expression->code = pcre2_compile((PCRE2_SPTR)parser->old.clean.text, parser->old.clean.len,
					 options, &code, &at, compiling);
	pcre2_compile_context_free(compiling);
	if (!expression->code)
		return fail_compile(parser, code, at);
	expression->match =
		pcre2_match_data_create_from_pattern(expression->code, expression->memory);
	return expression->match || fail_memory(parser);
}

/* -- the whole ------------------------------------------------------------- */

static bool parse(struct expression_parser *parser)
{
	struct replacement_fault fault;

	if (!take_old(parser) || !take_new(parser) || !take_flags(parser) || !check_old(parser))
		return false;
	if (!replacement_parse(&parser->expression->replacement, parser->new.clean.text,
			       parser->new.clean.len, parser->new.open == '\'', &fault)) {
		if (!fault.text)
			return fail_memory(parser);
		return fail(parser, place_of(parser, &parser->new, fault.at), fault.text);
	}
	return compile_old(parser);
}

struct expression *expression_new(const struct env *env, const char *text,
				  struct profile_error *error)
{
	struct expression *expression = env->alloc(env->ctx, sizeof(*expression));
	struct expression_parser parser = { .text = text,
					    .error = error,
					    .expression = expression };
	bool good;

	if (!expression) {
		fail_memory(&parser);
		return NULL;
	}
	*expression = (struct expression){ .env = env };
	replacement_init(&expression->replacement, env);
	bytes_init(&parser.old.clean, env);
	bytes_init(&parser.new.clean, env);
	good = parse(&parser);
	bytes_release(&parser.old.clean);
	bytes_release(&parser.new.clean);
	if (good)
		return expression;
	expression_free(expression);
	return NULL;
}

void expression_free(struct expression *expression)
{
	if (!expression)
		return;
	pcre2_match_data_free(expression->match);
	pcre2_code_free(expression->code);
	pcre2_match_context_free(expression->matching);
	pcre2_general_context_free(expression->memory);
	replacement_release(&expression->replacement);
	expression->env->release(expression->env->ctx, expression);
}

/* -- replacing ------------------------------------------------------------- */

static size_t group_named(void *ctx, const char *name)
{
	struct expression *expression = ctx;
	const size_t *positions = pcre2_get_ovector_pointer(expression->match);
	PCRE2_SPTR first, last;
	int size =
		pcre2_substring_nametable_scan(expression->code, (PCRE2_SPTR)name, &first, &last);

	if (size < 0)
		return 0;
	for (PCRE2_SPTR entry = first; entry <= last; entry += size) {
		size_t group = (size_t)entry[0] << 8 | entry[1];

		if (positions[2 * group] != PCRE2_UNSET)
			return group;
	}
	return 0;
}

/*
 * PCRE2 counts steps anew from each place that a match may begin at.  The longer the
 * name and the more has matched already, the less is left, so that the sum is limited.
 */
static void limit_match(struct expression *expression, size_t len, size_t n_matches)
{
	size_t limit = MATCH_LIMIT / (n_matches + 1);

	if (len > MAX_LIMITED_NAME)
		limit /= 1 + len / MAX_LIMITED_NAME;
	pcre2_set_match_limit(expression->matching,
			      (uint32_t)(limit < MIN_MATCH_LIMIT ? MIN_MATCH_LIMIT : limit));
}

static int fail_match(int code, struct profile_error *error)
{
	if (code == PCRE2_ERROR_NOMEMORY)
		return profile_error_status(error, PROFILE_NO_MEMORY);
	return profile_error_set(error, PROFILE_RANGE,
				 "tries too many ways to match: expected a simpler expression");
}

static int add_replacement(struct expression *expression, size_t len, int n_groups,
			   struct bytes *out, struct profile_error *error)
{
	const struct replacement_match match = {
		.subject = expression->subject,
		.len = len,
		.positions = pcre2_get_ovector_pointer(expression->match),
		.n = (size_t)n_groups,
		.group_named = group_named,
		.ctx = expression,
	};

	replacement_add(&expression->replacement, &match, out);
	if (out->len > EXPRESSION_MAX_NAME)
		return profile_error_set(error, PROFILE_RANGE, "makes a name of more than 1 MiB");
	return PROFILE_OK;
}

/* Adds what all matches make of a subject; *rest is where the last one ended, -1 = there was none. */
static int replace(struct expression *expression, size_t len, struct bytes *out, size_t *rest,
		   struct profile_error *error)
{
	const size_t *positions = pcre2_get_ovector_pointer(expression->match);
	size_t at = 0, copied = 0;
	uint32_t options = 0;
	int status = PROFILE_OK;

	for (size_t n = 0; !status && at <= len && (n == 0 || expression->global); n++) {
		int code;

		limit_match(expression, len, n);
		code = pcre2_match(expression->code, (PCRE2_SPTR)expression->subject, len, at,
				   options, expression->match, expression->matching);
		if (code == PCRE2_ERROR_NOMATCH)
			break;
		if (code < 0)
			return fail_match(code, error);
		/* A \K in an assertion could go backwards; PCRE2 refuses it in the pattern. */
		bytes_add(out, expression->subject + copied, positions[0] - copied);
		status = add_replacement(expression, len, code, out, error);
		*rest = copied = at = positions[1];
		/* As in Perl, the next match may be empty only if this one was not. */
		options = positions[0] == positions[1] ? PCRE2_NOTEMPTY_ATSTART : 0;
	}
	return status;
}

int expression_apply(struct expression *expression, const char *name, size_t len, struct bytes *out,
		     bool *matched, struct profile_error *error)
{
	const size_t before = out->len;
	size_t rest = (size_t)-1;
	int status;

	*matched = false;
	if (len > EXPRESSION_MAX_NAME)
		return profile_error_set(error, PROFILE_RANGE, "a name is of more than 1 MiB");
	expression->subject = len ? name : "";
	status = replace(expression, len, out, &rest, error);
	if (!status && rest != (size_t)-1) {
		bytes_add(out, expression->subject + rest, len - rest);
		*matched = true;
	}
	if (!status && out->failed)
		status = profile_error_status(error, PROFILE_NO_MEMORY);
	if (status) {
		out->len = before;
		*matched = false;
	}
	return status;
}
