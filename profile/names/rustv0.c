/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grammar is LL(1): what is still to come is a stack of tasks, each a
 * nonterminal to be read or a text to be printed, the next one on top.  A back
 * reference goes to an earlier place of the name and puts a task under what it
 * reads there that comes back.  The stack, the number of tasks and the length of what is
 * printed are limited, for back references can make a name of exponential length.
 */
#include "profile/names/rustname.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TASKS = 512, MAX_STEPS = 20000, MAX_TEXT = 64 * 1024, MAX_IDENTIFIER = 4096 };

enum task_kind {
	TASK_TYPE_PATH,  /* f<T> */
	TASK_VALUE_PATH, /* f::<T> */
	TASK_OPEN_PATH,  /* as TASK_TYPE_PATH, but without ">" if it has arguments */
	TASK_TYPE,
	TASK_ARGUMENT, /* of a generic */
	TASK_CONST,
	TASK_NAME,     /* of a path's last component; number: its namespace */
	TASK_LIST,     /* number: of items so far; item: what they are; text: between them */
	TASK_TUPLE,    /* the end of one; number: of items */
	TASK_RETURN,   /* type of a function pointer's result */
	TASK_TRAIT,    /* of a trait object */
	TASK_BINDING,  /* of a trait's type, if there is one; number: "<" was printed */
	TASK_BINDINGS, /* likewise, as TASK_OPEN_PATH left it */
	TASK_BOUND,    /* lifetime of a trait object */
	TASK_TEXT,
	TASK_SEEK, /* number: to where */
	TASK_UNMUTE,
	TASK_UNBIND, /* number: how many lifetimes were bound before */
	TASK_OPENED, /* number: whether TASK_OPEN_PATH left "<" open */
};

struct task {
	enum task_kind kind, item;
	size_t number;
	const char *text;
};

struct rust_demangler {
	const char *name;
	size_t len, at;
	struct bytes *out;
	size_t muted; /* nothing is printed */
	size_t bound; /* lifetimes */
	bool open;
	bool failed;
	size_t n_tasks;
	struct task tasks[MAX_TASKS];
};

/* -- tokens ---------------------------------------------------------------- */

static char peek(const struct rust_demangler *machine)
{
	if (machine->at >= machine->len)
		return '\0';
	return machine->name[machine->at];
}

static bool take(struct rust_demangler *machine, char c)
{
	if (peek(machine) != c || machine->at >= machine->len)
		return false;
	machine->at++;
	return true;
}

static void push(struct rust_demangler *machine, struct task task)
{
	if (machine->n_tasks == MAX_TASKS)
		machine->failed = true;
	else
		machine->tasks[machine->n_tasks++] = task;
}

static void push_kind(struct rust_demangler *machine, enum task_kind kind)
{
	push(machine, (struct task){ .kind = kind });
}

static void push_number(struct rust_demangler *machine, enum task_kind kind, size_t number)
{
	push(machine, (struct task){ .kind = kind, .number = number });
}

static void push_text(struct rust_demangler *machine, const char *text)
{
	push(machine, (struct task){ .kind = TASK_TEXT, .text = text });
}

static void push_list(struct rust_demangler *machine, enum task_kind item, const char *between)
{
	push(machine, (struct task){ .kind = TASK_LIST, .item = item, .text = between });
}

static void print(struct rust_demangler *machine, const char *text, size_t len)
{
	if (machine->muted == 0)
		bytes_add(machine->out, text, len);
}

static void print_text(struct rust_demangler *machine, const char *text)
{
	print(machine, text, strlen(text));
}

