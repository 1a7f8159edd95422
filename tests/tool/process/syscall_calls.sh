#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --syscall-calls=yes: system calls are functions, by name; how often they are called and what bytes they moved, by hand
# (tests/programs/syscalls.c) and by strace.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

build_program syscalls -O1 -static -fno-optimize-sibling-calls

# calls FILE: of each system call its number, calls and bytes.
calls() {
	profile calls "$1" | awk -F '\t' '
		$4 == "[kernel]" {
			sub(/\x27.*/, "", $5)
			n[$5] += $6
			count = split($7, words, " ")
			for (i = 1; i <= count; i++) {
				split(words[i], pair, "=")
				sums[$5, pair[1]] += pair[2]
			}
		}
		END {
			for (name in n)
				printf "%s %d %d %d\n", name, n[name], sums[name, "sysCount"], sums[name, "sysBytes"]
		}' | LC_ALL=C sort
}

# of FUNCTION FILE: what its callers pay for: calls and bytes.
of() {
	profile calls "$2" | awk -F '\t' -v function_name="$1" '
		{ sub(/\x27.*/, "", $5); sub(/\x27.*/, "", $2) }
		$5 == function_name && $2 != function_name {
			count = split($7, words, " ")
			for (i = 1; i <= count; i++) {
				split(words[i], pair, "=")
				sums[pair[1]] += pair[2]
			}
		}
		END { printf "%s %d %d\n", function_name, sums["sysCount"], sums["sysBytes"] }'
}

for engine in inline plain; do
	scene list-$engine
	run -q --syscall-calls=yes --cache-sim=no --call-tree=yes --engine=$engine --costgrind-out-file=p ../syscalls
	exits 0
	is "$engine: bytes" "$(calls p | grep -v '^getrandom ' | awk '$4 != 0')" "pread64 1 1 20
read 2 2 107
readv 1 1 11
recvfrom 1 1 50
sendto 1 1 50
write 11 11 46"
	is "$engine: a call without a name" "$(calls p | grep '^syscall_')" "syscall_2000 1 1 0"
	is "$engine: callers" "$(for name in writes reads sockets recursion; do of $name p; done)" "writes 3 42
reads 4 138
sockets 5 100
recursion 8 4"
	conserves "$engine: sums" p
	is "$engine: only they have the costs" "$(profile cells p | awk -F '\t' '$4 ~ /sysCount/ && $1 !~ /^\?/')" ""
	is "$engine: ... not what calls them" "$(profile cells p | awk -F '\t' '$2 == "syscall" && $4 ~ /sysCount/')" ""
done

# Whoever counts them, there are as many.
scene counted
run -q --collect-systime=usec --cache-sim=no --costgrind-out-file=without ../syscalls
run -q --syscall-calls=yes --collect-systime=nsec --cache-sim=no --costgrind-out-file=p ../syscalls
is "as many as at their callers" "$(profile totals p | grep sysCount)" "$(profile totals without | grep sysCount)"
is "events" "$(profile totals p | sed 's/ .*//' | grep sys | tr '\n' ' ')" "sysCount sysTime sysCpuTime sysBytes "
is "inclusive costs of callers are the same" "$(profile calls p | grep -v 'kernel' | sed -n 's/\t[^\t]* \(sysCount=[0-9]*\).*/\t\1/p')" \
	"$(profile calls without | sed -n 's/\t[^\t]* \(sysCount=[0-9]*\).*/\t\1/p')"
conserves "with times: sums" p
run -q --cache-sim=no --costgrind-out-file=none ../syscalls
is "nothing else changes" "$(profile cells p | sed 's/ *sys[A-Z][A-Za-z]*=[0-9]*//g' | grep Ir= | grep -v '^???.time')" \
	"$(profile cells none | grep -v '^???.time')"

for options in --separate-callers=3 --separate-recs=1 --inline=calls --skip-plt=no; do
	scene "with$options"
	run -q --syscall-calls=yes --cache-sim=no $options --costgrind-out-file=p ../syscalls
	is "$options: bytes" "$(calls p | sed -n 's/^write //p')" "$(calls ../list-inline/p | sed -n 's/^write //p')"
	conserves "$options: sums" p
done

scene skipped
run -q --syscall-calls=yes --cache-sim=no --fn-skip=write --costgrind-out-file=p ../syscalls
is "skipped: at its caller" "$(calls p | grep -c '^write ') $(profile cells p | awk -F '\t' '$2 == "syscall" && /sysCount=11/' | wc -l)" "0 1"

