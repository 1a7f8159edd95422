#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind annotate --by=object of blocks whose types and misses by member follow by hand (tests/programs/heaptypes.c), by gcc
# and clang, in DWARF 4 and 5: types, members, and that all of it adds up.
. "$top_srcdir/tests/lib.sh"
programs=$top_srcdir/tests/programs
program=$top_builddir/costgrind

unset PAGER NO_COLOR DEBUGINFOD_URLS

# run NAME [OPTIONS...]: 64 sets of 8 lines of 64 bytes; NAME.cg and what it names, NAME.csv and NAME.json.
run() {
	name=$1
	shift
	rm -f data.*
	costgrind -q --data=yes --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 "$@" \
		--costgrind-out-file="$name.cg" "./$name" >"$name.out" 2>"$name.log" || cat "$name.log"
	"$program" annotate -q --by=object --format=csv --show=D1mr,D1mw "$name.cg" >"$name.csv"
	"$program" annotate -q --by=object --format=json "$name.cg" >"$name.json"
}

# of NAME FUNCTION: the type of the blocks that it allocates, and reads that miss by member, of those that have a hundred.
of() {
	python3 "$top_srcdir/tests/cmds/types/type_rows.py" blocks "$@"
}

# balanced WHAT NAME: objects add up to the totals; pieces, users and members to their objects.
balanced() {
	is "$1: all adds up" "$(python3 "$top_srcdir/tests/cmds/types/type_rows.py" objects "$2.json")" "wrong:"
}

# Three rounds: 4,096 items and pairs, 8,192 slots, every other one again, 4,096 points, 512 lines of numbers.
heaptypes() {
	what=$1
	shift
	if ! "$@" -o heaptypes "$programs/heaptypes.c" >build.log 2>&1; then
		not_ok "$what: build" "$(cat build.log)"
		return
	fi
	run heaptypes
	is "$what: blocks of a list" "$(of heaptypes new_item)" "struct item 64: key@48=12288"
	is "$what: an array in one block" "$(of heaptypes new_slots)" "struct slot 64: value@0=24576 hash@8=12288"
	is "$what: members that share a piece" "$(of heaptypes new_pair)" "struct pair 64: left@0=8192 right@4=4096"
	is "$what: elements" "$(of heaptypes new_points)" "struct point 64: z@16=12288"
	is "$what: numbers" "$(of heaptypes new_numbers)" "double 8:"
	balanced "$what" heaptypes
}

gcc=$(command -v gcc || :)
clang=$(command -v clang || :)
for version in 4 5; do
	if [ "$gcc" ]; then
		heaptypes "gcc, DWARF $version" gcc -O2 -gdwarf-$version
	else
		skip "gcc, DWARF $version" "there is no gcc"
	fi
	if [ "$clang" ]; then
		heaptypes "clang, DWARF $version" clang -O2 -gdwarf-$version
	else
		skip "clang, DWARF $version" "there is no clang"
	fi
done
heaptypes "as it is built here" cc -O1 -g

# --- for people ---

text() {
	"$program" annotate -q --by=object --show=D1mr --width=unlimited "$@" 2>&1
}
is "text: what objects are called" \
	"$(text heaptypes.cg | sed -n 's/^ *[0-9,]* ([ 0-9.]*%)  \(struct [^,]*, [a-z_]*\) .*, \(.*\)  \[heap\]$/\1, \2/p' | sort)" \
	"struct item, line, 64 B
struct pair, line, 64 B
struct point[], new_points, elements of 64 B
struct slot[], line, 524288 B"
is "text: members" "$(text heaptypes.cg | sed -n '/^-- Misses on struct pair, /,/^$/s/^ *\([0-9,]*\) .*)  \(at .*\)/\1 \2/p')" \
	"8,192 at 0  left
4,096 at 4  right"
is "text: of an array" "$(text heaptypes.cg | sed -n '/^-- Misses on struct slot\[\], /,/^$/s/^D1mr  *\(at .*\)/\1/p')" \
	"at an offset in one of 64 B, and by whom"

# What glibc maps for a thread ends in a struct of its own, which it is no array of.
data=$(sed -n 's/^desc: Data profile: //p' heaptypes.cg)
cp "$data" whole.data
sed 's/^\(c*fn=([0-9]*) \)line /\1pthread_create@@GLIBC_2.34 allocatestack.c:366 < line /; s/^\(c*ob=([0-9]*) \)\[heap\]$/\1[mappings]/' whole.data >"$data"
is "text: a mapping of a thread has no type" "$(text heaptypes.cg | sed -n 's/^ *[0-9,]* ([ 0-9.]*%)  \(.*line .*\|.*, new_[a-z]*\) .*  \[mappings\]$/\1/p' |
	sed 's/ [^ ]* heaptypes.*//; s/,.*allocatestack/ /' | sort -u)" \
	"pthread_create@@GLIBC_2.34 allocatestack.c:366 <
struct point[], new_points"
cp whole.data "$data"

# --- the data file ---

data=$(sed -n 's/^desc: Data profile: //p' heaptypes.cg)
is "the data file stands for itself" "$("$program" annotate -q --by=object --format=csv --show=D1mr,D1mw "$data" | cksum)" \
	"$(cksum <heaptypes.csv)"
