/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings of programs of Python: own functions, with the C that runs for them. */
#include "cmds/why/finder.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/emit/visible.h"
#include "profile/analysis/pythonshare.h"

/* What an own function of Python calls: functions of C, and of libraries of Python. */
struct python_call {
	uint32_t caller, callee; /* families */
	uint64_t count;
	double cost; /* with all below, but own functions and imports if a call tree tells them apart */
};

/* An own function of Python. */
struct python_costs {
	double self, below;
	size_t most; /* of the calls, that which costs most; SIZE_MAX = there is none */
};

struct python {
	struct finder *finder;
	bool *is_own;               /* by family: functions of Python that have findings; owned */
	struct python_costs *costs; /* by family; owned */
	struct python_call *calls;  /* owned */
	size_t n_calls, capacity;
	struct idtable by_pair;
	double imports;
};

/* "json/decoder.py": a package's files have the same names as others'. */
static const char *module_text(const struct finder *finder, uint32_t file)
{
	const char *name = model_name(finder->model, NAME_FILE, file).text, *at = path_base(name);

	while (at > name + 1 && at[-2] != '/')
		at--;
	return at > name + 1 ? at - 1 : path_base(name);
}

/* The caller of Python that has most of the calls of a family; NULL if none has. */
static const struct why_call *python_caller(const struct finder *finder, uint32_t number_of_family)
{
	const struct origins *origins = &finder->findings->origins;
	const struct why_call *most = NULL;

	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];

		if (origins->family_of[call->callee] == number_of_family &&
		    owncode_is_python(finder->model, call->caller) &&
		    (!most || call->cost > most->cost))
			most = call;
	}
	return most;
}

/* True of the program's own, and of what was asked about; of others nobody changes anything. */
static bool is_own_python(const struct finder *finder, uint32_t number_of_family, bool is_any_own)
{
	const uint32_t function = finder_family(finder, number_of_family)->function;
	const uint32_t file = finder->model->functions[function].file;

	if (!owncode_is_python(finder->model, function) || file == DICTIONARY_UNKNOWN)
		return false;
	if (is_any_own &&
	    !(finder->options->function && finder_is_wanted(finder, number_of_family)))
		return origins_file_is_own(&finder->findings->origins, file);
	return model_name(finder->model, NAME_FILE, file).text[0] != '<';
}

static void add_python_call(struct python *python, uint32_t caller, uint32_t callee, uint64_t count,
			    double cost)
{
	const uint64_t key = (uint64_t)caller << 32 | callee;
	uint32_t at = idtable_get(&python->by_pair, key);

	python->costs[caller].below += cost;
	if (callee == UINT32_MAX)
		return;
	if (at == IDTABLE_NONE) {
		at = (uint32_t)python->n_calls;
		python->calls = heap_grow(python->calls, &python->capacity, python->n_calls + 1,
					  sizeof(*python->calls));
		python->calls[python->n_calls++] =
			(struct python_call){ .caller = caller, .callee = callee };
		idtable_put(&python->by_pair, key, at);
	}
	python->calls[at].count += count;
	python->calls[at].cost += cost;
}

/* Each chain of calls is charged to the nearest own function, and what is below an import to the import. */
static bool charge_python_by_tree(struct python *python)
{
	struct finder *finder = python->finder;
	const struct pathtree *tree = finder->options->tree;
	const struct model *model = finder->model;
	size_t events[PROFILE_MAX_EVENTS];
	uint64_t costs[PROFILE_MAX_EVENTS];
	uint32_t import, *family_of, *owners, *below;
	bool *owns;

	if (!tree || !tree->is_exact)
		return false;
	for (size_t e = 0; e < model->n_events; e++) {
		events[e] = model_event(tree->model, model->events[e].name);
		if (events[e] == tree->model->n_events)
			return false;
	}
	/* By function of the tree. */
	family_of = heap_alloc((tree->model->n_functions + 1) * sizeof(*family_of));
	memset(family_of, 0xff, (tree->model->n_functions + 1) * sizeof(*family_of));
	owns = heap_zeroed(tree->model->n_functions + 1, sizeof(*owns));
	for (uint32_t i = 0; i < model->n_functions; i++) {
		const uint32_t function = pathtree_find(tree->model, model, i);

		if (function == MODEL_NO_FUNCTION)
			continue;
		family_of[function] = finder->findings->origins.family_of[i];
		owns[function] = python->is_own[family_of[function]];
	}
	import = owncode_python_import(tree->model);
	if (import != MODEL_NO_FUNCTION)
		owns[import] = true;
	owners = pathtree_owners(tree, owns, import);
	/* By node: the family that its owner calls on the way to it. */
	below = heap_alloc((tree->n + 1) * sizeof(*below));
	for (uint32_t i = 0; i < tree->n; i++) {
		const struct pathtree_node *node = &tree->nodes[i];
		const uint32_t owner = owners[i];
		const bool is_first = node->parent != PATHTREE_NONE &&
				      tree->nodes[node->parent].function == owner;
		double cost;

		if (is_first || node->parent == PATHTREE_NONE)
			below[i] = node->function == PATHTREE_REST ? UINT32_MAX
								   : family_of[node->function];
		else
			below[i] = below[node->parent];
		if (owner == MODEL_NO_FUNCTION)
			continue;
		for (size_t e = 0; e < model->n_events; e++)
			costs[e] = pathtree_costs(tree, i)[events[e]];
		cost = (double)metric_value(finder->findings->metric, costs, false);
		if (owner == import)
			python->imports += cost;
		else if (node->function == owner)
			python->costs[family_of[owner]].self += cost;
		else
			add_python_call(python, family_of[owner], below[i],
					is_first ? node->count : 0, cost);
	}
	free(below);
	free(owners);
	free(owns);
	free(family_of);
	return true;
}