# Called from its own group, it goes by its caller's name, as if that had called itself.
for engine in inline plain; do
	scene grouped-$engine
	run -q --syscall-calls=yes --cache-sim=no --call-tree=yes --engine=$engine --fn-group1=syscall --fn-group1=write \
		--costgrind-out-file=p ../syscalls
	is "$engine: grouped: its caller's" "$(profile calls p | sed -n "s/.*\tsyscall\t[0-9]*\t.*\(syscall'2\)/\1/p")
$(profile cells p | grep "syscall'2")" "syscall'2	11	sysCount=11 sysBytes=46
???	syscall'2	0	sysCount=11 sysBytes=46"
	is "$engine: grouped: others" "$(calls p)" "$(calls ../list-inline/p | grep -v '^write ')"
	conserves "$engine: grouped: sums" p
done

scene grouped-levels
run -q --syscall-calls=yes --cache-sim=no --fn-group1=syscall --fn-group1=write --separate-recs=1 \
	--costgrind-out-file=p ../syscalls
is "grouped: levels of recursion that are one" "$(profile cells p | sed -n 's/\tsyscall\t\(.*\)Ir=[0-9]* sys/ syscall \1sys/p')" \
	"??? syscall 0	sysCount=11 sysBytes=46"
conserves "grouped: levels that are one: sums" p
run -q --syscall-calls=yes --cache-sim=no --fn-group1=put --fn-group1=write --costgrind-out-file=p ../syscalls
is "in another group than its caller" "$(calls p)" "$(calls ../list-inline/p)"

scene toggled
run -q --syscall-calls=yes --cache-sim=no --toggle-collect=reads --call-tree=yes --costgrind-out-file=p ../syscalls
is "toggled" "$(calls p)" "pread64 1 1 20
read 2 2 107
readv 1 1 11"

# What is done when a function is entered is done for those that have code, which may have the same name.
scene hooks
run -q --syscall-calls=yes --cache-sim=no --toggle-collect=getrandom --costgrind-out-file=p ../syscalls
is "libc's is toggled" "$(profile cells p | sed 's/^.*\tgetrandom/getrandom/')" "getrandom	0	$(
	profile cells ../list-inline/p | sed -n 's/^.*\tgetrandom\t0\t//p')"
run --syscall-calls=yes --cache-sim=no --zero-before=readv --dump-after=readv --fn-group1=readv \
	--costgrind-out-file=p ../syscalls
is "system calls are not" "$(sed -n 's/^==[0-9]*== costgrind: \(.*such a name\)$/\1/p' "$scratch/$scene.err")" \
	"--zero-before=readv: no function that was run has such a name
--dump-after=readv: no function that was run has such a name"
is "... and nothing is lost" "$(calls p)" "$(calls ../list-inline/p)"

# One that a handler interrupts is one call, and the handler's are its own.
scene handler
run -q --syscall-calls=yes --cache-sim=no --costgrind-out-file=p ../syscalls interrupted
is "interrupted" "$(of interrupted p) $(of handler p | cut -d' ' -f2-)" "interrupted 4 5 1 5"
conserves "interrupted: sums" --roots 2 p

# --- other programs have them ---

is "check" "$("$top_builddir/costgrind" check -q ../list-inline/p; echo $?)" 0
is "annotate" "$("$top_builddir/costgrind" annotate --auto=no --width=unlimited --show=sysCount,sysBytes --threshold=0 ../list-inline/p |
	grep -c 'write \[kernel\]$')" 1
is "limits" "$(printf 'self write sysCount <=10\n' >limits
	"$top_builddir/costgrind" diff --limits limits ../list-inline/p ../list-inline/p 2>&1 >/dev/null | grep -c 'write'
	"$top_builddir/costgrind" diff -q --limits limits ../list-inline/p ../list-inline/p >/dev/null 2>&1; echo $?)" "1
3"
is "flame graph" "$("$top_builddir/costgrind" convert --to=collapsed --event=sysBytes ../list-inline/tree.*.costgrind 2>&1 |
	grep -c 'main;writes;put;syscall;write 42$')" 1

# --- against strace ---

scene strace
# Valgrind's own start of the program differs in what the kernel tells it; what the program does is the same.
if strace -f -o trace "$scratch/syscalls" >/dev/null 2>&1; then
	is "strace" "$(calls ../list-inline/p | awk '{ print $1, $2 }' | sed 's/syscall_2000/syscall_0x7d0/')" \
		"$(sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' trace | grep -v '^execve$' | LC_ALL=C sort | uniq -c |
			awk '{ print $2, $1 }' | LC_ALL=C sort)"
else
	skip "strace" "no strace, or it may not trace"
fi

done_testing
