/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is where in a struct, at the edges. */
#include "cmds/types/types.h"

#include "tests/cmds/types/example_types.h"
#include "tests/common/check.h"

static struct example_types types;

static uint64_t fold(uint32_t type, int64_t offset, uint64_t stride)
{
	return typetable_fold(&types.table, type, offset, stride);
}

static uint32_t leaf(uint32_t type, uint64_t offset)
{
	uint64_t left;

	return typetable_leaf(&types.table, type, offset, &left);
}

TEST(identities)
{
	bool is_new;
	uint32_t again;

	example_types_init(&types);
	again = typetable_intern(&types.table, "struct node", DATA_STRUCT, "struct node", &is_new);
	CHECK(again == types.node && !is_new);
	again = typetable_intern(&types.table, "struct node|2", DATA_STRUCT, "struct node",
				 &is_new);
	CHECK(again != types.node && is_new);
	CHECK_STR(typetable_get(&types.table, again)->name, "struct node");
	/* A type without a name is one, not what stands for nothing. */
	again = typetable_intern(&types.table, "", DATA_SCALAR, "", &is_new);
	CHECK(again != TYPE_NONE && is_new);
	/* No number of a type is beyond the table. */
	CHECK(typetable_get(&types.table, UINT32_MAX)->kind == DATA_NONE);
	typetable_release(&types.table);
}

TEST(places_in_arrays)
{
	example_types_init(&types);
	CHECK_EQ_U64(fold(types.node, 0, 0), 0);
	CHECK_EQ_U64(fold(types.node, 55, 0), 55);
	/* The next element, and the one before. */
	CHECK_EQ_U64(fold(types.node, 56 + 8, 56), 8);
	CHECK_EQ_U64(fold(types.node, -8, 56), 48);
	CHECK_EQ_U64(fold(types.node, INT64_MIN, 56), (56 - (UINT64_C(1) << 63) % 56) % 56);
	/* Of one, there is nothing: it may be a part of something larger. */
	CHECK_EQ_U64(fold(types.node, 56 + 8, 0), 56);
	CHECK_EQ_U64(fold(types.node, -8, 0), 56);
	CHECK_EQ_U64(fold(types.node, INT64_MIN, 0), 56);
	CHECK_EQ_U64(fold(types.node, 8, 56), 8);
	CHECK_EQ_U64(fold(types.node, 8, 112), 8);
	/* By eights there is an array at 16, which begins anywhere in it; elsewhere whole structs are counted. */
	CHECK_EQ_U64(fold(types.node, 16, 8), 16);
	CHECK_EQ_U64(fold(types.node, 24, 8), 24);
	CHECK_EQ_U64(fold(types.node, 48, 8), 48);
	CHECK_EQ_U64(fold(types.node, 0, 1), 0);
	/* What follows a struct with an open end is in it. */
	CHECK_EQ_U64(fold(types.text, 100, 1), 8);
	CHECK_EQ_U64(fold(types.text, 4, 0), 4);
	/* Nothing is known about the size. */
	CHECK_EQ_U64(fold(TYPE_NONE, 7, 0), 7);
	CHECK_EQ_U64(fold(TYPE_NONE, -7, 3), 0);
	typetable_release(&types.table);
}

