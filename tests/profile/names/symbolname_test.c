/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols and their normal forms: tests/golden/symbols.txt says how each was derived. */
#include "profile/names/symbolname.h"

#include <stdlib.h>

#include "profile/common/heap.h"
#include "tests/common/check.h"
#include "tests/common/test_env.h"

enum { MAX_LINE = 4096 };

/* The normal form, in out with a NUL. */
static const char *folded(const char *name, unsigned flags, struct bytes *out)
{
	bytes_reset(out);
	symbolname_fold(name, strlen(name), flags, out);
	bytes_add_char(out, '\0');
	return out->text;
}

static void check_row(const char *name, unsigned flags, const char *want)
{
	struct bytes first, again;

	bytes_init(&first);
	bytes_init(&again);
	if (!CHECK_STR(folded(name, flags, &first), want))
		printf("#   of %s\n", name);
	CHECK_STR(folded(want, flags, &again), want);
	CHECK_STR(folded(name, 0, &first), name);
	bytes_release(&first);
	bytes_release(&again);
}

/*
 * Lines of the table: "NAME", "= usual form", and perhaps "< form with templates folded" and
 * "~ form with numbers folded", which are the usual one if they are not there.
 */
TEST(table_of_symbols)
{
	static const char kinds[] = "=<~";
	static const unsigned flags[] = { SYMBOLNAME_USUAL, SYMBOLNAME_USUAL | SYMBOLNAME_TEMPLATES,
					  SYMBOLNAME_ALIKE };
	const char *source = getenv("top_srcdir");
	char path[MAX_LINE], line[MAX_LINE], name[MAX_LINE] = "", forms[3][MAX_LINE];
	unsigned n = 0;
	bool more = true;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/golden/symbols.txt", source ? source : ".");
	file = fopen(path, "r");
	CHECK(file != NULL);
	while (file && more) {
		more = fgets(line, sizeof(line), file) != NULL;
		line[strcspn(line, "\n")] = '\0';
		if (more && (line[0] == '#' || line[0] == '\0'))
			continue;
		if (more && strchr(kinds, line[0]) && line[1] == ' ') {
			size_t kind = (size_t)(strchr(kinds, line[0]) - kinds);

			for (size_t i = kind; i < (kind == 0 ? 3 : kind + 1); i++)
				snprintf(forms[i], sizeof(forms[i]), "%s", line + 2);
			continue;
		}
		for (size_t i = 0; i < 3 && name[0]; i++)
			check_row(name, flags[i], forms[i]);
		n += name[0] != '\0';
		snprintf(name, sizeof(name), "%s", line);
	}
	CHECK(n >= 100);
	if (file)
		fclose(file);
}

/* Each flag does its own and nothing else. */
TEST(flags_are_independent)
{
	static const char name[] = "a[1f]::b<c>::{closure#1}::f.part.0";

	check_row(name, SYMBOLNAME_CLONES, "a[1f]::b<c>::{closure#1}::f");
	check_row(name, SYMBOLNAME_HASHES, "a::b<c>::{closure#1}::f.part.0");
	check_row(name, SYMBOLNAME_NUMBERS, "a[1f]::b<c>::{closure}::f.part.0");
	check_row(name, SYMBOLNAME_TEMPLATES, "a[1f]::b<>::{closure#1}::f.part.0");
}

/* Back references that refer to back references: 2^20 copies of "u8" would be 4 MiB. */
TEST(exponential_names_stay)
{
	char name[1024] = "_RINvC1a1f";
	size_t len = strlen(name), last;
	struct bytes out;

	bytes_init(&out);
	last = len - 2;
	len += (size_t)snprintf(name + len, sizeof(name) - len, "TThhE");
	for (int i = 0; i < 20; i++) {
		static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz"
					     "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
		size_t here = len - 2;
		char reference[4] = "";

		/* Base 62, one less than the place: 0 is "_". */
		if (last - 1 < 62)
			snprintf(reference, sizeof(reference), "%c", digits[last - 1]);
		else
			snprintf(reference, sizeof(reference), "%c%c", digits[(last - 1) / 62],
				 digits[(last - 1) % 62]);
		len += (size_t)snprintf(name + len, sizeof(name) - len, "TB%s_B%s_E", reference,
					reference);
		last = here;
	}
	snprintf(name + len, sizeof(name) - len, "EE");
	CHECK_STR(folded(name, SYMBOLNAME_USUAL, &out), name);
	bytes_release(&out);
}

