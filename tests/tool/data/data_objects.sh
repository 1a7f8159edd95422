#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --data=yes: misses on objects whose number follows by hand; that they add up to the profile's, whatever is simulated; and that
# nothing else changes.
. "$top_srcdir/tests/programs/scenes.sh"
use_oracle

build_program dataobjects -O1 -pthread -static -I"$top_srcdir"
printf '%s\n' "machine tiny" "line 64" "L1I 32K 8 lru" "L1D 4K 4 lru" "L2 8M 16 lru" "L3 32M 16 lru" >tiny.machine

scene_program=dataobjects
scene_machine=--machine=../tiny.machine

for engine in inline plain; do
	scene_run list --engine=$engine
	adds_up
	is "list, $engine: rows" "$(data rows list/d '^make_node.* B$' | sed 's/ L2.*//')" "0: D1mr=1024 D1mw=1024
56: D1mr=1024"
	is "list, $engine: who" "$(data users list/d '^make_node.* B$' | sed 's/:[0-9]* / /; s/ L2.*//')" \
		"add_keys 1024 D1mr=1024
make_node 1024 D1mw=1024
walk 1024 D1mr=1024"
	is "list, $engine: what it is called" "$(data objects list/d '^make_node.* B$' | sed 's/[0-9]*[0-9]:/N:/g; s/: D1.*//; s/c:[0-9]*/c:N/g')" \
		"[heap] make_node dataobjects.c:N < list dataobjects.c:N < main dataobjects.c:N, 64 B"

	scene_run arrays --engine=$engine
	adds_up
	is "arrays, $engine: a line an element" "$(missed '^array_of_structs d.* B$')" "D1mr=1024"
	is "arrays, $engine: ... all at one place of the element" "$(data rows arrays/d '^array_of_structs' | grep -c D1mr=1024)" 1
	is "arrays, $engine: a line for eight" "$(missed '^struct_of_arrays d.* B$')" "D1mr=128"

	scene_run variables --engine=$engine
	adds_up
	is "variables, $engine" "$(missed '^table$') $(missed '^other_table$')" "D1mr=1024 D1mr=512"
	is "variables, $engine: stack" "$(data users variables/d '^on_stack$' | sed -n 's/^read_lines:.* \(D1mr=1024\) .*/\1/p')" D1mr=1024
	is "variables, $engine: ... has a file of its own" "$(data objects variables/d '^on_stack$' | cut -d: -f1)" "[stack] on_stack"

	scene_run reuse --engine=$engine
	adds_up
	is "reuse, $engine: two owners of a place" "$(missed '^first_owner.* B$') $(missed '^second_owner.* B$')" "D1mr=1024 D1mr=512"

	scene_run mappings --engine=$engine
	adds_up
	is "mappings, $engine" "$(data objects mappings/d '^map dataobjects' | sed 's/c:[0-9]*/c:N/g; s/ L2.*//')" \
		"[mappings] map dataobjects.c:N < mappings dataobjects.c:N < main dataobjects.c:N, 65536 B: D1mr=1536"

	scene_run many --engine=$engine
	adds_up
	is "many, $engine: what the allocator keeps" "$(data objects many/d '^small dataobjects.c:[0-9]* < many' | cut -d' ' -f1 | sort -u | xargs)" \
		"[allocators]"

	scene_run moved --engine=$engine
	adds_up
	is "moved, $engine" "$(missed '^grow.* B$')" "D1mr=1024"

	scene_run grown --engine=$engine
	adds_up
	is "grown, $engine: it has a new owner" "$(missed '^first_owner.* B$') $(missed '^grow.* B$')" " D1mr=1536"

	scene_run constants --engine=$engine
	adds_up
	is "constants, $engine" "$(missed '^constants$') $(missed '^more_constants$')" "D1mr=1024 D1mr=512"

	# A stack that is a block is one; a stack that is mapped is of the functions that run on it.
	scene_run coroutines --engine=$engine
	adds_up
	is "coroutines, $engine: stack of the heap" "$(data users coroutines/d '^stack_of_heap.* B$' | sed -n 's/^read_lines:.* \(D1mr=1024\) .*/\1/p')" D1mr=1024
	is "coroutines, $engine: mapped" "$(data users coroutines/d '^on_own_stack$' | sed -n 's/^read_lines:.* \(D1mr=1024\) .*/\1/p')" D1mr=1024

	scene_run pools --engine=$engine
	adds_up
	is "pools, $engine: one is not known" "$(missed '^of_pool.* B$') $(missed '^pools d.* B$')" " D1mr=256"
	is "pools, $engine: ... it is of the block, as is what was given back" "$(missed '^first_owner.* B$')" "D1mr=257"
	scene_run pools --engine=$engine --alloc-fn='pool_g?t:size=2'
	adds_up --alloc-fn
	is "pools, $engine: all are known" "$(missed '^of_pool.* B$') $(missed '^pools d.* B$') $(missed '^first_owner.* B$')" \
		"D1mr=256 D1mr=256 D1mr=1"
