#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind bench: rows, baselines, what fails, forms, several programs.
. "$top_srcdir/tests/lib.sh"

command=$top_builddir/costgrind
# version NAME FLAGS...: a build of the program, which is called bench when it is run.
version() {
	version_name=$1
	shift
	build "$version_name" "$top_srcdir/tests/programs/benchmarks.c" -O1 -g -I"$top_srcdir/tool" "$@"
}
# bench VERSION ARGS...: a run of a version; sets status.
bench() {
	cp "$1" bench
	shift
	"$command" bench "$@" -- ./bench >out 2>err
	status=$?
}
# rows: states and names of the rows of text.
rows() {
	sed -n '/^ *Ir /,$p' out | sed '1d; /^most /d; /^changed most/d' | sed -n 's/^\([a-z]*\) .*  \([^ ].*\)$/\1 \2/p'
}

line=$(grep -n 'sum >> 1' "$top_srcdir/tests/programs/benchmarks.c" | cut -d : -f 1) # where most is spent
version base
version slow25 -DROUNDS=1250
version slow2 -DROUNDS=1020
version relinked -DPADDING
version renamed -DNAME='"sort: by name"'
version empty -DEMPTY
version left -DLEFT
version open -DOPEN
version crash -DCRASHES
version failing -DSTATUS=7

# --- rows, and a baseline ------------------------------------------------------------------------

bench base --save=base.txt
is "exit status" "$status $(cat err)" "0 "
is "rows" "$(sed -n 's/^.* \(crc.*\|sort\|benchmark\)$/\1/p; 1p' out)" "2 benchmarks
benchmark
crc/64: <a, b>
sort"
is "what the program prints is dropped" "$(grep -c 'done' out)" 0
is "the baseline" "$(sed -n '1p; s/^\([A-Za-z0-9][A-Za-z0-9]* \)[0-9.]* /\1N /p' base.txt)" "# costgrind bench, version 1: event, count, benchmark
Ir N crc/64: <a, b>
Cyc N crc/64: <a, b>
D1m N crc/64: <a, b>
Bm N crc/64: <a, b>
allocSize N crc/64: <a, b>
Ir N sort
Cyc N sort
D1m N sort
Bm N sort
allocSize N sort"
is "... what it was made with" "$(grep -c '^# \(C library\|Compiler\|Machine\|Counting\|costgrind\): ' base.txt)" 5

crc_cost=$(sed -n 's/^  \([0-9]*\) benchmarks.c:crc$/\1/p' base.txt)
is "... the functions of each" "$(sed -n '/allocSize .* crc/,/^Ir/s/^  [0-9]* //p' base.txt)" "benchmarks.c:crc
benchmarks.c:main"
is "... by name, none below 1 %" "$(sed -n '/^allocSize .* sort/,$s/^  [0-9]* //p' base.txt | LC_ALL=C sort -c 2>&1)$(
	awk '/^Ir/ { ir = $2 } /^  / && $1 * 100 < ir' base.txt)" ""

# The same bytes in ten environments, and in another folder.
for i in 1 2 3 4 5 6 7 8 9 10; do
	mkdir -p "folder$i"
	cp base "folder$i/bench"
	(
		cd "folder$i" || exit
		# shellcheck disable=SC2046 # several words
		env HOME="/tmp/$i" LANG=C USER="user$i" $(seq -f V%.0f=xxxxxxxxxxx $((i * 13))) \
			"$command" bench -q --save=again -- ./bench >/dev/null
		cmp again ../base.txt
	)
done >differing 2>&1
is "the same bytes in ten environments" "$(cat differing)" ""

# --- what fails ------------------------------------------------------------------------------------

bench slow25 --against=base.txt
is "25 % slower" "$status $(rows)" "3 broken crc/64: <a, b>"
is "... in words" "$(sed 's/[0-9,]* to [0-9,]*/A to B/; s/+2[0-9.]*%/+P/' err)" \
	"costgrind bench: crc/64: <a, b>: Ir A to B (+P), limit: region * Ir +1%"
