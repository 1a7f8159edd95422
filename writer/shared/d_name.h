/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mangled names of D, and which of them libiberty's demangler can be given.  It calls itself for
 * each nested type, and writes out whatever a back reference leads to, so that a name of 200 bytes can take all
 * memory.  No symbols, so that tool and commands share it.
 */
#ifndef WRITER_SHARED_D_NAME_H
#define WRITER_SHARED_D_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum {
	D_NAME_LONGEST =
		1024, /* bytes: a type a byte at worst, each a call deeper in the tool's stack of 1 MB */
	/*
	 * Types that are written twice by each back reference to them double with the next one: with n of them, the
	 * text is e^(n/e) times as long at most.  24 make 7,000 times 1,024 bytes.
	 */
	D_NAME_TYPES = 24,
};

static inline bool d_name_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * How far the back reference at name[at], a "Q", leads to the left: digits of base 26, "A" to "Z", the last one in lower
 * case.  0 if it is none.
 */
static inline size_t d_name_distance(const char *name, size_t at, size_t len)
{
	size_t distance = 0;

	for (size_t i = at + 1; i < len && distance <= at; i++) {
		if (name[i] >= 'a' && name[i] <= 'z') {
			distance = distance * 26 + (size_t)(name[i] - 'a');
			return distance <= at ? distance : 0;
		}
		if (name[i] < 'A' || name[i] > 'Z')
			return 0;
		distance = distance * 26 + (size_t)(name[i] - 'A');
	}
	return 0;
}

/*
 * The bytes of a name of len bytes that are a mangled one of D and safe to be demangled: up to a compiler's suffix
 * (".cold") or a version ("@"), which are not D's.  0 if it is none.
 */
static inline size_t d_name_length(const char *name, size_t len)
{
	size_t end = 0, n_types = 0;

	if (len < 3 || name[0] != '_' || name[1] != 'D')
		return 0;
	while (end < len && name[end] != '.' && name[end] != '@')
		end++;
	if (!d_name_is_digit(name[2]) &&
	    !(end == 6 && name[2] == 'm' && name[3] == 'a' && name[4] == 'i' && name[5] == 'n'))
		return 0;
	for (size_t i = 0; i < end; i++) {
		const size_t distance = name[i] == 'Q' ? d_name_distance(name, i, end) : 0;

		n_types += distance > 0 && !d_name_is_digit(name[i - distance]);
	}
	return end <= D_NAME_LONGEST && n_types <= D_NAME_TYPES ? end : 0;
}

#endif
