#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --miss-curve: columns derived by hand; columns against first levels of these sizes; that nothing else changes, that both
# engines agree, and how far samples are from the truth.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/programs/programs.sh"

# machine D1: its second and third level have room for all.
machine() {
	printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D $1" "L2 8M 16 lru" "L3 32M 16 lru"
}

# without_run PROFILE: without what names the run.
without_run() {
	sed '/^pid: /d; /^cmd: /d; /^desc: Options: /d' "$1"
}

# judged NAME COMMAND ARGUMENTS...: what must hold of profiles.
judged() {
	judged_name=$1
	shift
	is "$judged_name" "$(python3 "$top_srcdir/tests/tool/translate/miss_classes.py" "$@" 2>&1)" ""
}

# steps: of lines "name: events", those of sizes that differ from the one before.
steps() {
	awk '{
		split("", missed)
		words = ""
		for (i = 2; i <= NF; i++)
			if ($i ~ /^M[0-9]+[KM]=/)
				missed[substr($i, 1, index($i, "=") - 1)] = substr($i, index($i, "=") + 1)
		before = 0
		for (i = 1; i <= split("64K 96K 128K 192K 256K 384K 512K 768K 1M 1536K 2M 3M 4M 6M 8M 12M 16M 24M 32M " \
				"48M 64M 96M 128M 192M 256M", sizes); i++) {
			if (missed["M" sizes[i]] + 0 != before)
				words = words " M" sizes[i] "=" missed["M" sizes[i]] + 0
			before = missed["M" sizes[i]] + 0
		}
		if (words != "")
			print $1 words
	}'
}

curve_desc() {
	sed -n 's/^desc: Miss curve: //p' "$1"
}

# --- by hand ---

asm_build curve
derived=$(awk '/#m M/ { sub(/.*#m/, ""); print NR ":" $0 }' "$asm/curve.S")
for d1 in "48K 12 lru" "64K 8 lru" "32K 512 lru" "512 1 lru" "16K 4 fifo" "32K 8 srrip"; do
	machine "$d1" >small.machine
	for options in --engine=plain --engine=inline "--cold-runs=0 --inline-data=no" --write-back=yes; do
		caches="--machine=small.machine --miss-curve=exact"
		# shellcheck disable=SC2086 # several options in one variable
		asm_run curve out $options
		is "D1 $d1 $options: by hand" "$(counts lines out curve.S | steps)" "$derived"
		is "D1 $d1 $options: nothing of classes" "$(counts totals out | grep -c cold)" 0
	done
	[ "$d1" != "48K 12 lru" ] || mv out first
done
judged "by hand: never rises" falls first
is "by hand: exact" "$(curve_desc first)" exact
machine "2K 4 lru" | sed 's/^line.*/line 32/' >lines.machine
caches="--machine=lines.machine --miss-curve=exact"
for engine in plain inline; do
	asm_run curve out --engine=$engine
	# Every other line is asked for: 50 KiB of 100, 100 KiB of lines of 64.
	is "lines of 32 bytes, $engine" "$(counts lines out curve.S | steps | head -n 1)" "$(echo "$derived" | head -n 1 |
		sed 's/M64K.*/M64K=1600/')"
done

# --- a real program, against first levels of these sizes ---

cat >words.awk <<'END'
BEGIN {
	for (i = 0; i < 3000; i++)
		n[i % 1997] = n[i % 1997] i
	for (k in n)
		s += length(n[k])
	print s
}
END

# real OUT OPTIONS...: a real program.
real() {
	real_out=$1
	shift
	costgrind -q --cache-sim=yes --costgrind-out-file="$real_out" "$@" /usr/bin/mawk -f words.awk >/dev/null
	is "mawk $*: exit status" $? 0
}

real exact --machine=zen4 --miss-curve=exact
judged "mawk: never rises" falls exact
conserves "mawk: calls add up" exact
# Ways of one set; then what a fully associative one of the size would miss, by classes.
for size in 65536 98304 131072; do
	real other --machine=cachegrind --D1=$size,$((size / 64)),64 --LL=8388608,16,64
	judged "mawk: D1 of $size bytes" size M$((size / 1024))K exact other
done
for column in M192K M256K M512K M1M; do
	case $column in
	M192K) size=196608,12,64 ;;
	M256K) size=262144,8,64 ;;
	M512K) size=524288,8,64 ;;
	M1M) size=1048576,8,64 ;;
	esac
	real other --machine=cachegrind --D1=$size --LL=8388608,16,64 --miss-classes=yes
	is "mawk: D1 of $size, fully associative" "$(counts totals exact | sed "s/.* $column=\([0-9]*\).*/\1/")" \
		"$(counts totals other | sed 's/.*D1cold=\([0-9]*\) D1cap=\([0-9]*\) .*D1anti=\([0-9]*\).*/\1 \2 \3/' |
			awk '{ print $1 + $2 + $3 }')"
done
done_testing