/*
 * Without a tree, a function has its own cost, its share of the costs of C functions, as on the first screen, and its calls of
 * libraries with all that these call.
 */
static void charge_python_by_shares(struct python *python)
{
	const struct finder *finder = python->finder;
	const struct origins *origins = &finder->findings->origins;
	const struct metric *metric = finder->findings->metric;
	const uint32_t import = owncode_python_import(finder->model);
	double *parts = pythonshare_parts(finder->model, metric);

	for (uint32_t i = 0; i < origins->n_families; i++)
		if (python->is_own[i])
			python->costs[i].self =
				(double)metric_value(metric, origins->families[i].self, false);
	for (size_t i = 0; i < origins->n_calls; i++) {
		const struct why_call *call = &origins->calls[i];
		const uint32_t caller = origins->family_of[call->caller],
			       callee = origins->family_of[call->callee];

		if (python->is_own[caller] && !python->is_own[callee] && call->callee != import)
			add_python_call(python, caller, callee, call->count,
					call->cost * parts[call->callee]);
	}
	if (import != MODEL_NO_FUNCTION)
		python->imports =
			(double)metric_value(metric, inclusive_of(&origins->sums, import), false);
	free(parts);
}

static void explain_imports(struct finder *finder, double cost)
{
	const uint32_t function = owncode_python_import(finder->model);
	struct finding finding = {
		.kind = FINDING_PYTHON,
		.title = "Imports",
		.cost = (int128)cost,
		.callee = MODEL_NO_FUNCTION,
		.event = finder->findings->metric->name,
	};

	if (function == MODEL_NO_FUNCTION || finder->options->function)
		return;
	finding.family = finder->findings->origins.family_of[function];
	finding.function = function;
	finding.file = finder->model->functions[function].file;
	finding.claim = say(
		finder, "Imports take %s: finding modules, and what these do when they are loaded.",
		say_of_all(finder, cost));
	finding.advice = "Import what is not always needed in the function that needs it.";
	finding.next = say_show_command(finder, "annotate --inclusive=yes --tree=calling");
	finder_add(finder, &finding);
}

/* Where a function of Python begins; 0 if that is not known.  Lines within functions are not recorded. */
static uint64_t first_line(const struct finder *finder, uint32_t function)
{
	struct model_cursor cursor;
	struct model_line line;
	uint64_t first = 0;

	model_lines(finder->model, function, 0, &cursor);
	while (model_next_line(&cursor, &line))
		if (line.file == finder->model->functions[function].file && line.at.line != 0 &&
		    (first == 0 || line.at.line < first))
			first = line.at.line;
	return first;
}

/* What a function costs with all that it calls, whoever's that is. */
static double with_all_calls(const struct finder *finder, uint32_t number_of_family)
{
	const struct origins *origins = &finder->findings->origins;
	int128 most = 0;

	for (uint32_t i = 0; i < finder->model->n_functions; i++) {
		const int128 cost = metric_value(finder->findings->metric,
						 inclusive_of(&origins->sums, i), false);

		if (origins->family_of[i] == number_of_family && cost > most)
			most = cost;
	}
	return (double)most;
}

/* By what most of its cost is: its own, a function of Python, or operators and built-in functions. */
static const char *python_advice(const struct finder *finder, const struct python_costs *of,
				 const struct python_call *most)
{
	const struct why_family *callee = most ? finder_family(finder, most->callee) : NULL;

	if (!callee || of->self > of->below)
		return "Do less of it in Python: built-in functions, or libraries that work on whole "
		       "arrays, run loops in C.";
	if (owncode_is_python(finder->model, callee->function))
		return say(finder, "Call %s less often, or keep what it gives.",
			   say_name(finder, callee->name));
	return "Look at what its operators and built-in functions work on: `in` on a list, a copy or "
	       "a join takes longer the more there is.";
}

