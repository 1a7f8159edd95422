#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Under the name cg_merge, costgrind writes what cg_merge writes, byte for byte, but for the blank
# that Cachegrind puts at the end of some "events:" lines, and for the order since Valgrind 3.21; and
# cg_annotate reads it.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/compare/lib/cachegrind.sh
. "$top_srcdir/tests/compare/lib/cachegrind.sh"

tools=$VALGRIND_BIN
# In one order, whatever Perl hashes.
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
ln -s "$top_builddir/costgrind" cg_merge

# in_order FILE: with cg_merge since Valgrind 3.21, where functions are in the order in which they
# were met, each line of costs with its file and function before it, sorted.
in_order() {
	if head -n 1 "$tools/cg_merge" | grep -q python; then
		awk '/^fl=/ { file = $0; next } /^fn=/ { fn = $0; next }
			{ print (/^[0-9]/ ? file "\t" fn "\t" : "") $0 }' "$1" | LC_ALL=C sort
	else
		cat "$1"
	fi
}

# compare NAME FILE...: both merge the files.
compare() {
	compare_name=$1
	shift
	"$tools/cg_merge" "$@" 2>theirs.log | sed '/^events:/s/ $//' >theirs
	./cg_merge "$@" >ours 2>ours.log
	is "$compare_name: exit status" $? 0
	in_order theirs >theirs.sorted
	in_order ours >ours.sorted
	if cmp -s theirs.sorted ours.sorted && [ -s ours ]; then
		ok "$compare_name: the same bytes"
	else
		not_ok "$compare_name: the same bytes" "$(diff theirs.sorted ours.sorted | head -n 20)"
	fi
	# But for what goes before them, and for a warning that is ours alone.
	is "$compare_name: the same messages" "$(grep -v "^cg_merge: warning: .* named twice" ours.log)" \
		"$(sed "s,^$tools/,," theirs.log)"
	"$tools/cg_annotate" theirs >theirs.text 2>&1
	sed 's/^Data file:  *ours/Data file:        theirs/' ours >ours.renamed
	mv ours.renamed theirs
	"$tools/cg_annotate" theirs >ours.text 2>&1
	if cmp -s theirs.text ours.text && grep -q 'PROGRAM TOTALS' ours.text; then
		ok "$compare_name: cg_annotate"
	else
		not_ok "$compare_name: cg_annotate" "$(diff theirs.text ours.text | head -n 20)"
	fi
}

# described FILE: with a description, without which Cachegrind's are since Valgrind 3.21 if there are
# no caches, and cg_merge dies of them.
described() {
	grep -q '^desc:' "$1" && return
	sed '1i desc: no caches' "$1" >described
	mv described "$1"
}

n=0
for source in al.c cold.c ex.c inl.c rp.c sg.c st.c t.c tg.c ex.cpp cold_throw.cpp; do
	name=${source%.*}_${source##*.}
	n=$((n + 1))
	# Sets of one to three files, of all kinds of events.
	case $((n % 3)) in
	0) set -- --cache-sim=no --branch-sim=no ;;
	1) set -- --cache-sim=yes --branch-sim=no ;;
	2) set -- --cache-sim=yes --branch-sim=yes ;;
	esac
	build "$name" "$source" -g -O1 -pthread
	build "$name.2" "$source" -g -O2 -pthread
	profile "$name.a" "$@" "./$name"
	profile "$name.b" "$@" "./$name.2"
	described "$name.a"
	described "$name.b"
	compare "$name, one" "$name.a"
	compare "$name, two" "$name.a" "$name.b"
	compare "$name, three" "$name.b" "$name.a" "$name.b"
done

# Unrelated programs.
profile perl.a --cache-sim=yes --branch-sim=yes /usr/bin/perl -e 'print join(",", map { $_ * $_ } 1..100)'
profile sed.a --cache-sim=yes --branch-sim=yes /bin/sed -n p /etc/passwd
compare "unrelated programs" perl.a sed.a cold_c.a
compare "unrelated programs, turned" cold_c.a sed.a perl.a
done_testing
