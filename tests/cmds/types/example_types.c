/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cmds/types/example_types.h"

static uint32_t make(struct example_types *types, const char *name, enum data_kind kind,
		     uint64_t size)
{
	bool is_new;
	uint32_t type = typetable_intern(&types->table, name, kind, name, &is_new);

	typetable_edit(&types->table, type)->size = size;
	return type;
}

static uint32_t make_link(struct example_types *types, const char *name, enum data_kind kind,
			  uint64_t size, uint32_t target)
{
	uint32_t type = make(types, name, kind, size);

	typetable_edit(&types->table, type)->target = target;
	return type;
}

void example_types_init(struct example_types *types)
{
	uint32_t values, bytes;

	typetable_init(&types->table);
	types->of_int = make(types, "int", DATA_SCALAR, 4);
	types->of_long = make(types, "long", DATA_SCALAR, 8);
	types->of_double = make(types, "double", DATA_SCALAR, 8);
	types->of_char = make(types, "char", DATA_BYTES, 1);
	types->point = make(types, "struct point", DATA_STRUCT, 8);
	types->node = make(types, "struct node", DATA_STRUCT, 56);
	types->text = make(types, "struct text", DATA_STRUCT, 8);
	types->either = make(types, "union either", DATA_UNION, 8);
	types->to_node = make_link(types, "struct node *", DATA_POINTER, 8, types->node);
	types->to_char = make_link(types, "char *", DATA_POINTER, 8, types->of_char);
	values = make_link(types, "double[4]", DATA_ARRAY, 32, types->of_double);
	bytes = make_link(types, "char[]", DATA_ARRAY, 0, types->of_char);
	typetable_set_members(&types->table, types->point,
			      (const struct data_member[]){
				      { "x", 0, 4, types->of_int, false },
				      { "y", 4, 4, types->of_int, false },
			      },
			      2);
	/* Not in order, as bases of classes may be. */
	typetable_set_members(&types->table, types->node,
			      (const struct data_member[]){
				      { "name", 48, 8, types->to_char, false },
				      { "next", 0, 8, types->to_node, false },
				      { "at", 8, 8, types->point, false },
				      { "values", 16, 32, values, false },
			      },
			      4);
	typetable_set_members(&types->table, types->text,
			      (const struct data_member[]){
				      { "len", 0, 8, types->of_long, false },
				      { "bytes", 8, 0, bytes, false },
			      },
			      2);
	typetable_set_members(&types->table, types->either,
			      (const struct data_member[]){
				      { "number", 0, 8, types->of_long, false },
				      { "node", 0, 8, types->to_node, false },
			      },
			      2);
}
