# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What tests of --data=yes share: scenes of a program, and what of their data files.
. "$top_srcdir/tests/asm/misses.sh"

data() {
	python3 "$top_srcdir/tests/tool/data/data_objects.py" "$@" 2>&1
}

# scene_run SCENE [OPTIONS...]: $scene/p, its data file as $scene/d; of $scene_program, on $scene_machine.
scene_run() {
	scene=$1
	shift
	rm -rf "$scene"
	mkdir "$scene"
	# shellcheck disable=SC2086 # several options in one variable
	(cd "$scene" && costgrind -q $scene_machine --data=yes --fair-sched=yes --costgrind-out-file=p "$@" \
		"../$scene_program" "$scene") >"$scene.out" 2>"$scene.err"
	is "$scene $*: exit status, what it prints" "$? $(cat "$scene.out" "$scene.err")" "0 "
	for scene_file in "$scene"/data.*.costgrind; do
		mv "$scene_file" "$scene/d"
	done
}

# missed PATTERN: objects of that name with misses of D1: the number alone.
missed() {
	data objects "$scene/d" "$1" | sed -n 's/.*: \(I1mr=[0-9]* \)*\(D1mr=[0-9]*\).*/\2/p'
}

adds_up() {
	is "$scene $*: sums" "$(data sums "$scene/p" "$scene/d")" ""
}
