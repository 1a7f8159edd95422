#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind annotate --by=type and convert --to=types of programs whose misses by member are counted by hand: a
# linked list, a hash table, a B-tree (structures.c), classes (classes.cpp), boxes (boxes.rs); by gcc and clang,
# in DWARF 4 and 5.  Types and other rows add up to the program in each.
. "$top_srcdir/tests/lib.sh"
programs=$top_srcdir/tests/programs
program=$top_builddir/costgrind

unset PAGER NO_COLOR DEBUGINFOD_URLS

# Runs a program: 64 sets of 8 lines of 64 bytes.
run() {
	costgrind -q --dump-instr=yes --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 \
		--costgrind-out-file="$1.cg" "./$1" >"$1.out" 2>"$1.log" || cat "$1.log"
	"$program" annotate -q --by=type --format=csv --threshold=0 --show=D1mr,D1mw,Dr,Dw "$1.cg" >"$1.csv"
	"$program" annotate -q --by=type --format=json "$1.cg" >"$1.json"
}

# rows NAME ARGUMENTS...
rows() {
	python3 "$top_srcdir/tests/cmds/types/type_rows.py" "$@"
}

# sum NAME TYPE [MEMBER]: D1mr of it in NAME.csv.
sum() {
	rows misses "$@"
}

# balanced WHAT NAME: rows add up to the program's totals, members to their types.
balanced() {
	is "$1: all rows add up" "$(rows types "$2.json")" "wrong:"
}

# missed WHAT NAME COMMAND WANT TYPE MEMBER...: builds NAME with COMMAND and runs it; D1mr of each member of a type, or of all
# of the type for the member "all", is as wanted.
missed() {
	what=$1
	name=$2
	command=$3
	want=$4
	shift 4
	# shellcheck disable=SC2086 # The command has several words.
	if ! $command -o "$name" >build.log 2>&1; then
		not_ok "$what" "$(cat build.log)"
		return
	fi
	run "$name"
	got=
	while [ $# -gt 0 ]; do
		[ "$2" = all ] && got="$got $(sum "$name" "$1")" || got="$got $(sum "$name" "$1" "$2")"
		shift 2
	done
	is "$what" "${got# }" "$want"
	balanced "$what" "$name"
}

# Three rounds: 4,096 items; 8,192 entries, and as many pointers to them, 8 in a line; 1,024 levels of three lines.
structures() {
	what=$1
	shift
	if ! "$@" -o structures "$programs/structures.c" >build.log 2>&1; then
		not_ok "$what: build" "$(cat build.log)"
		return
	fi
	run structures
	is "$what: a list misses where it reads first" \
		"$(sum structures 'struct item' key) $(sum structures 'struct item' next)" "12288 0"
	is "$what: a hash table misses in buckets and entries" \
		"$(sum structures 'struct entry *') $(sum structures 'struct entry' hash) $(sum structures 'struct entry' value)" \
		"3072 24576 0"
	is "$what: a B-tree misses with count, keys and children" \
		"$(sum structures 'struct level' n) $(sum structures 'struct level' 'keys[]') $(sum structures 'struct level' 'children[]')" \
		"3072 3072 3072"
	balanced "$what" structures
}

# The counter is in the base class; of a pair, second is read first.
classes() {
	what=$1
	shift
	if ! "$@" -o classes "$programs/classes.cpp" >build.log 2>&1; then
		not_ok "$what: build" "$(cat build.log)"
		return
	fi
	run classes
	is "$what: a base class, references and this" \
		"$(sum classes shapes::cell counter) $(sum classes shapes::cell width) $(sum classes 'shapes::pair<long>' second) $(sum classes 'shapes::pair<long>' first)" \
		"12288 0 24576 0"
	balanced "$what" classes
}

gcc=$(command -v gcc || :)
clang=$(command -v clang || :)
for version in 4 5; do
	if [ "$gcc" ]; then
		structures "gcc, DWARF $version" gcc -O2 -gdwarf-$version
		classes "g++, DWARF $version" g++ -O2 -gdwarf-$version
	else
		skip "gcc, DWARF $version" "there is no gcc"
	fi
	if [ "$clang" ]; then
		structures "clang, DWARF $version" clang -O2 -gdwarf-$version
	else
		skip "clang, DWARF $version" "there is no clang"
	fi
done
[ ! "$gcc" ] || structures "gcc -O0" gcc -O0 -g
[ ! "$gcc" ] || structures "gcc, not position-independent" gcc -O2 -g -no-pie -fno-pie

# Nodes of several heights in a chain, as a skip list has them: the array at their end has no bound, and the index is
# one less than what counts.  Three rounds: each node but the first one is looked at for its key.
cat >towers.c <<'END'
#include <stddef.h>
struct tower {
	long key;
	double score;
	struct tower *back;
	struct {
		struct tower *next;
		long span;
	} level[];
};
static union {
	struct tower tower;
	char bytes[128];
} towers[4096] __attribute__((aligned(128)));
static __attribute__((noinline)) long find(struct tower *x, int height, long key)
{
	long rank = 0;

	for (int i = height - 1; i >= 0; i--)
		while (x->level[i].next && x->level[i].next->key < key) {
			__asm__ volatile("" ::: "memory");
			rank += x->level[i].span;
			x = x->level[i].next;
		}
	return rank;
}
static struct tower *volatile first = &towers[0].tower;
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 4096; i++) {
		towers[i].tower.key = i;
		towers[i].tower.level[1].span = 1;
		towers[i].tower.level[1].next = i < 4095 ? &towers[i + 1].tower : NULL;
	}
	for (int i = 0; i < 3; i++)
		sum += find(first, 3, 4096);
	return sum != 3 * 4095;
}
END
for compiler in $gcc $clang; do
	for level in 1 2 3; do
		missed "${compiler##*/} -O$level: arrays without a bound" towers "$compiler -O$level -g towers.c" "12285 3 0" \
			'struct tower' key 'struct tower' 'level[].next' 'struct tower' 'level[].span'
	done
