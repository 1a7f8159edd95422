/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators new and delete: what each function allocates, as in allocations.c
 * (tests/tool/alloc/alloc_count.sh).
 */
#include <cstdlib>
#include <new>

#define APART __attribute__((noinline, noclone))

struct small {
	char bytes[40];
};

struct alignas(64) aligned {
	char bytes[128];
};

static void *volatile kept;

APART void singles() /* 1, 40, 1 */
{
	small *object = new small;

	kept = object;
	delete object;
	object = nullptr;
	delete object;
}

APART void arrays() /* 1, 120, 1 */
{
	small *objects = new small[3];

	kept = objects;
	delete[] objects;
}

APART void others() /* 2, 128 + 40, 2 */
{
	aligned *first = new aligned;
	small *second = new (std::nothrow) small;

	kept = first;
	kept = second;
	delete first;
	delete second;
}

APART void placed() /* nothing: the memory is there */
{
	static char room[sizeof(small)];

	kept = new (room) small;
}

APART void thrown() /* 0, 0, 1: the exception, for which operator new itself has allocated */
{
	volatile std::size_t too_much = static_cast<std::size_t>(1) << 60;

	try {
		kept = new char[too_much];
	} catch (const std::bad_alloc &) {
		kept = nullptr;
	}
}

int main()
{
	singles();
	arrays();
	others();
	placed();
	thrown();
	return 0;
}
