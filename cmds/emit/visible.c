/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/emit/visible.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

/* -- UTF-8 ----------------------------------------------------------------- */

/* No surrogates, and the shortest form only. */
size_t unicode_len(const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;
	static const unsigned char least[] = { 0, 0, 0x80, 0xa0, 0x90 };
	unsigned char c = bytes[0];
	size_t n;

	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4)
		return 0;
	n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (n > len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 || c == 0xf0) && bytes[1] < least[n])
		return 0;
	if ((c == 0xed && bytes[1] > 0x9f) || (c == 0xf4 && bytes[1] > 0x8f))
		return 0;
	return n;
}

bool unicode_is_noncharacter(const char *text, size_t len)
{
	return len == 3 && memcmp(text, "\xef\xbf", 2) == 0 && (unsigned char)text[2] >= 0xbe;
}

/* -- control characters ---------------------------------------------------- */

enum { ESCAPED = 4 }; /* "\x1b" */

/*
 * U+0080 to U+009F are some, too: U+009B begins what ESC [ begins.  Bytes that are no UTF-8 may be a
 * source's older encoding.
 */
size_t visible_control(const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;

	if (bytes[0] < ' ' || bytes[0] == 0x7f)
		return 1;
	return bytes[0] == 0xc2 && len > 1 && bytes[1] >= 0x80 && bytes[1] < 0xa0 ? 2 : 0;
}

static void escape(char *to, char c)
{
	static const char digits[] = "0123456789abcdef";

	to[0] = '\\';
	to[1] = 'x';
	to[2] = digits[(unsigned char)c >> 4];
	to[3] = digits[c & 15];
}

size_t visible_copy(char *buffer, size_t size, const char *text, size_t len)
{
	size_t used = 0, n_control = 0; /* bytes of a control character to come */

	for (size_t i = 0; i < len && used + ESCAPED + 1 <= size; i++) {
		if (n_control == 0)
			n_control = visible_control(text + i, len - i);
		if (n_control == 0) {
			buffer[used++] = text[i];
			continue;
		}
		escape(buffer + used, text[i]);
		used += ESCAPED;
		n_control--;
	}
	buffer[used] = '\0';
	return used;
}

void visible_print(FILE *out, const char *text, size_t len, bool keeps_tabs)
{
	size_t begin = 0, n_control = 0;

	for (size_t i = 0; i < len; i++) {
		char escaped[ESCAPED];

		if (n_control == 0)
			n_control = visible_control(text + i, len - i);
		if (n_control == 0 || (text[i] == '\t' && keeps_tabs)) {
			n_control = 0;
			continue;
		}
		fwrite_unlocked(text + begin, 1, i - begin, out);
		escape(escaped, text[i]);
		fwrite_unlocked(escaped, 1, ESCAPED, out);
		begin = i + 1;
		n_control--;
	}
	fwrite_unlocked(text + begin, 1, len - begin, out);
}

size_t visible_width(const char *text, size_t len)
{
	size_t width = 0;

	for (size_t i = 0; i < len; i++) {
		size_t n = visible_control(text + i, len - i);

		width += n > 0 ? n * ESCAPED : ((unsigned char)text[i] & 0xc0) != 0x80;
		i += n > 0 ? n - 1 : 0;
	}
	return width;
}

void visible_pad(FILE *out, const char *text, size_t width)
{
	size_t len = strlen(text);

	visible_print(out, text, len, false);
	if (len < width)
		fprintf(out, "%*s", (int)(width - len), "");
}

void visible_text(FILE *out, const char *text)
{
	visible_print(out, text, strlen(text), false);
}

bool visible_needs_quote(const char *text, size_t len)
{
	static const char spaces[] = { ' ', '\t', '\r', '\n' };
	static const char operators[] = { '=', '+', '-', '@' };
	size_t i = 0;

	if (len > 0 && text[0] == '\'')
		return true;
	while (i < len && memchr(spaces, text[i], sizeof(spaces)))
		i++;
	return i < len && memchr(operators, text[i], sizeof(operators));
}

bool visible_is_word(const char *text)
{
	return text[0] != '\0' && text[0] != '-' && text[strspn(text, VISIBLE_IN_WORDS)] == '\0';
}

/* -- short names ------------------------------------------------------------ */

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* Ever shorter forms are made, until one fits. */

static const char dots[] = "...";

enum {
	DEEPEST = 2,    /* template arguments within each other that are kept at first */
	LEAST_ROOM = 8, /* for a name */
};

