# SPDX-License-Identifier: GPL-3.0-or-later
# Profiles made now, shown as machine code: costs of instructions that were derived by hand; and of real
# programs, that the code at the profile's addresses is what was executed, wherever it was loaded.
. "$top_srcdir/tests/lib.sh"

command=$top_builddir/costgrind
checker=$top_srcdir/tests/tool/work/machinecode.py

build insncosts insncosts.S -nostdlib -static -no-pie -g
python3 "$checker" lines "$top_srcdir/tests/cases/insncosts.S" >want
costgrind --branch-sim=yes --collect-jumps=yes --costgrind-out-file=insncosts.cg ./insncosts 2>log
"$command" annotate --asm --threshold=0 --list=none --show=Ir,Dr,Dw,Bc,Bi --format=csv insncosts.cg >csv 2>errors
is "no warning" "$(cat errors)" ""
is "costs derived by hand" "$(python3 "$checker" found csv)" "$(cat want)"
VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool=callgrind --dump-instr=yes --collect-jumps=yes \
	--callgrind-out-file=insncosts.theirs ./insncosts 2>log
"$command" annotate --asm --threshold=0 --list=none --show=Ir --format=csv insncosts.theirs >csv 2>errors
# It never has the last block that was executed.
last=$(grep -n '^3:' "$top_srcdir/tests/cases/insncosts.S" | cut -d : -f 1)
is "Callgrind's profile" "$(python3 "$checker" found csv)" \
	"$(awk -v last="$last" '$1 < last || $1 > last + 3' want | sed 's/ [DB][a-z]=[0-9]*//g')"

# fits NAME PROFILE: all code is there, and all costs.
fits() {
	"$command" annotate -q --asm --threshold=0 --format=json "$2" >json 2>errors
	is "$1" "$(python3 "$checker" sums json 2>&1)$(cat errors)" ""
}

for kind in pie no-pie stripped; do
	case $kind in
	pie) flags='-g -O1 -fPIE -pie' ;;
	no-pie) flags='-g -O1 -fno-pie -no-pie' ;;
	stripped) flags='-O1 -s' ;;
	esac
	# shellcheck disable=SC2086 # several options
	build "al.$kind" al.c $flags
	# shellcheck disable=SC2086
	build "ex.$kind" ex.cpp $flags
	for program in al ex; do
		costgrind -q --collect-jumps=yes --separate-callers=1 \
			--costgrind-out-file="$program.$kind.cg" "./$program.$kind" >out 2>log
		fits "$program, $kind" "$program.$kind.cg"
		VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool=callgrind --dump-instr=yes \
			--cache-sim=yes "--callgrind-out-file=$program.$kind.theirs" "./$program.$kind" >out 2>log
		fits "$program, $kind, Callgrind's" "$program.$kind.theirs"
	done
done
costgrind -q --inline=calls --costgrind-out-file=inlined.cg ./al.pie >out 2>log
fits "inlined functions" inlined.cg
done_testing
