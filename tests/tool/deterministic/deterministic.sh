#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --deterministic=yes: what a program learns about the machine, and about chance.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/programs/programs.sh"
use_oracle

build_program machine -O1
cp machine machine_dynamic
build_program machine -O1 -static

# told OPTIONS... -- ITEMS...: what the program prints.
told() {
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # several words in one variable
	costgrind -q --cache-sim=no --costgrind-out-file=p $options "${machine:-./machine}" "$@" \
		2>told.err
}

# --- the processor ---

is "CPUID" "$(told --deterministic=yes -- cpuid xgetbv hwcap auxv caches |
	grep -v ' 00000000 00000000 00000000 00000000$')" \
	"cpuid 0.0 0000000d 756e6547 6c65746e 49656e69
cpuid 1.0 00000f43 00010800 00000000 078bfbff
cpuid 2.0 0000ff01 00000000 00000000 00000000
cpuid 4.0 00000121 02c0003f 0000003f 00000000
cpuid 4.1 00000122 01c0003f 0000003f 00000000
cpuid 4.2 00000143 03c0003f 000003ff 00000000
cpuid 4.3 00000163 03c0003f 00007fff 00000000
cpuid 80000000.0 80000008 00000000 00000000 00000000
cpuid 80000001.0 00000000 00000000 00000000 20100800
cpuid 80000002.0 74736f43 6e697267 61622064 696c6573
cpuid 80000003.0 7020656e 65636f72 726f7373 00000000
cpuid 80000006.0 00000000 00000000 04008040 00000000
cpuid 80000007.0 00000000 00000000 00000000 00000100
cpuid 80000008.0 00003028 00000000 00000000 00000000
xgetbv 0 0
$(told --deterministic=yes -- hwcap)
auxv 78bfbff
caches 32768 -1 49152 12 64 1048576 16 33554432 16"
# (What libc makes of AT_HWCAP differs from version to version.)
is "AT_HWCAP2 and AT_PLATFORM" "$(told --deterministic=yes -- hwcap | sed 's/^hwcap [^ ]*//')" \
	" 0 x86_64"
is "libc's view" "$(told --deterministic=yes -- libc)" "level sse2"

basic="fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse \
sse2 syscall nx"
is "/proc/cpuinfo" "$(told --deterministic=yes -- cpuinfo)" "$(sed 's/^[[:blank:]]*//; s|^|/proc/cpuinfo: |
	s/@/\t/g' <<END
		processor@: 0
		vendor_id@: GenuineIntel
		cpu family@: 15
		model@@: 4
		model name@: Costgrind baseline processor
		stepping@: 3
		microcode@: 0x1
		cpu MHz@@: 1000.000
		cache size@: 32768 KB
		physical id@: 0
		siblings@: 1
		core id@@: 0
		cpu cores@: 1
		apicid@@: 0
		initial apicid@: 0
		fpu@@: yes
		fpu_exception@: yes
		cpuid level@: 13
		wp@@: yes
		flags@@: $basic lm
		bugs@@:
		bogomips@: 2000.00
		clflush size@: 64
		cache_alignment@: 64
		address sizes@: 40 bits physical, 48 bits virtual
		power management:

END
)"

# feature_leaves: those that have features, and what else tells of them.
feature_leaves() {
	grep -E '^cpuid (1|7|d|80000001)\.0 |^xgetbv|^level|flags' | grep -v ' 0* 0* 0* 0*$'
}
level2="pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm"
is "sse42" "$(told --deterministic=yes --cpu=sse42 -- cpuid xgetbv libc cpuinfo | feature_leaves)" \
	"cpuid 1.0 000106a5 00010800 00982201 078bfbff
cpuid 80000001.0 00000000 00000000 00000001 20100800
xgetbv 0 0
level sse2 sse42
/proc/cpuinfo: flags		: $basic lm $level2"
is "erms" "$(told --deterministic=yes --cpu=baseline+erms+fsrm -- cpuid cpuinfo | feature_leaves)" \
	"cpuid 1.0 00000f43 00010800 00000000 078bfbff
cpuid 7.0 00000000 00000200 00000000 00000010
cpuid 80000001.0 00000000 00000000 00000000 20100800
/proc/cpuinfo: flags		: $basic lm erms fsrm"

if told --deterministic=yes --cpu=avx2 -- >/dev/null; then
	is "avx2" "$(told --deterministic=yes --cpu=avx2+erms -- cpuid xgetbv libc cpuinfo |
		feature_leaves)" \
		"cpuid 1.0 000306c3 00010800 3ed83203 078bfbff
