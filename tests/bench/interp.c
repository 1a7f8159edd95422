/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small language: its programs are parsed by recursive descent into a tree,
 * the tree is run as it is, and compiled for a stack machine, which runs it too.
 *
 * Three ways to run much code that jumps about: the compiler, in short bursts;
 * the tree, in deep recursion; the machine's switch, by indirect jumps.  A call
 * in the language is one in C.
 *
 * All values are numbers of 64 bits without sign.  A name that is not called
 * is a local variable, made where it is met first, but for m[], which is memory.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/interp_program.h"

enum {
	COMPILATIONS = 800,
	RUNS_OF_TREE = 6,
	RUNS_OF_MACHINE = 24,
	MAX_FUNCTIONS = 32,
	MAX_LOCALS = 16, /* of a function, with its parameters */
	MAX_NODES = 4096,
	MAX_CODE = 8192,
	STACK = 16, /* values that one expression needs at once */
	MEMORY = 4096,
	VALUES = 65536,
	NAME_SIZE = 16,
};

/* What the machine does; BINARY nodes use those from ADD on. */
enum operation {
	PUSH,      /* the operand */
	LOAD,      /* the local variable */
	STORE,     /* into the local variable */
	FETCH,     /* memory at the number on top */
	PLACE,     /* the top into memory at the number below */
	DROP,      /* the top */
	JUMP,      /* to the operand */
	JUMP_ZERO, /* if the top is 0 */
	CALL,      /* the function, with its arguments on top */
	RETURN,    /* the top */
	IS_ZERO,   /* 1 if the top is 0, else 0 */
	ADD,
	SUBTRACT,
	MULTIPLY,
	DIVIDE,
	REMAINDER,
	EQUAL,
	UNEQUAL,
	LESS,
	LESS_EQUAL,
	GREATER,
	GREATER_EQUAL,
};

struct instruction {
	enum operation operation;
	uint32_t operand;
};

enum kind {
	NODE_NUMBER,   /* value */
	NODE_LOCAL,    /* number value */
	NODE_ELEMENT,  /* m[a] */
	NODE_BINARY,   /* a operation b */
	NODE_NOT,      /* !a */
	NODE_AND,      /* a && b */
	NODE_OR,       /* a || b */
	NODE_CALL,     /* function number value with arguments a */
	NODE_ASSIGN,   /* local number value = a */
	NODE_SET,      /* m[a] = b */
	NODE_IF,       /* if (a) b else c */
	NODE_WHILE,    /* while (a) b */
	NODE_RETURN,   /* return a */
	NODE_FORGOTTEN /* a; */
};

struct node {
	enum kind kind;
	enum operation operation;
	uint32_t value;
	struct node *a;
	struct node *b;
	struct node *c;
	struct node *next; /* statement of a block, or argument */
};

struct function {
	char name[NAME_SIZE];
	char locals[MAX_LOCALS][NAME_SIZE]; /* the parameters first */
	uint32_t n_parameters;
	uint32_t n_locals;
	struct node *body; /* its first statement; NULL: not yet met */
	uint32_t entry;    /* of its code */
};

struct program {
	const char *at; /* the rest of the text, from a word on */
	struct function functions[MAX_FUNCTIONS];
	uint32_t n_functions;
	struct function *current;
	struct node nodes[MAX_NODES];
	uint32_t n_nodes;
	struct instruction code[MAX_CODE];
	uint32_t n_code;
	uint64_t memory[MEMORY];
	uint64_t values[VALUES]; /* of the machine: its stack */
};

/* -- words ----------------------------------------------------------------- */

static void skip_blanks(struct program *program)
{
	while (*program->at == ' ')
		program->at++;
}

/* True if the text goes on with the word, which is then consumed. */
static int accept(struct program *program, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(program->at, word, length) != 0)
		return 0;
	/* if is not the beginning of iffy. */
	if (isalpha((unsigned char)word[0]) && isalnum((unsigned char)program->at[length]))
		return 0;
	program->at += length;
	skip_blanks(program);
	return 1;
}

static void expect(struct program *program, const char *word)
{
	require(accept(program, word), word);
}

static void read_name(struct program *program, char *name)
{
	size_t n = 0;

	require(isalpha((unsigned char)*program->at), "a name");
	while (isalnum((unsigned char)*program->at)) {
		require(n + 1 < NAME_SIZE, "a shorter name");
		name[n++] = *program->at++;
	}
	name[n] = '\0';
	skip_blanks(program);
}

