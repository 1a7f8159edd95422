/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A name is cut at "'" outside of brackets; each piece goes through the steps
 * in the order of the flags, from one buffer to another.
 */
#define _GNU_SOURCE /* memmem */
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
 * What GCC and LLVM append, with a number or without, to the name of a function that they copied
 * or cut.  lto_priv is no copy: a static function, of another file than its siblings.
 */
static const char *const clone_words[] = {
	"constprop",  "isra",  "part",      "cold",   "lto_priv",    "argprom", "argelim",
	"localalias", "clone", "simdclone", "__part", "specialized", "memprof", "retelim",
};

/*
 * What LLVM appends to static functions of different modules that may have one name, with a
 * number that depends on the module's path.  A number without a word is of
 * nested functions in GCC, and in LLVM of whatever else has the name: helper and
 * helper.3 are static functions of two files.  Neither here nor above are functions of their own: "_omp_fn"
 * (a parallel region), "actor", "resume", "destroy" (of a coroutine), "resolver", "default",
 * "avx2" (a choice of the program's author).
 */
static const char *const module_words[] = { "llvm", "__uniq" };

static bool is_one_of(const char *const *words, size_t n, const char *word, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0)
			return true;
	return false;
}

static bool is_clone_word(const char *word, size_t len)
{
	return is_one_of(clone_words, sizeof(clone_words) / sizeof(clone_words[0]), word, len);
}

static bool is_module_word(const char *word, size_t len)
{
	return is_one_of(module_words, sizeof(module_words) / sizeof(module_words[0]), word, len);
}

/* Where the last component of a text begins, its dot; 0 if there is none. */
static size_t last_dot(const char *text, size_t len)
{
	while (len > 0 && is_word(text[len - 1]))
		len--;
	return len > 0 && text[len - 1] == '.' ? len - 1 : 0;
}

/* True if a component is a number; those of modules are also written as "9D1C9369". */
static bool is_number(const char *text, size_t len, bool of_module)
{
	for (size_t i = 0; i < len; i++)
		if (!is_digit(text[i]) && !(of_module && text[i] >= 'A' && text[i] <= 'F'))
			return false;
	return len > 0;
}

/* The length of a text without the suffix at its end, ".WORD" or ".WORD.N"; len if it has none. */
static size_t without_suffix(const char *text, size_t len, unsigned flags)
{
	size_t dot = last_dot(text, len);
	size_t word = last_dot(text, dot);
	bool of_module = word > 0 && is_module_word(text + word + 1, dot - word - 1);

	if (dot == 0 || text[0] == '.')
		return len;
	if (is_clone_word(text + dot + 1, len - dot - 1))
		return flags & SYMBOLNAME_CLONES ? dot : len;
	if (is_module_word(text + dot + 1, len - dot - 1))
		return flags & SYMBOLNAME_NUMBERS ? dot : len;
	if (!is_number(text + dot + 1, len - dot - 1, of_module))
		return len;
	if (word > 0 && is_clone_word(text + word + 1, dot - word - 1))
		return flags & SYMBOLNAME_CLONES ? word : len;
	return flags & SYMBOLNAME_NUMBERS ? dot : len;
}

static size_t without_suffixes(const char *text, size_t len, unsigned flags)
{
	for (;;) {
		size_t shorter = without_suffix(text, len, flags);

		if (shorter == len)
			return len;
		len = shorter;
	}
}

/* f(int) [clone .part.0] [clone .cold] */
static bool drop_clone(struct name_span *name, unsigned flags)
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
	if (name->start[at] != '.' ||
	    without_suffixes(name->start + at - 1, name->len - at, flags) != 1)
		return false;
	name->len = at - begin;
	return true;
}

static void drop_clones(struct name_span *name, unsigned flags)
{
	while (drop_clone(name, flags))
		;
	/* "memcpy@@GLIBC_2.14" ends in a version. */
	if (!memchr(name->start, '@', name->len))
		name->len = without_suffixes(name->start, name->len, flags);
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

/* Closures of the legacy scheme have no numbers; those of one function differ in their hash. */
static bool has_closure(const char *text, size_t len)
{
	static const char closure[] = "{{closure}}";

	return len > 0 && memmem(text, len, closure, sizeof(closure) - 1);
}

/* Adds a name without the hashes of its crates. */
static void add_without_crates(const struct name_span *name, struct bytes *out)
{
	for (size_t i = 0; i < name->len; i++) {
		if (name->start[i] == '[')
			i += crate_hash(name, i);
		else if (name->start[i] == ':')
			i += constant_type(name, i);
		bytes_add_char(out, name->start[i]);
	}
}

/* Adds a name of Rust without its hashes; false if it has none: then that is what was added. */
static bool add_rust(const struct name_span *name, unsigned flags, struct bytes *out)
{
	const size_t hash = sizeof("::h0123456789abcdef") - 1, digits = 16;
	const size_t before = out->len;
	struct name_span left = *name;
	const char *kept = NULL; /* the hash that a closure keeps, from its "h" on */

	if (rustname_demangle(name->start, name->len, out)) {
		if (name->start[1] == 'Z') /* ...17h0123456789abcdefE */
			kept = name->start + name->len - 2 - digits;
	} else {
		if (left.len > hash && memcmp(left.start + left.len - hash, "::h", 3) == 0 &&
		    is_hex(left.start + left.len - digits, digits)) {
			left.len -= hash;
			kept = left.start + left.len + 2;
		}
		/* Demangled as if it were C++: the escapes are still there. */
		if (!kept || !rustname_unescape(left.start, left.len, out))
			add_without_crates(&left, out);
		if (!kept)
			return out->len - before < name->len;
	}
	if (kept && !(flags & SYMBOLNAME_NUMBERS) && !out->failed &&
	    has_closure(out->text + before, out->len - before)) {
		bytes_add_text(out, "::");
		bytes_add(out, kept, 1 + digits);
	}
	return true;
}

/* A name of Rust is one function whatever module it is in: what LLVM appends goes, too. */
static void add_without_hashes(const struct name_span *name, unsigned flags, struct bytes *out)
{
	struct name_span left = *name;

	drop_clones(&left, SYMBOLNAME_NUMBERS);
	if (!add_rust(&left, flags, out) && left.len < name->len) {
		out->len -= left.len;
		bytes_add(out, name->start, name->len);
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
	drop_clones(&piece, flags);
	if (flags & SYMBOLNAME_HASHES) {
		add_without_hashes(&piece, flags, &buffers[used]);
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
