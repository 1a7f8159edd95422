// SPDX-License-Identifier: GPL-3.0-or-later
//
// What C++ compilers make of calls: virtual ones, with the object's address put
// right by a thunk; of comparisons in a sort, of templates, lambdas, std::function
// and std::map; tail calls; functions that call each other; constructors and
// destructors of several names.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define APART __attribute__((noinline))

namespace
{

class Random
{
      public:
	APART unsigned next()
	{
		state = state * 1103515245 + 12345;
		return state >> 8;
	}

      private:
	unsigned state = 1;
};

struct Shape {
	virtual ~Shape()
	{
		gone++;
	}
	virtual unsigned area() const = 0;
	static unsigned gone;
};

unsigned Shape::gone;

struct Named {
	virtual ~Named() = default;
	virtual std::string name() const = 0;
};

struct Square : Shape {
	explicit Square(unsigned side) : side(side)
	{
	}
	APART unsigned area() const override
	{
		return side * side;
	}
	unsigned side;
};

// Its name() is called through a thunk.
struct Rectangle : Shape, Named {
	Rectangle(unsigned width, unsigned height) : width(width), height(height)
	{
	}
	APART unsigned area() const override
	{
		return width * height;
	}
	APART std::string name() const override
	{
		return std::to_string(width) + " by " + std::to_string(height);
	}
	unsigned width, height;
};

APART unsigned sum_of_areas(const std::vector<std::unique_ptr<Shape>> &shapes)
{
	unsigned sum = 0;

	for (const std::unique_ptr<Shape> &shape : shapes)
		sum += shape->area();
	return sum;
}

APART size_t length_of_name(const Named &named)
{
	return named.name().size();
}

// Each calls the other; the last one returns for all, if these are jumps.
bool is_odd(volatile unsigned n);

APART bool is_even(volatile unsigned n)
{
	return n == 0 || is_odd(n - 1);
}

APART bool is_odd(volatile unsigned n)
{
	return n != 0 && is_even(n - 1);
}

template <typename T> APART T tree_sum(const std::vector<T> &values, size_t from, size_t to)
{
	size_t middle = from + (to - from) / 2;

	if (to - from == 1)
		return values[from];
	return tree_sum(values, from, middle) + tree_sum(values, middle, to);
}

} // namespace

int main()
{
	Random random;
	std::vector<std::unique_ptr<Shape>> shapes;
	std::vector<unsigned> numbers;
	std::map<std::string, unsigned> words;
	std::function<unsigned(unsigned)> step = [&](unsigned n) {
		return n % 2 != 0 ? 3 * n + 1 : n / 2;
	};
	unsigned length = 0;
	unsigned n_steps = 0;

	for (unsigned i = 0; i < 20; i++) {
		shapes.push_back(std::make_unique<Square>(i));
		auto rectangle = std::make_unique<Rectangle>(i, random.next() % 10);
		length += length_of_name(*rectangle);
		shapes.push_back(std::move(rectangle));
	}
	for (unsigned i = 0; i < 200; i++)
		numbers.push_back(random.next() % 1000);
	std::sort(numbers.begin(), numbers.end(),
		  [](unsigned a, unsigned b) { return a % 100 < b % 100; });
	std::stable_sort(numbers.begin(), numbers.end(), std::greater<>());
	for (unsigned number : numbers)
		words["number " + std::to_string(number % 37)] += number;
	for (unsigned n = 27; n != 1; n = step(n))
		n_steps++;
	std::printf("%u %u %u %zu %d %u %u\n", sum_of_areas(shapes), length, n_steps, words.size(),
		    is_even(100), tree_sum(numbers, 0, numbers.size()), words["number 5"]);
	shapes.clear();
	return Shape::gone == 40 ? 0 : 1;
}
