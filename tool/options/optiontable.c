/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/options/optiontable.h"

#include <stddef.h>

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"

#include "isa/x86/decoder.h"
#include "tool/common/self.h"
#include "tool/options/options.h"
#include "tool/options/optionvalue.h"
#include "writer/shared/edit_distance.h"

/* Words of the list. */
#define MATTERS         OPTION_MATTERS
#define OF_CACHES       OPTION_OF_CACHES
#define ONLY_COSTGRIND  OPTION_ONLY_COSTGRIND
#define ONLY_CALLGRIND  OPTION_ONLY_CALLGRIND
#define ONLY_CACHEGRIND OPTION_ONLY_CACHEGRIND
#define OLD_NAMES       OPTION_OLD_NAMES
#define VALUE(member)   offsetof(struct options, member)
#define RULE(kind)      FN_RULE_##kind
#define NOWHERE         0

const struct option option_table[] = {
#define OPTION(name, kind, group, flags, where, form, help) \
 { name, OPTION_##kind, HELP_##group, flags, where, form, help },
	TOOL_OPTIONS(OPTION)
#undef OPTION
};

const UInt n_options = sizeof(option_table) / sizeof(option_table[0]);

static const HChar *const headings[] = {
#define HEADING(group, heading) [HELP_##group] = (heading),
	OPTION_GROUPS(HEADING)
#undef HEADING
};

static const HChar *const core_options[] = {
#define NAME(name, form) name,
	CORE_OPTIONS(NAME)
#undef NAME
};

enum {
	FORM_WIDTH = 38, /* of the first column of --help */
	FORM_SIZE = 80,  /* bytes of a name with its form */
	N_HEADINGS = sizeof(headings) / sizeof(headings[0]),
	N_CORE_NAMES = sizeof(core_options) / sizeof(core_options[0]),
};

Bool option_is_rule(const struct option *option)
{
	return option->kind == OPTION_PATTERN || option->kind == OPTION_NUMBERED ||
	       option->kind == OPTION_OR_WITHOUT;
}

static Bool is_numbered(const struct option *option)
{
	return option->kind == OPTION_NUMBERED || option->kind == OPTION_IDLE_NUMBERED;
}

const HChar *option_separator(const struct option *option)
{
	return is_numbered(option) || option->kind == OPTION_OR_WITHOUT ? "" : "=";
}

/* What follows name in arg, or NULL if arg is another option. */
static const HChar *behind_name(const HChar *arg, const HChar *name, Bool numbered)
{
	SizeT len = VG_(strlen)(name);
	const HChar *rest = arg + len;

	if (VG_(strncmp)(arg, name, len) != 0)
		return NULL;
	if (*rest == '=' || *rest == '\0' || (numbered && *rest >= '0' && *rest <= '9'))
		return rest;
	return NULL;
}

/* Whether there is such an option under the name that the tool is called by. */
static Bool is_there(const struct option *option)
{
	return (option->flags & OPTION_OLD_NAMES) == 0 || dropin_name() != DROPIN_NONE;
}

/* Of two of a name, only the one behind may have a number: --separate-callers. */
const struct option *option_find(const HChar *arg, const HChar **rest)
{
	for (UInt i = 0; i < n_options; i++) {
		*rest = behind_name(arg, option_table[i].name, is_numbered(&option_table[i]));
		if (*rest != NULL && is_there(&option_table[i]))
			return &option_table[i];
	}
	return NULL;
}

struct suggestion {
	const HChar *word;
	SizeT len;
	UInt distance; /* of the nearest so far; the next one must be nearer */
	const HChar *name;
};

static void consider(struct suggestion *suggestion, const HChar *name)
{
	UInt distance =
		edit_distance(suggestion->word, suggestion->len, name, (UInt)VG_(strlen)(name));

	if (distance >= suggestion->distance)
		return;
	suggestion->distance = distance;
	suggestion->name = name;
}

const HChar *option_suggest(const HChar *arg)
{
	const HChar *end = VG_(strchr)(arg, '=');
	struct suggestion suggestion = {
		.word = arg,
		.len = end != NULL ? (UInt)(end - arg)
				   : (UInt)VG_(strlen)(arg),
		};

	/* Of a short name, more edits leave nothing; the dashes are not counted. */
	suggestion.distance = suggestion.len < 7 ? 2 : suggestion.len < 14 ? 3 : 4;
	for (UInt i = 0; i < n_options; i++)
		if (is_there(&option_table[i]))
			consider(&suggestion, option_table[i].name);
	for (UInt i = 0; i < N_CORE_NAMES; i++)
		consider(&suggestion, core_options[i]);
	return suggestion.distance == 0 ? NULL : suggestion.name;
}

static Bool is_listed(const struct option *option)
{
	static const UInt names[] = {
		[DROPIN_NONE] = OPTION_ONLY_COSTGRIND,
		[DROPIN_CALLGRIND] = OPTION_ONLY_CALLGRIND,
		[DROPIN_CACHEGRIND] = OPTION_ONLY_CACHEGRIND,
	};
	const UInt all = OPTION_ONLY_COSTGRIND | OPTION_ONLY_CALLGRIND | OPTION_ONLY_CACHEGRIND;

	return (option->flags & all) == 0 || (option->flags & names[dropin_name()]) != 0;
}

/* To the column of the help; the core's "%-38s" would cut longer ones. */
static void pad(HChar form[FORM_SIZE])
{
	SizeT len = VG_(strlen)(form);

	while (len < FORM_WIDTH)
		form[len++] = ' ';
	form[len] = '\0';
}

static void print_option(const struct option *option, const struct options *defaults)
{
	HChar form[FORM_SIZE], text[OPTION_TEXT_SIZE];
	const HChar *value = option_text(option, defaults, text);
	const HChar *words = option->form, *help = option->help;

	if (option->kind == OPTION_COUNTING && !insn_decoder_exists()) {
		words = "valgrind";
		help = "Count as Cachegrind does; built without a decoder";
	}
	VG_(snprintf)(form, sizeof(form), "%s%s%s", option->name, option_separator(option), words);
	pad(form);
	if (value == NULL)
		VG_(printf)("    %s %s\n", form, help);
	else
		VG_(printf)("    %s %s [%s]\n", form, help, value);
}

void option_print_groups(void)
{
	struct options defaults;

	options_init(&defaults);
	for (UInt group = 0; group < N_HEADINGS; group++) {
		VG_(printf)("%s   %s:\n", group == 0 ? "" : "\n", headings[group]);
		for (UInt i = 0; i < n_options; i++)
			if (option_table[i].group == group && is_listed(&option_table[i]))
				print_option(&option_table[i], &defaults);
	}
}

void option_print_debug(void)
{
	struct options defaults;

	options_init(&defaults);
	for (UInt i = 0; i < n_options; i++) {
		const struct option *option = &option_table[i];

		if (option->group == HELP_DEBUG)
			print_option(option, &defaults);
		else if (option->group == HELP_ALIAS && is_there(option))
			VG_(printf)("    %s=%-*s Same as %s\n", option->name,
				    (Int)(37 - VG_(strlen)(option->name)), option->form,
					  option->help);
	}
}