/* "_" is 0, "0_" 1, "Z_" 62, "10_" 63. */
static uint64_t take_base62(struct rust_demangler *machine)
{
	uint64_t value = 0;

	if (take(machine, '_'))
		return 0;
	while (!machine->failed && !take(machine, '_')) {
		char c = peek(machine);
		unsigned digit;

		if (c >= '0' && c <= '9')
			digit = (unsigned)(c - '0');
		else if (c >= 'a' && c <= 'z')
			digit = (unsigned)(c - 'a') + 10;
		else if (c >= 'A' && c <= 'Z')
			digit = (unsigned)(c - 'A') + 36;
		else
			digit = 62;
		machine->failed |= digit == 62 || value > (UINT64_MAX - digit - 1) / 62;
		value = value * 62 + digit;
		machine->at++;
	}
	return value + 1;
}

/* A number that is there only if it is not 0. */
static uint64_t take_optional(struct rust_demangler *machine, char tag)
{
	uint64_t value;

	if (!take(machine, tag))
		return 0;
	value = take_base62(machine);
	if (value == UINT64_MAX)
		machine->failed = true;
	return value + 1;
}

static size_t take_length(struct rust_demangler *machine)
{
	size_t n = 0;

	if (peek(machine) < '0' || peek(machine) > '9')
		machine->failed = true;
	if (take(machine, '0'))
		return 0;
	while (peek(machine) >= '0' && peek(machine) <= '9' && n <= machine->len)
		n = 10 * n + (size_t)(machine->name[machine->at++] - '0');
	return n;
}

struct identifier {
	const char *text;
	size_t len;
	bool punycode;
};

static struct identifier take_identifier(struct rust_demangler *machine)
{
	bool punycode = take(machine, 'u');
	size_t len = take_length(machine);
	struct identifier identifier;

	take(machine, '_');
	if (machine->failed || len > machine->len - machine->at) {
		machine->failed = true;
		return (struct identifier){ "", 0, false };
	}
	identifier = (struct identifier){ machine->name + machine->at, len, punycode };
	machine->at += len;
	return identifier;
}

static void print_identifier(struct rust_demangler *machine, struct identifier identifier)
{
	char decoded[MAX_IDENTIFIER];
	size_t len;

	if (!identifier.punycode) {
		print(machine, identifier.text, identifier.len);
		return;
	}
	len = punycode_decode(identifier.text, identifier.len, decoded, sizeof(decoded));
	machine->failed |= len == 0;
	print(machine, decoded, len);
}

static void print_lifetime(struct rust_demangler *machine, uint64_t index)
{
	char text[32];

	if (index > machine->bound) {
		machine->failed = true;
		return;
	}
	index = machine->bound - index;
	if (index < 26)
		snprintf(text, sizeof(text), "'%c", 'a' + (int)index);
	else
		snprintf(text, sizeof(text), "'_%" PRIu64, index);
	print_text(machine, text);
}

static void take_lifetime(struct rust_demangler *machine, const char *before, const char *behind)
{
	uint64_t index = take_base62(machine);

	if (index == 0 && *before == '\0' && *behind == '\0')
		print_text(machine, "'_");
	if (index == 0)
		return;
	print_text(machine, before);
	print_lifetime(machine, index);
	print_text(machine, behind);
}

/* for<'a, 'b>; a task gives them up again. */
static void take_binder(struct rust_demangler *machine)
{
	uint64_t n = take_optional(machine, 'G');

	if (n > 64)
		machine->failed = true;
	if (n == 0 || machine->failed)
		return;
	print_text(machine, "for<");
	for (uint64_t i = 0; i < n; i++) {
		if (i > 0)
			print_text(machine, ", ");
		machine->bound++;
		print_lifetime(machine, 1);
	}
	print_text(machine, "> ");
}

/* A task that is read at an earlier place. */
static void take_reference(struct rust_demangler *machine, enum task_kind kind)
{
	size_t here = machine->at - 1;
	uint64_t target = take_base62(machine);

	if (target >= here) {
		machine->failed = true;
	} else if (machine->muted > 0) {
		/* Not gone to: nothing would be printed. */
		machine->open = false;
	} else {
		push_number(machine, TASK_SEEK, machine->at);
		push_kind(machine, kind);
		machine->at = (size_t)target;
	}
}

/* -- paths ----------------------------------------------------------------- */

