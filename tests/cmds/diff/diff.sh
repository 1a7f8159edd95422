#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind diff: differences derived by hand, limits, baselines, what cannot be compared.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"

program=$top_builddir/costgrind
check() {
	python3 "$top_srcdir/tests/cmds/diff/diff_check.py" "$@"
}
cp "$top_srcdir/tests/cmds/inputs/diff_old.cg" old.cg
cp "$top_srcdir/tests/cmds/inputs/diff_new.cg" new.cg
cp "$top_srcdir"/tests/cmds/inputs/renamed_*.cg "$top_srcdir"/tests/cmds/inputs/rebuilt_*.cg .

# fails NAME STATUS MESSAGES ARGS...: diff ends with a status and these lines.
fails() {
	fails_name=$1
	fails_want="$2 $3"
	shift 3
	fails_got=$("$program" diff "$@" 2>&1 >/dev/null)
	is "$fails_name" "$? $fails_got" "$fails_want"
}

# -- reports ---------------------------------------------------------------------

golden diff/text "$program" diff old.cg new.cg
golden diff/lines "$program" diff --lines --calls=no old.cg new.cg
golden diff/shown "$program" diff --show=Cyc,Ir --sort=I1mr old.cg new.cg
# 400 of 5,000 are 8 %, 500 are 10 %.
golden diff/threshold "$program" diff --threshold=10 --show=Ir old.cg new.cg
golden diff/markdown "$program" diff --format=markdown old.cg new.cg
golden diff/json "$program" diff --format=json --lines old.cg new.cg
golden diff/csv "$program" diff --format=csv --lines old.cg new.cg
golden diff/profile "$program" diff -o - old.cg new.cg
golden diff/flat "$program" diff --flat -o - old.cg new.cg
# moved costs the same elsewhere; edited has another line, and costs less; addresses of libc are the same.
golden diff/kcachegrind "$program" diff --for=kcachegrind -o - rebuilt_old.cg rebuilt_new.cg
golden diff/help "$program" help diff

# -- JSON is as its schema says --------------------------------------------------

mkdir schema
i=0
last=$top_srcdir/tests/cmds/inputs/diff_old.cg
for file in "$top_srcdir"/tests/cmds/inputs/*.cg "$top_srcdir"/tests/golden/*/inputs/*.cg "$top_srcdir"/tests/profiles/*.cg; do
	i=$((i + 1))
	# One that is broken is compared with nothing.
	"$program" check -q "$file" >/dev/null 2>&1 || continue
	"$program" diff -q --force --format=json --lines=yes --threshold=0 "$last" "$file" >out.json 2>/dev/null && mv out.json schema/$i.json
	"$program" diff -q --format=json "$file" "$file" >out.json 2>/dev/null && mv out.json schema/same_$i.json
	last=$file
done
printf '%s\n' 'total Ir +0' 'self parse Ir <=10 soft' 'self nobody Ir <=10' >limits
"$program" diff --format=json --normalise=Ir --limits=limits old.cg new.cg >schema/limits.json 2>/dev/null
"$program" diff -q --format=json --save=main --against=main --baselines=schema.d new.cg >schema/first.json 2>/dev/null
"$program" diff -q --format=json --by=object "$top_srcdir"/tests/cmds/inputs/objects_old.cg "$top_srcdir"/tests/cmds/inputs/objects_new.cg \
	>schema/objects.json
printf '%s\n' 'region walk* Ir +1%' 'region gone Ir +1%' 'region sum/* Ir +1%' >limits
"$program" diff -q --format=json --by=region --limits=limits "$top_srcdir"/tests/cmds/inputs/regions_old.cg \
	"$top_srcdir"/tests/cmds/inputs/regions_new.cg >schema/regions.json 2>/dev/null
is "the schema" "$(python3 "$top_srcdir/tests/schema.py" -s "$top_srcdir/docs/schemas/diff.schema.json" schema/*.json 2>&1)" ""
is "... of many" "$(find schema -name '*.json' | awk 'END { print (NR > 60) }')" 1
rm limits

# verdict EXPRESSION ARGS...: of what diff finds.
verdict() {
	verdict_what=$1
	shift
	"$program" diff -q --format=json "$@" >verdict.json
	python3 -c 'import json, sys
report = json.load(open("verdict.json"))
one = report.get("verdict")
print(eval(sys.argv[1]))' "$verdict_what" 2>&1
}
# What is proposed shows more: it is run.
next=$(verdict 'one["next_command"]' old.cg new.cg)
is "more is shown by" "$next" "costgrind diff --lines=yes old.cg new.cg"
# shellcheck disable=SC2086 # several words
is "... that" "$("$program" ${next#costgrind } | grep -c 'main.c:21 (parse)')" 1
next=$(verdict 'one["next_command"]' --lines --sort=I1mr old.cg new.cg)
is "and then by" "$next" "costgrind annotate --diff --show=I1mr old.cg new.cg"
# shellcheck disable=SC2086
"$program" ${next#costgrind } >/dev/null
is "... that" $? 0
is "of scaled counts" "$(verdict 'one["next_command"]' --normalise=I1mr old.cg new.cg)" \
	"costgrind diff --lines=yes --normalise=I1mr old.cg new.cg"
# shellcheck disable=SC2016 # they are names
for name in '$(x).cg' 'a b.cg' "it's.cg" 'a;b.cg' 'ä.cg'; do
	cp new.cg "$name"
	is "nothing to paste: $name" "$(verdict '"next_command" in one' old.cg "$name")" False
done
is "the sentence of text" "$(verdict 'one["claim"]' old.cg new.cg)" "$("$program" diff old.cg new.cg | sed 1q)"
is "nothing changed" "$(verdict 'one["claim"], "share" in one, one["evidence"]["events"]' old.cg old.cg)" \
	"('The same number of instructions', False, {})"
printf '%s\n' 'events: Ir D1mr' 'fl=a.c' 'fn=f' '3 100 1' '4 50 1' 'fn=g' '9 10 0' >work.old
sed 's/^3 100 1/3 100 21/; s/^4 50 1/4 50 6/' work.old >work.new
is "the lines that changed most" "$(verdict '[(line["line"], line["share"]) for line in one["evidence"]["lines"]], one["share"]' \
	--sort=D1mr work.old work.new)" "([(3, 80.0), (4, 20.0)], 100.0)"
is "counts of the place" "$(verdict 'one["evidence"]["events"]' --sort=D1mr work.old work.new)" \
	"{'D1mr': {'old': 2, 'new': 27, 'change': 25}}"
is "ruled out" "$(verdict 'one["ruled_out"]' --sort=D1mr work.old work.new)" \
	"['More work: it has the same number of instructions in OLD and NEW.']"
is "less of it" "$(verdict '[(line["line"], line["share"]) for line in one["evidence"]["lines"]], one["ruled_out"][0][:9]' \
	--sort=D1mr work.new work.old)" "([(3, 80.0), (4, 20.0)], 'Less work')"
is "another kind of work" "$(verdict 'one["ruled_out"]' old.cg new.cg)" "[]"

# -- laws ------------------------------------------------------------------------

golden diff/itself "$program" diff old.cg old.cg
"$program" diff -o itself.out old.cg old.cg >/dev/null
is "no costs between a profile and itself" "$(grep -c '^[-+*0-9]\|^fn\|^calls' itself.out)" 0
"$program" diff --format=json --threshold=0 --lines old.cg old.cg >itself.json
is "nor rows" "$(python3 -c 'import json
report = json.load(open("itself.json"))
print([report[key] for key in ("functions", "callers", "calls", "lines", "limits")])')" \
	"[[], [], [], [], []]"

for pair in old.cg:new.cg new.cg:old.cg renamed_old.cg:renamed_new.cg rebuilt_old.cg:rebuilt_new.cg callgrind-plain.cg:callgrind-jumps.cg \
	callgrind-hot.cg:callgrind-recursion.cg cachegrind-plain.cg:cachegrind-merged.cg \
	costgrind-plain.cg:costgrind-jumps.cg spec-simple.cg:spec-extended.cg; do
	a=${pair%:*}
	b=${pair#*:}
	for file in "$a" "$b"; do
		[ -f "$file" ] || cp "$top_srcdir/tests/profiles/$file" .
	done
	"$program" diff -q --force -o forth "$a" "$b" >/dev/null
	"$program" diff -q --force -o back "$b" "$a" >/dev/null
	is "$pair: OLD + difference = NEW" "$(check new "$a" forth "$b" 2>&1)" ""
	"$program" merge -q --events=common -o sum "$a" forth
	is "$pair: merge OLD difference = NEW" "$? $(check new sum /dev/null "$b" 2>&1)" "0 "
	"$program" diff -q --force --for=kcachegrind -o columns "$a" "$b" >/dev/null
	is "$pair: Up - Down = NEW - OLD" "$(check apart "$a" "$b" columns 2>&1)" ""
	is "$pair: nothing is wrong with that" \
		"$("$program" check --for=kcachegrind columns 2>&1 | grep -v ': note: \|: good, ')" ""
	is "$pair: back is minus forth" "$(check opposite forth back 2>&1)" ""
	"$program" diff -q --force --format=csv --threshold=0 --lines --renames=no "$a" "$b" >forth.csv
	"$program" diff -q --force --format=csv --threshold=0 --lines --renames=no "$b" "$a" >back.csv
	is "$pair: so are the reports" "$(check csv forth.csv back.csv 2>&1)" ""
	"$program" diff -q --force --flat -o forth "$a" "$b" >/dev/null
	"$program" diff -q --force -o back "$a" "$b" >/dev/null
	is "$pair: flat is the same by function" "$(check flat forth back 2>&1)" ""
done

printf 'events: Ir Dr\nfl=a.c\nfn=f\n1 5 1\n' >two.1
printf 'events: Dw Ir\nfl=a.c\nfn=f\n1 2 8\n' >two.2
"$program" diff -q --force -o two.out two.1 two.2 >/dev/null
is "of the events that both have" "$(sed -n '/^events:\|^1\|^totals:/p' two.out)" "events: Ir
1 3
totals: 3"
"$program" diff -q --force --flat -o two.out two.1 two.2 >/dev/null
is "flat, too" "$(sed -n '/^events:\|^0\|^summary:/p' two.out)" "events:  Ir
0 3
summary: 3"
# In OLD, which has no Dr, Y was Ir only.
printf 'event: X = Ir + 2 Dr\nevent: Y = Ir + Dr\nevent: Z = 3 Ir\nevents: Ir Dr\nfl=a.c\nfn=f\n1 5 7\n' >formulas.new
printf 'event: Y = Ir + Dr\nevents: Ir\nfl=a.c\nfn=f\n1 3\n' >formulas.old
for pair in 'formulas.old formulas.new' 'formulas.new formulas.old'; do
	for columns in '' --for=kcachegrind; do
		# shellcheck disable=SC2086 # two names, or no option
		is "formulas of events that are gone: $pair $columns" \
			"$("$program" diff --force $columns -o formulas.out $pair 2>&1 >/dev/null | grep 'formulas of'
			sed -n 's/^event: \([XYZ]\).*/\1/p' formulas.out | uniq)" \
			"costgrind diff: warning: formulas of events that are left out are left out too, 2 of them
