/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Delimiters and flags are read as Perl's toke.c reads them (perlop, "Gory details of parsing quoted
 * constructs"): the end of a part is found first, by its delimiter alone; a backslash before the delimiter
 * is then taken away, except in OLD between brackets.  "$" and "@" in OLD that Perl would take for variables are
 * looked for before PCRE2 gets it.  NEW becomes a replacement of pcre2_substitute(), whose spelling
 * (PCRE2_SUBSTITUTE_EXTENDED) differs from Perl's: what it cannot do, or does in another way, is an error.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "profile/names/name_rules.h"

#include <pcre2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"
#include "profile/common/scan.h"

enum {
	MATCH_LIMIT = 1000000,    /* PCRE2's steps from one place of a name */
	MIN_MATCH_LIMIT = 1000,   /* see limit_match() */
	HEAP_LIMIT = 32 * 1024,   /* KiB */
	MAX_PATTERN = 64 * 1024,  /* bytes */
	MAX_LIMITED_NAME = 10000, /* bytes */
	MAX_GROUP = 65535,
	MAX_GROUP_NAME = 32, /* bytes; PCRE2's limit */
};

struct expression {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *matching;
	struct bytes replacement; /* PCRE2's */
	uint32_t options;         /* PCRE2_... */
	bool global;
	size_t len; /* of the name at work */
};

/* OLD or NEW. */
struct expression_part {
	size_t start, end;  /* in the text of the expression, without delimiters */
	char open, close;   /* delimiters; the same unless they are brackets */
	bool keeps;         /* backslashes before delimiters stay */
	struct bytes clean; /* without them */
};