/* struct tower { long key; double score; struct tower *back; struct { struct tower *next; long span; } level[]; }; */
TEST(open_ends)
{
	uint32_t tower, level, levels, to_tower;
	struct data_member members[] = {
		{ "key", 0, 8, 0, false },
		{ "score", 8, 8, 0, false },
		{ "back", 16, 8, 0, false },
		{ "level", 24, 0, 0, false },
	};
	bool is_new;

	example_types_init(&types);
	tower = typetable_intern(&types.table, "tower", DATA_STRUCT, "tower", &is_new);
	level = typetable_intern(&types.table, "level", DATA_STRUCT, "level", &is_new);
	levels = typetable_intern(&types.table, "level[]", DATA_ARRAY, "", &is_new);
	to_tower = typetable_intern(&types.table, "tower *", DATA_POINTER, "tower *", &is_new);
	typetable_edit(&types.table, to_tower)->target = tower;
	typetable_edit(&types.table, levels)->target = level;
	typetable_edit(&types.table, to_tower)->size = 8;
	typetable_edit(&types.table, level)->size = 16;
	typetable_edit(&types.table, tower)->size = 24;
	typetable_set_members(&types.table, level,
			      (const struct data_member[]){
				      { "next", 0, 8, to_tower, false },
				      { "span", 8, 8, types.of_long, false },
			      },
			      2);
	members[0].type = types.of_long;
	members[1].type = types.of_double;
	members[2].type = to_tower;
	members[3].type = levels;
	typetable_set_members(&types.table, tower, members, 4);

	/* A place after the struct is in some element, whichever it is. */
	CHECK_EQ_U64(fold(tower, 24 + 3 * 16, 0), 24);
	CHECK_EQ_U64(fold(tower, 24 + 3 * 16 + 8, 0), 32);
	CHECK_EQ_U64(fold(tower, 32, 16), 32);
	CHECK_EQ_U64(fold(tower, 24, 48), 24);
	CHECK(leaf(tower, fold(tower, 40, 0)) == to_tower);
	CHECK(leaf(tower, fold(tower, 48, 0)) == types.of_long);
	/* level[i - 1], whose displacement lies before the array: next, span; and far before. */
	CHECK_EQ_U64(fold(tower, 8, 16), 24);
	CHECK_EQ_U64(fold(tower, 16, 16), 32);
	CHECK_EQ_U64(fold(tower, 0, 16), 32);
	CHECK_EQ_U64(fold(tower, -8, 16), 24);
	CHECK_EQ_U64(fold(tower, INT64_MIN, 16), 32);
	/* Members before the array, as nothing is added to them, or nobody knows what. */
	CHECK_EQ_U64(fold(tower, 8, 0), 8);
	CHECK_EQ_U64(fold(tower, 8, 1), 8);
	CHECK_EQ_U64(fold(tower, 8, 24), 8);
	/* No element has that size. */
	CHECK_EQ_U64(fold(tower, 32, 24), 24);
	/* Where another array is, that is meant; and any stride is one of characters. */
	members[1] = (struct data_member){ "values", 8, 16,
					   typetable_get(&types.table, types.node)->members[2].type,
					   false };
	typetable_set_members(&types.table, tower, members, 4);
	CHECK_EQ_U64(fold(tower, 8, 8), 8);
	CHECK_EQ_U64(fold(tower, 16, 8), 16);
	CHECK_EQ_U64(fold(tower, 0, 16), 32);
	CHECK_EQ_U64(fold(types.text, 0, 8), 0);
	members[1] = (struct data_member){ "score", 8, 8, types.of_double, false };
	/* Of an array of one element, as in old C, the struct may be an element itself. */
	members[3].size = 16;
	typetable_edit(&types.table, tower)->size = 40;
	typetable_set_members(&types.table, tower, members, 4);
	CHECK_EQ_U64(fold(tower, 8, 16), 24);
	CHECK_EQ_U64(fold(tower, 8, 80), 8);
	typetable_release(&types.table);
}

TEST(leaves)
{
	uint64_t left;

	example_types_init(&types);
	CHECK(leaf(types.node, 0) == types.to_node);
	CHECK(leaf(types.node, 12) == types.of_int);
	CHECK(leaf(types.node, 40) == types.of_double);
	CHECK(typetable_leaf(&types.table, types.node, 52, &left) == types.to_char);
	CHECK_EQ_U64(left, 4);
	CHECK(leaf(types.node, 56) == TYPE_NONE);
	CHECK(leaf(types.text, 8) == types.of_char);
	/* Of a union, the pointer. */
	CHECK(leaf(types.either, 0) == types.to_node);
	CHECK(typetable_contains(&types.table, types.node, 8, types.point));
	CHECK(typetable_contains(&types.table, types.node, 24, types.of_double));
	CHECK(!typetable_contains(&types.table, types.node, 0, types.point));
	CHECK(typetable_contains(&types.table, types.either, 0, types.of_double));
	CHECK(typetable_is_vague(&types.table, types.of_char));
	CHECK(typetable_is_vague(&types.table, TYPE_NONE));
	CHECK(!typetable_is_vague(&types.table, types.of_int));
	typetable_release(&types.table);
}