Z"
	done
done
for formula in 2 3 '2 '; do
	printf 'event: X = %s Ir\nevents: Ir\nfl=a.c\nfn=f\n1 5\n' "$formula" >"formula$formula"
done
fails "an event defined in two ways" 1 "costgrind diff: event X: OLD 2 Ir, NEW 3 Ir
costgrind diff: the runs are not comparable; --force compares them anyway" formula2 formula3
fails "if forced" 0 "costgrind diff: warning: event X: OLD 2 Ir, NEW 3 Ir" --force formula2 formula3
fails "blanks are no difference" 0 "" formula2 'formula2 '
for cache in ' 1 B' '' ' '; do
	printf 'desc: I1 cache:%s\nevents: Ir\nfl=a.c\nfn=f\n1 5\n' "$cache" >"cache$cache"
done
printf 'events: Ir\nfl=a.c\nfn=f\n1 5\n' >nocache
fails "a cache that is empty is none" 0 "" cache nocache
fails "nor is one of a blank" 0 "" nocache 'cache '
fails "but another one" 1 "costgrind diff: I1 cache: OLD (not said), NEW 1 B
costgrind diff: the runs are not comparable; --force compares them anyway" cache 'cache 1 B'
cp old.cg 'old
line.cg'
"$program" diff -q --flat -o two.out 'old
line.cg' new.cg >/dev/null
is "a line feed in a name" "$(head -n 1 two.out)" "desc: Files compared:   old line.cg; new.cg"
# Neither has totals.
printf 'events: Ir\nfl=a.c\nfn=f\n1 5\n' >bare.1
printf 'events: Ir\nfl=a.c\nfn=f\n1 7\n' >bare.2
"$program" diff -q -o bare.out bare.1 bare.2 >/dev/null 2>&1
is "a difference always has totals" "$(grep totals: bare.out) $("$program" check bare.out >/dev/null 2>&1; echo $?)" \
	"totals: 2 0"
"$program" diff -q --baselines=bare.d --save=bare bare.1
is "and a baseline" "$(grep totals: bare.d/bare.cg)" "totals: 5"
"$program" diff -q -o forth old.cg new.cg >/dev/null
is "a difference with nothing is itself" \
	"$("$program" diff -q --force --format=csv forth forth | grep -c '^self')" 0
is "compressed, and standard input" \
	"$(gzip -c <new.cg | "$program" diff --format=csv old.cg - | md5sum)" \
	"$("$program" diff --format=csv old.cg new.cg | md5sum)"

# -- for viewers without counts below 0 ----

fails "a difference warns of KCachegrind" 0 "costgrind diff: warning: forth: has counts below 0, which \
KCachegrind takes for 0; for a look at it there, use --for=kcachegrind" -o forth old.cg new.cg
fails "but not if nothing became less" 0 "" -o forth bare.1 bare.2
fails "nor if quiet" 0 "" -q -o forth old.cg new.cg
fails "nor if it is passed on" 0 "" -o - old.cg new.cg
fails "nor in columns" 0 "" --for=kcachegrind -o forth old.cg new.cg
"$program" diff --for=kcachegrind -o change.cg old.cg new.cg >/dev/null
is "what only decreased is listed, too" "$("$program" annotate --auto=no --show=IrUp,IrDown change.cg |
	sed -n '/file:function$/,$p')" \
	"$(sed -n '/ annotate .*IrUp,IrDown/,/^```/p' "$top_srcdir/docs/DIFF.md" | sed '1,2d; /^```/d')"
is "... whichever sorts" "$("$program" annotate -v --auto=no --sort=IrDown change.cg |
	sed -n 's/^Threshold: *//p; s/.*  \([a-z][a-z]*\) *main\.c.*/\1/p' | tr '\n' ' ')" "IrDown 0.1%, IrUp 0.1% report parse check "