is "check accepts it" "$("$program" check -q "$data" 2>&1; echo $?)" 0
is "calls have addresses of the profile" "$(python3 "$top_srcdir/tests/cmds/data/object_places.py" heaptypes.cg "$data")" 0
cp heaptypes.csv with.csv
run heaptypes --dump-instr=no
is "without instructions there are no addresses" "$(sed -n 's/^positions: //p' "$(sed -n 's/^desc: Data profile: //p' heaptypes.cg)")" line
is "... nor types" "$(of heaptypes new_item)" " :"
balanced "without instructions" heaptypes
is "... the rest is the same" "$(grep -v '^member' heaptypes.csv | sed 's/^\(object,\)[^"]*/\1/; s/ [0-9]*,$//' | cut -d, -f1-4 | sort | cksum)" \
	"$(grep -v '^member' with.csv | sed 's/^\(object,\)[^"]*/\1/; s/ [0-9]*,$//' | cut -d, -f1-4 | sort | cksum)"

# --- buffers ---

# A small buffer of a struct's own says nothing about a block; what is stored to a variable has its type.  256 KiB, each line
# read once.
cat >buffers.c <<'END'
#include <stdlib.h>
struct small {
	char *name;
	int *data;
	int local[4];
};
struct record {
	long unused[7];
	long key;
} *records;
static long sink;
static volatile size_t one = 1; /* of no call is a copy with a constant made */
static __attribute__((noinline)) void *new_block(size_t size)
{
	void *block = aligned_alloc(64, size);

	if (!block)
		abort();
	return block;
}
static __attribute__((noinline)) long fill(struct small *s, int n)
{
	int *data = n <= 4 ? s->local : new_block((size_t)n * sizeof(int));
	long sum = 0;

	s->data = data;
	for (int i = 0; i < n; i++)
		data[i] = i;
	for (int i = 0; i < n; i += 16)
		sum += data[i];
	return sum;
}
static __attribute__((noinline)) void *new_records(size_t n)
{
	void *block = aligned_alloc(64, n * sizeof(struct record));

	if (!block)
		abort();
	return block;
}
int main(void)
{
	static struct small small;

	sink += fill(&small, (int)one << 16);
	records = new_records(one << 12);
	for (int i = 0; i < 1 << 12; i++)
		sink += records[i].key;
	return 0;
}
END
for compiler in $gcc $clang; do
	if "$compiler" -O2 -g -o buffers buffers.c >build.log 2>&1; then
		run buffers
		is "${compiler##*/}: a buffer in a struct, or a block" "$(of buffers new_block)" "int 4:"
		is "${compiler##*/}: a block that a variable gets" "$(of buffers new_records)" "struct record 64: key@56=4096"
		balanced "${compiler##*/}: buffers" buffers
	else
		not_ok "${compiler##*/}: buffers" "$(cat build.log)"
	fi
done

# --- variables of C++ ---

cat >variables.cpp <<'END'
namespace shop
{
static int shelf[1 << 15];
struct till {
	static long coins[1 << 14];
};
long till::coins[1 << 14];
} // namespace shop
static thread_local int hands[1 << 14];
int main()
{
	long sum = 0;

	for (int i = 0; i < 1 << 14; i += 16) {
		sum += shop::shelf[i] + shop::till::coins[i] + hands[i];
		shop::shelf[i] = hands[i] = (int)sum;
	}
	return (int)sum;
}
END
for compiler in $gcc $clang; do
	if "$compiler" -x c++ -O1 -g -o variables variables.cpp >build.log 2>&1; then
		run variables
		is "${compiler##*/}: variables of C++" "$(sed -n 's/^object,[^,]*,\([^,]*\),[^,]*variables,.*/\1/p' variables.csv | grep -E 'shelf|coins|hands' | sort)" \
			"hands (thread-local)
shop::shelf
shop::till::coins"
		"$program" report -q -o variables.html variables.cg 2>report.log
		is "${compiler##*/}: ... in a report" "$(python3 "$top_srcdir/tests/report.py" raw variables.html | grep -o 'shop::till::coins' | sort -u)" \
			shop::till::coins
		data=$(sed -n 's/^desc: Data profile: //p' variables.cg)
		sed 's/_ZN4shop4till5coinsE/shop::till::coins/' "$data" >other.cg
		is "${compiler##*/}: ... in a comparison" "$("$program" diff -q --by=object "$data" other.cg 2>&1 | grep -c 'coins\|cannot')" 0
	else
		not_ok "${compiler##*/}: variables of C++" "$(cat build.log)"
	fi
done

# --- what cannot be ---

run heaptypes
strip -g heaptypes
is "without debug information" "$("$program" annotate -q --by=object --format=csv --show=D1mr heaptypes.cg |
	sed -n 's/^object,\([^,]*\),"[^"]*new_item .*\[heap\].*/<\1>/p')" "<>"
rm heaptypes
is "without the program" "$("$program" annotate --by=object --format=csv --show=D1mr heaptypes.cg 2>&1 >out | sed 's/: .*:/: /' | head -n 1 | cut -c1-18)" \
	"costgrind annotate"
done_testing