slow_cost=$(sed -n 's/^changed most: crc, +\([0-9,]*\) Ir .*/\1/p' out | tr -d ,)
is "... where" "$((slow_cost * 4 > crc_cost * 99 / 100)) $(sed -n 's/^changed.*(was \([0-9]*\),\([0-9]*\)), /\1\2 /p' out)" \
	"1 $crc_cost line $line of benchmarks.c"
is "... the other is folded" "$(sed -n 1p out)" \
	"1 broken, 1 the same (Ir within 0.5 %), against base.txt"
# What is not among the kept functions has cost at most 1 % of its benchmark.
sed '/benchmarks.c:crc$/d' base.txt >without.txt
bench slow25 --against=without.txt
is "... of a function that the baseline has not" "$(sed -n 's/^changed most: \(.*\)+.* Ir (\(.*\) [0-9]*), .*/\1(\2/p' out)" \
	"crc, at least (was at most"
# Small ones that it has not may have grown more than one that has grown by one instruction.
awk '/^Ir .* sort$/ { $2 -= 2000 } /benchmarks.c:compare$/ { sub($1, $1 - 1) } { print }' base.txt >unsure.txt
bench base --against=unsure.txt
is "... that is not certain" "$status $(sed -n 's/^\(most Ir now: [a-z]*\).*/\1/p' out)" "3 most Ir now: msort"
sed '/^  /d' base.txt >sums.txt
bench slow25 --against=sums.txt
is "... against a baseline of sums" "$(grep -c '^most Ir now: crc' out)" 1
echo 'region * D1m <=0' >limits
bench base --against=base.txt --limits=limits
is "... by another event" "$(grep -c '^most D1m now: ' out)" 1
bench slow2 --against=base.txt
is "2 % slower" "$status $(rows)" "3 broken crc/64: <a, b>"
bench relinked --against=base.txt
is "linked anew" "$status" 0
bench base --against=base.txt
is "the same" "$status $(cat out err)" "0 2 the same (Ir within 0.5 %), against base.txt"
bench renamed --against=base.txt
is "renamed" "$status $(rows)" "3 gone sort
new sort: by name"
is "... said" "$(cat err)" "costgrind bench: sort: gone: it is in the baseline, and no program has it"
bench empty --against=base.txt
is "emptied" "$status $(rows) $(cat err)" \
	"3 empty sort costgrind bench: sort: empty: no instruction was executed in it"
bench left --against=base.txt
is "... but for a harness's instructions" "$status $(rows) $(sed 's/of [0-9,]* instructions [0-9]* are/of N instructions N are/' err)" \
	"3 empty sort costgrind bench: sort: empty: of N instructions N are left"
bench open --against=base.txt
is "not over" "$status $(rows) $(cat err)" \
	"3 unmatched sort costgrind bench: sort: unmatched: it was never entered, or is not over"
bench crash --against=base.txt --save=not.txt
is "crashed" "$status $(grep -v Abort err)" "3 costgrind bench: not.txt: not saved"
is "... said" "$(grep -c 'costgrind bench: ./bench was killed by signal 6' err)" 1
is "... and not saved" "$([ -e not.txt ] || echo none)" none
bench failing
is "exit status 7" "$status $(cat err)" "3 costgrind bench: ./bench exited with 7"
bench empty --save=not.txt
is "without a baseline" "$status $(ls not.txt 2>/dev/null)" "3 "
bench base --show=D1m
is "an event that is 0 is no empty benchmark" "$status $(grep -c empty out)" "0 0"
bench empty --show=D1m
is "... and one that has no instruction is" "$status $(cat err)" \
	"3 costgrind bench: sort: empty: no instruction was executed in it"