is "... unless that is said" "$("$program" annotate --auto=no --sort=IrUp:50 change.cg | grep -c 'main\.c')" 1
events='Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw'
printf 'event: EstCyc = Ir + 10 I1mr\nevents: %s\nfn=f\n1 10 4 3 2 1 1 1 1\nfn=g\n1 7 1\n' "$events" >est.old
printf 'events: %s\nfn=f\n1 9 4 3 2 1 1 1\nfn=g\n1 8 2\n' "$events" >est.new
"$program" diff --for=kcachegrind -o est.cg est.old est.new >/dev/null
is "estimated cycles are first, by the usual weights" "$("$program" annotate -v --auto=no --width=unlimited est.cg |
	sed -n 's/^\(Events shown: .*IrUp\).*/\1/p')
$("$program" annotate --auto=no --show=EstCycUp,EstCycDown --format=csv est.cg | sed -n 's/^function,???,\([fg]\),.*,\([0-9]*,[0-9]*\)$/\1 \2/p')" \
	"Events shown:     EstCycUp EstCycDown IrUp
g 2,0
f 0,31"
# Whatever is cut, estimated cycles are there.  Text has only what changed.
all="$top_srcdir/tests/profiles/costgrind-all.cg"
for format in markdown csv json; do
	is "$format: totals begin with estimated cycles" "$("$program" diff --format=$format "$all" "$all" | sed '/"verdict": {/,/^  }/d' |
		grep -o -w -e EstCyc -e Ir -e Drefs | head -n 2 | tr '\n' ' ')" "EstCyc Ir "
done
is "text: no totals if nothing changed" "$("$program" diff "$all" "$all")" "The same number of estimated cycles

-- Functions: 0 changed themselves, 0 of them new, 0 gone"
for i in 2 3; do
	printf 'events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nfn=f\n1 1%d 4 3 %d 1 1 1 1 1\n' $i $i >more.$i
done
is "... else they begin with what sorts" \
	"$("$program" diff --sort=Ir more.2 more.3 | sed -n '/^-- Totals/,/^$/s/.*  //p' | tr '\n' ' ')" "event Ir EstCyc I1mr L1m LLhit "
fails "columns need a file" 2 "costgrind diff: --for=kcachegrind needs -o FILE, the profile to write" \
	--for=kcachegrind old.cg new.cg
fails "which is of one form" 2 "costgrind diff: expected --for=kcachegrind or --flat, not both" \
	--for=kcachegrind --flat -o forth old.cg new.cg
fails "other viewers need none" 2 "costgrind diff: --for: 'annotate': expected kcachegrind" \
	--for=annotate -o forth old.cg new.cg
"$program" diff -q --for=kcachegrind -o itself.out old.cg old.cg >/dev/null
is "nothing is in columns between a profile and itself" "$(grep -c '^[-+*0-9]\|^fn\|^calls' itself.out)" 0
# f is called by b in place of a: calls of it cost more, and less, than it did itself.
for caller in a b; do
	printf 'events: Ir\nfl=a.c\nfn=f\n9 100\n'
	printf 'fn=%s\n%d 1\ncfn=f\ncalls=1 9\n+1 100\n' $caller 10
	printf 'fn=main\n1 1\ncfn=%s\ncalls=1 10\n+1 101\n' $caller
done >callers
head -n 14 callers >callers.a
{
	echo 'events: Ir'
	tail -n +16 callers
} >callers.b
"$program" diff -q --for=kcachegrind -o callers.out callers.a callers.b >/dev/null
is "a call that moved to another caller" "$(grep -c '^calls=' callers.out) $(
	"$program" check callers.out | grep -c ': warning: ')" "4 0"
is "in what is no difference, such calls are reported" \
	"$(sed '/^desc:/d' callers.out | "$program" check - | grep -c ': warning: .*f: with its calls')" 1
awk 'BEGIN {
	printf "events:"
	for (i = 0; i < 129; i++) printf " E%d", i
	print "\nfl=a.c\nfn=f\n1 1"
}' >wide.cg
fails "no more columns than can be read" 1 "costgrind diff: wide.out: expected at most 128 events with \
--for=kcachegrind, found 129" \
	--for=kcachegrind -o wide.out wide.cg wide.cg
is "which writes nothing" "$(ls wide.out 2>/dev/null)" ""

# -- names -----------------------------------------------------------------------

# work is renamed, and grow, whose cost is the same; rest has an additional piece.
golden diff/renamed "$program" diff --threshold=0 renamed_old.cg renamed_new.cg
golden diff/renamed_markdown "$program" diff --format=markdown renamed_old.cg renamed_new.cg
golden diff/renamed_csv "$program" diff --format=csv renamed_old.cg renamed_new.cg
golden diff/renamed_json "$program" diff --format=json --calls=no renamed_old.cg renamed_new.cg
golden diff/renamed_not "$program" diff --renames=no --calls=no renamed_old.cg renamed_new.cg
# All pieces of rest are one function, of 4 in both.
golden diff/renamed_folded "$program" diff --fold-names renamed_old.cg renamed_new.cg
golden diff/renamed_profile "$program" diff -o - renamed_old.cg renamed_new.cg
golden diff/renamed_joined "$program" diff --join -o - renamed_old.cg renamed_new.cg
golden diff/joined "$program" diff --join -o - old.cg new.cg
sed 's,/b/1,/b/2,; s/work/toil/' renamed_new.cg >moved.cg
"$program" diff -q -o renamed.out renamed_old.cg renamed_new.cg >/dev/null
is "costgrind annotate reads a difference" \
	"$("$program" annotate --show=Ir --auto=no --show-percs=no --threshold=0 --width=unlimited renamed.out 2>&1 |
		sed -n 's,/b/1/main.c:,,p')" " 260  work.constprop.1 [/b/1/prog]
-200  work.constprop.0 [/b/1/prog]
 -30  alloc::vec::grow::h0123456789abcdef [/b/1/prog]
  30  alloc::vec::grow::hfedcba9876543210 [/b/1/prog]
  -1  rest.part.0 [/b/1/prog]
   1  rest.part.1 [/b/1/prog]
   .  main [/b/1/prog]"
is "another folder: what is called the same is the same" \
	"$("$program" diff -q renamed_old.cg moved.cg | grep Functions:)" \
	"-- Functions: 6 changed themselves, 3 of them new, 2 gone; 2 in another file"
is "... but not with --renames=no" \
	"$("$program" diff -q --renames=no renamed_old.cg moved.cg | grep Functions:)" \
	"-- Functions: 9 changed themselves, 5 of them new, 4 gone"
is "another folder, mapped" \
	"$("$program" diff -q --source-map=/b/2=/b/1 --mod-funcname='s/^toil/work/' --format=csv \
		renamed_old.cg moved.cg)" "$("$program" diff --format=csv renamed_old.cg renamed_new.cg)"
is "a renamed function keeps limits" \
	"$(echo 'self *work* Ir +59' | "$program" diff --limits=- renamed_old.cg renamed_new.cg 2>&1 >/dev/null)" \
	"costgrind diff: -:1: broken: self *work* Ir +59: /b/1/main.c:work.constprop.1: 200 to 260 (+30.00%)"

