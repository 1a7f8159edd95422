#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind annotate --by=type, --by=object and convert --to=types fails once: it says so, or all of its output is
# there; it never dies.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

program=$top_builddir/costgrind
cat >small.c <<'END'
struct item {
	struct item *next;
	union { long key; double weight; } value;
	char name[16];
};
static struct item items[100] = { { .value.key = 1 } }; /* Valgrind wants to see a segment of data */
static __attribute__((noinline)) long walk(const struct item *item)
{
	long sum = 0;

	for (; item; item = item->next)
		sum += item->value.key;
	return sum;
}
void _start(void)
{
	for (int i = 0; i < 99; i++)
		items[i].next = &items[i + 1];
	__asm__ volatile("syscall" : : "a"(60), "D"(walk(items)) : "memory");
	__builtin_unreachable();
}
END
# Nothing but the program: a library's functions take long, and do nothing new.
build small ./small.c -O1 -g -static -nostdlib -no-pie -fno-pie
costgrind -q --dump-instr=yes --cache-sim=yes --data=yes --costgrind-out-file=small.cg ./small
is "a profile of the program" "$("$program" annotate -q --by=type --format=csv small.cg | grep -c ',struct item,')" 5

is "objects of the program" "$("$program" annotate -q --by=object --format=csv --show=D1mr,D1mw small.cg |
	sed -n 's/^object,,items,[^,]*,,,\(struct item\),.*/\1/p')" "struct item"

failing_ready "$program"

fails_each text "$program" annotate -q -o out --by=type small.cg
fails_each json "$program" annotate -q -o out --by=type --format=json small.cg
fails_each objects "$program" annotate -q -o out --by=object small.cg
fails_each "objects json" "$program" annotate -q -o out --by=object --format=json small.cg
fails_each convert "$program" convert -q -o out --to=types small.cg
done_testing
