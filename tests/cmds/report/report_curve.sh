#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Misses by size of cache on the page: knees and what fits are as in costgrind curve.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

if ! command -v node >/dev/null; then
	skip "misses by size" "no node"
	done_testing
fi

# page PROFILE; then in_page EXPRESSION.
page() {
	"$program" report -q -o page.html "$1"
	python3 "$top_srcdir/tests/report.py" raw page.html >raw.json
}
in_page() {
	node "$top_srcdir/tests/cards.js" page.html raw.json "$1" 2>&1
}

# of COSTS: of each function, its knees and what fits, "name 98304 > 20971520 : 25165824".
of() {
	in_page "choice.profile.functions.names.map((name, i) => [name, ((points) => points.length === 0 ? 'nothing' :
		points.filter(point => point.isKnee).map(point => point.size).join(' > ') + ' : ' +
		points.filter(point => point.isFit).map(point => point.size))(missCurve(choice.profile.functions.$1, i))].join(' '))
		.join('\\n')" | sort
}

# curves PROFILE OPTIONS...: the same by costgrind curve, of functions whose names are of one function.
curves() {
	curves_of=$1
	shift
	for name in sweep lookup stream spin main; do
		"$program" curve --format=json "$@" "$curves_of" $name | python3 "$top_srcdir/tests/cmds/report/page_data.py" curve
	done | sed 's/: *$/: /' | sort
}

cp "$top_srcdir/tests/golden/curve/inputs/curves.cg" .
# Where first touches were not counted, or prefetchers took some, what the largest size misses is taken for them.
sed 's/D1cold/Other/' curves.cg >guess.cg
sed 's/^events:.*/& Pf/' curves.cg | awk '/^events:/ { for (i = 2; i <= NF; i++) if ($i == "D1cold") cold = i }
	/^[0-9]/ && !is_call && NF >= cold { $cold = 1 } { is_call = /^calls=/; print }' >prefetched.cg
for profile in curves.cg guess.cg prefetched.cg; do
	page $profile
	is "$profile: as in costgrind curve" "$(of self | grep -v helper)" "$(curves $profile)"
	is "$profile: with all that is called" "$(of inclusive | grep '^main')" "$(curves $profile --inclusive=yes | grep '^main')"
done
is "in words" "$(in_page 'curveText(missCurve(choice.profile.functions.self, choice.profile.functions.names.indexOf("sweep")))')" \
	"knee at 384 KiB, fits from 384 KiB"

# What the page makes of it: figures are made without a browser, of elements that are text.
cat >elements.js <<'END'
fill = (element, attributes, children) => `<${element} ${attributes.class || ''} ${attributes.help || ''}` +
	`>${children.flat(2).filter(Boolean).join('')}</>`;
document = {createElement: tag => tag};
choice.inclusive = choice.profile.functions.inclusive;
curveFigure(choice.profile.functions.names.indexOf('sweep'))
END
sed 's/^positions:/desc: D1 cache: 32768 B, 64 B, 8-way associative\ndesc: L2 cache: 524288 B, 64 B, 8-way associative\n'\
'desc: Miss curve: sampled, one line of 8\n&/' curves.cg >machine.cg
page machine.cg
in_page "$(cat elements.js)" >figure
is "the figure says what it is, and that it was sampled" "$(grep -o '^<[^>]*>' figure)" \
	"<div figure Data misses of a fully associative LRU cache, from 64 KiB to 256 MiB (sampled, one line of 8); lines: levels of the machine.>"
is "bars that are marked" "$(grep -o '<i [^>]*>' figure | grep -E 'mark|level')" \
	"<i mark  384 KiB: 14,800 misses, knee, fits from here>
<i  level 768 KiB: 4,800 misses, more than L2 (512 KiB)>"
is "a bar for each size" "$(grep -o '<i ' figure | wc -l)" 25
sed 's/"sweep"/"spin"/; s/.sweep./"spin"/' elements.js >spin.js
is "nothing is missed" "$(in_page "$(cat spin.js)")" null
printf '%s\n' "events: Ir Dr Dw" "fn=sweep" "1 5 2 1" >plain.cg
page plain.cg
is "nothing was counted" "$(in_page "$(cat elements.js)")" null
done_testing
