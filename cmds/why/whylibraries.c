/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libraries do, charged to the own lines that make them do it: allocations, copies, single functions; and copies of objects. */
#include "cmds/why/finder.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/emit/visible.h"
#include "cmds/object/lacking.h"

/* Fewer allocations are not many, whatever they cost. */
static const double many_allocations = 1000;
/* Cycles of calls that are short. */
static const double short_call = 200;

static bool begins_with_any(const char *name, const char *const *words)
{
	for (; *words; words++)
		if (strncmp(name, *words, strlen(*words)) == 0)
			return true;
	return false;
}

/* glibc's allocator, whose parts are functions of their own, and those that take its place. */
static bool is_allocator(const char *name)
{
	static const char *const words[] = {
		"malloc",
		"calloc",
		"realloc",
		"free",
		"cfree",
		"memalign",
		"aligned_alloc",
		"posix_memalign",
		"operator new",
		"operator delete",
		"_int_malloc",
		"_int_free",
		"_int_realloc",
		"_int_memalign",
		"unlink_chunk",
		"sysmalloc",
		"systrim",
		"tcache_",
		"alloc_perturb",
		"arena_get",
		"__libc_malloc",
		"__libc_calloc",
		"__libc_realloc",
		"__libc_free",
		"__libc_memalign",
		"je_",
		"tc_",
		"mi_",
		NULL,
	};

	return begins_with_any(name, words);
}

/* Functions that allocate memory: each call gives one block. */
static bool gives_memory(const char *name)
{
	static const char *const words[] = { "malloc",
					     "calloc",
					     "realloc",
					     "memalign",
					     "aligned_alloc",
					     "posix_memalign",
					     "operator new",
					     "__libc_malloc",
					     "__libc_calloc",
					     "__libc_realloc",
					     NULL };

	return begins_with_any(name, words) && strcmp(name, "malloc_consolidate") != 0;
}

static bool copies_memory(const char *name)
{
	return strstr(name, "memcpy") || strstr(name, "memmove") || strstr(name, "mempcpy");
}

/* "3.8 % for main at d.c:12, 1.5 % for read at w.c:40", and lines of the finding. */
static const char *origins_text(struct finder *finder, struct finding *finding,
				const struct origin_list *list, double whole)
{
	const char *text = "";
	size_t n = 0;

	for (size_t i = 0; i < list->n && n < 3; i++) {
		const struct origin *origin = &list->all[i];
		const struct why_family *of = finder_family(finder, origin->family);
		const char *at =
			origin->line ? say(finder, " at %s",
					   say_place(finder, origin->file, origin->line))
			/* An address says nothing without the object. */
			: strncmp(of->name, "0x", 2) == 0
				? say(finder, " of %s",
				      path_base(
					      model_name(
						      finder->model, NAME_OBJECT,
						      finder->model->functions[of->function].object)
						      .text))
				: "";

		if (origin->amount < list->charged * 0.05 && i > 0)
			continue;
		finding_add_line(finder, finding, origin->family, origin->file, origin->line,
				 100 * origin->amount / list->charged);
		text = say(finder, "%s%s%s for %s%s", text, n++ ? ", " : "",
			   say_share(finder, origin->amount, whole), say_name(finder, of->name),
			   at);
	}
	return text;
}

/* "main at d.c:12": the calls of a set from outside of it that cost most; NULL if there are none. */
static const char *caller_text(const struct finder *finder, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	const struct why_call *most = NULL;

	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];

		if (is_in[call->callee] && !is_in[call->caller] &&
		    (!most || call->cost > most->cost))
			most = call;
	}
	return most ? say_name(finder,
			       finder_family(finder, origins->family_of[most->caller])->name)
		    : NULL;
}

/* Of a set of functions, the family that costs most itself. */
static uint32_t hottest_family(const struct finder *finder, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	uint32_t hottest = UINT32_MAX;
	int128 most = 0;

	for (uint32_t i = 0; i < origins->n_families; i++) {
		const int128 cost =
			metric_value(finder->findings->metric, origins->families[i].self, false);

		if (is_in[origins->families[i].function] && cost > most) {
			most = cost;
			hottest = i;
		}
	}
	return hottest;
}