done

# An array of structs in a struct: each shelf has a line for n and one for each of its boxes, whose key is read first.
cat >shelves.c <<'END'
struct shelf {
	long n, unused[7];
	struct {
		long key, rest[6], last;
	} boxes[3];
} __attribute__((aligned(64)));
static struct shelf shelves[1024];
static __attribute__((noinline)) long walk(const struct shelf *shelf, int n)
{
	long sum = 0;

	for (; n > 0; n--, shelf++)
		for (int i = 0; i < shelf->n; i++) {
			sum += shelf->boxes[i].key;
			__asm__ volatile("" ::: "memory");
			sum += shelf->boxes[i].last;
		}
	return sum;
}
int main(void)
{
	for (int i = 0; i < 1024; i++)
		shelves[i].n = 3;
	return (int)(walk(shelves, 1024) + walk(shelves, 1024) + walk(shelves, 1024));
}
END
for compiler in $gcc $clang; do
	missed "${compiler##*/}: arrays of structs in a struct" shelves "$compiler -O2 -g shelves.c" "3072 9216 0" \
		'struct shelf' n 'struct shelf' 'boxes[].key' 'struct shelf' 'boxes[].last'
done

# std::vector, whose first base class, the allocator, lies where its pointers are but has no data: a line an item, eight
# pointers a line, three rounds of each; malloc()'s block begins 16 bytes into a line, so it takes another line.
cat >vectors.cpp <<'END'
#include <vector>
struct alignas(64) item {
	long unused[6];
	long key, other;
};
struct shelf {
	std::vector<item> items{ 4096 };
	std::vector<const item *> order;
};
__attribute__((noinline)) static long walk(const shelf &shelf)
{
	long sum = 0;

	for (unsigned i = 0; i < shelf.items.size(); i++) {
		sum += shelf.items[i].key;
		__asm__ volatile("" ::: "memory");
		sum += shelf.items[i].other;
	}
	return sum;
}
__attribute__((noinline)) static long follow(const shelf &shelf)
{
	long sum = 0;

	for (unsigned i = 0; i < shelf.order.size(); i++) {
		sum += shelf.order[i]->key;
		__asm__ volatile("" ::: "memory");
	}
	return sum;
}
int main()
{
	static shelf shelf;
	long sum = 0;

	shelf.order.reserve(shelf.items.size());
	for (const item &item : shelf.items)
		shelf.order.push_back(&item);
	for (int i = 0; i < 3; i++)
		sum += walk(shelf) + follow(shelf);
	return static_cast<int>(sum);
}
END
for compiler in ${gcc:+g++} ${clang:+clang++}; do
	missed "$compiler: std::vector" vectors "$compiler -std=c++17 -O2 -g vectors.cpp" "24576 0 1539" \
		item key item other 'item *' all