/* How many bytes of a sign that has angles, and is no bracket, are here; 0 = none. */
static size_t sign_length(const char *text, size_t len)
{
	static const char word[] = "operator";
	static const char *const signs[] = { "<=>", "<<=", ">>=", "->*", "<<", ">>",
					     "<=",  ">=",  "->",  "<",   ">" };
	size_t before = 0;

	if (len > sizeof(word) && memcmp(text, word, sizeof(word) - 1) == 0)
		before = sizeof(word) - 1 + (text[sizeof(word) - 1] == ' ');
	else if (len >= 2 && memcmp(text, "->", 2) == 0)
		return 2;
	for (size_t i = 0; before > 0 && i < sizeof(signs) / sizeof(signs[0]); i++)
		if (len - before >= strlen(signs[i]) &&
		    memcmp(text + before, signs[i], strlen(signs[i])) == 0)
			return before + strlen(signs[i]);
	return 0;
}

/* Without template arguments that are nested deeper; what is not balanced stays as it is. */
static void fold_templates(struct bytes *out, const char *name, size_t len, size_t depth)
{
	size_t inside = 0, sign;

	bytes_reset(out);
	for (size_t i = 0; i < len; i += sign) {
		char before = '\0';
		bool is_list;

		if (i > 0)
			before = name[i - 1];
		is_list = isalnum((unsigned char)before) || strchr("_> ", before);
		sign = sign_length(name + i, len - i);
		/* Rust's <T as U>::f is a name. */
		if (sign == 0 && name[i] == '<' && (before == '\0' || !is_list))
			break;
		if (sign == 0 && name[i] == '<') {
			if (inside++ <= depth)
				bytes_add_text(out, inside == depth + 1 ? "<..." : "<");
			sign = 1;
		} else if (sign == 0 && name[i] == '>') {
			if (inside == 0)
				break;
			if (--inside <= depth)
				bytes_add_char(out, '>');
			sign = 1;
		} else {
			sign = sign > 0 ? sign : 1;
			if (inside <= depth)
				bytes_add(out, name + i, sign);
		}
		if (i + sign == len && inside == 0)
			return;
	}
	bytes_reset(out);
	bytes_add(out, name, len);
}

/* Where the list of arguments begins, which is the last one; len if there is not one that is worth folding. */
static size_t find_arguments(const char *name, size_t len)
{
	size_t end = len, depth = 0;

	while (end > 0 && name[end - 1] != ')')
		end--;
	for (size_t i = end; i-- > 1;) {
		depth += name[i] == ')';
		depth -= name[i] == '(';
		if (depth == 0)
			return end - i > 3 && name[i - 1] != ' ' && name[i - 1] != ':' ? i : len;
	}
	return len;
}

/* Where the name itself begins: in an instance of a template, after its return type ("double sum<...>(...)"). */
static size_t find_name(const char *name, size_t arguments)
{
	static const char word[] = "operator";
	const size_t n = sizeof(word) - 1;
	size_t depth = 0;

	for (size_t i = arguments; i-- > 1;) {
		depth += name[i] == ')' || name[i] == '>';
		if ((name[i] == '(' || name[i] == '<') && depth > 0)
			depth--;
		/* Not the one of "operator< <int>", nor of "operator new". */
		if (depth == 0 && name[i] == ' ' && name[i + 1] != '<' &&
		    (i < n || memcmp(name + i - n, word, n) != 0))
			return i + 1;
	}
	return 0;
}

/* The last parts of a name between "::" that is len long; all of it if there are no more. */
static size_t find_parts(const char *name, size_t len, int parts)
{
	size_t depth = 0;

	for (size_t i = len; i > 1; i--) {
		char c = name[i - 1];

		depth += c == ')' || c == '>';
		if ((c == '(' || c == '<') && depth > 0)
			depth--;
		if (depth == 0 && c == ':' && name[i - 2] == ':' && --parts == 0)
			return i;
	}
	return 0;
}

/* Bytes of a character are not torn apart. */
static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static void cut_middle(struct bytes *out, const char *name, size_t len, size_t room)
{
	size_t head = (room - strlen(dots)) * 3 / 5;
	size_t tail = len - (room - strlen(dots) - head);

	while (head > 0 && is_inside(name[head]))
		head--;
	while (tail < len && is_inside(name[tail]))
		tail++;
	bytes_reset(out);
	bytes_add(out, name, head);
	bytes_add_text(out, dots);
	bytes_add(out, name + tail, len - tail);
}