/*
 * A finding about what own lines make a set of functions do, and *lines, which says who; false if that is not worth it.  What no
 * own code is known to call is worth it by what it costs itself.
 */
static bool begin_origins(struct finder *finder, struct finding *finding,
			  const struct origin_list *list, enum finding_kind kind, const bool *is_in,
			  const char **lines)
{
	const struct origins *origins = &finder->findings->origins;
	const bool is_charged = list->n > 0 && finder_is_worth_it(finder, list->charged);
	const uint32_t about = hottest_family(finder, is_in);
	const uint32_t family = is_charged ? list->all[0].family : about;
	const char *caller;
	bool is_any = about != UINT32_MAX && finder_is_wanted(finder, about);

	for (size_t i = 0; i < list->n; i++)
		is_any |= finder_is_wanted(finder, list->all[i].family);
	if (!is_any || family == UINT32_MAX ||
	    (!is_charged && !finder_is_worth_it(finder, (double)list->cost)))
		return false;
	*finding = (struct finding){
		.kind = kind,
		.cost = is_charged ? (int128)list->charged : list->cost,
		.family = family,
		.function = finder_family(finder, family)->function,
		.callee = MODEL_NO_FUNCTION,
		.file = is_charged ? list->all[0].file : DICTIONARY_UNKNOWN,
		.line = is_charged ? list->all[0].line : 0,
		.event = finder->findings->metric->name,
	};
	if (is_charged) {
		*lines = origins_text(finder, finding, list, (double)finder->findings->whole);
		return true;
	}
	finding->file = finder->model->functions[origins->families[family].function].file;
	finding_add_line(finder, finding, family, finding->file, 0, 100);
	caller = caller_text(finder, is_in);
	*lines = caller ? say(finder, "no own code is known to call it, and mostly %s does", caller)
			: "who calls it is not recorded";
	return true;
}

/* "Its functions: _int_malloc 12.3 %, malloc 4.1 %." */
static const char *functions_text(const struct finder *finder, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	const double whole = (double)finder->findings->whole;
	uint32_t best[3] = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
	double most[3] = { 0, 0, 0 };
	const char *text = "";

	for (uint32_t i = 0; i < origins->n_families; i++) {
		double cost = (double)metric_value(finder->findings->metric,
						   origins->families[i].self, false);
		uint32_t at = i;

		if (!is_in[origins->families[i].function])
			continue;
		for (size_t k = 0; k < 3; k++)
			if (cost > most[k]) {
				const double value = most[k];
				const uint32_t other = best[k];

				most[k] = cost;
				best[k] = at;
				cost = value;
				at = other;
			}
	}
	for (size_t k = 0; k < 3 && most[k] > 0; k++)
		text = say(finder, "%s%s%s %s", text, k ? ", " : "",
			   say_name(finder, origins->families[best[k]].name),
			   say_share(finder, most[k], whole));
	return say(finder, "Self cost: %s.", text);
}

/* What functions of a library spend their cycles on. */
static void add_parts(struct finder *finder, struct finding *finding, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	uint64_t *costs = row_new(finder->arena, finder->model->n_events);
	struct cost_part parts[N_PARTS];
	struct chosen whole = { .costs = costs };
	double sum;
	size_t n;

	/* Sums of parts of the run: they fit, as its totals do. */
	for (uint32_t i = 0; i < finder->model->n_functions; i++)
		if (is_in[i])
			row_add(costs, inclusive_self(&origins->sums, i), finder->model->n_events,
				false);
	whole.place.cost = metric_value(finder->findings->metric, costs, false);
	finding->costs = costs;
	finding_add_count(finder, finding, finder->findings->metric->name);
	n = parts_of(finder, &whole, parts, &sum);
	for (size_t i = 0; finder->findings->has_cycles && i < n; i++)
		finding_add_count(finder, finding, parts[i].rule->event);
	finding_set_parts(finder, finding, parts, n);
	if (n > 1)
		finding_add_text(&finding->facts, say(finder, "Of that, %s.",
						      say_parts(finder, parts, n, sum, 0.05)));
}

