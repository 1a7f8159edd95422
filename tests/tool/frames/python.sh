#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --python=yes: how often each function is called, as sys.setprofile() and cProfile have it; that sums and all else stay; names;
# children and handlers of signals; sub-interpreters; what is refused.  With each CPython that is found: Debian's, python3.12 and so
# on in PATH, and $PYTHON312 and so on, which are paths.
. "$top_srcdir/tests/lib.sh"
use_oracle

programs=$top_srcdir/tests/programs/python
export PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0

# frames OPTIONS...: a run whose profile profiled.py and others.py can read.
frames() {
	costgrind -q --cache-sim=no --dump-instr=no --compress-strings=no --compress-pos=no "$@"
}

# A library that looks like CPython of a version (hexadecimal; "": one that does not say); TABLE is its first
# words of _PyRuntime, if it has that.
cat >fake.c <<'END'
#include <string.h>
#include <sys/mman.h>

#ifndef PIECE
#define PIECE(n) ((n) + 1)
#endif
#ifndef COMPILED
#define COMPILED 0
#endif
#ifdef VERSION
const unsigned long Py_Version = VERSION;
#endif
#ifdef TABLE
unsigned long _PyRuntime[100] = { TABLE };
#endif
long PyCode_Type[64];
static long thread[64];

__attribute__((noinline)) int _TAIL_CALL_RESUME(int n)
{
	return n + 1;
}

__attribute__((noinline)) int _PyEval_EvalFrameDefault(long *state, int (*code)(long *, long *))
{
	int left = code == NULL ? PIECE(1) : code(state, NULL);

	return left + (state == thread);
}

int main(void)
{
	/* What changes the frame: mov %rsi,0x48(%rdi); mov $2,%eax; ret. */
	static const unsigned char bytes[] = { 0x48, 0x89, 0x77, 0x48, 0xb8, 2, 0, 0, 0, 0xc3 };
	void *code = NULL;

	if (COMPILED) {
		code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(code, bytes, sizeof(bytes));
	}
	return _PyEval_EvalFrameDefault(thread, code);
}
END

# refused NAME WANT [CFLAGS...]
refused() {
	refused_name=$1
	refused_want=$2
	shift 2
	build fake ./fake.c -rdynamic "$@"
	frames --python=yes --costgrind-out-file=fake.out ./fake >fake.txt 2>&1
	is "$refused_name: exit status, messages" "$? $(sed 's/^==[0-9]*== //' fake.txt)" "3 $refused_want"
	rm fake
}

untold="its functions are not told apart
costgrind: --python=yes: no interpreter ran that is known, which are CPython 3.11 to 3.14: the profile has no Python functions"
cookie=0x7970677562656478
refused "a version that is not known" "costgrind: --python=yes: $PWD/fake is Python 3.15; 3.11 to 3.14 are supported: $untold" \
	-DVERSION=0x030f00f0
refused "an old version" "costgrind: --python=yes: $PWD/fake is older than Python 3.11, the first that is known: $untold"
table="whose table of offsets (_Py_DebugOffsets) is not as known: $untold"
refused "no table" "costgrind: --python=yes: $PWD/fake is Python 3.13 $table" -DVERSION=0x030d00f0
refused "an empty table" "costgrind: --python=yes: $PWD/fake is Python 3.14 $table" -DVERSION=0x030e00f0 \
	"-DTABLE=$cookie,0x030e00f0"
refused "a table of another version" "costgrind: --python=yes: $PWD/fake is Python 3.14 $table" -DVERSION=0x030e00f0 \
	"-DTABLE=$cookie,0x030d00f0,1"
refused "no global lock" "costgrind: --python=yes: $PWD/fake is Python 3.13 without the global lock, which is not known: $untold" \
	-DVERSION=0x030d00f0 "-DTABLE=$cookie,0x030d00f0,1"
