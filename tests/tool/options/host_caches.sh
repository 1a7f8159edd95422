#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The caches of this machine are those that the kernel tells of; if processor and kernel
# disagree, or one tells nonsense, that is said in a line, and defaults are taken.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
program=$PWD/script
defaults="I1 65536,2,64 D1 65536,2,64 LL 262144,8,64"
using="using defaults (--I1=65536,2,64 --D1=65536,2,64 --LL=262144,8,64)"

# profiled NAME OPTION...: under a name of the tool, what it says into NAME.err.
profiled() {
	tool=$1
	shift
	library=$COSTGRIND_LIB
	machine=--machine=cachegrind # two levels, which the others always have
	[ "$tool" = costgrind ] || { library=$unspaced_builddir/valgrind-lib-dropin; machine=--cache-sim=yes; }
	VALGRIND_LIB=$library "$VALGRIND" --tool="$tool" --"$tool"-out-file=/dev/null --cache-sim=yes \
		"$machine" "$@" "$program" spin 10 2>"$tool.err"
}

# simulated: in one line, what caches the last run of costgrind with -v -v had.
simulated() {
	sed -n 's/^==[0-9]*== caches: //p' costgrind.err
}

# of_machine: what it knew of the machine.
of_machine() {
	sed -n 's/^==[0-9]*== \(L.* of this machine: .*\)/\1/p' costgrind.err
}

# said: what it said about caches without being asked, but for the rounding of LL.
said() {
	sed -n 's/^==[0-9]*== costgrind: //p' costgrind.err |
		grep -v '^profile written to\|^last-level cache of this machine'
}

# rounded SIZE WAYS LINE: as it is simulated, of a power of two of sets.
rounded() {
	rounded_sets=$(($1 / ($2 * $3)))
	rounded_power=1
	while [ $((rounded_power * 2)) -le $rounded_sets ]; do
		rounded_power=$((rounded_power * 2))
	done
	rounded_ways=$((($2 * rounded_sets * 2 + rounded_power) / (2 * rounded_power)))
	echo "$((rounded_ways * rounded_power * $3)),$rounded_ways,$3"
}

# words: three numbers with commas between.
words() {
	echo "$1,$2,$3"
}

# --- as the kernel has them ---

if [ -z "$(kernel_cache 1 Data)" ] || [ -z "$(kernel_cache 1 Instruction)" ]; then
	skip_here "caches of this machine" "the kernel does not tell of any"
	done_testing
fi
profiled costgrind -v -v
# shellcheck disable=SC2046,SC2183 # three words
is "caches are the kernel's" "$(simulated)" \
	"I1 $(words $(kernel_cache 1 Instruction)) D1 $(words $(kernel_cache 1 Data)) LL $(rounded $(kernel_last_level))"
is "nothing else is said" "$(said)" ""
of_machine >known
is "every level is reported" "$(sed 's/ of this machine: \([0-9]* B, [0-9]*-way, [0-9]* B\) lines, .*/ \1/' known | sort)" \
	"$(for type in Data Instruction Unified; do
		for level in 1 2 3 4; do
			suffix=$(echo $type | sed 's/^\(.\).*/\1/; s/U//' | tr DI di)
			kernel_cache $level $type | tr '\n' ' ' | sed "s/\([0-9]*\) \([0-9]*\) \([0-9]*\).*/L$level$suffix \1 B, \2-way, \3 B\n/"
		done
	done | sort)"
is "sets are reported" "$(sed 's/.* lines, \([0-9]*\) sets.*/\1/' known | sort -n)" \
	"$(cat /sys/devices/system/cpu/cpu0/cache/index*/number_of_sets | sort -n)"
if grep -q '^L1d.*(/sys' known; then
	skip_here "all is confirmed" "cores of several kinds, or a processor that does not tell"
	done_testing
fi
is "all is confirmed" "$(grep -c ' (CPUID lea.*, /sys agrees)$' known)" "$(wc -l <known)"

# --- a kernel that says something else ---

# with_sys COMMAND...: with the folder sys in place of the kernel's, of all processors or of $only.
cat >with_sys <<'END'
for cache in /sys/devices/system/cpu/${only:-cpu[0-9]*}/cache; do
	[ ! -d "$cache" ] || mount --bind "$PWD/sys" "$cache" || exit # none of one that is off
done
touch mounted
"$@"
END
isolate="unshare -m"
$isolate true 2>/dev/null || isolate="unshare -rm"

# shown TOOL OPTION...: profiled, with the folder.
export COSTGRIND_LIB VALGRIND
shown() {
	tool=$1
	shift
	library=$COSTGRIND_LIB
	machine=--machine=cachegrind
	[ "$tool" = costgrind ] || { library=$unspaced_builddir/valgrind-lib-dropin; machine=--cache-sim=yes; }
	# shellcheck disable=SC2086 # several words
	VALGRIND_LIB=$library $isolate sh ./with_sys "$VALGRIND" --tool="$tool" \
		--"$tool"-out-file=/dev/null --cache-sim=yes "$machine" "$@" "$program" spin 10 2>"$tool.err"
}

# kernel_says: the folder sys is a copy of the kernel's.
kernel_says() {
	rm -rf sys
	mkdir sys
	for index in /sys/devices/system/cpu/cpu0/cache/index*; do
		mkdir "sys/${index##*/}"
		for file in level type size ways_of_associativity coherency_line_size number_of_sets \
			physical_line_partition shared_cpu_list; do
			[ ! -e "$index/$file" ] || cat "$index/$file" >"sys/${index##*/}/$file"
		done
	done
}

