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
counting="\
    --counting=architectural|valgrind      count what the processor does, or as Cachegrind does \
[architectural]"
has_decoder || counting="\
    --counting=valgrind                    count as Cachegrind does; built without a decoder \
[valgrind]"
cycles="yes"
has_decoder || cycles="no"
is "help: the tool's own options" "$(ours help.out)" "\
   dump creation options:
    --costgrind-out-file=<file>            where the profile goes [costgrind.out.%p]
    --format=callgrind|cachegrind          of the profile [callgrind]
    --dump-instr=yes|no                    costs of each instruction [yes]
    --dump-line=yes|no                     costs of each source line [yes]
    --compress-strings=yes|no              write a long name once, then its number [yes]
    --compress-pos=yes|no                  write positions as differences [yes]
    --combine-dumps=yes|no                 all parts in one file [no]
    --desc=<name>: <text>                  a line of the profile's header
    --call-tree=yes|no                     costs by whole chains of callers, in tree.<pid>.costgrind [no]
    --call-tree-nodes=<n>                  fold what does not fit into so many chains [1000000]

   activity options (when parts are written):
    --dump-every-bb=<n>                    write a part every n superblocks; 0 = never [0]
    --dump-every-ms=<n>                    write a part every n milliseconds; 0 = never [0]
    --dump-before=<pattern>                write a part when such a function is entered
    --dump-after=<pattern>                 write a part when such a function is left
    --zero-before=<pattern>                set all counts to zero when such a function is entered
    --fork=zero|inherit                    the costs that the child of a fork begins with [zero]

   data collection options:
    --instr-atstart=yes|no|inherit         count from the start, or from a request or command on [yes]
    --stack-seed=yes|no                    know the calls under way when counting starts [yes]
    --collect-atstart=yes|no               collect from the start, or from a request or function on [yes]
    --toggle-collect=<pattern>             collect within such functions only, or but there
    --collect-region=<pattern>             collect in regions of such names only
    --collect-jumps=yes|no                 jumps inside functions, from where and to where [no]
    --collect-bus=yes|no                   count instructions that lock the bus [no]
    --collect-flops=yes|no                 count floating-point operations [no]
    --collect-bytes=yes|no                 count bytes read and written [no]
    --mix=yes|no                           count instructions by class [no]
    --collect-systime=no|yes|msec|usec|nsec count system calls, and their time; yes = msec [no]
    --syscall-calls=yes|no                 system calls as functions that are called, by name [no]
    --collect-alloc=yes|no                 count blocks allocated and freed, and their bytes [no]
    --collect-faults=yes|no                count pages that are touched for the first time [no]
$counting
    --modify=read|write                    what reads and writes one place counts as the one or the other [read]
    --inline=no|lines|calls                inlined code: as its caller's line, lines, functions [lines]
    --generated-names=yes|no               names of code made at run time, as written for perf and GDB [yes]
    --python=yes|no                        functions of Python programs by name (CPython 3.11 to 3.14) [no]

   cost entity separation options:
    --separate-threads=yes|no              a profile for each thread [no]
    --separate-callers=<n>                 tell functions apart by their last n callers [0]
    --separate-callers<n>=<pattern>        the same for functions of such a name
    --separate-recs=<n>                    tell levels of recursion apart, up to n [2]
    --separate-recs<n>=<pattern>           the same for functions of such a name
    --skip-plt=yes|no                      code of a PLT is part of its caller [yes]
    --skip-direct-rec=yes|no               a function's call of itself is no new level [no]
    --fn-skip=<pattern>                    such functions are part of their callers
    --obj-skip=<pattern>                   all functions of such objects are part of their callers
    --fn-group<n>=<pattern>                called within group n, they go by their caller's name
    --pop-on-jump[=<pattern>]              a jump out of such a function is a return and a call

   simulation options:
    --cache-sim=yes|no                     simulate the caches [yes]
    --branch-sim=yes|no                    simulate the branch predictors [no]
    --branch-model=machine|cachegrind|tage|tage8k|tage64k|exact which predictors: the machine's, Cachegrind's, or of the \
