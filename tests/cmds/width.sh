#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No line of text is longer than the width it is to fit: of any profile with a golden test, and of names
# of 10,000 characters.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

command=$top_builddir/costgrind
cp -r "$top_srcdir"/tests/golden/annotate/inputs sources

# longer WIDTH: the lines of standard input that are longer; characters, not bytes, and tabs as a terminal has them.
longer() {
	LC_ALL=C tr -d '\200-\277' | LC_ALL=C expand | LC_ALL=C awk -v width="$1" 'length($0) > width { print length($0) ": " $0 }'
}

# fits KIND NAME WIDTH WORDS...: a command prints something that fits, or says in a line why it does not; .KIND counts
# what is printed.
fits() {
	fits_kind=$1
	fits_name=$2
	fits_width=$3
	shift 3
	"$command" "$@" --width="$fits_width" >printed 2>complaint
	fits_status=$?
	if [ $fits_status -eq 0 ] && [ -s printed ]; then
		echo "$fits_name" >>"$here/count.$fits_kind"
	elif [ $fits_status -eq 0 ] || [ $fits_status -gt 2 ] || [ -s printed ] || ! grep -q '^costgrind [a-z]*: ' complaint; then
		not_ok "$fits_kind $fits_name: exit status $fits_status" "$(cat complaint)"
	fi
	fits_longer=$(longer "$fits_width" <printed)
	[ -z "$fits_longer" ] || not_ok "$fits_kind $fits_name at $fits_width columns" "$fits_longer"
}

# many KIND N: that many outputs of the kind were there at least, which were not empty.
many() {
	many_n=$(wc -l <"$here/count.$1" 2>/dev/null || echo 0)
	is "$1: $2 outputs or more" "$([ "$many_n" -ge "$2" ] && echo yes || echo "$many_n")" yes
}

here=$PWD
for profile in "$top_srcdir"/tests/golden/*/inputs/*.cg "$top_srcdir"/tests/profiles/*.cg; do
	name=${profile#"$top_srcdir"/tests/}
	cd sources || exit 1
	for width in 80 100 200; do
		fits annotate "$name" $width annotate -q --threshold=0 "$profile"
		fits branches "$name" $width branches -q "$profile"
		fits why "$name" $width why -q --asm=no "$profile"
		for by in type object rank region; do
			fits $by "$name" $width annotate -q --by=$by "$profile"
		done
		case $name in
		golden/curve/*) fits curve "$name" $width curve -q "$profile" ;;
		golden/roofline/*) fits roofline "$name" $width roofline -q "$profile" ;;
		esac
	done
	fits verbose "$name" 80 annotate -q -v --auto=no --tree=both --inclusive "$profile"
	fits list "$name" 80 annotate -q --auto=no --list=file:function,function:file "$profile"
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
	fits long names $width annotate -q long.cg
	fits long "all of it" $width annotate -q -v --tree=both long.cg
	fits long branches $width branches -q long.cg
	is "long names at $width columns: they are there" "$("$command" annotate -q --auto=no --width=$width long.cg |
		grep -c '^ *[0-9][0-9]* .*n\.\.\.[n:]')" 2
done
is "unlimited" "$("$command" annotate -q --auto=no --width=unlimited long.cg | awk 'length($0) > 9000 { n++ } END { print (n > 0) }')" 1
is "a width that is none" "$("$command" annotate --width=39 long.cg 2>&1; echo $?)" \
	"costgrind annotate: --width: '39': expected a number of columns, 40 or more, or unlimited
2"
# Misses on objects of data, whatever their names are.
{
	echo 'events: Dr Dw Ir I1mr D1mr D1mw ILmr DLmr DLmw'
	for object in "make_node < main [heap]" "$long [heap]" short; do
		printf 'ob=[data]\nfl=[data]\nfn=%s\n0 9000 500 1 0 900 50 0 90 5\n' "$object"
	done
} >objects.cg
for width in 80 100 200; do
	fits object objects $width annotate -q --by=object objects.cg
done

# One run: on a terminal of each width.
build_program script -static
for width in 80 100 200; do
	# shellcheck disable=SC2016 # for the shell on the terminal
	NO_COLOR=1 PAGER='' python3 "$top_srcdir/tests/cmds/on_terminal.py" sh -c 'stty cols $1 <&1; shift; exec "$@"' sh \
		$width "$command" "$scratch/script" print ran | sed 's/\r$//' >printed
	is "one run on $width columns" "$(longer $width <printed)" ""
	is "... which shows functions" "$(grep -c ' function  *hottest line *$' printed)" 1
done

many annotate 270
many branches 30
many why 260
many type 39
many object 3
many rank 3
many curve 3
many roofline 3
many verbose 90
many list 90
many long 9
done_testing
