#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls of a library: the linkage table and the dynamic linker's resolver do not come between
# caller and callee.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"

# plt_build NAME [FLAGS...]: the program ./NAME and its library.  The PLT sections of NAME are those
# in $sections.
plt_build() {
	plt_name=$1
	shift
	build "lib$plt_name.so" "$asm/calls_plt.S" -DLIBRARY -shared -nostdlib -g "$@"
	build "$plt_name" "$asm/calls_plt.S" -nostdlib -no-pie -g -Wl,-e,main "./lib$plt_name.so" \
		-Wl,-rpath,"$PWD" "$@"
	is "$plt_name: sections" \
		"$(objdump -h "$plt_name" | awk '$2 ~ /^\.plt/ { printf "%s ", $2 }')" "$sections"
}

# called NAME GRAPH [OPTIONS...]: what main and libtwice cost and call; of the first call of
# something, which includes finding it, only that it exists.
called() {
	called_name=$1
	called_graph=$2
	shift 2
	asm_run "$called_name" "$called_name.out" "$@"
	called_got=$(calls graph "$called_name.out" "$called_name"
		calls graph "$called_name.out" "lib$called_name.so")
	is "$called_name: calls${LD_BIND_NOW:+, bound at once}${*:+, $*}" \
		"$(echo "$called_got" | sed '/ > [^l]/d; s/^\(main > libtwice 1\) Ir=[1-9][0-9][0-9].*/\1/')" \
		"$called_graph
libwork: Ir=10 Dr=5
libtwice > libwork 1 Ir=2 Dr=1"
}

# The resolver is called by main twice and by libtwice once, and calls nobody in program or library.
resolved() {
	is "$called_name: the resolver" "$(echo "$called_got" | grep -v 'lib[a-z]* [1-9]' |
		sed -n 's/^\(.* >\) .* \([0-9]*\) Ir=.*/\1 \2/p')" "main > 2${newline}libtwice > 1"
	is "$called_name: calls out of the dynamic linker" \
		"$(python3 "$top_srcdir/tests/profile.py" calls "$called_name.out" |
			awk -F '\t' '$1 ~ /\/ld[^\/]*$/ && $5 ~ /^lib/')" ""
}

newline='
'

# --- .plt ---

# An entry is "jmp *", which at first goes on to "push; jmp" and from there to "push mem; jmp *",
# which goes to the resolver.  The call with its entry is so
#	first	Ir=6 Dr=3 Dw=3 Bi=2
#	later	Ir=2 Dr=1 Dw=1 Bi=1
# and main is 2 first ones, 3 later ones, mov, 3 x (dec jnz), mov xor syscall; libtwice is a first
# one and ret.
sections=".plt "
plt_build lazy -Wl,-z,lazy
called lazy "main: Ir=28 Dr=9 Dw=9 Bc=3 Bi=7
main > libtwice 1
main > libwork 4 Ir=8 Dr=4
libtwice: Ir=7 Dr=4 Dw=3 Bi=2"
resolved
is "lazy: functions of the linkage table" "$(grep 'PLT\|(0x' lazy.out)" ""

# By line.
is "lazy: lines" "$(python3 "$top_srcdir/tests/profile.py" cells lazy.out |
	awk -F '\t' '$2 == "main" { gsub(/ ([ID][1L]m[rw]|Bcm|Bim)=[0-9]*/, "", $4); print $4 }')" \
"Ir=6 Dr=3 Dw=3 Bi=2
Ir=1
Ir=6 Dr=3 Dw=3 Bi=3
Ir=3
Ir=3 Bc=3
Ir=6 Dr=3 Dw=3 Bi=2
Ir=1
Ir=1
Ir=1"

# Bound before the program begins: all are later ones.  libtwice with libwork costs 1 more than
# its own 1 + 2 + 1, for the entry.
LD_BIND_NOW=1
export LD_BIND_NOW
at_once="main: Ir=20 Dr=5 Dw=5 Bc=3 Bi=5
main > libtwice 1 Ir=5 Dr=3 Dw=1 Bi=1
main > libwork 4 Ir=8 Dr=4
libtwice: Ir=3 Dr=2 Dw=1 Bi=1"
called lazy "$at_once"
unset LD_BIND_NOW
plt_build now -Wl,-z,now
called now "$at_once"

# A loader without names: what it does is the same.
if objcopy --strip-all -R .note.gnu.build-id -R .gnu_debuglink \
	"$(readlink -f /lib64/ld-linux-x86-64.so.2)" ld-bare.so 2>objcopy.log; then
	chmod +x ld-bare.so
	plt_build bare -Wl,-z,lazy -Wl,--dynamic-linker="$PWD/ld-bare.so"
	called bare "main: Ir=28 Dr=9 Dw=9 Bc=3 Bi=7
