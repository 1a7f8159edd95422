/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes, references, templates and namespaces, gone through as structures.c does: types.sh has the sums.  Of each
 * cell the counter, of its base class, is read first; of each pair what a method reads.
 */
#include <cstddef>

#define before() __asm__ volatile("" ::: "memory")

enum { ROUNDS = 3, CELLS = 4096, PAIRS = 8192 };

namespace shapes
{
/* A constructor that is somewhere: clang describes the class where that is. */
struct counted {
	counted();
	virtual ~counted();
	long counter;
};

counted::counted() : counter(1)
{
}

counted::~counted() = default;

class alignas(64) cell : public counted {
      public:
	cell *next = nullptr;
	long width = 2;

	__attribute__((noinline)) static long measure(const cell &first);
};

long cell::measure(const cell &first)
{
	long sum = 0;

	for (const cell *at = &first; at; at = at->next) {
		sum += at->counter;
		before();
		sum += at->width;
		before();
	}
	return sum;
}

template <typename T> struct alignas(64) pair {
	T first, second;

	__attribute__((noinline)) T add() const
	{
		T sum = second;

		before();
		return sum + first;
	}
};
} // namespace shapes

static shapes::cell cells[CELLS];
static shapes::pair<long> pairs[PAIRS];

int main()
{
	long sum = 0;

	for (std::size_t i = 0; i + 1 < CELLS; i++)
		cells[i].next = &cells[i + 1];
	for (int round = 0; round < ROUNDS; round++)
		sum += shapes::cell::measure(cells[0]);
	for (int round = 0; round < ROUNDS; round++)
		for (const auto &pair : pairs)
			sum += pair.add();
	return sum == 0;
}