/* Of the name without template arguments: without what it returns, without arguments, then without what is around it. */
static void fold_rest(struct bytes *out, const struct bytes *folded, size_t room)
{
	const char *name = folded->text;
	size_t len = folded->len, arguments = find_arguments(name, len), after, from = 0;
	/* What has no arguments is no function of C++ that says what it returns. */
	const size_t type = arguments < len ? find_name(name, arguments) : 0;

	name += type;
	arguments -= type;
	after = len -= type;
	if (len <= room) {
		bytes_reset(out);
		bytes_add(out, name, len);
		return;
	}
	/* " const" of a method. */
	while (after > arguments && name[after - 1] != ')')
		after--;
	if (arguments < len && arguments + strlen("(...)") + len - after <= room) {
		bytes_reset(out);
		bytes_add(out, name, arguments);
		bytes_add_text(out, "(...)");
		bytes_add(out, name + after, len - after);
		return;
	}
	for (int parts = 2; parts > 0 && arguments - from > room; parts--)
		from = find_parts(name, arguments, parts);
	if (arguments - from > room) {
		cut_middle(out, name + from, arguments - from, room);
		return;
	}
	bytes_reset(out);
	bytes_add(out, name + from, arguments - from);
}

/* Empties it, and has it be a text, not NULL, if nothing follows. */
static void begin_short(struct bytes *out)
{
	bytes_reset(out);
	bytes_add_char(out, '\0');
	bytes_reset(out);
}

/* Bytes of the "'2" at the end of a level of recursion's name; 0 if there is none, or no room for more than it. */
static size_t level_length(const char *name, size_t len, size_t room)
{
	size_t digits = 0;

	while (digits < len && isdigit((unsigned char)name[len - 1 - digits]))
		digits++;
	return digits > 0 && digits < len && name[len - 1 - digits] == '\'' &&
			       digits + 1 + LEAST_ROOM <= room
		       ? digits + 1
		       : 0;
}

/* Zeros that the address of a function without a symbol has after its "0x": of 0x000000000001b3a0, and its levels. */
static size_t count_zeros(const char *name, size_t len)
{
	const size_t level = level_length(name, len, SIZE_MAX);
	size_t at = strlen("0x"), end = len - level;

	if (len < at || memcmp(name, "0x", at) != 0)
		return 0;
	for (size_t i = at; i < end; i++)
		if (!isxdigit((unsigned char)name[i]))
			return 0;
	/* The address 0 keeps one. */
	while (at + 1 < end && name[at] == '0')
		at++;
	return at - strlen("0x");
}

void shortname_make(struct bytes *out, const char *name, size_t len, size_t room)
{
	const size_t zeros = count_zeros(name, len);
	size_t level;
	struct bytes folded;

	begin_short(out);
	if (zeros > 0 && len - zeros <= room) {
		bytes_add_text(out, "0x");
		bytes_add(out, name + strlen("0x") + zeros, len - strlen("0x") - zeros);
		return;
	}
	if (len <= room) {
		bytes_add(out, name, len);
		return;
	}
	level = level_length(name, len, room);
	len -= level;
	room -= level;
	bytes_init(&folded);
	for (size_t depth = DEEPEST + 1; depth-- > 0;) {
		fold_templates(&folded, name, len, depth);
		if (folded.len <= room)
			break;
	}
	if (folded.len <= room)
		bytes_add(out, folded.text, folded.len);
	else
		fold_rest(out, &folded, room);
	bytes_add(out, name + len, level);
	bytes_release(&folded);
}

/* Names with " < " between them, as between a function and its caller, are folded one by one. */
static void fold_each(struct bytes *out, const char *text, size_t len, size_t depth)
{
	static const char between[] = " < ";
	const size_t n = sizeof(between) - 1;
	struct bytes name;
	size_t begin = 0;

	bytes_init(&name);
	bytes_reset(out);
	for (size_t i = 0; i <= len; i++) {
		bool is_between = i + n <= len && memcmp(text + i, between, n) == 0;

		if (i < len && !is_between)
			continue;
		fold_templates(&name, text + begin, i - begin, depth);
		bytes_add(out, name.text, name.len);
		if (is_between)
			bytes_add(out, between, n);
		begin = i + n;
	}
	bytes_release(&name);
}

void shorttext_make(struct bytes *out, const char *text, size_t len, size_t room)
{
	struct bytes folded;

	begin_short(out);
	if (len <= room) {
		bytes_add(out, text, len);
		return;
	}
	bytes_init(&folded);
	for (size_t depth = DEEPEST + 1; depth-- > 0;) {
		fold_each(&folded, text, len, depth);
		if (folded.len <= room)
			break;
	}
	if (folded.len <= room)
		bytes_add(out, folded.text, folded.len);
	else
		cut_middle(out, folded.text, folded.len, room);
	bytes_release(&folded);
}

/* -- names that are told apart ---------------------------------------------- */

/*
 * Shortens a name whose first `same` bytes are another one's, too: keeps what follows these, from the beginning of a word on
 * if that is near, and of what is before as much as there is room for.
 */