kernel_says
shown costgrind -v -v
if [ ! -e mounted ]; then
	skip_here "a kernel that says something else" "no folder can be mounted: $(head -n 1 costgrind.err)"
	done_testing
fi
is "a copy is as good" "$(simulated)$(said)" "$(profiled costgrind -v -v && simulated)"

# (Its ways are twice as many: sets remain what they are.)
last=$(dirname "$(grep -l Unified sys/index*/type | tail -n 1)")
size=$(tr -d K <"$last/size")
ways=$(cat "$last/ways_of_associativity")
echo "$((size * 2))K" >"$last/size"
echo $((ways * 2)) >"$last/ways_of_associativity"
shown costgrind -v -v
is "another last level: defaults" "$(simulated)" "$defaults"
is "another last level: said" "$(said)" \
	"L$(cat "$last/level") cache of this machine: $((size * 1024)) B, $ways-way, 64 B lines by CPUID, \
$((size * 2048)) B, $((ways * 2))-way, 64 B lines by /sys, $using"
shown costgrind
is "another last level: also without -v" "$(said | wc -l)" 1
shown costgrind -q
is "another last level: not with -q" "$(cat costgrind.err)" ""
shown costgrind -v -v --I1=16384,4,64 --D1=16384,4,64 --LL=1048576,16,64
is "another last level: nobody asks if all are given" "$(simulated) $(said)" \
	"I1 16384,4,64 D1 16384,4,64 LL 1048576,16,64 "
for name in callgrind cachegrind; do
	shown $name
	is "$name, another last level: said" "$(sed -n 's/^--[0-9]*-- *//p' $name.err)" \
"Warning: Cannot auto-detect cache config, using defaults.
Run with -v to see."
	is "$name, another last level: not our words" "$(grep costgrind: $name.err)" ""
	shown $name -v -v
	is "$name, another last level: defaults" \
		"$(sed -n '/Cache configuration used:/,/LL: /s/^==[0-9]*== *//p' $name.err)" \
"Cache configuration used:
I1: 65,536 B, 2-way, 64 B lines
D1: 65,536 B, 2-way, 64 B lines
LL: 262,144 B, 8-way, 64 B lines"
	shown $name -q
	is "$name, another last level: not with -q" "$(cat $name.err)" ""
done

# Of processor 0 only: then its cores are of several kinds, wherever the run begins.
other=$(taskset -cp $$ 2>/dev/null | sed 's/.*[^0-9]//')
if [ "${other:-0}" -eq 0 ]; then
	skip_here "another last level of processor 0 only" "there is no other processor, or no taskset"
else
	only=cpu0
	isolated=$isolate
	isolate="taskset -c $other $isolate"
	export only
	shown costgrind -v -v
	is "another last level of processor 0 only: that" "$(simulated | sed 's/.*LL //')" \
		"$(rounded $((size * 2048)) $((ways * 2)) 64)"
	is "another last level of processor 0 only: nothing is said" "$(said)" ""
	is "another last level of processor 0 only: whose it is" "$(of_machine | grep -vc '(/sys)$')" 0
	isolate=$isolated
	unset only
fi

echo 3000 >"$last/ways_of_associativity"
shown costgrind -v -v
is "nonsense: defaults" "$(simulated)" "$defaults"
is "nonsense: said" "$(said | sed 's/: [0-9]* B/: N B/')" \
	"L$(cat "$last/level") cache of this machine: N B, 3000-way, 64 B lines by /sys, which cannot be, $using"

kernel_says
rm -r "$last"
shown costgrind -v -v
is "no last level: said" "$(said)" \
	"L$(cat "/sys/devices/system/cpu/cpu0/cache/${last##*/}/level") cache of this machine: $((size * 1024)) B, \
$ways-way, 64 B lines by CPUID, none by /sys, $using"

rm -r sys
mkdir sys
shown costgrind -v -v
is "a kernel that says nothing is not missed" "$(simulated) $(said)" \
	"$(profiled costgrind -v -v && simulated) "
shown costgrind -v -v
is "... but confirms nothing" "$(of_machine)" "$(sed 's|, /sys agrees)|)|' known)"

# --- under the old names ---

# its_words FILE: what is said about caches in Valgrind's own words.
its_words() {
	sed -n 's/^--[0-9]*-- \(warning: .*L.*\)/\1/p; s/^==[0-9]*== *\([ID1L]*: .* lines$\)/\1/p' "$1"
}

for name in callgrind cachegrind; do
	profiled $name -v -v
	is "$name: not our words" "$(grep costgrind: $name.err)" ""
	VALGRIND_LIB=$(readlink -f "$COSTGRIND_LIB/default.supp" | xargs dirname) "$VALGRIND" \
		--tool=$name --$name-out-file=/dev/null --cache-sim=yes -v -v "$program" spin 10 2>theirs.err
	if core_misreads_caches; then
		is "$name: its words of I1 and D1" "$(its_words $name.err | grep '^[ID]1:')" \
			"$(its_words theirs.err | grep '^[ID]1:')"
		# shellcheck disable=SC2046,SC2183 # three words
		is "$name: the true LL" "$(its_words $name.err | sed -n '/^LL:/s/[^0-9A-Za-z -]//gp')" \
			"$(printf 'LL %s B %s-way %s B lines' $(rounded $(kernel_last_level) | tr , ' '))"
	else
		is "$name: its words" "$(its_words $name.err)" "$(its_words theirs.err)"
	fi
done
done_testing
