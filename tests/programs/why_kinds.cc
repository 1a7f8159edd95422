// SPDX-License-Identifier: GPL-3.0-or-later
// One function for each kind of finding of costgrind why; the argument chooses.  Lines are named in the test by their marks.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

struct node {
	node *next;
	long values[7];
};

NOINLINE long chase(const node *at)
{
	long sum = 0;

	while (at) {
		sum += at->values[0]; // chase
		at = at->next;
	}
	return sum;
}

static unsigned state = 2463534242;

static unsigned random_number()
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static long chases()
{
	enum { N = 60000 };
	std::vector<node> all(N);
	std::vector<unsigned> order(N);
	long sum = 0;

	for (unsigned i = 0; i < N; i++)
		order[i] = i;
	for (unsigned i = N - 1; i > 0; i--)
		std::swap(order[i], order[random_number() % (i + 1)]);
	for (unsigned i = 0; i < N; i++)
		all[order[i]].next = i + 1 < N ? &all[order[i + 1]] : nullptr;
	for (int i = 0; i < 10; i++)
		sum += chase(&all[order[0]]);
	return sum;
}

long square[4096][520];

NOINLINE long columns()
{
	long sum = 0;

	for (int column = 0; column < 512; column++)
		for (int row = 0; row < 4096; row++)
			sum += square[row][column]; // stride
	return sum;
}

static unsigned char coins[1 << 16];
long heads;

NOINLINE long toss()
{
	long more = 0, less = 0;

	for (unsigned char coin : coins) {
		if (coin & 1) // branch
			asm volatile("incq %0" : "+r"(more));
		else
			asm volatile("decq %0" : "+r"(less));
	}
	return more + less;
}

static void tosses()
{
	for (unsigned char &coin : coins)
		coin = (unsigned char)random_number();
	for (int i = 0; i < 8; i++)
		heads += toss();
}

NOINLINE int small(int value)
{
	asm volatile("");
	return value * 3 + 1;
}

static long calls()
{
	long sum = 0;

	for (int i = 0; i < 1000000; i++)
		sum += small(i); // call
	return sum;
}

static size_t allocations()
{
	size_t sum = 0;

	for (int i = 0; i < 100000; i++) {
		std::vector<int> some;
		for (int k = 0; k < 5; k++)
			some.push_back(k); // grow
		sum += some.size();
	}
	return sum;
}

struct document {
	std::vector<std::string> lines;
	NOINLINE document() = default;
	NOINLINE document(const document &other) : lines(other.lines) {}
};

NOINLINE size_t length(document text)
{
	return text.lines.size();
}

static size_t copies()
{
	document text;
	size_t sum = 0;

	for (int i = 0; i < 50; i++)
		text.lines.push_back("a line that is too long to be kept in place");
	for (int i = 0; i < 1000; i++)
		sum += length(text); // copy
	return sum;
}

NOINLINE double chain(double value)
{
	return 1 / (value + 1);
} // end

static double chains()
{
	double value = 1;

	for (int i = 0; i < 1000000; i++)
		value = chain(value); // chained
	return value;
}

int main(int argc, char **argv)
{
	const std::string kind = argc > 1 ? argv[1] : "";
	double sum = 0;

	if (kind == "chase")
		sum = (double)chases();
	else if (kind == "stride")
		for (int i = 0; i < 2; i++, square[i][i] = i)
			sum += (double)columns();
	else if (kind == "branch")
		tosses();
	else if (kind == "calls")
		sum = (double)calls();
	else if (kind == "allocations")
		sum = (double)allocations();
	else if (kind == "copies")
		sum = (double)copies();
	else if (kind == "chain")
		sum = chains();
	return sum == 12345 ? 1 : 0;
}
