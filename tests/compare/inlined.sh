#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --inline=calls: functions and calls are those that addr2line finds in the debug information
# (inlining.py says how).
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/compare/lib/comparing.sh"

# profiled OUT OPTIONS... PROGRAM
profiled() {
	profiled_out=$1
	shift
	costgrind -q --costgrind-out-file="$profiled_out" --cache-sim=no --skip-plt=no "$@" \
		>"$profiled_out.stdout" 2>"$profiled_out.log"
}

# agrees NAME PROGRAM: built with debug information.
agrees() {
	profiled lines --inline=lines --collect-jumps=yes "$2"
	profiled calls --inline=calls "$2"
	# "### unhandled dwarf2 abbrev form code 0x1b": Valgrind 3.19, of clang's DWARF 5.
	if grep -q '### unhandled dwarf' calls.log; then
		skip "$1" "this Valgrind cannot read the debug information"
		return
	fi
	if agrees_text=$(python3 "$top_srcdir/tests/compare/inlining.py" "$2" lines calls 2>&1); then
		ok "$1: functions and calls"
		printf '# %s\n' "$agrees_text"
	else
		not_ok "$1: functions and calls" "$agrees_text"
	fi
	conserves "$1: adds up" calls
	is "$1: totals" "$(profile totals calls)" "$(profile totals lines)"
	annotates "$1" calls
}

# What the C language fixes of inl.c: 100 reads in loc(), called by outer(), and 100 in hdr().
reads() {
	costgrind -q --costgrind-out-file=reads --branch-sim=yes --inline=calls "$2" 2>reads.log
	is "$1: reads" "$(profile calls reads |
		awk -F '\t' '$5 == "loc" || $5 == "hdr" { sub(/.* Dr=/, "", $7); sub(/ .*/, "", $7)
			reads[$2 " > " $5] += $7 }
		END { for (call in reads) print call, reads[call] }' | sort)" \
"outer > hdr 100
outer > loc 100"
}

for compiler in gcc clang; do
	for version in 4 5; do
		name="inl, $compiler, DWARF $version"
		program=$scratch/inl_$compiler$version
		if ! command -v $compiler >/dev/null; then
			skip "$name" "no $compiler"
		# Not by build(), which makes it DWARF 4 always.
		elif $compiler -o "$program" "$top_srcdir/tests/cases/inl.c" -O1 -gdwarf-$version \
			2>build.log; then
			agrees "$name" "$program"
			grep -q '### unhandled dwarf' calls.log || reads "$name" "$program"
		else
			not_ok "$name: build" "$(cat build.log)"
		fi
	done
done

# By hand, of what gcc 12 makes of inl.c with -O1; each loop has 6 instructions.
#	outer	add, ret
#	loc	4 before the loop		100 turns
#	hdr	2 before the loop, which is entered without a jump
#	main	mov, call, and, ret
if gcc -dumpfullversion 2>/dev/null | grep -q '^12\.' && [ -x "$scratch/inl_gcc4" ]; then
	for version in 4 5; do
		profiled calls --inline=calls "$scratch/inl_gcc$version"
		is "inl, gcc 12, DWARF $version: by hand" "$(
			profile calls calls | awk -F '\t' '
				/\/inl_gcc/ && $5 ~ /^(outer|loc|hdr)$/ { print $2, $3, $5, $6, $7 }' |
				sort
			profile cells calls | awk -F '\t' '
				$2 ~ /^(main|outer|loc|hdr)$/ && $1 ~ /inl\.[ch]$/ {
					sub(/.*=/, "", $4); sum[$2] += $4 }
				END { for (name in sum) print name, sum[name] }' | sort)" \
"main 5 outer 1 Ir=1208
outer 4 hdr 1 Ir=602
outer 4 loc 1 Ir=604
hdr 602
loc 604
main 4
outer 2"
	done
else
	skip "inl: by hand" "it is not gcc 12"
fi

# Larger programs, with inlined functions inlined in others.
for program in compress raytrace interp; do
	build "$scratch/$program" "$top_srcdir/tests/bench/$program.c" -std=gnu11 -O2 -g \
		-I"$top_srcdir" -lm
	agrees $program "$scratch/$program"
done

done_testing