static uint32_t read_number(struct program *program)
{
	uint32_t value = 0;

	while (isdigit((unsigned char)*program->at))
		value = value * 10 + (uint32_t)(*program->at++ - '0');
	skip_blanks(program);
	return value;
}

static void name_copy(char *to, const char *name)
{
	memcpy(to, name, strlen(name) + 1);
}

static uint32_t find_local(struct function *function, const char *name)
{
	for (uint32_t i = 0; i < function->n_locals; i++) {
		if (strcmp(function->locals[i], name) == 0)
			return i;
	}
	require(function->n_locals < MAX_LOCALS, "fewer variables");
	name_copy(function->locals[function->n_locals], name);
	return function->n_locals++;
}

static uint32_t find_function(struct program *program, const char *name)
{
	for (uint32_t i = 0; i < program->n_functions; i++) {
		if (strcmp(program->functions[i].name, name) == 0)
			return i;
	}
	require(program->n_functions < MAX_FUNCTIONS, "fewer functions");
	name_copy(program->functions[program->n_functions].name, name);
	return program->n_functions++;
}

/* -- parser ---------------------------------------------------------------- */

static struct node *node_new(struct program *program, enum kind kind, struct node *a,
			     struct node *b)
{
	struct node *node = &program->nodes[program->n_nodes++];

	require(program->n_nodes < MAX_NODES, "a smaller program");
	*node = (struct node){ .kind = kind, .a = a, .b = b };
	return node;
}

static struct node *parse_expression(struct program *program);

/* What follows the parenthesis of a call. */
static struct node *parse_arguments(struct program *program)
{
	struct node *first;

	if (accept(program, ")"))
		return NULL;
	first = parse_expression(program);
	for (struct node *last = first; !accept(program, ")"); last = last->next) {
		expect(program, ",");
		last->next = parse_expression(program);
	}
	return first;
}

static struct node *parse_operand(struct program *program)
{
	struct node *node;
	char name[NAME_SIZE];

	if (accept(program, "!"))
		return node_new(program, NODE_NOT, parse_operand(program), NULL);
	if (accept(program, "(")) {
		node = parse_expression(program);
		expect(program, ")");
		return node;
	}
	if (isdigit((unsigned char)*program->at)) {
		node = node_new(program, NODE_NUMBER, NULL, NULL);
		node->value = read_number(program);
		return node;
	}
	read_name(program, name);
	if (accept(program, "(")) {
		node = node_new(program, NODE_CALL, parse_arguments(program), NULL);
		node->value = find_function(program, name);
	} else if (accept(program, "[")) {
		node = node_new(program, NODE_ELEMENT, parse_expression(program), NULL);
		expect(program, "]");
	} else {
		node = node_new(program, NODE_LOCAL, NULL, NULL);
		node->value = find_local(program->current, name);
	}
	return node;
}

struct sign {
	const char *text;
	int level; /* how strongly it binds */
	enum kind kind;
	enum operation operation;
};

/* A sign that is a prefix of another comes after it. */
static const struct sign signs[] = {
	{ "||", 1, NODE_OR, ADD },
	{ "&&", 2, NODE_AND, ADD },
	{ "==", 3, NODE_BINARY, EQUAL },
	{ "!=", 3, NODE_BINARY, UNEQUAL },
	{ "<=", 4, NODE_BINARY, LESS_EQUAL },
	{ ">=", 4, NODE_BINARY, GREATER_EQUAL },
	{ "<", 4, NODE_BINARY, LESS },
	{ ">", 4, NODE_BINARY, GREATER },
	{ "+", 5, NODE_BINARY, ADD },
	{ "-", 5, NODE_BINARY, SUBTRACT },
	{ "*", 6, NODE_BINARY, MULTIPLY },
	{ "/", 6, NODE_BINARY, DIVIDE },
	{ "%", 6, NODE_BINARY, REMAINDER },
};

/* The sign of at least that level which is next, or NULL. */
static const struct sign *accept_sign(struct program *program, int level)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (signs[i].level >= level && accept(program, signs[i].text))
			return &signs[i];
	}
	return NULL;
}

static struct node *parse_level(struct program *program, int level)
{
	struct node *left = parse_operand(program);
	const struct sign *sign;