/* <T> of an impl, M, <T as Trait> of one, X, and of what a trait defines, Y. */
static void take_qualified(struct rust_demangler *machine, char tag)
{
	if (tag != 'Y')
		take_optional(machine, 's');
	push_text(machine, ">");
	if (tag != 'M') {
		push_kind(machine, TASK_TYPE_PATH);
		push_text(machine, " as ");
	}
	push_kind(machine, TASK_TYPE);
	push_text(machine, "<");
	if (tag == 'Y')
		return;
	/* Where the impl is, is part of the name, but not shown. */
	push_kind(machine, TASK_UNMUTE);
	push_kind(machine, TASK_VALUE_PATH);
	machine->muted++;
}

static void take_path(struct rust_demangler *machine, enum task_kind kind)
{
	char tag = peek(machine);

	machine->at++;
	switch (tag) {
	case 'C':
		take_optional(machine, 's');
		print_identifier(machine, take_identifier(machine));
		return;
	case 'N':
		push_number(machine, TASK_NAME, (unsigned char)peek(machine));
		push_kind(machine, kind);
		machine->at++;
		return;
	case 'M':
	case 'X':
	case 'Y':
		take_qualified(machine, tag);
		return;
	case 'I':
		push_text(machine, ">");
		push_list(machine, TASK_ARGUMENT, ", ");
		push_text(machine, kind == TASK_VALUE_PATH ? "::<" : "<");
		push_kind(machine, kind);
		return;
	case 'B':
		take_reference(machine, kind);
		return;
	default:
		machine->failed = true;
	}
}

/* A trait in front of its bindings, which come into the same angle brackets. */
static void take_open_path(struct rust_demangler *machine)
{
	bool has_arguments;

	if (take(machine, 'B')) {
		take_reference(machine, TASK_OPEN_PATH);
		return;
	}
	has_arguments = take(machine, 'I');
	push_number(machine, TASK_OPENED, has_arguments);
	if (has_arguments) {
		push_list(machine, TASK_ARGUMENT, ", ");
		push_text(machine, "<");
	}
	push_kind(machine, TASK_TYPE_PATH);
}

static void take_name(struct rust_demangler *machine, char namespace)
{
	uint64_t disambiguator = take_optional(machine, 's');
	struct identifier name = take_identifier(machine);
	char text[32];

	if (namespace >= 'a' && namespace <= 'z') {
		if (name.len > 0)
			print_text(machine, "::");
		print_identifier(machine, name);
		return;
	}
	if (namespace < 'A' || namespace > 'Z') {
		machine->failed = true;
		return;
	}
	snprintf(text, sizeof(text), "::{%c", namespace);
	print_text(machine, namespace == 'C' ? "::{closure" : namespace == 'S' ? "::{shim" : text);
	if (name.len > 0)
		print_text(machine, ":");
	print_identifier(machine, name);
	snprintf(text, sizeof(text), "#%" PRIu64 "}", disambiguator);
	print_text(machine, text);
}

/* -- types ----------------------------------------------------------------- */

/* By letter; NULL = none. */
static const char *basic_type(char tag)
{
	static const char tags[] = "abcdefhijlmnopstuvxyz";
	static const char *const types[] = { "i8",    "bool",  "char", "f64", "str",  "f32",  "u8",
					     "isize", "usize", "i32",  "u32", "i128", "u128", "_",
					     "i16",   "u16",   "()",   "...", "i64",  "u64",  "!" };
	const char *found = tag ? strchr(tags, tag) : NULL;

	return found ? types[found - tags] : NULL;
}

static void take_function_type(struct rust_demangler *machine)
{
	push_number(machine, TASK_UNBIND, machine->bound);
	take_binder(machine);
	if (take(machine, 'U'))
		print_text(machine, "unsafe ");
	if (take(machine, 'K')) {
		struct identifier abi = { "C", 1, false };

		if (!take(machine, 'C'))
			abi = take_identifier(machine);
		print_text(machine, "extern \"");
		for (size_t i = 0; i < abi.len; i++)
			print(machine, abi.text[i] == '_' ? "-" : abi.text + i, 1);
		print_text(machine, "\" ");
	}
	print_text(machine, "fn(");
	push_kind(machine, TASK_RETURN);
	push_list(machine, TASK_TYPE, ", ");
}

