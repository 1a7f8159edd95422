/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names where there is little room. */
#include "cmds/emit/visible.h"

#include <stdio.h>
#include <string.h>

#include "profile/common/heap.h"
#include "tests/common/check.h"

TEST(forms)
{
	static const struct {
		const char *name;
		size_t room;
		const char *want;
	} cases[] = {
		{ "double sum_scores<json>(json const&, int)", 27, "sum_scores<...>(...)" },
		{ "double sum_scores<json>(json const&, int)", 20, "sum_scores<...>(...)" },
		{ "double sum_scores<json>(json const&, int)", 16, "sum_scores<...>" },
		{ "std::pair<int, int> a::find<int>(int, int)", 22, "a::find<...>(int, int)" },
		{ "bool operator==<int>(int const&, int const&)", 20, "operator==<int>(...)" },
		{ "a::b::operator new(unsigned long, int)", 24, "a::b::operator new(...)" },
		{ "main", 8, "main" },
		{ "a<b<c<d<e> > > >::f(int)", 24, "a<b<c<d<e> > > >::f(int)" },
		{ "a<b<c<d<e> > > >::f(int)", 23, "a<b<c<...> > >::f(int)" },
		{ "a<b<c<d<e> > > >::f(int)", 20, "a<b<...> >::f(int)" },
		{ "a<b<c<d<e> > > >::f(int)", 15, "a<...>::f(int)" },
		{ "a<b<c<d<e> > > >::f(int, long)", 16, "a<...>::f(...)" },
		{ "a<b>::f(int, long)'2", 17, "a<...>::f(...)'2" },
		{ "space::inner::a<b>::f(int, long)", 12, "a<...>::f" },
		{ "space::inner::classname<b>::method(int, long)", 10, "method" },
		{ "bool std::operator< <char, int>(word const&)", 40,
		  "bool std::operator< <...>(word const&)" },
		{ "std::ostream& std::operator<< <int>(std::ostream&)", 42,
		  "std::operator<< <...>(std::ostream&)" },
		{ "a<(b)1>::operator->() const", 26, "a<...>::operator->() const" },
		{ "(anonymous namespace)::f<a<b>>(c<d>, e)", 34,
		  "(anonymous namespace)::f<...>(...)" },
		{ "a_rather_long_name_of_c", 13, "a_rath...of_c" },
		{ "broken<name_that_is_long", 12, "broke...long" },
		{ "\303\244\303\244\303\244\303\244\303\244\303\244\303\244", 8,
		  "\303\244...\303\244" },
	};
	struct bytes out;

	bytes_init(&out);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		shortname_make(&out, cases[i].name, strlen(cases[i].name), cases[i].room);
		bytes_add_char(&out, '\0');
		CHECK_STR(out.text, cases[i].want);
	}
	bytes_release(&out);
}

/* Names within a text are folded, one by one, before anything is cut. */
TEST(texts_with_names)
{
	static const struct {
		const char *text, *want;
		size_t room;
	} cases[] = {
		{ "std::vector<unsigned>::push a.h:3 < main b.cc:7, 64 B",
		  "std::vector<unsigned>::push a.h:3 < main b.cc:7, 64 B", 60 },
		{ "std::vector<unsigned>::push a.h:3 < main b.cc:7, 64 B",
		  "std::vector<...>::push a.h:3 < main b.cc:7, 64 B", 48 },
		{ "f<std::map<int, long>>(int) < g<char> x.c:1", "f<...>(int) < g<...> x.c:1", 30 },
		{ "f<std::map<int, long>>(int) < g<char> x.c:1", "f<...>(i... x.c:1", 17 },
	};
	struct bytes out;

	bytes_init(&out);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		shorttext_make(&out, cases[i].text, strlen(cases[i].text), cases[i].room);
		bytes_add_char(&out, '\0');
		CHECK_STR(out.text, cases[i].want);
	}
	bytes_release(&out);
}