# Functions in another file: f changed, g did not; of two h, nobody knows which is which.
printf 'events: Ir\nfl=a.c\nfn=f\n1 10\n2 5\nfn=g\n9 7\nfn=h\n20 1\nfl=b.c\nfn=h\n3 2\n' >files.old
printf 'events: Ir\nfl=x.c\nfn=f\n1 10\n2 8\nfn=g\n9 7\nfn=h\n20 1\nfl=y.c\nfn=h\n3 3\n' >files.new
"$program" diff --format=csv --lines files.old files.new >files.csv
is "other files, in CSV" "$(grep '^self\|^line' files.csv)" "\
self,renamed,???,x.c,f,,,Ir,15,18,3,,,,a.c
self,new,???,y.c,h,,,Ir,0,3,3,,,,
self,gone,???,b.c,h,,,Ir,2,0,-2,,,,
self,gone,???,a.c,h,,,Ir,1,0,-1,,,,
self,new,???,x.c,h,,,Ir,0,1,1,,,,
self,renamed,???,x.c,g,,,Ir,7,7,0,,,,a.c
line,renamed,???,x.c,f,,2,Ir,5,8,3,,,,
line,new,???,y.c,h,,3,Ir,0,3,3,,,,
line,gone,???,b.c,h,,3,Ir,2,0,-2,,,,
line,gone,???,a.c,h,,20,Ir,1,0,-1,,,,
line,new,???,x.c,h,,20,Ir,0,1,1,,,,"
is "... in JSON" "$("$program" diff --format=json files.old files.new | python3 -c 'import json, sys
report = json.load(sys.stdin)
print(report["renamed_functions"], report["moved_functions"],
	[(row["function"], row["state"], row["old_file"]) for row in report["functions"] + report["renamed"] if "old_file" in row])')" \
	"0 2 [('f', 'renamed', 'a.c'), ('g', 'renamed', 'a.c')]"
fails "a limit on the old file holds" 3 "costgrind diff: -:1: broken: self a.c:f Ir +2: x.c:f: 15 to 18 (+20.00%)" \
	--limits=- files.old files.new <<END
self a.c:f Ir +2
END
fails "... and one on the new one" 0 "" --limits=- files.old files.new <<END
self x.c:f Ir +3
self x.c:g Ir +0
self f     Ir +20%
END
"$program" diff -q --join -o files.join files.old files.new >/dev/null
is "joined: what moved differs where it is now" "$(sed -n '/fn=.* f$/,/^$/p' files.join; grep -c 'fn=.* g$' files.join)" "\
fn=(3) f
2 3

0"
is "... in its file" "$("$program" annotate --format=csv files.join | grep -c '^function,.*x.c.*,f,')" 1
"$program" diff -q --for=kcachegrind -o files.up files.old files.new >/dev/null
is "... and so for KCachegrind" "$(sed -n '/fn=.* f$/,/^$/p' files.up; grep -c 'fn=.* g$' files.up)" "\
fn=(3) f
2 3 0

0"

# Ten calls that cost as much as one did; one that costs 1 of 100,000 more.
cat >calls.1 <<'END'
events: Ir
fl=a.c
fn=main
1 50000
cfn=f
calls=1 1
2 40000
cfn=g
calls=1 1
3 10000
fn=f
1 40000
fn=g
1 10000
END
sed '/^cfn=f/,/^2 /{s/calls=1/calls=10/}; /^cfn=g/,/^3 /s/10000/10001/; $s/10000/10001/' calls.1 >calls.2
is "calls that only their number tells apart, and small ones counted" \
	"$("$program" diff calls.1 calls.2 | sed -n '/^-- Calls/,$p')" \
	"-- Calls, inclusive: 2; 1 below --threshold
  calls  OLD Ir  NEW Ir  change  %  caller > callee
1 to 10  40,000  40,000       0     a.c:main > a.c:f"
# Half of 5,000 is more than any change.
is "counted, though there is none to list" \
	"$("$program" diff --threshold=50 old.cg new.cg | sed -n '/^-- Totals/,/^$/d; /^-- Functions:/,$p')" \
	"-- Functions: 3 changed themselves, 1 of them new, 1 gone; 3 below --threshold

-- Functions that only call what changed, inclusive: 1; 1 below --threshold

-- Calls, inclusive: 3; 3 below --threshold"

# -- 60 lines --------------------------------------------------------------------

# many FACTOR: 13 events, 100 functions that call each other.
many() {
	awk -v factor="$1" 'BEGIN {
		print "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim"
		print "fl=a.c"
		for (i = 0; i < 100; i++) {
			print "fn=f" i
			print i, 100 + i * factor, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, factor
			print "cfn=f" (i + 1) "\ncalls=" factor, i
			print i, factor
			print "fn=c" i "\n1 1\ncfn=f" i "\ncalls=1 1\n1 " factor
		}
	}'
}
many 1 >many.1
many 2 >many.2
awk 'BEGIN { for (i = 0; i < 10; i++) print "total Ir +0\nself f" i "* Ir +0 soft" }' >many.limits
for limits in many.limits /dev/null; do
	"$program" diff -q --format=markdown --limits=$limits many.1 many.2 >many.md 2>/dev/null
	is "at most 60 lines, $limits: exactly" "$(wc -l <many.md)" 60
done
# Functions that were only renamed have what is left.
for n in 0 1; do
	awk -v n=$n 'BEGIN {
		print "events: Ir\nfl=a.c\nfn=f\n1", 5 + n
		for (i = 0; i < 100; i++)
			print "fn=g" i "x.part." n "\n1 1"
	}' >renames.$n
done
"$program" diff --format=markdown renames.0 renames.1 >many.md
is "at most 60 lines, renamed functions: exactly" \
	"$(wc -l <many.md) $(grep '^\*\*Functions that were' many.md)" \
	"60 **Functions that were renamed, at the same cost**: 100, the first $(grep -c '(was ' many.md)"
"$program" diff --format=markdown --limits=many.limits many.1 many.2 >many.md 2>many.log
is "largest first" "$(sed -n '/^| OLD EstCyc.*callees/,/^$/s/.*`a.c:\(f[0-9]*\)`.*/\1/p' many.md | head -n 3 | tr '\n' ' ')" \
	"f99 f98 f97 "
# f0 costs the same.
is "one line for each broken limit" \
	"$(grep -c ': broken: total' many.log) $(grep -c ': warning: .*self f' many.log)" "10 9"

# -- limits ----------------------------------------------------------------------

cat >limits <<'END'
# Ir 4500 to 5000, I1mr 20 to 16, parse 3000 to 3600, report gone, check new
total      Ir    +11.12%          # +11.11 %
total      Ir    +500
total      Ir    <=5000
total      I1mr  improve
total      Cyc   +460
self       parse   Ir  +20%
inclusive  main.c:main  Ir  +500
any        Ir    +20% +400        # check: 400 of 0, but not more than 400
END
fails "kept limits" 0 \
	"costgrind diff: warning: limits:9: any        Ir    +20% +400: 1 of the 4 functions it fits have disappeared" \
	--limits=limits old.cg new.cg
fails "kept limits, quiet" 0 "" -q --limits=limits old.cg new.cg
cat >broken <<'END'
total      Ir    +11.11%
total      Ir    +499     soft
total      Ir    <=4999
total      I1mr  -20%
total      I1mr  -21%
total      Cyc   +459
self       "par?e"  Ir  +19.9999%
any        Ir    +19% +399
inclusive  nobody   Ir  -5%
END
fails "broken limits" 3 "costgrind diff: broken:1: broken: total      Ir    +11.11%: 4,500 to 5,000 (+11.11%)
costgrind diff: warning: broken:2: total      Ir    +499     soft: 4,500 to 5,000 (+11.11%)
costgrind diff: broken:3: broken: total      Ir    <=4999: 4,500 to 5,000 (+11.11%)
costgrind diff: broken:5: broken: total      I1mr  -21%: 20 to 16 (-20.00%)
costgrind diff: broken:6: broken: total      Cyc   +459: 4,700 to 5,160 (+9.79%)
costgrind diff: broken:7: broken: self       \"par?e\"  Ir  +19.9999%: main.c:parse: 3,000 to 3,600 (+20.00%)
costgrind diff: broken:8: broken: any        Ir    +19% +399: main.c:parse: 3,000 to 3,600 (+20.00%), and 1 more
costgrind diff: broken:9: unmatched: inclusive  nobody   Ir  -5%: fits no function" \
	--limits=broken old.cg new.cg