/* The last component of a C++ name without arguments of templates, into a buffer; false if it does not fit. */
enum { CLASS_NAME = 128 };

static void plain_component(char text[CLASS_NAME], const char *begin, const char *end)
{
	size_t depth = 0, n = 0;

	for (const char *at = begin; at < end; at++) {
		if (*at == '<') {
			depth++;
		} else if (*at == '>' && depth > 0) {
			depth--;
		} else if (depth == 0 && at + 1 < end && at[0] == ':' && at[1] == ':') {
			n = 0;
			at++;
		} else if (depth == 0 && n + 1 < CLASS_NAME) {
			text[n++] = *at;
		}
	}
	while (n > 0 && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
}

/*
 * True of "ns::text::text(ns::text const&)" and "ns::text::operator=(ns::text const&)", which copy; the class is put
 * into a buffer.
 */
static bool copies_class(const char *name, char class_name[CLASS_NAME])
{
	const char *open = NULL, *close = strrchr(name, ')'), *last = NULL;
	char own[CLASS_NAME], taken[CLASS_NAME], outer[CLASS_NAME];
	static const char ending[] = " const&";
	size_t depth = 0, len;

	if (!close)
		return false;
	for (const char *at = name; at < close; at++) {
		depth += *at == '<';
		depth -= *at == '>' && depth > 0;
		if (depth == 0 && at[0] == ':' && at[1] == ':')
			last = at;
		if (depth == 0 && *at == '(') {
			open = at;
			break;
		}
	}
	len = open ? (size_t)(close - open - 1) : 0;
	if (!open || !last || len < sizeof(ending) ||
	    memcmp(close - (sizeof(ending) - 1), ending, sizeof(ending) - 1) != 0)
		return false;
	plain_component(own, last + 2, open);
	plain_component(outer, name, last);
	plain_component(taken, open + 1, close - (sizeof(ending) - 1));
	if (strchr(taken, ',') || outer[0] == '\0' || strcmp(taken, outer) != 0 ||
	    (strcmp(own, outer) != 0 && strcmp(own, "operator=") != 0))
		return false;
	memcpy(class_name, outer, sizeof(outer));
	return true;
}

/* What own copy constructors and assignments are charged. */
static double of_copies(const struct finder *finder, const struct origin_list *list)
{
	char class_name[CLASS_NAME];
	double sum = 0;

	for (size_t i = 0; i < list->n; i++)
		if (copies_class(finder_family(finder, list->all[i].family)->name, class_name))
			sum += list->all[i].amount;
	return sum;
}

/* How many blocks functions of the allocator gave. */
static double count_blocks(const struct finder *finder, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	bool *gives = heap_zeroed(finder->model->n_functions + 1, sizeof(*gives));
	double blocks = finder_value(finder, "allocCount", finder->findings->totals);

	for (uint32_t i = 0; i < finder->model->n_functions; i++)
		gives[i] = is_in[i] &&
			   gives_memory(finder_family(finder, origins->family_of[i])->name);
	if (blocks <= 0)
		blocks = (double)origins_count(origins, gives);
	free(gives);
	return blocks;
}

static void explain_allocations(struct finder *finder, const bool *is_in, double blocks)
{
	const struct origins *origins = &finder->findings->origins;
	struct origin_list list;
	struct finding finding;
	const char *lines;

	origins_charge(&list, origins, is_in, finder->findings->metric);
	if (begin_origins(finder, &finding, &list, FINDING_ALLOCATIONS, is_in, &lines)) {
		const double copying = of_copies(finder, &list);

		finding.title = "Many allocations";
		finding.claim = say(finder, "%s allocations take %s: %s.",
				    say_number(finder, blocks),
				    say_of_all(finder, (double)finding.cost), lines);
		finding_add_text(&finding.facts, functions_text(finder, is_in));
		add_parts(finder, &finding, is_in);
		finding.is_effect = copying * 2 > list.charged;
		if (finding.is_effect)
			finding_add_text(&finding.facts,
					 say(finder, "Copies of objects make %s of them.",
					     say_share(finder, copying, list.charged)));
		finding.advice =
			"Reserve, reuse or move: fewer and larger blocks, objects that are used "
			"again, no copies.";
		finding.next =
			finder_metric(finder, "allocCount")
				? say_show_command(finder, "annotate --show=allocCount,allocSize")
				: say_run_command(finder, "--collect-alloc=yes");
		finder_add(finder, &finding);
	}
	origin_list_release(&list);
}

/* "5,259,940 calls, 16 cycles each.", and advice by which of the two is much. */
static void add_calls(struct finder *finder, struct finding *finding, const bool *is_in,
		      double cost)
{
	const uint64_t count = origins_count(&finder->findings->origins, is_in);
	const double each = count > 0 ? finder_cycles(finder, cost) / (double)count : 0;

	if (count == 0)
		return;
	finding_add_text(&finding->facts, say(finder, "%s, %s %s each.", say_calls(finder, count),
					      say_quotient(finder, each), say_cost_word(finder)));
	if (!finding->advice)
		finding->advice =
			each < short_call
				? "Call it less often: keep what it gave, or test something cheaper first."
				: "Give it less to do, or call it less often.";
}

/* One function of a library, or several that do the same. */
/* How to get the lines of an object's code. */
static const char *advise_lines(struct finder *finder, uint32_t object)
{
	char *advice = lacking_advice(finder->model, object, LACKS_LINES);
	const char *text = advice ? say(finder, "Its lines are not known: %s.", advice)
				  : "Build it with -g, so that costs are shown by its lines.";

	free(advice);
	return text;
}

static void explain_library(struct finder *finder, const bool *is_in, uint32_t number_of_family)
{
	const struct why_family *of = finder_family(finder, number_of_family);
	const bool is_copy = copies_memory(of->name);
	struct origin_list list;
	struct finding finding;
	const char *lines;

	origins_charge(&list, &finder->findings->origins, is_in, finder->findings->metric);
	if (begin_origins(finder, &finding, &list, is_copy ? FINDING_COPIES : FINDING_LIBRARY,
			  is_in, &lines)) {
		const struct model_function *names = &finder->model->functions[of->function];
		/* Templates of a library are in the program. */
		const bool is_own = !finder_is_of_system(finder, of->function);
		const bool is_header = is_own && names->file != DICTIONARY_UNKNOWN;
		const struct name from =
			is_header ? model_name(finder->model, NAME_FILE, names->file)
				  : model_name(finder->model, NAME_OBJECT, names->object);

		add_parts(finder, &finding, is_in);
		finding.callee = of->function;
		finding.title = is_copy     ? "Copies memory"
				: is_header ? say(finder, "Calls code of %s", path_base(from.text))
				: is_own    ? "Code whose lines are not known"
					    : "Calls a library";
		finding.claim = say(finder, "%s (%s) takes %s: %s.", say_name(finder, of->name),
				    path_base(from.text), say_of_all(finder, (double)finding.cost),
				    lines);
		finding.advice =
			is_copy ? "Copy less: move, pass by reference, or build it where it stays."
			: is_own && !is_header ? advise_lines(finder, names->object)
					       : NULL;
		add_calls(finder, &finding, is_in, (double)list.cost);
		finding.next = say_show_command(finder, "annotate --tree=caller --list=function");
		finder_add(finder, &finding);
	}
	origin_list_release(&list);
}

/* What libraries cost: the allocator, copies, and single functions. */
void libraries_explain(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const size_t n = finder->model->n_functions;
	bool *allocators = heap_zeroed(n + 1, sizeof(*allocators));
	bool *copies = heap_zeroed(n + 1, sizeof(*copies));
	bool *one = heap_zeroed(n + 1, sizeof(*one));
	uint32_t copying = UINT32_MAX;
	int128 most = 0;
	double blocks;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t number_of_family = origins->family_of[i];
		const struct why_family *of = finder_family(finder, number_of_family);
		const int128 cost = metric_value(finder->findings->metric, of->self, false);

		if (of->is_own || of->is_loader)
			continue;
		allocators[i] = is_allocator(of->name);
		copies[i] = !allocators[i] && copies_memory(of->name);
		if (copies[i] && cost > most) {
			most = cost;
			copying = number_of_family;
		}
	}
	/* A few that cost much, such as a calloc() of all memory, are like other calls. */
	blocks = count_blocks(finder, allocators);
	if (blocks >= many_allocations)
		explain_allocations(finder, allocators, blocks);
	else
		memset(allocators, 0, n * sizeof(*allocators));
	if (copying != UINT32_MAX)
		explain_library(finder, copies, copying);
	for (uint32_t i = 0; i < origins->n_families; i++) {
		const struct why_family *of = &origins->families[i];

		if (of->is_own || of->is_loader || allocators[of->function] ||
		    copies[of->function] ||
		    !finder_is_worth_it(finder, (double)metric_value(finder->findings->metric,
								     of->self, false)))
			continue;
		for (uint32_t k = 0; k < n; k++)
			one[k] = origins->family_of[k] == i;
		explain_library(finder, one, i);
	}
	free(allocators);
	free(copies);
	free(one);
}
/* -- copies of objects -------------------------------------------------------------------------- */