static void take_trait_object(struct rust_demangler *machine)
{
	print_text(machine, "dyn ");
	push_kind(machine, TASK_BOUND);
	push_number(machine, TASK_UNBIND, machine->bound);
	take_binder(machine);
	push_list(machine, TASK_TRAIT, " + ");
}

/* &T, *const T and the like: a prefix and a type. */
static void take_pointer(struct rust_demangler *machine, char tag)
{
	print_text(machine, tag == 'P' ? "*const " : tag == 'O' ? "*mut " : "&");
	if ((tag == 'R' || tag == 'Q') && take(machine, 'L'))
		take_lifetime(machine, "", " ");
	if (tag == 'Q')
		print_text(machine, "mut ");
	push_kind(machine, TASK_TYPE);
}

static void take_type(struct rust_demangler *machine)
{
	char tag = peek(machine);
	const char *basic = basic_type(tag);

	machine->at++;
	if (basic) {
		print_text(machine, basic);
		return;
	}
	switch (tag) {
	case 'R':
	case 'Q':
	case 'P':
	case 'O':
		take_pointer(machine, tag);
		return;
	case 'A':
	case 'S':
		print_text(machine, "[");
		push_text(machine, "]");
		if (tag == 'A') {
			push_kind(machine, TASK_CONST);
			push_text(machine, "; ");
		}
		push_kind(machine, TASK_TYPE);
		return;
	case 'T':
		print_text(machine, "(");
		push_list(machine, TASK_TUPLE, ", ");
		return;
	case 'F':
		take_function_type(machine);
		return;
	case 'D':
		take_trait_object(machine);
		return;
	case 'B':
		take_reference(machine, TASK_TYPE);
		return;
	default:
		machine->at--;
		take_path(machine, TASK_TYPE_PATH);
	}
}

/* -- constants ------------------------------------------------------------- */

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void print_character(struct rust_demangler *machine, uint64_t value)
{
	char text[32];

	if (value == '\t' || value == '\r' || value == '\n')
		snprintf(text, sizeof(text), "'\\%c'",
			 value == '\t'   ? 't'
			 : value == '\r' ? 'r'
					 : 'n');
	else if (value >= ' ' && value < 0x7f)
		snprintf(text, sizeof(text), "'%s%c'", value == '\'' || value == '\\' ? "\\" : "",
			 (int)value);
	else
		snprintf(text, sizeof(text), "'\\u{%" PRIx64 "}'", value);
	print_text(machine, text);
}

static void take_value(struct rust_demangler *machine, char type)
{
	size_t start = machine->at;
	uint64_t value = 0;
	char text[32];

	for (; hex_value(peek(machine)) >= 0; machine->at++)
		value = value << 4 | (unsigned)hex_value(peek(machine));
	if (type == 'c') {
		print_character(machine, value);
	} else if (type == 'b') {
		machine->failed |= value > 1;
		print_text(machine, value ? "true" : "false");
	} else if (machine->at - start > 16) {
		print_text(machine, "0x");
		print(machine, machine->name + start, machine->at - start);
	} else {
		snprintf(text, sizeof(text), "%" PRIu64, value);
		print_text(machine, text);
	}
	machine->failed |= machine->at == start || !take(machine, '_');
}

static void take_const(struct rust_demangler *machine)
{
	char type = peek(machine);

	machine->at++;
	if (type == 'B') {
		take_reference(machine, TASK_CONST);
	} else if (type == 'p') {
		print_text(machine, "_");
	} else if (type && strchr("bchtmyojaslxni", type)) {
		if (strchr("aslxni", type) && take(machine, 'n'))
			print_text(machine, "-");
		take_value(machine, type);
	} else {
		machine->failed = true;
	}
}