done

# A function whose part that is rarely executed is before it: three rounds, a line an item, key is read first.
cat >split.c <<'END'
#include <stdio.h>
struct item {
	long unused[6];
	long key, other;
} __attribute__((aligned(64)));
struct item items[4096];
static __attribute__((noinline, cold)) void complain(long key)
{
	printf("%ld\n", key);
}
static __attribute__((noinline, noclone)) long walk(unsigned n)
{
	long sum = 0;

	for (unsigned i = 0; i < n; i++) {
		if (items[i].key < 0)
			{ complain(items[i].key); __builtin_abort(); }
		__asm__ volatile("" ::: "memory");
		sum += items[i].other;
	}
	return sum;
}
int main(void)
{
	return (int)(walk(4096) + walk(4096) + walk(4096));
}
END
for compiler in $gcc $clang; do
	missed "${compiler##*/}: a function in two parts" split "$compiler -O2 -g split.c" "12288 0" \
		'struct item' key 'struct item' other
done

# A function that the compiler turns into one that gets the struct's members, which debug information does not describe:
# what callers give it is known.
cat >pieces.c <<'END'
struct item {
	long unused[6];
	long key, other;
} __attribute__((aligned(64)));
struct list {
	struct item *items;
	unsigned n;
};
static struct item items[4096];
static struct list all = { items, 4096 };
struct list *volatile chosen = &all;
static __attribute__((noinline)) long look(const struct list *list, unsigned i)
{
	long key = list->items[i].key;

	return key + list->items[i].other;
}
static __attribute__((noinline)) long walk(const struct list *list)
{
	long sum = 0;

	for (unsigned i = 0; i < list->n; i++)
		sum += look(list, i);
	return sum;
}
int main(void)
{
	return (int)(walk(chosen) + walk(chosen) + walk(chosen));
}
END
for compiler in $gcc $clang; do
	what="${compiler##*/}: parameters that the compiler makes"
	if "$compiler" -O2 -g -o pieces pieces.c >build.log 2>&1; then
		run pieces
		# Which of the two is read first is up to the compiler.
		is "$what" "$(($(sum pieces 'struct item' key) + $(sum pieces 'struct item' other)))" 12288
		balanced "$what" pieces
	else
		not_ok "$what" "$(cat build.log)"
	fi
done

