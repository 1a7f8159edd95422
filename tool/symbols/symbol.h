/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an instruction belongs to: object, function, source file and line, and the functions inlined there.  It
 * is looked up when code is translated, so code of a library keeps its names after the library is unloaded.
 */
#ifndef TOOL_SYMBOLS_SYMBOL_H
#define TOOL_SYMBOLS_SYMBOL_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/basics.h"
#include "tool/common/text.h"
#include "tool/symbols/namedcode.h"
#include "tool/symbols/ownfile.h"

/* --- options for single functions (fnrule.c) ---------------------------------------------- */

/* Rules, each for the functions or objects whose name matches its pattern (tool/common/pattern.h). */

/* What a rule sets; the comment names its option. */
enum fn_rule_kind {
	FN_RULE_CALLERS,        /* --separate-callers<n>= */
	FN_RULE_RECS,           /* --separate-recs<n>= */
	FN_RULE_GROUP,          /* --fn-group<n>= */
	FN_RULE_SKIP,           /* --fn-skip= */
	FN_RULE_SKIP_OBJECT,    /* --obj-skip=: the pattern is for objects */
	FN_RULE_POP_ON_JUMP,    /* --pop-on-jump=, without a pattern as with * */
	FN_RULE_TOGGLE_COLLECT, /* --toggle-collect= */
	FN_RULE_DUMP_BEFORE,    /* --dump-before= */
	FN_RULE_DUMP_AFTER,     /* --dump-after= */
	FN_RULE_ZERO_BEFORE,    /* --zero-before= */
	FN_RULE_TRACE_CALLS,    /* --trace-calls<n>= */
	FN_RULE_CALL_HOOK,      /* --alloc-fn=, or no option: tool/calls/callhook.h */
	N_FN_RULES,
};

/* Largest numbers; FN_RULE_CALLERS and FN_RULE_TRACE_CALLS start with 0, the others with 1. */
enum {
	FN_MAX_CALLERS = 255,
	FN_MAX_RECS = 65535,
	FN_MAX_GROUP = 65535,
	FN_MAX_TRACED_ARGS = 6,
};

/* What happens when a function is entered or left (tool/calls/callhook.h). */
enum fn_hook {
	HOOK_TOGGLE_COLLECT = 1,
	HOOK_DUMP_BEFORE = 2,
	HOOK_DUMP_AFTER = 4,
	HOOK_ZERO_BEFORE = 8,
	HOOK_CALLS = 16, /* settings.call_hooks is not empty */
	/* Nothing, but its memory may hold other code by the time it is called, which must be checked. */
	HOOK_NONE = 32,
};

/* The settings of a function. */
struct fn_settings {
	UInt callers;      /* length of the chain of callers that distinguishes contexts, 0.. */
	UInt recs;         /* levels of recursion that are distinguished, 1.. */
	UInt group;        /* if called from its own group, it takes its caller's name; 0 = none */
	Bool skip;         /* it is part of its caller */
	Bool pop_on_jump;  /* a jump out of it removes its frame */
	UChar hooks;       /* set of enum fn_hook */
	UChar traced_args; /* number of arguments that --trace-calls shows */
	UInt call_hooks;   /* set of hook numbers: tool/calls/callhook.h */
	Bool codeless;     /* not code of the program, so rules about entering it do not apply */
};

struct fn_rule;
struct aliases;

/* In the order given.  Zero-initialized, there are no rules. */
struct fn_rules {
	struct fn_rule *rules;
	UInt n, room;
};

/*
 * Adds a rule.  number is the setting's new value, in its range, for kinds that have one, otherwise 0.  option is
 * the option as the user wrote it, for messages, or NULL if the rule is not from an option.  Pattern and option
 * are borrowed as long as the rules are used.
 */
void fn_rules_add(struct fn_rules *rules, enum fn_rule_kind kind, UInt number, const HChar *pattern,
		  const HChar *option);

/* True if there is a rule of this kind for this pattern; for kinds without a number. */
Bool fn_rules_have(const struct fn_rules *rules, enum fn_rule_kind kind, const HChar *pattern);

/*
 * The option that rule i, from 0, came from; NULL if the rule does not change what is counted or how it is
 * attributed.
 */
const HChar *fn_rules_option(const struct fn_rules *rules, UInt i);

/* The option of the first rule of a kind; NULL if there is none. */
const HChar *fn_rules_option_of(const struct fn_rules *rules, enum fn_rule_kind kind);