golden diff/broken_markdown "$program" diff -q --format=markdown --limits=broken old.cg new.cg
"$program" diff --format=json --limits=broken old.cg new.cg >broken.json 2>/dev/null
is "limits in JSON" "$(python3 -c 'import json
print(*(limit["state"] for limit in json.load(open("broken.json"))["limits"]))')" \
	"broken soft broken kept broken broken broken broken unmatched"
echo 'total Ir +499 soft' >soft
fails "soft limits" 0 "costgrind diff: warning: soft:1: total Ir +499 soft: 4,500 to 5,000 (+11.11%)" \
	--limits soft old.cg new.cg
fails "soft limits, quiet" 0 "" -q --limits soft old.cg new.cg
echo 'self nobody Ir +0' >nobody
fails "a limit that fits nothing, quiet" 3 \
	"costgrind diff: nobody:1: unmatched: self nobody Ir +0: fits no function" -q --limits nobody old.cg new.cg
echo 'self nobody Ir +0 soft' >nobody
fails "a soft one" 0 "costgrind diff: warning: nobody:1: self nobody Ir +0 soft: fits no function" \
	--limits nobody old.cg new.cg
fails "a soft one, quiet" 0 "" -q --limits nobody old.cg new.cg
# A profile that is cut short keeps no limit, however little there is of it; nor what was salvaged of it.
printf '# callgrind format\ncreator: costgrind-1\nevents: Ir\nfn=f\n1 100\n' >short.cg
{ cat short.cg; echo 'totals: 100'; } >long.cg
"$program" check -q --salvage -o salvaged.cg short.cg >salvage.log
echo 'total Ir +0' >none
no_limit="no limit can be held to a profile that is cut short"
fails "a whole one" 0 "" -q --limits none long.cg long.cg
unmatched="costgrind diff: none:1: unmatched: total Ir +0"
fails "NEW is cut short" 3 "$unmatched: NEW is cut short" -q --limits none long.cg short.cg
fails "OLD is cut short" 3 "$unmatched: OLD is cut short" -q --limits none short.cg long.cg
fails "no limits of it" 3 "costgrind diff: short.cg: $no_limit" -q --limits /dev/null long.cg short.cg
fails "soft limits of it" 3 "costgrind diff: short.cg: $no_limit" -q --limits soft long.cg short.cg
fails "NEW was salvaged" 3 "$unmatched: NEW is cut short" -q --limits none long.cg salvaged.cg
fails "... with a warning" 3 "costgrind diff: warning: salvaged.cg:4: salvaged from a profile that was cut short
$unmatched: NEW is cut short" --limits none long.cg salvaged.cg
is "... in JSON" "$("$program" diff -q --format=json --limits none long.cg short.cg 2>/dev/null |
	grep -o '"state": "[a-z]*".*"reason": "[^"]*"')" '"state": "unmatched", "is_soft": false, "reason": "NEW is cut short"'
fails "without limits" 0 \
	"costgrind diff: warning: short.cg:5: expected \"totals:\" at the end, the profile may be cut short" \
	long.cg short.cg
fails "a baseline that is cut short" 1 \
	"costgrind diff: short.cg: expected a whole profile to save, this one is cut short" \
	-q --baselines=cut.d --save=x short.cg
is "in JSON" "$("$program" diff -q --format=json --limits nobody old.cg new.cg | grep -c '"unmatched", "is_soft": true')" 1
echo 'self report Ir +0' >gone
fails "what a limit fits is gone" 3 \
	"costgrind diff: gone:1: gone: self report Ir +0: every function it matched has disappeared" \
	--limits gone old.cg new.cg
fails "... quiet" 3 \
	"costgrind diff: gone:1: gone: self report Ir +0: every function it matched has disappeared" \
	-q --limits gone old.cg new.cg
is "... in Markdown" "$("$program" diff -q --format=markdown --limits gone old.cg new.cg 2>/dev/null | sed -n 5,7p)" \
	'**Limits**: 0 of 1 broken, 1 gone, 0 warnings

- **gone**: `self report Ir +0`: every function it matched has disappeared'
is "... in JSON" "$("$program" diff -q --format=json --limits gone old.cg new.cg 2>/dev/null | sed -n 's/.*"limit": //p')" \
	'"self report Ir +0", "state": "gone", "is_soft": false, "reason": "every function it matched has disappeared", "matched": 1, "gone": 1, "broken": 0}'
echo 'self parse Ir +19%' >>gone
is "... in CSV" "$("$program" diff -q --format=csv --limits gone old.cg new.cg 2>/dev/null | grep ^limit)" \
	"limit,gone,,,,,1,Ir,,,,,,,
limit,broken,v2/prog,main.c,parse,,2,Ir,3000,3600,600,,,,"
echo 'self report Ir +0 soft' >gone
fails "... of a soft limit" 0 \
	"costgrind diff: warning: gone:1: self report Ir +0 soft: every function it matched has disappeared" \
	--limits gone old.cg new.cg
fails "... of a soft limit, quiet" 0 "" -q --limits gone old.cg new.cg
is "... of a soft limit, in Markdown" \
	"$("$program" diff -q --format=markdown --limits gone old.cg new.cg 2>/dev/null | sed -n 5,7p)" \
	'**Limits**: 0 of 1 broken, 1 warning

- warning: `self report Ir +0 soft`: every function it matched has disappeared'
cat >ways <<'END'
total Ir +-11.11%
total Ir +-11.12%
total Ir ±11.11%
total I1mr +-19%
total I1mr +19%
self main Ir >=1000
self main Ir >=1001
END
fails "bounds both ways, and of the least" 3 "costgrind diff: ways:1: broken: total Ir +-11.11%: 4,500 to 5,000 (+11.11%)
costgrind diff: ways:3: broken: total Ir ±11.11%: 4,500 to 5,000 (+11.11%)
costgrind diff: ways:4: broken: total I1mr +-19%: 20 to 16 (-20.00%)
costgrind diff: ways:7: broken: self main Ir >=1001: main.c:main: 1,000 to 1,000 (0.00%)" \
	--limits=ways old.cg new.cg
# check grew from nothing, parse by 20 %, all by 11.11 %.
printf 'total Ir +0\nself parse Ir +0\nself check Ir +0\nself no Ir +0\ntotal Ir +1 soft\nself no Ir +0 soft\n' >order
is "in Markdown, the largest excess first" \
	"$("$program" diff -q --format=markdown --limits order old.cg new.cg 2>/dev/null |
		sed -n 's/^- \([^`]*`[^`]*`\).*/\1/p')" \
	'**unmatched**: `self no Ir +0`
**broken**: `self check Ir +0`
**broken**: `self parse Ir +0`
**broken**: `total Ir +0`
warning: `self no Ir +0 soft`
warning: `total Ir +1 soft`'
echo 'inclusive f Ir +0' >inclusive
printf 'events: Ir\nfl=a.c\nfn=f\n1 5\n' >flat.cg
fails "inclusive costs without calls" 1 \
	"costgrind diff: inclusive:1: inclusive costs need calls, and the profiles have none" \
	--limits=inclusive flat.cg flat.cg