# What follows a base is not one of its members, though their sizes would fit an array: three rounds, a line each.
cat >larger.c <<'END'
#include <stdlib.h>
struct base {
	long kind, other;
};
struct derived {
	struct base base;
	long unused[5], last;
};
static struct base *volatile all[4096];
static __attribute__((noinline)) long look(struct base *base)
{
	return ((struct derived *)base)->last;
}
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 4096; i++) {
		struct derived *made = aligned_alloc(64, sizeof(*made));

		made->base.kind = made->last = 0;
		all[i] = &made->base;
	}
	for (int i = 0; i < 3 * 4096; i++)
		sum += look(all[i % 4096]);
	return (int)sum;
}
END
for compiler in $gcc $clang; do
	what="${compiler##*/}: after a base"
	if "$compiler" -O2 -g -o larger larger.c >build.log 2>&1; then
		run larger
		is "$what" "$(sum larger 'struct base' kind) $(sum larger 'struct base' other) $(($(sum larger 'struct base' '(elsewhere)') + $(sum larger 'struct derived' last)))" \
			"0 0 12288"
		balanced "$what" larger
	else
		not_ok "$what" "$(cat build.log)"
	fi
done

# A switch reads its jump table, and before each time all of the cache is read: each reading misses.
cat >jumps.c <<'END'
static char flood[512 * 64 * 4] __attribute__((aligned(64)));
volatile long sink;
#define CASE(n) case n: sink += n * 3; break;
#define CASES(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4) CASE(n + 5) CASE(n + 6) CASE(n + 7)
static __attribute__((noinline)) void turn(long which)
{
	switch (which) {
		CASES(0) CASES(8) CASES(16) CASES(24) CASES(32) CASES(40) CASES(48) CASES(56)
	case 64: __asm__ volatile("nop"); break;
	case 65: __asm__ volatile("nop; nop"); break;
	}
}
static __attribute__((noinline)) long clear(void)
{
	long sum = 0;

	__asm__ volatile("" ::"r"(flood) : "memory");
	for (unsigned i = 0; i < sizeof(flood); i += 64)
		sum += flood[i];
	return sum;
}
int main(void)
{
	static volatile long which = 64;

	for (int i = 0; i < N; i++) {
		sink += clear();
		turn(which);
	}
	return 0;
}
END
for compiler in $gcc $clang; do
	for how in '-fpie -pie' '-fno-pie -no-pie'; do
		what="${compiler##*/} $how: jump tables"
		# shellcheck disable=SC2086 # Two options.
		if "$compiler" -O2 -g $how -DN=1 -o still jumps.c >build.log 2>&1 &&
			"$compiler" -O2 -g $how -DN=1001 -o jumps jumps.c >build.log 2>&1; then
			run still
			run jumps
			is "$what" "$(($(sum jumps 'constants and linkage') - $(sum still 'constants and linkage'))) $(($(sum jumps 'not resolved') - $(sum still 'not resolved')))" "1000 0"
			balanced "$what" jumps
		else
			not_ok "$what" "$(cat build.log)"
		fi
	done
done

# An array that each thread has: three rounds, a line an item, key is read first.
cat >threads.c <<'END'
struct item {
	long unused[6];
	long key, other;
} __attribute__((aligned(64)));
__thread struct item items[4096];
__thread long number = 1; /* so that the block begins with what is not all zero */
static __attribute__((noinline)) long walk(int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++) {
		sum += items[i].key;
		__asm__ volatile("" ::: "memory");
		sum += items[i].other;
	}
	return sum;
}
int main(void)
{
	return (int)(walk(4096) + walk(4096) + walk(4096)) + (int)number - 1;
}
END
for compiler in $gcc $clang; do
	missed "${compiler##*/}: thread-locals" threads "$compiler -O1 -g threads.c" "12288 0" \
		'struct item' key 'struct item' other
done

# The same where the block does not begin at a multiple of its alignment, as it need not: 24 bytes after one.
gcc -O1 -g -o threads threads.c -Wl,--verbose 2>/dev/null | sed '/^=====/,/^=====/!d; /^=====/d' |
	sed 's/^  \.tdata.*:/  . = ALIGN(64) + 24;\n  .tdata . :/' >shifted.ld