/* What would look alike is shown by what differs, in one group. */
TEST(names_that_look_alike)
{
	static const struct {
		const char *name, *want;
		size_t group;
		bool is_text;
	} cases[] = {
		{ "void tree::walk<list<int> >(node<int>*)", "tree::walk<list<int> >(no...", 0,
		  false },
		{ "void tree::walk<list<double> >(node<double>*)", "tree::walk<list<double> >...",
		  0, false },
		{ "void tree::walk<list<int> >(node<int>*)", "tree::walk<list<int> >(no...", 0,
		  false },
		{ "void tree::walk<list<float> >(node<float>*)", "tree::walk<...>(node<...>*)", 1,
		  false },
		{ "void tree::walk<list<float> >(node<float>*)'2", "tree::walk<...>(...)'2", 1,
		  false },
		{ "parse_expression'parse_statement'parse_function'main",
		  "parse_ex...statement'pars...", 2, false },
		{ "parse_expression'parse_condition'parse_function'main",
		  "parse_ex...condition'pars...", 2, false },
		{ "parse_expression'parse_condition'parse_variable'main",
		  "parse_expressio...iable'main", 2, false },
		{ "a_name_that_is_rather_long_and_begins_so", "a_name_that_is_rather_lon...", 3,
		  true },
		{ "a_name_that_is_..._begins_so", "a_name_that_is_..._begins_so", 3, true },
	};
	struct shortname names[sizeof(cases) / sizeof(cases[0])];
	const size_t n = sizeof(cases) / sizeof(cases[0]);
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < n; i++)
		names[i] = (struct shortname){
			.name = cases[i].name,
			.len = strlen(cases[i].name),
			.room = 28,
			.group = cases[i].group,
			.is_text = cases[i].is_text,
		};
	shortnames_make(names, n, &arena);
	for (size_t i = 0; i < n; i++)
		CHECK_STR(arena_copy(&arena, names[i].text, names[i].text_len), cases[i].want);
	arena_release(&arena);
}

/* Whatever the name, it fits, and nothing is read beyond its end. */
TEST(all_rooms)
{
	static const char *const names[] = {
		"<alloc::vec::Vec<T, A> as core::ops::Drop>::drop",
		"void f<g<h>(i)::operator()(j<k>) const'2",
		"::::",
		"((((((((((((",
		">>>>>>>>>>>>",
		"<<<<<<<<<<<<",
		"operatoroperator",
		"))))))))))))",
		"a::b::operator()(int) [clone .isra.0]",
	};
	const size_t n = sizeof(names) / sizeof(names[0]);
	struct bytes out;
	struct arena arena;

	arena_init(&arena);
	bytes_init(&out);
	for (size_t i = 0; i < n; i++)
		for (size_t room = 8; room < 60; room++) {
			shortname_make(&out, names[i], strlen(names[i]), room);
			CHECK(out.len <= room && (out.len > 0 || room == 0));
			shorttext_make(&out, names[i], strlen(names[i]), room);
			CHECK(out.len <= room && (out.len > 0 || room == 0));
		}
	for (size_t room = 8; room < 60; room++)
		for (size_t i = 0; i < 2 * n; i++) {
			/* Each twice, with more at the end, so that all look alike. */
			const char *name = names[i / 2];
			char longer[2][256];
			struct shortname pair[2];

			for (size_t k = 0; k < 2; k++) {
				size_t len = (size_t)snprintf(longer[k], sizeof(longer[k]),
							      "%s%s%c%s", name, i % 2 ? name : "",
							      k ? 'x' : 'y', name);

				pair[k] = (struct shortname){ .name = longer[k],
							      .len = len,
							      .room = room };
			}
			shortnames_make(pair, 2, &arena);
			CHECK(pair[0].text_len <= (pair[0].len > room ? room : pair[0].len));
			CHECK(pair[0].text_len != pair[1].text_len ||
			      memcmp(pair[0].text, pair[1].text, pair[0].text_len) != 0);
		}
	arena_release(&arena);
	bytes_release(&out);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(forms),
		CHECK_TEST(texts_with_names),
		CHECK_TEST(names_that_look_alike),
		CHECK_TEST(all_rooms),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
