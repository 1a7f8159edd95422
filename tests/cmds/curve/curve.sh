#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind curve prints and draws what is in tests/golden/curve, of profiles by hand.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/curve
program=$top_builddir/costgrind

unset PAGER NO_COLOR
cp "$golden"/inputs/* .

# Three sizes, without references and cold misses; one size; none; a difference.
cat >few.cg <<'END'
events: Ir M64K M1M M32M
fn=f
1 10 1000 400 10
END
cat >one.cg <<'END'
events: Ir M8M
fn=f
1 10 1000
END
printf '%s\n' "events: Ir Dr Dw" "fn=f" "1 5 2 1" >plain.cg
printf '%s\n' "events: M64K M1M" "fn=f" "1 5 -1" >difference.cg
# Where lines were looked at by chance, or not; of several parts, the least exact says it.
sed 's/^positions: line/desc: Miss curve: exact\n&/' curves.cg >exact.cg
sed 's/^positions: line/desc: Miss curve: sampled, one line of 16\n&/' curves.cg >sampled.cg
{
	printf '%s\n' "part: 1" "desc: Miss curve: sampled, one line of 16" "events: Ir M64K M1M M32M" "fn=f" "1 10 1000 400 10"
	printf '%s\n' "part: 2" "desc: Miss curve: sampled, one line of 8" "events: Ir M64K M1M M32M" "fn=f" "1 10 1000 400 10"
} >parts.cg
sed 's/one line of 16/one line of -16/' sampled.cg >below.cg
# Names that talk to terminals, to Markdown and to XML, with bytes that are no UTF-8.
awk '{ gsub(/\) sweep/, ") sweep<a href=\"x\">\\&amp;\033[31m|*x*\377"); gsub(/src\/curves.c/, "src/\357\277\277]]>.c"); print }' \
	curves.cg >hostile.cg

printf '%s\n' "machine mine  two levels" "line 64" "L1I 32K 8 lru" "L1D 48K 12 lru" "L2 3M 12 lru" >mine.machine
printf '%s\n' "machine bad" "line 64" "L1I 32K 8 lru" "L1D 48K 12 plru" "L2 3M 12 lru" >bad.machine

# Of named machines, so that one more that is built in changes one golden file, machines/built_in.
machines=
for machine in generic goldencove icelake neoverse-n1 sapphirerapids skylake skylake-sp zen2 zen3 zen4 zen5; do
	machines="$machines --machine=$machine"
done
# shellcheck disable=SC2086 # several words
golden_list "$golden" "" "$program" curve $machines
golden curve/machines/built_in "$program" curve curves.cg lookup
golden curve/machines/mine "$program" curve --machine=mine.machine curves.cg lookup
# shellcheck disable=SC2046 # several words
is "32 machines" "$("$program" curve $(printf ' --machine=zen5%.0s' $(seq 32)) curves.cg sweep | grep -o 'zen5 L2 ([^)]*)' | wc -l)" 32
# shellcheck disable=SC2046
is "one more" "$("$program" curve $(printf ' --machine=zen5%.0s' $(seq 33)) curves.cg 2>&1)" \
	"costgrind curve: --machine: 'zen5': expected at most 32 machines"
is "two machines of one name are two" \
	"$("$program" curve --format=json --machine=zen5 --machine=zen5 curves.cg sweep | grep -c '"machine": "zen5"')" \
	"$(($("$program" curve --format=json --machine=zen5 curves.cg sweep | grep -c '"machine": "zen5"') * 2))"
is "this computer" "$("$program" curve --machine=host --format=json curves.cg | grep -o '"machine": "[^"]*"' | sort -u)" \
	'"machine": "host"'

# -- drawings ------------------------------------------------------------------------

"$program" curve --svg=curve.svg curves.cg sweep >text 2>err
is "one line of less than none is no sample" \
	"$("$program" curve --format=json below.cg | grep -c one_line_of)" "$("$program" curve --format=json curves.cg | grep -c one_line_of)"
is "text and drawing" "$? $(cat err) $("$program" curve curves.cg sweep | cmp - text) \
$("$program" curve --svg=- curves.cg sweep | cmp - curve.svg)" "0   "
"$program" curve --svg=- -o drawn.svg curves.cg sweep >text 2>err
is "the drawing in place of the text, where that is to go" "$? $(cat text err) $(cmp drawn.svg curve.svg)" "0  "
"$program" curve --svg=- curves.cg lookup >lookup.svg
is "no line goes through a word above it" "$(awk '/class="over"/ { words = 1 } /class="mark/ && words' lookup.svg)" ""
if command -v xmllint >/dev/null 2>&1; then
	for subject in "curves.cg" "curves.cg lookup" "curves.cg spin" "few.cg" "one.cg" "sampled.cg" "hostile.cg sweep"; do
		# shellcheck disable=SC2086 # several words
		"$program" curve --svg=drawn.svg $subject >/dev/null 2>&1
		is "well-formed: $subject" "$(xmllint --noout drawn.svg 2>&1)" ""
	done
	is "a knee, and all machines" "$(xmllint --xpath 'count(//*[@class="mark"]) = 1 and
		count(//*[@class="point"]) = 25' curve.svg) $(xmllint --xpath 'count(//*[@class="L2"])' curve.svg)" \
		"true $(grep -l '^L2 ' "$top_srcdir"/data/machines/* | wc -l)"
else
	skip "well-formed" "not installed: xmllint (Debian: libxml2-utils)"
fi
is "the manual's picture is this one (scripts/update-pictures)" \
	"$(cmp "$top_srcdir/docs/pictures/misses-curve.svg" curve.svg)" ""
is "nothing from elsewhere" "$(grep -o 'http[^"]*\|href\|url(' curve.svg)" "http://www.w3.org/2000/svg"

mkdir closed
echo before >kept.svg
"$program" curve --svg=nowhere/drawn.svg curves.cg >text 2>err
is "a drawing that cannot be written" "$? $(cat text) $(wc -l <err)" "1  1"
"$program" curve --svg=kept.svg plain.cg >/dev/null 2>&1
is "no drawing of nothing" "$? $(cat kept.svg)" "1 before"
is "no parts are left" "$(find . -name '.*.partial')" ""

# -- formats ---------------------------------------------------------------------------

"$program" curve -o out curves.cg lookup
is "to a file" "$? $("$program" curve curves.cg lookup | cmp - out)" "0 "
gzip -c curves.cg >curves.cg.gz
is "compressed, from standard input" "$("$program" curve - sweep <curves.cg.gz | cksum)" \
	"$("$program" curve curves.cg sweep | cksum)"
for subject in "curves.cg" "curves.cg spin" "few.cg" "one.cg" "hostile.cg sweep"; do
	# shellcheck disable=SC2086 # several words
	"$program" curve --format=json $subject >out.json && "$program" curve --format=csv $subject >out.csv
	is "JSON and CSV: $subject" "$(python3 "$top_srcdir/tests/cmds/curve/curve_formats.py")" \
		"True True True True"
done
# Lists of functions are not 25 columns wider for it, unless asked to be, or for programs.
sed 's/1000000/1000001/' curves.cg >changed.cg
# columns WORDS...: of sizes, in what the command prints.
columns() {
	"$program" "$@" 2>/dev/null | grep -o '\<M[0-9]*[KM]\>' | sort -u | wc -l
}
is "columns of annotate" "$(columns annotate --auto=no curves.cg | sed 's/^0$/recorded only/') \
$("$program" annotate -v --width=unlimited curves.cg | sed -n 's/^Events shown: *//p') $(columns annotate --format=csv curves.cg)" \
	"recorded only Dr Dw D1cold  25"
is "columns of annotate that are chosen" \
	"$("$program" annotate -v --show=M64K,M4M curves.cg | sed -n 's/^Events shown: *//p')" "M64K M4M "
is "columns of diff: the totals that changed" "$("$program" diff --threshold=0 curves.cg changed.cg | grep -c '  M[0-9]*[KM]$') \
$("$program" diff --threshold=0 curves.cg changed.cg | sed '/^-- Totals/,/^$/d' | grep -c M64K) \
$("$program" diff --threshold=0 --show=M64K curves.cg changed.cg | sed '/^-- Totals/,/^$/d' | grep -c M64K | sed 's/[1-9].*/some/')" "1 0 some"
"$program" curve hostile.cg sweep >text 2>&1
is "no control characters" "$(LC_ALL=C tr -d '\n\t -~\200-\377' <text | wc -c)" 0
done_testing
