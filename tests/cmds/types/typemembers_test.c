/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of structs in arrays of structs, and which of them has a byte. */
#include "cmds/types/types.h"

#include "profile/common/heap.h"
#include "tests/cmds/types/example_types.h"
#include "tests/common/check.h"

static struct example_types types;
static struct arena arena;
static struct type_member *members;
static size_t n;

/*
 *	struct shelf {				offset
 *		long n;				0
 *		struct point places[3];		8	x at 8, 16, 24; y at 12, 20, 28
 *		struct node *owner;		32
 *		struct { struct node *next; long span; } level[];	40
 *	};
 */
static uint32_t make_shelf(void)
{
	uint32_t shelf, places, level, levels;
	bool is_new;

	example_types_init(&types);
	arena_init(&arena);
	shelf = typetable_intern(&types.table, "shelf", DATA_STRUCT, "struct shelf", &is_new);
	places = typetable_intern(&types.table, "places", DATA_ARRAY, "", &is_new);
	level = typetable_intern(&types.table, "level", DATA_STRUCT, "", &is_new);
	levels = typetable_intern(&types.table, "levels", DATA_ARRAY, "", &is_new);
	typetable_edit(&types.table, places)->target = types.point;
	typetable_edit(&types.table, places)->size = 24;
	typetable_edit(&types.table, levels)->target = level;
	typetable_edit(&types.table, level)->size = 16;
	typetable_edit(&types.table, shelf)->size = 40;
	typetable_set_members(&types.table, level,
			      (const struct data_member[]){
				      { "next", 0, 8, types.to_node, false },
				      { "span", 8, 8, types.of_long, false },
			      },
			      2);
	typetable_set_members(&types.table, shelf,
			      (const struct data_member[]){
				      { "n", 0, 8, types.of_long, false },
				      { "places", 8, 24, places, false },
				      { "owner", 32, 8, types.to_node, false },
				      { "level", 40, 0, levels, false },
			      },
			      4);
	return shelf;
}

static void list(uint32_t type)
{
	typemembers_list(&members, &n, &types.table, type, &arena);
}

static void end(void)
{
	arena_release(&arena);
	typetable_release(&types.table);
}

static const char *name_at(uint64_t offset)
{
	return members[typemembers_at(members, n, offset)].name;
}

TEST(names)
{
	list(make_shelf());
	CHECK_EQ_U64(n, 7);
	CHECK_STR(members[1].name, "places[].x");
	CHECK_STR(members[2].name, "places[].y");
	CHECK_STR(members[4].name, "level[].next");
	CHECK_EQ_U64(members[2].offset, 12);
	CHECK_EQ_U64(members[2].size, 4);
	CHECK_EQ_U64(members[2].outer, 1);
	CHECK_EQ_U64(typemember_copies(&members[0]), 1);
	CHECK_EQ_U64(typemember_copies(&members[2]), 3);
	CHECK_EQ_U64(typemember_copies(&members[4]), 0);
	end();
}

TEST(offsets)
{
	list(make_shelf());
	CHECK_STR(name_at(0), "n");
	CHECK_STR(name_at(8), "places[].x");
	CHECK_STR(name_at(15), "places[].y");
	CHECK_STR(name_at(24), "places[].x");
	CHECK_STR(name_at(31), "places[].y");
	CHECK_STR(name_at(32), "owner");
	CHECK_STR(name_at(40), "level[].next");
	CHECK_STR(name_at(40 + 100 * 16 + 8), "level[].span");
	end();
}

TEST(stretches)
{
	const struct type_member *x, *y, *span;

	list(make_shelf());
	x = &members[1];
	y = &members[2];
	span = &members[5];
	/* In one element, over the end of one, and over a whole one. */
	CHECK(typemember_has(x, 16, 20) && !typemember_has(y, 16, 20));
	CHECK(!typemember_has(x, 20, 24) && typemember_has(y, 20, 24));
	CHECK(typemember_has(x, 20, 25) && typemember_has(y, 23, 25));
	CHECK(typemember_has(x, 12, 28) && typemember_has(y, 16, 24));
	/* Before the array, and after it. */
	CHECK(!typemember_has(x, 0, 8) && typemember_has(x, 0, 9) && !typemember_has(y, 0, 12));
	CHECK(!typemember_has(x, 28, 100) && typemember_has(y, 28, 100) &&
	      !typemember_has(y, 32, 100));
	CHECK(!typemember_has(span, 24, 48) && typemember_has(span, 24, 49));
	CHECK(typemember_has(span, UINT64_MAX - 64, UINT64_MAX - 32));
	/* What is in no array. */
	CHECK(typemember_has(&members[3], 39, 64) && !typemember_has(&members[3], 40, 64));
	CHECK(!typemember_has(&members[0], 8, 8) && !typemember_has(&members[0], 8, 9));
	end();
}

/* Of arrays of structs in structs of arrays, the outer ones only; of none, an array's name as ever. */
TEST(depth)
{
	uint32_t shelf = make_shelf(), rack, shelves;
	bool is_new;

	rack = typetable_intern(&types.table, "rack", DATA_STRUCT, "struct rack", &is_new);
	shelves = typetable_intern(&types.table, "shelves", DATA_ARRAY, "", &is_new);
	typetable_edit(&types.table, shelves)->target = shelf;
	typetable_edit(&types.table, shelves)->size = 80;
	typetable_edit(&types.table, rack)->size = 80;
	typetable_set_members(&types.table, rack,
			      (const struct data_member[]){ { "shelves", 0, 80, shelves, false } },
			      1);
	list(rack);
	CHECK_EQ_U64(n, 5);
	CHECK_STR(members[1].name, "shelves[].places[]");
	CHECK_STR(members[3].name, "shelves[].level[]");
	CHECK_STR(name_at(40 + 8), "shelves[].places[]");
	CHECK_STR(name_at(40 + 32), "shelves[].owner");
	list(types.node);
	CHECK_STR(members[3].name, "values[]");
	CHECK_EQ_U64(members[3].size, 32);
	list(types.text);
	CHECK_STR(name_at(1000), "bytes[]");
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(names),
		CHECK_TEST(offsets),
		CHECK_TEST(stretches),
		CHECK_TEST(depth),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
