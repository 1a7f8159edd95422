#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind merge: sums derived by hand, any order of the inputs, what cannot be merged.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"

program=$top_builddir/costgrind
cp "$top_srcdir"/tests/cmds/inputs/* .

# fails NAME STATUS MESSAGE ARGS...: merge ends with a status and one line.
fails() {
	fails_name=$1
	fails_want="$2 $3"
	shift 3
	fails_got=$("$program" merge "$@" 2>&1 >/dev/null)
	is "$fails_name" "$? $fails_got" "$fails_want"
}

# -- sums ----------------------------------------------------------------------

golden merge/sum "$program" merge rank0.out rank1.out
golden merge/parts "$program" merge --as=parts rank0.out rank1.out
golden merge/threads "$program" merge --as=threads rank0.out rank1.out
golden merge/common "$program" merge --events=common rank0.out rank1.out other.out
golden merge/common_parts "$program" merge --as=parts --events=common other.out rank0.out
golden merge/function "$program" merge --by=function rank0.out rank1.out
# Of 5 and 0: minimum 0, average 2.5, that is 3, maximum 5.
golden merge/statistics "$program" merge --statistics=all rank0.out rank1.out
golden merge/statistics_function "$program" merge --statistics=max,min --by=function \
	--events=common rank0.out difference.out rank1.out
golden merge/to_cachegrind "$program" merge --to=cachegrind rank0.out rank1.out
golden merge/caches "$program" merge plain.cg bigger.cg
golden merge/twice "$program" merge plain.cg ./plain.cg
golden merge/help "$program" help merge

# Ir of main 7 - 9 and 4 + 4, of its calls of work 110 - 30, of work 85 - 30; in all 126 - 35.
"$program" merge -q --events=common rank0.out rank1.out difference.out >negative.out
golden merge/negative cat negative.out

# -- order ----------------------------------------------------------------------

permutations() {
	python3 -c 'import itertools, sys
for order in itertools.permutations(sys.argv[1:]):
    print(*order)' "$@"
}

"$program" merge -q --events=common rank0.out rank1.out other.out plain.cg difference.out >wanted
permutations rank0.out rank1.out other.out plain.cg difference.out | while read -r order; do
	# shellcheck disable=SC2086 # names without blanks
	"$program" merge -q --events=common $order | cmp -s - wanted || echo "$order"
done >differing
is "120 orders give the same bytes" "$(cat differing)" ""

"$program" merge -q --statistics=all --events=common rank0.out rank1.out other.out difference.out >wanted
permutations rank0.out rank1.out other.out difference.out | while read -r order; do
	# shellcheck disable=SC2086 # names without blanks
	"$program" merge -q --statistics=all --events=common $order | cmp -s - wanted || echo "$order"
done >differing
is "24 orders give the same statistics" "$(cat differing)" ""

"$program" merge rank0.out rank1.out plain.cg bigger.cg >flat 2>flat.warning
is "different caches are warned of" "$(cat flat.warning)" \
	"costgrind merge: warning: the files are of different caches"
# What all have in common is lost at the second file, but not that the third differs from the first.
sed '/LL cache/d' plain.cg >two.cg
sed '/D1 cache/d' plain.cg >first.cg
sed '/I1 cache/d; s/262144 B/1 B/' plain.cg >third.cg
permutations first.cg two.cg third.cg | while read -r order; do
	# shellcheck disable=SC2086 # names without blanks
	"$program" merge $order 2>&1 >/dev/null | grep -c 'different caches'
done >warned
is "... in every order of the files" "$(uniq -c warned | tr -s ' ')" " 6 1"
"$program" merge -q -o left rank0.out plain.cg
"$program" merge -q -o right bigger.cg rank1.out
"$program" merge -q -o tree right left
is "a tree of merges gives the same bytes" "$(cat tree)" "$(cat flat)"
"$program" merge -q -o alone tree
is "a merge of one is the same" "$(cat alone)" "$(cat flat)"

# -- regions ----------------------------------------------------------------------

# regions FILE PID EVENTS COSTS REGION...: a profile with regions, as their lines say them.
regions() {
	regions_file=$1
	printf '%s\n' "pid: $2" >"$regions_file"
	regions_rest="events: $3
fn=f
1 $4"
	shift 4
	printf 'desc: Region: %s\n' "$@" >>"$regions_file"
	printf '%s\n' "$regions_rest" >>"$regions_file"
}
regions a.out 1 "Ir Dr" "100 20" "3 times, 2 threads, costs 20 5: sort: by name" "1 times, 1 threads, costs 7: crc/64"
regions b.out 2 "Ir Dr" "100 20" "1 times, 1 threads, costs 30 1: sort: by name"
regions c.out 3 "Dr Ir" "20 100" "1 times, 4 threads, not over, costs 0 9: crc/64" "2 times, 1 threads, costs 2 1: sort: by name"
"$program" merge -q a.out b.out c.out >wanted
is "regions are added up" "$(sed -n 's/^desc: Region: //p; s/^events: //p' wanted)" \
	"2 times, 5 threads, not over, costs 16: crc/64
6 times, 4 threads, costs 51 8: sort: by name
Ir Dr"
is "... for annotate, too" "$("$program" annotate --by=region --format=csv wanted | grep '^region')" \
	"region,,,,,6,sort: by name,4,false,51,8
region,,,,,2,crc/64,5,true,16,0"
is "... which adds files up itself" "$("$program" annotate -q --by=region --format=csv a.out b.out c.out | grep '^region')" \
	"$("$program" annotate -q --by=region --format=csv wanted | grep '^region')"
permutations a.out b.out c.out | while read -r one two three; do
	"$program" merge -q "$one" "$two" "$three" | cmp -s - wanted || echo "$one" "$two" "$three"
	"$program" merge -q "$one" "$two" | "$program" merge -q "$three" - | cmp -s - wanted ||
		echo "$three ($one" "$two)"
done >differing
is "... in any order of the files, and in trees" "$(cat differing)" ""
"$program" merge -q --as=parts a.out b.out | grep 'Region' >parts
is "... and kept by part" "$(cat parts)" "$(cat a.out b.out | grep 'Region')"
"$program" merge -q --statistics=all a.out b.out | grep 'Region' >statistics
is "... and are in no statistics" "$(cat statistics)" ""
"$program" merge -q --to=cachegrind a.out | "$program" convert --to=callgrind - | grep 'Region' >through
is "... through Cachegrind's format" "$(cat through)" "$(grep 'Region' a.out)"
"$program" convert --to=callgrind --event=Dr a.out | grep 'Region' >through
is "... with one event" "$(cat through)" "$(sed -n 's/costs [0-9]*:/costs 0:/; s/costs [0-9]* /costs /; /Region/p' a.out)"
"$program" diff -o difference.regions a.out b.out
is "... a difference has none" "$(grep 'Region' difference.regions)" ""
regions large.out 4 Ir 1 "1 times, 1 threads, costs 18446744073709551615: crc/64"
fails "... beyond 64 bits" 1 "costgrind merge: large.out:5: a sum of counts is beyond 64 bits" a.out large.out

# -- machines ----------------------------------------------------------------------

# on FILE MACHINE SIZE: a profile of a run on a machine.
on() {
	printf '%s\n' "desc: Machine: $2" "desc: D1 cache: $3 B, 64 B, 8-way associative" "events: Ir" "fn=f" "1 2" >"$1"
}
on a.out "zen9, a processor, of 2030" 4096
on b.out "lake-1.2" 4096
on c.out "sea, another" 8192
sed '/Machine/d' c.out >d.out
on e.out "host, one computer" 4096
on f.out "host, one more" 8192
# unlike FILE...: the warning, and what is kept.
unlike() {
	"$program" merge "$@" 2>&1 | sed -n 's/^costgrind merge: warning: the files are of different //p; /^desc: \(Machine\|D1 cache\): /p'
}
is "machines are named" "$(unlike a.out b.out)" "machines: lake-1.2, zen9
desc: Machine: lake-1.2 + zen9
desc: D1 cache: 4096 B, 64 B, 8-way associative"
is "of one name, by their descriptions" "$(unlike e.out f.out)" "machines: host, one computer; host, one more
desc: Machine: host"
is "statistics, too" "$(unlike --statistics=max a.out c.out)" "machines: sea, zen9
desc: Machine: sea + zen9"
is "of one without a machine, nothing is kept" "$(unlike a.out c.out d.out)" "machines: sea, zen9"
# curve FILE TEXT: of as many lines as this says.
curve() {
	printf '%s\n' "desc: Kernel: a" "${2:+desc: Miss curve: $2}" "desc: Trigger: $1" "events: Ir M64K" "fn=f" "1 2 3" |
		sed '/^$/d' >"$1"
}
curve exact.out exact
curve eight.out "sampled, one line of 8"
curve sixteen.out "sampled, one line of 16"
curve silent.out
curve odd.out "by guess"
# curves FILE...: what is said about a sum of these.
curves() {
	"$program" merge -q "$@" | grep '^desc:' | grep -v Merged
}
is "the least exact curve" "$(curves exact.out sixteen.out eight.out)" "desc: Kernel: a
desc: Miss curve: sampled, one line of 16"
"$program" merge -q -o two.out sixteen.out exact.out
is "... whatever the order" "$(curves eight.out two.out)" "$(curves exact.out sixteen.out eight.out)"
is "curves that are alike" "$(curves eight.out eight.out)" "desc: Kernel: a
desc: Miss curve: sampled, one line of 8
desc: Trigger: eight.out"
is "a curve that is not described" "$(curves eight.out silent.out)" "desc: Kernel: a"
is "a curve of another kind" "$(curves odd.out eight.out)" "desc: Kernel: a"
is "the same machine stays" "$(unlike a.out a.out)" "desc: Machine: zen9, a processor, of 2030
desc: D1 cache: 4096 B, 64 B, 8-way associative"
"$program" merge -q -o wanted a.out b.out c.out e.out f.out
is "five machines" "$(grep '^desc: Machine' wanted)" "desc: Machine: host + lake-1.2 + sea + zen9"
permutations a.out b.out c.out e.out f.out | while read -r order; do
	# shellcheck disable=SC2086 # names without blanks
	"$program" merge -q $order | cmp -s - wanted || echo "$order"
done >differing
is "... in each order" "$(cat differing)" ""
"$program" merge -q -o left a.out b.out
"$program" merge -q -o right f.out c.out e.out
is "... as a tree" "$("$program" merge -q right left)" "$(cat wanted)"
"$program" merge -q -o more wanted a.out
is "... and one of them once more" "$(grep '^desc: Machine' more; "$program" merge wanted wanted 2>&1 | grep Machine)" \
	"desc: Machine: host + lake-1.2 + sea + zen9
desc: Machine: host + lake-1.2 + sea + zen9"

# -- what runs say about themselves ---------------------------------------------------

# said FILE LINES...: a profile with these desc lines.
said() {
	said_name=$1
	shift
	{
		[ $# -eq 0 ] || printf 'desc: %s\n' "$@"
		printf '%s\n' "events: Ir" "fn=f" "1 2"
	} >"$said_name"
}
said g.out 'Collected: 3 of 7,012,334 instructions' 'Instrumentation: off for a part of the run' 'Ended: exit 1' 'Not profiled: 2 programs: /bin/sh, /bin/b'
said h.out 'Collected: 1 of 1 instruction' 'Ended: signal 6' 'Time asked: 301 times' \
	'Not profiled: 9 programs: 8, 7, 6, 5, 4, 3, 2, 1, ...'
said i.out 'Collected: 0 of 12 instructions' 'Ended: signal 11' 'Time asked: 1,699 times' 'Not profiled: 1 program: /bin/a'
said j.out 'Collected: 5 of 5 instructions' 'Ended: exit 127'
"$program" merge -q -o wanted g.out h.out i.out j.out
is "facts are added up, and the worst end counts" "$(grep ^desc: wanted)" \
	"desc: Collected: 9 of 7,012,352 instructions
desc: Instrumentation: off for a part of the run
desc: Ended: signal 11
desc: Not profiled: 9 programs: /bin/a, /bin/b, /bin/sh, 1, 2, 3, 4, 5, ...
desc: Time asked: 2,000 times
desc: Merged profiles: 4"
permutations g.out h.out i.out j.out | while read -r order; do
	# shellcheck disable=SC2086 # names without blanks
	"$program" merge -q $order | cmp -s - wanted || echo "$order"
done >differing
is "... in each order" "$(cat differing)" ""
"$program" merge -q -o left g.out h.out
"$program" merge -q -o right j.out i.out
is "... as a tree" "$("$program" merge -q right left)" "$(cat wanted)"
is "a program counts once" "$("$program" merge -q g.out i.out g.out | grep Not)" \
	"desc: Not profiled: 3 programs: /bin/a, /bin/b, /bin/sh"
is "another program" "$("$program" merge -q i.out g.out | grep Not)" \
	"desc: Not profiled: 3 programs: /bin/a, /bin/b, /bin/sh"
said silent.out
is "a part that does not say how much was collected" "$("$program" merge -q g.out silent.out | grep ^desc:)" \
	"desc: Instrumentation: off for a part of the run
desc: Ended: exit 1
desc: Not profiled: 2 programs: /bin/b, /bin/sh
desc: Merged profiles: 2"
odd="Collected: some of 7 instructions
Ended: well
Not profiled: 3 processes
Time asked: 1,000,000,000,000,000,001 times"
said odd.out "Collected: some of 7 instructions" "Ended: well" "Not profiled: 3 processes" \
	"Time asked: 1,000,000,000,000,000,001 times"
is "lines of another form are lines as any" "$("$program" merge -q odd.out odd.out | sed -n 's/^desc: //p')" "$odd
Merged profiles: 2"
is "all of this is sound" "$("$program" check -q g.out h.out i.out j.out odd.out wanted; echo $?)" 0
printf 'rank0.out\nrank1.out\n\nplain.cg\n' >list
is "names in a file" "$("$program" merge -q --files-from list bigger.cg)" "$(cat flat)"
printf 'rank0.out\0rank1.out\0plain.cg\0' >list
is "names ended by NUL" "$("$program" merge -q --files-from=list bigger.cg)" "$(cat flat)"
newline='
'
cp rank0.out "rank${newline}0"
printf 'rank\n0\0rank1.out\0plain.cg' >list
is "names with line feeds" "$("$program" merge -q --files-from=list bigger.cg)" "$(cat flat)"
printf 'rank0.out\r\nrank1.out\r\n\r\nplain.cg' >list
is "names ended by CR LF" "$("$program" merge -q --files-from=list bigger.cg)" "$(cat flat)"
is "standard input" "$("$program" merge -q - bigger.cg rank1.out plain.cg <rank0.out)" "$(cat flat)"
for packer in gzip zstd xz bzip2; do
	$packer -q -k plain.cg
done
is "compressed files" "$("$program" merge -q rank0.out rank1.out plain.cg.gz bigger.cg)" "$(cat flat)"
for suffix in zst xz bz2; do
	is "compressed files, $suffix" "$("$program" merge -q rank0.out rank1.out plain.cg.$suffix bigger.cg)" \
		"$(cat flat)"
done

# Names that cannot be written as they are: a file's are the names in what was made of it.
printf 'cmd: \001x\377y\ndesc: Note: a\001b\377\nevents: Ir\nob=(1) o\177\nfl=(1) caf\351\nfn=(1) a\001b
1 1\nfn=(2) (3)f\n1 2\nfn=(3) g \n1 4\nfn=(4) a\302\205b\n1 8\nfn=(5) a\0b\n1 16\nfn=(6) g\n1 32\n' >raw.out
"$program" merge -q raw.out raw.out >flat.raw
"$program" merge -q -o once.raw raw.out
"$program" merge -q once.raw raw.out >tree.raw
is "a tree of merges of odd names" "$(cat tree.raw)" "$(cat flat.raw)"
is "odd names" "$(grep -a -e ^cmd -e ^desc: -e '^f[ln]=.* ' -e ^ob= flat.raw)" 'cmd: x\xffy
desc: Note: a b\xff
desc: Merged profiles: 2
ob=(1) o\x7f
fl=(1) caf\xe9
fn=(1) \x283)f
fn=(2) a\x00b
fn=(3) a\x01b
fn=(4) a\xc2\x85b
fn=(5) g
fn=(6) g\x20'

printf 'events: Ir\nfl=./dir//a.c\nfn=f\n1 2\nfl=dir/a.c\nfn=f\n1 3\n' >spelled.out
is "two spellings of a file are one" "$("$program" merge spelled.out | sed -n '/^fl/,/^$/p')" 'fl=(1) ./dir//a.c
fn=(1) f
1 5'

# -- names -----------------------------------------------------------------------

printf 'events: Ir\nob=/b/1/p\nfl=/b/1/a.c\nfn=f.part.0\n1 2\n' >built1.out
printf 'events: Ir\nob=/b/2/p\nfl=/b/2/a.c\nfn=f\n1 3\n' >built2.out
# same NAME WANTED OPTIONS...: what becomes of both, from the first ob= on.
same() {
	same_name=$1
	same_want=$2
	shift 2
	is "$same_name" "$("$program" merge "$@" built1.out built2.out |
		sed -e '1,/^events:/d' -e '/^summary:/d' -e '/^totals:/d' -e '/^$/d')" "$same_want"
}

same "names stay" "ob=(1) /b/1/p
fl=(1) /b/1/a.c
fn=(1) f.part.0
1 2
ob=(2) /b/2/p
fl=(2) /b/2/a.c
fn=(2) f
1 3"
same "names that become equal are one" "ob=(1) /b/2/p
fl=(1) /b/2/a.c
fn=(1) f
1 5" --fold-names --source-map=/b/1=/b/2
same "statistics of names that become equal" "ob=(1) /b/2/p
fl=(1) /b/2/a.c
fn=(1) f
1 2 3" --statistics=min,max --fold-names --source-map=/b/1=/b/2
is "parts with names that become equal" \
	"$("$program" merge --as=parts --mod-filename='s,/b/(.)/,$1_,' --mod-funcname=s/part/piece/ \
		built1.out built2.out | grep -E '^(fl|fn)=')" \
	"fl=(1) 1_a.c
fn=(1) f.piece.0
fl=(1) 2_a.c
fn=(1) f"
cp "$top_srcdir/tests/golden/annotate/inputs/slow.cg" .
for options in --as=sum --as=parts --statistics=max; do
	fails "an expression that takes for ever, $options" 1 "costgrind merge: tries too many ways to \
match: expected a simpler expression: \
'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'" \
		-o out $options '--mod-funcname=s/(a|aa)+$//' slow.cg
done
fails "a bad expression" 2 "costgrind merge: --mod-funcname: 's/a': expected s/OLD/NEW/, in column 4: \
expected '/' at the end of OLD" --mod-funcname s/a built1.out

is "an empty profile in Cachegrind's format" "$("$program" merge -q --to=cachegrind /dev/null)" ""
printf 'events: Ir I2mr\nfn=f\n1 4 1\n' >old.out
printf 'events: ILmr Ir\nfn=f\n1 2 5\n' >new.out
is "two names of an event are one, as parts" "$("$program" merge --as=parts old.out new.out |
	grep -e ^events -e ^totals)" 'events: Ir I2mr
totals: 4 1
events: Ir I2mr
totals: 5 2'
cp "$top_srcdir/tests/profiles/callgrind-parts.cg" parts.cg
is "later parts are of the caches and the program of the first" \
	"$("$program" merge parts.cg | sed -n '/^pid/,/^positions/p')" "pid: 7047
cmd: ./calls_plain
desc: I1 cache: 32768 B, 64 B, 8-way associative
desc: D1 cache: 32768 B, 64 B, 8-way associative
desc: LL cache: 8388608 B, 64 B, 16-way associative
positions: line"
is "... and so compared with other files' parts" \
	"$(sed 's/8388608 B/1 B/' parts.cg >others.cg; "$program" merge others.cg parts.cg 2>&1 >/dev/null)" \
	"costgrind merge: warning: the files are of different caches"
{ seq -f 'desc: Note %04g: x' 1000 && printf 'events: Ir\nfn=f\n1 4\n'; } >notes.out
is "a thousand desc lines" "$("$program" merge notes.out | grep -c '^desc: Note')" 1000
printf 'events: a:b\nfn=f\n1 4\n' >odd.out
is "statistics of an event that cannot be defined" \
	"$("$program" merge --statistics=max odd.out | grep event)" "events: a:bMax"

name=$(printf '%070d' 0 | tr 0 x)
printf 'events: %s\nfn=f\n1 4\n' "$name" >odd.out
is "statistics of an event with a long name" "$("$program" merge --statistics=max odd.out |
	grep ^event)" "event: ${name}Max : $name, maximum of the inputs
events: ${name}Max"
printf 'event: Sum = Ir +\t2 Dr : all\nevents: Ir Dr\nfn=f\n1 2\n' >tab.out
is "a tab in a formula" "$("$program" merge tab.out | grep ^event:)" "event: Sum = Ir + 2 Dr : all"

# What functions cost is 5 and 7; what was said about Dr is more, and may be: costs of what was not
# collected.
corrected='events: Ir Dr
summary: 5 9
totals: 5 7'
printf 'events: Ir Dr\nsummary: 4 9\nfn=f\n1 5 7\ntotals: 5 7\n' >low.out
told=$("$program" merge low.out 2>told.err | grep -e ^events: -e ^summary: -e ^totals:)
is "a summary below the costs" "$told
$(cat told.err)" "$corrected
costgrind merge: warning: low.out: totals in it cannot be right, as its functions cost more or a \
number wrapped: using the sum of what they cost"
sed 's/^summary: 4/summary: 18446744073709551610/' low.out >wrapped.out
for option in --as=sum --as=parts --as=threads; do
	is "a summary that wrapped, $option" "$("$program" merge -q $option wrapped.out |
		grep -e ^events: -e ^summary: -e ^totals:)" "$corrected"
done
printf 'events: Ir Dr\nfn=g\n1 -1\n' >below.out
is "... twice" "$("$program" merge -q wrapped.out wrapped.out | grep ^summary:)" "summary: 10 18"
is "... before and after one with counts below 0" "$("$program" merge -q below.out low.out)" \
	"$("$program" merge -q low.out below.out)"
is "totals of that" "$("$program" merge -q below.out low.out | sed -n '/^summary:/p;/^totals:/p')" \
	"summary: 4 9
totals: 4 7"

# X is of Dr, Y of X, Z of neither; Mem is of what no file has, and Ir has a long name.
{
	printf 'event: Ir : instructions\nevent: X = Ir + 2 Dr\nevent: Y = 2 X\nevent: Z = 3 Ir : z\n'
	printf 'event: Mem = Ir + Dw\nevents: Ir Dr\nfn=f\n1 5 7\n'
} >formulas.out
definitions='event: Ir : instructions
event: Mem = Ir + Dw
event: Z = 3 Ir : z'
printf 'events: Ir\nfn=f\n1 1\n' >ir.out
told=$("$program" merge --events=common formulas.out ir.out 2>told.err | grep ^event:)
is "formulas of events that are left out" "$told
$(cat told.err)" "$definitions
costgrind merge: warning: formulas of events that are left out are left out too, 2 of them"
is "... in a tree" "$("$program" merge -q --events=common formulas.out ir.out |
	"$program" merge -q --events=common - ir.out | grep ^event:)" "$definitions"
is "... as parts" "$("$program" merge -q --as=parts --events=common formulas.out ir.out |
	grep ^event: | sort)" "$definitions"
is "formulas of events that are there" "$("$program" merge formulas.out formulas.out 2>/dev/null |
	grep -c ^event:)" 5

# -- failures -------------------------------------------------------------------

fails "no file" 2 "costgrind merge: expected profiles to merge"
fails "no such option" 2 "costgrind merge: --sum: no such option, try 'costgrind help merge'" --sum rank0.out
fails "no such word" 2 "costgrind merge: --as: 'ranks': expected sum, parts or threads" \
	--as=ranks rank0.out
fails "no such statistic" 2 "costgrind merge: --statistics: 'min,mean': expected sum, min, avg, \
max, with commas between, or all" --statistics=min,mean rank0.out
fails "statistics of parts" 2 "costgrind merge: expected --as=sum with --statistics" \
	--statistics=avg --as=parts rank0.out
fails "no value" 2 "costgrind merge: -o: expected FILE" rank0.out -o
fails "a value too many" 2 "costgrind merge: --lenient: 'maybe': expected yes or no" \
	--lenient=maybe rank0.out
fails "standard input twice" 2 "costgrind merge: -: expected standard input once" - -
fails "parts in Cachegrind's format" 2 \
	"costgrind merge: expected --to=callgrind, Cachegrind's format has no parts" \
	--as=parts --to=cachegrind rank0.out
# -- where it goes --------------------------------------------------------------

"$program" merge rank0.out >wanted
mkdir devices
ln -s /proc/self/fd/1 devices/stdout
"$program" merge -o devices/stdout rank0.out >redirected
is "a link to a descriptor" "$(readlink devices/stdout) $(cmp redirected wanted && echo same)" \
	"/proc/self/fd/1 same"
"$program" merge -o /dev/stdout rank0.out >redirected
is "/dev/stdout" "$(cmp redirected wanted && echo same)" same
echo old >there
ln -s ../there devices/link
ln -s ../gone devices/dangling
there=$(stat -c %i there)
"$program" merge -o devices/link rank0.out
"$program" merge -o devices/dangling rank0.out
is "links stay, what they lead to is replaced" "$(readlink devices/link) \
$(cmp there wanted && cmp gone wanted && echo same)" "../there same"
is "... in the same file, with a link or without one" "$(stat -c %i there)" "$there"

# What is there keeps its owner and mode; it stays the same file where others may know it by that.
(umask 027 && "$program" merge -o new rank0.out)
is "a new file follows the umask" "$(stat -c %a new)" 640
echo old >kept
chmod 604 kept
if [ "$(id -u)" -eq 0 ]; then
	chown 65534:65533 kept
fi
before=$(stat -c '%u %g %a' kept)
exec 9<kept
"$program" merge -o kept rank0.out
is "owner and mode are kept" "$(stat -c '%u %g %a' kept) $(cmp kept wanted && cat <&9)" "$before old"
exec 9<&-
: >opened
exec 9<opened
"$program" merge -o opened rank0.out
is "a handle that was opened before" "$(cat <&9)" "$(cat wanted)"
exec 9<&-
yes "an old and long one" | head -n 10000 >first
ln first second
"$program" merge -o second rank0.out
is "two names of one file" "$(cmp first wanted && stat -c %h first)" 2
# overwritten FILE BEFORE NAME: overwritten, and nothing is next to it.
overwritten() {
	is "$3" "$(stat -c %i "$1") $(cmp "$1" wanted && find . -name '.*partial')" "$2 "
}
build refusing "$top_srcdir/tests/programs/refusing.c"
yes "an old and long one" | head -n 10000 >mounted
before=$(stat -c %i mounted)
./refusing rename=EBUSY -- "$program" merge -o mounted rank0.out
overwritten mounted "$before" "a file that cannot be renamed over"
: >opened
before=$(stat -c %i opened)
./refusing fallocate=EOPNOTSUPP -- "$program" merge -o opened rank0.out
overwritten opened "$before" "a file system that gives no room beforehand"
yes "an old and long one" | head -n 10000 >first
before=$(stat -c %i first)
./refusing fallocate=EOPNOTSUPP -- "$program" merge -o second rank0.out
overwritten first "$before" "... nor where it has been full"
mkdir readonly
yes "an old and long one" | head -n 10000 >readonly/file
before=$(stat -c %i readonly/file)
weak=
[ "$(id -u)" -ne 0 ] || weak="setpriv --inh-caps=-all --bounding-set=-all"
chmod 555 readonly
$weak "$program" merge -o readonly/file rank0.out 2>said
overwritten readonly/file "$before" "a folder that cannot be written"
is "... and says so" "$(cat said)" "costgrind merge: warning: readonly/file was overwritten in place; \
no temporary file could be made next to it: Permission denied"
chmod 755 readonly

# A file system that has room for the new file, but not for it twice.
cat >on_full_disk <<'END'
mkdir -p disk && mount -t tmpfs -o size=16k none disk || exit
printf 'old%4093d' 0 >disk/first
ln disk/first disk/second
head -c 4096 /dev/zero >disk/filler
"$1" merge -o disk/first large.out >full 2>&1
echo "$? $(cat full) $(head -c 3 disk/second) $(wc -c <disk/second) $(ls -A disk | wc -l)" >status
END
awk 'BEGIN { print "events: Ir"; for (i = 0; i < 200; i++) printf "fn=function_%d\n1 1\n", i }' >large.out
rm -f status
if unshare -m true 2>/dev/null; then
	unshare -m sh ./on_full_disk "$program" 2>why
else
	unshare -rm sh ./on_full_disk "$program" 2>why
fi
if [ -e status ]; then
	is "room for one of both" "$(cat status)" \
		"1 costgrind merge: disk/first: No space left on device old 4096 3"
else
	skip_here "room for one of both" "no tmpfs can be mounted: $(head -n 1 why)"
fi

# limited FILE: what is said and left, if files may have 512 bytes.
limited() {
	(ulimit -f 1 && exec "$program" merge -o "$1" large.out) 2>&1
	echo $?
}
is "a limit of sizes" "$(limited first)" "costgrind merge: first: File too large
1"
is "a limit of sizes, a new file" "$(limited unlimited)" "costgrind merge: unlimited: File too large
1"
is "... and what was there is" "$(cmp second wanted; find . -name '*unlimited*')" ""

# What comes while inputs are read is no less the others' than what was there before.
cp rank0.out late.in
# comes_late COMMAND...: run when the output is open already, since the input is a pipe.
comes_late() {
	rm -f pipe.in late
	mkfifo pipe.in
	"$program" merge -o late pipe.in 2>late.err &
	exec 8>pipe.in
	"$@"
	cat late.in >&8
	exec 8>&-
	wait $!
	late=$?
}
comes_late ln -s there late
is "a link that comes late" "$late $(cat late.err) $(readlink late) $(cmp there wanted)" \
	"1 costgrind merge: late: File exists there "
comes_late sh -c ': >late; stat -c %i late >inode'
is "an empty file that comes late" "$late $(stat -c %i late) $(head -n 1 late)" \
	"0 $(cat inode) $(head -n 1 wanted)"
comes_late sh -c 'echo old >later; ln later late'
is "one of two names that comes late" "$late $(stat -c %h late)" "0 2"

if [ "$(id -u)" -eq 0 ]; then
	mkdir sticky
	chmod 1777 sticky
	echo mine >victim
	echo mine >sticky/file
	ln -s ../victim sticky/link
	ln -s sticky/link chain
	ln -s .. sticky/up
	ln -s sticky/up up
	chown -h 65534 sticky/link sticky/file sticky/up
	for name in sticky/link sticky/file chain sticky/up/newer up/newer; do
		fails "another user's $name" 1 "costgrind merge: $name: another user's file or link, in \
a directory that all may write" -o $name rank0.out
	done
	is "... is not followed" "$(cat victim sticky/file; find . -name newer)" "mine
mine"
	mkdir sticky/folder
	chown 65534 sticky/folder
	ln -s sticky/folder folder
	"$program" merge -o folder/new rank0.out
	is "another user's folder is none, nor is an own link to it" "$(cmp folder/new wanted)" ""
	comes_late sh -c 'ln -s victim late && chown -h 65534 late'
	is "another user's link that comes late" "$late $(cat victim) $(stat -c %F late)" "1 mine symbolic link"
else
	skip_here "another user's link" "not root"
fi
ln -s loop loop
fails "a link to itself" 1 "costgrind merge: loop: Too many levels of symbolic links" -o loop rank0.out

fails "a missing file" 1 "costgrind merge: missing: cannot open: No such file or directory" \
	-o out rank0.out missing
fails "a missing list" 1 "costgrind merge: missing: No such file or directory" --files-from missing
fails "different events" 1 "costgrind merge: other.out: expected the events of the files before it; \
not in all of them: Bc (--events=common takes the others)" -o out rank0.out other.out rank1.out
fails "different events, statistics" 1 "costgrind merge: other.out: expected the events of the files \
before it; not in all of them: Bc (--events=common takes the others)" -o out --statistics=min \
	rank0.out other.out
fails "different events, as parts" 1 "costgrind merge: other.out: expected the events of the files \
before it (--events=common takes those of all)" -o out --as=parts rank0.out other.out
printf 'events: Dw\nfn=f\n1 1\n' >writes.out
fails "no common event" 1 "costgrind merge: writes.out: expected an event that all files before it \
have" -o out --events=common rank0.out writes.out
fails "no common event, as parts" 1 "costgrind merge: writes.out: expected an event that all files \
before it have" -o out --as=parts --events=common rank0.out writes.out
fails "standard input is not read twice" 1 "costgrind merge: -: expected a regular file, \
--events=common reads it twice" -o out --as=threads --events=common rank0.out -
mkfifo pipe
fails "nor is a pipe" 1 "costgrind merge: pipe: expected a regular file, --events=common reads it \
twice" -o out --as=parts --events=common rank0.out pipe
printf 'events: Ir\nfn=f\n1 1\nfoo\n' >bad.out
fails "no profile" 1 "costgrind merge: bad.out:4:1: expected a header line, costs, or one of ob= fl= \
fi= fe= fn= cob= cfi= cfn= calls= jump= jcnd=" -o out bad.out
fails "no profile, as parts" 1 "costgrind merge: bad.out:4:1: expected a header line, costs, or one \
of ob= fl= fi= fe= fn= cob= cfi= cfn= calls= jump= jcnd=" -o out --as=parts bad.out
printf 'events: Ir\nfn=f\n1 18446744073709551615\n' >large.out
printf 'events: Ir\nfn=f\n1 1\n' >one.out
fails "a sum beyond 64 bits" 1 "costgrind merge: one.out:3: a sum of counts is beyond 64 bits" \
	-o out large.out one.out
fails "a sum beyond 64 bits, statistics" 1 "costgrind merge: one.out: a sum of counts is beyond 64 \
bits" -o out --statistics=sum,max large.out one.out
events() {
	seq -f "$3%g" "$1" "$2" | tr '\n' ' '
}
{ echo "events: $(events 1 65 E)"; printf 'fn=f\n1 1\n'; } >many.out
fails "too many events for statistics" 1 "costgrind merge: many.out: expected at most 64 events in \
all, for statistics" -o out --statistics=max many.out
{ echo "events: $(events 1 200 E)"; printf 'fn=f\n1 1\n'; } >many.out
{ echo "events: $(events 1 57 F)"; printf 'fn=f\n1 1\n'; } >more.out
fails "too many events" 1 "costgrind merge: more.out:2: expected at most 256 events in all" \
	-o out --events=common many.out more.out
is "nothing was written" "$(find . -name '*out.*partial' -o -name out)" ""

echo old >kept
fails "a failure leaves what was there" 1 \
	"costgrind merge: missing: cannot open: No such file or directory" -o kept rank0.out missing
is "what was there" "$(cat kept)" old
fails "no such folder" 1 "costgrind merge: nowhere/out: No such file or directory" \
	-o nowhere/out rank0.out
fails "a full disk" 1 "costgrind merge: /dev/full: No space left on device" -o /dev/full rank0.out
fails "a full disk, as parts" 1 "costgrind merge: /dev/full: No space left on device" -o /dev/full \
	--as=parts rank0.out rank1.out
fails "a full disk, statistics" 1 "costgrind merge: /dev/full: No space left on device" \
	-o /dev/full --statistics=min rank0.out
fails "a full disk, Cachegrind's format" 1 "costgrind merge: /dev/full: No space left on device" \
	-o /dev/full --to=cachegrind plain.cg
got=$("$program" merge rank0.out 2>&1 >/dev/full)
is "standard output full" "$? $got" "1 costgrind merge: standard output: No space left on device"

for option in --as=sum --as=parts --as=threads --statistics=min --events=common --lenient; do
	fails "an empty file, $option" 1 \
		"costgrind merge: /dev/null: expected a profile, found an empty file" \
		$option -q rank0.out /dev/null
done
printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n' >begun.out
fails "no more than the beginning of a header" 1 \
	"costgrind merge: begun.out: expected a profile, found no 'events:' line" begun.out
fails "skipped lines" 0 "costgrind merge: warning: bad.out:4:1: expected a header line, costs, or \
one of ob= fl= fi= fe= fn= cob= cfi= cfn= calls= jump= jcnd=; lines skipped: 1" --lenient bad.out
is "no warnings" "$("$program" merge -q --lenient bad.out 2>&1 >/dev/null)" ""
is "which file is read" "$("$program" merge -v rank0.out 2>&1 >/dev/null)" \
	"costgrind merge: parsing rank0.out"

# Profiles that are cut short: a sum of them would look like one of whole ones.
sed '/^totals:/d' rank0.out >cut.out
short="cut.out:$(wc -l <cut.out): expected \"totals:\" at the end, the profile may be cut short"
for option in --as=sum --as=parts --statistics=min; do
	fails "a profile of Callgrind cut short, $option" 1 \
		"costgrind merge: $short (--lenient takes it)" $option -o out cut.out
	fails "the same, leniently" 0 "costgrind merge: warning: $short" $option --lenient cut.out
	fails "the same, quietly" 0 "" $option --lenient -q cut.out
done
is "nothing is written of a profile cut short" "$(find . -name out)" ""
# What a sum says: the first text by bytes, for in any order it must be the same one.
salvaged="desc: Salvaged: line ${short#cut.out:}"
for option in --as=sum --as=parts --as=threads --statistics=min; do
	is "$option says that a profile was cut short" \
		"$("$program" merge -q $option --lenient rank0.out cut.out | grep '^desc: Salvaged')" "$salvaged"
done
"$program" check -q --salvage -o salvaged.out cut.out >salvage.log
sed 's/^desc: Salvaged: .*/desc: Salvaged: a/' salvaged.out >first.out
is "a sum of what was salvaged" "$("$program" merge -q rank0.out salvaged.out | grep '^desc: Salvaged')" "$salvaged"
is "... is the same in each order" "$("$program" merge -q salvaged.out rank0.out first.out | grep '^desc: Salvaged') $(
	"$program" merge -q first.out salvaged.out | grep '^desc: Salvaged')" "desc: Salvaged: a desc: Salvaged: a"
