#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --data=yes --cacheuse=yes: lines that were fetched for an object, and how many bytes of them nobody used, where that
# follows by hand; that they add up to the profile's.
. "$top_srcdir/tests/programs/scenes.sh"
use_oracle

build_program dataobjects -O1 -pthread -static -I"$top_srcdir"
scene_program=dataobjects
scene_machine="--machine=cachegrind --I1=32768,8,64 --D1=4096,4,64 --LL=65536,16,64 --cacheuse=yes"

# uses FILE PATTERN: lines of objects of that name, and bytes of these that were not used, in both levels.
uses() {
	data objects "$1" "$2" | sed -n 's/.* AcCost1=\([0-9]*\) \(SpLoss1=[0-9]*\)* *AcCost2=[0-9]* \(SpLoss2=[0-9]*\)* *\(Lines=[0-9]*\)$/\2 \3 \4/p'
}

for engine in inline plain; do
	# Of each line, 8 of 64 bytes are read in the one array, all in the other.
	scene_run arrays --engine=$engine
	adds_up
	is "structs, $engine: 56 of 64 bytes" "$(uses arrays/d '^array_of_structs d.* B$')" "SpLoss1=57344 SpLoss2=57344 Lines=1024"
	is "arrays, $engine: all are used" "$(uses arrays/d '^struct_of_arrays d.* B$')" "  Lines=128"
	is "structs, $engine: all at one place of the element" "$(data rows arrays/d '^array_of_structs d.* B$' | grep -c 'SpLoss1=57344 .* Lines=1024$')" 1
	is "structs, $engine: who" "$(data users arrays/d '^array_of_structs d.* B$' | sed 's/:[0-9]* / /; s/D1mr.*\(SpLoss1\)/\1/; s/ AcCost2=[0-9]*//')" \
		"add_every 1024 SpLoss1=57344 SpLoss2=57344 Lines=1024"
	# A list of lines: each is made by a write at 0 and one at 56, then walked by its link, then read at 56.
	scene_run list --engine=$engine
	adds_up
	is "list, $engine: by offset" "$(data rows list/d '^make_node.* B$' | sed 's/D1mr.*\(SpLoss1\)/\1/; s/ AcCost2=[0-9]*//')" \
		"0: SpLoss1=106496 SpLoss2=106496 Lines=2048
56: SpLoss1=57344 SpLoss2=57344 Lines=1024"
	for scene in reuse many mappings pools children; do
		scene_run $scene --engine=$engine
		[ "$scene" = children ] || adds_up # it has two
	done
	scene_run arrays --engine=$engine --simulate-wb=yes --simulate-hwpref=yes --D1=4096,4,32
	adds_up "with everything"
	is "half lines, $engine: 24 of 32 bytes" "$(uses arrays/d '^array_of_structs d.* B$' | sed 's/ SpLoss2=[0-9]*//')" "SpLoss1=24576 Lines=1024"
	scene_run list --engine=$engine --toggle-collect=walk
	adds_up --toggle-collect
	is "only what is collected, $engine" "$(uses list/d '^make_node.* B$')" "SpLoss1=57344 SpLoss2=57344 Lines=1024"

	# Lines that the first part has fetched go in the second one.
	rm -rf parts
	mkdir parts
	# shellcheck disable=SC2086 # several options in one variable
	(cd parts && costgrind -q $scene_machine --data=yes --engine=$engine --costgrind-out-file=p ../dataobjects parts)
	for file in parts/data.*.costgrind parts/data.*.costgrind.1; do
		part=p${file##*.costgrind}
		is "parts, $engine: sums of ${file##*.costgrind}" "$(data sums "parts/$part" "$file")" ""
	done
	is "parts, $engine: lines" "$(uses parts/data.*.1 '^first_owner.* B$' | sed 's/.* //') $(uses parts/data.*.costgrind '^first_owner.* B$' | sed 's/.* //')" \
		"Lines=1024 Lines=512"

	# Nothing else changes.
	for with in yes no; do
		# shellcheck disable=SC2086
		costgrind -q $scene_machine --data=$with --engine=$engine --costgrind-out-file=list.$with ./dataobjects list
	done
	rm -f data.*
	is "$engine: the profile is the same" "$(without_run list.yes | sed '/^desc: Data profile: /d' | cksum)" \
		"$(without_run list.no | cksum)"
done

scene_run arrays
cp arrays/d "arrays/$(sed -n 's/^desc: Data profile: //p' arrays/p)"
annotate() {
	"$top_builddir/costgrind" annotate -q --by=object --width=unlimited "$@" 2>&1
}
is "annotate: how much of lines is used" "$(annotate arrays/p | sed -n '/^-- Misses on .*\(array_of_s\|struct_of_a\).* B  \[heap\]$/,/^$/{/ brought in,/p;}' | sort)" \
	"1,024 lines of 64 bytes brought in, of which 8.0 bytes each were used.
128 lines of 64 bytes brought in, of which 64.0 bytes each were used."
is "annotate: lines as columns" "$(annotate --format=csv --show=SpLoss1,Lines arrays/p | sed -n 's/^object,,"array_of_structs.* B".*,double,,,8,\([0-9,]*\)$/\1/p')" 57344,1024
is "costgrind check finds nothing" "$("$top_builddir/costgrind" check arrays/d | grep -c misread)" 0

scene_machine="--machine=cachegrind --D1=4096,4,64"
scene_run arrays
is "without --cacheuse, lines are not known" "$(uses arrays/d . | wc -l)" 0

done_testing
