/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A name is cut at "'" outside of brackets; each piece goes through the steps
 * in the order of the flags, from one buffer to another.  Mangled names of Rust are libiberty's to demangle,
 * as in Valgrind and c++filt.
 */
#define _GNU_SOURCE /* memmem */
#include "profile/names/symbolname.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "profile/common/scan.h"

struct name_span {
	const char *start;
	size_t len;
};

static bool is_word(char c)
{
	return scan_is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
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

/* True if a component is a number; in modules they are also written as "9D1C9369". */
static bool is_number(const char *text, size_t len, bool of_module)
{
	for (size_t i = 0; i < len; i++)
		if (!scan_is_digit(text[i]) && !(of_module && text[i] >= 'A' && text[i] <= 'F'))
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

	if (name->len == 0 || name->start[name->len - 1] != ']')
		return false;
	while (at > 0 && name->start[at - 1] != ' ')
		at--;
	if (at <= begin || memcmp(name->start + at - begin, before, begin) != 0)
		return false;
	/* The blank is in place of the name that the suffixes are of. */
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
		if (!scan_is_digit(text[i]) && !(text[i] >= 'a' && text[i] <= 'f'))
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

/* The length of ": usize" and the like after a constant, with which the hashes are shown; or 0. */
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

/* -- Rust ------------------------------------------------------------------ */

enum {
	MAX_RUST_NAME = 64 * 1024, /* bytes, mangled or not */
	MAX_RUST_STEPS = 1 << 26,  /* about 0.5 s */
};

struct rust_demangling {
	struct bytes *out;
	size_t max_len, pieces_left;
	jmp_buf give_up;
};

/*
 * libiberty calls back for each piece and cannot be told to stop, while back references make names of
 * exponential length.  Only a piece that it decoded (Punycode) is in memory of its own: that one is never the last.
 */
static void add_piece(const char *text, size_t len, void *ctx)
{
	struct rust_demangling *demangling = ctx;
	bool is_ascii = true;

	bytes_add(demangling->out, text, len);
	if (demangling->pieces_left > 0)
		demangling->pieces_left--;
	for (size_t i = 0; i < len; i++)
		is_ascii &= (unsigned char)text[i] < 0x80;
	if (is_ascii &&
	    (demangling->pieces_left == 0 || demangling->out->len > demangling->max_len))
		longjmp(demangling->give_up, 1);
}

static bool demangle(const char *name, struct rust_demangling *demangling)
{
	if (setjmp(demangling->give_up))
		return false;
	return rust_demangle_callback(name, 0, add_piece, demangling);
}

/*
 * Steps between two pieces at most.  Bound lifetimes, for<'a, 'b, ...>, are counted one by one, also where nothing is
 * printed, and their number can have any digits of base 62: "FGzzzz_".  (Or it is within an identifier: a number too high.)
 */
static size_t steps_of(const char *name, size_t len)
{
	size_t steps = len;

	for (size_t i = 1; i < len; i++) {
		size_t at = i + 1, number = 0;

		if (name[i] != 'G' || (name[i - 1] != 'F' && name[i - 1] != 'D'))
			continue;
		for (; at < len && is_word(name[at]) && name[at] != '_'; at++)
			if (number <= MAX_RUST_STEPS)
				number = number * 62 + 62;
		if (at < len && name[at] == '_' && steps <= MAX_RUST_STEPS)
			steps += number;
	}
	return steps;
}

/*
 * Adds the path that a name means, _RNv... or _ZN...17h0123456789abcdefE; false, and out as it was,
 * if it is no such name or would take too long.
 */
static bool add_demangled(const struct name_span *name, struct bytes *out)
{
	const bool is_v0 = name->len > 2 && memcmp(name->start, "_R", 2) == 0;
	const bool is_legacy = name->len > 3 && memcmp(name->start, "_ZN", 3) == 0 &&
			       name->start[name->len - 1] == 'E';
	const size_t before = out->len;
	struct rust_demangling demangling = { .out = out, .max_len = before + MAX_RUST_NAME };
	struct bytes copy;
	bool good;

	/* A suffix that is left, ".part.0", is kept. */
	if (name->len > MAX_RUST_NAME || memchr(name->start, '\0', name->len) ||
	    (is_v0 ? memchr(name->start, '.', name->len) != NULL : !is_legacy))
		return false;
	demangling.pieces_left = MAX_RUST_STEPS / steps_of(name->start, name->len);
	if (demangling.pieces_left == 0)
		return false;
	bytes_init(&copy);
	bytes_add(&copy, name->start, name->len);
	bytes_add_char(&copy, '\0');
	good = demangle(copy.text, &demangling) && out->len > before;
	bytes_release(&copy);
	if (!good)
		out->len = before;
	return good;
}

/*
 * Adds a legacy path whose escapes are still there, as a demangler of C++ leaves them:
 * _$LT$T$u20$as$u20$core..fmt..Debug$GT$::fmt is <T as core::fmt::Debug>::fmt.  It is mangled again for that, with any hash.
 * False, and out as it was, if it has none or is no such path.
 */
static bool add_unescaped(const struct name_span *name, struct bytes *out)
{
	const char *at = name->start, *end = name->start + name->len;
	struct bytes mangled;
	bool good;

	if (name->len == 0 || !memchr(name->start, '$', name->len))
		return false;
	bytes_init(&mangled);
	bytes_add_text(&mangled, "_ZN");
	for (good = true; good && at < end;) {
		const char *colons = memmem(at, (size_t)(end - at), "::", 2);
		size_t len = (size_t)((colons ? colons : end) - at);
		char digits[24];

		bytes_add(&mangled, digits, (size_t)snprintf(digits, sizeof(digits), "%zu", len));
		bytes_add(&mangled, at, len);
		good = len > 0 && !scan_is_digit(at[0]) && (!colons || colons + 2 < end);
		at = colons ? colons + 2 : end;
	}
	bytes_add_text(&mangled, "17h0123456789abcdefE");
	good = good && add_demangled(&(struct name_span){ mangled.text, mangled.len }, out);
	bytes_release(&mangled);
	return good;
}

/* Adds a name of Rust without its hashes; false if it has none: then that is what was added. */
static bool add_rust(const struct name_span *name, unsigned flags, struct bytes *out)
{
	static const char closure[] = "{{closure}}";
	const size_t hash = sizeof("::h0123456789abcdef") - 1, digits = 16;
	const size_t before = out->len;
	struct name_span left = *name;
	const char *kept = NULL; /* the hash that a closure keeps, from its "h" on */

	if (add_demangled(name, out)) {
		if (name->start[1] == 'Z') /* ...17h0123456789abcdefE */
			kept = name->start + name->len - 2 - digits;
	} else {
		if (left.len > hash && memcmp(left.start + left.len - hash, "::h", 3) == 0 &&
		    is_hex(left.start + left.len - digits, digits)) {
			left.len -= hash;
			kept = left.start + left.len + 2;
		}
		/* Demangled as if it were C++: the escapes are still there. */
		if (!kept || !add_unescaped(&left, out)) {
			/* Without the hashes of crates. */
			for (size_t i = 0; i < left.len; i++) {
				if (left.start[i] == '[')
					i += crate_hash(&left, i);
				else if (left.start[i] == ':')
					i += constant_type(&left, i);
				bytes_add_char(out, left.start[i]);
			}
		}
		if (!kept)
			return out->len - before < name->len;
	}
	/* Closures of the legacy scheme have no numbers; in one function they differ by their hash. */
	if (kept && !(flags & SYMBOLNAME_NUMBERS) && out->len > before &&
	    memmem(out->text + before, out->len - before, closure, sizeof(closure) - 1)) {
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

	while (at + n < name->len && scan_is_digit(name->start[at + n]))
		n++;
	return n;
}

enum { MAX_NUMBERS = 64 }; /* bytes; keeps the time for odd names linear */

/* How many bytes of a number, with its "#", go after a place; 0 if it is none. */
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

/* -- templates ------------------------------------------------------------- */

enum { MAX_DEPTH = 256 };

/* Of a name in UTF-8. */
static bool is_letter(char c)
{
	return is_word(c) || (unsigned char)c >= 0x80;
}

static bool begins_with(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(text, word, n) == 0;
}

/* True if a word is at a place, and not within a longer one. */
static bool is_whole_word(const char *name, size_t len, size_t at, const char *word)
{
	size_t end = at + strlen(word);

	return begins_with(name + at, len - at, word) && (at == 0 || !is_letter(name[at - 1])) &&
	       (end == len || !is_letter(name[end]));
}

/*
 * The length of "operator<<" and the like, whose brackets are not brackets, at a place of a name; 0 if there is none.
 * "operator bool" does not count, nor does a literal's: a word follows 'operator""'.
 */
static size_t operator_length(const char *name, size_t len, size_t at)
{
	/* Longer ones first if they begin alike. */
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
		    (end == len || !is_letter(name[end - 1]) || !is_letter(name[end])))
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
		size_t skipped = operator_length(name, len, i);

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

/* True if "<" at a place opens arguments, not <T as Trait> and the like. */
static bool is_argument_list(const char *name, size_t len, size_t at)
{
	const char *inside = name + at + 1;
	size_t n = len - at - 1;

	if (at == 0)
		return false;
	if (name[at - 1] == ':')
		return !begins_with(inside, n, "impl ") && !begins_with(inside, n, "lambda") &&
		       !begins_with(inside, n, "unnamed");
	return is_letter(name[at - 1]) || name[at - 1] == ']' || name[at - 1] == '}';
}

/* Replaces arguments by "<>"; false if brackets do not match. */
static bool fold_arguments(const char *name, size_t len, struct bytes *out)
{
	struct brackets brackets = { .depth = 0 };
	size_t after_operator = SIZE_MAX; /* the place there */

	for (size_t i = 0; i < len; i++) {
		size_t n = operator_length(name, len, i);

		if (n > 0) {
			bytes_add(out, name + i, n);
			i += n - 1;
			/* "operator< <int>": the blank keeps the two apart. */
			after_operator = i + 1 < len && name[i + 1] == ' ' ? i + 2 : i + 1;
			continue;
		}
		if (name[i] == '<' && (i == after_operator || is_argument_list(name, len, i))) {
			/* Rust's f::<T> is f<T> in older names. */
			if (name[i - 1] == ':' && out->len >= 2)
				out->len -= 2;
			bytes_add_text(out, "<>");
			i = closing_bracket(name, len, i);
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

/* What is known about a name while it is gone through; text is folded. */
struct signature {
	const char *text;
	size_t len;
	struct bytes *out;
	size_t begin;        /* of the name, or of what comes after parameters */
	bool has_parameters; /* some were seen */
	bool has_arguments;  /* "<>", in the name */
	bool converts;       /* after "operator", up to the parameters */
};

/* After parameters: where "const", "&" and the like end. */
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
		size_t n = operator_length(text, len, i);
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

/*
 * Adds a demangled name with "<>" in place of all arguments of templates and generics.  If the name itself had some, what is
 * made of them goes too: the type before it, parameters, and what follows those ("const"):
 *
 *	void sort<int*>(int*, int*)           sort<>
 *	f(std::vector<int> const&)            f(std::vector<> const&)
 *	<Vec<u8> as Write>::write::<u8>       <Vec<> as Write>::write<>
 *
 * Two passes: fold_arguments() makes "<>" of lists, add_own_name() takes from that what is outside of brackets,
 * between the blank after the type of the result and the parameters.  Function-local names have several parameter lists:
 * "void f<>(int)::{lambda(char)}::operator()(char) const" is "f<>::{lambda(char)}::operator()".
 * A name whose brackets do not match is added as it is.
 */
static void fold_templates(const char *name, size_t len, struct bytes *out)
{
	struct bytes folded;

	bytes_init(&folded);
	if (len == 0 || !memchr(name, '<', len) || !fold_arguments(name, len, &folded))
		bytes_add(out, name, len);
	else if (!add_own_name(folded.text, folded.len, out))
		bytes_add(out, folded.text, folded.len);
	bytes_release(&folded);
}

/* -- the whole ------------------------------------------------------------- */

static void fold_piece(struct name_span piece, unsigned flags, struct bytes *out)
{
	struct bytes buffers[2];
	unsigned used = 0;

	if (piece.len == 0)
		return;
	bytes_init(&buffers[0]);
	bytes_init(&buffers[1]);
	drop_clones(&piece, flags);
	if (flags & SYMBOLNAME_HASHES) {
		add_without_hashes(&piece, flags, &buffers[used]);
		piece = (struct name_span){ buffers[used].text, buffers[used].len };
		used++;
	}
	if (flags & SYMBOLNAME_NUMBERS) {
		for (size_t i = 0; i < piece.len;) {
			size_t n = anonymous_number(&piece, i);

			if (n == 0)
				bytes_add_char(&buffers[used], piece.start[i++]);
			i += n;
		}
		piece = (struct name_span){ buffers[used].text, buffers[used].len };
	}
	if (flags & SYMBOLNAME_TEMPLATES)
		fold_templates(piece.start, piece.len, out);
	else
		bytes_add(out, piece.start, piece.len);
	bytes_release(&buffers[0]);
	bytes_release(&buffers[1]);
}

/* The length of the piece that a text begins with: up to a "'" outside of brackets. */
static size_t piece_length(const char *text, size_t len)
{
	size_t depth = 0;

	for (size_t i = 0; i < len; i++) {
		size_t operator_len = operator_length(text, len, i);

		if (operator_len > 0)
			i += operator_len - 1;
		else if (text[i] && strchr("<({[", text[i]))
			depth++;
		else if (text[i] && strchr(")}]>", text[i]) && depth > 0 &&
			 !(text[i] == '>' && text[i - 1] == '-'))
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
