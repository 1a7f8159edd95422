/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every rule is tried for every function: that happens once a function, when
 * its code is first translated, and rules are few.
 */
#include "tool/symbols/fnrule.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"

#include "tool/common/message.h"
#include "tool/common/pattern.h"
#include "tool/common/self.h"

struct fn_rule {
	enum fn_rule_kind kind;
	UInt number;
	const HChar *pattern;
	const HChar *option;
	Bool matched; /* some name, once */
	HChar *runs_as; /* owned: the function that it would have matched by another name of it, the first one; or NULL */
};

void fn_rules_add(struct fn_rules *rules, enum fn_rule_kind kind, UInt number, const HChar *pattern,
		  const HChar *option)
{
	if (rules->n == rules->room) {
		rules->room = rules->room == 0 ? 16 : 2 * rules->room;
		rules->rules = VG_(realloc)("costgrind.rules", rules->rules,
					    rules->room * sizeof(*rules->rules));
	}
	rules->rules[rules->n++] = (struct fn_rule){
		.kind = kind,
		.number = number,
		.pattern = pattern,
		.option = option,
	};
}

Bool fn_rules_have(const struct fn_rules *rules, enum fn_rule_kind kind, const HChar *pattern)
{
	for (UInt i = 0; i < rules->n; i++)
		if (rules->rules[i].kind == kind &&
		    VG_(strcmp)(rules->rules[i].pattern, pattern) == 0)
			return True;
	return False;
}

const HChar *fn_rules_option(const struct fn_rules *rules, UInt i)
{
	if (rules->rules[i].kind == FN_RULE_TRACE_CALLS ||
	    rules->rules[i].kind == FN_RULE_CALL_HOOK)
		return NULL;
	return rules->rules[i].option;
}

const HChar *fn_rules_option_of(const struct fn_rules *rules, enum fn_rule_kind kind)
{
	for (UInt i = 0; i < rules->n; i++)
		if (rules->rules[i].kind == kind)
			return rules->rules[i].option;
	return NULL;
}

const HChar *fn_rules_pattern(const struct fn_rules *rules, enum fn_rule_kind kind, UInt i)
{
	return rules->rules[i].kind == kind ? rules->rules[i].pattern : NULL;
}

static void apply_rule(const struct fn_rule *rule, struct fn_settings *settings)
{
	switch (rule->kind) {
	case FN_RULE_CALLERS:
		settings->callers = rule->number;
		break;
	case FN_RULE_RECS:
		settings->recs = rule->number;
		break;
	case FN_RULE_GROUP:
		settings->group = rule->number;
		break;
	case FN_RULE_SKIP:
	case FN_RULE_SKIP_OBJECT:
		settings->skip = True;
		break;
	case FN_RULE_POP_ON_JUMP:
		settings->pop_on_jump = True;
		break;
	case FN_RULE_TOGGLE_COLLECT:
		settings->hooks |= HOOK_TOGGLE_COLLECT;
		break;
	case FN_RULE_DUMP_BEFORE:
		settings->hooks |= HOOK_DUMP_BEFORE;
		break;
	case FN_RULE_DUMP_AFTER:
		settings->hooks |= HOOK_DUMP_AFTER;
		break;
	case FN_RULE_ZERO_BEFORE:
		settings->hooks |= HOOK_ZERO_BEFORE;
		break;
	case FN_RULE_TRACE_CALLS:
		settings->traced_args = (UChar)rule->number;
		break;
	case FN_RULE_CALL_HOOK:
		settings->hooks |= HOOK_CALLS;
		settings->call_hooks |= 1U << rule->number;
		break;
	case N_FN_RULES: /* is none */
		break;
	}
}

/* Whether rules of a kind say what happens when code is entered or left. */
static Bool is_of_entering(enum fn_rule_kind kind)
{
	return kind >= FN_RULE_TOGGLE_COLLECT && kind <= FN_RULE_CALL_HOOK;
}

/* True if a rule is for functions by their other names, too: what the user wrote is. */
static Bool takes_aliases(const struct fn_rule *rule)
{
	return rule->option != NULL && rule->kind != FN_RULE_SKIP_OBJECT;
}

Bool fn_rules_want_aliases(const struct fn_rules *rules)
{
	for (UInt i = 0; i < rules->n; i++)
		if (takes_aliases(&rules->rules[i]))
			return True;
	return False;
}

/* The alias of a function that a rule matches; NULL if there is none. */
static const HChar *matching_alias(const struct fn_rule *rule, const struct aliases *aliases)
{
	if (takes_aliases(rule))
		for (UInt i = 0; i < aliases->n; i++)
			if (pattern_matches(rule->pattern, aliases->names[i]))
				return aliases->names[i];
	return NULL;
}

/* True if a rule is for a function of that name, or one of the others. */
static Bool rule_matches(struct fn_rule *rule, const HChar *name, const struct aliases *aliases)
{
	const HChar *alias;

	if (pattern_matches(rule->pattern, name))
		return True;
	alias = matching_alias(rule, aliases);
	if (alias == NULL)
		return False;
	if (VG_(clo_verbosity) > 1)
		message_note("%s: %s runs as %s", rule->option, alias, name);
	if (rule->runs_as == NULL)
		rule->runs_as = VG_(strdup)("costgrind.rule", name);
	/* Callgrind knows one name of a function, and what it counts is to be counted under its name. */
	return dropin_name() == DROPIN_NONE;
}

void fn_rules_apply(struct fn_rules *rules, const HChar *function, const struct aliases *aliases,
		    const HChar *object, const struct fn_settings *defaults,
		    struct fn_settings *out)
{
	*out = *defaults;
	for (UInt i = 0; i < rules->n; i++) {
		struct fn_rule *rule = &rules->rules[i];
		const HChar *name = rule->kind == FN_RULE_SKIP_OBJECT ? object : function;

		if ((defaults->codeless && is_of_entering(rule->kind)) ||
		    !rule_matches(rule, name, aliases))
			continue;
		rule->matched = True;
		apply_rule(rule, out);
	}
}

void fn_rules_report_unmatched(const struct fn_rules *rules)
{
	for (UInt i = 0; i < rules->n; i++) {
		const struct fn_rule *rule = &rules->rules[i];

		if (rule->matched || rule->option == NULL)
			continue;
		if (rule->runs_as != NULL)
			message_note("%s: no function that was run has such a name: it runs as %s",
				     rule->option, rule->runs_as);
		else
			message_note("%s: no %s that was run has such a name", rule->option,
				     rule->kind == FN_RULE_SKIP_OBJECT ? "object" : "function");
	}
}
