#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the user can read of the options: --help, with the defaults of the name that the tool goes
# by, --help-debug, and the manual page, which has the same ones.
. "$top_srcdir/tests/lib.sh"

# ours FILE: what the file has from the tool, not from Valgrind.
ours() {
	sed -n '/^  user options for C/,/^  [a-zE]/p' "$1" | sed '1d; $d'
}

costgrind --help >help.out 2>help.err
is "help: exit status, stderr" "$? $(cat help.err)" "0 "
# Without a decoder, there is one way of counting.
has_decoder || is "help: without a decoder" "$(grep -e --counting help.out)" "\
    --counting=valgrind                    Count as Cachegrind does; built without a decoder [valgrind]"
has_decoder || sed -i 's/--counting=valgrind  .*/--counting=architectural|valgrind      Count what the processor does, or as Cachegrind does [valgrind]/' help.out
ours help.out | sed '/^    <pattern>/,$d' >groups
is "help: the options of the list, by group" "$(sed 's/ \[[^[]*\]$//' groups)" \
	"$(python3 "$top_srcdir/tests/tool/options/option_list.py" "$top_srcdir/writer/shared/optionlist.h")"
# One of each kind, with its default, and one that is wider than its column.
is "help: how options look" "$(grep -e 'out-file=\|--format=\|--desc=\|bb=\|-before=\|systime=\|-callers\|pop-on\|--machine=' \
	-e '--D1=\|--leave=\|--cpu=\|--pages=\|heap-shift=' groups)" "\
    --costgrind-out-file=<file>            Write the profile to this file [costgrind.out.%p]
    --format=callgrind|cachegrind          Format of the profile [callgrind]
    --desc=<name>: <text>                  Add a line to the profile's header
    --dump-every-bb=<n>                    Write a part every n superblocks; 0 = never [0]
    --dump-before=<pattern>                Write a part when a matching function is entered
    --zero-before=<pattern>                Zero all counts when a matching function is entered
    --collect-systime=no|yes|msec|usec|nsec Count system calls, and their time; yes = msec [no]
    --separate-callers=<n>                 Separate functions by their last n callers [0]
    --separate-callers<n>=<pattern>        The same for matching functions
    --pop-on-jump[=<pattern>]              Treat a jump out of a matching function as a return and a call
    --machine=<name>|<file>|host|help      Simulate this processor; help lists them [host]
    --pages=4K|2M|thp|both                 Page size for that; both: 4K and thp side by side [4K]
    --data-callers=<n>                     Separate blocks by n callers of the allocator [3]
    --D1=<size>,<assoc>,<line>             First-level data cache [the machine's]
    --leave=<item>,<item>,...              Exceptions to that [none]
    --cpu=<name>[+<feature>...]            Processor it sees: baseline, sse42, avx2; +erms ... [baseline]
    --heap-shift=<bytes>                   Begin the heap (brk) n bytes later, to see what depends on it [0]"
is "help: what follows the options" "$(ours help.out | sed -n '/^    <pattern>/,$p')" "\
    <pattern>                              Whole name: * is any run of characters, ? any one
    What --deterministic=yes gives, and --leave leaves as it is:
      cpu                                  CPUID, AT_HWCAP, /proc/cpuinfo, sizes of caches
      tsc                                  RDTSC and RDTSCP
      random                               RDRAND, AT_RANDOM, getrandom(), /dev/urandom, UUIDs
      clock                                date and time, timeouts
      usage                                CPU time, getrusage(), times()
      cpus                                 how many CPUs there are, and on which the program runs
      system                               names of machine and kernel
      memory                               sysinfo(), /proc/meminfo, /proc/loadavg
      files                                times of files: whole seconds, the last change"

# Under another tool's name: its defaults.
for name in callgrind cachegrind; do
	VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=$name --help >$name.out
done
is "help of callgrind: what differs" "$(ours callgrind.out | diff - help.out |
	sed -n '/--counting=/d; s/^< //p')" "\
    --callgrind-out-file=<file>            Write the profile to this file [callgrind.out.%p]
    --dump-instr=yes|no                    Write costs of each instruction [no]
    --fork=zero|inherit                    Costs that a forked child starts with [inherit]
    --stack-seed=yes|no                    Find the calls in progress when counting starts [no]
    --modify=read|write                    Count a read and write of one place as one or the other [write]
    --cache-sim=yes|no                     Simulate the caches [no]
    --I1=<size>,<assoc>,<line>             First-level instruction cache [this CPU's]
    --D1=<size>,<assoc>,<line>             First-level data cache [this CPU's]
    --LL=<size>,<assoc>,<line>             Last-level cache [this CPU's]"
# (From 3.21 on, it simulates no caches by default.)
is "help of cachegrind: what differs" "$(ours cachegrind.out | diff - help.out |
	sed -n '/--cache-sim=\|--counting=/d; s/^< //p')" "\
    --cachegrind-out-file=<file>           Write the profile to this file [cachegrind.out.%p]
    --format=callgrind|cachegrind          Format of the profile [cachegrind]
    --fork=zero|inherit                    Costs that a forked child starts with [inherit]
    --stack-seed=yes|no                    Find the calls in progress when counting starts [no]
    --skip-plt=yes|no                      Count code of a PLT as part of its caller [no]
    --I1=<size>,<assoc>,<line>             First-level instruction cache [this CPU's]
    --D1=<size>,<assoc>,<line>             First-level data cache [this CPU's]
    --LL=<size>,<assoc>,<line>             Last-level cache [this CPU's]"

for name in callgrind cachegrind; do
	is "help of $name for debugging has the old name of --LL" "$(VALGRIND_LIB=$top_builddir/valgrind-lib-dropin \
		"$VALGRIND" --tool=$name --help-debug | grep -e --L2)" \
		"    --L2=<size>,<assoc>,<line>             Same as --LL"
done

is "they count as Valgrind does" "$(sed -n 's/^    --counting=.*\[/[/p' callgrind.out cachegrind.out)" \
	"[valgrind]
[valgrind]"

costgrind --help-debug >debug.out 2>debug.err
is "help for debugging: exit status, stderr" "$? $(cat debug.err)" "0 "
is "help for debugging: the tool's own options" \
	"$(sed -n '/debugging options for Costgrind/,/^  [a-zE]/p' debug.out | sed '1d; $d')" "\
    --trace-jump=yes|no                    Same as --collect-jumps
    --simulate-cache=yes|no                Same as --cache-sim
    --instr-at-start=yes|no|inherit        Same as --instr-atstart
    --cold-runs=<n>                        Executions after which code has its counters inline [200]
    --check-entries=yes|no                 Assert at each block's entry that its unit is the one that runs [no]
    --inline-data=yes|no                   Handle hits in D1 in generated code; else call C for all [yes]
    --inline-fetches=yes|no                Same for I1 [yes]
    --trace-branches=yes|no                Print a line for each branch that a machine's predictors see [no]
    --trace-misses=yes|no                  Print a line for each reference that misses the first level [no]
    --trace-calls<n>=<pattern>             Print calls of matching functions, n arguments, and results
    --simulate-sectors=yes|no              No effect, as in Callgrind [no]
    --mangle-names=yes|no                  No effect: no program reads what Callgrind writes without [yes]
    --compress-mangled=yes|no              No effect: --compress-strings compresses all names [no]
    --dump-bb=yes|no                       No effect: costs belong to instructions and lines [no]
    --dump-bbs=yes|no                      No effect: costs belong to instructions and lines [no]
    --ct-verbose=<n>                       No effect: it traces what Callgrind does
    --ct-verbose<n>=<pattern>              No effect: it traces what Callgrind does
    --ct-vstart=<n>                        No effect: it traces what Callgrind does"

# What shells complete is the same list, the command's own options, and Valgrind's.
sed -n '/^  user options for C/,$s/^    \(--[A-Za-z0-9-]*\).*/\1/p' help.out | sort -u >told
is "there are many" "$(($(wc -l <told) > 45))" 1
"$top_builddir/costgrind" --complete run -- | sed 's/[^A-Za-z0-9-].*//
	s/^\(--fn-group\|--separate-[a-z]*\)1$/\1/' | sort -u >offered
is "all are completed" "$(comm -23 told offered)" ""
"$VALGRIND" --help-debug | sed -n 's/^ *\(-[a-z] \)*\(--[a-z-]*\).*/\2/p' | sort -u >core
"$top_builddir/costgrind" help run | sed -n 's/^  \(-[a-z], \)*\(--[a-z-]*\).*/\2/p' | sort -u >own
# Some are in no --help, or only in newer versions'.
is "and no others" "$(sort -u told core own | comm -23 offered - | grep -vx -e --enable-debuginfod \
	-e --scheduling-quantum -e --tool-help)" ""

has_decoder || { skip "the manual page" "it has another way of counting"; done_testing; }
is "the manual page has the same options and defaults" \
	"$(python3 "$top_srcdir/tests/tool/options/option_man.py" help.out "$top_srcdir/docs/costgrind.1")" ""
# A check that nothing passes is none.
sed 's/\[1000000\]/[1000]/; s/^\.B .*branch.-sim/&x/' \
	"$top_srcdir/docs/costgrind.1" >other.1
is "another manual page is noticed" \
	"$(python3 "$top_srcdir/tests/tool/options/option_man.py" help.out other.1 | sort)" "\
--branch-sim=yes|no: the page does not say [no]
--call-tree-nodes=<n>: the page does not say [1000000]
not in --help: option --branch-simx=yes|no
not in the page: option --branch-sim=yes|no"

done_testing
