#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No line of text is longer than the width it is to fit: of any profile that there is a golden test of, and of names
# of 10,000 characters.
. "$top_srcdir/tests/lib.sh"

command=$top_builddir/costgrind
cp -r "$top_srcdir"/tests/golden/annotate/inputs sources

# longer WIDTH: the lines of standard input that are longer; characters, not bytes, and tabs as a terminal has them.
longer() {
	LC_ALL=C tr -d '\200-\277' | LC_ALL=C expand | LC_ALL=C awk -v width="$1" 'length($0) > width { print length($0) ": " $0 }'
}

# fits NAME WIDTH WORDS...: what is printed fits, if anything is.
fits() {
	fits_name=$1
	fits_width=$2
	shift 2
	"$command" "$@" --width="$fits_width" >printed 2>/dev/null
	fits_longer=$(longer "$fits_width" <printed)
	[ -z "$fits_longer" ] || not_ok "$fits_name at $fits_width columns" "$fits_longer"
}

for profile in "$top_srcdir"/tests/golden/*/inputs/*.cg "$top_srcdir"/tests/profiles/*.cg; do
	name=${profile#"$top_srcdir"/tests/}
	cd sources || exit 1
	for width in 80 100 200; do
		fits "annotate $name" $width annotate -q --threshold=0 "$profile"
		fits "branches $name" $width branches -q "$profile"
	done
	fits "annotate -v $name" 80 annotate -q -v --auto=no --tree=both --inclusive "$profile"
	fits "annotate --list $name" 80 annotate -q --auto=no --list=file:function,function:file "$profile"
	for by in type object rank; do
		fits "annotate --by=$by $name" 80 annotate -q --by=$by "$profile"
	done
	cd ..
	ok "$name"
done

# Names of 10,000 characters, with blanks, brackets or nothing in them.
long=$(printf '%10000s' '' | tr ' ' n)
{
	printf 'cmd: ./%s\nevents: Ir Bc Bcm\nob=/lib/%s\nfl=/home/%s.c\nfn=%s\n1 9 5 4\n' "$long" "$long" "$long" "$long"
	printf 'cfn=a<%s>::b(%s)\ncalls=1 2\n1 5 0 0\nfn=a<%s>::b(%s)\n2 5 0 0\n' "$long" "$long" "$long" "$long"
} >long.cg
for width in 80 100 200; do
	fits "long names" $width annotate -q long.cg
	fits "long names, all of it" $width annotate -q -v --tree=both long.cg
	fits "branches in long names" $width branches -q long.cg
	is "long names at $width columns: they are there" "$("$command" annotate -q --auto=no --width=$width long.cg |
		grep -c '^ *[0-9][0-9]* .*n\.\.\.n')" 2
done
is "unlimited" "$("$command" annotate -q --auto=no --width=unlimited long.cg | awk 'length($0) > 9000 { n++ } END { print (n > 0) }')" 1
is "a width that is none" "$("$command" annotate --width=39 long.cg 2>&1; echo $?)" \
	"costgrind annotate: --width: '39': expected a number of columns, 40 or more, or unlimited
2"
done_testing
