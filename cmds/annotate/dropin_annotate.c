/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind under the names cg_annotate and callgrind_annotate: takes their
 * options, those of all versions, and prints what they print (scriptform.h), as in the Valgrind that
 * costgrind was built for.
 */
#include "cmds/annotate/annotate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cmds/annotate/program_totals.h"
#include "cmds/annotate/scriptform.h"
#include "cmds/annotate/scriptwords.h"
#include "cmds/code/searchpath.h"
#include "cmds/code/sourcetext.h"
#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "cmds/common/layout.h"
#include "cmds/common/loader.h"
#include "cmds/common/naming.h"
#include "cmds/common/printout.h"
#include "profile/analysis/self_costs.h"
#include "profile/common/arena.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

struct dropin {
	const char *script;
	struct script_form form;
	struct script_sums sums;
	struct loader_options loading;
	struct loaded loaded;
	struct option_common common;
	struct naming naming;
	struct searchpath path;
	struct read_policy policy;
	const char *show, *sort; /* NULL = as recorded */
	const char *sources[SCRIPT_FORM_NAMED];
	bool difference;
	bool is_python;
	char folder[4096]; /* the working directory, "/" at its end */
};

/* -- options --------------------------------------------------------------------------------- */

static const char *set_show(void *ctx, const char *value)
{
	((struct dropin *)ctx)->show = value;
	return value[0] != '\0' ? NULL : "names of events, as in --show=Ir,DLmr";
}

static const char *set_sort(void *ctx, const char *value)
{
	((struct dropin *)ctx)->sort = value;
	return value[0] != '\0' ? NULL : "names of events, as in --sort=DLmr:1,DLmw:1";
}

static const char *set_threshold(void *ctx, const char *value)
{
	struct script_form *form = &((struct dropin *)ctx)->form;

	form->threshold = value;
	return option_decimal(value, 0, 100, &form->threshold_value) ? NULL
								     : "a percentage of 0 to 100";
}

static const char *set_percents(void *ctx, const char *value)
{
	((struct dropin *)ctx)->form.percents = option_yes(value);
	return NULL;
}

static const char *set_auto(void *ctx, const char *value)
{
	((struct dropin *)ctx)->form.automatic = option_yes(value);
	return NULL;
}

static const char *set_context(void *ctx, const char *value)
{
	unsigned long long number;

	if (!option_count(value, 1000000000, &number))
		return "a number of lines";
	((struct dropin *)ctx)->form.context = number;
	return NULL;
}

static const char *set_inclusive(void *ctx, const char *value)
{
	((struct dropin *)ctx)->form.inclusive = option_yes(value);
	return NULL;
}

static const char *set_tree(void *ctx, const char *value)
{
	static const char *const words[] = { "none", "caller", "calling", "both", NULL };
	struct script_form *form = &((struct dropin *)ctx)->form;
	int word = option_word(value, words);

	form->shows_callers = word == 1 || word == 3;
	form->shows_callees = word == 2 || word == 3;
	return word >= 0 ? NULL : "none, caller, calling or both";
}

static const char *set_source(void *ctx, const char *value)
{
	struct dropin *dropin = ctx;

	if (dropin->form.n_named == SCRIPT_FORM_NAMED)
		return "at most 256 of them";
	dropin->sources[dropin->form.n_named++] = value;
	return NULL;
}

static const char *set_diff(void *ctx, const char *value)
{
	(void)value;
	((struct dropin *)ctx)->difference = true;
	return NULL;
}

static const char *set_mod_filename(void *ctx, const char *value)
{
	return naming_modify(&((struct dropin *)ctx)->naming, NAME_FILE, value);
}

static const char *set_mod_funcname(void *ctx, const char *value)
{
	return naming_modify(&((struct dropin *)ctx)->naming, NAME_FUNCTION, value);
}

/* layout_wanted() has read it. */
static const char *set_layout(void *ctx, const char *value)
{
	(void)ctx;
	return layout_is_known(value) ? NULL : "3.19 or 3.21";
}

