#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options of Callgrind's that do nothing, or do it only there: they are taken, a line says what
# becomes of them, and no number changes.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster

# spoken OPTION...: what is said about options; $tool is the name, the profile goes to spoken.out.
spoken() {
	VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool="$tool" --counting=valgrind \
		--costgrind-out-file=spoken.out "$@" "$scratch/script" spin 100 2>spoken.err
	echo "status $?"
	sed -n 's/^==[0-9]*== costgrind: \(-.*\)/\1/p' spoken.err
}

# idle TEXT OPTION...: of the last option, TEXT is said, and the numbers are those without it.
idle() {
	idle_text=$1
	shift
	for tool in costgrind callgrind; do
		is "$tool: $*" "$(spoken --cache-sim=no "$@")" "status 0
$idle_text"
		is "$tool: $*: the numbers" \
			"$(profile cells spoken.out | cmp - "$tool.cells" 2>&1)" ""
	done
	tool=costgrind
	is "$* -q" "$(spoken -q "$@" && cat spoken.err)" "status 0"
}

for tool in costgrind callgrind; do
	is "$tool: nothing to say" "$(spoken --cache-sim=no --collect-alloc=no --mangle-names=yes \
		--compress-mangled=no --dump-bb=no --dump-bbs=no --ct-verbose=0 --ct-vstart=0)" \
		"status 0"
	profile cells spoken.out >"$tool.cells"
done
trace="no effect: it traces what Callgrind does"
blocks="no effect: costs belong to instructions and lines"
idle "--mangle-names=no: no effect: no program reads what Callgrind writes without" \
	--mangle-names=no
idle "--compress-mangled=yes: no effect: --compress-strings compresses all names" \
	--compress-mangled=yes
idle "--dump-bb=yes: $blocks" --dump-bb=yes
idle "--dump-bbs=yes: $blocks" --dump-bbs=yes
idle "--ct-verbose=2: $trace
--ct-verbose3=main: $trace
--ct-vstart=7: $trace" --ct-verbose=2 --ct-verbose3=main --ct-vstart=7
tool=costgrind
is "--simulate-sectors" "$(spoken --simulate-sectors=yes)" "status 0
--simulate-sectors=yes: no effect, as in Callgrind"

# --- what is not the same under Callgrind's name ---

tool=callgrind
is "callgrind: uses exclude the others" \
	"$(spoken --cacheuse=yes --simulate-wb=yes --simulate-hwpref=yes)" "status 0
--simulate-wb=yes: cannot be combined with --cacheuse=yes, as in Callgrind; switched off
--simulate-hwpref=yes: cannot be combined with --cacheuse=yes, as in Callgrind; switched off"
is "callgrind: automatic callers" "$(spoken --separate-callers=auto)" "status 0
--separate-callers=auto: not implemented, in Callgrind neither: 0 callers"
is "callgrind: a switch is a pattern" "$(spoken --pop-on-jump=yes)" "status 0
--pop-on-jump=yes: no function that was run has such a name"
is "callgrind: an empty pattern" "$(spoken --fn-skip=)" "status 0
--fn-skip=: no function that was run has such a name"
tool=costgrind
is "costgrind: uses exclude nothing" \
	"$(spoken --cacheuse=yes --simulate-wb=yes --simulate-hwpref=yes)" "status 0"
is "costgrind: caches are not switched on" "$(spoken --cache-sim=no --simulate-sectors=no \
	--simulate-wb=no --D1=1024,2,64; profile totals spoken.out | sed 's/ .*//')" "status 0
Ir"

# --- values that are refused ---

for option in collect-alloc simulate-sectors mangle-names compress-mangled dump-bb dump-bbs; do
	refused "--$option=maybe: expected yes or no" --$option=maybe
	refused "--$option: expected --$option=yes|no" --$option
done
refused "--ct-verbose=x: expected a number from 0 to 999999999999999999" --ct-verbose=x
refused "--ct-vstart: expected --ct-vstart=<n>" --ct-vstart
refused "--ct-verbose3: expected --ct-verbose<n>=<pattern>" --ct-verbose3

done_testing
