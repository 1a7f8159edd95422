/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/cli/naming.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cli/complaint.h"
#include "profile/common/heap.h"

void naming_init(struct naming *naming)
{
	name_rules_init(&naming->rules, &heap_env);
	naming->wrong[0] = '\0';
}

void naming_release(struct naming *naming)
{
	name_rules_release(&naming->rules);
}

bool naming_is_fine(const struct name_rules *rules, const char *command)
{
	struct profile_error error = { .status = PROFILE_OK };

	if (name_rules_status(rules, &error) == PROFILE_OK)
		return true;
	complain(command, "%s", error.text);
	return false;
}

/* What set() is to return after an addition: what was expected, or NULL. */
static const char *judge(struct naming *naming, const char *form, const struct profile_error *error)
{
	switch (error->status) {
	case PROFILE_OK:
		return NULL;
	case PROFILE_SYNTAX:
		snprintf(naming->wrong, sizeof(naming->wrong), "%s, in column %" PRIu64 ": %s",
			 form, error->column, error->text);
		return naming->wrong;
	case PROFILE_NO_MEMORY:
	case PROFILE_IO:
	case PROFILE_RANGE:
	case PROFILE_EVENTS:
	case PROFILE_STOPPED:
		break;
	}
	/* No fault of the option's: not a matter of usage. */
	naming->rules.error = *error;
	return NULL;
}

static const char *set_source_map(void *ctx, const char *value)
{
	struct naming *naming = ctx;
	struct profile_error error = { .status = PROFILE_OK };

	name_rules_add_map(&naming->rules, value, &error);
	return judge(naming, "two folders", &error);
}

static const char *naming_modify(struct naming *naming, enum name_kind kind, const char *expression)
{
	struct profile_error error = { .status = PROFILE_OK };

	name_rules_add_expression(&naming->rules, kind, expression, &error);
	return judge(naming, "s/OLD/NEW/", &error);
}

static const char *set_mod_filename(void *ctx, const char *value)
{
	return naming_modify(ctx, NAME_FILE, value);
}

static const char *set_mod_funcname(void *ctx, const char *value)
{
	return naming_modify(ctx, NAME_FUNCTION, value);
}

static const char *set_flags(struct naming *naming, unsigned flags, const char *value)
{
	if (option_yes(value))
		naming->rules.symbols |= flags;
	else
		naming->rules.symbols &= ~flags;
	return NULL;
}

static const char *set_fold_names(void *ctx, const char *value)
{
	return set_flags(ctx, SYMBOLNAME_USUAL, value);
}

static const char *set_fold_templates(void *ctx, const char *value)
{
	return set_flags(ctx, SYMBOLNAME_TEMPLATES, value);
}

/* Folds that a desc line names. */
static unsigned folds_of(const char *text)
{
	return (strstr(text, "--fold-names") ? SYMBOLNAME_USUAL : 0) |
	       (strstr(text, "--fold-templates") ? SYMBOLNAME_TEMPLATES : 0);
}

bool naming_note(const struct naming *naming, struct model *model, struct arena *arena)
{
	static const char type[] = "Names folded";
	struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;
	unsigned folds = naming->rules.symbols;
	struct part_desc *descs;
	size_t n = 0;

	if (!part)
		return true;
	descs = arena_alloc(arena, (part->n_descs + 1) * sizeof(*descs), sizeof(void *));
	if (!descs)
		return false;
	for (size_t i = 0; i < part->n_descs; i++) {
		if (strcmp(part->descs[i].type, type) == 0)
			folds |= folds_of(part->descs[i].value);
		else
			descs[n++] = part->descs[i];
	}
	if (folds)
		descs[n++] = (struct part_desc){
			type, folds & SYMBOLNAME_TEMPLATES
				      ? (folds & SYMBOLNAME_USUAL ? "--fold-names --fold-templates"
								  : "--fold-templates")
				      : "--fold-names"
		};
	part->descs = descs;
	part->n_descs = n;
	return true;
}

const struct option_rule naming_options[] = {
	{ "--source-map", 0, OPTION_VALUE, "OLD=NEW",
	  "source files in the folder OLD are in NEW; the first one that fits counts",
	  set_source_map },
	{ "--mod-filename", 0, OPTION_VALUE, "s/OLD/NEW/",
	  "change names of source files by Perl's substitution; can be repeated",
	  set_mod_filename },
	{ "--mod-funcname", 0, OPTION_VALUE, "s/OLD/NEW/", "the same for names of functions",
	  set_mod_funcname },
	{ "--fold-names", 0, OPTION_YES_NO, "yes|no",
	  "a function and the copies and pieces that compilers made of it are one:\n"
	  "f.constprop.0, f.cold, f::h0123456789abcdef [no]",
	  set_fold_names },
	{ "--fold-templates", 0, OPTION_YES_NO, "yes|no",
	  "functions that only arguments of templates tell apart are one [no]",
	  set_fold_templates },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};