	while ((sign = accept_sign(program, level))) {
		left = node_new(program, sign->kind, left, parse_level(program, sign->level + 1));
		left->operation = sign->operation;
	}
	return left;
}

static struct node *parse_expression(struct program *program)
{
	return parse_level(program, 1);
}

static struct node *parse_block(struct program *program);

static struct node *parse_condition(struct program *program)
{
	struct node *condition;

	expect(program, "(");
	condition = parse_expression(program);
	expect(program, ")");
	return condition;
}

/* An expression, or one that is assigned to. */
static struct node *parse_simple(struct program *program)
{
	struct node *left = parse_expression(program);
	struct node *right;

	if (!accept(program, "="))
		return node_new(program, NODE_FORGOTTEN, left, NULL);
	right = parse_expression(program);
	if (left->kind == NODE_ELEMENT)
		return node_new(program, NODE_SET, left->a, right);
	require(left->kind == NODE_LOCAL, "something to assign to");
	left->kind = NODE_ASSIGN;
	left->a = right;
	return left;
}

static struct node *parse_statement(struct program *program)
{
	struct node *node;

	if (accept(program, "if")) {
		node = node_new(program, NODE_IF, parse_condition(program), NULL);
		node->b = parse_block(program);
		if (accept(program, "else"))
			node->c = parse_block(program);
		return node;
	}
	if (accept(program, "while")) {
		node = node_new(program, NODE_WHILE, parse_condition(program), NULL);
		node->b = parse_block(program);
		return node;
	}
	if (accept(program, "return"))
		node = node_new(program, NODE_RETURN, parse_expression(program), NULL);
	else
		node = parse_simple(program);
	expect(program, ";");
	return node;
}

static struct node *parse_block(struct program *program)
{
	struct node *first = NULL;
	struct node **end = &first;

	expect(program, "{");
	while (!accept(program, "}")) {
		*end = parse_statement(program);
		end = &(*end)->next;
	}
	return first;
}

static void parse_function(struct program *program)
{
	char name[NAME_SIZE] = "";

	read_name(program, name);
	program->current = &program->functions[find_function(program, name)];
	expect(program, "(");
	while (!accept(program, ")")) {
		if (program->current->n_locals)
			expect(program, ",");
		read_name(program, name);
		find_local(program->current, name);
	}
	program->current->n_parameters = program->current->n_locals;
	program->current->body = parse_block(program);
}

/* -- the tree -------------------------------------------------------------- */

static uint64_t *memory_at(struct program *program, uint64_t address)
{
	return &program->memory[address % MEMORY];
}

static uint64_t apply(enum operation operation, uint64_t a, uint64_t b)
{
	/* Of others there is no NODE_BINARY. */
	switch ((int)operation) {
	case ADD:
		return a + b;
	case SUBTRACT:
		return a - b;
	case MULTIPLY:
		return a * b;
	case DIVIDE:
		return b ? a / b : 0;
	case REMAINDER:
		return b ? a % b : 0;
	case EQUAL:
		return a == b;
	case UNEQUAL:
		return a != b;
	case LESS:
		return a < b;
	case LESS_EQUAL:
		return a <= b;
	case GREATER:
		return a > b;
	default:
		return a >= b;
	}
}

static uint64_t call_tree(struct program *program, const struct function *function,
			  const uint64_t *arguments);

/* The value of an expression. */
static uint64_t evaluate(struct program *program, const struct node *node, const uint64_t *locals)
{
	uint64_t arguments[MAX_LOCALS];
	size_t n = 0;

	switch ((int)node->kind) {
	case NODE_NUMBER:
		return node->value;
	case NODE_LOCAL:
		return locals[node->value];
	case NODE_ELEMENT:
		return *memory_at(program, evaluate(program, node->a, locals));
	case NODE_NOT:
		return !evaluate(program, node->a, locals);
	case NODE_AND:
		return evaluate(program, node->a, locals) && evaluate(program, node->b, locals);
	case NODE_OR:
		return evaluate(program, node->a, locals) || evaluate(program, node->b, locals);
	case NODE_CALL:
		for (const struct node *a = node->a; a; a = a->next)
			arguments[n++] = evaluate(program, a, locals);
		return call_tree(program, &program->functions[node->value], arguments);
	default: /* NODE_BINARY */
		return apply(node->operation, evaluate(program, node->a, locals),
			     evaluate(program, node->b, locals));
	}
}