/*
 * True of functions that destroy objects of a class, or parts of them: "ns::text::~text()", "ns::text::value::destroy()",
 * "std::basic_string<char>::_M_dispose()".
 */
static bool destroys_class(const char *name, const char *class_name)
{
	const size_t class_len = strlen(class_name);
	const char *begin = name, *open = strchr(name, '(');
	const char *end = open ? open : name + strlen(name);
	char part[CLASS_NAME];
	size_t depth = 0;
	bool is_of_class = false;

	/* Past arguments of templates, which may have brackets. */
	for (const char *at = name; *at != '\0'; at++) {
		depth += *at == '<';
		depth -= *at == '>' && depth > 0;
		if (depth > 0 || (*at != '(' && strncmp(at, "::", 2) != 0))
			continue;
		end = at;
		if (*at == '(')
			break;
		plain_component(part, begin, at);
		is_of_class |= strcmp(part, class_name) == 0;
		begin = at + 2;
		end = at + strlen(at);
	}
	plain_component(part, begin, end);
	if (part[0] == '~')
		return strncmp(part + 1, class_name, class_len + 1) == 0;
	return is_of_class && (strcmp(part, "destroy") == 0 || strcmp(part, "_M_destroy") == 0 ||
			       strcmp(part, "_M_dispose") == 0);
}