if gcc -O1 -g -o threads threads.c -Wl,-T,shifted.ld 2>build.log &&
	readelf -lW threads | grep -qE '^ *TLS .* 0x[0-9a-f]*[159d]8 .* 0x40$'; then
	run threads
	is "thread-locals that are not aligned" "$(sum threads 'struct item' key) $(sum threads 'struct item' other)" "12288 0"
	balanced "thread-locals that are not aligned" threads
else
	skip "thread-locals that are not aligned" "the linker has no script to change"
fi

# A member in the padding of a base class, and an empty base: 4,096 squares, a line each, whose side is read.
cat >bases.cpp <<'END'
struct shape {
	virtual ~shape() = default;
	int colour = 1;
};
struct tag {};
struct alignas(64) square : shape, tag {
	char pad[36];
	int side = 2;
};
static square squares[4096];
static __attribute__((noinline)) long walk(const square *all)
{
	long sum = 0;

	for (int i = 0; i < 4096; i++) {
		sum += all[i].side;
		__asm__ volatile("" ::: "memory");
		sum += all[i].colour;
	}
	return sum;
}
int main()
{
	return (int)(walk(squares) + walk(squares));
}
END
for compiler in $gcc $clang; do
	if "$compiler" -x c++ -O1 -g -o bases bases.cpp -lstdc++ >build.log 2>&1; then
		run bases
		is "${compiler##*/}: base classes" "$(sum bases square side) $(sum bases square colour)" "8192 0"
		is "${compiler##*/}: base classes, layout" "$(rows layout bases.json square)" "_vptr.shape 0 8, colour 8 4, pad[] 12 36, side 48 4,
shape side"
	else
		not_ok "${compiler##*/}: base classes" "$(cat build.log)"
	fi
done

# Rust's is found by way of the user's folder, where there is one; or it may have nothing to compile for.
home=$(getent passwd "$(id -u)" | cut -d: -f6)
if HOME=$home rustc --edition 2021 -C opt-level=2 -g -o boxes "$programs/boxes.rs" >build.log 2>&1; then
	run boxes
	is "Rust: a list of boxes, a slice" \
		"$(sum boxes boxes::Item key) $(sum boxes boxes::Point x)" "12288 0"
	balanced "Rust" boxes
else
	skip "Rust" "rustc compiles nothing"
fi

# The profile whose functions are types has the same totals, and is a good one.
"$program" convert --to=types -o by_type.cg structures.cg
is "convert: what check says" "$("$program" check -q by_type.cg 2>&1)" ""
is "convert: the totals" "$(sed -n 's/^totals: //p' by_type.cg)" "$(sed -n 's/^totals: //p' structures.cg)"
is "convert: the listing" "$(grep -n -A 4 '^struct item' types.by_type.cg.txt | sed 's/^[0-9]*[-:]//')" \
	'struct item  64 B
       0     8  next
       8    40  unused[]
      48     8  key
      64     0  (elsewhere)'
line=$(grep -n '^ *48 *8  key$' types.by_type.cg.txt | sed 's/:.*//')
is "convert: costs are at the member's line" "$("$program" annotate -q --format=csv --show=D1mr --source=types.by_type.cg.txt by_type.cg |
	awk -F, -v line="$line" '$1 == "line" && $2 ~ /types.by_type/ && $5 == line { print $NF }')" 12288
is "convert: callers are who refers to it" "$("$program" annotate -q --format=csv --show=Dr --tree=caller by_type.cg |
	awk -F, '$1 == "caller" && $3 ~ /^walk/ && $6 > 3 { print $6, $NF }')" "24576 24576"
is "convert: calls are at the lines that refer" "$("$program" convert --to=csv by_type.cg | rows callers "$programs/structures.c")" "item = item->next;
sum += item->key;"
is "convert: no listing next to a device" "$("$program" convert --to=types -o /dev/full structures.cg 2>&1; echo $?)" \
	"costgrind convert: structures.cg: --to=types: expected --output=FILE: a listing of types is written next to it