fails "inclusive costs with calls in NEW alone" 1 \
	"costgrind diff: inclusive:1: inclusive costs need calls, and OLD has none" \
	--limits=inclusive --force -q flat.cg new.cg
echo 'total Ir +1' >one
is "limits are reported even if the report cannot be written" \
	"$("$program" diff --limits=one old.cg new.cg 2>&1 >/dev/full | sed 's/full:.*/full/') $(
	"$program" diff --limits=one old.cg new.cg >/dev/full 2>&1
	echo $?)" "costgrind diff: standard output: No space left on device
costgrind diff: one:1: broken: total Ir +1: 4,500 to 5,000 (+11.11%) 1"
fails "limits and NEW of standard input" 2 \
	"costgrind diff: only one of --limits, OLD and NEW can be standard input" --limits=- old.cg -
fails "limits and OLD of standard input" 2 \
	"costgrind diff: only one of --limits, OLD and NEW can be standard input" --limits=- - new.cg
# f0 ... f99 cost 100 + i and 100 + 2 i.
echo 'self f* Ir +0' >many.one
"$program" diff -v --limits=many.one many.1 many.2 >/dev/null 2>many.log
is "with -v, ten functions that break a limit" "$(sed -n 's/.*many.one:1: //p' many.log)" \
	"$(echo 'broken: self f* Ir +0: a.c:f99: 199 to 298 (+49.75%), and 98 more'
		awk 'BEGIN { for (i = 98; i > 89; i--)
			printf "also a.c:f%d: %d to %d (+%.2f%%)\n", i, 100 + i, 100 + 2 * i, 100 * i / (100 + i) }')"
echo 'any Ir +0 soft' >many.one
is "of a soft one, as warnings" "$("$program" diff -v --limits=many.one many.1 many.2 2>&1 >/dev/null |
	grep -c 'diff: warning: many.one:1: also a.c:')" 9
is "none if quiet" "$("$program" diff -v -q --limits=many.one many.1 many.2 2>&1 >/dev/null |
	grep -c many.one)" 0
printf '# one\ntotal  Foo +1\n' >event
fails "no such event" 1 "costgrind diff: event:2:8: expected an event of both profiles, or derived \
from them, found 'Foo'" --limits=event old.cg new.cg
echo 'total D1neutral +1%' >event
fails "an event that was not recorded" 1 "costgrind diff: event:1:7: expected an event of both profiles, or derived \
from them, found 'D1neutral': it needs --miss-classes=yes" --limits=event old.cg new.cg
echo 'total M64K +1%' >event
fails "one of an option with other values" 1 "costgrind diff: event:1:7: expected an event of both profiles, or derived \
from them, found 'M64K': it needs --miss-curve=sampled" --limits=event old.cg new.cg
echo 'total Ir 5%' >syntax
fails "bad limits" 1 "costgrind diff: syntax:1:10: expected a bound: +N, +N%, -N, -N%, +-N, +-N%, <=N, >=N or improve" \
	--limits=syntax old.cg new.cg
fails "no limits" 1 "costgrind diff: nowhere: cannot open: No such file or directory" \
	--limits=nowhere old.cg new.cg

# -- what a run says about itself -----------------------------------------------------

# with NAME FILE LINES...: FILE with these desc lines.
with() {
	with_name=$1
	with_file=$2
	shift 2
	{
		sed '/^event/,$d' "$with_file"
		printf 'desc: %s\n' "$@"
		sed -n '/^event/,$p' "$with_file"
	} >"$with_name"
}
printf 'total Ir +12%%\nself main Ir +0 soft\n' >kept
printf 'total Ir +12%%\n' >hard
echo 'total Ir improve' >improves
with old_all.cg old.cg 'Collected: 300 of 7,000,000 instructions' 'Ended: exit 0'
with none.cg new.cg 'Collected: 0 of 7,012,334 instructions' 'Ended: exit 0'
with few.cg new.cg 'Collected: 3 of 7,012,334 instructions' 'Ended: exit 0'
with enough.cg new.cg 'Collected: 3 of 7,000,000 instructions' 'Ended: exit 0'
with crashed.cg new.cg 'Collected: 300 of 7,000,000 instructions' 'Ended: signal 11'
with exit1.cg new.cg 'Ended: exit 1'
sed 's/^\([-+0-9*]* \)[0-9 ]*$/\10 0/; s/^totals.*/totals: 0 0/' new.cg >zeros.cg
fails "nothing was collected" 3 \
	"costgrind diff: kept:1: unmatched: total Ir +12%: NEW collected nothing: 0 of 7,012,334 instructions
costgrind diff: warning: kept:2: self main Ir +0 soft: NEW collected nothing: 0 of 7,012,334 instructions" \
	--limits=kept old_all.cg none.cg
fails "... as the costs say" 3 "costgrind diff: hard:1: unmatched: total Ir +12%: NEW collected nothing" \
	-q --limits=hard old.cg zeros.cg
fails "... without limits" 0 "costgrind diff: warning: NEW collected nothing" old.cg zeros.cg
fails "less than a hundredth of the share was collected" 3 \
	"costgrind diff: hard:1: unmatched: total Ir +12%: NEW collected 3 of 7,012,334 instructions, \
less than 1 % of the share that OLD did, 300 of 7,000,000 instructions" -q --limits=hard old_all.cg few.cg
fails "a hundredth of it is enough" 0 "" --limits=hard old_all.cg enough.cg
fails "... and so is any if OLD does not say" 0 "" --limits=hard old.cg few.cg
is "it is unmatched in JSON" "$("$program" diff -q --format=json --limits=hard old.cg none.cg 2>/dev/null |
	sed -n 's/.*\("state": "un.*\), "matched.*/\1/p')" \
	'"state": "unmatched", "is_soft": false, "reason": "NEW collected nothing: 0 of 7,012,334 instructions"'
is "... and in Markdown" "$("$program" diff -q --format=markdown --limits=kept old.cg none.cg 2>/dev/null | sed -n '5p;7,8p')" \
	'**Limits**: 0 of 2 broken, 1 unmatched, 1 warning
- **unmatched**: `total Ir +12%`: NEW collected nothing: 0 of 7,012,334 instructions
- warning: `self main Ir +0 soft`: NEW collected nothing: 0 of 7,012,334 instructions'

ends="costgrind diff: Ended: OLD exit 0, NEW signal 11
costgrind diff: the runs are not comparable; --force compares them anyway"
fails "a run that crashed breaks the gate" 3 "$ends" --limits=hard old_all.cg crashed.cg
fails "... quiet" 3 "$ends" -q --limits=hard old_all.cg crashed.cg
fails "... unless it is forced" 0 "costgrind diff: warning: Ended: OLD exit 0, NEW signal 11
costgrind diff: warning: NEW: the program failed (signal 11)" \
	--force --limits=hard old_all.cg crashed.cg
fails "... and without limits" 0 "costgrind diff: warning: Ended: OLD exit 0, NEW signal 11" old_all.cg crashed.cg
fails "... also if OLD does not say how it ended" 3 \
	"costgrind diff: Ended: OLD (not said), NEW signal 11
costgrind diff: the runs are not comparable; --force compares them anyway" --limits=hard old.cg crashed.cg
fails "another exit code breaks it" 3 "costgrind diff: Ended: OLD exit 0, NEW exit 1
costgrind diff: the runs are not comparable; --force compares them anyway" --limits=hard old_all.cg exit1.cg
failed="costgrind diff: warning: NEW: the program failed (exit 1)"
fails "... but not if OLD does not say" 0 "$failed" --limits=hard old.cg exit1.cg
fails "the same end is none" 0 "$failed" --limits=hard exit1.cg exit1.cg
fails "a crash is no baseline" 3 \
	"costgrind diff: crashed.cg: the program ended by signal 11: it is not kept as crash; --force keeps it" \
	-q --baselines=crash.d --save=crash crashed.cg
