# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the tests of --call-tree=yes share; sourced after programs.sh.

tree() {
	python3 "$top_srcdir/tests/calltree.py" "$@" 2>&1
}

# tree_run [OPTIONS...] PROGRAM...: profile p and one tree in the scene's directory.
tree_run() {
	rm -f p tree.*
	run --call-tree=yes --costgrind-out-file=p "$@"
}

# has_nodes NODES: the tree, whose functions are main and those that it calls, is this.
has_nodes() {
	is "$scene: nodes" "$(tree nodes tree.*)" "$1"
}

# fits [OPTIONS...]: the tree adds up to the profile p, function by function, call by call.
fits() {
	is "$scene: sums of the profile" "$(tree compare "$@" tree.* p; echo $?)" 0
	is "$scene: no other message" "$(grep -c 'internal error' "$scratch/$scene.err")" 0
}