/* The pattern of rule i, from 0; NULL if it is of another kind. */
const HChar *fn_rules_pattern(const struct fn_rules *rules, enum fn_rule_kind kind, UInt i);

/* True if fn_rules_apply() needs all names of a function. */
Bool fn_rules_want_aliases(const struct fn_rules *rules);

/*
 * The settings of a function: the defaults, changed by each rule that matches, so the last one of a kind wins.
 * Rules about entering and leaving code (FN_RULE_TOGGLE_COLLECT to FN_RULE_CALL_HOOK) do not apply if the defaults
 * are codeless.  The names are as in a profile: the function's demangled, the object's a path.  A rule from an
 * option also matches the function's other names, unless the tool runs as Callgrind.  The rules remember that
 * they have matched.
 */
void fn_rules_apply(struct fn_rules *rules, const HChar *function, const struct aliases *aliases,
		    const HChar *object, const struct fn_settings *defaults,
		    struct fn_settings *out);

/*
 * Prints a note for each rule that has matched nothing so far, probably a typing error that the profile would
 * not show; or the name under which the function runs.
 */
void fn_rules_report_unmatched(const struct fn_rules *rules);
/* The core's demangler, not in its public headers; the result is valid until the next call. */
extern void VG_(demangle)(Bool cxx, Bool z, const HChar *mangled, const HChar **result);

/* The names of one function, demangled.  Zero-initialized, there are none. */
struct aliases {
	HChar **names;
	UInt n, room;
};

/*
 * Adds all names of the symbol that begins at an address of the running program: aliases, and functions that the
 * linker has folded into one (--icf).  Versions of symbols ("@@GLIBC_2.14") are left out.
 */
void aliases_read(struct aliases *aliases, Addr entry);

/* Adds one name from a symbol table. */
void aliases_add(struct aliases *aliases, const HChar *mangled);
void aliases_release(struct aliases *aliases);

/* --- inlined functions (inlinee.c) -------------------------------------------------------- */

/*
 * Inlinees: functions that the compiler inlined into others, as described by the debug information.  An
 * instruction of f may come from b, which was inlined at a line of a, which was inlined at a line of f; then "b
 * there in a there in f" is an inlinee, and its parent is "a there in f".
 *
 * Two calls of one function in one line of another are one inlinee: the core cannot distinguish them.
 */

/* How inlined code is attributed. */
enum inlined {
	INLINED_NO,    /* to the line of the call, in the function around it */
	INLINED_LINES, /* to its own lines, in the function around it */
	INLINED_CALLS, /* to a function of its own, as if it were called */
};

enum {
	NOT_INLINED = 0, /* instead of an inlinee's number */
};

/* A file that instructions of an inlinee came from, and their number. */
struct inlinee_file {
	struct inlinee_file *next;
	const struct text *file;
	UInt n_seen;
};

/* Never freed. */
struct inlinee {
	struct inlinee *next; /* for the hash table */
	UWord key;
	const struct inlinee *parent; /* what it was inlined in; NULL: the function itself */
	UInt body;                    /* of struct function */
	UInt number;                  /* 1.., in order of first appearance */
	const struct text *name;      /* as in the source: no parameters, no class */
	const struct text *call_file; /* of the call, in the parent; "???" if unknown */
	UInt call_line;
	struct inlinee_file *files;
};

/* A function that an instruction is part of, and the place in it. */
struct inline_frame {
	const struct text *name;
	const struct text *file; /* "???" if unknown */
	UInt line;
};

struct inlinees {
	VgHashTable *table;
	struct inlinee **by_number; /* from 1 */
	UInt n;                     /* 1 + their number */
	UInt room;
	/* The frames of the last instruction, innermost first. */
	struct inline_frame *frames;
	UInt n_frames, room_for_frames;
	struct text_table *files, *names; /* borrowed */
};

/* Names are interned in these tables, which are borrowed. */
void inlinees_init(struct inlinees *inlinees, struct text_table *files, struct text_table *names);

/* Makes the core read what was inlined where.  To be called before it reads debug information. */
void inlinees_ask(void);

/*
 * Reads the frames of the instruction at an address of the running program.
 * Returns the number n of inlined functions that it is in, 0 if none are known; frames 0 to n - 1 are theirs, and
 * frame n belongs to the function around them.  Frames are valid until the next call.
 */
UInt inlinees_read(struct inlinees *inlinees, DiEpoch epoch, Addr address);

/* Replace the frames by others: inlinees_begin(), then each frame, innermost first. */
void inlinees_begin(struct inlinees *inlinees);
void inlinees_add(struct inlinees *inlinees, const struct inline_frame *frame);