1"
is "convert: no listing next to standard output" "$("$program" convert --to=types structures.cg 2>&1; echo $?)" \
	"costgrind convert: structures.cg: --to=types: expected --output=FILE: a listing of types is written next to it
1"

# A data profile says which profile has what is asked for.
mkdir -p data
printf '%s\n' 'desc: Data of: costgrind.out.7' 'positions: instr line' 'event: EstCyc = 10 D1mr + 10 D1mw + 150 DLmr + 150 DLmw' \
	'events: D1mr D1mw DLmr DLmw' 'ob=[heap]' 'fl=[data]' 'fn=main, 8 B' '0 0 2' >data/data.7.costgrind
for words in 'convert --to=types -o none' 'annotate --by=type'; do
	option=$(echo "$words" | grep -o -e '--[a-z]*=[a-z]*')
	# shellcheck disable=SC2086 # several words
	is "$words: a data profile" "$("$program" $words data/data.7.costgrind 2>&1 | sed 's/^costgrind [a-z]*: //; s/^data[^ ]*: //')" \
		"$option: expected a profile, found its objects of data: the profile is data/costgrind.out.7"
done

# Names of debug information are anybody's: in the listing, each is in one line, and talks to no terminal.
"$CC" -O0 -gdwarf-4 -S -o controls.s "$programs/structures.c"
sed 's/"item"/"it\\033[31m\\nem\\302\\233"/; s/"key"/"k\\n\\033"/' controls.s >named.s
if ! "$CC" -o controls named.s >build.log 2>&1; then
	not_ok "controls: build" "$(cat build.log)"
fi
run controls
"$program" convert --to=types -o by_controls.cg controls.cg
is "convert: names with control characters" "$(grep -n -m 1 -A 4 '^struct it' types.by_controls.cg.txt | sed 's/^[0-9]*[-:]//')" \
	'struct it\x1b[31m\nem\xc2\x9b  64 B
       0     8  next
       8    40  unused[]
      48     8  k\n\x1b
      64     0  (elsewhere)'
line=$(grep -n '^ *48 *8  k.n.x1b' types.by_controls.cg.txt | sed 's/:.*//')
is "convert: lines are where they were" "$("$program" annotate -q --format=csv --show=D1mr --source=types.by_controls.cg.txt by_controls.cg |
	awk -F, -v line="$line" '$1 == "line" && $2 ~ /types.by_controls/ && $5 == line { print $NF }')" 12288

# What cannot be is said in a line.
is "annotate: of anything else" "$("$program" annotate --by=colour structures.cg 2>&1; echo $?)" \
	"costgrind annotate: --by: 'colour': expected object, type, region or rank
2"
"$program" convert --to=callgrind-portable -o lines.cg structures.cg
is "annotate: without instructions" "$("$program" annotate --by=type lines.cg 2>&1; echo $?)" \
	"costgrind annotate: --by=type: expected costs of instructions, found none: they are recorded with --dump-instr=yes
1"
is "annotate: with debug information, no such line" "$("$program" annotate -q --by=type --brief --show=D1mr --width=unlimited structures.cg 2>&1 | grep -c debug-dir)" 0
is "annotate: Markdown" "$("$program" annotate -q --by=type --format=markdown --show=D1mr structures.cg 2>&1 | grep '^### .*struct item')" \
	"### Members of struct item"
# Of large.c one member in the middle is read: of the order proposed, what fills its line is listed.
cat >large.c <<'END'
struct large {
	long first, a[8], b[8], key, c[8], d[8], last;
} all[4096];
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 4096; i++)
		sum += all[i].key + all[i].last + all[i].first;
	return (int)sum;
}
END
cc -O1 -g -o large large.c
run large
is "annotate: an order is listed as far as it matters" "$("$program" annotate -q --by=type --show=Dr large.cg |
	sed -n '/Members of struct large/,$s/^- better: //p' | head -n 1)" "first, key, last, a, ...; 280 B, lines: 1.25"