/* -- tasks ----------------------------------------------------------------- */

static void take_argument(struct rust_demangler *machine)
{
	if (take(machine, 'L'))
		take_lifetime(machine, "", "");
	else
		push_kind(machine, take(machine, 'K') ? TASK_CONST : TASK_TYPE);
}

static void take_list(struct rust_demangler *machine, struct task list)
{
	if (take(machine, 'E')) {
		if (list.item == TASK_TUPLE)
			print_text(machine, list.number == 1 ? ",)" : ")");
		return;
	}
	if (list.number++ > 0)
		print_text(machine, list.text);
	push(machine, list);
	push_kind(machine, list.item == TASK_TUPLE ? TASK_TYPE : list.item);
}

static void take_binding(struct rust_demangler *machine, bool open)
{
	if (!take(machine, 'p')) {
		if (open)
			print_text(machine, ">");
		return;
	}
	print_text(machine, open ? ", " : "<");
	print_identifier(machine, take_identifier(machine));
	print_text(machine, " = ");
	push_number(machine, TASK_BINDING, true);
	push_kind(machine, TASK_TYPE);
}

static void take_return(struct rust_demangler *machine)
{
	print_text(machine, ")");
	if (take(machine, 'u'))
		return;
	print_text(machine, " -> ");
	push_kind(machine, TASK_TYPE);
}

/* A flat switch over all tasks. */
static void run(struct rust_demangler *machine, struct task task)
{
	switch (task.kind) {
	case TASK_TYPE_PATH:
	case TASK_VALUE_PATH:
		take_path(machine, task.kind);
		break;
	case TASK_OPEN_PATH:
		take_open_path(machine);
		break;
	case TASK_TYPE:
		take_type(machine);
		break;
	case TASK_ARGUMENT:
		take_argument(machine);
		break;
	case TASK_CONST:
		take_const(machine);
		break;
	case TASK_NAME:
		take_name(machine, (char)task.number);
		break;
	case TASK_LIST:
	case TASK_TUPLE:
		take_list(machine, task);
		break;
	case TASK_RETURN:
		take_return(machine);
		break;
	case TASK_TRAIT:
		push_kind(machine, TASK_BINDINGS);
		push_kind(machine, TASK_OPEN_PATH);
		break;
	case TASK_BINDING:
		take_binding(machine, task.number);
		break;
	case TASK_BINDINGS:
		take_binding(machine, machine->open);
		break;
	case TASK_BOUND:
		if (!take(machine, 'L'))
			machine->failed = true;
		take_lifetime(machine, " + ", "");
		break;
	case TASK_TEXT:
		print_text(machine, task.text);
		break;
	case TASK_SEEK:
		machine->at = task.number;
		break;
	case TASK_UNMUTE:
		machine->muted--;
		break;
	case TASK_UNBIND:
		machine->bound = task.number;
		break;
	case TASK_OPENED:
		machine->open = task.number;
		break;
	}
}

static bool run_all(struct rust_demangler *machine, size_t before)
{
	for (size_t steps = 0; machine->n_tasks > 0; steps++) {
		run(machine, machine->tasks[--machine->n_tasks]);
		if (machine->failed || steps == MAX_STEPS || machine->at > machine->len ||
		    machine->out->len - before > MAX_TEXT)
			return false;
	}
	return true;
}

bool rustv0_demangle(const char *name, size_t len, struct bytes *out)
{
	struct rust_demangler machine = { .name = name, .len = len, .out = out };
	const size_t before = out->len;
	bool good;

	push_kind(&machine, TASK_VALUE_PATH);
	good = run_all(&machine, before);
	/* The crate that instantiated a generic. */
	if (good && machine.at < len) {
		machine.muted++;
		push_kind(&machine, TASK_TYPE_PATH);
		good = run_all(&machine, before);
	}
	if (good && machine.at == len)
		return true;
	out->len = before;
	return false;
}
