/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an instruction belongs to: object, function, source file and line.
 * Asked when code is translated, so that code of a library keeps its names
 * after the library is gone.
 */
#ifndef TOOL_SYMBOLS_SYMBOL_H
#define TOOL_SYMBOLS_SYMBOL_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/range.h"
#include "tool/common/text.h"
#include "tool/symbols/corename.h"
#include "tool/symbols/corereader.h"
#include "tool/symbols/fnrule.h"
#include "tool/symbols/inlinee.h"
#include "tool/symbols/namedcode.h"
#include "tool/symbols/ownfile.h"

/* -- symbols --------------------------------------------------------------- */

/* What the user wants of functions. */
struct symbols_options {
	enum inlined inlined;
	UInt separate_callers; /* of functions without a rule; 0 = costs are not told apart */
	UInt separate_recs;    /* likewise; 1.. */
	Bool skip_plt;
	Bool core_names; /* code without a symbol of the core's has no name */
	struct fn_rules fn_rules;
};
struct site;
struct unit;

/*
 * A function: one symbol of one object.  Its file is that of its first
 * instruction, which may come from a header (with --inline=lines): two static
 * functions of one name may share that too, but not where they begin.  A static function
 * without line information that shares its name is in the file that its symbol is listed under, unless the
 * tool has another one's name.
 *
 * Code without a symbol belongs to the function "???" of its section of its
 * object, which is anonymous; where such code is called, there is a function
 * of its own, named after the address: 0x0000000000001234 [PLT].
 */
struct function {
	struct function *next; /* the hash table's */
	UWord key;
	UInt id;   /* 0.., in order of first appearance */
	UInt rank; /* set by symbols_rank(): by object, file, name */
	const struct text *object;
	const struct text *file; /* of its first instruction */
	const struct text *name; /* demangled */
	Addr entry;              /* of the symbol, as linked; 0 without one */
	UInt body;               /* code between which jumps are no calls: tool/calls/callstack.h */
	Bool anonymous;          /* a section's code without symbols */
	Bool plt;                /* of a procedure linkage table */
	/*
	 * It is code of the program's making that was called at its entry, without a name, and what
	 * its first bytes were then: a hash, or 0 if they cannot be read.
	 */
	Bool unnamed;
	UWord first_bytes;
	Bool cold;           /* the cold part of the function that its body is named after */
	Bool file_is_symbol; /* no line is known: file is what tells it from others of its name */
	struct fn_settings settings;
	struct unit *unit; /* its counters' (tool/counts/counters.h), NULL at first */
	/*
	 * Of an interpreted function: where all its costs stand, whatever instructions of the
	 * interpreter they come from.  NULL of others, which are made of instructions.
	 */
	struct site *only_site;
};

/* Where an instruction comes from. */
struct source_location {
	struct function *function;
	const struct text *file; /* of the instruction: another one in inlined code */
	UInt line;               /* 0 = unknown */
	UInt inlined;            /* number of the inlinee that it is in, if these are told apart */
	Addr address;            /* as linked: what objdump -d shows */
};

enum {
	KNOWN_CODE_SIZE = 64,
	KNOWN_CODES = 4096,
};

/*
 * What an aligned piece of KNOWN_CODE_SIZE bytes holds of a function: each byte of the range is of
 * its symbol.  Asking the core takes longer than the rest of a translation, as it
 * demangles.  If the range is empty (from the piece's first byte to the one before it), the
 * function's symbol does not reach the piece's end, and the core is asked each time.
 */
struct known_code {
	struct address_range range;
	struct function *function; /* NULL at first */
	Addr bias;                 /* subtracted from an address it gives the address as linked */
	DiEpoch epoch;             /* of what the core knows: it holds in no other */
};

struct symbols {
	struct text_table objects, files, names;
	struct core_reader core; /* not symbols_init()'s: the core may have read files before */
	struct own_files own;
	/* What core_has() says of an object, by number, and CORE_ASKED; after n_changes of what it says. */
	UChar *core_has;
	UInt n_core_has, n_changes;
	struct d_names d_names;
	struct named_codes named_code;
	/*
	 * NULL, or called where code at an address has no symbol, before names that the program has
	 * given are looked at: it may set such names.
	 */
	void (*read_names)(Addr address);
	struct known_code known[KNOWN_CODES]; /* each in the place that its address says */
	VgHashTable *functions;
	UInt n_functions;
	Bool has_unnamed;    /* functions */
	VgHashTable *bodies; /* struct body by object and name */
	UInt n_bodies;
	struct inlinees inlinees;
	struct object_namesakes
		*namesakes; /* of the objects that were asked for, the last one first */
	struct symbols_options *options; /* its rules remember what they have matched */
};

/* options, which say what is special about a function, are borrowed for good. */
void symbols_init(struct symbols *symbols, struct symbols_options *options);

/* Those of the program; the state of this room. */
extern struct symbols tool_symbols;

/*
 * The place of the instruction at an address of the running program.
 * previous is the place of the instruction that ends where this one begins,
 * in the same superblock, or NULL: it saves the search for the function.
 */
void symbols_lookup(struct symbols *symbols, Addr address, const struct source_location *previous,
		    struct source_location *place);

/* The program has mapped a file: by the descriptor, at an address, so that it can be executed. */
void symbols_mapped(Addr address, Int descriptor);

/*
 * Where a stub of a procedure linkage table at an address jumps to now; 0 if it is
 * none, or cannot be read.
 */
Addr symbols_stub_target(Addr address);

/* Whether code at an address is in a procedure linkage table. */
Bool symbols_is_stub(Addr address);

/* Whether a symbol, or the program, says that a function begins at an address. */
Bool symbols_is_entry(struct symbols *symbols, Addr address);

/*
 * The function that code without a symbol is when it is called at a place of
 * its own; place->function is anonymous.
 */
struct function *symbols_function_at(struct symbols *symbols, const struct source_location *place);

/* Whether the code of a function that is unnamed can be seen to be another one by now. */
Bool symbols_has_changed(const struct function *function);

/*
 * Gives a function that is unnamed, where a name was read too late, the names that its code has by
 * now.  It may then look the same as another.
 */
void symbols_name_late(struct function *function, const struct named_code *code);

/* The function that is written for inlined code, where no function with code looks the same. */
struct function *symbols_inlined(struct symbols *symbols, const struct text *object,
				 const struct text *file, const struct text *name);

/* A function that is no code of the program's, by the names of its object and its own: a codeless one. */
struct function *symbols_outside(struct symbols *symbols, const HChar *object, const HChar *name);
/*
 * A function that an interpreter runs (tool/calls/calls.h), by the source that it is written in: line is that
 * of its first line.  It has no code of its own: object is borrowed for what stands in its place, and
 * only_site is NULL at first.
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

/*
 * All functions by rank, after symbols_rank().  The array is the caller's, to
 * be freed by VG_(free); NULL if *n is 0.
 */
struct function **symbols_ranked(struct symbols *symbols, UInt *n);

#endif
