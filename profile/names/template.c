/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two passes: fold_arguments() makes "<>" of lists, add_own_name() takes from
 * that what stands outside of brackets, between the blank behind the type of the
 * result and the parameters.  Function-local names have several parameter lists:
 * "void f<>(int)::{lambda(char)}::operator()(char) const" is "f<>::{lambda(char)}::operator()".
 */
#include "profile/names/template.h"

#include <stdint.h>
#include <string.h>

enum { MAX_DEPTH = 256 };

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || c == '_' || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool begins_with(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(text, word, n) == 0;
}

/* Whether a word stands at a place, and not in a longer one. */
static bool is_whole_word(const char *name, size_t len, size_t at, const char *word)
{
	size_t end = at + strlen(word);

	return begins_with(name + at, len - at, word) && (at == 0 || !is_word(name[at - 1])) &&
	       (end == len || !is_word(name[end]));
}

size_t template_operator(const char *name, size_t len, size_t at)
{
	/* Of those that begin alike, longer ones first. */
	static const char *const symbols[] = {
		" new[]", " delete[]", " new", " delete", " co_await", "<=>", "<<=", ">>=", "->*",
		"()",     "[]",        "<<",   ">>",      "<=",        ">=",  "->",  "<",   ">",
		"==",     "!=",        "+=",   "-=",      "*=",        "/=",  "%=",  "^=",  "&=",
		"|=",     "&&",        "||",   "++",      "--",        "=",   "!",   "+",   "-",
		"*",      "/",         "%",    "^",       "&",         "|",   "~",   ",",
	};
	const size_t word = sizeof("operator") - 1;

	if (name[at] != 'o' || !is_whole_word(name, len, at, "operator"))
		return 0;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		size_t end = at + word + strlen(symbols[i]);

		/* "operator newer" is to a type. */
		if (begins_with(name + at + word, len - at - word, symbols[i]) &&
		    (end == len || !is_word(name[end - 1]) || !is_word(name[end])))
			return end - at;
	}
	return 0;
}

/* -- brackets -------------------------------------------------------------- */

/* Brackets that are open. */
struct brackets {
	char open[MAX_DEPTH];
	size_t depth;
};

/* Steps over one bracket; false: it closes what is not open, or there are too many. */
static bool step(struct brackets *brackets, const char *name, size_t at)
{
	static const char opening[] = "(<[{", closing[] = ")>]}";
	const char *found;
	char c = name[at];

	if (!c)
		return true;
	if (strchr(opening, c)) {
		if (brackets->depth == MAX_DEPTH)
			return false;
		brackets->open[brackets->depth++] = c;
		return true;
	}
	found = strchr(closing, c);
	if (!found)
		return true;
	/* "->", and ">" of an expression in parentheses. */
	if (c == '>' && ((at > 0 && name[at - 1] == '-') || brackets->depth == 0 ||
			 brackets->open[brackets->depth - 1] != '<'))
		return brackets->depth > 0 || (at > 0 && name[at - 1] == '-');
	/* "<" of an expression was taken for a bracket. */
	while (c != '>' && brackets->depth > 0 && brackets->open[brackets->depth - 1] == '<')
		brackets->depth--;
	if (brackets->depth == 0 || brackets->open[brackets->depth - 1] != opening[found - closing])
		return false;
	brackets->depth--;
	return true;
}

/* The place of the bracket that closes the one at a place; len if there is none. */
static size_t closing_bracket(const char *name, size_t len, size_t at)
{
	struct brackets brackets = { .depth = 0 };

	for (size_t i = at; i < len; i++) {
		size_t skipped = template_operator(name, len, i);

		if (skipped > 0) {
			i += skipped - 1;
			continue;
		}
		if (!step(&brackets, name, i))
			return len;
		if (brackets.depth == 0)
			return i;
	}
	return len;
}

/* -- arguments ------------------------------------------------------------- */

/* Whether "<" at a place opens arguments, not <T as Trait> and the like. */
static bool is_argument_list(const char *name, size_t len, size_t at)
{
	const char *inside = name + at + 1;
	size_t n = len - at - 1;

	if (at == 0)
		return false;
	if (name[at - 1] == ':')
		return !begins_with(inside, n, "impl ") && !begins_with(inside, n, "lambda") &&
		       !begins_with(inside, n, "unnamed");
	return is_word(name[at - 1]) || name[at - 1] == ']' || name[at - 1] == '}';
}

/* Replaces the arguments at a place by "<>"; returns where they end, len if they do not. */
static size_t fold_list(const char *name, size_t len, size_t at, struct bytes *out)
{
	size_t end = closing_bracket(name, len, at);

	/* Rust's f::<T> is f<T> in older names. */
	if (name[at - 1] == ':' && out->len >= 2)
		out->len -= 2;
	bytes_add_text(out, "<>");
	return end;
}

