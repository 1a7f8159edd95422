// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exceptions that pass through functions with clean-ups and with handlers that
// throw again.  Each function spins with a number of its own.
#include <stdexcept>

#include "spin.h"

#define APART __attribute__((noinline))

namespace
{

struct Guard {
	APART ~Guard()
	{
		spin(2);
	}
};

APART void thrower(volatile int n)
{
	spin(3);
	if (n > 0)
		throw std::runtime_error("thrown");
	spin(4);
}

APART void cleaner(int n)
{
	Guard guard;

	thrower(n);
	spin(5);
}

APART void relay(int n)
{
	try {
		cleaner(n);
		spin(6);
	} catch (std::runtime_error &) {
		spin(7);
		throw;
	}
}

// Throws and catches while another exception is being handled.
APART void nested()
{
	try {
		relay(1);
	} catch (std::exception &) {
		spin(8);
		try {
			thrower(1);
		} catch (std::exception &) {
			spin(9);
		}
	}
	spin(10);
}

// From each level of a recursion to the first.
APART void recurse(volatile int n)
{
	Guard guard;

	if (n == 0)
		thrower(1);
	if (n > -1)
		recurse(n - 1);
	spin(100);
}

} // namespace

int main()
{
	for (int i = 0; i < 10; i++) {
		try {
			relay(i % 2); // thrown 5 times
			spin(11);
		} catch (std::runtime_error &) {
			spin(12);
		}
	}
	nested();
	try {
		recurse(5);
	} catch (...) {
		spin(13);
	}
	return 0;
}
