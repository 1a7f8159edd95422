#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The report in browsers: Chromium and Firefox, without a window, look at a small strided FFT, at two versions of
# it, at names that are markup, and at 100,000 functions.  REPORT_PICTURES=DIR keeps Chromium's pictures there,
# REPORT_BROWSER=firefox looks in that one only.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browsers.sh
. "$top_srcdir/tests/browsers.sh"

# look ARGS...: what tests/view/report.py sees.
look() {
	browsers_look report.py "$@"
}

# profile NAME: of ./fft in a folder, with every chain of calls; sets tree to the name of the file of these.
profile() {
	costgrind --cache-sim=yes --branch-sim=yes --dump-instr=yes --collect-jumps=yes --call-tree=yes \
		--I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 \
		--costgrind-out-file="$1" ./fft >"$1.stdout" 2>"$1.log"
	is "profile $1" $? 0
	set -- tree.*
	tree=$1
}

# The benchmark, with less to do; the newer one copies columns together wherever it transforms them.
sed -e 's/VECTOR_BITS = 19/VECTOR_BITS = 14/' -e 's/SQUARES = 3/SQUARES = 1/' \
	"$top_srcdir/tests/bench/fft.c" >fft.c
cp fft.c old.c
build fft "$PWD/fft.c" -O2 -g "-I$top_srcdir" -lm
profile old
report exact.html old --call-tree="$tree"
mv "$tree" was-tree
older_tree=$tree
report derived.html old
look look exact.html old fft.c functions exact.html old code exact.html old fft.c \
	pictures exact.html derived.html old keyboard exact.html narrow exact.html

costgrind --combine-dumps=yes --dump-before=transform_columns_together \
	--dump-after=transform_columns_together --costgrind-out-file=parts ./fft >parts.stdout 2>parts.log
is "profile of parts" "$? $(grep -c '^part: ' parts)" "0 3"
report parts.html parts
# shellcheck disable=SC2046 # several numbers
look parts parts.html $(sed -n 's/^summary: \([0-9]*\).*/\1/p' parts)

# More than 20 million numbers: 101 parts, 1,000 functions, 200 events.
awk 'BEGIN {
	for (e = 1; e <= 200; e++)
		events = events " E" e
	for (part = 1; part <= 101; part++) {
		printf "part: %d\nevents:%s\nfn=f1\n1 2\n", part, events
		for (f = 2; part == 1 && f <= 1000; f++)
			printf "fn=f%d\n1 1\n", f
		print ""
	}
}' >many
report many.html many
look many many.html

