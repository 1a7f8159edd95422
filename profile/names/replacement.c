/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perl applies \U and the like as functions around what follows up to \E, the
 * first one outermost; "\L\u" is taken as "\u\L", and "\U\l" as "\l\U".  Here they are steps between the
 * pieces, and struct casing keeps what is in force; so one inner \u under an \U
 * or \L has no effect, as it has none in Perl.
 */
#include "profile/names/replacement.h"

#include <stdint.h>
#include <string.h>

#include "profile/common/heap.h"

enum item_kind {
	ITEM_LITERAL,
	ITEM_GROUP,
	ITEM_NAMED,
	ITEM_BEFORE,
	ITEM_BEHIND,
	ITEM_CASE, /* number is the letter: U L Q E u l */
};

struct replacement_item {
	enum item_kind kind;
	size_t number; /* group, or beginning of a text in literals */
	size_t len;    /* of that text */
};

enum { MAX_CASES = 10, MAX_GROUP = 65535 };

/* -- case -------------------------------------------------------------------- */

/* What is in force: modes begun and not ended, outermost first, and \u or \l for the next byte. */
struct casing {
	char modes[MAX_CASES];
	size_t n_modes;
	char once; /* 'u', 'l' or 0 */
};

/* The outermost mode of these letters; 0 = none. */
static char mode_of(const struct casing *casing, const char *letters)
{
	for (size_t i = 0; i < casing->n_modes; i++)
		if (strchr(letters, casing->modes[i]))
			return casing->modes[i];
	return 0;
}

static void change_case(struct casing *casing, char letter)
{
	if (letter == 'u' || letter == 'l') {
		if (!casing->once && !mode_of(casing, "UL"))
			casing->once = letter;
		return;
	}
	if (casing->n_modes > 0 && (letter == 'E' || (letter != 'Q' && mode_of(casing, "UL"))))
		casing->n_modes--;
	if (letter != 'E' && casing->n_modes < sizeof(casing->modes))
		casing->modes[casing->n_modes++] = letter;
}

/* -- reading --------------------------------------------------------------- */

