#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --inline: names of functions and files that are hard to tell from what is around them, and code
# that is gone when the profile is written.  Counts are those that the language fixes.
. "$top_srcdir/tests/lib.sh"

profile() {
	python3 "$top_srcdir/tests/profile.py" "$@"
}

# profiled OUT OPTIONS... PROGRAM
profiled() {
	profiled_out=$1
	shift
	costgrind -q --costgrind-out-file="$profiled_out" --cache-sim=no "$@" >"$profiled_out.log" 2>&1
	is "$profiled_out: exit status" $? 0
}

# --- C++ ---

mkdir 'a b: c'
header='he:ad (er:3) <q>&amp;.h'
cat >"a b: c/$header" <<'EOF'
#define INLINED __attribute__((always_inline)) inline
template <typename T, int N> struct vec {
	T items[N];
	int used;
	INLINED bool operator<(const vec &other) const { return used < other.used; }
	INLINED vec &operator<<(T item) { items[used++] = item; return *this; }
	INLINED T &operator[](int i) { return items[i]; }
};
template <typename F> INLINED int apply(F function, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += function(i);
	return sum;
}
EOF
cat >'a b: c/pro gram.cpp' <<END
#include "$header"
volatile int v;
static vec<int, 8> a, b;
__attribute__((noinline)) int real(int n) { return n + v; }
__attribute__((noinline)) int work(int n)
{
	auto twice = [&](int i) __attribute__((always_inline)) { return real(i) + v; };
	int sum = apply(twice, n);
	a << n;
	b << sum;
	return sum + (a < b) + a[n & 1];
}
int main()
{
	v = work(10) + work(3);
	return 0;
}
END
build names "./a b: c/pro gram.cpp" -g -O1

# calls CALLER CALLEE PROFILE: line and number of calls; names are regular expressions.
calls() {
	profile calls "$3" | awk -F '\t' -v caller="$1" -v callee="$2" '
		$2 ~ "^" caller "$" && $5 ~ "^" callee "$" { print $3, $6 }'
}

# files FUNCTION PROFILE: that it is of; the profile has names in full.
files() {
	awk -v name="^fn=$1\$" '/^fl=/ { file = $0 } $0 ~ name { sub(/.*\//, "", file); print file }' \
		"$2" | sort -u
}

for option in --compress-strings=yes --compress-strings=no; do
	profiled names.out --inline=calls $option ./names
	conserves "names, $option" names.out
	is "a lambda: calls" "$(calls 'operator[(][)]' 'real[(]int[)]' names.out)" "7 13"
	is "a template: calls" "$(calls 'work[(]int[)]' 'apply<.*>' names.out)" "8 2"
	is "operator<<: calls" "$(calls 'work[(]int[)]' 'operator<<' names.out)" "9 2
10 2"
	is "operator<: calls" "$(calls 'work[(]int[)]' 'operator<' names.out)" "11 2"
done
is "a lambda: file" "$(files 'operator[(][)]' names.out)" "pro gram.cpp"
is "a template: file" "$(files 'apply<.*>' names.out)" "$header"
is "operator<<: file" "$(files 'operator<<' names.out)" "$header"
is "operator<: file" "$(files 'operator<' names.out)" "$header"
is "work: file" "$(files 'work[(]int[)]' names.out)" "pro gram.cpp"
profiled names.no --inline=no ./names
is "no: work calls" "$(calls 'work[(]int[)]' 'real[(]int[)]' names.no)" "8 13"
is "no: no code of the header" "$(grep -cF "$header" names.no)" 0
profiled names.skip --inline=calls '--fn-skip=operator*' '--fn-skip=apply<*' ./names
is "skipped by name" "$(calls 'work[(]int[)]' '.*' names.skip)" "8 13"

# --- a library that comes and goes ---

cat >gone.c <<'END'
static volatile int read_often;
static inline __attribute__((always_inline)) int inner(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += read_often;
	return sum;
}
int q(int n)
{
	return inner(n);
}
END
build libq.so ./gone.c -g -O1 -shared -fPIC
build dlm dlm.c -g -O1 -ldl
profiled gone.out --inline=calls --cache-sim=yes ./dlm
is "unloaded library: reads" "$(profile calls gone.out | awk -F '\t' '
	$2 == "q" && $5 == "inner" { sub(/.* Dr=/, "", $7); sub(/ .*/, "", $7); print $3, $7 }')" \
	"12 3000"
conserves "unloaded library" gone.out

# --- processes ---

cat >forks.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
volatile int read_often;
static inline __attribute__((always_inline)) int inner(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += read_often;
	return sum;
}
__attribute__((noinline)) int outer(int n)
{
	return inner(n);
}
int main(void)
{
	read_often = outer(100);
	if (fork() == 0) {
		outer(100007);
		_exit(0);
	}
	wait(NULL);
	return outer(10);
}
END
build forks ./forks.c -g -O1
profiled forks.out --inline=calls --cache-sim=yes ./forks
inner_reads() {
	profile cells "$1" | awk -F '\t' '$2 == "inner" && / Dr=/ {
		sub(/.* Dr=/, "", $4); sub(/ .*/, "", $4); sum += $4 } END { print sum }'
}
is "the parent's reads" "$(inner_reads forks.out)" 110
is "the child's reads" "$(inner_reads forks.out-*)" 100007
conserves "the child" forks.out-*

done_testing
