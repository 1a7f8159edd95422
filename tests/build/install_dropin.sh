#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make install-dropin puts wrappers of Valgrind's scripts, and its tools, into directories of their own.
. "$top_srcdir/tests/lib.sh"

make -s -C "$top_builddir" install-dropin DESTDIR="$PWD/root" >make.log 2>&1
is "make install-dropin" "$?" 0
dropin=$(find root -type d -name dropin)
is "the names" "$(cd "$dropin" && echo *)" "callgrind_annotate callgrind_control cg_annotate cg_diff cg_merge"
is "nowhere else" "$(find root -name 'c*_annotate' -o -name 'cg_*' | grep -c -v "^$dropin/")" 0
cp "$top_srcdir/tests/cmds/inputs/plain.cg" .
# Each starts the script of its name with all of its arguments, and what that returns is returned.
mkdir bin
for name in callgrind_annotate callgrind_control cg_annotate cg_diff cg_merge; do
	is "$name: which script" "$(sed -n 's/^script="\(.*\)"$/\1/p' "$dropin/$name")" "$VALGRIND_BIN/$name"
	printf '#!/bin/sh\nprintf "%%s:" "%s" "$@"\nexit 7\n' $name >bin/$name
	chmod +x bin/$name
	sed "s,^script=.*/,script=\"$PWD/bin/," "$dropin/$name" >wrapper
	is "$name: arguments and exit status" "$(sh wrapper -o 'a b' ''; echo "$?")" "$name:-o:a b::7"
	rm bin/$name
	is "$name: none" "$(sh wrapper 2>&1 >/dev/null; echo $?)" "$(sed -n "s,^.*echo \"\(.*\)\" >&2,\1,p" wrapper |
		sed "s,\$script,$PWD/bin/$name,")
1"
done
is "what is said then" "$(sh wrapper 2>&1)" \
	"cg_merge: $PWD/bin/cg_merge: no such program of Valgrind's; 'costgrind merge --to=cachegrind' does what it does"
is "cg_merge" "$("$dropin/cg_merge" plain.cg 2>/dev/null | sed -n '$p')" "summary: 13 6"
is "cg_annotate" "$("$dropin/cg_annotate" plain.cg | grep -c 'PROGRAM TOTALS')" 1
library=$(find root -type d -name valgrind-lib-dropin)
tool=$(cd "$top_builddir/tool" && echo costgrind-*-linux)
is "tools in place of others" "$(for name in callgrind cachegrind costgrind; do
	basename "$(readlink "$library/$name-${tool#costgrind-}")"
done | sort -u)" "$tool"
is "the others as they are" "$(readlink "$library"/none-*-linux)" \
	"$(readlink "$top_builddir"/valgrind-lib/none-*-linux)"
make -s -C "$top_builddir" uninstall-dropin DESTDIR="$PWD/root" >make.log 2>&1
is "make uninstall-dropin" "$? $(find root -name '*dropin*')" "0 "
done_testing