struct replacement_parser {
	struct replacement *replacement;
	const char *text;
	size_t len, at;
	struct replacement_fault fault;
	struct casing casing; /* what will be in force here */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char peek(const struct replacement_parser *parser, size_t ahead)
{
	if (ahead >= parser->len - parser->at)
		return '\0';
	return parser->text[parser->at + ahead];
}

static bool fail(struct replacement_parser *parser, size_t at, const char *text)
{
	parser->fault.at = at;
	parser->fault.text = text;
	return false;
}

static bool add_item(struct replacement_parser *parser, enum item_kind kind, size_t number,
		     size_t len)
{
	struct replacement *replacement = parser->replacement;
	void *items = replacement->items;

	if (!heap_reserve(replacement->env, &items, &replacement->capacity,
			  replacement->n_items + 1, sizeof(*replacement->items)))
		return fail(parser, 0, NULL);
	replacement->items = items;
	replacement->items[replacement->n_items++] = (struct replacement_item){ kind, number, len };
	return true;
}

static bool add_literal(struct replacement_parser *parser, char c)
{
	struct replacement *replacement = parser->replacement;
	struct replacement_item *last = replacement->items;
	size_t at = replacement->literals.len;

	bytes_add_char(&replacement->literals, c);
	if (replacement->literals.failed)
		return fail(parser, 0, NULL);
	if (replacement->n_items > 0) {
		last += replacement->n_items - 1;
		if (last->kind == ITEM_LITERAL && last->number + last->len == at) {
			last->len++;
			return true;
		}
	}
	return add_item(parser, ITEM_LITERAL, at, 1);
}

static int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Up to max digits at the place; *n is how many there were.  Values stop at 0x10000. */
static unsigned take_digits(struct replacement_parser *parser, int base, size_t max, size_t *n)
{
	unsigned value = 0;

	for (*n = 0; *n < max && digit_value(peek(parser, 0)) < base; (*n)++) {
		if (value < 0x10000)
			value = value * (unsigned)base + (unsigned)digit_value(peek(parser, 0));
		parser->at++;
	}
	return value;
}

/* A byte by its number: \033, \x1b, and in braces; the place is behind the letter. */
static bool take_number(struct replacement_parser *parser, size_t start, int base, size_t max)
{
	bool braces = peek(parser, 0) == '{';
	unsigned value;
	size_t n;

	if (braces) {
		parser->at++;
		if (peek(parser, 0) == 'U' && peek(parser, 1) == '+')
			parser->at += 2;
		max = SIZE_MAX;
	}
	value = take_digits(parser, base, max, &n);
	if (n == 0)
		return fail(parser, parser->at, "expected the digits of a byte");
	if (braces && peek(parser, 0) != '}')
		return fail(parser, parser->at, "expected a digit or '}'");
	parser->at += braces;
	if (value == 0 || value > 0xff)
		return fail(parser, start, "expected a byte from 1 to 255 (octal 377)");
	return add_literal(parser, (char)value);
}

/* \U and the like; the place is behind the letter. */
static bool take_case(struct replacement_parser *parser, char letter, size_t start)
{
	char once = letter == 'L' ? 'u' : 'l';

	if ((letter == 'L' || letter == 'U') && peek(parser, 0) == '\\' &&
	    peek(parser, 1) == once) {
		parser->at += 2;
		change_case(&parser->casing, once);
		if (!add_item(parser, ITEM_CASE, (size_t)once, 0))
			return false;
	}
	if (letter == 'Q' && mode_of(&parser->casing, "Q"))
		return fail(parser, start, "expected no \\Q within \\Q");
	if (letter != 'E' && parser->casing.n_modes == MAX_CASES)
		return fail(parser, start, "expected less of \\U, \\L and \\Q in each other");
	change_case(&parser->casing, letter);
	return add_item(parser, ITEM_CASE, (size_t)letter, 0);
}

static bool take_control(struct replacement_parser *parser)
{
	char c = peek(parser, 0);

	if (c <= ' ' || c == 0x7f)
		return fail(parser, parser->at, "expected a letter after \\c");
	parser->at++;
	if (c >= 'a' && c <= 'z')
		c = (char)(c - 'a' + 'A');
	c = (char)(c ^ 64);
	return c ? add_literal(parser, c) : fail(parser, parser->at - 1, "a name has no NUL");
}

/* "$1[0]" is an element of an array in Perl. */
static bool is_subscript(const struct replacement_parser *parser)
{
	size_t arrow = peek(parser, 0) == '-' && peek(parser, 1) == '>' ? 2 : 0;

	return peek(parser, arrow) == '[' || peek(parser, arrow) == '{';
}

static bool end_variable(struct replacement_parser *parser, enum item_kind kind, size_t number)
{
	if (is_subscript(parser))
		return fail(parser, parser->at,
			    "expected '\\' before the bracket behind a variable (an array's else)");
	return add_item(parser, kind, number, 0);
}

/* The place is at a backslash. */
static bool take_escape(struct replacement_parser *parser)
{
	static const char letters[] = "tnrfbae", meanings[] = "\t\n\r\f\b\a\033";
	size_t start = parser->at;
	char c = peek(parser, 1);
	const char *found;

	if (start + 1 == parser->len)
		return fail(parser, start, "expected something behind '\\'");
	if (is_digit(c) && c != '0' && !is_digit(peek(parser, 2))) {
		parser->at += 2;
		return end_variable(parser, ITEM_GROUP, (size_t)(c - '0'));
	}
	if (c >= '0' && c <= '7') {
		parser->at++;
		return take_number(parser, start, 8, 3);
	}
	parser->at += 2;
	if (c == 'x')
		return take_number(parser, start, 16, 2);
	if ((c == 'o' || c == 'N') && peek(parser, 0) != '{')
		return fail(parser, parser->at, "expected '{'");
	if (c == 'N' && (peek(parser, 1) != 'U' || peek(parser, 2) != '+'))
		return fail(parser, parser->at + 1, "expected U+ and a number");
	if (c == 'o' || c == 'N')
		return take_number(parser, start, c == 'o' ? 8 : 16, 0);
	if (c == 'c')
		return take_control(parser);
	if (c == 'F')
		return fail(parser, start, "there is no \\F: expected \\L");
	if (c && strchr("ULQEul", c))
		return take_case(parser, c, start);
	found = c ? strchr(letters, c) : NULL;
	if (found)
		c = meanings[found - letters];
	return add_literal(parser, c);
}

/* $+{name}; the place is behind the brace. */
static bool take_name(struct replacement_parser *parser)
{
	struct bytes *literals = &parser->replacement->literals;
	size_t start = parser->at, at = literals->len;

	while (is_word(peek(parser, 0)))
		parser->at++;
	if (parser->at == start || peek(parser, 0) != '}')
		return fail(parser, parser->at, "expected the name of a group and '}'");
	bytes_add(literals, parser->text + start, parser->at - start);
	bytes_add_char(literals, '\0');
	if (literals->failed)
		return fail(parser, 0, NULL);
	parser->at++;
	return end_variable(parser, ITEM_NAMED, at);
}

/* The place is at a dollar. */
static bool take_variable(struct replacement_parser *parser)
{
	size_t start = parser->at++;
	bool braces = peek(parser, 0) == '{';
	size_t number;

	if (peek(parser, 0) == '+' && peek(parser, 1) == '{') {
		parser->at += 2;
		return take_name(parser);
	}
	if (peek(parser, 0) == '`' || peek(parser, 0) == '\'') {
		char c = peek(parser, 0);

		parser->at++;
		/* Perl's old spelling of $main::name. */
		if (c == '\'' && is_word(peek(parser, 0)))
			return fail(parser, parser->at, "expected no letter or digit behind $'");
		return end_variable(parser, c == '`' ? ITEM_BEFORE : ITEM_BEHIND, 0);
	}
	parser->at += braces;
	while (braces && peek(parser, 0) == ' ')
		parser->at++;
	if (peek(parser, 0) == '&') {
		parser->at++;
		number = 0;
	} else {
		char first = peek(parser, 0);
		size_t n;

		number = 0;
		for (n = 0; is_digit(peek(parser, 0)) && number <= MAX_GROUP; n++) {
			number = 10 * number + (size_t)(peek(parser, 0) - '0');
			parser->at++;
		}
		if (n == 0 || first == '0' || number > MAX_GROUP)
			return fail(parser, start,
				    "expected $1, ${1}, $&, $`, $', $+{name}, or '\\' before a "
				    "'$' that stands for itself");
	}
	while (braces && peek(parser, 0) == ' ')
		parser->at++;
	if (braces && peek(parser, 0) != '}')
		return fail(parser, parser->at, "expected '}'");
	parser->at += braces;
	return end_variable(parser, ITEM_GROUP, number);
}

static bool take_one(struct replacement_parser *parser)
{
	char c = peek(parser, 0), next = peek(parser, 1);

	if (c == '\\')
		return take_escape(parser);
	if (c == '$')
		return take_variable(parser);
	if (c == '@' && next && (is_word(next) || strchr(":'{$+-", next)))
		return fail(parser, parser->at, "expected '\\' before '@' (an array else)");
	parser->at++;
	return add_literal(parser, c);
}

/* Between single quotes: only the backslash is escaped. */
static bool take_literal(struct replacement_parser *parser)
{
	if (peek(parser, 0) == '\\' && peek(parser, 1) == '\\')
		parser->at++;
	return add_literal(parser, parser->text[parser->at++]);
}

bool replacement_parse(struct replacement *replacement, const char *text, size_t len,
		       bool literally, struct replacement_fault *fault)
{
	struct replacement_parser parser = { .replacement = replacement, .text = text, .len = len };
	bool good = true;

	while (good && parser.at < len)
		good = literally ? take_literal(&parser) : take_one(&parser);
	*fault = parser.fault;
	return good;
}

void replacement_init(struct replacement *replacement, const struct env *env)
{
	*replacement = (struct replacement){ .env = env };
	bytes_init(&replacement->literals, env);
}

void replacement_release(struct replacement *replacement)
{
	replacement->env->release(replacement->env->ctx, replacement->items);
	bytes_release(&replacement->literals);
	replacement_init(replacement, replacement->env);
}

/* -- replacing ------------------------------------------------------------- */

static char upper(char c)
{
	if (c >= 'a' && c <= 'z')
		c = (char)(c - 'a' + 'A');
	return c;
}

static char lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		c = (char)(c - 'A' + 'a');
	return c;
}

