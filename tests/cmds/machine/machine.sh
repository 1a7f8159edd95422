#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind machine: presets, files and this computer; as text, JSON and files; what is wrong with a file.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
machines=$top_srcdir/data/machines
newline='
'

# -- presets -----------------------------------------------------------------------

for file in "$machines"/*.machine; do
	name=$(basename "$file" .machine)
	"$program" machine --format=file -o "$name.out" "$name"
	is "$name: the file" "$? $(cmp "$file" "$name.out")" "0 "
	"$program" machine "$name" >text 2>err
	is "$name: as text" "$? $(sed -n '1s/:.*//p' text) $(cat err)" "0 $name "
	"$program" machine "$file" >other 2>&1
	is "$name: by its file" "$(cmp text other)" ""
done
is "a line" "$("$program" machine skylake | sed -n 's/  */ /g; /^L3 /p')" \
	"L3 6M, 12-way, qlru_h11_m1_r0_u0, inclusive, index=hash index size, relation: CPUID leaf 4, subleaf 3; \
policy: nanoBench"
is "a prefetcher" "$("$program" machine skylake | sed -n 's/  */ /g; /^prefetch L2 stream/p')" \
	"prefetch L2 stream, streams=32, distance=20 streams distance the same: L2 hardware prefetcher; \
numbers are not published"
is "the list" "$("$program" machine help | sed -n '2,/^$/s/ .*//p' | tr '\n' ' ')" \
	"host $(for file in "$machines"/*.machine; do basename "$file" .machine; done | LC_ALL=C sort | tr '\n' ' ')"

# -- JSON --------------------------------------------------------------------------

"$program" machine --format=json skylake >skylake.json
is "JSON: a cache" "$(python3 "$top_srcdir/tests/cmds/machine/machine_json.py" skylake.json)" "\
costgrind-machine 1 skylake True
{'item': 'L3', 'size': 6291456, 'ways': 12, 'policy': 'qlru_h11_m1_r0_u0', 'relation': 'inclusive', \
'index': 'hash', 'assumed': ['index'], \
'source': 'size, relation: CPUID leaf 4, subleaf 3; policy: nanoBench'}
next-line ip-stride adjacent stream"
"$program" machine --format=json help >all.json
is "JSON: the list" "$(python3 "$top_srcdir/tests/cmds/machine/machine_json.py" all.json)" \
	"costgrind-machines $(($(ls "$machines" | wc -l) + 1)) host${newline}[False]"

# -- this computer -----------------------------------------------------------------

"$program" machine -q >host.txt
is "host: what is there if nothing is said" "$? $("$program" machine -q host | cmp - host.txt)" "0 "
is "host: its lines" "$(sed -n 's/^\(line\|L1I\|L1D\|L2\|STLB\) .*/\1/p' host.txt | tr '\n' ' ')" \
	"line L1I L1D L2 STLB "
"$program" machine -q --format=file host >host.machine
is "host: its file is a machine" "$("$program" machine host.machine | cmp - host.txt)" ""
list=$(cat /sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list 2>/dev/null)
if [ -n "$list" ] && [ "$(lscpu | sed -n 's/^Thread(s) per core: *//p')" = 1 ] && [ -n "$(sed -n '/^L3/p' host.txt)" ]; then
	is "host: cores are those that share L3" "$(sed -n 's/^cores  *\([0-9]*\) .*/\1/p' host.txt)" \
		"$(echo "$list" | tr , '\n' | awk -F- '{ n += ($2 == "" ? $1 : $2) - $1 + 1 } END { print n < 64 ? n : 64 }')"
fi
"$program" machine 2>&1 >text | grep -c 'caches of this machine are unknown' >warnings
if [ -n "$(kernel_cache 2 Unified)" ]; then
	is "host: L2 is the kernel's" "$("$program" machine --format=json | python3 -c '
