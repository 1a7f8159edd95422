#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What has no end, or no end of a line, is no profile: all that read one say so, in little memory.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
head -c 100000000 /dev/zero | gzip -1 >zeros.gz
{
	printf '# callgrind format\nevents: Ir\nfn='
	head -c 17000000 /dev/zero | tr '\0' x
	printf '\n1 1\n'
} >long.cg
printf 'events: Ir\nfn=f\n1 1\n' >one.cg

# ends NAME COMMAND...: it fails within 500 MB, and says why.
ends() {
	ends_name=$1
	shift
	is "$ends_name" "$(prlimit --as=500000000 timeout 60 "$@" 2>&1 |
		sed 's/^.*: expected/expected/; /: bad, 0 parts/d')" "expected a line of at most 16777216 bytes"
}

for file in /dev/zero zeros.gz long.cg; do
	for words in annotate check merge report 'convert --to=csv' 'convert --to=xdebug' 'diff one.cg' 'annotate --diff one.cg'; do
		# shellcheck disable=SC2086 # several words
		ends "$words: $file" "$program" $words $file
	done
done
is "which line it is" "$("$program" annotate long.cg 2>&1; echo $?)" \
	"costgrind annotate: long.cg:3: expected a line of at most 16777216 bytes
1"
is "standard input" "$("$program" merge - </dev/zero 2>&1; echo $?)" \
	"costgrind merge: -:1: expected a line of at most 16777216 bytes
1"
is "what is left out is no such line" "$("$program" merge --lenient -o out.cg long.cg 2>&1; ls out.cg 2>/dev/null)" \
	"costgrind merge: long.cg:3: expected a line of at most 16777216 bytes"
is "call trees" "$("$program" convert --from=tree --to=csv /dev/zero 2>&1; echo $?)" \
	"costgrind convert: /dev/zero: expected lines of at most 16777216 bytes
1"
is "files of Webgrind's" "$("$program" convert --from=webgrind --to=csv /dev/zero 2>&1; echo $?)" \
	"costgrind convert: /dev/zero: byte 0: expected a preprocessed file of webgrind, of version 4 to 7
1"
is "their headers" "$(
	{
		printf '\007\0\0\0\020\0\0\0\0\0\0\0'
		cat /dev/zero
	} | "$program" convert --from=webgrind --to=csv - 2>&1
	echo $?
)" "costgrind convert: -: expected headers of at most 16777216 bytes
1"
# A line that just fits is one.
{
	printf 'events: Ir\nfn='
	head -c 16777212 /dev/zero | tr '\0' x
	printf '\n1 1\n'
} >fits.cg
is "the longest line" "$("$program" check -q fits.cg 2>&1; echo $?)" 0
is "another byte" "$(sed 's/^fn=/&x/' fits.cg | "$program" check - 2>&1 | head -n 1)" \
	"-:2: error: expected a line of at most 16777216 bytes"
done_testing
