#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind diff as text: no line is longer than the width, whatever the names and counts are; what comes first; and
# that other formats have all.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

# longest FILE: the characters of its longest line.
longest() {
	LC_ALL=C.UTF-8 awk 'length > most { most = length } END { print most + 0 }' "$1"
}

# fits NAME WIDTH ARGS...: if diff has something to say, it is in lines of that width at most.
fits() {
	fits_name=$1
	fits_width=$2
	shift 2
	"$program" diff -q --force --lines --threshold=0 --width="$fits_width" "$@" >fits.text
	fits_status=$?
	if [ $fits_status -eq 0 ]; then
		pairs=$((pairs + 1))
		[ "$(longest fits.text)" -le "$fits_width" ] || wide="$wide $fits_name:$fits_width"
	fi
}

# Each profile with the next one, if they have an event in common.
before='' wide='' pairs=0
for file in "$top_srcdir"/tests/profiles/*.cg "$top_srcdir"/tests/golden/annotate/inputs/*.cg \
	"$top_srcdir"/tests/cmds/inputs/diff_*.cg "$top_srcdir"/tests/cmds/inputs/re*_*.cg; do
	for width in ${before:+80 100 200}; do
		fits "${before##*/}-${file##*/}" "$width" "$before" "$file" 2>/dev/null
	done
	before=$file
done
is "all pairs of profiles fit" "$wide" ""
is "... which are many" "$((pairs > 120))" 1
wide=''
for width in 40 80 100 200; do
	fits objects $width --by=object "$top_srcdir/tests/cmds/inputs/objects_old.cg" "$top_srcdir/tests/cmds/inputs/objects_new.cg"
done
is "objects of data fit" "$wide" ""

# A name, a file and an object of 10,000 characters, costs of 20 digits, and 20 events that are asked for.
long=$(awk 'BEGIN { for (i = 0; i < 1250; i++) printf "abcdefg<" }')
events='Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim'
# long N: f and g cost more in the second one; moved is in another file, renamed another clone.
long() {
	printf 'events: %s\nob=/%s\nfl=/%s.c\n' "$events" "$long" "$long"
	printf 'fn=%s::f\n1 1%d00000000000000000 4 3 2 1 1\ncfn=%s::g\ncalls=%d000000000\n2 %d00\n' "$long" "$1" "$long" "$1" "$1"
	printf 'fn=%s::g\n1 %d00\nfn=%srenamed.part.%d\n5 7%d\n' "$long" "$1" "$long" "$1" "$1"
	printf 'fl=/%s%d.c\nfn=%smoved\n1 %d\n' "$long" "$1" "$long" "$1"
}
long 1 >long.1
long 2 >long.2
wide=''
for width in 40 80 100 120 200; do
	fits long $width long.1 long.2
	fits all $width --show="$(echo "$events" | tr ' ' ,)" long.1 long.2
done
is "long names and counts fit" "$wide" ""
is "all rows are there" "$(sed -n '/^-- Functions: /p' fits.text; grep -c '(was .*)$' fits.text)" \
	"-- Functions: 4 changed themselves, 0 of them new, 0 gone; 1 renamed; 1 in another file
2"
"$program" diff -q --width=60 long.1 long.2 >60.text
is "headings are broken between words" "$(sed -n '/^-- Functions: /,/^   /p' 60.text)" "\
-- Functions: 4 changed themselves, 0 of them new, 0 gone; 1
   renamed; 1 in another file; 3 below --threshold"
"$program" diff -q --threshold=0 long.1 long.2 >pipe.text
"$program" diff -q --threshold=0 --width=120 long.1 long.2 >120.text
is "a pipe has 120 columns" "$(cmp pipe.text 120.text && longest pipe.text)" 120
"$program" diff -q --threshold=0 --width=90 long.1 long.2 >90.text
# shellcheck disable=SC2016 # for the shell on the terminal
is "a terminal has its own" "$(python3 "$top_srcdir/tests/cmds/on_terminal.py" sh -c 'stty cols 90 <&1; exec "$@"' sh \
	"$program" diff -q --no-pager --threshold=0 long.1 long.2 | sed 's/\\r$//' | diff - 90.text)" ""
"$program" diff -q --width=unlimited long.1 long.2 >unlimited.text
is "any width: names are whole" "$(grep -c "  /$long.c:$long::f \[/$long\]$" unlimited.text)" 1
"$program" diff -q --format=csv --width=40 long.1 long.2 >long.csv
is "CSV has them always" "$(grep -c "^self,,/$long,/$long.c,$long::f,,,Ir," long.csv)" 1
"$program" diff -q --format=markdown --width=40 long.1 long.2 >long.md
is "Markdown, too" "$(grep -c "/$long.c:$long::f \[/$long\]" long.md)" 1
"$program" diff --width=39 long.1 long.2 >narrow.text 2>&1
is "less is no width" "$? $(cat narrow.text)" \
	"2 costgrind diff: --width: '39': expected a number of columns, 40 or more, or unlimited"

# What people read first.
cat >old.cg <<'END'
events: Ir CyBase CyDep CyFe CyBr CyMem CyTlb
fl=/src/main.c
fn=walk
1 100 2000 1000 0 0 70000 0
fn=parse
9 400 4000 9000 0 0 1000 0
END
sed 's/ 70000 / 35000 /; s/ 9000 / 8000 /' old.cg >new.cg
"$program" diff old.cg new.cg >first
is "the verdict is the first line" "$(head -n 1 first)" "41.4 % fewer cycles: 97 % of it less memory waiting in walk"
is "rows say what changed most" "$(sed -n '/^-- Functions/,/^$/p' first)" "\
-- Functions: 2 changed themselves, 0 of them new, 0 gone
OLD Cyc  NEW Cyc    change        %  mostly        function
7,300.0  3,800.0  -3,500.0  -47.95%  memory        main.c:walk
1,400.0  1,300.0    -100.0   -7.14%  dependencies  main.c:parse"
is "totals are of what changed" "$(sed -n '/^-- Totals/,$p' first | sed 's/.*  //' | tr '\n' ' ')" \
	"-- Totals of the events that changed event Cyc CyDep CyMem "
is "back, it is more" "$("$program" diff new.cg old.cg | head -n 1)" "70.6 % more cycles: 97 % of it more memory waiting in walk"
is "the same" "$("$program" diff old.cg old.cg | head -n 1)" "The same number of cycles"
printf 'events: Ir\nfn=f\n1 1000000\n' >little.1
printf 'events: Ir\nfn=f\n1 1000499\n' >little.2
is "too little for a percentage" "$("$program" diff little.1 little.2 | head -n 1)" "499 more instructions: 100 % of it in f"
# Changes that cancel each other.
printf 'events: Ir CyBase CyMem\nfn=f\n1 1 10000 80000\nfn=g\n2 1 10000\n' >cancel.1
printf 'events: Ir CyBase CyMem\nfn=f\n1 1 10000 40000\nfn=g\n2 1 49000\n' >cancel.2
is "changes that cancel: amounts" "$("$program" diff cancel.1 cancel.2 | head -n 1)" \
	"1.0 % fewer cycles: 4,000 fewer in f (memory), offset elsewhere"
printf 'events: Ir\nfn=init\n1 75\nfn=f\n1 1\n' >cancel.1
printf 'events: Ir\nfn=work\n1 77\nfn=f\n1 1\n' >cancel.2
is "... of a function that is new" "$("$program" diff cancel.1 cancel.2 | head -n 1)" \
	"2.6 % more instructions: 77 more in work (new), offset elsewhere"
is "a name that is new" "$("$program" diff old.cg little.2 --force 2>/dev/null | head -n 1)" \
	"200,000 % more instructions: 100 % of it in f (new)"
is "a first run has nothing to be compared with" \
	"$("$program" diff -q --baselines=first.d --against=x --save=x new.cg)" \
	"No baseline yet: NEW is kept as it, and nothing was compared

-- Functions: 0 changed themselves, 0 of them new, 0 gone"
is "-v names the files" "$("$program" diff -v old.cg new.cg 2>/dev/null | sed -n 2,3p)" "OLD  old.cg
NEW  new.cg"
is "Markdown begins with it" "$("$program" diff --format=markdown old.cg new.cg | sed -n 1,3p)" \
	"41.4 % fewer cycles: 97 % of it less memory waiting in \`walk\`

### Cost of \`new.cg\` against \`old.cg\`"

# Large counts are short if names have no room otherwise.
printf 'events: Ir\nfl=a.c\nfn=%s\n1 12345678901\nfn=g\n2 99999\nfn=h\n3 5\n' "a_name_that_is_quite_long_for_a_function" >count.1
printf 'events: Ir\nfl=a.c\nfn=%s\n1 12999678901\nfn=g\n2 100001\nfn=h\n3 5000\n' "a_name_that_is_quite_long_for_a_function" >count.2
is "compact counts" "$("$program" diff --threshold=0 --calls=no --width=80 count.1 count.2 | sed -n '3,/^$/p')" "\
-- Functions: 3 changed themselves, 0 of them new, 0 gone
OLD Ir   NEW Ir    change        %  function
12.3 G   13.0 G  +654.0 M   +5.30%  a.c:a_name_that_is_quite_long_for_a_function
     5    5,000    +4,995  >+9999%  a.c:h
99,999  100.0 k        +2  <+0.01%  a.c:g"
is "in full where there is room" "$("$program" diff --threshold=0 --calls=no --width=100 count.1 count.2 | sed -n '5p')" \
	"12,345,678,901  12,999,678,901  +654,000,000       +5.30%  a_name_that_is_quite_long_for_a_function"

# Warnings are a short line each, of what differs.
many=$(awk 'BEGIN { for (i = 0; i < 900; i++) printf " --option=%d", i }')
printf 'desc: Machine: a\ndesc: Options: --machine=a%s\nevents: Ir\nfn=f\n1 1\n' "$many" >warned.1
printf 'desc: Machine: b\ndesc: Options: --machine=b%s\nevents: Ir\nfn=f\n1 1\n' "$many" >warned.2
"$program" diff warned.1 warned.2 >/dev/null 2>warned
is "warnings are short" "$(cut -c 1-60 warned; test "$(longest warned)" -lt 300 && echo short)" "\
costgrind diff: warning: Machine: OLD a, NEW b
costgrind diff: warning: Options: OLD --machine=a --option=0
short"
sed 's/option=899/option=x/' warned.1 >warned.3
is "... of what follows the words that are the same" "$("$program" diff warned.1 warned.3 2>&1 | head -n 1)" \
	"costgrind diff: Options: OLD ...--option=899, NEW ...--option=x"

done_testing