/* False if brackets do not match. */
static bool fold_arguments(const char *name, size_t len, struct bytes *out)
{
	struct brackets brackets = { .depth = 0 };
	size_t after_operator = SIZE_MAX; /* the place there */

	for (size_t i = 0; i < len; i++) {
		size_t n = template_operator(name, len, i);

		if (n > 0) {
			bytes_add(out, name + i, n);
			i += n - 1;
			/* "operator< <int>": the blank keeps the two apart. */
			after_operator = i + 1 < len && name[i + 1] == ' ' ? i + 2 : i + 1;
			continue;
		}
		if (name[i] == '<' && (i == after_operator || is_argument_list(name, len, i))) {
			i = fold_list(name, len, i, out);
			if (i == len)
				return false;
			continue;
		}
		if (!step(&brackets, name, i))
			return false;
		bytes_add_char(out, name[i]);
	}
	return brackets.depth == 0;
}

/* -- the name without its signature ---------------------------------------- */

/* What is known of a name while it is gone through; text is folded. */
struct signature {
	const char *text;
	size_t len;
	struct bytes *out;
	size_t begin;        /* of the name, or of what comes behind parameters */
	bool has_parameters; /* some were seen */
	bool has_arguments;  /* "<>", in the name */
	bool converts;       /* behind "operator", up to the parameters */
};

/* Behind parameters: where "const", "&" and the like end. */
static size_t skip_qualifiers(const struct signature *name, size_t at)
{
	static const char *const words[] = { " const",    " volatile", " restrict",
					     " noexcept", " &&",       " &" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (begins_with(name->text + at, name->len - at, words[i])) {
			at += strlen(words[i]);
			i = (size_t)-1;
		}
	}
	return at;
}

/* What demanglers put before the name that something was made for. */
static size_t prefix_length(const char *text, size_t len)
{
	static const char *const prefixes[] = {
		"non-virtual thunk to ",
		"virtual thunk to ",
		"covariant return thunk to ",
		"TLS init function for ",
		"TLS wrapper function for ",
		"guard variable for ",
		"typeinfo for ",
		"typeinfo name for ",
		"vtable for ",
		"VTT for ",
		"transaction clone for ",
		"non-transaction clone for ",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (begins_with(text, len, prefixes[i]))
			return strlen(prefixes[i]);
	return 0;
}

/* At a parenthesis outside of others.  Moves *at to its last byte; false: not understood. */
static bool take_parentheses(struct signature *name, size_t *at)
{
	static const char anonymous[] = "(anonymous namespace)";
	const char *text = name->text;
	size_t end = closing_bracket(text, name->len, *at);
	size_t before = *at;

	if (end == name->len)
		return false;
	if (begins_with(text + *at, name->len - *at, anonymous)) {
		*at = end;
		return true;
	}
	before -= before > 0 && text[before - 1] == ' ';
	if (before >= 8 && is_whole_word(text, before, before - 8, "decltype")) {
		*at = end;
		return true;
	}
	/* A result that is a pointer to a function: void (*f<int>(int))(char). */
	if (*at == name->begin && !name->has_parameters)
		return false;
	bytes_add(name->out, text + name->begin, *at - name->begin);
	name->has_parameters = true;
	name->converts = false;
	name->begin = skip_qualifiers(name, end + 1);
	*at = name->begin - 1;
	/* The name goes on in the function, or has ended. */
	return name->begin == name->len ||
	       begins_with(text + name->begin, name->len - name->begin, "::") ||
	       begins_with(text + name->begin, name->len - name->begin, " [clone ");
}

/* Adds the name without what is around it; false if it has no arguments, or is not understood. */
static bool add_own_name(const char *text, size_t len, struct bytes *out)
{
	struct signature name = { .text = text, .len = len, .out = out };
	const size_t before = out->len;
	struct brackets brackets = { .depth = 0 };
	size_t prefix = prefix_length(text, len);
	bool good = true;

	bytes_add(out, text, prefix);
	name.begin = prefix;
	for (size_t i = prefix; i < len && good; i++) {
		size_t n = template_operator(text, len, i);
		bool outside = brackets.depth == 0;

		if (n > 0) {
			i += n - 1;
			if (begins_with(text + i + 1, len - i - 1, " <>"))
				i++;
		} else if (outside && is_whole_word(text, len, i, "operator")) {
			name.converts = true;
		} else if (outside && text[i] == '(') {
			good = take_parentheses(&name, &i);
		} else if (outside && text[i] == ' ' && !name.converts && !name.has_parameters) {
			name.begin = i + 1;
			name.has_arguments = false;
		} else if (outside && begins_with(text + i, len - i, "<>")) {
			name.has_arguments = true;
			i++;
		} else {
			good = step(&brackets, text, i);
		}
	}
	if (good && name.has_arguments) {
		bytes_add(out, text + name.begin, len - name.begin);
		return true;
	}
	out->len = before;
	return false;
}

void template_fold(const char *name, size_t len, struct bytes *out)
{
	struct bytes folded;

	if (len == 0 || !memchr(name, '<', len)) {
		bytes_add(out, name, len);
		return;
	}
	bytes_init(&folded, out->env);
	if (!fold_arguments(name, len, &folded)) {
		bytes_add(out, name, len);
	} else if (folded.failed) {
		out->failed = true;
	} else if (!add_own_name(folded.text, folded.len, out)) {
		bytes_add(out, folded.text, folded.len);
	}
	if (folded.failed)
		out->failed = true;
	bytes_release(&folded);
}