done

# --- what else is simulated ---

for options in --miss-classes=yes "--engine=plain --miss-classes=yes" "--machine=zen4 --prefetch=yes --tlb-sim=yes" --write-back=yes \
	"--machine=zen4 --cycles=yes" \
	--counting=valgrind --skip-plt=no --cold-runs=0 --branch-sim=yes --data-callers=1 "--separate-recs=1 --separate-callers=2" \
	--inline=calls; do
	# shellcheck disable=SC2086 # several options in one variable
	scene_run list $options
	adds_up "$options"
done
for options in --cacheuse=yes --simulate-hwpref=yes --simulate-wb=yes; do
	scene=list
	rm -rf list
	mkdir list
	(cd list && costgrind -q $options --machine=cachegrind --LL=1048576,16,64 --data=yes --costgrind-out-file=p ../dataobjects list)
	mv list/data.* list/d
	adds_up "$options"
done
scene_run list --miss-classes=yes
is "classes: of objects" "$(data objects list/d '^make_node.* B$' | grep -c D1cold)" 1

# --- nothing else changes ---

for scene in list many; do
	for with in yes no; do
		costgrind -q --machine=tiny.machine --data=$with --costgrind-out-file=$scene.$with ./dataobjects $scene
	done
	rm -f data.*
	is "$scene: the profile is the same" "$(without_run $scene.yes | sed '/^desc: Data profile: /d' | cksum)" \
		"$(without_run $scene.no | cksum)"
done
is "the profile names the other" "$(sed -n 's/^desc: Data profile: //p' list.yes)" data.list.yes.costgrind

# --- children, parts, selected code ---