static char change(char c, bool to_upper)
{
	if (to_upper)
		return upper(c);
	return lower(c);
}

static void add_cased(struct casing *casing, const char *text, size_t len, struct bytes *out)
{
	char mode = mode_of(casing, "UL");
	bool quotes = mode_of(casing, "Q");

	if (casing->n_modes == 0 && !casing->once) {
		bytes_add(out, text, len);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (mode)
			c = change(c, mode == 'U');
		if (casing->once)
			c = change(c, casing->once == 'u');
		casing->once = 0;
		if (quotes && !is_word(c))
			bytes_add_char(out, '\\');
		bytes_add_char(out, c);
	}
}

static void add_group(struct casing *casing, const struct replacement_match *match, size_t group,
		      struct bytes *out)
{
	size_t from, to;

	if (group >= match->n)
		return;
	from = match->positions[2 * group];
	to = match->positions[2 * group + 1];
	if (from != (size_t)-1 && to > from)
		add_cased(casing, match->subject + from, to - from, out);
}

void replacement_add(const struct replacement *replacement, const struct replacement_match *match,
		     struct bytes *out)
{
	struct casing casing = { .n_modes = 0 };

	for (size_t i = 0; i < replacement->n_items; i++) {
		const struct replacement_item *item = &replacement->items[i];
		const char *text = replacement->literals.text;

		switch (item->kind) {
		case ITEM_LITERAL:
			add_cased(&casing, text + item->number, item->len, out);
			break;
		case ITEM_GROUP:
			add_group(&casing, match, item->number, out);
			break;
		case ITEM_NAMED: {
			size_t group = match->group_named(match->ctx, text + item->number);

			if (group > 0)
				add_group(&casing, match, group, out);
			break;
		}
		case ITEM_BEFORE:
			add_cased(&casing, match->subject, match->positions[0], out);
			break;
		case ITEM_BEHIND:
			add_cased(&casing, match->subject + match->positions[1],
				  match->len - match->positions[1], out);
			break;
		case ITEM_CASE:
			change_case(&casing, (char)item->number);
			break;
		}
	}
}