/* True if a statement of the block returned from the function; then *result is the value. */
static int run_block(struct program *program, const struct node *block, uint64_t *locals,
		     uint64_t *result)
{
	for (const struct node *node = block; node; node = node->next) {
		switch ((int)node->kind) {
		case NODE_ASSIGN:
			locals[node->value] = evaluate(program, node->a, locals);
			break;
		case NODE_SET: {
			uint64_t address = evaluate(program, node->a, locals);

			*memory_at(program, address) = evaluate(program, node->b, locals);
			break;
		}
		case NODE_IF:
			if (run_block(program,
				      evaluate(program, node->a, locals) ? node->b : node->c,
				      locals, result))
				return 1;
			break;
		case NODE_WHILE:
			while (evaluate(program, node->a, locals)) {
				if (run_block(program, node->b, locals, result))
					return 1;
			}
			break;
		case NODE_RETURN:
			*result = evaluate(program, node->a, locals);
			return 1;
		default: /* NODE_FORGOTTEN */
			evaluate(program, node->a, locals);
			break;
		}
	}
	return 0;
}

static uint64_t call_tree(struct program *program, const struct function *function,
			  const uint64_t *arguments)
{
	uint64_t locals[MAX_LOCALS] = { 0 };
	uint64_t result = 0;

	memcpy(locals, arguments, function->n_parameters * sizeof(locals[0]));
	run_block(program, function->body, locals, &result);
	return result;
}

/* -- compiler -------------------------------------------------------------- */

static uint32_t emit(struct program *program, enum operation operation, uint32_t operand)
{
	require(program->n_code < MAX_CODE, "less code");
	program->code[program->n_code] = (struct instruction){ operation, operand };
	return program->n_code++;
}

/* Lets the jump at a place go to the end of the code there is. */
static void land(struct program *program, uint32_t jump)
{
	program->code[jump].operand = program->n_code;
}

/* Code for a value above depth others. */
static void compile_value(struct program *program, const struct node *node, uint32_t depth)
{
	uint32_t n = 0;
	uint32_t jump;

	require(depth < STACK, "a simpler expression");
	switch ((int)node->kind) {
	case NODE_NUMBER:
		emit(program, PUSH, node->value);
		break;
	case NODE_LOCAL:
		emit(program, LOAD, node->value);
		break;
	case NODE_ELEMENT:
		compile_value(program, node->a, depth);
		emit(program, FETCH, 0);
		break;
	case NODE_NOT:
		compile_value(program, node->a, depth);
		emit(program, IS_ZERO, 0);
		break;
	case NODE_AND:
	case NODE_OR:
		/* a && b is a ? !!b : 0, and a || b is !a ? !!b : 1. */
		compile_value(program, node->a, depth);
		if (node->kind == NODE_OR)
			emit(program, IS_ZERO, 0);
		jump = emit(program, JUMP_ZERO, 0);
		compile_value(program, node->b, depth);
		emit(program, IS_ZERO, 0);
		emit(program, IS_ZERO, 0);
		emit(program, JUMP, program->n_code + 2);
		land(program, jump);
		emit(program, PUSH, node->kind == NODE_OR);
		break;
	case NODE_CALL:
		for (const struct node *a = node->a; a; a = a->next)
			compile_value(program, a, depth + n++);
		require(n == program->functions[node->value].n_parameters, "other arguments");
		emit(program, CALL, node->value);
		break;
	default: /* NODE_BINARY */
		compile_value(program, node->a, depth);
		compile_value(program, node->b, depth + 1);
		emit(program, node->operation, 0);
		break;
	}
}

static void compile_block(struct program *program, const struct node *block);

static void compile_if(struct program *program, const struct node *node)
{
	uint32_t to_else;
	uint32_t to_end;

	compile_value(program, node->a, 0);
	to_else = emit(program, JUMP_ZERO, 0);
	compile_block(program, node->b);
	to_end = emit(program, JUMP, 0);
	land(program, to_else);
	compile_block(program, node->c);
	land(program, to_end);
}

static void compile_while(struct program *program, const struct node *node)
{
	uint32_t begin = program->n_code;
	uint32_t to_end;

	compile_value(program, node->a, 0);
	to_end = emit(program, JUMP_ZERO, 0);
	compile_block(program, node->b);
	emit(program, JUMP, begin);
	land(program, to_end);
}