/* Gives lines that copy also what they spend on destroying what they copied: a value's caller does so after the call. */
static void add_destruction(struct finder *finder, struct origin_list *list, const bool *is_in,
			    const char *class_name)
{
	const struct origins *origins = &finder->findings->origins;
	const size_t n = finder->model->n_functions;
	bool *is_either = heap_alloc((n + 1) * sizeof(*is_either));
	struct origin_list both;

	for (uint32_t i = 0; i < n; i++)
		is_either[i] = is_in[i] ||
			       destroys_class(finder_family(finder, origins->family_of[i])->name,
					      class_name);
	/* Together: what destroys within a copy is the copy's. */
	origins_charge_calls(&both, origins, is_either);
	list->charged = 0;
	for (size_t i = 0; i < list->n; i++) {
		struct origin *origin = &list->all[i];

		for (size_t k = 0; origin->line != 0 && k < both.n; k++) {
			const struct origin *other = &both.all[k];

			if (other->family == origin->family && other->file == origin->file &&
			    other->line == origin->line && other->amount > origin->amount)
				origin->amount = other->amount;
		}
		list->charged += origin->amount;
	}
	origin_list_release(&both);
	free(is_either);
}

/* Calls of a set that lines of own code make. */
static uint64_t count_own_calls(const struct finder *finder, const bool *is_in)
{
	const struct origins *origins = &finder->findings->origins;
	uint64_t count = 0;

	for (size_t i = 0; i < origins->n_calls; i++)
		if (is_in[origins->calls[i].callee] && !is_in[origins->calls[i].caller] &&
		    origins->owncode.is_own[origins->calls[i].caller])
			count += origins->calls[i].count;
	return count;
}