/* Bound lifetimes that are counted one by one, where nothing is printed; and where a name goes on and on. */
TEST(hostile_names_of_rust_stay)
{
	static const char *const names[] = {
		"_RNvMINvC1a1fDGzzzzzzzzz_C1bEL_Eh1g",
		"_RINvC1a1fFGzzzzzzzzz_EuE",
	};
	char repeated[4000] = "_RINvC1a1f";
	struct bytes out;

	bytes_init(&out);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		CHECK_STR(folded(names[i], SYMBOLNAME_USUAL, &out), names[i]);
	/* Each prints all before it. */
	for (size_t len = strlen(repeated); len + 4 < sizeof(repeated); len += 3)
		memcpy(repeated + len, "B0_", 4);
	CHECK_STR(folded(repeated, SYMBOLNAME_USUAL, &out), repeated);
	/* As real ones have it. */
	CHECK_STR(folded("_RINvC1a1fFG_RL0_hEuE", SYMBOLNAME_USUAL, &out),
		  "a::f::<for<'a> fn(&'a u8)>");
	CHECK_STR(folded("_RNvC1a10DGRAM_SIZE", SYMBOLNAME_USUAL, &out), "a::DGRAM_SIZE");
	bytes_release(&out);
}

/* Deeper than is looked into. */
TEST(deep_brackets_stay)
{
	char name[2001];
	struct bytes out;

	bytes_init(&out);
	for (size_t i = 0; i < 1000; i++) {
		name[2 * i] = 'a';
		name[2 * i + 1] = '<';
	}
	name[2000] = '\0';
	CHECK_STR(folded(name, SYMBOLNAME_TEMPLATES, &out), name);
	memset(name, '(', 2000);
	name[1] = '<';
	CHECK_STR(folded(name, SYMBOLNAME_TEMPLATES, &out), name);
	bytes_release(&out);
}

/* Every cut of names that have everything is harmless, and folding twice is folding once. */
TEST(cut_names_are_harmless)
{
	static const char legacy[] =
		"_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Write$GT$9write_str"
		"17h0123456789abcdefE.llvm.123";
	static const char *const names[] = {
		"void a::b<int>(x<y>) const::{lambda(int)#1}::operator()<c>(d) const [clone .part.0]",
		"_RNvXs_NtNtCs4Cv8Wi1oAIB_4core3fmt3numuNtB6_7Display3fmtDNtB6_5TraitpEL_",
		"_RINvNtC3std3mem8align_ofNtNvXC5mycrINtB2_3FooQGL0_FKCG_RL0_jEuEu30____Kan1f_E",
		legacy,
		"a::'lambda0'(int)::$_1::operator<<<int>(c)'2",
	};
	struct bytes first, again;

	bytes_init(&first);
	bytes_init(&again);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (size_t from = 0; from < strlen(names[i]); from++) {
			for (size_t len = 0; len <= strlen(names[i]) - from; len++) {
				/* A copy of the exact size: sanitizers see reads past it. */
				char *cut = malloc(len ? len : 1);

				if (!CHECK(cut != NULL))
					return;
				memcpy(cut, names[i] + from, len);
				bytes_reset(&first);
				bytes_reset(&again);
				symbolname_fold(cut, len, 15, &first);
				symbolname_fold(first.text, first.len, 15, &again);
				if (!CHECK(first.len == again.len &&
					   (first.len == 0 ||
					    memcmp(first.text, again.text, first.len) == 0)))
					printf("#   of %.*s: %.*s: %.*s\n", (int)len, cut,
					       (int)first.len, first.text, (int)again.len,
					       again.text);
				free(cut);
			}
		}
	}
	bytes_release(&first);
	bytes_release(&again);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(table_of_symbols),       CHECK_TEST(flags_are_independent),
		CHECK_TEST(exponential_names_stay), CHECK_TEST(hostile_names_of_rust_stay),
		CHECK_TEST(deep_brackets_stay),     CHECK_TEST(cut_names_are_harmless),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