sed 's/transform_columns(apart, \(-*1\));/transform_columns_together(apart, \1);/
	s/^static void transform_columns(/__attribute__((unused)) &/' old.c >fft.c
build fft "$PWD/fft.c" -O2 -g "-I$top_srcdir" -lm
profile new
report derived-difference.html old new
mv was-tree "$older_tree"
report difference.html old new
cp "$top_srcdir/tests/golden/convert/inputs/sum.tree" newer.tree
sed 's/^1 3 1 9/2 2 1 4\n&/; s/^totals: 192/totals: 196/; s/^summary: 192/summary: 196/' newer.tree >older.tree
report gone.html older.tree newer.tree
look difference difference.html old new chains difference.html derived-difference.html gone.html

cat >hostile <<'END'
# callgrind format
version: 1
creator: test
cmd: </script><img src=x onerror=window.hacked=1>
positions: line
events: Ir
summary: 30

ob=/bin/</script><script>window.hacked=2</script>
fl=/src/"><img src=x onerror=window.hacked=3>.c
fn=</script><img src=x onerror=window.hacked=4>'"&amp;
1 10
cfn=<!-- <iframe src=//x> -->
calls=1 2
1 20

fn=<!-- <iframe src=//x> -->
2 20
END
report hostile.html hostile
look hostile hostile.html

python3 "$top_srcdir/tests/view/bigprofile.py" 100000 20 >big
is "a profile of 50 MB" "$(($(wc -c <big) / 1000000 >= 50))" 1
report big.html big
look timing big.html 100,000
rm big

# Names like the standard library's, a file's name in two folders, and a function that calls itself.
python3 "$top_srcdir/tests/view/long_names.py" >long
report long.html long
printf '%s\n' 'version: 1' 'creator: test' 'cmd: cycle' 'positions: line' 'events: Ir' 'fl=/src/cycle.c' \
	'fn=main' '1 1' 'cfn=even' 'calls=1 2' '1 99' 'fn=even' '2 40' 'cfn=odd' 'calls=5 3' '2 59' 'cfn=leaf' 'calls=1 4' '2 9' \
	'fn=odd' '3 50' 'cfn=even' 'calls=4 2' '3 49' 'fn=leaf' '4 9' >cycle
report cycle.html cycle
# A function in the middle of many, which call each other, too.
awk 'BEGIN {
	print "version: 1\ncreator: test\ncmd: dense\npositions: line\nevents: Ir\nfl=/src/dense.c"
	for (i = 1; i <= 14; i++)
		printf "fn=before%d\n1 %d\ncfn=%s\ncalls=1 1\n1 %d\n", i, i, i < 14 ? "before" i + 1 : "middle", 4000
	for (i = 1; i <= 14; i++)
		printf "fn=caller%d\n1 1\ncfn=middle\ncalls=1 1\n1 %d\n", i, 1000 + i
	print "fn=middle\n1 9000"
	for (i = 1; i <= 14; i++)
		printf "cfn=callee%d\ncalls=1 1\n1 %d\n", i, 300 + i
	for (i = 1; i <= 14; i++) {
		printf "fn=callee%d\n1 150\n", i
		for (k = i + 1; k <= 14; k++)
			printf "cfn=callee%d\ncalls=1 1\n1 %d\n", k, 280
		for (k = 1; k <= 4; k++)
			printf "cfn=leaf%d\ncalls=1 1\n1 %d\n", i * 4 + k, 270 + k
	}
	for (i = 5; i <= 60; i++)
		printf "fn=leaf%d\n1 %d\n", i, i
}' >dense
report dense.html dense
printf '%s\n' 'version: 1' 'creator: test' 'cmd: endless' 'positions: line' 'events: Ir Dr' \
	'summary: 10000000000000000007 9007199254740991' 'fl=/src/endless.c' 'fn=endless' \
	'1 10000000000000000007 9007199254740991' >endless
report endless.html endless

# Counts of ten digits, a hundred times less in libraries of long names, a name that is an address; before, there was
# more of all.
wide() {
	awk -v work="$1" -v calls="$2" 'BEGIN {
		print "version: 1\ncreator: test\ncmd: wide\npositions: line\nevents: Ir\nob=/bin/wide\nfl=/src/wide.c\nfn=main"
		printf "1 5\ncfn=work\ncalls=%s 2\n2 %s\n", calls, work
		for (i = 1; i <= 9; i++)
			printf "cob=/lib/libraries-%d/libwide-%d.so.6\ncfi=/src/%d.c\ncfn=0x00000000004fee4%d\ncalls=8358 1\n3 %d\n",
				i, i, i, i, i * i * 11960000
		printf "fn=work\n2 %s\n", work
		for (i = 1; i <= 9; i++)
			printf "ob=/lib/libraries-%d/libwide-%d.so.6\nfl=/src/%d.c\nfn=0x00000000004fee4%d\n1 %d\n",
				i, i, i, i, i * i * 11960000
	}'
}
mkdir before after
wide 8312812188 1234567890 >after/wide
wide 9625624376 2345678901 >before/wide
report wide.html after/wide
report wider.html before/wide after/wide
look panes exact.html long.html changes difference.html phone exact.html names long.html graph exact.html dense.html recursion long.html cycle.html paper exact.html long.html \
	address exact.html long.html wide wide.html wider.html large endless.html big.html
look accessible exact.html difference.html long.html

# For docs/pictures: as small as they can be.
[ -z "${REPORT_PICTURES-}" ] || cp pictures-chromium/*.png "$REPORT_PICTURES"
done_testing
