#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# speedscope's own importer, under node, finds in what we write the costs that the profile has.
. "$top_srcdir/tests/lib.sh"

version=1.25.0
checksum=2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03

for program in node npm; do
	command -v $program >/dev/null 2>&1 && continue
	skip "speedscope" "not installed: $program (scripts/setup view)"
	done_testing
done
# Only what is packed: nothing that it depends on, and none of it runs except what we run.
if ! npm pack --fetch-retries=1 --fetch-retry-mintimeout=1000 --loglevel=error \
	"speedscope@$version" >npm.log 2>&1; then
	skip "speedscope" "npm cannot fetch it: $(sed -n 's/^npm \(error\|ERR!\) //p' npm.log | head -n 1)"
	done_testing
fi
is "speedscope: the package that was looked at" \
	"$(sha256sum <"speedscope-$version.tgz")" "$checksum  -"
tar -xzf "speedscope-$version.tgz"
speedscope() {
	node "$top_srcdir/tests/view/speedscope.js" package "$1"
}

# own: sums of lines "NAME TAB COST" by name.  Levels of recursion are one function in a call tree.
own() {
	sed "s/'[0-9]*	/	/" | awk -F '\t' '$2 != 0 { sum[$1] += $2 }
		END { for (name in sum) printf "%s\t%.0f\n", name, sum[name] }' | LC_ALL=C sort
}

# own_of PROFILE EVENT: what functions cost themselves in a profile of ours.
own_of() {
	python3 "$top_srcdir/tests/profile.py" cells "$1" | awk -F '\t' -v event="$2" '{
		n = split($4, counts, " ")
		for (i = 1; i <= n; i++)
			if (index(counts[i], event "=") == 1)
				print $2 "\t" substr(counts[i], length(event) + 2)
	}' | own
}

# totals_of PROFILE [EVENT]: what totals_seen should say.
totals_of() {
	python3 "$top_srcdir/tests/profile.py" totals "$1" |
		sed -n "s/^\(${2-.*}\) \(.*\)/\1 \2 \2/p"
}

# totals_seen FILE: of each profile that it finds, "event total sum-of-own-costs".
totals_seen() {
	speedscope "$1" | awk -F '\t' '/^profile/ {
		n = split($2, words, " ")
		print words[n], $3, $4
	}'
}

build numbers "$top_srcdir/tests/view/numbers.c" -O2 -g
program=$top_builddir/costgrind
run() {
	costgrind "$@" ./numbers >numbers.stdout 2>numbers.log
}
run --cache-sim=yes --branch-sim=yes --dump-instr=yes --collect-jumps=yes \
	--costgrind-out-file=all.out --call-tree=yes
run --costgrind-out-file=plain.out --cache-sim=no --dump-instr=no
mv tree.*.costgrind tree.costgrind

# --- Callgrind's format --------------------------------------------------------------------------

# It takes only the simplest of it: one event, or all columns; lines; no jumps.
is "a profile as it is: totals" "$(totals_seen plain.out)" "$(totals_of plain.out)"
"$program" convert --to=callgrind-portable -o callgrind.portable all.out
# Events that Valgrind's tools do not have are left out.
is "callgrind-portable: totals" "$(totals_seen callgrind.portable)" \
	"$(totals_of all.out | grep -v '^\(L2\|Br\|Btm\)')"
"$program" convert --to=callgrind -o callgrind.full plain.out
is "callgrind: totals" "$(totals_seen callgrind.full)" "$(totals_of plain.out)"
# With machine code and jumps it adds up to nothing; check says so.
is "machine code and jumps: not its totals" \
	"$([ "$(totals_seen all.out)" = "$(totals_of all.out)" ] && echo equal)" ""
is "machine code and jumps: check knows" "$("$program" check --for=speedscope all.out |
	grep -c '^all\.out:.* error: speedscope ')" 3

# --- stacks --------------------------------------------------------------------------------------

for event in Ir D1mr Bcm; do
	"$program" convert --to=speedscope --event=$event -o $event.speedscope.json all.out
	"$program" convert --to=collapsed --event=$event -o $event.collapsed all.out
	want=$(totals_of all.out $event)
	speedscope $event.speedscope.json >seen
	is "speedscope: total of $event" \
		"$(sed -n 's/^profile	\([^ ,]*\)[^	]*/\1/p' seen | tr '\t' ' ')" "$want"
	is "speedscope: own costs in $event" "$(sed -n 's/^frame	//p' seen | own)" \
		"$(own_of all.out $event)"
	speedscope $event.collapsed >seen
	is "collapsed: total of $event" \
		"$(sed -n "s/^profile	[^	]*/$event/p" seen | tr '\t' ' ')" "$want"
	is "collapsed: own costs in $event" "$(sed -n 's/^frame	//p' seen | own)" \
		"$(own_of all.out $event)"
done

# speedscope's own schema.
is "speedscope: as its schema says" "$(python3 "$top_srcdir/tests/schema.py" \
	package/dist/release/file-format-schema.json ./*.speedscope.json)" ""

# Of a call tree, stacks are exact, and do not say that they are derived.
"$program" convert --to=speedscope -o tree.speedscope.json tree.costgrind
speedscope tree.speedscope.json >seen
is "call tree: total" "$(grep '^profile' seen)" \
	"$(printf 'profile\tIr\t%s' "$(totals_of all.out Ir | sed 's/^Ir //; s/ /\t/')")"
is "call tree: own costs" "$(sed -n 's/^frame	//p' seen | own)" "$(own_of all.out Ir)"

# pprof's: the first event.
for from in all.out tree.costgrind; do
	"$program" convert --to=pprof -o pprof.pb.gz $from
	speedscope pprof.pb.gz >seen
	is "pprof of $from: total" "Ir $(sed -n 's/^profile	[^	]*	//p' seen | tr '\t' ' ')" \
		"$(totals_of all.out Ir)"
	is "pprof of $from: own costs" "$(sed -n 's/^frame	//p' seen | own)" "$(own_of all.out Ir)"
done

# It can fail: what it cannot read it says.
echo nonsense >nonsense.out
is "no profile" "$(speedscope nonsense.out 2>&1; echo $?)" \
	"Cannot read properties of null (reading 'profiles')
1"

done_testing