cpuid 7.0 00000000 00000328 00000000 00000000
cpuid d.0 00000007 00000340 00000340 00000000
cpuid 80000001.0 00000000 00000000 00000021 28100800
xgetbv 7 0
level sse2 sse42 avx avx2
/proc/cpuinfo: flags		: $basic rdtscp lm pni pclmulqdq ssse3 fma cx16 sse4_1 sse4_2 \
movbe popcnt aes xsave osxsave avx f16c lahf_lm abm bmi1 avx2 bmi2 erms"
	machine=./machine_dynamic
	is "avx2: a dynamic program" "$(told --deterministic=yes --cpu=avx2 -- libc)" \
		"level sse2 sse42 avx avx2"
	machine=
else
	is "avx2: refused" "$(sed 's/\(has\) [^ ,]*,/\1 .,/' told.err)" "costgrind: --cpu=avx2: \
Valgrind executes its code only where the processor has ., and this one does not"
fi

# --- the machine ---

is "CPUs" "$(told --deterministic=yes -- cpus | sed 's/[1-9][0-9][0-9]*/N/g')" "affinity 8
cpus 1 1 1 1 1
getcpu 0 0 0
setaffinity 0
/sys/devices/system/cpu/online: 0
/sys/devices/system/cpu/possible: 0
/proc/stat: cpu  N 0 0 0 0 0 0 0 0 0
/proc/stat: cpu0 N 0 0 0 0 0 0 0 0 0
/proc/stat: intr 0
/proc/stat: ctxt 0
/proc/stat: btime N
/proc/stat: processes N
/proc/stat: procs_running 1
/proc/stat: procs_blocked 0
/proc/stat: softirq 0 0 0 0 0 0 0 0 0 0 0"
is "--cpus" "$(told --deterministic=yes --cpus=3 -- cpus | sed 's/ [1-9][0-9][0-9]*/ N/' |
	head -9)" "affinity 8
cpus 3 3 3 3 3
getcpu 0 0 0
setaffinity 0
/sys/devices/system/cpu/online: 0-2
/sys/devices/system/cpu/possible: 0-2
/proc/stat: cpu  N 0 0 0 0 0 0 0 0 0
/proc/stat: cpu0 N 0 0 0 0 0 0 0 0 0
/proc/stat: cpu1 0 0 0 0 0 0 0 0 0 0"
# In descriptors of other ways to open: "0-63" and a newline, and it closes on exec.
is "a folder's file" "$(told --deterministic=yes --cpus=64 -- folders)" "openat 5 1
/sys/devices/system/cpu/cpu0/cache/index3/size: 32768K"
is "names" "$(told --deterministic=yes -- names)" \
	"uname Linux|localhost|5.10.0|#1 SMP|x86_64|(none)|localhost
/proc/version: Linux version 5.10.0 (root@localhost) #1 SMP
/proc/sys/kernel/osrelease: 5.10.0"
is "memory" "$(told --deterministic=yes -- memory)" \
	"sysinfo 1000 0 4294967296 2147483648 0 100 1
pages 1048576 524288
$(printf '/proc/meminfo: %-15s %8d kB\n' MemTotal: 4194304 MemFree: 2097152 MemAvailable: 2097152 \
	Buffers: 0 Cached: 0 SwapCached: 0 Active: 0 Inactive: 0 SwapTotal: 0 SwapFree: 0 \
	Shmem: 0 Slab: 0 CommitLimit: 4194304 Committed_AS: 0)
/proc/meminfo: HugePages_Total:       0
/proc/meminfo: HugePages_Free:        0
/proc/meminfo: Hugepagesize:       2048 kB
/proc/loadavg: 0.00 0.00 0.00 1/100 1"

is "mappings" "$(told --deterministic=yes -- maps)" "maps 10000000-10003000 r--s 00000000 0
maps 10010000-10011000 rw-p 00001000 0/machine
maps of the stack [stack]"
for engine in inline plain; do
	told --deterministic=yes --engine=$engine --costgrind-out-file=maps.$engine -- maps >/dev/null
	machine=/bin/cat told --deterministic=yes --engine=$engine -- /proc/self/maps >maps.$engine.text
done
is "mappings: the same with each engine" "$(cat maps.plain.text)" "$(cat maps.inline.text)"
is "mappings: ... in each run, and so in counts" "$(grep '^totals:' maps.plain)" "$(grep '^totals:' maps.inline)"
is "mappings: files" "$(awk '$6 ~ "^/" { print $5 != 0 && $4 == "00:01" }' maps.plain.text | sort -u)" 1