for engine in inline plain; do
	rm -rf child
	mkdir child
	(cd child && costgrind -q --machine=../tiny.machine --data=yes --engine=$engine --costgrind-out-file=p.%p ../dataobjects children)
	for file in child/data.*; do
		pid=${file#child/data.p.}
		pid=${pid%.costgrind}
		is "children, $engine: sums" "$(data sums "child/p.$pid" "$file")" ""
	done
	is "children, $engine: each has its own" \
		"$(for file in child/data.*; do data users "$file" '^first_owner.* B$' | sed 's/:[0-9]* / /; s/ L2.*//'; done | sort)" \
		"read_lines 1024 D1mr=1024
read_lines 512 D1mr=512"

	rm -rf parts
	mkdir parts
	(cd parts && costgrind -q --machine=../tiny.machine --data=yes --engine=$engine --costgrind-out-file=p ../dataobjects parts)
	for file in parts/data.*.costgrind parts/data.*.costgrind.1; do
		part=p${file##*.costgrind}
		is "parts, $engine: sums of ${file##*.costgrind}" "$(data sums "parts/$part" "$file")" ""
	done
	is "parts, $engine: misses of the first" "$(data users parts/data.*.1 '^first_owner.* B$' | sed 's/.* D1mr/D1mr/; s/ L2.*//')" D1mr=1024
	is "parts, $engine: misses of the second" "$(data users parts/data.*.costgrind '^first_owner.* B$' | sed 's/.* D1mr/D1mr/; s/ L2.*//')" \
		D1mr=512
done
scene_run list --toggle-collect=walk
adds_up --toggle-collect
is "only what is collected" "$(data users list/d '^make_node.* B$' | sed 's/:[0-9]* / /; s/ L2.*//')" "walk 1024 D1mr=1024"

# --- C++, shared libraries ---

cat >news.cpp <<'EOF'
#include <memory>
#include <vector>

struct item {
	long values[8];
};

__attribute__((noinline)) static item *make_item()
{
	return new item();
}

__attribute__((noinline)) static item *make_items(int n)
{
	return new item[n];
}

struct counted {
	long values[8];
	~counted();
};

static long n_counted;

counted::~counted()
{
	n_counted += values[0];
}

__attribute__((noinline)) static counted *make_counted(int n)
{
	return new counted[n]();
}

int main()
{
	std::vector<item *> items;

	for (int i = 0; i < 500; i++)
		items.push_back(make_item());
	item *more = make_items(500);
	for (int i = 0; i < 500; i++)
		more[i].values[0] = 1;
	for (item *one : items)
		delete one;
	delete[] more;
	delete[] make_counted(100);
}
EOF
build news "$PWD/news.cpp" -O1 -g -gdwarf-4
costgrind -q --machine=tiny.machine --data=yes --costgrind-out-file=p ./news
mv data.* d
is "C++: sums" "$(data sums p d)" ""
is "C++: new is called by" "$(data objects d '^make_.* B$' | sed 's/: D1.*//; s/cpp:[0-9]*/cpp:N/g')" \
	"[heap] make_counted(int) news.cpp:N < main news.cpp:N, 6408 B
[heap] make_item() news.cpp:N < main news.cpp:N, 64 B
[heap] make_items(int) news.cpp:N < main news.cpp:N, 32000 B"

costgrind -q --data=yes --costgrind-out-file=p /usr/bin/mawk 'BEGIN { for (i = 0; i < 3000; i++) s = s i; print length(s) }' >out
mv data.* d
is "a program of the system: sums" "$(data sums p d)" ""

# --- costgrind annotate --by=object ---

scene_run list --miss-classes=yes
for file in p "$(basename "$(sed -n 's/^desc: Data profile: //p' list/p)")"; do
	[ "$file" = p ] || cp list/d "list/$file"
done
annotate() {
	"$top_builddir/costgrind" annotate -q --by=object --width=unlimited "$@" 2>&1
}
cp list/d "list/$(sed -n 's/^desc: Data profile: //p' list/p)"
is "annotate: the profile stands for its data" "$(annotate list/p | sed '/^Data file/d')" "$(annotate list/d | sed '/^Data file/d')"
is "annotate: what misses most" "$(annotate list/p | sed -n 's/^ *\([0-9,]*\) ([ 0-9.]*%) .* make_node .*, 64 B  \(.*\)/\1 \2/p')" \
	"583,680 [heap]" # 3,072 of 10 + 30 + 150 cycles
is "annotate: headings tell objects apart" "$(annotate list/p --threshold=0 --top=100 | sed -n 's/^-- Misses on //p' | sort | uniq -d)" ""
is "annotate: ... in Markdown" "$(annotate list/p --threshold=0 --format=markdown | sed -n 's/^### Misses on //p' | sort | uniq -d)" ""
is "annotate: where and by whom" \
	"$(annotate list/p | sed -n '/^-- Misses on struct node, make_node.* B  \[heap\]$/,/^$/s/.*%)  //p' | sed 's,/.*/,,')" "at 0  next
at 56  key
by add_keys  dataobjects.c
by make_node  dataobjects.c
by walk  dataobjects.c"
is "annotate: for programs" "$(annotate --format=csv --show=D1mr list/p | grep -A4 '^object,,"make_node' | sed 's/"[^"]*"//')" \
	"object,,,[heap],,,struct node,,,64,2048
member,,struct node,,,,next,0,,8,1024
member,,struct node,,,,key,56,,8,1024
piece,,,,0,,,,,,1024
piece,,,,56,,,,,,1024"
is "annotate: a profile without objects" "$(annotate list.no)" \
	"costgrind annotate: --by=object: expected a profile with objects of data, which --data=yes records"
is "annotate: no such list" "$("$top_builddir/costgrind" annotate --by=thing list/p 2>&1 | head -n 1)" \
	"costgrind annotate: --by: 'thing': expected object, type, region or rank"

# --- how it says so ---

costgrind --machine=tiny.machine --data=yes --costgrind-out-file=p ./dataobjects many >out 2>&1
is "blocks and allocators" "$(sed -n 's/^==[0-9]*== costgrind: data: \([0-9]* blocks by .*\)/\1/p' out | sort | sed 's/20000[0-9] /200000 /')" \
	"1 blocks by calloc
200000 blocks by malloc"
is "... and what is in none" "$(grep -c 'misses are in no block: of an allocator that was not seen, or freed$' out)" 1
is "where it is written" "$(sed -n 's/.*costgrind: data profile written to .*\/data\.p\.costgrind$/found/p' out)" found
rm -f data.*
# Where nothing was collected: that, and not that something was not asked for.
for off in --toggle-collect=nosuch --instr-atstart=no; do
	costgrind --data=yes $off --costgrind-out-file=off ./dataobjects list >out 2>&1
	is "$off: closing lines" "$(sed -n 's/^==[0-9]*== costgrind: \(no\|data: no\)/\1/p' out | sed 's/ (.*//; s/:.*//')" "nothing was collected"
	is "$off: annotate" "$("$top_builddir/costgrind" annotate -q --by=object off 2>&1; echo $?)" \
		"costgrind annotate: --by=object: expected misses on objects of data, found none: nothing was collected
1"
	is "$off: diff" "$("$top_builddir/costgrind" diff -q --by=object off off 2>&1; echo $?)" \
		"costgrind diff: data.off.costgrind: --by=object: expected misses on objects of data, found none: nothing was collected
1"
done
rm -f data.*
refuses ./dataobjects "--data-callers=17: expected a number from 1 to 16" --data=yes --data-callers=17
refuses ./dataobjects "--data-callers: needs --data=yes" --data-callers=2
refuses ./dataobjects "--alloc-fn: needs --data=yes or --collect-alloc=yes" --alloc-fn=f:size=1
refuses ./dataobjects "--alloc-fn=f: expected <pattern>:size=<argument>" --data=yes --alloc-fn=f
refuses ./dataobjects "--alloc-fn=f:size=7: expected an argument from 1 to 6 after size=" --data=yes --alloc-fn=f:size=7
refused_by_dropins ./dataobjects --data=yes --data=yes

done_testing