/*
 * The number of the innermost inlinee of the last frames (there must be some) in a function with this
 * body.
 */
UInt inlinees_find(struct inlinees *inlinees, UInt body);

/* By its number; NULL for NOT_INLINED. */
static inline const struct inlinee *inlinees_by_number(const struct inlinees *inlinees, UInt number)
{
	return number == NOT_INLINED ? NULL : inlinees->by_number[number];
}

/* The file that most of its instructions come from, and of several the first by name (ranked before). */
const struct text *inlinee_file(const struct inlinee *inlinee);

/* --- the core's reader of debug information (corereader.c) -------------------------------- */

/*
 * The core's reader ends the run when it meets something that it does not know, with a dozen lines of messages.
 * Here it is stopped before that: what it has read so far stays, what is missing is noted, and the program runs.
 * Nothing changes for files that it can read.
 */

struct DiImage;
struct core_guard;
struct core_file;

/* What the core has read of a file's debug information: a set of bits. */
enum core_has {
	CORE_LACKS_LINES = 1,
	CORE_LACKS_INLINED = 2,
	CORE_LACKS_ALL = 4, /* symbols, too */
	CORE_HAS_LINES = 8, /* its reader of lines was called, but may have given up */
};

enum {
	CORE_MAX_IMAGES = 8, /* the file, its debug file, and dwz's */
};

/* Zero-initialized, since the core reads files before the tool is initialized. */
struct core_reader {
	struct core_guard *guard;                /* of the innermost call of a reader, or NULL */
	struct core_file *files;                 /* all files about which something is known */
	UInt n_changes;                          /* number of changes to what is known about them */
	struct DiImage *images[CORE_MAX_IMAGES]; /* open in the reader */
	UInt n_images;
	Bool inlined_is_stuck; /* its reader of inlined functions was aborted, and cannot be called again */
};

/* What the core has read of the file of this name: a set of enum core_has. */
UInt core_has(const struct core_reader *reader, const HChar *name);

/* --- symbols ------------------------------------------------------------------------------ */

/* Options of this room. */
struct symbols_options {
	enum inlined inlined;
	UInt separate_callers; /* of functions without a rule; 0 = costs are not separated */
	UInt separate_recs;    /* the same, 1.. */
	Bool skip_plt;
	Bool core_names; /* --names=core: our own reader is not asked for names */
	struct fn_rules fn_rules;
};
struct site;
struct unit;

/*
 * A function: one symbol of one object.  Its file is its first instruction's, which may come from a header
 * (with --inline=lines).  Two static functions of one name may share the file, too, but not the address.  A
 * static function without line information that shares its name gets the file that its symbol is listed under,
 * unless the tool runs under another tool's name.
 *
 * Code without a symbol belongs to the anonymous function "???" of its section and object.  Where such code is
 * called, it gets a function of its own, named after the address: 0x0000000000001234 [PLT].
 */
struct function {
	struct function *next; /* for the hash table */
	UWord key;
	UInt id;   /* 0.., in order of first appearance */
	UInt rank; /* set by symbols_rank(): by object, file, name */
	const struct text *object;
	const struct text *file; /* of its first instruction */
	const struct text *name; /* demangled */
	Addr entry;              /* of the symbol, as linked; 0 without one */
	UInt body;               /* jumps within one body are no calls: tool/calls/callstack.h */
	Bool anonymous;          /* code of a section without symbols */
	Bool plt;                /* of a procedure linkage table */
	/*
	 * It is generated code that was called at its entry when it had no name; first_bytes is a hash of its first
	 * bytes at that time, 0 if they could not be read.
	 */
	Bool unnamed;
	UWord first_bytes;
	Bool cold;           /* the cold part of the function that gave its body the name */
	Bool file_is_symbol; /* no line is known, and file distinguishes it from others of its name */
	struct fn_settings settings;
	struct unit *unit; /* its counters (tool/counts/counters.h), NULL at first */
	/*
	 * For an interpreted function, the site of all its costs, whatever instructions of the interpreter they
	 * come from.  NULL for other functions.
	 */
	struct site *only_site;
};

/* Where an instruction comes from. */
struct source_location {
	struct function *function;
	const struct text
		*file; /* of the instruction, may differ from the function's in inlined code */
	UInt line;     /* 0 = unknown */
	UInt inlined;  /* number of its inlinee, with INLINED_CALLS */
	Addr address;  /* as linked: what objdump -d shows */
};

enum {
	KNOWN_CODE_SIZE = 64,
	KNOWN_CODES = 4096,
};