/* Their help is that of the scripts (scriptwords.h). */
static const struct option_rule rules[] = {
	{ "--show", 0, OPTION_VALUE, NULL, NULL, set_show },
	{ "--sort", 0, OPTION_VALUE, NULL, NULL, set_sort },
	{ "--threshold", 0, OPTION_VALUE, NULL, NULL, set_threshold },
	{ "--show-percs", 0, OPTION_YES_NO, NULL, NULL, set_percents },
	{ "--auto", 0, OPTION_YES_NO, NULL, NULL, set_auto },
	{ "--annotate", 0, OPTION_YES_NO, NULL, NULL, set_auto },
	{ "--context", 0, OPTION_VALUE, NULL, NULL, set_context },
	{ "--inclusive", 0, OPTION_YES_NO, NULL, NULL, set_inclusive },
	{ "--tree", 0, OPTION_VALUE, NULL, NULL, set_tree },
	{ "--source", 0, OPTION_VALUE, NULL, NULL, set_source },
	{ "--diff", 0, OPTION_FLAG, NULL, NULL, set_diff },
	{ "--mod-filename", 0, OPTION_VALUE, NULL, NULL, set_mod_filename },
	{ "--mod-funcname", 0, OPTION_VALUE, NULL, NULL, set_mod_funcname },
	{ "--layout", 0, OPTION_VALUE, NULL, NULL, set_layout },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- events ---------------------------------------------------------------------------------- */

static bool complain_of_event(const struct dropin *dropin, const char *option, const char *name,
			      size_t len)
{
	const struct script_sums *sums = &dropin->sums;
	char events[COMPLAINT_TEXT] = "";
	size_t used = 0;

	for (size_t i = 0; i < sums->n_events && used < sizeof(events); i++)
		used += (size_t)snprintf(events + used, sizeof(events) - used, " %s",
					 sums->events[i]);
	complain(dropin->script, "%s: '%.*s': expected an event of the profile, one of%s", option,
		 (int)len, name, events);
	return false;
}

/* The next event in a list, moved behind it; n_events if there is no such event. */
static size_t next_event(const struct dropin *dropin, const char **list, const char *option)
{
	const char *name = *list;
	size_t len = strcspn(name, ",:"), event = script_event(&dropin->sums, name, len);

	*list += strcspn(*list, ",");
	*list += **list == ',';
	if (event == dropin->sums.n_events)
		(void)complain_of_event(dropin, option, name, len);
	return event;
}

static bool choose_shown(struct dropin *dropin)
{
	struct script_form *form = &dropin->form;
	const size_t n_events = dropin->sums.n_events;
	const char *list = dropin->show;

	for (size_t i = 0; !list && i < n_events; i++)
		form->shown[form->n_shown++] = i;
	while (list && *list != '\0' && form->n_shown < PROFILE_MAX_EVENTS) {
		size_t event = next_event(dropin, &list, "--show");

		if (event == n_events)
			return false;
		form->shown[form->n_shown++] = event;
	}
	return true;
}

/* What has no threshold itself has one that decides nothing; and the first, if none has, --threshold. */
static void fill_thresholds(struct script_form *form)
{
	for (size_t i = 0; i < form->n_keys; i++) {
		struct script_key *key = &form->keys[i];

		if (key->text)
			continue;
		if (!form->has_key_thresholds && i == 0) {
			key->text = form->threshold;
			key->threshold = form->threshold_value;
		} else if (form->has_key_thresholds || form->is_callgrind) {
			key->text = "0";
		} else {
			key->text = "100";
			key->threshold = 100;
		}
	}
}

static bool choose_keys(struct dropin *dropin)
{
	struct script_form *form = &dropin->form;
	const size_t n_events = dropin->sums.n_events;
	const char *list = dropin->sort;

	for (size_t i = 0; !list && i < n_events; i++)
		form->keys[form->n_keys++] = (struct script_key){ .event = i };
	while (list && *list != '\0' && form->n_keys < PROFILE_MAX_EVENTS) {
		struct script_key *key = &form->keys[form->n_keys++];
		const char *colon = list + strcspn(list, ",:");
		size_t len = strcspn(colon, ",");
		char *text;

		*key = (struct script_key){ .event = next_event(dropin, &list, "--sort") };
		if (key->event == n_events)
			return false;
		if (len == 0)
			continue;
		text = arena_copy(&form->arena, colon + 1, len - 1);
		if (!text) {
			complain_status(dropin->script, NULL, PROFILE_NO_MEMORY);
			return false;
		}
		if (!option_decimal(text, 0, 100, &key->threshold)) {
			complain(dropin->script, "--sort: '%s': expected a percentage of 0 to 100",
				 text);
			return false;
		}
		text[strcspn(text, "%")] = '\0';
		key->text = text;
		form->has_key_thresholds = true;
	}
	fill_thresholds(form);
	return true;
}

/* -- from files to output ------------------------------------------------------------------------ */

/* NEW - OLD: what the model has is their sum. */
static int sum_up(struct dropin *dropin)
{
	struct script_form *form = &dropin->form;
	const struct script_table *pairs = &dropin->sums.pairs;

	memset(form->totals, 0, sizeof(form->totals));
	for (size_t i = 0; i < pairs->keys.count; i++)
		if (!row_add(form->totals, script_counts(pairs, i), pairs->stride, true))
			return PROFILE_RANGE;
	form->n_total = dropin->sums.n_events;
	return PROFILE_OK;
}

static int make_totals(struct dropin *dropin, const struct model *model)
{
	struct script_form *form = &dropin->form;
	const struct script_sums *sums = &dropin->sums;
	struct program_totals totals;
	int status;

	if (dropin->difference)
		return sum_up(dropin);
	status = program_totals_make(&totals, model, &form->arena);
	if (status)
		return status;
	program_totals_warn(&totals, dropin->script);
	for (size_t i = 0; i < model->n_events; i++) {
		size_t event =
			script_event(sums, model->events[i].name, strlen(model->events[i].name));

		if (event < sums->n_events)
			form->totals[event] = totals.costs[i];
	}
	form->is_calculated = totals.kind != TOTALS_SAID;
	form->n_total = sums->n_total;
	for (size_t i = 0; form->is_calculated && i < sums->pairs.keys.count; i++)
		if (sums->pairs.rows[i].n_defined > form->n_total)
			form->n_total = sums->pairs.rows[i].n_defined;
	return PROFILE_OK;
}

/* As the scripts, it wants all files that are named. */
static bool has_sources(struct dropin *dropin)
{
	for (size_t i = 0; i < dropin->form.n_named; i++) {
		struct sourcetext text;

		if (!sourcetext_find(&text, dropin->sources[i], &dropin->policy)) {
			if (errno == ENOMEM)
				complain_status(dropin->script, NULL, PROFILE_NO_MEMORY);
			else
				complain(dropin->script, "%s: expected a source file, found none",
					 dropin->sources[i]);
			return false;
		}
		sourcetext_release(&text);
	}
	return true;
}

static int print(struct dropin *dropin)
{
	struct script_form *form = &dropin->form;
	struct printout printout;
	int status;

	if (!printout_open(&printout, dropin->script, NULL, true))
		return EXIT_FAILED;
	form->out = printout.out;
	status = dropin->is_python ? script_form_python(form) : script_form_perl(form);
	if (status) {
		printout_abandon(&printout);
		return complain_status(dropin->script, NULL, status);
	}
	if (!printout_close(&printout, dropin->script))
		return EXIT_FAILED;
	read_policy_report(&dropin->policy, dropin->script, false);
	return EXIT_FINE;
}

static int annotate_model(struct dropin *dropin, const struct model *model)
{
	struct script_form *form = &dropin->form;
	int code = EXIT_FAILED, status;

	if (!choose_shown(dropin) || !choose_keys(dropin))
		return EXIT_FAILED;
	status = make_totals(dropin, model);
	if (status)
		return complain_status(dropin->script, NULL, status);
	form->model = model;
	form->policy = &dropin->policy;
	form->oldest = dropin->loaded.has_time ? &dropin->loaded.oldest : NULL;
	/* Files are looked for by the names that they are shown under, or that profiles have. */
	read_policy_init(&dropin->policy, &dropin->path,
			 dropin->is_python ? NULL : &dropin->naming.rules);
	for (size_t i = 0; i < form->n_named; i++)
		read_policy_add_file(&dropin->policy, dropin->sources[i]);
	read_policy_add_profile(&dropin->policy, model);
	if (has_sources(dropin))
		code = print(dropin);
	read_policy_release(&dropin->policy);
	return code;
}

static int annotate_files(struct dropin *dropin)
{
	struct script_form *form = &dropin->form;
	struct model model;
	int code = EXIT_FAILED;

	dropin->sums.options = (struct script_sums_options){
		.rules = &dropin->naming.rules,
		.folder = form->is_callgrind ? dropin->folder : NULL,
		.lines = form->automatic || form->n_named > 0,
		.unspecified = dropin->is_python,
		.difference = dropin->difference,
		.no_options = form->is_callgrind,
	};
	if (model_init(&model, &heap_env))
		code = loader_read(&model, &dropin->loading, form->paths, form->n_paths,
				   &dropin->loaded);
	else
		complain_status(dropin->script, NULL, PROFILE_NO_MEMORY);
	if (code == EXIT_FINE && dropin->sums.failed)
		code = complain_status(dropin->script, NULL, PROFILE_NO_MEMORY);
	if (code == EXIT_FINE && !naming_is_fine(&dropin->naming.rules, dropin->script))
		code = EXIT_FAILED;
	if (code == EXIT_FINE)
		code = annotate_model(dropin, &model);
	model_release(&model);
	return code;
}

static int read_options(struct dropin *dropin, char **argv)
{
	struct script_form *form = &dropin->form;
	int n = 0, code;

	dropin->common.groups[0] = (struct option_group){ searchpath_options, &dropin->path };
	code = options_read(rules, &dropin->common, argv, &n, dropin);
	if (code != OPTIONS_GO_ON)
		return code;
	form->paths = (const char *const *)argv + 1;
	form->n_paths = (size_t)n;
	if (dropin->difference && n != 2) {
		complain(dropin->script, "--diff: expected two profiles, found %d", n);
		return EXIT_USAGE;
	}
	return annotate_files(dropin);
}

/* The path of the program, as a script has it, which the kernel starts by its path. */
static void name_program(char **argv)
{
	unsigned long path = getauxval(AT_EXECFN);

	if (path != 0 && argv[0] && !strchr(argv[0], '/'))
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): so the auxiliary vector has it */
		argv[0] = (char *)(uintptr_t)path;
}