for option in --save=/nowhere/x --output=/nowhere/x; do
	bench crash $option
	is "$option: before the run" "$status $(cat err)" "1 costgrind bench: /nowhere/x: No such file or directory"
done
"$command" bench -- ./nothing >out 2>err
is "no such program" "$? $(cat out)" "1 "
"$command" bench -- /bin/true >out 2>err
is "no benchmark" "$? $(cat err)" \
	"1 costgrind bench: /bin/true: expected benchmarks, found none: the program began no region (COSTGRIND_REGION_BEGIN)"

# --- baselines ---------------------------------------------------------------------------------------

sed 's/^# Compiler: .*/# Compiler: another one/' base.txt >other.txt
bench base --against=other.txt
is "another compiler" "$status $(sed 's/now .*: expected/now X: expected/' err)" \
	"1 costgrind bench: other.txt: Compiler was another one, now X: expected the same (--force compares)"
bench base --against=other.txt --force
is "... by force" "$status $(cut -c 1-57 err)" "0 costgrind bench: warning: other.txt: Compiler was another"
bench base --against=none.txt
is "no baseline" "$status $(cat err)" \
	"1 costgrind bench: none.txt: No such file or directory: expected a baseline, which --save makes"
printf '<<<<<<< HEAD\n' | cat base.txt - >conflict.txt
bench base --against=conflict.txt
is "a conflict of git" "$status $(sed 's/:[0-9]*:/:N:/' err)" \
	"1 costgrind bench: conflict.txt:N: expected EVENT COUNT BENCHMARK"
printf 'Ir<script>alert(1)</script> 5 z\n' | cat base.txt - >markup.txt
bench base --against=markup.txt
is "markup for an event" "$status $(sed 's/:[0-9]*:/:N:/' err)" \
	"1 costgrind bench: markup.txt:N: expected EVENT COUNT BENCHMARK"
printf 'Ir 5 z\n  5\n' | cat base.txt - >nameless.txt
bench base --against=nameless.txt
is "a function without a name" "$status $(sed 's/:[0-9]*:/:N:/' err)" \
	"1 costgrind bench: nameless.txt:N: expected COUNT FUNCTION, below a benchmark"
printf 'Ir 5 z\n  5 z.c:z\n  6 z.c:z\n' | cat base.txt - >twice.txt
bench base --against=twice.txt
is "a function twice" "$status $(sed 's/:[0-9]*:/:N:/' err)" \
	"1 costgrind bench: twice.txt:N: expected each function of a benchmark once"
printf 'Ir %030d z\n' 1 | cat base.txt - >huge.txt
bench base --against=huge.txt
is "a huge count" "$status $(sed 's/:[0-9]*:/:N:/' err)" \
	"1 costgrind bench: huge.txt:N: expected EVENT COUNT BENCHMARK, and a count in digits"
printf 'Ir -5 z\n' | cat base.txt - >negative.txt
bench base --against=negative.txt
is "a negative count, as a derived event may have" "$status $(rows)" "3 gone z"
bench base --against=first.txt --save=first.txt
is "made by the first run" "$status $(cmp base.txt first.txt)" "0 "
git init -q . 2>/dev/null
mkdir -p below && cp base below/bench
(cd below && "$command" bench -q --save -- ./bench >/dev/null)
is "the usual file" "$(cmp .costgrind/bench.txt base.txt)" ""

# The job of docs/CI.md, after the baseline that it asks for.
echo 'bench: ;' >Makefile
cp base bench
python3 "$top_srcdir/tests/cmds/run/ci_commands.py" block bench-baseline "$top_srcdir/docs/CI.md" >baseline.sh
python3 "$top_srcdir/tests/cmds/run/ci_commands.py" block bench "$top_srcdir/docs/CI.md" >job.sh
PATH=$top_builddir:$PATH sh ./baseline.sh >/dev/null
is "the baseline of docs/CI.md" "$? $(cmp .costgrind/bench.txt base.txt)" "0 "
cp slow25 bench
PATH=$top_builddir:$PATH sh ./job.sh >out 2>err
is "the job of docs/CI.md" "$? $(grep -c '^| broken |' out) $(($(wc -l <job.sh) <= 5))" "3 1 1"
cp relinked bench
PATH=$top_builddir:$PATH sh ./job.sh >out 2>err
is "... of a program that is linked anew" "$?" 0