import json, sys
items = {item["item"]: item for item in json.load(sys.stdin)["items"]}
print(items["L2"]["size"], items["L2"]["ways"], items["line"]["size"])') $(cat warnings)" "$(kernel_cache 2 Unified) 0"
elif [ "$(cat warnings)" = 0 ]; then
	skip "host: L2 is the kernel's" "the processor alone tells what it is"
else
	is "host: caches that are not known are a warning" "$(cat warnings) $("$program" machine -q 2>&1 >text)" "1 "
fi

# -- files -------------------------------------------------------------------------

# refused NAME TEXT WANT: what is said about a file, and the exit status.
refused() {
	printf '%s' "$2" >bad.machine
	refused_got=$("$program" machine bad.machine 2>&1)
	is "$1" "$? $refused_got" "1 costgrind machine: bad.machine:$3"
}
good='machine m
line 64
L1I 32K 8 lru
L1D 32K 8 lru
'
printf '%sL2 1M 16 lru' "$good" >good.machine
is "from standard input" "$("$program" machine - <good.machine | sed -n '1p;$p' | sed 's/ *$//')" \
	"m${newline}L2    1M, 16-way, lru"
printf '%sL2 1M 16 QLRU_h11_M1_R0_U0' "$good" >capitals.machine
is "policies are in small letters" "$("$program" machine capitals.machine | sed -n '$s/ *$//p')
$("$program" machine --format=json capitals.machine | grep -o '"policy": *"[^"]*"' | tail -n 1 | tr -d ' ')" \
	"L2    1M, 16-way, qlru_h11_m1_r0_u0$newline\"policy\":\"qlru_h11_m1_r0_u0\""
is "... but in the file as they are" "$("$program" machine --format=file capitals.machine | cmp - capitals.machine)" ""
refused "an empty file" "" "1:1: expected the line machine NAME, found none"
refused "a policy" "${good}L2 1M 16 plrux" "5:10: expected policy, lru, fifo, random, random_SEED, plru, mru, mru_n, \
srrip, drrip, lru3plru4, or qlru_hXY_mX_rN_uN, found 'plrux'"
refused "a size" "${good}L2 1T 16 lru" "5:4: expected size, a size from 1 to 4G (bytes, or with K, M or G), found '1T'"
refused "a cost of a level that is not there" "${good}L2 1M 16 lru
cost L2 14
cost L4 60" "7:6: expected a level that the machine has, found 'L4'"
refused "a first level of a buffer that is larger than all of it" "${good}L2 1M 16 lru
btb 512 first=1024" "6:15: expected no more than all its entries, found '1024'"
refused "several cores and no level that they share" "${good}L2 1M 16 lru
cores 2" "6:7: expected 1 without an L3: each core has its own L2, found '2'"
refused "more cores than can be" "${good}L2 1M 16 lru
L3 4M 16 lru
cores 65" "7:7: expected cores, a number from 1 to 64, found '65'"
is "... and as many as can be, and what they cost" "$(printf '%sL2 1M 16 lru\nL3 4M 16 lru\ncores 64\ncost core 9\n' "$good" |
	"$program" machine - | sed -n 's/  */ /g; s/ $//; /core/p')" "cores 64${newline}cost core 9 cycles"
refused "a missing level" "$good" "5:1: expected a line L2, found none"
refused "bytes that are no text" "$(printf 'machine m\033[2J')" \
	"1:9: expected a name of a-z, 0-9, and after the first of these - _ ., found 'm.[2J'"
# What cycles are counted by though the text does not say it: of a machine that has a core.
printf '%sL2 1M 16 lru\ncore zen2\nwidth 5\ncost L2 20\ncost walk 30\n' "$good" >core.machine
unsaid="rob 224, fetch 32, misses 12, cost L1D 4, cost memory 120, cost mispredict 15"
is "what is not said" "$("$program" machine core.machine | tail -n 1)" \
	"Not said, and taken to be, for --cycles=yes: $unsaid"
