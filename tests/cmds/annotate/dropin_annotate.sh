#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Under the names cg_annotate and callgrind_annotate, costgrind prints what is in
# tests/golden/dropin_annotate: as annotate_test.sh, but each line of the list there begins with the
# script.  tests/compare/annotations.sh has the scripts themselves print the like.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/dropin_annotate
work=$PWD

unset PAGER NO_COLOR
mkdir dropin elsewhere
ln -s "$top_builddir/costgrind" dropin/cg_annotate
ln -s "$top_builddir/costgrind" dropin/callgrind_annotate
cp -r "$golden"/inputs/* "$top_srcdir"/tests/profiles/*.cg .
# Sources end in .src there, since they are none of ours.
for file in *.src */*.src; do
	mv "$file" "${file%.src}"
done
# What is newer than what must not depend on the checkout.
touch -d '2020-02-01 00:00' ./*.cgr ./*.cg
find . -name '*.[ch]' -exec touch -d '2020-01-01 00:00' {} +
touch -d '2020-03-01 00:00' newer.c after/same.c
sed 's,waves,deep,' waves.cgr >deep.cgr
cp waves.c elsewhere/deep.c
cp waves.h elsewhere/deep.h
cp before/same.c unused.c
touch -d '2020-01-01 00:00' elsewhere/* unused.c
touch -d '2020-02-01 00:00' deep.cgr

golden_list "$golden" "s,$work,WORK,g" env "PATH=$work/dropin:$PATH"

# The name by which it was called is in the metadata.
is "the invocation" "$(dropin/cg_annotate --layout=3.21 --no-annotate waves.cgr | sed -n 4p)" \
	"Invocation:       dropin/cg_annotate --layout=3.21 --no-annotate waves.cgr"

# The layout is that of the Valgrind that it was built for.
version=$("${VALGRIND:-valgrind}" --tool=none --version | sed 's/^valgrind-3\.\([0-9]*\).*/\1/')
if [ "$version" -ge 21 ]; then
	layout=3.21
else
	layout=3.19
fi
is "the layout of this Valgrind" "$(dropin/cg_annotate waves.cgr | sed '/^Invocation/d')" \
	"$(dropin/cg_annotate --layout=$layout waves.cgr | sed '/^Invocation/d')"

# What is beyond 64 bits is an error: the opposite of the least count, and how often g was called.
# one_line COUNT: a profile with a line of that count.
one_line() {
	printf 'events: Ir\nfl=a.c\nfn=f\n1 %s\n' "$1"
}
beyond="a sum of counts is beyond 64 bits
1"
one_line -9223372036854775808 >least.cgr
one_line 1 >one.cgr
is "NEW - OLD of the least count" "$(dropin/cg_annotate --diff least.cgr one.cgr 2>&1; echo $?)" \
	"cg_annotate: least.cgr:4: $beyond"
{
	for object in old.so new.so; do
		echo "ob=$object"
		one_line 1 | sed 1d
		printf 'cob=x.so\ncfn=g\ncalls=18446744073709551615 0\n1 5\n'
	done
} | sed '1i events: Ir' >often.cgr
is "calls of two objects' functions of one name" \
	"$(dropin/callgrind_annotate --auto=no often.cgr 2>&1; echo $?)" \
	"callgrind_annotate: often.cgr:17: $beyond"

# A full disk is an error.
is "a full disk" "$(dropin/cg_annotate waves.cgr 2>&1 >/dev/full; echo $?)" \
	"cg_annotate: standard output: No space left on device
1"
done_testing
