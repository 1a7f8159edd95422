/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What options say of single functions: rules, each for the functions, or the
 * objects, whose name matches its pattern (tool/common/pattern.h).
 */
#ifndef TOOL_SYMBOLS_FNRULE_H
#define TOOL_SYMBOLS_FNRULE_H

#include "pub_tool_basics.h"

#include "tool/symbols/corename.h"

/* What a rule sets; the comment names its option. */
enum fn_rule_kind {
	FN_RULE_CALLERS,        /* --separate-callers<n>= */
	FN_RULE_RECS,           /* --separate-recs<n>= */
	FN_RULE_GROUP,          /* --fn-group<n>= */
	FN_RULE_SKIP,           /* --fn-skip= */
	FN_RULE_SKIP_OBJECT,    /* --obj-skip=: the pattern is one of objects */
	FN_RULE_POP_ON_JUMP,    /* --pop-on-jump=, and without a pattern as if it were * */
	FN_RULE_TOGGLE_COLLECT, /* --toggle-collect= */
	FN_RULE_DUMP_BEFORE,    /* --dump-before= */
	FN_RULE_DUMP_AFTER,     /* --dump-after= */
	FN_RULE_ZERO_BEFORE,    /* --zero-before= */
	FN_RULE_TRACE_CALLS,    /* --trace-calls<n>= */
	FN_RULE_CALL_HOOK,      /* --alloc-fn=, or no option: tool/calls/callhook.h */
	N_FN_RULES,
};

/* The ranges of numbers; FN_RULE_CALLERS and FN_RULE_TRACE_CALLS start with 0, the others with 1. */
enum {
	FN_MAX_CALLERS = 255,
	FN_MAX_RECS = 65535,
	FN_MAX_GROUP = 65535,
	FN_MAX_TRACED_ARGS = 6,
};

/* What is done when a function is entered or left (tool/calls/callhook.h). */
enum fn_hook {
	HOOK_TOGGLE_COLLECT = 1,
	HOOK_DUMP_BEFORE = 2,
	HOOK_DUMP_AFTER = 4,
	HOOK_ZERO_BEFORE = 8,
	HOOK_CALLS = 16, /* settings.call_hooks is not empty */
	/* Nothing; but its memory may have other code when it is called: it is to be seen which. */
	HOOK_NONE = 32,
};

/* What a function is given. */
struct fn_settings {
	UInt callers;      /* length of the chain that contexts are told apart by, 0.. */
	UInt recs;         /* levels of recursion that are told apart, 1.. */
	UInt group;        /* called from its own group, it goes by its caller's name; 0 = none */
	Bool skip;         /* it is part of its caller */
	Bool pop_on_jump;  /* a jump out of it takes its frame away */
	UChar hooks;       /* set of enum fn_hook */
	UChar traced_args; /* how many arguments --trace-calls shows */
	UInt call_hooks;   /* set of hooks, by number: tool/calls/callhook.h */
	Bool codeless;     /* no code of the program's: rules of its being entered are not for it */
};

struct fn_rule;

/* In the order in which they were given; all zero is a list without rules. */
struct fn_rules {
	struct fn_rule *rules;
	UInt n, room;
};

/*
 * Adds a rule.  number is the setting's new value, in its range, of the kinds
 * that have one, else 0.  option is all that the user wrote, for messages, or NULL if it
 * is no option's.  Pattern and option are borrowed for as long as the rules are used.
 */
void fn_rules_add(struct fn_rules *rules, enum fn_rule_kind kind, UInt number, const HChar *pattern,
		  const HChar *option);

/* Whether there is a rule of a kind, without a number, for that pattern. */
Bool fn_rules_have(const struct fn_rules *rules, enum fn_rule_kind kind, const HChar *pattern);

/*
 * All that the user wrote of rule number i, from 0; NULL if it does not change what is
 * counted, or how it is attributed.
 */
const HChar *fn_rules_option(const struct fn_rules *rules, UInt i);

/* The same of the first rule of a kind; NULL if there is none. */
const HChar *fn_rules_option_of(const struct fn_rules *rules, enum fn_rule_kind kind);

/* The pattern of rule number i, from 0; NULL if it is of another kind. */
const HChar *fn_rules_pattern(const struct fn_rules *rules, enum fn_rule_kind kind, UInt i);

/* True if fn_rules_apply() needs all names of a function. */
Bool fn_rules_want_aliases(const struct fn_rules *rules);

/*
 * What a function is given: the defaults, changed by each rule that matches,
 * so that the last one of a kind wins; if they are codeless, not by those of what happens when
 * code is entered or left (FN_RULE_TOGGLE_COLLECT to FN_RULE_CALL_HOOK).  The names are those that a profile
 * shows, the function's demangled, the object's a path.  A rule that an option gave matches the other names of
 * a function, too, unless the tool has Callgrind's name.  The rules remember that they have matched.
 */
void fn_rules_apply(struct fn_rules *rules, const HChar *function, const struct aliases *aliases,
		    const HChar *object, const struct fn_settings *defaults,
		    struct fn_settings *out);

/*
 * A line for each rule that has matched nothing so far (message_note): likely
 * a slip of the pen, of which a profile shows nothing; or under which name the function runs.
 */
void fn_rules_report_unmatched(const struct fn_rules *rules);

#endif