/* Each derived class has one that is empty, and one whose padding at the end has the first member. */
TEST(bases)
{
	uint32_t empty, number, base, derived, other;
	const struct data_type *of;
	bool is_new;

	example_types_init(&types);
	empty = typetable_intern(&types.table, "empty", DATA_STRUCT, "empty", &is_new);
	number = typetable_intern(&types.table, "number", DATA_STRUCT, "number", &is_new);
	base = typetable_intern(&types.table, "base", DATA_STRUCT, "base", &is_new);
	derived = typetable_intern(&types.table, "derived", DATA_STRUCT, "derived", &is_new);
	other = typetable_intern(&types.table, "other", DATA_STRUCT, "other", &is_new);
	typetable_edit(&types.table, empty)->size = 1;
	typetable_edit(&types.table, number)->size = 1;
	typetable_edit(&types.table, base)->size = 16;
	typetable_edit(&types.table, derived)->size = 24;
	typetable_edit(&types.table, other)->size = 1;
	typetable_set_members(&types.table, number,
			      (const struct data_member[]){ { "c", 0, 1, types.of_char, false } },
			      1);
	typetable_set_members(&types.table, base,
			      (const struct data_member[]){
				      { "a", 0, 8, types.of_long, false },
				      { "b", 8, 4, types.of_int, false },
			      },
			      2);
	typetable_set_members(&types.table, derived,
			      (const struct data_member[]){
				      { "", 0, 16, base, true },
				      { "", 1, 1, empty, true },
				      { "c", 12, 4, types.of_int, false },
				      { "d", 16, 8, types.of_long, false },
			      },
			      4);
	of = typetable_get(&types.table, derived);
	CHECK_EQ_U64(of->members[0].size, 12);
	CHECK(leaf(derived, 8) == types.of_int && leaf(derived, 12) == types.of_int);
	CHECK(!typetable_contains(&types.table, derived, 12, base));
	/* A base without data that comes first does not have what lies there. */
	typetable_set_members(&types.table, other,
			      (const struct data_member[]){ { "", 0, 1, empty, true },
							    { "", 0, 0, base, true } },
			      2);
	typetable_edit(&types.table, other)->size = 16;
	CHECK(leaf(other, 0) == types.of_long && leaf(other, 8) == types.of_int);
	typetable_edit(&types.table, other)->size = 1;
	CHECK(typetable_is_empty(&types.table, empty));
	CHECK(!typetable_is_empty(&types.table, number) &&
	      !typetable_is_empty(&types.table, derived) &&
	      !typetable_is_empty(&types.table, types.of_char));
	typetable_set_members(&types.table, other,
			      (const struct data_member[]){ { "", 0, 1, empty, true },
							    { "", 0, 1, empty, true } },
			      2);
	CHECK(typetable_is_empty(&types.table, other));
	typetable_set_members(&types.table, other,
			      (const struct data_member[]){ { "", 0, 1, empty, true },
							    { "", 0, 1, number, true } },
			      2);
	CHECK(!typetable_is_empty(&types.table, other));
	typetable_release(&types.table);
}

/* Of damaged information: arrays of themselves. */
TEST(loops)
{
	bool is_new;
	uint32_t loop;

	example_types_init(&types);
	loop = typetable_intern(&types.table, "loop", DATA_ARRAY, "loop", &is_new);
	typetable_edit(&types.table, loop)->target = loop;
	CHECK(leaf(loop, 3) == TYPE_NONE);
	CHECK(typetable_element(&types.table, loop) == loop);
	CHECK(!typetable_contains(&types.table, loop, 0, types.node));
	typetable_release(&types.table);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(identities), CHECK_TEST(places_in_arrays),
		CHECK_TEST(open_ends),  CHECK_TEST(leaves),
		CHECK_TEST(bases),      CHECK_TEST(loops),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
