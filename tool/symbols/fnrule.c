/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every rule is tried for every function, but only once, when its code is first translated; and rules are few. */
#include "tool/symbols/symbol.h"

#include "pub_tool_debuginfo.h"
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
	HChar *runs_as; /* owned: the first function that it would have matched by another of its names; or NULL */
};

/* --- names of a function ------------------------------------------------------------------ */

/*
 * The core has one entry for each range of addresses, sorted by address, with the name that it shows (the
 * shortest) and all others.  Its own tools get them by functions that are not in its public headers, and have not
 * changed since 3.12.
 */

/* The address of a symbol; other architectures have more words here. */
struct symbol_addresses {
	Addr main;
};

extern Int VG_(DebugInfo_syms_howmany)(const DebugInfo *info);
extern void VG_(DebugInfo_syms_getidx)(const DebugInfo *info, Int i,
				       struct symbol_addresses *addresses, UInt *size,
				       const HChar **name, const HChar ***others, Bool *is_text,
				       Bool *is_ifunc, Bool *is_global);

void aliases_add(struct aliases *aliases, const HChar *mangled)
{
	const HChar *shown, *version;
	HChar *name;
	SizeT len;

	VG_(demangle)(True, True, mangled, &shown);
	version = VG_(strchr)(shown, '@');
	len = version == NULL || version == shown ? VG_(strlen)(shown) : (SizeT)(version - shown);
	name = VG_(malloc)("costgrind.alias", len + 1);
	VG_(memcpy)(name, shown, len);
	name[len] = '\0';
	if (aliases->n == aliases->room) {
		aliases->room = aliases->room == 0 ? 8 : 2 * aliases->room;
		aliases->names = VG_(realloc)("costgrind.aliases", aliases->names,
					      aliases->room * sizeof(*aliases->names));
	}
	aliases->names[aliases->n++] = name;
}

/* True if the object has a symbol that begins there, found by a binary search. */
static Bool add_symbol(struct aliases *aliases, const DebugInfo *info, Addr entry)
{
	Int first = 0, end = VG_(DebugInfo_syms_howmany)(info);

	while (first < end) {
		const Int middle = first + (end - first) / 2;
		struct symbol_addresses addresses;
		const HChar *name, **others;
		Bool is_text, is_ifunc, is_global;
		UInt size;

		VG_(DebugInfo_syms_getidx)
		(info, middle, &addresses, &size, &name, &others, &is_text, &is_ifunc, &is_global);
		if (addresses.main < entry) {
			first = middle + 1;
		} else if (addresses.main > entry) {
			end = middle;
		} else {
			aliases_add(aliases, name);
			for (; others != NULL && *others != NULL; others++)
				aliases_add(aliases, *others);
			return True;
		}
	}
	return False;
}

void aliases_read(struct aliases *aliases, Addr entry)
{
	const DebugInfo *info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), entry);

	if (info != NULL) {
		add_symbol(aliases, info, entry);
		return;
	}
	/* Code in a section of its own: the core knows the symbol, but not its object. */
	for (info = VG_(next_DebugInfo)(NULL); info != NULL; info = VG_(next_DebugInfo)(info))
		if (add_symbol(aliases, info, entry))
			return;
}

void aliases_release(struct aliases *aliases)
{
	for (UInt i = 0; i < aliases->n; i++)
		VG_(free)(aliases->names[i]);
	VG_(free)(aliases->names);
	*aliases = (struct aliases){ .n = 0 };
}

/* --- rules -------------------------------------------------------------------------------- */

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
	case N_FN_RULES: /* not a kind */
		break;
	}
}

/* True for rules about what happens when code is entered or left. */
static Bool is_of_entering(enum fn_rule_kind kind)
{
	return kind >= FN_RULE_TOGGLE_COLLECT && kind <= FN_RULE_CALL_HOOK;
}

/* True if a rule also matches the other names of functions, as rules that the user wrote do. */
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

/* True if a rule matches a function by its name or one of the others. */
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
	/* Callgrind knows only one name of a function, and under its name the same must be counted. */
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