struct expression_parser {
	const char *text;
	size_t at;
	struct profile_error *error;
	struct expression *expression;
	struct expression_part old, new;
	size_t in_new; /* place in new.clean */
	char mode;     /* case of what follows in NEW: 'U', 'L', 0 */
	char once;     /* of its next byte: 'u', 'l', 0 */
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

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word(char c)
{
	return scan_is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip_blanks(struct expression_parser *parser)
{
	while (is_blank(parser->text[parser->at]))
		parser->at++;
}

/* -- delimiters ------------------------------------------------------------ */

static char closing(char open)
{
	static const char brackets[] = "()<>[]{}";
	const char *found = strchr(brackets, open);

	if (found && (found - brackets) % 2 == 0)
		return found[1];
	return open;
}

/* True if the backslash at a place of a part goes. */
static bool is_dropped(const struct expression_parser *parser, const struct expression_part *part,
		       size_t at)
{
	char next = parser->text[at + 1];

	return parser->text[at] == '\\' && !part->keeps &&
	       (next == part->open || next == part->close);
}

/* What is between the delimiters; the place is after the opening one, then at the closing one. */
static void take_part(struct expression_parser *parser, struct expression_part *part)
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
	take_part(parser, &parser->old);
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
	take_part(parser, &parser->new);
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
	/* A comment follows "#". */
	if (parser->text[parser->at] && parser->text[parser->at] != '#')
		return fail(
			parser, parser->at,
			"expected a flag of g i m n s x, or the end (one expression an option)");
	return true;
}

/* -- OLD ------------------------------------------------------------------- */

/* "{ 1, 2 }" and "{,2}" are quantifiers in some versions of Perl only. */
static bool is_doubtful_quantifier(const char *text, size_t len)
{
	size_t i = 1, digits = 0;
	bool doubtful = len > 1 && text[1] == ',';

	for (; i < len && (text[i] == ' ' || text[i] == ',' || scan_is_digit(text[i])); i++) {
		doubtful |= text[i] == ' ';
		digits += scan_is_digit(text[i]);
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
			       : "expected '\\' before '$', or the end, ')' or '|' after it (a "
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

/* Looks for what PCRE2 would take in another way than Perl. */
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

static bool compile_old(struct expression_parser *parser)
{
	struct expression *expression = parser->expression;
	const uint32_t options = expression->options | PCRE2_DUPNAMES | PCRE2_NEVER_UTF |
				 PCRE2_NEVER_UCP;
	PCRE2_UCHAR message[PROFILE_ERROR_TEXT] = "no regular expression";
	pcre2_compile_context *compiling = pcre2_compile_context_create(NULL);
	PCRE2_SIZE at = 0;
	int code = 0;

	expression->matching = pcre2_match_context_create(NULL);
	if (!compiling || !expression->matching)
		heap_exhausted();
	pcre2_set_heap_limit(expression->matching, HEAP_LIMIT);
	pcre2_set_newline(compiling, PCRE2_NEWLINE_LF);
	pcre2_set_bsr(compiling, PCRE2_BSR_UNICODE);
	pcre2_set_max_pattern_length(compiling, MAX_PATTERN);
	expression->code = pcre2_compile((PCRE2_SPTR)parser->old.clean.text, parser->old.clean.len,
					 options, &code, &at, compiling);
	pcre2_compile_context_free(compiling);
	if (expression->code) {
		expression->match = pcre2_match_data_create_from_pattern(expression->code, NULL);
		if (!expression->match)
			heap_exhausted();
		return true;
	}
	if (code == PCRE2_ERROR_HEAP_FAILED || code == PCRE2_ERROR_NOMEMORY)
		heap_exhausted();
	pcre2_get_error_message(code, message, sizeof(message));
	return fail(parser, place_of(parser, &parser->old, at), (const char *)message);
}

/* -- NEW ------------------------------------------------------------------- */

static char peek(const struct expression_parser *parser, size_t ahead)
{
	const struct bytes *new = &parser->new.clean;

	if (ahead >= new->len - parser->in_new)
		return '\0';
	return new->text[parser->in_new + ahead];
}

/* Of a place in the clean NEW. */
static bool fail_new(struct expression_parser *parser, size_t at, const char *expected)
{
	return fail(parser, place_of(parser, &parser->new, at), expected);
}

static bool add_literal(struct expression_parser *parser, char c)
{
	struct bytes *replacement = &parser->expression->replacement;

	if (c == '$' || c == '\\')
		bytes_add_char(replacement, '\\');
	bytes_add_char(replacement, c);
	parser->once = 0;
	return true;
}

/* A byte by its number: \033, \x1b, and in braces; the place is after the letter. */
static bool take_number(struct expression_parser *parser, size_t start, unsigned base, size_t max)
{
	const bool braces = peek(parser, 0) == '{';
	unsigned value = 0, digit;
	size_t n;

	if (braces) {
		parser->in_new++;
		if (peek(parser, 0) == 'U' && peek(parser, 1) == '+')
			parser->in_new += 2;
		max = SIZE_MAX;
	}
	for (n = 0; n < max && (digit = scan_hex_digit(peek(parser, 0))) < base; n++) {
		if (value < 0x10000)
			value = value * base + digit;
		parser->in_new++;
	}
	if (n == 0)
		return fail_new(parser, parser->in_new, "expected the digits of a byte");
	if (braces && peek(parser, 0) != '}')
		return fail_new(parser, parser->in_new, "expected a digit or '}'");
	parser->in_new += braces;
	if (value == 0 || value > 0xff)
		return fail_new(parser, start, "expected a byte from 1 to 255 (octal 377)");
	return add_literal(parser, (char)value);
}

/*
 * \U \L \E \u \l.  Perl's \u changes the first byte of what \L has made small, while PCRE2's ends \L: both together
 * are an error.
 */
static bool take_case(struct expression_parser *parser, char letter, size_t start)
{
	const bool is_once = letter == 'u' || letter == 'l';
	const char text[2] = { '\\', letter };

	if (is_once ? parser->mode : parser->once && letter != 'E')
		return fail_new(parser, start, "expected no \\u and \\l along with \\U and \\L");
	/* Only the first one counts; there is nothing to end. */
	if (is_once ? parser->once : letter == 'E' && !parser->mode)
		return true;
	if (is_once)
		parser->once = letter;
	else if (letter == 'E')
		parser->mode = 0;
	else
		parser->mode = letter;
	bytes_add(&parser->expression->replacement, text, sizeof(text));
	return true;
}

/* Adds "${GROUP}"; "$1[0]" is an element of an array in Perl. */
static bool add_group(struct expression_parser *parser, const char *group, size_t len)
{
	struct bytes *replacement = &parser->expression->replacement;
	size_t arrow = peek(parser, 0) == '-' && peek(parser, 1) == '>' ? 2 : 0;

	if (peek(parser, arrow) == '[' || peek(parser, arrow) == '{')
		return fail_new(parser, parser->in_new,
				"expected '\\' before the bracket after a variable (an array's "
				"else)");
	bytes_add_text(replacement, "${");
	bytes_add(replacement, group, len);
	bytes_add_char(replacement, '}');
	return true;
}

/* The place is at a backslash. */
static bool take_escape(struct expression_parser *parser)
{
	static const char letters[] = "tnrfbae", meanings[] = "\t\n\r\f\b\a\033";
	const size_t start = parser->in_new;
	const char c = peek(parser, 1);
	const char *found = c ? strchr(letters, c) : NULL;

	if (start + 1 == parser->new.clean.len)
		return fail_new(parser, start, "expected something after '\\'");
	if (scan_is_digit(c) && c != '0' && !scan_is_digit(peek(parser, 2))) {
		parser->in_new += 2;
		return add_group(parser, &c, 1);
	}
	if (c >= '0' && c <= '7') {
		parser->in_new++;
		return take_number(parser, start, 8, 3);
	}
	parser->in_new += 2;
	if (c == 'x')
		return take_number(parser, start, 16, 2);
	if ((c == 'o' || c == 'N') && peek(parser, 0) != '{')
		return fail_new(parser, parser->in_new, "expected '{'");
	if (c == 'N' && (peek(parser, 1) != 'U' || peek(parser, 2) != '+'))
		return fail_new(parser, parser->in_new + 1, "expected U+ and a number");
	if (c == 'o' || c == 'N')
		return take_number(parser, start, c == 'o' ? 8 : 16, 0);
	if (c == 'c') {
		char control = peek(parser, 0);

		if (control <= ' ' || control == 0x7f)
			return fail_new(parser, parser->in_new, "expected a letter after \\c");
		if (control >= 'a' && control <= 'z')
			control = (char)(control - 'a' + 'A');
		if (control == '@')
			return fail_new(parser, parser->in_new, "a name has no NUL");
		parser->in_new++;
		return add_literal(parser, (char)(control ^ 64));
	}
	if (c == 'F')
		return fail_new(parser, start, "there is no \\F: expected \\L");
	if (c == 'Q')
		return fail_new(parser, start, "expected no \\Q, which PCRE2 does not have in NEW");
	if (c && strchr("ULEul", c))
		return take_case(parser, c, start);
	if (found)
		return add_literal(parser, meanings[found - letters]);
	return add_literal(parser, c);
}

/* The place is at a dollar. */
static bool take_variable(struct expression_parser *parser)
{
	static const char expected[] = "expected $1, ${1}, $&, $+{name}, or '\\' before a '$' that "
				       "stands for itself";
	const size_t start = parser->in_new++;
	const bool is_named = peek(parser, 0) == '+' && peek(parser, 1) == '{';
	const bool braces = peek(parser, 0) == '{';
	size_t n = 0;
	const char *name;

	if (is_named) {
		parser->in_new += 2;
		name = parser->new.clean.text + parser->in_new;
		while (is_word(peek(parser, 0)) && n <= MAX_GROUP_NAME) {
			parser->in_new++;
			n++;
		}
		if (n == 0 || scan_is_digit(name[0]) || peek(parser, 0) != '}')
			return fail_new(parser, parser->in_new,
					"expected the name of a group and '}'");
		parser->in_new++;
		return add_group(parser, name, n);
	}
	if (peek(parser, 0) == '`' || peek(parser, 0) == '\'')
		return fail_new(parser, start, "expected no $` and $', which PCRE2 does not have");
	parser->in_new += braces;
	while (braces && peek(parser, 0) == ' ')
		parser->in_new++;
	name = parser->new.clean.text + parser->in_new;
	if (peek(parser, 0) == '&') {
		parser->in_new++;
		name = "0";
		n = 1;
	} else {
		size_t number = 0;

		for (; scan_is_digit(peek(parser, 0)) && number <= MAX_GROUP; n++) {
			number = 10 * number + (size_t)(peek(parser, 0) - '0');
			parser->in_new++;
		}
		if (n == 0 || name[0] == '0' || number > MAX_GROUP)
			return fail_new(parser, start, expected);
	}
	while (braces && peek(parser, 0) == ' ')
		parser->in_new++;
	if (braces && peek(parser, 0) != '}')
		return fail_new(parser, parser->in_new, "expected '}'");
	parser->in_new += braces;
	return add_group(parser, name, n);
}

/* NEW as PCRE2 spells it.  Between single quotes only the backslash is escaped. */
static bool translate_new(struct expression_parser *parser)
{
	const bool literally = parser->new.open == '\'';
	bool good = true;

	while (good && parser->in_new < parser->new.clean.len) {
		char c = peek(parser, 0), next = peek(parser, 1);

		if (c == '\\' && !literally) {
			good = take_escape(parser);
		} else if (c == '$' && !literally) {
			good = take_variable(parser);
		} else if (c == '@' && !literally && next &&
			   (is_word(next) || strchr(":'{$+-", next))) {
			good = fail_new(parser, parser->in_new,
					"expected '\\' before '@' (an array else)");
		} else {
			parser->in_new += c == '\\' && next == '\\' ? 2 : 1;
			add_literal(parser, c);
		}
	}
	return good;
}

/* -- the whole ------------------------------------------------------------- */

struct expression *expression_new(const char *text, struct profile_error *error)
{
	struct expression *expression = heap_alloc(sizeof(*expression));
	struct expression_parser parser = { .text = text,
					    .error = error,
					    .expression = expression };
	bool good;

	*expression = (struct expression){ .code = NULL };
	bytes_init(&expression->replacement);
	bytes_init(&parser.old.clean);
	bytes_init(&parser.new.clean);
	good = take_old(&parser) && take_new(&parser) && take_flags(&parser) &&
	       check_old(&parser) && translate_new(&parser) && compile_old(&parser);
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
	bytes_release(&expression->replacement);
	free(expression);
}

/* -- replacing ------------------------------------------------------------- */

/*
 * PCRE2 counts steps anew from each place that a match may begin at.  The longer the
 * name and the more has matched already, the less is left, so that the sum is limited.
 */
static void limit_match(struct expression *expression, size_t n_matches)
{
	size_t limit = MATCH_LIMIT / (n_matches + 1);

	if (expression->len > MAX_LIMITED_NAME)
		limit /= 1 + expression->len / MAX_LIMITED_NAME;
	pcre2_set_match_limit(expression->matching,
			      (uint32_t)(limit < MIN_MATCH_LIMIT ? MIN_MATCH_LIMIT : limit));
}

/* After each match; 0 goes on. */
static int note_match(pcre2_substitute_callout_block *block, void *ctx)
{
	limit_match(ctx, block->subscount);
	return 0;
}

int expression_apply(struct expression *expression, const char *name, size_t len, struct bytes *out,
		     bool *matched, struct profile_error *error)
{
	uint32_t options = PCRE2_SUBSTITUTE_EXTENDED | PCRE2_SUBSTITUTE_UNKNOWN_UNSET |
			   PCRE2_SUBSTITUTE_UNSET_EMPTY;
	PCRE2_SIZE used = 0;
	int n = PCRE2_ERROR_NOMEMORY;

	*matched = false;
	if (len > EXPRESSION_MAX_NAME)
		return profile_error_set(error, PROFILE_RANGE, "a name is of more than 1 MiB");
	if (expression->global)
		options |= PCRE2_SUBSTITUTE_GLOBAL;
	expression->len = len;
	pcre2_set_substitute_callout(expression->matching, note_match, expression);
	for (size_t room = 2 * len + 64; n == PCRE2_ERROR_NOMEMORY; room *= 4) {
		/* PCRE2 puts a NUL after it. */
		if (room > EXPRESSION_MAX_NAME)
			room = EXPRESSION_MAX_NAME + 1;
		out->text = heap_grow(out->text, &out->capacity, out->len + room, 1);
		used = room;
		limit_match(expression, 0);
		n = pcre2_substitute(expression->code, (PCRE2_SPTR)(len ? name : ""), len, 0,
				     options, expression->match, expression->matching,
				     (PCRE2_SPTR)expression->replacement.text,
				     expression->replacement.len,
				     (PCRE2_UCHAR *)out->text + out->len, &used);
		if (n == PCRE2_ERROR_NOMEMORY && room > EXPRESSION_MAX_NAME)
			return profile_error_set(error, PROFILE_RANGE,
						 "makes a name of more than 1 MiB");
	}
	if (n < 0)
		return profile_error_set(
			error, PROFILE_RANGE,
			"tries too many ways to match: expected a simpler expression");
	*matched = n > 0;
	if (*matched)
		out->len += used;
	return PROFILE_OK;
}
