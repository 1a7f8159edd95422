#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind merge --to=cachegrind says about each line and in all what the installed cg_merge says about the same files, with
# each of its options; and cg_annotate reads it.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/compare/lib/cachegrind.sh
. "$top_srcdir/tests/compare/lib/cachegrind.sh"

tools=$VALGRIND_BIN
# In one order, whatever Perl hashes.
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0

# lines_of FILE: events and summary, and each line of costs with its file and function before it, sorted.
lines_of() {
	awk '/^fl=/ { file = $0; next }
		/^fn=/ { fn = $0; next }
		/^events:|^summary:/ { $1 = $1; print; next }
		/^[0-9]/ { $1 = $1; print file "\t" fn "\t" $0 }' "$1" | LC_ALL=C sort
}

# counts_of FILE: what cg_annotate prints of it, without the head, which names the file.
counts_of() {
	"$tools/cg_annotate" "$1" | sed '1,/^--*$/d; /^Data file:/d; /^Command:/d; /^Invocation:/d'
}

# compare NAME FILE...: both merge the files.
compare() {
	compare_name=$1
	shift
	"$tools/cg_merge" -o theirs "$@" >theirs.log 2>&1
	"$top_builddir/costgrind" merge --to=cachegrind -o ours "$@" >ours.log 2>&1
	is "$compare_name: exit status" "$? $(grep -v 'warning: .* named twice' ours.log)" "0 "
	is "$compare_name: lines" "$(lines_of ours)" "$(lines_of theirs)"
	is "$compare_name: cg_annotate" "$(counts_of ours)" "$(counts_of theirs)"
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
is "there are lines" "$(lines_of ours | grep -c '^fl=.*[1-9]$')" "$(grep -c '^[0-9].*[1-9] *$' theirs)"
"$top_builddir/costgrind" merge --to=cachegrind cold_c.a sed.a perl.a >out 2>/dev/null
is "without -o, standard output" "$(cmp out ours)" ""
"$tools/cg_merge" t_c.a al_c.a >theirs 2>&1
is "other events: cg_merge" "$?" 1
"$top_builddir/costgrind" merge --to=cachegrind t_c.a al_c.a >ours 2>&1
is "other events: costgrind merge" "$?" 1
done_testing