main > libtwice 1
main > libwork 4 Ir=8 Dr=4
libtwice: Ir=7 Dr=4 Dw=3 Bi=2"
	resolved
	is "bare: the dynamic linker has no names but by address" \
		"$(calls calls bare.out bare | sed -n 's/^main > \(0x\)[0-9a-f]\{16\} 2 .*/\1/p')" 0x
else
	skip "bare: a loader without names" "$(cat objcopy.log)"
fi

# --- .plt.got ---

# For functions whose address is known elsewhere: like an entry that is bound.
sections=".plt .plt.got "
plt_build got -DADDRESS -Wl,-z,lazy
called got "main: Ir=25 Dr=8 Dw=7 Bc=3 Bi=6
main > libtwice 1
main > libwork 4 Ir=8 Dr=4
libtwice: Ir=7 Dr=4 Dw=3 Bi=2"

# --- .plt.sec ---

# With landing pads: "endbr; jmp *" in .plt.sec, at first followed by "endbr; push; jmp" and
# "push mem; jmp *" in .plt: Ir is 8 at first, 3 later.
sections=".plt .plt.sec "
plt_build sec -Wl,-z,lazy -Wl,-z,ibtplt
called sec "main: Ir=35 Dr=9 Dw=9 Bc=3 Bi=7
main > libtwice 1
main > libwork 4 Ir=8 Dr=4
libtwice: Ir=9 Dr=4 Dw=3 Bi=2"
resolved

# --- none ---

sections=""
plt_build none -DNO_PLT
called none "main: Ir=15 Dr=5 Dw=5 Bc=3 Bi=5
main > libtwice 1 Ir=4 Dr=3 Dw=1 Bi=1
main > libwork 4 Ir=8 Dr=4
libtwice: Ir=2 Dr=2 Dw=1 Bi=1"

# --- shown ---

asm_run lazy shown.out --skip-plt=no
work=$(objdump -d -j .plt lazy | sed -n 's/^\([0-9a-f]\{16\}\) <libwork@plt>:/0x\1 \\[PLT\\]/p')
twice=$(objdump -d -j .plt lazy | sed -n 's/^\([0-9a-f]\{16\}\) <libtwice@plt>:/0x\1 \\[PLT\\]/p')
is "--skip-plt=no: calls" "$(calls graph shown.out lazy |
	sed "s/$work/WORK/; s/$twice/TWICE/; / > _dl_/d; s/ > TWICE 1 .*/ > TWICE 1/
		s/ > WORK 4 .*/ > WORK 4/; s/ > libtwice 1 .*/ > libtwice 1/" | LC_ALL=C sort)" \
"TWICE > libtwice 1
TWICE: Ir=5 Dr=3 Dw=2 Bi=2
WORK > libwork 4 Ir=8 Dr=4
WORK: Ir=8 Dr=6 Dw=2 Bi=5
main > TWICE 1
main > WORK 4
main: Ir=15 Dw=5 Bc=3"
LD_BIND_NOW=1
export LD_BIND_NOW
asm_run lazy shown.out --skip-plt=no
is "--skip-plt=no: calls, bound at once" "$(calls graph shown.out lazy |
	sed "s/$work/WORK/; s/$twice/TWICE/" | LC_ALL=C sort)" \
"TWICE > libtwice 1 Ir=5 Dr=3 Dw=1 Bi=1
TWICE: Ir=1 Dr=1 Bi=1
WORK > libwork 4 Ir=8 Dr=4
WORK: Ir=4 Dr=4 Bi=4
main > TWICE 1 Ir=6 Dr=4 Dw=1 Bi=2
main > WORK 4 Ir=12 Dr=8 Bi=4
main: Ir=15 Dw=5 Bc=3"

# --- objects left out ---

# main, the entries, and all of the library: 20 + 5 + 8.
called_object() {
	asm_run lazy skipped.out "--obj-skip=$1"
	is "--obj-skip=$1" "$(calls graph skipped.out | grep '^main\|libwork\|libtwice')" \
		"main: Ir=33 Dr=12 Dw=6 Bc=3 Bi=6"
}
called_object '*/liblazy.so'
called_object "$PWD/liblazy.so"
asm_run lazy skipped.out --obj-skip=liblazy.so
is "--obj-skip=liblazy.so: no path" "$(calls graph skipped.out lazy)" "${at_once%
*}"

done_testing