sed '/^summary:/d' plain.cg >cut.cg
fails "a profile of Cachegrind cut short" 1 "costgrind merge: cut.cg:$(wc -l <cut.cg): expected \
\"summary:\" at the end, the profile may be cut short (--lenient takes it)" cut.cg
# Callgrind's says what the run cost in the header too, which has nobody miss the end.
printf '# callgrind format\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir Dr\nsummary: 5 6\n
fn=(1) f\n1 5 6\ntotals: 5 6\n' >whole.out
is "a whole profile" "$("$program" merge whole.out 2>&1 >/dev/null; echo $?)" 0
for cut in 'totals: 5 6' 'totals: 5 ' 'totals: 5' 'totals: ' totals:; do
	{ sed '/^totals/d' whole.out; printf %s "$cut"; } >cut.out
	fails "cut after '$cut'" 1 "costgrind merge: cut.out:9: expected a line feed at the end, the \
profile may be cut short (--lenient takes it)" cut.out
done
for cut in 'totals: 5' totals:; do
	{ sed '/^totals/d' whole.out; echo "$cut"; } >cut.out
	fails "'$cut' in a line" 1 "costgrind merge: cut.out:9: expected \"totals:\" to be the sum of the \
costs, the profile may be damaged (--lenient takes it)" cut.out
done
{ sed '/^summary/d' plain.cg; printf 'summary: 1'; } >cut.cg
fails "a profile of Cachegrind cut in its last line" 1 "costgrind merge: cut.cg:$(($(wc -l <cut.cg) + 1)): \
expected a count for each event in \"summary:\", the profile may be cut short (--lenient takes it)" cut.cg
printf 'events: Ir Dr\nfn=f\n1 5 6\ntotals: 5 6' >others.out
is "others may leave out the line feed" "$("$program" merge others.out 2>&1 >/dev/null; echo $?)" 0

