#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names that options are given and the profile does not show: other names of a function's code, by an alias or
# because the linker has folded equal functions; and names of D.
. "$top_srcdir/tests/lib.sh"

# writes: how many writes the profile has, less the calls' own.
writes() {
	sed -n 's/^totals: [0-9]* [0-9]* \([0-9]*\).*/\1/p' "$1"
}

# told PROGRAM OPTION...: what is said about rules.
told() {
	told_program=$1
	shift
	costgrind --costgrind-out-file=told.out "$@" "$told_program" 2>told.err
	sed -n 's/^==[0-9]*== costgrind: \(--.*\)$/\1/p' told.err
}

# --- an alias ---------------------------------------------------------------------

# zeta(1000) and zeta(10) write 1,001 and 11 times; each call of it and of alpha is one of zeta.
build alias alias.c -O1 -g
for name in zeta alpha 'al?ha' '*lpha'; do
	is "toggled by $name: nothing is said" "$(told ./alias "--toggle-collect=$name")" ""
	is "toggled by $name: writes" "$(writes told.out)" 1012
done
is "an alias, with -v" "$(told ./alias -v --toggle-collect=alpha)" "--toggle-collect=alpha: alpha runs as zeta"
is "the name that is shown, with -v" "$(told ./alias -v --toggle-collect=zeta)" ""
is "neither name" "$(told ./alias --toggle-collect=alphas)" \
	"--toggle-collect=alphas: no function that was run has such a name"
is "an object's name is no function's" "$(told ./alias --obj-skip=alpha)" \
	"--obj-skip=alpha: no object that was run has such a name"

# Each option has the same profile by either name.
for option in fn-skip dump-before dump-after zero-before separate-callers2 separate-recs2 fn-group1 pop-on-jump; do
	for name in zeta alpha; do
		rm -f profile profile.*
		is "--$option=$name: nothing is said" "$(told ./alias --$option=$name --costgrind-out-file=profile)" ""
		cat profile* | grep -v -e '^cmd: ' -e '^desc: Options' -e '^desc: Trigger' -e '^pid: ' \
			-e '^creator: ' -e '^desc: ' >"$option.$name"
	done
	is "--$option: by either name" "$(cat $option.alpha)" "$(cat $option.zeta)"
done

# The last one of a kind wins, whichever name it has.
is "two rules of one function" "$(told ./alias --separate-callers0=zeta --separate-callers1=alpha --dump-instr=no)" ""
is "two rules: the last one wins" "$(grep -c "zeta'main" told.out)" 1

# --- the C library's --------------------------------------------------------------

echo '#include <stdlib.h>
int main(void) { void *volatile p = malloc(100); free(p); return 0; }' >library.c
build library "$PWD/library.c" -O1
told ./library --toggle-collect=malloc >/dev/null
grep '^totals: ' told.out >want
is "__libc_malloc" "$(told ./library -v --toggle-collect=__libc_malloc)" \
	"--toggle-collect=__libc_malloc: __libc_malloc runs as malloc"
is "__libc_malloc: costs" "$(grep '^totals: ' told.out)" "$(cat want)"

# --- folded by the linker ----------------------------------------------------------

for linker in gold lld; do
	if ! $CC -O1 -g -gdwarf-4 -ffunction-sections -fuse-ld=$linker -Wl,--icf=all -o folded.$linker \
		"$top_srcdir/tests/cases/alias.c" 2>/dev/null; then
		skip "folded by $linker" "no such linker"
		continue
	fi
	# 101 and 21 writes.
	for name in area volume; do
		is "folded by $linker: $name: nothing is said" "$(told ./folded.$linker --toggle-collect=$name)" ""
		is "folded by $linker: $name: writes" "$(writes told.out)" 122
	done
	is "folded by $linker: with -v" "$(told ./folded.$linker -v --toggle-collect=volume)" \
		"--toggle-collect=volume: volume runs as area"
done

# --- of a file that the core does not read ------------------------------------------