is "... for programs" "$("$program" machine --format=json core.machine | python3 -c '
import json, sys
print(json.load(sys.stdin)["unsaid"])')" "$unsaid"
is "... of machines that are built in" "$(for file in "$machines"/*.machine; do "$program" machine "$file"; done | grep -c 'Not said')" 0
# limits MARK LEAST MOST LINE...: LINE is legal with these numbers in place of @, and with no others; and docs/MACHINES.md
# says so, in a row with MARK.
limits() {
	limits_mark=$1
	limits_range="$2 $3"
	shift 3
	for line; do
		for number in $limits_range; do
			printf '%sL2 1M 16 lru\n%s\n' "$good" "$line" | sed "s/@/$number/g" >limit.machine
			is "$line: $number" "$("$program" machine limit.machine 2>&1 >text)" ""
		done
		for number in $((${limits_range% *} - 1)) "$(python3 -c "print(${limits_range#* } + 1)")"; do
			printf '%sL2 1M 16 lru\n%s\n' "$good" "$line" | sed "s/@/$number/g" >limit.machine
			"$program" machine limit.machine >text 2>&1
			is "$line: not $number" "$? $(grep -c "limit.machine:6:.* found '\(random_\|hash:\)*$number'\$" text)" "1 1"
		done
	done
	is "the documentation: $limits_mark" "$(grep -c "^| $limits_mark | ${limits_range% *} to ${limits_range#* }" \
		"$top_srcdir/docs/MACHINES.md")" 1
}
limits 'caches: ways' 1 1024 'L3 4096K @ lru'
limits 'TLBs: ways' 1 1024 'DTLB 1024 @ 4K'
limits 'TLBs: entries' 1 65536 'DTLB @ 1 4K'
limits '`streams=`' 1 64 'prefetch L2 stream streams=@'
limits '`distance=`' 1 256 'prefetch L2 stream distance=@'
limits '`degree=`' 1 32 'prefetch L2 next-line degree=@' 'prefetch L1D ip-stride degree=@'
limits '`btb`, `rob`' 1 1048576 'btb @' 'rob @'
limits '`ras`' 1 256 'ras @'
limits '`first=`' 1 1048576 'btb 1048576 first=@'
limits '`width`' 1 64 'width @'
limits '`decoded=`' 1 64 'width 64 decoded=@'
limits '`cost`' 1 100000 'cost walk @' 'cost transfer @' 'cost jump @' 'cost btb @'
limits '`index=hash:SEED`' 1 18446744073709551614 'L3 4M 16 lru index=hash:@'
for number in 0 4294967295; do
	printf '%sL2 1M 16 random_%s\n' "$good" $number >limit.machine
	is "random_$number" "$("$program" machine limit.machine 2>&1 >text)" ""
done
printf '%sL2 1M 16 random_4294967296\n' "$good" >limit.machine
is "not random_4294967296" "$("$program" machine limit.machine 2>&1 | grep -c ':5:10: expected policy')" 1
head -c 70000 /dev/zero | tr '\0' '#' >bad.machine
is "a large file" "$("$program" machine bad.machine 2>&1)" \
	"costgrind machine: bad.machine: expected at most 65536 bytes"
is "no such file" "$("$program" machine ./none 2>&1)" \
	"costgrind machine: ./none: cannot open: No such file or directory"
is "no such name" "$("$program" machine zen 2>&1 | sed 's/, cachegrind.*zen5/ .../')" \
	"costgrind machine: zen: expected a file or one of host ..."
"$program" machine zen2 zen3 >text 2>&1
is "two machines" "$? $(cat text)" "2 costgrind machine: zen3: expected one machine at most"
"$program" machine help --format=file >text 2>&1
is "the list is no file" "$? $(cat text)" "2 costgrind machine: help: expected --format=text or json"
"$program" machine --format=xml >text 2>&1
is "another format" "$? $(cat text)" \
	"2 costgrind machine: --format: 'xml': expected text, json or file"
done_testing
