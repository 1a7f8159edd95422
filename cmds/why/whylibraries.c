/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libraries do, charged to the own lines that make them do it: allocations, copies, single functions; and copies of objects. */
#include "cmds/why/finder.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/emit/visible.h"

/* Fewer allocations are not many, whatever they cost. */
static const double many_allocations = 1000;

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

/* Those that give memory, each of which is called once for a block. */
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
		const char *at = origin->line ? say(finder, " at %s",
						    say_place(finder, origin->file, origin->line))
					      : "";

		if (origin->amount < list->charged * 0.05 && i > 0)
			continue;
		finding_add_line(finder, finding, origin->family, origin->file, origin->line,
				 100 * origin->amount / list->charged);
		text = say(finder, "%s%s%s for %s%s", text, n++ ? ", " : "",
			   say_share(finder, origin->amount, whole),
			   say_name(finder, finder_family(finder, origin->family)->name), at);
	}
	return text;
}

/* A finding about what own lines make a library do, a family of functions or UINT32_MAX; false if that is not worth it. */
static bool begin_origins(struct finder *finder, struct finding *finding,
			  const struct origin_list *list, enum finding_kind kind, uint32_t about)
{
	bool is_about = list->n > 0 && finder_is_worth_it(finder, list->charged);
	bool is_any = about != UINT32_MAX && finder_is_wanted(finder, about);

	for (size_t i = 0; i < list->n; i++)
		is_any |= finder_is_wanted(finder, list->all[i].family);
	if (!is_about || !is_any)
		return false;
	*finding = (struct finding){
		.kind = kind,
		.cost = (int128)list->charged,
		.family = list->all[0].family,
		.function = finder_family(finder, list->all[0].family)->function,
		.callee = MODEL_NO_FUNCTION,
		.file = list->all[0].file,
		.line = list->all[0].line,
		.event = finder->findings->metric->name,
	};
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

	origins_charge(&list, origins, is_in, finder->findings->metric);
	if (begin_origins(finder, &finding, &list, FINDING_ALLOCATIONS, UINT32_MAX)) {
		const char *lines =
			origins_text(finder, &finding, &list, (double)finder->findings->whole);

		finding.title = "Many allocations";
		finding.claim = say(finder, "%s allocations take %s: %s.",
				    say_number(finder, blocks), say_of_all(finder, list.charged),
				    lines);
		finding_add_text(&finding.facts, functions_text(finder, is_in));
		add_parts(finder, &finding, is_in);
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

/* One function of a library, or several that do the same. */
static void explain_library(struct finder *finder, const bool *is_in, uint32_t number_of_family)
{
	const struct why_family *of = finder_family(finder, number_of_family);
	const bool is_copy = copies_memory(of->name);
	struct origin_list list;
	struct finding finding;

	origins_charge(&list, &finder->findings->origins, is_in, finder->findings->metric);
	if (begin_origins(finder, &finding, &list, is_copy ? FINDING_COPIES : FINDING_LIBRARY,
			  number_of_family)) {
		const char *lines =
			origins_text(finder, &finding, &list, (double)finder->findings->whole);
		const struct model_function *names = &finder->model->functions[of->function];
		/* Templates of a library are in the program. */
		const bool is_header = !finder_is_of_system(finder, of->function) &&
				       names->file != DICTIONARY_UNKNOWN;
		const struct name from =
			is_header ? model_name(finder->model, NAME_FILE, names->file)
				  : model_name(finder->model, NAME_OBJECT, names->object);

		add_parts(finder, &finding, is_in);
		finding.callee = of->function;
		finding.title = is_copy ? "Copies memory" : "Calls a library";
		finding.claim = say(finder, "%s (%s) takes %s: %s.", say_name(finder, of->name),
				    path_base(from.text), say_of_all(finder, list.charged), lines);
		finding.advice =
			is_copy ? "Copy less: move, pass by reference, or build it where it stays."
				: NULL;
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
		struct origin_list list;
		struct finding finding;

		if (!finder_is_worth_it(finder, costs[which]))
			continue;
		for (uint32_t i = 0; i < n; i++)
			is_in[i] = class_of_function[i] == which;
		origins_charge_calls(&list, origins, is_in);
		if (begin_origins(finder, &finding, &list, FINDING_COPIES, UINT32_MAX)) {
			const char *lines = origins_text(finder, &finding, &list,
							 (double)finder->findings->whole);

			finding.title = "Copies objects";
			finding.claim =
				say(finder, "%s copies of %s take %s, with all that they call: %s.",
				    say_number(finder, (double)origins_count(origins, is_in)),
				    dictionary_name(&classes, which).text,
				    say_of_all(finder, list.charged), lines);
			finding.advice =
				"Copy less: move, pass by reference, or build it where it stays.";
			finding.next =
				say_show_command(finder, "annotate --inclusive=yes --tree=caller");
			finder_add(finder, &finding);
		}
		origin_list_release(&list);
	}
	free(costs);
	free(is_in);
	free(class_of_function);
	dictionary_release(&classes);
}