# zeta runs 202 instructions.
if [ "$(uname -m)" = x86_64 ]; then
	cat >unread.S <<'EOT'
	.globl	_start
	.type	_start, @function
_start:	call	zeta
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	_start, . - _start
	.type	zeta, @function
	.type	alpha, @function
zeta:
alpha:	mov	$100, %ecx
1:	dec	%ecx
	jnz	1b
	ret
	.size	zeta, . - zeta
	.size	alpha, . - alpha
EOT
	build unread "$PWD/unread.S" -nostdlib -static
	is "unread by the core" "$(told ./unread -v --cache-sim=no --toggle-collect=alpha)" \
		"--toggle-collect=alpha: alpha runs as zeta"
	is "unread by the core: Ir" "$(sed -n 's/^totals: //p' told.out)" 202
else
	skip "unread by the core" "the program is of x86_64"
fi

# --- Callgrind's name ---------------------------------------------------------------

# It knows one name, so nothing is counted; but that is said.
VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=callgrind --callgrind-out-file=dropin.out \
	--toggle-collect=alpha ./alias 2>dropin.err
is "as Callgrind: what runs" "$(sed -n 's/^==[0-9]*== costgrind: //p' dropin.err)" \
	"--toggle-collect=alpha: no function that was run has such a name: it runs as zeta"
is "as Callgrind: nothing is collected" "$(sed -n 's/^totals: //p' dropin.out)" 0

# --- D ------------------------------------------------------------------------------

if [ "$(uname -m)" = x86_64 ]; then
	build dnames dnames.S
	costgrind -q --cache-sim=no --costgrind-out-file=dnames.out --compress-strings=no ./dnames
	is "D: names" "$(sed -n 's/^fn=\(.*\)/\1/p' dnames.out | grep -e '^dd' -e '^D' -e '^_D' | sort -u)" \
"D main
_D2ddWrong
_D_Mutex
dd.Cat.speak(immutable(char)[]) [clone .llvm.123]
dd.foo!(int).foo(int)
dd.foo2(int)"
	# The cold part is of the function that it was cut from.
	is "D: Ir" "$(python3 "$top_srcdir/tests/profile.py" cells dnames.out |
		awk -F '\t' '$2 ~ /dd\.foo/ { split($4, count, "="); sum[$2] += count[2] }
END { for (name in sum) print name, sum[name] }' | sort)" \
"dd.foo!(int).foo(int) 11
dd.foo2(int) 13"
	is "D: a rule" "$(told ./dnames --cache-sim=no '--toggle-collect=dd.foo!(int).*')" ""
	is "D: a rule's Ir" "$(sed -n 's/^totals: //p' told.out)" 11
	is "D: a rule of the mangled name" "$(told ./dnames -v --cache-sim=no --toggle-collect=_D2dd4foo2FiZi)" \
		"--toggle-collect=_D2dd4foo2FiZi: _D2dd4foo2FiZi runs as dd.foo2(int)"
	"$top_builddir/costgrind" annotate --asm=main --width=unlimited dnames.out >code.txt
	is "D: calls in machine code" "$(sed -n 's/.*: callq* .*<\(dd.*\)>.*/\1/p' code.txt | sort -u)" \
"dd.Cat.speak(immutable(char)[]) [clone .llvm.123]
dd.foo!(int).foo(int)
dd.foo2(int)"
	# Two functions of one name, which the profile's reader merges.
	is "Rust: calls in machine code" "$(sed -n 's/.*: callq* .*<\(.*mycrate.*\)>.*/\1/p' code.txt)" \
"mycrate::foo
mycrate::foo"
	costgrind -q --cache-sim=no --demangle=no --costgrind-out-file=mangled.out --compress-strings=no ./dnames
	is "D: --demangle=no" "$(sed -n 's/^fn=\(_D.*foo.*\)/\1/p' mangled.out | sort -u)" \
"_D2dd4foo2FiZi
_D2dd__T3fooTiZQhFNaNbNiNfiZi"
else
	skip "D" "the program is of x86_64"
fi

done_testing