/* The working directory; without one, nothing is cut off. */
static void find_folder(struct dropin *dropin)
{
	size_t len;

	if (!getcwd(dropin->folder, sizeof(dropin->folder) - 1)) {
		dropin->folder[0] = '\0';
		return;
	}
	len = strlen(dropin->folder);
	dropin->folder[len] = '/';
	dropin->folder[len + 1] = '\0';
}

static int annotate_like(const char *script, char **argv)
{
	bool is_callgrind = strcmp(script, "callgrind_annotate") == 0;
	struct dropin *dropin = calloc(1, sizeof(*dropin));
	struct script_words words;
	int code;

	if (!dropin)
		return complain_status(script, NULL, PROFILE_NO_MEMORY);
	dropin->script = script;
	dropin->is_python = !is_callgrind && layout_wanted(argv) >= LAYOUT_PYTHON;
	dropin->loading = (struct loader_options){
		.command = script,
		.wants_summary = !is_callgrind,
		.through = script_sums_through,
		.through_ctx = &dropin->sums,
	};
	dropin->form = (struct script_form){
		.is_callgrind = is_callgrind,
		.argv = argv,
		.sums = &dropin->sums,
		.threshold = is_callgrind ? "99" : "0.1",
		.threshold_value = is_callgrind ? 99 : 0.1,
		.percents = true,
		.automatic = true,
		.context = 8,
		.named = dropin->sources,
	};
	name_program(argv);
	find_folder(dropin);
	naming_init(&dropin->naming);
	arena_init(&dropin->form.arena, &heap_env);
	script_sums_init(&dropin->sums);
	code = script_words_read(&words, script, !dropin->is_python, argv);
	if (code == SCRIPT_WORDS_GO_ON)
		code = read_options(dropin, words.argv);
	script_words_release(&words);
	script_sums_release(&dropin->sums);
	arena_release(&dropin->form.arena);
	naming_release(&dropin->naming);
	free(dropin);
	return code;
}

int cg_annotate_main(int argc, char **argv)
{
	(void)argc;
	return annotate_like("cg_annotate", argv);
}

int callgrind_annotate_main(int argc, char **argv)
{
	(void)argc;
	return annotate_like("callgrind_annotate", argv);
}