/*
 * The part of a function in an aligned piece of KNOWN_CODE_SIZE bytes: all bytes of the range belong to its
 * symbol.  To ask the core takes longer than the rest of a translation, since it demangles.  If the range is
 * empty (from the piece's first byte to the one before it), the function's symbol does not reach the end of the
 * piece, and the core is asked each time.
 */
struct known_code {
	struct address_range range;
	struct function *function; /* NULL at first */
	Addr bias;                 /* address - address as linked */
	DiEpoch epoch;             /* valid only in this epoch of the core's */
};

/* Mangled names of D, each demangled once. */
struct d_names {
	struct text_table given;
	const struct text **shown; /* by the id of the given one */
	UInt room;
};

struct symbols {
	struct text_table objects, files, names;
	struct core_reader core; /* not set by symbols_init(): the core may have read files before */
	struct own_files own;
	/* core_has() of each object, by id, with CORE_ASKED; valid as long as core.n_changes is n_changes. */
	UChar *core_has;
	UInt n_core_has, n_changes;
	struct d_names d_names;
	struct named_codes named_code;
	/*
	 * NULL, or called when code at an address has no symbol, before names given by the program are looked up;
	 * it may set such names.
	 */
	void (*read_names)(Addr address);
	struct known_code known[KNOWN_CODES]; /* indexed by address */
	VgHashTable *functions;
	UInt n_functions;
	Bool has_unnamed;    /* some function is unnamed */
	VgHashTable *bodies; /* struct body by object and name */
	UInt n_bodies;
	struct inlinees inlinees;
	struct object_namesakes *namesakes; /* of objects that were asked for, latest first */
	struct symbols_options *options; /* borrowed; its rules remember what they have matched */
};

/* options are borrowed forever. */
void symbols_init(struct symbols *symbols, struct symbols_options *options);

/* The symbols of the program; the state of this room. */
extern struct symbols tool_symbols;

/*
 * The place of the instruction at an address of the running program.  previous is the place of the instruction
 * right before it in the same superblock, which saves the search for the function, or NULL.
 */
void symbols_lookup(struct symbols *symbols, Addr address, const struct source_location *previous,
		    struct source_location *place);

/* The program has mapped the file of a descriptor at an address, executable. */
void symbols_mapped(Addr address, Int descriptor);

/* The current target of the procedure linkage table stub at an address; 0 if there is none or it cannot be read. */
Addr symbols_stub_target(Addr address);

/* True if code at an address is in a procedure linkage table. */
Bool symbols_is_stub(Addr address);

/* True if a function begins at an address, by a symbol or by what the program has named. */
Bool symbols_is_entry(struct symbols *symbols, Addr address);

/* The function of code without a symbol that is called at this place; place->function is anonymous. */
struct function *symbols_function_at(struct symbols *symbols, const struct source_location *place);

/* True if an unnamed function's memory is known to hold other code by now. */
Bool symbols_has_changed(const struct function *function);

/*
 * Gives an unnamed function the names that its code has by now, because they were read too late.  It may then look the
 * same as another function.
 */
void symbols_name_late(struct function *function, const struct named_code *code);

/* The function that is written for inlined code, if no function with code looks the same. */
struct function *symbols_inlined(struct symbols *symbols, const struct text *object,
				 const struct text *file, const struct text *name);

/* A codeless function: not code of the program; by its own name and its object's. */
struct function *symbols_outside(struct symbols *symbols, const HChar *object, const HChar *name);
/*
 * A function that an interpreter runs (tool/calls/calls.h), by its source file, name and first line.  It has no
 * code of its own; object is the interpreter's, and only_site is NULL at first.
 */
struct function *symbols_interpreted(struct symbols *symbols, const struct text *object,
				     const struct text *file, const struct text *name, UInt line);

/* The number of a function's object, 1.. */
static inline UInt symbols_object_number(const struct function *function)
{
	return function->object->id + 1;
}

/* Ranks objects, files and functions in alphabetical order, for writing. */
void symbols_rank(struct symbols *symbols);

/* All functions by rank, after symbols_rank().  The caller frees the array by VG_(free); NULL if *n is 0. */
struct function **symbols_ranked(struct symbols *symbols, UInt *n);

/* --- system calls (syscallname.c) --------------------------------------------------------- */

/* The name of a system call, such as "read"; NULL if the number is unknown. */
const HChar *syscall_name(UInt number);

/* True if a successful call returns the number of bytes it has transferred. */
Bool syscall_moves_bytes(UInt number);

#endif