# --- limits ---------------------------------------------------------------------------------------------

printf '%s\n' 'total Ir +1%' 'region crc* Ir +30%' 'region so?t Cyc <=1' >limits
bench slow25 --against=base.txt --limits=limits
is "limits of a file" "$status $(rows)" "3 broken sort
changed crc/64: <a, b>"
is "... others are for diff" "$(grep warning err)" \
	"costgrind bench: warning: limits: limits that are not of regions are for costgrind diff: 1"
echo 'region zzz Ir +1%' >limits
bench base --against=base.txt --limits=limits
is "a limit of nothing" "$status $(cat err)" \
	"3 costgrind bench: unmatched: no benchmark for the limit 'region zzz Ir +1%'"
echo 'region * Bi +1%' >limits
bench base --against=base.txt --limits=limits
is "an event that is not kept" "$status $(cat err)" \
	"1 costgrind bench: limits:1:10: expected an event of --show, found 'Bi': add it there"
sed '/^Ir /d' base.txt >cycles.txt
bench slow25 --against=cycles.txt
is "an event that the baseline has not" "$status $(cat err)" "1 costgrind bench: the baseline has no counts of Ir, \
which the limit 'region * Ir +1%' compares: expected one that was saved with the same --show"
sed '/^Cyc /d' base.txt >instructions.txt
bench base --against=instructions.txt
is "... and that only a soft limit needs" "$status $(cat err)" "0 "
bench slow25 --against=base.txt --show=Cyc
is "the usual limit without its event" "$status $(sed 1q err)" "0 costgrind bench: warning: 'region * Ir +1%' is not \
checked: --show has no Ir, and there is no --limits"
bench base --limits=limits
is "limits of nothing" "$status $(cat err)" "2 costgrind bench: expected --against with --limits"
bench base --show=Ir,Foo
is "no such event" "$status $(cut -d ';' -f 1 err)" "2 costgrind bench: --show: Foo: no such event was recorded"

# --- forms -----------------------------------------------------------------------------------------------

bench slow25 --against=base.txt --format=json
is "JSON" "$status $(python3 "$top_srcdir/tests/schema.py" -s "$top_srcdir/docs/schemas/bench.schema.json" out)" "3 "
is "... a row" "$(python3 -c 'import json
row = json.load(open("out"))["benchmarks"][0]
print(row["name"], row["state"], row["limit"], row["hottest"]["function"], row["new"]["Ir"] > row["old"]["Ir"] * 1.2)
print(row["changed_most"]["function"], row["changed_most"]["line"], row["changed_most"]["was"], row["changed_most"]["bound"])')" \
	"crc/64: <a, b> broken region * Ir +1% crc True
crc $line $crc_cost False"
# read_form FORM: what is read of it.
read_form() {
	bench slow25 --against=base.txt --format="$1"
	python3 "$top_srcdir/tests/cmds/bench/bench_forms.py" "$1" out 2>&1 |
		sed 's/[0-9,]* to [0-9,]* (+2[0-9.]*%)/A to B/; s/+[0-9,]* Ir (was [0-9,]*)/+N/'
}
is "JUnit" "$(read_form junit)" \
	"crc/64: <a, b>|broken|Ir A to B, limit: region * Ir +1%; changed most: crc, +N, line $line of benchmarks.c"