is "times of files" "$(told --deterministic=yes -- files)" "stat 1700000000.0 1700000000.0 0
fstat 0 0, lstat 0 0
statx 1700000000.0 1700000000.0 0"
is "--leave=files" "$(told --deterministic=yes --leave=files -- files | sed 's/ [0-9]*$//')" \
	"stat 1700000001.5 1700000000.7
fstat 5 7, lstat 5
statx 1700000001.5 1700000000.7"

# --- instructions ---

for engine in inline plain; do
	is "$engine: RDTSC" "$(told --deterministic=yes --engine=$engine -- rdtsc)" "rdtsc goes 9"
	is "$engine: RDTSC in warm code" \
		"$(told --deterministic=yes --engine=$engine --cold-runs=0 -- rdtsc)" "rdtsc goes 9"
done

# --- chance ---

# Against a second implementation of the sequence; how much libc took for itself may be any.
for seed in 0 4294967295; do
	items="at_random random"
	grep -qw rdrand /proc/cpuinfo && items="$items rdrand"
	grep -qw rdseed /proc/cpuinfo && items="$items rdseed"
	# shellcheck disable=SC2086 # a list
	told --deterministic=yes --seed=$seed -- $items >random.out
	is "seed $seed: the sequence" \
		"$(python3 "$top_srcdir/tests/programs/randoms.py" $seed random.out 2>&1)" ""
	is "seed $seed: boot_id" "$(sed -n 's/.*boot_id: //p' random.out)" \
		"00000000-0000-4000-8000-$(printf %012x $seed)"
done
# shellcheck disable=SC2086 # a list
told --deterministic=yes --engine=plain --seed=4294967295 --counting=valgrind -- $items >random.plain
is "random numbers of the plain engine" "$(cat random.plain)" "$(cat random.out)"

# --- what is left ---

# left ITEM NAMES...: what is left as it is differs from what is given; all else does not.
everything="cpuid hwcap auxv caches cpuinfo at_random random cpus names memory"
# shellcheck disable=SC2086 # a list
told --deterministic=yes -- $everything | sed 's/[0-9]\{5,\} 0 0 0/N/' >given
left() {
	left_item=$1
	shift
	# shellcheck disable=SC2086 # a list
	told --deterministic=yes --leave="$left_item" -- $everything |
		sed 's/[0-9]\{5,\} 0 0 0/N/' >left
	is "--leave=$left_item" "$(diff given left | sed -n 's/^[<>] \([^ :]*\).*/\1/p' |
		LC_ALL=C sort -u | grep -v '^cpuid$' | tr '\n' ' ')" "$*"
}
left system "/proc/sys/kernel/osrelease /proc/version uname "
left memory "/proc/loadavg /proc/meminfo pages sysinfo "
left random " /dev/random /proc/sys/kernel/random/boot_id /proc/sys/kernel/random/uuid AT_RANDOM dup \
getrandom pread read readv "
told --deterministic=yes --leave=cpu -- cpuid >left
is "--leave=cpu: what Valgrind says" "$(cat left)" "$(told -- cpuid)"
told --deterministic=yes --leave=cpu,system,memory,cpus -- names cpuinfo >left
is "--leave of several" "$(cat left)" "$(told -- names cpuinfo)"

# --- options ---

# refused MESSAGE OPTIONS...
refused() {
	refused_message=$1
	shift
	told "$@" -- names >refused.out
	is "$*: exit status" $? 1
	is "$*: message" "$(cat told.err; cat refused.out)" "costgrind: $refused_message"
}
refused "--cpu=avx3: expected baseline, sse42 or avx2, with +erms, +fsrm, +rdrand or +rdseed \
after it" --deterministic=yes --cpu=avx3
refused "--cpus=0: expected a number from 1 to 64" --deterministic=yes --cpus=0
refused "--cpus=65: expected a number from 1 to 64" --deterministic=yes --cpus=65
refused "--seed=4294967296: expected a number from 0 to 4294967295" --deterministic=yes \
	--seed=4294967296
refused "--clock-start=-1: expected a number from 0 to 4294967295" --deterministic=yes \
	--clock-start=-1
refused "--clock-rate=0: expected a number from 1 to 1000000" --deterministic=yes --clock-rate=0
items="expected names from this list, commas between: cpu, tsc, random, clock, usage, cpus, system, \
memory, files"
refused "--leave=cpu,: $items" --deterministic=yes --leave=cpu,
refused "--leave=time: $items" --deterministic=yes --leave=time
refused "--leave: needs --deterministic=yes" --leave=cpu
refused "--cpu: needs --deterministic=yes" --cpu=baseline
refused "--seed: needs --deterministic=yes" --seed=1
refused "--cpu=sse42: cannot be combined with --leave=cpu" --deterministic=yes --cpu=sse42 --leave=cpu
done_testing