fails "... not even the first one" 3 \
	"costgrind diff: crashed.cg: the program ended by signal 11: it is not kept as crash; --force keeps it" \
	-q --baselines=crash.d --against=crash --save=crash crashed.cg
fails "... unless it is forced to be" 0 \
	"costgrind diff: warning: crashed.cg: the program failed (signal 11), but is kept as crash anyway" \
	--force --baselines=crash.d --save=crash crashed.cg
rm -r crash.d
fails "a baseline that failed" 0 \
	"costgrind diff: warning: exit1.cg: the program failed (exit 1), but is kept as failed anyway" \
	--baselines=crash.d --save=failed exit1.cg
rm -r crash.d
with counted.cg crashed.cg 'Counting: architectural'
fails "unlike in more than the end: not the program's fault" 1 \
	"costgrind diff: Counting: OLD (not said), NEW architectural
costgrind diff: Ended: OLD exit 0, NEW signal 11
costgrind diff: the runs are not comparable; --force compares them anyway" --limits=hard old_all.cg counted.cg

is "why there is no comparison, in Markdown" \
	"$("$program" diff --format=markdown --limits=hard old_all.cg crashed.cg 2>/dev/null)" \
	'### No comparison of `crashed.cg` with `old_all.cg`

- `Ended: OLD exit 0, NEW signal 11`
- `the runs are not comparable; --force compares them anyway`'
is "... of a baseline that is not there" \
	"$("$program" diff -q --format=markdown --baselines=no.d --against=main new.cg 2>/dev/null)" \
	'### No comparison of `new.cg` with `no.d/main.cg`

- `no.d/main.cg: cannot open: No such file or directory`'
is "... but not in other formats" "$("$program" diff --format=json --limits=hard old_all.cg crashed.cg 2>/dev/null)" ""
is "... nor amid a profile" "$("$program" diff --format=markdown -o - --limits=hard old_all.cg crashed.cg 2>/dev/null)" ""

with started.cg new.cg 'Not profiled: 3 programs: /bin/sh, /usr/bin/gcc' 'Time asked: 12,345 times'
started="costgrind diff: warning: NEW: limits do not see what was started and not profiled, \
3 programs: /bin/sh, /usr/bin/gcc; --trace-children=yes profiles it
costgrind diff: warning: NEW: the program asked for the time 12,345 times, and time is a count of instructions: \
if it runs until some time is over, fix the number of iterations"
fails "limits warn of what they do not see" 0 "$started" --limits=hard old.cg started.cg
fails "... of OLD, too" 0 "$(echo "$started" | sed 's/NEW/OLD/')" --limits=hard started.cg new.cg
fails "... once if it is so of both" 0 "$started" --limits=hard started.cg started.cg
fails "... unless quiet" 0 "" -q --limits=hard old.cg started.cg
is "... in Markdown" "$("$program" diff -q --format=markdown --limits=hard old.cg started.cg | sed -n '5p;7,8p')" \
	"**Limits**: 0 of 1 broken, 2 warnings
$(echo "$started" | sed 's/costgrind diff: warning: \(.*\)/- warning: `\1`/')"
fails "... and without limits nobody does" 0 "" old.cg started.cg
is "a difference says nothing about it" "$("$program" diff -q -o - old.cg started.cg | grep -c 'Not prof\|Time asked')" 0

cat old_all.cg crashed.cg >parts.cg
"$program" diff -q --force --baselines=saved.d --save=parts parts.cg
is "a baseline has what all parts say" "$(grep '^desc: [CE]' saved.d/parts.cg)" \
	"desc: Collected: 600 of 14,000,000 instructions
desc: Ended: signal 11"

# -- baselines -------------------------------------------------------------------

mkdir -p repository/.git repository/below
cd repository/below || exit
is "saving" "$("$program" diff --save main ../../old.cg 2>&1) $?" " 0"
is "where it is" "$(cd .. && find . -type f)" ./.costgrind/main.cg
is "what differs from run to run is left out" "$(grep -c '^pid:\|^part:' ../.costgrind/main.cg)" 0
is "it is the same profile" "$(check new ../../old.cg /dev/null ../.costgrind/main.cg 2>&1)" ""
is "and the same report" "$("$program" diff --against=main ../../new.cg | tail -n +3)" \
	"$("$program" diff ../../old.cg ../../new.cg | tail -n +3)"
cp ../.costgrind/main.cg kept
"$program" diff --against=main --save=main --limits=../../broken ../../new.cg >/dev/null 2>&1
is "a broken limit keeps the baseline" "$? $(cmp ../.costgrind/main.cg kept)" "3 "
"$program" diff --against=main --save=main --limits=../../limits ../../new.cg >/dev/null 2>&1
is "else it is replaced" "$? $(check new ../../new.cg /dev/null ../.costgrind/main.cg 2>&1)" "0 "
"$program" diff --save=again ../.costgrind/main.cg
is "saving what was saved" "$(cmp ../.costgrind/again.cg ../.costgrind/main.cg)" ""
"$program" diff --baselines=kept.d --save=x ../../old.cg
is "another folder" "$(ls kept.d)" x.cg
cp ../../renamed_old.cg ../../renamed_new.cg .
"$program" diff --fold-names --save=folded renamed_old.cg
is "a baseline says that its names are folded" "$(grep '^desc' ../.costgrind/folded.cg)" \
	"desc: Names folded: --fold-names"
is "it is compared with the same option" \
	"$("$program" diff --fold-names --against=folded renamed_new.cg | tail -n +3)" \
	"$("$program" diff --fold-names renamed_old.cg renamed_new.cg | tail -n +3)"
fails "not without it" 1 "costgrind diff: Names folded: OLD --fold-names, NEW (not said)
costgrind diff: the runs are not comparable; --force compares them anyway" --against=folded renamed_new.cg
fails "a further one is for both" 0 "" --fold-names --fold-templates --against=folded renamed_new.cg
fails "another one alone is not" 1 \
	"costgrind diff: Names folded: OLD --fold-names --fold-templates, NEW --fold-templates
costgrind diff: the runs are not comparable; --force compares them anyway" \
	--fold-templates --against=folded renamed_new.cg
"$program" diff --save=again ../.costgrind/folded.cg
is "saving what was folded" "$(cmp ../.costgrind/again.cg ../.costgrind/folded.cg)" ""
cd ../.. || exit
fails "no such baseline" 1 \
	"costgrind diff: none.d/main.cg: cannot open: No such file or directory" \
	--baselines none.d --against main new.cg
is "which makes no folder" "$(ls -d none.d 2>/dev/null)" ""
for name in ../x .x a/b ''; do
	fails "a bad name: '$name'" 2 \
		"costgrind diff: --save: '$name': expected a name of letters, digits, . _ and -" \
		--save="$name" new.cg
done
fails "a folder that cannot be" 1 "costgrind diff: old.cg/x: Not a directory" \
	--baselines=old.cg/x --save=x new.cg

# The first run of a job: broken has limits that no run keeps against itself.
first="costgrind diff: warning: first.d/main.cg: no baseline yet: NEW is kept as it, and nothing was compared"
echo 'total Ir +1%' >relative
fails "the first run is kept" 0 "$first" --baselines=first.d --against=main --save=main --limits=relative new.cg
is "... as it is" "$(check new new.cg /dev/null first.d/main.cg 2>&1)" ""
fails "the second one is compared" 3 \
	"costgrind diff: improves:1: broken: total Ir improve: 5,000 to 5,000 (0.00%)" \
	--baselines=first.d --against=main --save=main --limits=improves new.cg
