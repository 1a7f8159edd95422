#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A profile says what its counts depend on, and costgrind diff names what differs.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

command=$top_builddir/costgrind

build "$scratch/al" al.c -g -gdwarf-4 -O1 -Wl,--build-id=sha1
build "$scratch/other" al.c -g -gdwarf-4 -O0 -Wl,--build-id=sha1
build "$scratch/fixed" al.c -no-pie -Wl,--build-id=md5
build "$scratch/static" al.c -static -Wl,--build-id=0x0123456789abcdef
build "$scratch/nothing" al.c -static-pie -Wl,--build-id=none
build "$scratch/libq.so" q.c -shared -fPIC -Wl,--build-id=sha1
build "$scratch/dlm" dlm.c -ldl

# says TYPE: what the profile of the last run says about it.
says() {
	sed -n "/^events:/q; s/^desc: $1: //p" p
}

# profile [OPTIONS...] PROGRAM...: a run into ./p.
profile() {
	run --costgrind-out-file=p -q "$@"
}

# build_id FILE: as readelf tells it.
build_id() {
	readelf -n "$1" 2>/dev/null | sed -n 's/^ *Build ID: //p'
}

# -- what is the program's -------------------------------------------------------

scene program
profile ../al
is "the program" "$(says Program)" "$(build_id ../al) $scratch/al"
for library in $(ldd ../al | sed -n 's/^[^/]*\(\/[^ ]*\) .*/\1/p'); do
	path=$(readlink -f "$library")
	is "a library" "$(says Build-id | grep " $path\$")" "$(build_id "$path") $path"
done
is "nothing else is of a program" "$(says Build-id | grep -c "$scratch")" 0
libc=$(readlink -f "$(ldd ../al | sed -n 's/.*=> \(.*libc\.so[^ ]*\).*/\1/p')")
is "the C library" "$(says 'C library')" "$("$libc" | sed -n '1s/\.$//p')"

for name in fixed static; do
	profile ../$name
	is "$name" "$(says Program)" "$(build_id ../$name) $scratch/$name"
done
is "static: no other object" "$(says Build-id)" ""
profile ../nothing
is "no build-id" "$(says Program)" "none $scratch/nothing"

# What is loaded, and what is gone, twice, is an object.
cp ../libq.so .
profile ../dlm
exits 0
is "a plug-in" "$(says Build-id | grep -c "^$(build_id libq.so) $PWD/libq.so\$")" 1

# It is what lies in memory: the file may be another one by then.
cp ../al ./moved
cat >moving.c <<'EOF'
#include <stdio.h>

int main(int argc, char **argv)
{
	return argc != 3 || rename(argv[1], argv[2]) != 0;
}
EOF
build "$scratch/moving" "$PWD/moving.c" -Wl,--build-id=sha1
cp ../moving ./moving
want="$(build_id moving) $PWD/moving"
profile ./moving moved moving
exits 0
is "a program that was replaced" "$(says Program)" "$want"
# Valgrind replaces what it executes by itself, so each has its own profile.
run --costgrind-out-file=%p.p --trace-children=yes -q /bin/sh -c 'exec ../fixed'
is "after exec" "$(sed -n 's/^desc: Program: //p' ./*.p)" "$(build_id ../fixed) $scratch/fixed"

# -- what is around it -----------------------------------------------------------

scene around
profile ../al
is "kernel" "$(says Kernel)" "$(uname -sr)"
case $(says CPU) in
amd64-*sse3*) ok "processor" ;;
*) not_ok "processor" "$(says CPU)" ;;
esac

# hash: of what "env -0" prints, as FNV-1a chained.
hash() {
	python3 "$top_srcdir/tests/tool/output/environment_hash.py"
}
# shellcheck disable=SC2086 # several options in one variable
env -i PATH=/usr/bin:/bin A=1 B=two VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind \
	--counting=valgrind $caches --costgrind-out-file=p -q env -0 >environment 2>err
is "environment" "$(says Environment)" "$(hash <environment)"
is "environment: there is one" "$(says Environment | grep -c '^[1-9]')" 1
A=1 profile ../al
first=$(says Environment)
A=1 profile ../al
is "the same environment" "$(says Environment)" "$first"
A=2 profile ../al
is "another environment" "$(says Environment | sed 's/, [^,]*$//')" "$(echo "$first" | sed 's/, [^,]*$//')"
[ "$(says Environment)" = "$first" ] && not_ok "another environment: another hash" "$first"

# -- how it is counted -----------------------------------------------------------

scene options
profile ../al
is "counting" "$(says Counting)" valgrind
is "no options" "$(says Options)" ""
# None of these changes a count, and these are what is so anyhow.
profile --dump-instr=no --compress-strings=no --compress-pos=no --collect-jumps=yes --engine=plain \
	--cold-runs=0 --cache-sim=yes --separate-recs=2 --inline=lines --demangle=yes ../al
is "options that do not matter" "$(says Options)" ""
for option in --cache-sim=no --branch-sim=yes --simulate-wb=yes --simulate-hwpref=yes --cacheuse=yes \
	--collect-bus=yes --inline=no --inline=calls --skip-plt=no --skip-direct-rec=yes \
	--separate-callers=2 --separate-recs=3 --separate-callers2=main --separate-recs3=main \
	--fn-group1=main --fn-skip=main '--obj-skip=*libc*' --pop-on-jump --demangle=no \
	--main-stacksize=4000000 --vex-iropt-level=1; do
	profile "$option" ../al
	is "$option" "$(says Options)" "$option"
done
profile --collect-systime=yes ../al
is "--collect-systime=yes" "$(says Options)" "--collect-systime=msec"
profile --vex-iropt-level=1 --fn-skip=b --separate-recs=5 --fn-skip=a --vex-iropt-level=0 --branch-sim=yes ../al
is "several options" "$(says Options)" \
	"--separate-recs=5 --branch-sim=yes --fn-skip=b --fn-skip=a --vex-iropt-level=0"
# It changes what Valgrind has, not what the processor does.
if has_decoder; then
	profile --counting=architectural --vex-iropt-level=1 ../al
	is "--vex-iropt-level, architectural" "$(says Options)" ""
fi

# -- costgrind diff --------------------------------------------------------------

scene diff
# differs NAME STATUS MESSAGES OPTIONS... PROGRAM: this run, and one of al without options.
differs() {
	differs_name=$1
	differs_want="$2 $3"
	shift 3
	profile "$@"
	differs_got=$("$command" diff old p 2>&1 >/dev/null)
	is "$differs_name" "$? $differs_got" "$differs_want"
}

refused="costgrind diff: the runs are not comparable; --force compares them anyway"
profile ../al
mv p old
differs "the same" 0 "" ../al
differs "another build of the program" 0 "" ../other
differs "options" 1 "costgrind diff: Options: OLD (not said), NEW --separate-callers=1
$refused" --separate-callers=1 ../al
if has_decoder; then
	profile --counting=architectural ../al
	is "counting" "$("$command" diff old p 2>&1 >/dev/null | grep Counting)" \
		"costgrind diff: Counting: OLD valgrind, NEW architectural"
fi
was=$(sed -n 's/^desc: Environment: //p' old)
B=$PWD profile ../al
is "environment" "$("$command" diff old p 2>&1 >/dev/null)" \
	"costgrind diff: warning: Environment: OLD $was, NEW $(says Environment)"

done_testing
