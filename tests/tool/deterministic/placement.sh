#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --heap-shift and --load-shift: what they move, by how much, and what stays.
. "$top_srcdir/tests/lib.sh"

build places "$top_srcdir/tests/programs/places.c" -O1 -g
build places.static "$top_srcdir/tests/programs/places.c" -O1 -g -static

# places PROG OPTIONS...: what the program prints.
places() {
	places_program=$1
	shift
	costgrind -q --cache-sim=no --costgrind-out-file=out "$@" "./$places_program" 2>err ||
		echo "status $?"
	cat err
}
# moved NAME PROG START HEAP LIBC MAP PROG STACK OPTIONS...: by how much, in bytes.
moved() {
	moved_name=$1
	moved_program=$2
	want="$3 $4 $5 $6 $7 $8"
	shift 8
	places "$moved_program" >was
	places "$moved_program" "$@" >now
	is "$moved_name" "$(paste -d' ' was now | awk '{
		for (i = 1; i <= 6; i++)
			printf "%.0f%s", $(i + 6) - $i, i < 6 ? " " : "\n" }')" "$want"
}

moved nothing places 0 0 0 0 0 0 --heap-shift=0 --load-shift=0
for bytes in 16 4080 4096 77840 1048576; do
	moved "heap by $bytes" places "$bytes" "$bytes" 0 0 0 0 --heap-shift="$bytes"
done
# A static libc has allocated before, and has rounded the break to a page.
moved "static: heap by 16" places.static 0 16 0 0 0 0 --heap-shift=16
moved "static: heap by 77840" places.static 77824 77840 0 0 0 0 --heap-shift=77840
# 17 pages; without libraries, it is the mapping alone.
moved "libraries and mappings" places 0 0 69632 69632 0 0 --load-shift=17
moved "a mapping" places.static 0 0 0 69632 0 0 --load-shift=17
moved "both" places 32 32 4096 4096 0 0 --heap-shift=32 --load-shift=1

for option in --heap-shift=1048577 --heap-shift= --load-shift=65536 --load-shift=x; do
	range="0 to 1048576"
	[ "${option#--load}" = "$option" ] || range="0 to 65535"
	places places "$option" >said
	is "$option" "$(tr '\n' ' ' <said | sed 's/==[0-9]*== //g')" \
		"status 1 costgrind: $option: expected a number from $range "
done

done_testing