/* "840,900 calls of the copy constructor of basic_json" */
static const char *copies_text(const struct finder *finder, const bool *is_in, uint64_t count,
			       const char *class_name)
{
	const struct origins *origins = &finder->findings->origins;
	bool constructs = false, assigns = false;

	for (uint32_t i = 0; i < finder->model->n_functions; i++) {
		const bool is_operator =
			is_in[i] &&
			strstr(finder_family(finder, origins->family_of[i])->name, "::operator=(");

		assigns |= is_operator;
		constructs |= is_in[i] && !is_operator;
	}
	return say(finder, "%s of the copy %s of %s", say_calls(finder, count),
		   constructs && assigns ? "constructor and assignment"
		   : assigns             ? "assignment"
					 : "constructor",
		   class_name);
}

static void explain_copies(struct finder *finder, const bool *is_in, const char *class_name)
{
	const struct origins *origins = &finder->findings->origins;
	const uint64_t count = origins_count(origins, is_in),
		       of_own = count_own_calls(finder, is_in);
	struct origin_list list;
	struct finding finding;
	const char *lines;
	double copying;

	origins_charge_calls(&list, origins, is_in);
	copying = list.charged;
	add_destruction(finder, &list, is_in, class_name);
	if (copying > 0 && begin_origins(finder, &finding, &list, FINDING_COPIES, is_in, &lines)) {
		const double destroying = list.charged - copying;
		const char *copies = copies_text(finder, is_in, count, class_name);

		finding.title = destroying > copying * 0.05 ? "Copies and destroys objects"
							    : "Copies objects";
		finding.claim =
			destroying > copying * 0.05
				? say(finder,
				      "%s, and destroying what they made, take %s, with all that they "
				      "call: %s.",
				      copies, say_of_all(finder, list.charged), lines)
				: say(finder, "%s take %s, with all that they call: %s.", copies,
				      say_of_all(finder, list.charged), lines);
		if (destroying > copying * 0.05)
			finding_add_text(
				&finding.facts,
				say(finder, "Copying takes %s, destroying at the same lines %s.",
				    say_share(finder, copying, (double)finder->findings->whole),
				    say_share(finder, destroying,
					      (double)finder->findings->whole)));
		if (of_own > 0 && of_own < count)
			finding_add_text(&finding.facts,
					 say(finder,
					     "Own code makes %s; the others copy what is in these "
					     "objects.",
					     say_calls(finder, of_own)));
		finding.advice = "Copy less: move, pass by reference, or build it where it stays.";
		finding.next = say_show_command(finder, "annotate --inclusive=yes --tree=caller");
		finder_add(finder, &finding);
	}
	origin_list_release(&list);
}

/* Classes whose copying is worth a finding, of what calls from other code cost, with all that they call. */
void copies_explain(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	const size_t n = finder->model->n_functions;
	uint32_t *class_of_function = heap_alloc((n + 1) * sizeof(*class_of_function));
	bool *is_in = heap_zeroed(n + 1, sizeof(*is_in));
	struct dictionary classes;
	double *costs;

	dictionary_init(&classes);
	for (uint32_t i = 0; i < n; i++) {
		char name[CLASS_NAME];

		class_of_function[i] =
			copies_class(finder_family(finder, origins->family_of[i])->name, name)
				? dictionary_intern(&classes, name, strlen(name))
				: DICTIONARY_NONE;
	}
	costs = heap_zeroed(classes.count + 1, sizeof(*costs));
	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];

		if (class_of_function[call->callee] != DICTIONARY_NONE &&
		    class_of_function[call->callee] != class_of_function[call->caller])
			costs[class_of_function[call->callee]] += call->cost;
	}
	for (uint32_t which = 0; which < classes.count; which++) {
		if (!finder_is_worth_it(finder, costs[which]))
			continue;
		for (uint32_t i = 0; i < n; i++)
			is_in[i] = class_of_function[i] == which;
		explain_copies(finder, is_in, dictionary_name(&classes, which).text);
	}
	free(costs);
	free(is_in);
	free(class_of_function);
	dictionary_release(&classes);
}