is "GitHub" "$(read_form github | sed 's/^error|[^|]*benchmarks.c/error|benchmarks.c/')" \
	"error|benchmarks.c|$line|crc/64: <a, b>|crc/64: <a, b>: Ir A to B, limit: region * Ir +1%; \
changed most: crc, +N, line $line of benchmarks.c"
is "github-action-benchmark" "$(read_form customSmallerIsBetter | sed 's/[0-9.]*$/N/' | head -n 3)" "crc/64: <a, b> Ir|instructions|N
crc/64: <a, b> Cyc|cycles|N
crc/64: <a, b> D1m|misses|N"
is "Bencher" "$(read_form bmf | sed 's/[0-9.]*$/N/' | tail -n 2)" "sort|Bm|N
sort|allocSize|N"
printf 'Ir 5 \377\033[1m"<&>\001\n\nIr 5 \357\277\277%%\n' | cat base.txt - >bytes.txt
# read_bytes FORM: names of a baseline that are no text, as they are read.
read_bytes() {
	bench base --against=bytes.txt --format="$1"
	python3 "$top_srcdir/tests/cmds/bench/bench_forms.py" "$1" out 2>&1 | sed 's/: gone.*//; s/|gone.*//'
}
is "bytes in JUnit" "$(read_bytes junit | grep '"')" '�\x1b[1m"<&>\x01'
is "... that XML has not" "$(read_bytes junit | grep '%')" '�%'
is "... for a terminal" "$(bench base --against=bytes.txt --format=github; tr -d '\377' <out | sed -n 's/: gone.*//; s/.*:://p' | grep '"')" \
	'\x1b[1m"<&>\x01'
bench slow25 --against=base.txt --format=markdown
# shellcheck disable=SC2016 # Markdown
is "Markdown" "$(grep -c '^| broken |.*`crc/64: <a, b>` |$' out) $(grep -c 'changed most: crc, .*line '"$line of" out)" "1 1"

# --- several ----------------------------------------------------------------------------------------------

cp base bench-a
cp renamed bench-b
"$command" bench -q -j 2 --programs -- ./bench-a ./bench-b >out 2>err
is "one name twice" "$? $(cat err)" "1 costgrind bench: ./bench-a and ./bench-b have a benchmark 'crc/64: <a, b>': expected one of the name"
cp base bench
"$command" bench -q --save=each.txt --each='./bench --list' -- ./bench >out 2>err
is "each by itself" "$? $(cat err) $(grep '^Ir\|^  ' each.txt)" "0  $(grep '^Ir\|^  ' base.txt)"
"$command" bench -q --each='./bench --list; echo zzz' -- ./bench '{}' >out 2>err
is "... one that is not there" "$? $(cat err)" \
	"3 costgrind bench: zzz: unmatched: it was never entered, or is not over"
"$command" bench --each=false -- ./bench >out 2>err
is "... a list that fails" "$? $(cat err)" "1 costgrind bench: --each=false: expected exit status 0, found 1"

# Children that were forked.
version forks -DFORKS
bench forks --save=forks.txt
is "regions of children" "$status $(cat err) $(sed -n 's/^Ir [0-9]* //p' forks.txt)" "0  child
crc/64: <a, b>
parent
sort"
# A function with two callers is compiled otherwise.
is "... add up" "$(awk '$1 == "Ir" && /crc/ { print $2 }' base.txt forks.txt |
	awk 'NR == 1 { twice = 2 * $1 } END { print ($1 > 0.97 * twice && $1 < 1.03 * twice) }')" 1

is "... functions of children are not kept" "$(sed -n '/^allocSize .* child$/,/^Ir/p' forks.txt | grep -c '^  ')" 0
version nested -DNESTED
bench nested --save=nested.txt
is "functions of regions that nest are not kept" "$status $(awk '/^Ir/ { name = $3 } /^  / { print name }' nested.txt | uniq)" "0 sort"

# Names that are patterns of others.
version star -DROUNDS=1250 -DNAME='"crc*"'
version unstarred -DNAME='"crc*"'
bench unstarred --save=star.txt
bench star --against=star.txt
is "a name that is a pattern" "$status $(rows) $(grep -c '^changed most: crc' out)" "3 broken crc/64: <a, b> 1"

# A hundred, and names that fill a comment.
version many -DMANY=100
bench many --save=many.txt
is "a hundred" "$status $(sed -n 1p out)" "0 102 benchmarks"
awk '/^Ir .*many/ { for (i = 0; i < 30; i++) print "Ir 5 gone/" i "/" $3 "/" sprintf("%0200d", i) } { print }' many.txt >most.txt
sed -n '/^#/p' most.txt >sorted.txt
sed '/^[# ]/d' most.txt | sort -s -t ' ' -k 3 >>sorted.txt
bench many --against=sorted.txt --format=markdown
is "a comment has room for it" "$status $(($(wc -c <out) < 65536)) $(grep -c 'not listed: ' out)" "3 1 1"

# --- the history ----------------------------------------------------------------------------------------------

git config user.name test
git config user.email test@example.org
for ir in 400 500 300; do
	sed "s/^Ir [0-9]* sort/Ir $ir sort/" base.txt >.costgrind/bench.txt
	git add .costgrind
	git commit -q -m "Ir is $ir <b>"
done
"$command" bench --history 's*' >out 2>err
is "the history" "$? $(cat err) $(sed -n 's/^.*\(400 .*\)/\1/p' out | tr -s ' ')" "0  400 300 -25.00% ▄█▁ sort"
"$command" bench --show Ir --history 's*' >again 2>err
is "... after an option whose value is a word" "$? $(cmp out again)" "0 "
git config log.showSignature true
git config log.follow true
"$command" bench --history 's*' >again 2>err
is "... whatever git shows its user" "$? $(cmp out again)" "0 "
"$command" bench --history --format=svg -o history.svg
"$command" bench --history --format=html -o history.html
is "... drawn" "$(python3 -c 'import xml.etree.ElementTree as E
root = E.parse("history.svg").getroot()
print(len([e for e in root.iter() if e.tag.endswith("polyline")]), len([e for e in root.iter() if e.tag.endswith("circle")]))')" "2 6"
is "... as a page" "$(grep -c '<td>500</td>' history.html) $(grep -c 'http' history.html | sed 's/1/only the name space/')" \
	"1 only the name space"
"$command" bench --history --format=json >out
is "... as JSON" "$(python3 -c 'import json
print([v["benchmarks"]["sort"] for v in json.load(open("out"))["versions"]])')" "[400, 500, 300]"
sed -i '/^Ir .* sort$/,$d' .costgrind/bench.txt
git commit -q -a -m gone
"$command" bench --history 's*' >out
is "... of one that is gone" "$(sed -n 's/^.*\(400 .*\)/\1/p' out | tr -s ' ')" "400 300 gone ▄█▁. sort"
"$command" bench --history --against=base.txt >out 2>err
is "... of a file that git has not" "$? $(cat err)" "1 costgrind bench: base.txt: expected a baseline that was committed"

# --- signals --------------------------------------------------------------------------------------------------

mkdir tmp
TMPDIR=$PWD/tmp "$command" bench --save=signal.txt -- /bin/sleep 1000 >/dev/null 2>&1 &
pid=$!
until ls tmp/costgrind.* >/dev/null 2>&1; do sleep 0.1; done
kill -TERM "$pid"
wait "$pid"
is "a signal leaves nothing" "$(($? > 128)) $(ls tmp signal.txt 2>/dev/null)" "1 tmp:"
# As under nohup: it goes on.
(
	trap '' HUP
	TMPDIR=$PWD/tmp
	export TMPDIR
	exec "$command" bench -- /bin/sleep 2
) >/dev/null 2>&1 &
pid=$!
until ls tmp/costgrind.* >/dev/null 2>&1; do sleep 0.1; done
kill -HUP "$pid"
wait "$pid"
is "a signal that is ignored" "$?" 1
done_testing