static void cut_apart(struct bytes *out, const struct shortname *cut, size_t same)
{
	enum { TELLING = 6, MOST_BACK = 8 };
	const size_t n_dots = strlen(dots);
	const char *name = cut->name;
	size_t len = cut->len, head = cut->room - n_dots, from, end, rest;
	const size_t arguments = find_arguments(name, len);
	const size_t type = arguments < len && !cut->is_text ? find_name(name, arguments) : 0;

	begin_short(out);
	if (type <= same) {
		name += type;
		len -= type;
		same -= type;
	}
	if (len <= cut->room) {
		bytes_add(out, name, len);
		return;
	}
	if (same + TELLING <= head) {
		while (is_inside(name[head]))
			head--;
		bytes_add(out, name, head);
		bytes_add_text(out, dots);
		return;
	}
	head = (cut->room - n_dots) / 3;
	rest = cut->room - n_dots - head;
	from = same;
	/* What differs stays in what is kept. */
	for (size_t i = 0; i < MOST_BACK && i + n_dots + 1 < rest && from > 0 &&
			   isalnum((unsigned char)name[from - 1]);
	     i++)
		from--;
	if (len - from <= rest)
		from = len - rest;
	end = len - from > rest ? from + rest - n_dots : len;
	while (head > 0 && is_inside(name[head]))
		head--;
	while (from < end && is_inside(name[from]))
		from++;
	while (end < len && is_inside(name[end]))
		end--;
	bytes_add(out, name, head);
	bytes_add_text(out, dots);
	bytes_add(out, name + from, end - from);
	if (end < len)
		bytes_add_text(out, dots);
}

static int compare_bytes(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order != 0 ? order : (a_len > b_len) - (a_len < b_len);
}

/* By group, by what is shown, by name. */
static int compare_shown(const void *a, const void *b)
{
	const struct shortname *left = *(struct shortname *const *)a;
	const struct shortname *right = *(struct shortname *const *)b;
	int order = (left->group > right->group) - (left->group < right->group);

	if (order == 0)
		order = compare_bytes(left->text, left->text_len, right->text, right->text_len);
	return order != 0 ? order : compare_bytes(left->name, left->len, right->name, right->len);
}

/* Bytes that two names have in common at their beginning. */
static size_t common(const struct shortname *left, const struct shortname *right)
{
	size_t least = left->len < right->len ? left->len : right->len, n = 0;

	while (n < least && left->name[n] == right->name[n])
		n++;
	return n;
}

static bool is_other(const struct shortname *left, const struct shortname *right)
{
	return compare_bytes(left->name, left->len, right->name, right->len) != 0;
}

/* Cuts names that are shown alike, in order, where each differs from its neighbors, which are most like it. */
static void tell_apart(struct shortname *const *alike, size_t n, struct arena *arena)
{
	struct bytes text;

	bytes_init(&text);
	for (size_t begin = 0, end, before = 0; begin < n; begin = end) {
		size_t same = before;

		for (end = begin + 1; end < n && !is_other(alike[begin], alike[end]); end++)
			;
		before = end < n ? common(alike[begin], alike[end]) : 0;
		same = before > same ? before : same;
		for (size_t i = begin; i < end && alike[i]->len > alike[i]->room; i++) {
			cut_apart(&text, alike[i], same);
			alike[i]->text = arena_copy(arena, text.text, text.len);
			alike[i]->text_len = text.len;
		}
	}
	bytes_release(&text);
}

void shortnames_make(struct shortname *names, size_t n, struct arena *arena)
{
	struct shortname **order = heap_alloc(n * sizeof(struct shortname *));
	struct bytes text;

	bytes_init(&text);
	for (size_t i = 0; i < n; i++) {
		struct shortname *name = order[i] = &names[i];

		name->text = name->name;
		name->text_len = name->len;
		if (name->len <= name->room &&
		    (name->is_text || count_zeros(name->name, name->len) == 0))
			continue;
		(name->is_text ? shorttext_make : shortname_make)(&text, name->name, name->len,
								  name->room);
		name->text = arena_copy(arena, text.text, text.len);
		name->text_len = text.len;
	}
	bytes_release(&text);
	qsort(order, n, sizeof(struct shortname *), compare_shown);
	for (size_t begin = 0, end; begin < n; begin = end) {
		const struct shortname *first = order[begin];

		for (end = begin + 1; end < n && order[end]->group == first->group &&
				      compare_bytes(first->text, first->text_len, order[end]->text,
						    order[end]->text_len) == 0;
		     end++)
			;
		if (is_other(first, order[end - 1]))
			tell_apart(order + begin, end - begin, arena);
	}
	free(order);
}