unseen="costgrind: --python=yes: it is not to be seen where the interpreter keeps its frame: the profile has no Python functions"
refused "no loop that keeps frames" "$unseen" -DVERSION=0x030b02f0
whole="[0]=$cookie,0x030d00f0,[3]=1024,0,8,[6]=1024,0,8,16,[19]=312,0,8,16,72,152,[28]=80,8,0,56,72,70,[34]=208,112,120,128,136,\
68,52,96,104,200,[44]=16,8,[67]=64,32,16,40"
refused "a good table" "$unseen" -DVERSION=0x030d00f0 "-DTABLE=$whole"
refused "tail calls" "costgrind: --python=yes: $PWD/fake is built with tail calls, which is not known: its functions are not told apart
$unseen" -DVERSION=0x030d00f0 "-DTABLE=$whole" "-DPIECE=_TAIL_CALL_RESUME"
refused "compiled code" "costgrind: --python=yes: the interpreter's frame changes unseen, as by a just-in-time compiler or greenlets: \
calls are missing, or another function's
$unseen" -DVERSION=0x030d00f0 "-DTABLE=$whole" -DCOMPILED=1
frames --python=yes --costgrind-out-file=true.out true >true.txt 2>&1
is "no interpreter: exit status, messages" "$? $(sed 's/^==[0-9]*== //' true.txt)" \
	"0 costgrind: --python=yes: no interpreter of Python ran: the profile has no Python functions"
build fake ./fake.c -rdynamic -DVERSION=0x030f00f0
frames --python=yes --trace-children=yes --costgrind-out-file=children.%p.out \
	sh -c '/bin/true; (exit 0); ./fake; exec /bin/true' >children.txt 2>&1
is "no interpreter, children: only what is of Python is said" "$(sed 's/^==[0-9]*== //' children.txt)" \
	"costgrind: --python=yes: $PWD/fake is Python 3.15; 3.11 to 3.14 are supported: $untold"
frames --python=yes --trace-children=yes --costgrind-out-file=children.%p.out sh -c '/bin/true; (exit 0); exit 0' >children.txt 2>&1
is "no interpreter, children: once, of the program named" "$(sed 's/^==[0-9]*== //' children.txt)" \
	"costgrind: --python=yes: no interpreter of Python ran: the profile has no Python functions"

# calls NAME PROGRAM COUNTER ROOTS [OPTIONS...]: its functions are called as often as the counter says, and sums are sums;
# threads but the first begin in a function that nobody calls.
calls() {
	calls_name=$1
	calls_program=$programs/$2
	calls_counter=$3
	calls_roots=$4
	shift 4
	"$python" "$programs/counts.py" "$calls_counter" "$calls_program" >want.txt
	frames --python=yes "$@" --costgrind-out-file=calls.out "$python" "$programs/counts.py" none "$calls_program" \
		>run.txt 2>&1
	is "$calls_name: exit status, messages" "$? $(cat run.txt)" "0 "
	is "$calls_name: calls" "$("$python" "$programs/profiled.py" calls.out "$calls_program")" "$(cat want.txt)"
	# shellcheck disable=SC2086 # the roots are two words
	conserves "$calls_name: sums" $calls_roots calls.out
}

# says NAME PROGRAM: a program that prints itself how often its functions are called.
says() {
	says_program=$programs/$2
	frames --python=yes --costgrind-out-file=says.out "$python" "$says_program" >want.txt 2>&1
	is "$1: exit status" "$?" 0
	is "$1: calls" "$("$python" "$programs/profiled.py" says.out "$says_program")" "$(cat want.txt)"
}

