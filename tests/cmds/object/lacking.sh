#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What commands advise where code has no names or lines, by what its file lacks: -g is proposed for no program
# that was compiled with it.
. "$top_srcdir/tests/lib.sh"

cat >work.c <<'EOT'
__attribute__((noinline)) int work(int n)
{
	volatile int s = 0;

	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
EOT
cat >work.S <<'EOT'
	.globl	work
	.type	work, @function
work:	dec	%edi
	jnz	work
	xor	%eax, %eax
	ret
	.size	work, . - work
	.section .note.GNU-stack, "", @progbits
EOT
cat >main.c <<'EOT'
int work(int);
int main(void)
{
	return work(300000) == 7;
}
EOT

# compile FLAG...: program, whose work() is most of the costs.  (Its build-id says that it is what was profiled.)
compile() {
	$CC -O1 -Wl,--build-id -o program work.c main.c "$@"
}

profile_it() {
	costgrind -q --cache-sim=no --costgrind-out-file=out ./program
}

# lines NAME ADVICE: what annotate says about source lines at this point.
lines() {
	"$top_builddir/costgrind" annotate --width=unlimited --auto=no out 2>/dev/null |
		sed -n 's/^[0-9.]* % of Ir has no source lines: program ([0-9.]* %); //p' >said
	is "$1: lines" "$(cat said)" "$2"
}

# names NAME ADVICE: what "costgrind PROG" says about symbols.
names() {
	(
		unset VALGRIND_LIB
		COSTGRIND_OPTS="--cache-sim=no --costgrind-out-file=first" "$top_builddir/costgrind" ./program
	) 2>&1 | tr '\n' ' ' | sed -n 's/.*program has no symbols for [0-9.]* % of Ir: \(.*run it again\.\).*/\1/p' >said
	is "$1: names" "$(cat said)" "$2"
}

compile -g -gdwarf-4
profile_it
lines "-g" ""
names "-g" ""

# A profile that has no lines, of a program that does: whoever made it could not read them.
sed 's/^\(c*f[lie]=([0-9]*)\) .*work\.c/\1 ???/' out >unread
mv unread out
lines "-g, unread" "it has debug information that the run did not read: run it again."

compile
profile_it
lines "without -g" \
	"it has no debug information: compile it with -g, keep that (no strip), and run it again."
compile -g -gdwarf-4 -s
profile_it
lines "-g -s" \
	"it is stripped: keep its debug information (-g, no -s, no strip), and run it again."
names "-g -s" "it is stripped: keep its symbols (no -s, no strip), and run it again."
"$top_builddir/costgrind" why --width=unlimited out >why.txt 2>/dev/null
is "-g -s: why" "$(grep -o 'Its functions have no names: .*' why.txt)" \
	"Its functions have no names: it is stripped: keep its symbols (no -s, no strip), and run it again."

compile -g -gdwarf-4
objcopy --only-keep-debug program program.debug
objcopy --strip-all --add-gnu-debuglink=program.debug program
mv program.debug elsewhere.debug
profile_it
missing="its debug file program.debug is not here: put it next to the file, or below /usr/lib/debug, or set \
DEBUGINFOD_URLS, and run it again."
lines "debug link" "$missing"
names "debug link" "$missing"

# Of the program, only main() has lines.
if [ "$(uname -m)" = x86_64 ]; then
	$CC -Wl,--build-id -g -gdwarf-4 -c main.c && $CC -c work.S && $CC -Wl,--build-id -o program main.o work.o
	profile_it
	lines "assembler without -g" "compile this part of it with -g, too, and run it again."
else
	skip "assembler without -g" "it is of x86_64"
fi

# Another build in its place, or none: nothing is known about it.
all="compile with -g, install debug packages, or set DEBUGINFOD_URLS, and run it again."
compile
profile_it
compile -g -gdwarf-4 -O2
lines "another build" "$all"
rm program
lines "no file" "$all"

done_testing