rm -r first.d
is "... quiet, from a pipe, as JSON" "$("$program" diff -q --format=json --baselines=first.d --against=main --save=main - <new.cg 2>&1 |
	python3 -c 'import json, sys
report = json.load(sys.stdin)
print(report["is_first"], report["old"], report["new"], report["functions"], report["limits"], report["totals"]["Ir"])'; ls first.d)" \
	"True first.d/main.cg - [] [] {'old': 5000, 'new': 5000}
main.cg"
rm -r first.d
is "... in Markdown" "$("$program" diff -q --format=markdown --baselines=first.d --against=main --save=main new.cg | sed -n 1,3p)" \
	'### Cost of `new.cg` against `first.d/main.cg`

No baseline yet: NEW is kept as it, and nothing was compared'
rm -r first.d
fails "a first run that breaks an absolute limit is not" 3 \
	"costgrind diff: broken:3: broken: total      Ir    <=4999: 5,000 to 5,000 (0.00%)" \
	-q --baselines=first.d --against=main --save=main --limits=broken new.cg
fails "... nor one with limits that cannot be read" 1 \
	"costgrind diff: nolimits: cannot open: No such file or directory" \
	-q --baselines=first.d --against=main --save=main --limits=nolimits new.cg
fails "a first run that collected nothing is not" 3 \
	"costgrind diff: NEW collected nothing: it is not kept as main" \
	-q --baselines=first.d --against=main --save=main zeros.cg
is "... which the report says" "$("$program" diff -q --format=markdown --baselines=first.d --against=main --save=main \
	zeros.cg 2>/dev/null)" '### No comparison of `zeros.cg` with `first.d/main.cg`

- `NEW collected nothing: it is not kept as main`'
is "... and makes no folder" "$(ls -d first.d 2>/dev/null)" ""
fails "another baseline is no first run" 1 "costgrind diff: first.d/main.cg: cannot open: No such file or directory" \
	--baselines=first.d --against=main --save=other new.cg
"$program" diff --baselines=first.d --save=main new.cg
fails "nor does it replace a baseline, without limits" 3 \
	"costgrind diff: NEW collected nothing: it is not kept as main" \
	--baselines=first.d --against=main --save=main zeros.cg
is "... which stays" "$(check new new.cg /dev/null first.d/main.cg 2>&1)" ""
rm -r first.d
fails "saving what collected nothing" 3 "costgrind diff: NEW collected nothing: it is not kept as x" \
	--baselines=zeros.d --save=x zeros.cg
mkdir zeros.d
cp zeros.cg zeros.d/x.cg

# -- baselines without a partner
for name in parse render render.fast; do
	"$program" diff --baselines=all.d --save=$name new.cg
	cp new.cg $name.new
done
: >all.d/readme
: >all.d/.hidden.cg
fails "each has a partner" 0 "" --baselines=all.d --baselines-complete parse.new ./render.new render.fast.new
fails "one has none" 3 \
	"costgrind diff: all.d/render.cg: the baseline has no partner: no profile is compared with it" \
	-q --baselines=all.d --baselines-complete parse.new render.fast.new
fails "nor have those that are not named" 3 \
	"costgrind diff: all.d/render.cg: the baseline has no partner: no profile is compared with it
costgrind diff: all.d/render.fast.cg: the baseline has no partner: no profile is compared with it" \
	--baselines=all.d --against=parse --baselines-complete parse.new
fails "the only one is compared" 0 "" -q --baselines=zeros.d --against=x --baselines-complete zeros.cg
fails "a profile that is not there" 1 "costgrind diff: nothing.new: No such file or directory" \
	--baselines=all.d --baselines-complete nothing.new
fails "no folder of baselines" 1 "costgrind diff: no.d: No such file or directory" --baselines=no.d --baselines-complete new.cg
fails "a comparison without a baseline" 2 \
	"costgrind diff: expected --baselines-complete with --against, or with FILEs alone" \
	--baselines-complete --limits=hard old.cg new.cg

# -- events that have no inclusive costs -----------------------------------------------

cp "$top_srcdir/tests/golden/annotate/inputs/prefetch.cg" before.cg
sed 's/109000/109100/; s/1100$/1105/; s/^2 1000/2 1005/; s/^summary: .*/summary: 1115 109539 50000/;
	s/^totals: .*/totals: 1115 109539 50000/' before.cg >after.cg
"$program" diff --show=Ir,Pf,PfU before.cg after.cg >own
is "calls have no prefetches" "$(sed -n '/^-- Totals/,/^$/d; /^-- Functions: /,$p' own)" \
	"-- Functions: 1 changed themselves, 0 of them new, 0 gone
OLD Ir  NEW Ir  change       %    Pf  PfU  function
 1,000   1,005      +5  +0.50%  +100    0  prefetch.src:copy

-- Functions that only call what changed, inclusive: 1
OLD Ir  NEW Ir  change       %  Pf  PfU  function
 1,110   1,115      +5  +0.45%   .    .  prefetch.src:main

-- Calls, inclusive: 1
calls  OLD Ir  NEW Ir  change       %  Pf  PfU  caller > callee
    1   1,100   1,105      +5  +0.45%   .    .  prefetch.src:main > prefetch.src:copy"
is "... in JSON" "$("$program" diff --format=json before.cg after.cg | grep -o '"inclusive": {[^}]*}}' | sort | uniq -c |
	tr -s ' ')" ' 2 "inclusive": {"Ir": {"old": 1100, "new": 1105}}
 1 "inclusive": {"Ir": {"old": 1110, "new": 1115}}'
is "... in CSV" "$("$program" diff --format=csv before.cg after.cg | grep -c '^\(inclusive\|call\),.*,Pf')" 0
echo 'inclusive copy Pf +1%' >own.limits
is "... and no limit" "$("$program" diff --limits=own.limits before.cg after.cg 2>&1 >/dev/null; echo $?)" \
	"costgrind diff: own.limits:1:16: expected an event that has inclusive costs, found 'Pf'
1"

# --- what libraries cost less, by the code that calls them ---

# library NAME N: build() calls malloc N times, which costs 40 itself, and 60 in _int_malloc.
library() {
	cat >"$1" <<END
events: Ir
ob=/home/ann/prog
fl=/home/ann/main.c
fn=main
1 10
cfn=build
calls=1 5
2 $(($2 * 100 + $2))
fn=build
5 $2
cob=/usr/lib/libc.so.6
cfi=malloc.c
cfn=malloc
calls=$2 1
6 $(($2 * 100))
ob=/usr/lib/libc.so.6
fl=malloc.c
fn=malloc
1 $(($2 * 40))
cfn=_int_malloc
calls=$2 9
2 $(($2 * 60))
fn=_int_malloc
9 $(($2 * 60))
END
}
library many.cg 100
library few.cg 20
is "who calls the libraries that cost less" "$("$program" diff --width=unlimited many.cg few.cg | sed -n 1p)" \
	"79.9 % fewer instructions: 59 % of it in _int_malloc; with libraries, 100 % of it in build"
is "... in JSON, too" "$("$program" diff --format=json many.cg few.cg | grep -c '"claim": "79.9 .*; with libraries, 100 % of it in build"')" 1
is "the same function says no more" "$("$program" diff --width=unlimited --show=Ir few.cg few.cg | sed -n 1p)" \
	"The same number of instructions"
done_testing