TAGE class [machine]
    --branch-detail=yes|no                 count what tells why branches are mispredicted, for costgrind branches [no]
    --cycles=yes|no                        count cycles by what they are spent on, where the machine has a core [$cycles]
    --simulate-wb=yes|no                   last level: count write-backs at misses [no]
    --simulate-hwpref=yes|no               last level: simulate a hardware prefetcher [no]
    --cacheuse=yes|no                      what use is made of cache lines [no]
    --machine=<name>|<file>|host|help      the caches of that processor; help lists them [host]
    --write-back=yes|no                    count dirty lines that are written to memory [no]
    --prefetch=yes|no                      simulate the prefetchers of the machine [no]
    --tlb-sim=yes|no                       simulate the machine's TLBs [no]
    --pages=4K|2M|thp|both                 ... with such pages; both: 4K, and beside it thp [4K]
    --region-start=warm|cold|before        what regions find in caches: all, nothing, what the last one left [warm]
    --miss-classes=yes|no                  count misses by reason: cold, capacity, conflict [no]
    --miss-curve=no|sampled|exact          count data misses of caches from 64 KiB to 256 MiB [no]
    --data=yes|no                          on which data it misses, in data.<pid>.costgrind [no]
    --data-callers=<n>                     tell blocks apart by so many callers of the allocator [3]
    --alloc-fn=<pattern>:size=<argument>   functions that give out memory, too
    --I1=<size>,<assoc>,<line>             first-level instruction cache [the machine's]
    --D1=<size>,<assoc>,<line>             first-level data cache [the machine's]
    --LL=<size>,<assoc>,<line>             last-level cache [the machine's]

   determinism options:
    --deterministic=yes|no                 the program sees the same machine, time and chance in every run [no]
    --leave=<item>,<item>,...              ... but for these [none]
    --cpu=<name>[+<feature>...]            ... the processor: baseline, sse42, avx2; +erms ... [baseline]
    --cpus=<n>                             ... how many CPUs there seem to be [1]
    --seed=<n>                             ... where random numbers begin [0]
    --clock-start=<seconds>                ... the date, in seconds since 1970 [1767225600]
    --clock-rate=<n>                       ... how fast the clock goes, in thousandths [1000]
    --heap-shift=<bytes>                   begin the heap (brk) so many bytes later, to see what depends on it [0]
    --load-shift=<pages>                   load libraries and map memory so many pages further up, likewise [0]

    <pattern>                              a whole name: * is any run of characters, ? any one
    what --deterministic=yes gives, and --leave leaves as it is:
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
    --callgrind-out-file=<file>            where the profile goes [callgrind.out.%p]
    --dump-instr=yes|no                    costs of each instruction [no]
    --fork=zero|inherit                    the costs that the child of a fork begins with [inherit]
    --stack-seed=yes|no                    know the calls under way when counting starts [no]
    --modify=read|write                    what reads and writes one place counts as the one or the other [write]
    --cache-sim=yes|no                     simulate the caches [no]
    --I1=<size>,<assoc>,<line>             first-level instruction cache [this CPU's]
    --D1=<size>,<assoc>,<line>             first-level data cache [this CPU's]
    --LL=<size>,<assoc>,<line>             last-level cache [this CPU's]"
# (From 3.21 on, it simulates no caches by default.)
is "help of cachegrind: what differs" "$(ours cachegrind.out | diff - help.out |
	sed -n '/--cache-sim=\|--counting=/d; s/^< //p')" "\
    --cachegrind-out-file=<file>           where the profile goes [cachegrind.out.%p]
    --format=callgrind|cachegrind          of the profile [cachegrind]
    --fork=zero|inherit                    the costs that the child of a fork begins with [inherit]
    --stack-seed=yes|no                    know the calls under way when counting starts [no]
    --skip-plt=yes|no                      code of a PLT is part of its caller [no]
    --I1=<size>,<assoc>,<line>             first-level instruction cache [this CPU's]
    --D1=<size>,<assoc>,<line>             first-level data cache [this CPU's]
    --LL=<size>,<assoc>,<line>             last-level cache [this CPU's]"

for name in callgrind cachegrind; do
	is "help of $name for debugging has the old name of --LL" "$(VALGRIND_LIB=$top_builddir/valgrind-lib-dropin \
		"$VALGRIND" --tool=$name --help-debug | grep -e --L2)" \
		"    --L2=<size>,<assoc>,<line>             the same as --LL"
done

is "they count as Valgrind does" "$(sed -n 's/^    --counting=.*\[/[/p' callgrind.out cachegrind.out)" \
	"[valgrind]
[valgrind]"

costgrind --help-debug >debug.out 2>debug.err
is "help for debugging: exit status, stderr" "$? $(cat debug.err)" "0 "
is "help for debugging: the tool's own options" \
	"$(sed -n '/debugging options for Costgrind/,/^  [a-zE]/p' debug.out | sed '1d; $d')" "\
    --trace-jump=yes|no                    the same as --collect-jumps
    --simulate-cache=yes|no                the same as --cache-sim
    --instr-at-start=yes|no|inherit        the same as --instr-atstart
    --cold-runs=<n>                        executions after which code may have its counters in line [200]
    --check-entries=yes|no                 assert at each block's entry that its unit is the one that runs [no]
    --engine=inline|plain                  what counts: generated code, or C to check it against [inline]
    --inline-data=yes|no                   generated code sees hits in D1; else C sees all references [yes]
    --inline-fetches=yes|no                the same of I1 [yes]
    --trace-branches=yes|no                print a line for each branch that a machine's predictors see [no]
    --trace-misses=yes|no                  print a line for each reference that misses the first level [no]
    --trace-calls<n>=<pattern>             print calls of such functions, n arguments, and results
    --simulate-sectors=yes|no              no effect, as in Callgrind [no]
    --mangle-names=yes|no                  no effect: no program reads what Callgrind writes without [yes]
    --compress-mangled=yes|no              no effect: --compress-strings compresses all names [no]
    --dump-bb=yes|no                       no effect: costs are those of instructions and lines [no]
    --dump-bbs=yes|no                      no effect: costs are those of instructions and lines [no]
    --ct-verbose=<n>                       no effect: it traces what Callgrind does
    --ct-verbose<n>=<pattern>              no effect: it traces what Callgrind does
    --ct-vstart=<n>                        no effect: it traces what Callgrind does"

# What shells complete is the same list, the command's own options, and Valgrind's.
sed -n '/^  user options for C/,$s/^    \(--[A-Za-z0-9-]*\).*/\1/p' help.out | sort -u >told
is "there are many" "$(($(wc -l <told) > 45))" 1
"$top_builddir/costgrind" --complete run -- | sed 's/[^A-Za-z0-9-].*//
	s/^\(--fn-group\|--separate-[a-z]*\)1$/\1/' | sort -u >offered
is "all are completed" "$(comm -23 told offered)" ""
"$VALGRIND" --help-debug | sed -n 's/^ *\(-[a-z] \)*\(--[a-z-]*\).*/\2/p' | sort -u >core
"$top_builddir/costgrind" help run | sed -n 's/^  \(-[a-z], \)*\(--[a-z-]*\).*/\2/p' | sort -u >own
# Some are in no --help, or those of newer ones only.
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