# The file appears when it is whole: while it is written, nothing has its name.
mkfifo slow
"$program" merge -o appears rank0.out slow &
exec 3>slow
printf 'events: Ir Dr\n' >&3
is "nothing yet" "$(find . -name '*appears*')" ""
exec 3>&-
wait $!
is "it is there" "$? $(head -1 appears)" "0 # callgrind format"

# Nothing is left of it if it is interrupted.
env --default-signal "$program" merge -o interrupted rank0.out slow &
exec 3>slow
printf 'events: Ir Dr\n' >&3
kill -INT $!
wait $!
is "interrupted" "$? $(find . -name '*interrupted*')" "130 "
exec 3>&-

# What another process, which writes the same file, calls it until then.
mkdir .shared.partial
"$program" merge -o shared rank0.out
is "a temporary name of its own" "$? $(head -1 shared)" "0 # callgrind format"
name=$(printf '%0255d' 7)
"$program" merge -o "$name" rank0.out
is "a name of 255 bytes" "$? $(head -1 "$name")" "0 # callgrind format"

# A file may be merged with itself in its place.
"$program" merge -q rank0.out rank1.out >wanted
cp rank0.out grows
"$program" merge -o grows grows rank1.out
is "a file among its own inputs" "$(cat grows)" "$(cat wanted)"
done_testing