# The name is where it comes first: as the object of a function or of one that it calls.
sed 's,^\(c*ob=([0-9]*) \).*/large$,\1/costgrind/bin/program,' large.cg >stable.cg
is "annotate: a program that run --stable had elsewhere" "$("$program" annotate --by=type stable.cg 2>&1 >/dev/null | grep /costgrind/)" \
	"costgrind annotate: warning: /costgrind/bin/program: not found, where run --stable had it (--keep=program leaves it \
where it is): types of what its instructions refer to are not known"
cp structures whole
strip -g structures
"$program" annotate --by=type --brief --format=csv --show=D1mr structures.cg 2>&1 |
	awk -F, '$2 == "" && $3 == "no_debug_information" { print ($NF > 49152) }' >stripped
is "annotate: of what has no debug information" "$(cat stripped)" 1
is "annotate: ... and what helps" "$("$program" annotate -q --by=type --brief --show=D1mr --width=unlimited structures.cg 2>&1 |
	sed -n 's/^[0-9]* % is of code/is of code/p')" \
	"is of code without debug information: compile with -g (-g1 has no types, and .dwo files of -gsplit-dwarf are not read), or name the folder that has it by --debug-dir."
# Where there are functions, but no types: alone, next to a file that has them, and in a unit apart from them (-flto).
cat >unit.c <<'END'
struct item {
	long key, other;
} all[1024];
__attribute__((noinline)) long sum_in_unit(struct item *items)
{
	long sum = 0;

	for (int i = 0; i < 1024; i++)
		sum += items[i].key;
	return sum;
}
END
cat >level.c <<'END'
struct item {
	long key, other;
};
extern struct item all[1024];
long sum_in_unit(struct item *items);
__attribute__((noinline)) long sum_here(struct item *items)
{
	long sum = 0;

	for (int i = 0; i < 1024; i++)
		sum += items[i].other;
	return sum;
}
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 32; i++) {
		sum += sum_in_unit(all) + sum_here(all);
		all[i].key = all[i].other = sum;
	}
	return (int)sum;
}
END
# levels LEVEL LEVEL CFLAG: reads of keys by a file of the first level, of others by the second, and whether a line says what helps.
levels() {
	rm -f levels
	cc -O1 -c "$1" -o unit.o unit.c "$3" && cc -O1 -c "$2" -o level.o level.c "$3" && cc -O1 "$1" "$3" -o levels unit.o level.o
	run levels
	rows reads levels.csv key other
	"$program" annotate -q --by=type --show=Dr levels.cg |
		grep -c 'is of code without debug information: compile with -g (-g1'
}
is "annotate: types of both files" "$(levels -g -g -O1)" "32768 32768 0"
is "annotate: ... of one, -g1" "$(levels -g1 -g -O1)" "0 32768 1"
is "annotate: ... of the other, -g1" "$(levels -g -g1 -O1)" "32768 0 1"
is "annotate: ... of both, -flto" "$(levels -g -g -flto)" "32768 32768 0"
is "annotate: ... of none, -g1 -flto" "$(levels -g1 -g1 -flto)" "None None 1"
missed "annotate: types in a unit of their own, places of variables as blocks (Go)" othertypes \
	"cc -no-pie $programs/othertypes.S" "0 5120" point a point b
# Damaged information ends in no crash, and rows add up.
cp whole structures
for at in 1000 2000 3000 5000 8000 13000 15000 16000 17000 18000 19000 20000; do
	cp whole structures
	printf '\377\177\200\001\377\377' | dd of=structures bs=1 seek=$at conv=notrunc 2>dd.log
	"$program" annotate -q --by=type --format=json structures.cg >damaged.json 2>damaged.log
	[ $? -le 1 ] || echo "at $at: $(cat damaged.log)"
done >damaged
is "annotate: damaged debug information" "$(cat damaged)" ""
done_testing
