#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# To which file, function and line costs belong.  Counts are those that the C
# language fixes: reads of a volatile variable, turns of a loop, calls.
# (Code that a program generates: exact_generated.sh.)
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"

profile() {
	python3 "$top_srcdir/tests/profile.py" "$@"
}
# Debug information that every Valgrind reads, whichever compiler made it.
debug="-g -gdwarf-4"

# profiled OUT PROGRAM: by the tool and, into OUT.cachegrind, by Cachegrind.  Names in full.
profiled() {
	asm_run "$2" "$1" --compress-strings=no --compress-pos=no
	asm_reference "$2" "$1.cachegrind"
}

# cells PROFILE FILE FUNCTION: "file line counts" of a function's lines in a file; * is any file.
cells() {
	profile cells "$1" | awk -F '\t' -v file="$2" -v function_name="$3" '
{ base = $1; sub(/.*\//, "", base) }
(file == "*" || base == file) && $2 == function_name { print base, $3, $4 }'
}

# count EVENT: of one event, the sum of what cells printed.
count() {
	tr ' ' '\n' | awk -F = -v event="$1" '$1 == event { sum += $2 } END { print sum + 0 }'
}

# sorted_words: lines with their words in order, to compare counts whatever the order of events.
sorted_words() {
	while read -r line; do
		echo "$line" | tr ' ' '\n' | sort | tr '\n' ' '
		echo
	done
}

# same_as_cachegrind PROFILE FUNCTION: all lines of a function, all counts.
same_as_cachegrind() {
	is "$2: Cachegrind's cells" "$(cells "$1.cachegrind" '*' "$2" | sorted_words)" \
		"$(cells "$1" '*' "$2" | sorted_words)"
}

# at ADDRESS OBJECT PROFILE: function, line and the count of Ir of one instruction.
at() {
	profile insns "$3" | awk -F '\t' -v address="$1" -v object="$PWD/$2" '
$1 == object && $3 == address { sub(/ .*/, "", $5); print $2, $4, $5 }'
}

# symbol NAME PROGRAM: its address, as in profiles.
symbol() {
	nm "$2" | awk -v name="$1" '$3 == name { sub(/^0*/, "", $1); print "0x" $1 }'
}

# --- inlined code ---------------------------------------------------------------

# outer(100) reads s 100 times in loc(), line 3 of inl.c, and 100 times in hdr(), line 2 of inl.h;
# both are inlined there, so both belong to outer().
# shellcheck disable=SC2086 # several flags in one variable
build inl inl.c $debug -O1 -fno-inline
profiled inl.out inl
is "inlined from the file: reads" "$(cells inl.out inl.c outer | grep '^inl.c 3 ' | count Dr)" 100
is "inlined from a header: reads" "$(cells inl.out inl.h outer | grep '^inl.h 2 ' | count Dr)" 100
is "inlined functions have no costs of their own" \
	"$(cells inl.out '*' loc)$(cells inl.out '*' hdr)$(cells inl.out inl.h main)" ""
same_as_cachegrind inl.out outer
is "inlined from a header: fi= there and fe= back" "$(awk '
/^fn=/ { inside = $0 == "fn=outer" }
inside && /^f[ie]=/ { file = $0; sub(/=.*\//, "=", file); print file }' inl.out | sort -u)" \
"fe=inl.c
fi=inl.h"

# --- static functions of one name -------------------------------------------------

cat >twin.h <<'EOF'
extern volatile int variable;
static inline __attribute__((always_inline)) int read_often(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += variable;
	return sum;
}
EOF
cat >twin1.c <<'EOF'
#include "twin.h"
volatile int variable;
int other(void);
static __attribute__((noinline)) int twin(int n)
{
	int first = variable;

	return read_often(n) + first;
}
static __attribute__((noinline)) int inner(int n)
{
	return read_often(n);
}
int main(void)
{
	variable = twin(10) + inner(30) + other();
	return 0;
}
EOF
cat >twin2.c <<'EOF'
#include "twin.h"
int other(void);
static __attribute__((noinline)) int twin(int n)
{
	int first = variable;

	return read_often(n) - first;
}
static __attribute__((noinline)) int inner(int n)
{
	return read_often(n) + 1;
}
int other(void)
{
	return twin(20) - inner(40);
}
EOF
# shellcheck disable=SC2086 # several flags in one variable
build twins "$PWD/twin1.c" "$PWD/twin2.c" $debug -O1
profiled twins.out twins
is "twins: reads in the header" "$(cells twins.out twin.h twin | count Dr)" 30
# Lines are "address line Ir Dr ..."; the functions differ by the file that fl= names.
is "twins: two functions" "$(awk '
/^fl=/ { own = $0; sub(/.*\//, "", own); file = own }
/^f[ie]=/ { file = $0; sub(/.*\//, "", file) }
/^fn=/ { name = $0 }
/^0x/ && name == "fn=twin" && file == "twin.h" { reads[own] += $4 }
END { for (own in reads) print own, reads[own] }' twins.out | sort)" \
"twin1.c 10
twin2.c 20"
same_as_cachegrind twins.out twin
# Of the two called inner, even the first instruction is inlined from the header: they are two
# functions all the same, with an id each.
is "inner: reads in the header" "$(cells twins.out twin.h inner | count Dr)" 70
asm_run twins ids.out --compress-pos=no
is "inner: two functions" "$(awk '
/^fn=/ { id = $1; if ($2 == "inner") reads[id] = 0 }
/^0x/ && id in reads && $4 > 1 { reads[id] += $4 }
END { for (id in reads) print reads[id] }' ids.out | sort)" \
"30
40"
same_as_cachegrind twins.out inner

# --- static functions of one name without debug information -------------------------

# helper(n) of each source reads variable n times, and its return address; two sources have one name.
# That of few.c is the only one of its name, and main() is not static.
mkdir first second
cat >helper.h <<'EOF'
extern volatile int variable;
static __attribute__((noinline)) int helper(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += variable;
	return sum;
}
EOF
cat >namesakes.c <<'EOF'
#include "helper.h"
volatile int variable;
int first(void), second(void);
static __attribute__((noinline)) int only(void)
{
	return variable;
}
int main(void)
{
	variable = helper(10) + first() + second() + only();
	return 0;
}
EOF
echo '#include "../helper.h"
int first(void) { return helper(20) + 1; }' >first/util.c
echo '#include "../helper.h"
int second(void) { return helper(40) + 2; }' >second/util.c
build namesakes "$PWD/namesakes.c" "$PWD/first/util.c" "$PWD/second/util.c" -O1
profiled namesakes.out namesakes
for source in 'namesakes.c 11' 'util.c 21' 'util.c (2) 41'; do
	is "namesakes: reads in ${source% *}" "$(cells namesakes.out "${source% *}" helper | count Dr)" \
		"${source##* }"
done
is "namesakes: the sum is Cachegrind's" "$(cells namesakes.out '*' helper | count Dr)" \
	"$(cells namesakes.out.cachegrind '*' helper | count Dr)"
is "namesakes: no other function has a file" "$(cells namesakes.out '*' only | cut -d ' ' -f 1-2
cells namesakes.out '*' main | cut -d ' ' -f 1-2)" "??? 0
??? 0"
costgrind -q --costgrind-out-file=namesakes.cachegrind --format=cachegrind ./namesakes
is "namesakes: Cachegrind's format" "$(grep -B 1 '^fn=helper' namesakes.cachegrind | grep fl= | sort)" \
	"fl=namesakes.c
fl=util.c
fl=util.c (2)"
"$top_builddir/costgrind" annotate --auto=no --width=unlimited --threshold=0 --show=Dr --show-percs=no namesakes.out |
	awk '/:helper \[/ { print $1, $2, $3 }' >listed
is "namesakes: listed apart" "$(cat listed)" "41 util.c (2):helper
21 util.c:helper [$PWD/namesakes]
11 namesakes.c:helper [$PWD/namesakes]"
VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=callgrind -q \
	--callgrind-out-file=namesakes.callgrind --compress-strings=no ./namesakes
is "namesakes: as Callgrind, one function" "$(awk '
/^fl=/ { file = $0 }
/^fn=helper$/ { print file }' namesakes.callgrind | sort -u)" "fl=???"

# None of a library's code runs before a FIFO is in its place, which is not waited at.
echo 'int answer(void) { return 42; }' >replaced.c
build replaced.so "$PWD/replaced.c" -shared -fPIC -nostdlib
cat >replace.c <<'EOF'
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
	void *library = dlopen("./replaced.so", RTLD_NOW);
	int (*answer)(void) = (int (*)(void))dlsym(library, "answer");

	return unlink("replaced.so") || mkfifo("replaced.so", 0600) || answer() != 42;
}
EOF
build replace "$PWD/replace.c" -O1 -ldl
status=0
VALGRIND_LIB=$COSTGRIND_LIB timeout -s KILL 60 "$VALGRIND" --tool=costgrind -q --cycles=no --costgrind-out-file=replaced.out \
	./replace || status=$?
is "a FIFO in place of an object: status" "$status" 0

# --- no symbols -------------------------------------------------------------------

asm_build straight
strip straight
profiled stripped.out straight
for run in stripped.out stripped.out.cachegrind; do
	is "$run: one unknown function" "$(counts functions $run)" \
		"???: Ir=27 Dr=10 Dw=8 I1mr=4 D1mr=2 D1mw=3 ILmr=2 DLmr=1 DLmw=2"
done
entry=0x$(printf %016x "0x$(readelf -h straight | sed -n 's/.*Entry point.*0x//p')")
is "stripped: no files, no lines" "$(profile cells stripped.out | cut -f 1-3 | tr '\t' ' ')" \
	"??? $entry 0"
is "stripped: object" "$(profile insns stripped.out | cut -f 1 | sort -u)" "$PWD/straight"
is "stripped: an instruction" "$(at 0x400054 straight stripped.out)" "$entry 0 Ir=1"

# --- the cold part of a function ----------------------------------------------------

# hot() runs 100 times, 10 of them with 7: then it goes on in its cold part and calls bad() twice.
# shellcheck disable=SC2086 # several flags in one variable
build cold cold.c $debug -O2
profiled cold.out cold
part=$(symbol hot.cold cold)
if [ -n "$part" ]; then
	is "cold part: of its function" "$(at "$part" cold cold.out)" "hot 5 Ir=10"
else
	skip "cold part" "$CC keeps functions in one piece"
fi
is "hot part" "$(at "$(symbol hot cold)" cold cold.out)" "hot 5 Ir=100"
is "called by the cold part" "$(at "$(symbol bad cold)" cold cold.out)" "bad 4 Ir=20"

# The same in C++, where its name ends in " [clone .cold]" when it is demangled.
# shellcheck disable=SC2086 # several flags in one variable
build cold_throw cold_throw.cpp $debug -O2
profiled cold_throw.out cold_throw
part=$(symbol _Z1fi.cold cold_throw)
if [ -n "$part" ]; then
	is "cold part in C++: of its function" "$(at "$part" cold_throw cold_throw.out)" \
		"f(int) 7 Ir=7"
	is "cold part in C++: no function" "$(grep -F '[clone' cold_throw.out)" ""
else
	skip "cold part in C++" "$CXX keeps functions in one piece"
fi

# --- a library that comes and goes -----------------------------------------------------

# q(1000) runs three times, each time from a library that is loaded for it; the condition of its
# loop is looked at 1,001 times a call.
# shellcheck disable=SC2086 # several flags in one variable
build libq.so q.c $debug -O1 -shared -fPIC
# shellcheck disable=SC2086 # several flags in one variable
build dlm dlm.c $debug -O1 -ldl
profiled dlm.out dlm
is "unloaded library: branches" "$(cells dlm.out q.c q | grep '^q.c 1 ' | count Bc)" 3003
is "unloaded library: file" "$(cells dlm.out '*' q | cut -d ' ' -f 1 | sort -u)" q.c
is "unloaded library: first instruction" "$(at "$(symbol q libq.so)" libq.so dlm.out)" "q 1 Ir=3"
same_as_cachegrind dlm.out q

done_testing