# all VERSION PYTHON: all that is to be tested of one.
all() {
	version=$1
	python=$2
	calls "$version: functions of all kinds" calls.py setprofile "--root clone"
	is "$version: there are many" "$(awk 'END { print (NR > 75) }' want.txt)" 1
	calls "$version: no cold code, levels" calls.py setprofile "--root clone" --cold-runs=0 --separate-recs=4 --call-tree=yes
	calls "$version: too many calls" endless.py cprofile "--roots 1"
	calls "$version: threads, fairly" calls.py setprofile "--roots 2" --fair-sched=yes --separate-callers=1
	calls "$version: the plain engine" endless.py cprofile "--roots 1" --engine=plain
	says "$version: too many objects" deepest.py
	says "$version: interpreters" interpreters.py

	# Nothing else changes, not even where branches go and what misses caches.
	mkdir -p here
	cp "$programs/endless.py" here
	for option in no yes; do
		(cd here && costgrind -q --deterministic=yes --branch-sim=yes --dump-instr=no --compress-strings=no --compress-pos=no \
			--python=$option --costgrind-out-file=../$option.out "$python" endless.py) >$option.txt 2>&1
		is "$version: --python=$option: exit status, messages" "$? $(cat $option.txt)" "0 "
	done
	is "$version: what else is counted" "$("$python" "$programs/others.py" no.out yes.out)" ""
	is "$version: without it there are none" "$(grep -c '\[python\]' no.out)" 0

	# Functions of Python call C's and are called by them, and levels of recursion are kept apart.
	frames --python=yes --costgrind-out-file=levels.out "$python" -S -c '
def down(n):
    return down(n - 1) if n else sorted([2, 1], key=up)
def up(n):
    return n
down(3)' >levels.txt 2>&1
	is "$version: levels: exit status, messages" "$? $(cat levels.txt)" "0 "
	"$top_builddir/costgrind" annotate --quiet --show=Ir --width=unlimited --tree=caller --threshold=0 --auto=no levels.out |
		sed -n 's/^ *[0-9,]* ( *[0-9.]*%) *\([<*]\) *\([^ ]*\)\( ([0-9]*x)\)* .*/\1 \2\3/p' |
		sed 's/ [^ ]*:_PyEval/ _PyEval/' |
		awk '/^</ { callers = callers $0 "; " } /^\*/ { if (/<string>/) print $2 " " callers; callers = "" }' | sort >levels.txt
	is "$version: levels: callers" "$(cat levels.txt)" "<string>:<module> < _PyEval_EvalFrameDefault (1x); 
<string>:down < <string>:<module> (1x); 
<string>:down'2 < <string>:down'2 (2x); < <string>:down (1x); 
<string>:up < _PyEval_EvalFrameDefault'2 (2x); "

	# Names are UTF-8, and of one line.  Since 3.12 a comprehension is none.
	comprehension="1 15 𐐀.method.<locals>.<listcomp>
2 15 𐐀.method.<locals>.<listcomp>.<lambda>"
	[ "$version" = 3.11 ] || comprehension="2 15 𐐀.method.<locals>.<lambda>"
	frames --python=yes --costgrind-out-file=names.out "$python" "$programs/names.py" >names.txt 2>&1
	is "$version: names: exit status, messages" "$? $(cat names.txt)" "0 "
	is "$version: names" "$("$python" "$programs/profiled.py" names.out "$programs/names.py")" "1 1 <module>
1 5 grüße
1 9 名前
1 13 𐐀
1 14 𐐀.method
$comprehension"
	is "$version: names: a file's" "$("$python" "$programs/profiled.py" names.out 'two?lines??.py')" "1 1 <module>
1 1 f"
	is "$version: names: code in place of other code" "$("$python" "$programs/profiled.py" names.out '<string>' | grep -c '^3 1 made_')" 100

	frames --python=yes --costgrind-out-file=p.%p.out "$python" "$programs/processes.py" >processes.txt 2>&1
	is "$version: processes: exit status, messages" "$? $(cat processes.txt)" "0 "
	for profile in p.*.out; do
		"$python" "$programs/profiled.py" "$profile" "$programs/processes.py"
	done >processes.txt
	rm p.*.out
	is "$version: processes: calls" "$(grep -v ' 1 <module>' processes.txt | sort)" "1 21 at_end
3 9 handler
4 13 inside
6 17 in_child"

	frames --python=yes --trace-children=yes --costgrind-out-file=q.%p.out "$python" -S -c '
import subprocess
subprocess.run(["/bin/true"])
subprocess.run(["sh", "-c", "/bin/true; exec /bin/true"])
' >others.txt 2>&1
	is "$version: children that are no Python: exit status, messages" "$? $(cat others.txt)" "0 "
	rm -f q.*.out

	# Functions go by their names in other options.  (What is active when collection begins counts as called.)
	frames --python=yes --toggle-collect=middle --costgrind-out-file=collected.out "$python" -S -c '
def outer():
    middle(); middle(); after()
def middle():
    inner()
def inner():
    pass
def after():
    inner()
outer()' >collected.txt 2>&1
	is "$version: --toggle-collect: exit status, messages" "$? $(cat collected.txt)" "0 "
	is "$version: --toggle-collect: calls" "$("$python" "$programs/profiled.py" collected.out '<string>')" "1 1 <module>
1 2 outer
2 4 middle
2 6 inner"
}

# is_version VERSION PYTHON
is_version() {
	[ "$("$2" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>&1)" = "$1" ]
}

for version in 3.11 3.12 3.13 3.14; do
	eval "given=\$PYTHON$(echo $version | tr -d .)"
	found=
	for python in "$given" /usr/bin/python3 "$(command -v python$version)"; do
		if [ -z "$python" ] || ! is_version $version "$python"; then
			continue
		fi
		# It may be a script that chooses one.
		found=$("$python" -c 'import os, sys; print(os.path.realpath(sys.executable))')
		break
	done
	if [ -n "$found" ]; then
		all $version "$found"
	else
		skip_here "functions of Python $version" "it has no python$version, nor is it named by \$PYTHON$(echo $version | tr -d .)"
	fi
done

done_testing
