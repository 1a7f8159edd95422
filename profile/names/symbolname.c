/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A name is cut at "'" outside of brackets; each piece goes through the steps
 * in the order of the flags, from one buffer to another.
 */
#include "profile/names/symbolname.h"

#include <string.h>

#include "profile/names/rustname.h"
#include "profile/names/template.h"

struct name_span {
	const char *start;
	size_t len;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool ends_with(const struct name_span *text, const char *end)
{
	size_t len = strlen(end);

	return text->len >= len && memcmp(text->start + text->len - len, end, len) == 0;
}

/* -- clones ---------------------------------------------------------------- */

/*
 * What GCC and LLVM append to the name of a function that they copied, cut or
 * renamed.  Not here are functions of their own: "_omp_fn" (a parallel region),
 * "actor", "resume", "destroy" (of a coroutine), "resolver", "default", "avx2" (a choice
 * of the program's author).
 */
static const char *const clone_words[] = {
	"constprop",  "isra",        "part",      "cold",    "lto_priv",
	"localalias", "clone",       "simdclone", "llvm",    "__uniq",
	"__part",     "specialized", "argprom",   "argelim", "retelim",
};

static bool is_clone_word(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(clone_words) / sizeof(clone_words[0]); i++)
		if (strlen(clone_words[i]) == len && memcmp(clone_words[i], word, len) == 0)
			return true;
	return false;
}

/* Where the last component of a text begins, its dot; 0 if there is none. */
static size_t last_dot(const char *text, size_t len)
{
	while (len > 0 && is_word(text[len - 1]))
		len--;
	return len > 0 && text[len - 1] == '.' ? len - 1 : 0;
}

/* Whether the component behind a dot is a number, or of ".llvm.9D1C9369". */
static bool is_number(const char *text, size_t len, size_t dot)
{
	static const char llvm[] = ".llvm";
	const size_t n = sizeof(llvm) - 1;
	bool hex = dot >= n && memcmp(text + dot - n, llvm, n) == 0;

	for (size_t i = dot + 1; i < len; i++)
		if (!is_digit(text[i]) && !(hex && text[i] >= 'A' && text[i] <= 'F'))
			return false;
	return dot + 1 < len;
}

/* How many of the len bytes are left without components at the end that are known or numbers. */
static size_t without_suffixes(const char *text, size_t len)
{
	for (;;) {
		size_t dot = last_dot(text, len);

		if (dot == 0 || text[0] == '.' ||
		    (!is_number(text, len, dot) && !is_clone_word(text + dot + 1, len - dot - 1)))
			return len;
		len = dot;
	}
}

/* f(int) [clone .part.0] [clone .cold] */
static bool drop_clone(struct name_span *name)
{
	static const char before[] = " [clone ";
	const size_t begin = sizeof(before) - 1;
	size_t at = name->len;

	if (!ends_with(name, "]"))
		return false;
	while (at > 0 && name->start[at - 1] != ' ')
		at--;
	if (at <= begin || memcmp(name->start + at - begin, before, begin) != 0)
		return false;
	/* The blank stands for the name that the suffixes are of. */
	if (name->start[at] != '.' || without_suffixes(name->start + at - 1, name->len - at) != 1)
		return false;
	name->len = at - begin;
	return true;
}

static void drop_clones(struct name_span *name)
{
	while (drop_clone(name))
		;
	/* "memcpy@@GLIBC_2.14" ends in a version. */
	if (!memchr(name->start, '@', name->len))
		name->len = without_suffixes(name->start, name->len);
}

/* -- hashes ---------------------------------------------------------------- */

static bool is_hex(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_digit(text[i]) && !(text[i] >= 'a' && text[i] <= 'f'))
			return false;
	return len > 0;
}

/* The length of a crate's hash at "[" with what encloses it; 0 if it is none. */
static size_t crate_hash(const struct name_span *name, size_t at)
{
	const char *start = name->start + at;
	size_t left = name->len - at;
	const char *end = memchr(start, ']', left < 18 ? left : 18);
	size_t len;

	if (!end || at == 0 || !is_word(start[-1]))
		return 0;
	len = (size_t)(end - start) + 1;
	if (!is_hex(start + 1, len - 2))
		return 0;
	return left >= len + 2 && memcmp(end + 1, "::", 2) == 0 ? len : 0;
}

/* The length of ": usize" and the like behind a constant, with which the hashes are shown; or 0. */
static size_t constant_type(const struct name_span *name, size_t at)
{
	static const char *const types[] = { "i8",  "i16", "i32", "i64",  "i128",  "isize", "u8",
					     "u16", "u32", "u64", "u128", "usize", "bool",  "char" };
	const char *start = name->start + at;

	if (name->len - at < 2 || start[1] != ' ')
		return 0;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		size_t len = 2 + strlen(types[i]);

		if (name->len - at > len && memcmp(start + 2, types[i], len - 2) == 0 &&
		    strchr(",>]", start[len]) && start[len])
			return len;
	}
	return 0;
}