static void explain_python_function(struct python *python, uint32_t number_of_family)
{
	struct finder *finder = python->finder;
	const struct python_costs *of = &python->costs[number_of_family];
	const struct why_family *named = finder_family(finder, number_of_family);
	const struct python_call *most = of->most < python->n_calls ? &python->calls[of->most]
								    : NULL;
	const double whole = (double)finder->findings->whole;
	struct finding finding = {
		.kind = FINDING_PYTHON,
		.title = "Python",
		.cost = (int128)(of->self + of->below),
		.family = number_of_family,
		.function = named->function,
		.callee = most ? finder_family(finder, most->callee)->function : MODEL_NO_FUNCTION,
		.file = finder->model->functions[named->function].file,
		.line = first_line(finder, named->function),
		.event = finder->findings->metric->name,
	};
	const struct why_call *caller = python_caller(finder, number_of_family);
	const char *share = say_share(finder, (double)finding.cost, whole),
		   *share_of_all =
			   say_share(finder, with_all_calls(finder, number_of_family), whole);

	finding_add_line(finder, &finding, number_of_family, finding.file, finding.line, 100);
	/* It says no more than the name. */
	finding.lines[0].source = NULL;
	finding.claim = say(
		finder,
		"%s in %s spends %s: %s itself, %s in functions of C and libraries that it calls.",
		say_name(finder, named->name), module_text(finder, finding.file),
		say_of_all(finder, (double)finding.cost), say_share(finder, of->self, whole),
		say_share(finder, of->below, whole));
	if (most)
		finding_add_text(&finding.facts,
				 say(finder, "Most of that is %s: %s, %s.",
				     say_name(finder, finder_family(finder, most->callee)->name),
				     say_calls(finder, most->count),
				     say_share(finder, most->cost, whole)));
	if (caller)
		finding_add_text(
			&finding.facts,
			say(finder, "It is called by %s in %s: %s.",
			    say_name(finder,
				     finder_family(
					     finder,
					     finder->findings->origins.family_of[caller->caller])
					     ->name),
			    module_text(finder, finder->model->functions[caller->caller].file),
			    say_calls(finder, caller->count)));
	if (strcmp(share, share_of_all) != 0)
		finding_add_text(&finding.facts,
				 say(finder, "With own functions and imports that it calls: %s.",
				     share_of_all));
	finding.advice = python_advice(finder, of, most);
	finding.next = say_show_command(finder, "annotate --inclusive=yes --tree=calling");
	finder_add(finder, &finding);
}

/*
 * Of an interpreter, nearly all is one cycle, and nobody can say for whom its loop works.  But an own function of Python costs what
 * it costs itself, and the functions of C and of libraries that it calls, which do its work; imports are apart, as they say
 * nothing about what the program does later.
 */
void python_explain(struct finder *finder)
{
	const struct origins *origins = &finder->findings->origins;
	struct python python = { .finder = finder };
	bool is_any_own = false;

	python.costs = heap_zeroed(origins->n_families, sizeof(*python.costs));
	idtable_init(&python.by_pair);
	/* If none is the program's, as of python -m json.tool, all are taken that have files. */
	for (uint32_t i = 0; i < origins->n_families && !is_any_own; i++)
		is_any_own = origins->owncode.is_own[origins->families[i].function] &&
			     owncode_is_python(finder->model, origins->families[i].function);
	python.is_own = heap_zeroed(origins->n_families + 1, sizeof(*python.is_own));
	for (uint32_t i = 0; i < origins->n_families; i++)
		python.is_own[i] = is_own_python(finder, i, is_any_own);
	if (!charge_python_by_tree(&python))
		charge_python_by_shares(&python);
	for (uint32_t i = 0; i < origins->n_families; i++)
		python.costs[i].most = SIZE_MAX;
	for (size_t i = 0; i < python.n_calls; i++) {
		size_t *most = &python.costs[python.calls[i].caller].most;

		if (*most == SIZE_MAX || python.calls[i].cost > python.calls[*most].cost)
			*most = i;
	}
	for (uint32_t i = 0; i < origins->n_families; i++)
		if (finder_is_worth_it(finder, python.costs[i].self + python.costs[i].below) &&
		    finder_is_wanted(finder, i))
			explain_python_function(&python, i);
	explain_imports(finder, python.imports);
	free(python.is_own);
	free(python.costs);
	free(python.calls);
	idtable_release(&python.by_pair);
}