static void compile_block(struct program *program, const struct node *block)
{
	for (const struct node *node = block; node; node = node->next) {
		switch ((int)node->kind) {
		case NODE_IF:
			compile_if(program, node);
			break;
		case NODE_WHILE:
			compile_while(program, node);
			break;
		case NODE_SET:
			compile_value(program, node->a, 0);
			compile_value(program, node->b, 1);
			emit(program, PLACE, 0);
			break;
		case NODE_ASSIGN:
			compile_value(program, node->a, 0);
			emit(program, STORE, node->value);
			break;
		case NODE_RETURN:
			compile_value(program, node->a, 0);
			emit(program, RETURN, 0);
			break;
		default: /* NODE_FORGOTTEN */
			compile_value(program, node->a, 0);
			emit(program, DROP, 0);
			break;
		}
	}
}

static void compile(struct program *program)
{
	program->at = program_text;
	program->n_functions = 0;
	program->n_nodes = 0;
	program->n_code = 0;
	memset(program->functions, 0, sizeof(program->functions));
	skip_blanks(program);
	while (*program->at)
		parse_function(program);
	for (uint32_t i = 0; i < program->n_functions; i++) {
		struct function *function = &program->functions[i];

		require(function->body != NULL, "a function that is called");
		function->entry = program->n_code;
		compile_block(program, function->body);
		emit(program, PUSH, 0);
		emit(program, RETURN, 0);
	}
}

/* -- the machine ----------------------------------------------------------- */

/* Runs a function until it returns.  Its local variables begin with the arguments, where the
 * caller put them; its other values are above.  A flat switch over all operations, hence its
 * length. */
static uint64_t call_machine(struct program *program, const struct function *function,
			     uint64_t *locals)
{
	const struct instruction *next = &program->code[function->entry];
	const struct function *callee;
	uint64_t *top = locals + function->n_locals; /* the free place above all values */

	require(top + STACK < program->values + VALUES, "fewer calls in each other");
	for (uint32_t i = function->n_parameters; i < function->n_locals; i++)
		locals[i] = 0;
	for (;;) {
		struct instruction instruction = *next++;

		switch (instruction.operation) {
		case PUSH:
			*top++ = instruction.operand;
			break;
		case LOAD:
			*top++ = locals[instruction.operand];
			break;
		case STORE:
			locals[instruction.operand] = *--top;
			break;
		case FETCH:
			top[-1] = *memory_at(program, top[-1]);
			break;
		case PLACE:
			top -= 2;
			*memory_at(program, top[0]) = top[1];
			break;
		case DROP:
			top--;
			break;
		case JUMP:
			next = &program->code[instruction.operand];
			break;
		case JUMP_ZERO:
			if (!*--top)
				next = &program->code[instruction.operand];
			break;
		case CALL:
			callee = &program->functions[instruction.operand];
			top -= callee->n_parameters;
			*top = call_machine(program, callee, top);
			top++;
			break;
		case RETURN:
			return top[-1];
		case IS_ZERO:
			top[-1] = !top[-1];
			break;
		case ADD:
			top--;
			top[-1] += top[0];
			break;
		case SUBTRACT:
			top--;
			top[-1] -= top[0];
			break;
		case LESS:
			top--;
			top[-1] = top[-1] < top[0];
			break;
		case MULTIPLY:
		case DIVIDE:
		case REMAINDER:
		case EQUAL:
		case UNEQUAL:
		case LESS_EQUAL:
		case GREATER:
		case GREATER_EQUAL:
			top--;
			top[-1] = apply(instruction.operation, top[-1], top[0]);
			break;
		}
	}
}

int main(void)
{
	struct program *program = allocate(1, sizeof(*program));
	const struct function *start;
	uint64_t nothing = 0;
	uint64_t sum = 0;
	uint64_t result = 0;

	for (int i = 0; i < COMPILATIONS; i++) {
		compile(program);
		sum = checksum_add(sum, program->n_code);
	}
	start = &program->functions[find_function(program, "main")];
	for (int i = 0; i < RUNS_OF_TREE; i++) {
		result = call_tree(program, start, &nothing);
		sum = checksum_add(sum, result);
	}
	for (int i = 0; i < RUNS_OF_MACHINE; i++) {
		uint64_t again = call_machine(program, start, program->values);

		require(again == result, "the machine does not agree with the tree");
		sum = checksum_add(sum, again);
	}
	free(program);
	return report("interp", sum);
}
