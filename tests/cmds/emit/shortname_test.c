/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names where there is little room. */
#include "cmds/emit/visible.h"

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
	struct bytes out;

	bytes_init(&out);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t room = 8; room < 60; room++) {
			shortname_make(&out, names[i], strlen(names[i]), room);
			CHECK(out.len <= room && (out.len > 0 || room == 0));
			shorttext_make(&out, names[i], strlen(names[i]), room);
			CHECK(out.len <= room && (out.len > 0 || room == 0));
		}
	bytes_release(&out);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(forms),
		CHECK_TEST(texts_with_names),
		CHECK_TEST(all_rooms),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