static void add_without_hashes(const struct name_span *name, struct bytes *out)
{
	const size_t hash = sizeof("::h0123456789abcdef") - 1;
	struct name_span left = *name;

	if (rustname_demangle(name->start, name->len, out))
		return;
	if (left.len > hash && memcmp(left.start + left.len - hash, "::h", 3) == 0 &&
	    is_hex(left.start + left.len - 16, 16)) {
		left.len -= hash;
		/* Demangled as if it were C++: the escapes are still there. */
		if (rustname_unescape(left.start, left.len, out))
			return;
	}
	for (size_t i = 0; i < left.len; i++) {
		if (left.start[i] == '[')
			i += crate_hash(&left, i);
		else if (left.start[i] == ':')
			i += constant_type(&left, i);
		bytes_add_char(out, left.start[i]);
	}
}

/* -- numbers --------------------------------------------------------------- */

static size_t count_digits(const struct name_span *name, size_t at)
{
	size_t n = 0;

	while (at + n < name->len && is_digit(name->start[at + n]))
		n++;
	return n;
}

enum { MAX_NUMBERS = 64 }; /* bytes; keeps the time for odd names linear */

/* How many bytes of a number, with its "#", go behind a place; 0 if it is none. */
static size_t anonymous_number(const struct name_span *name, size_t at)
{
	const char *start = name->start + at;
	size_t digits, n = 0;

	while (n < MAX_NUMBERS && start[n] == '#' && count_digits(name, at + n + 1) > 0) {
		n += 1 + count_digits(name, at + n + 1);
		if (at + n == name->len)
			return 0;
	}
	if (n > 0)
		return start[n] == '}' ? n : 0;
	/* clang's $_0; a "$" before it would be a word's. */
	if (start[0] == '_' || at < 2 || memcmp(start - 2, "$_", 2) != 0 ||
	    (at > 2 && is_word(start[-3])))
		return 0;
	digits = count_digits(name, at);
	return at + digits < name->len && is_word(start[digits]) ? 0 : digits;
}

static void add_without_numbers(const struct name_span *name, struct bytes *out)
{
	for (size_t i = 0; i < name->len;) {
		size_t n = anonymous_number(name, i);

		if (n == 0)
			bytes_add_char(out, name->start[i++]);
		i += n;
	}
}

/* What LLVM's demangler has between "'" for a lambda or a type without name: 'lambda0'. */
static size_t quoted_number(const struct name_span *piece)
{
	static const char *const words[] = { "lambda", "unnamed", "block-literal" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t len = strlen(words[i]);

		if (piece->len > len && memcmp(piece->start, words[i], len) == 0 &&
		    count_digits(piece, len) == piece->len - len)
			return piece->len - len;
	}
	return 0;
}

/* -- the whole ------------------------------------------------------------- */

static void fold_piece(struct name_span piece, unsigned flags, struct bytes *out)
{
	struct bytes buffers[2];
	unsigned used = 0;

	if (piece.len == 0)
		return;
	bytes_init(&buffers[0], out->env);
	bytes_init(&buffers[1], out->env);
	if (flags & SYMBOLNAME_CLONES)
		drop_clones(&piece);
	if (flags & SYMBOLNAME_HASHES) {
		add_without_hashes(&piece, &buffers[used]);
		piece = (struct name_span){ buffers[used].text, buffers[used].len };
		used++;
	}
	if (flags & SYMBOLNAME_NUMBERS) {
		add_without_numbers(&piece, &buffers[used]);
		piece = (struct name_span){ buffers[used].text, buffers[used].len };
	}
	if (buffers[0].failed || buffers[1].failed)
		out->failed = true;
	else if (flags & SYMBOLNAME_TEMPLATES)
		template_fold(piece.start, piece.len, out);
	else
		bytes_add(out, piece.start, piece.len);
	bytes_release(&buffers[0]);
	bytes_release(&buffers[1]);
}

static bool is_arrow(const char *text, size_t at)
{
	return text[at] == '>' && at > 0 && text[at - 1] == '-';
}

/* The length of the piece that a text begins with: up to a "'" outside of brackets. */
static size_t piece_length(const char *text, size_t len)
{
	size_t depth = 0;

	for (size_t i = 0; i < len; i++) {
		size_t operator_len = template_operator(text, len, i);

		if (operator_len > 0)
			i += operator_len - 1;
		else if (text[i] && strchr("<({[", text[i]))
			depth++;
		else if (text[i] && strchr(")}]>", text[i]) && depth > 0 && !is_arrow(text, i))
			depth--;
		else if (text[i] == '\'' && depth == 0)
			return i;
	}
	return len;
}

void symbolname_fold(const char *name, size_t len, unsigned flags, struct bytes *out)
{
	bool quoted = false; /* between two of "'" */

	for (;;) {
		struct name_span piece = { name, piece_length(name, len) };
		bool ends = piece.len == len;

		if (quoted && !ends && flags & SYMBOLNAME_NUMBERS)
			bytes_add(out, name, piece.len - quoted_number(&piece));
		else
			fold_piece(piece, flags, out);
		if (ends)
			return;
		bytes_add_char(out, '\'');
		quoted = true;
		name += piece.len + 1;
		len -= piece.len + 1;
	}
}
