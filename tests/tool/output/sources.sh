#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A profile says by "desc: Folder:" where it was made, sealed for this machine and user, so that annotate and
# report read the sources there, and those that the program's debug information names, even private ones.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
here=$(pwd -P)
if [ ! -r /etc/machine-id ] && [ ! -r /proc/sys/kernel/random/boot_id ]; then
	echo "1..0 # SKIP no number of this machine"
	exit 0
fi
umask 022
unset DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME
mkdir src build away
printf '/* text of main */ int main(void)\n{\n\treturn 0;\n}\n' >src/main.c
printf 'text of script\n' >build/script.py
touch -d '2020-01-01' src/main.c build/script.py
cd build || exit 1
build prog "$here/src/main.c" -g -Wl,--build-id=sha1

# lines PROFILE [OPTIONS...]: how many texts annotate and report show of it, elsewhere.
lines() {
	lines_profile=$1
	shift
	(cd "$here/away" && "$program" annotate --threshold=0 "$@" "$lines_profile" 2>/dev/null | grep -o 'text of [a-z]*' |
		sort -u | tr '\n' ' '
		"$program" report --detail=0 -q -o page.html "$@" "$lines_profile" &&
			python3 "$top_srcdir/tests/report.py" data page.html | grep -o 'text of [a-z]*' | sort -u |
			tr '\n' ' ')
}

# add TO: a source that no debug information has, as of an interpreter, in profile P.
add() {
	{
		sed '/^totals:/d; /^summary:/d' "$here/build/P"
		printf 'ob=???\nfl=%s\nfn=f\n0x0 1 1000000000\n' "$2"
	} >"$1"
}

costgrind -q --costgrind-out-file=P ./prog
is "the folder is recorded" "$(sed -n 's/^desc: Folder: [0-9a-f]\{32\} //p' P)" "$here/build"
is "another folder's is another seal" "$(cd "$here/away" && costgrind -q --costgrind-out-file=P ../build/prog &&
	grep -c "$(sed -n 's/^desc: Folder: \([0-9a-f]*\) .*/\1/p' ../build/P)" P)" 0
costgrind -q --costgrind-out-file=Q ./prog
is "the same run has the same seal" "$(grep '^desc: Folder' Q)" "$(grep '^desc: Folder' P)"
costgrind -q --deterministic=yes --costgrind-out-file=D ./prog
is "not with --deterministic" "$(grep -c '^desc: Folder' D)" 0
is "a source next to the folder" "$(lines "$here/build/P")" "text of main text of main "
is "it is compared with any other folder's" "$("$program" diff "$here/away/P" P 2>&1 | grep -c Folder)" 0
"$program" merge -q -o M P Q
is "merge keeps it" "$(grep '^desc: Folder' M)" "$(grep '^desc: Folder' P)"
is "not shown in lists and pages" "$("$program" annotate -v P | grep -c '^Folder'
	"$program" report -q -o page.html P && python3 "$top_srcdir/tests/report.py" data page.html | grep -c 'Folder: ')" "0
0"

add S "$here/build/script.py"
is "what lies in the folder" "$(lines "$here/build/S")" "text of main text of script text of main text of script "
sed '/^desc: Folder/d' S >T
is "without the line" "$(lines "$here/build/T")" "text of main text of main "
is "but with --include" "$(lines "$here/build/T" -I "$here/build")" \
	"text of main text of script text of main text of script "
seal=$(sed -n 's/^desc: Folder: \([0-9a-f]*\) .*/\1/p' P)
sed -i "s,^desc: Folder: .*,desc: Folder: $seal $here," S
is "another folder with its seal" "$(lines "$here/build/S")" "text of main text of main "
add S "$here/build/script.py"
sed -i "s,^desc: Program: .*/prog,&2," S
is "another program with its seal" "$(lines "$here/build/S")" "text of main text of main "
add S "$here/build/script.py"
sed -i "s,^desc: Folder: ......,&0," S
is "a wrong seal" "$(lines "$here/build/S")" "text of main text of main "
add S "$here/build/script.py"
# piped FILTER...: how often the text is in what annotate says about its standard input.
piped() {
	"$@" "$program" annotate --threshold=0 - 2>/dev/null | grep -c 'text of script'
}
cd "$here/away" || exit 1
is "from a file as standard input, and from a pipe" \
	"$(piped env <../build/S; sed "" ../build/S | piped env)" "1
0"
cd "$here/build" || exit 1
if [ "$(id -u)" = 0 ]; then
	chown 12345 S
	is "another user's file" "$(lines "$here/build/S")" "text of main text of main "
else
	skip "another user's file" "only root can give files away"
fi

# A private source, by the word of the program that was run here; and of the same made elsewhere.
chmod 600 "$here/src/main.c"
is "a private source" "$(lines "$here/build/P")" "text of main text of main "
is "of a profile made elsewhere" "$(lines "$here/build/T")" ""
printf '\n' >>"$here/src/main.c"
touch -d '2020-01-01' "$here/src/main.c"
build prog "$here/src/main.c" -g -O1 -Wl,--build-id=sha1
is "of a program that is another one by now" "$(lines "$here/build/P")" ""
done_testing
