#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What shells offer: the words of costgrind --complete, and the same in bash, zsh and fish.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
completions=$top_srcdir/data/completions
mkdir bin dir
ln -s "$program" bin/costgrind
PATH=$PWD/bin:$PATH
: >profile.one
: >profile.two
tab=$(printf '\t')

# offered WORD...: what there is, without what it does, in one line.
offered() {
	"$program" --complete "$@" | sed "s/$tab.*//" | tr '\n' ' '
}

# -- words ------------------------------------------------------------------------

is "a command" "$("$program" --complete ann)" "annotate${tab}Show what a profile says
:program"
is "all commands" "$(offered "")" "$("$program" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')\
--help --version :program "
is "no words" "$(offered)" "$(offered "")"
is "help" "$(offered help e)" "events "
is "a program" "$(offered ls "")" ":file "
is "profiles" "$(offered annotate ""; offered merge -q p)" ":file :file "
is "options that begin so" "$(offered annotate --so)" "--sort= --source= --source-map= "
is "with a value or without" "$(offered annotate --asm)" "--asm --asm= --asm-syntax= --asm-bytes= "
is "what they do" "$("$program" --complete annotate --top)" \
	"--top=${tab}Show at most the N costliest functions [25 in text; else all]"
is "no such option" "$(offered annotate --nonsense; offered annotate --nonsense=)" ""
is "after --" "$(offered annotate -- --so)" ":file "
is "words of a value" "$(offered annotate --tree=)" "--tree=none --tree=caller --tree=calling --tree=both "
is "yes or no" "$(offered annotate --auto=)" "--auto=yes --auto=no "
is "a word of a value" "$(offered annotate --tree=calli)" "--tree=calling "
is "all of a word" "$(offered annotate --tree=none)" "--tree=none "
is "too much" "$(offered annotate --tree=nones)" ""
is "events" "$(offered annotate --sort=Bi)" "--sort=Bi --sort=Bim "
is "derived events" "$(offered annotate --sort=Est) $(offered diff --show=Ir,D1m)" \
	"--sort=EstCyc  --show=Ir,D1mr --show=Ir,D1mw --show=Ir,D1m "
is "another event" "$(offered annotate --show=Ir,Ge,DLd)" "--show=Ir,Ge,DLdmr --show=Ir,Ge,DLdmw "
is "one event only" "$(offered convert --event=Ir,G)" ""
is "the next word is the value" "$(offered annotate --sort Bi; offered annotate -o "")" "Bi Bim :file "
is "files and folders" "$(offered annotate --output=; offered annotate --sysroot=d)" ":file :directory "
is "formats" "$(offered convert --to=p; offered convert --from=c)" \
	"--to=pprof --from=callgrind --from=cachegrind "
is "another option of this name" "$(offered merge --to=)" "--to=callgrind --to=cachegrind "
is "readers" "$(offered check --for=kc)" "--for=kcachegrind "
is "matters" "$(offered run --keep=pid,c; offered stable --causes=hea)" \
	"--keep=pid,caches --keep=pid,cpu --keep=pid,cwd --causes=heap "
is "machines" "$(offered machine zen; offered machine h)" "zen2 zen3 zen4 zen5 :file host help :file "
is "... to be simulated" "$(offered run --machine=zen; offered stable --machine=h)" \
	"--machine=zen2 --machine=zen3 --machine=zen4 --machine=zen5 :file --machine=host --machine=help :file "
is "what is left as it is" "$(offered run --leave=cpu,c)" \
	"--leave=cpu,cpu --leave=cpu,clock --leave=cpu,cpus "
is "no value known" "$(offered annotate --top=; offered annotate --top=1)" ""
is "options of the tool" "$(offered run --simulate)" "--simulate-wb= --simulate-hwpref= "
is "... of other names, values only" "$(offered run --simulate-cache=; offered run --callgrind-o)" \
	"--simulate-cache=yes --simulate-cache=no "
is "... their values" "$(offered run --collect-systime=m; offered stable --format=c)" \
	"--collect-systime=msec --format=callgrind --format=cachegrind "
is "... with a value or without" "$(offered run --pop)" "--pop-on-jump --pop-on-jump= "
is "... with a number" "$(offered run --separate-r; offered run --fn-g)" \
	"--separate-recs= --separate-recs1= --fn-group1= "
is "options of Valgrind" "$(offered run --smc; offered run --smc-check=all)" \
	"--smc-check= --smc-check=all --smc-check=all-non-file "
is "a program to run" "$(offered run ""; offered run --keep cwd ""; offered run -- --)" \
	":program :program :program "
is "... and its words" "$(offered run ls --; offered run -- --x --; offered stable -j 2 ls -)" \
	":file :file :file "
# Every option that is explained.
for command in annotate merge check diff stable view machine doctor convert run control bench; do
	"$program" help $command | sed -n 's/^  \(-. [A-Za-z|]*, \|-[a-zA-Z], \|-[a-z]\[[A-Z,]*\], \|\)\(--[a-z-]*\).*/\2/p' |
		sort -u >explained
	"$program" --complete $command -- | sed "s/[=$tab].*//" | sort -u >offered
	is "$command: all that is explained" "$(comm -23 explained offered; sed -n '5q' explained)" ""
	case $command in
	run | stable | bench) continue ;;
	esac
	is "$command: nothing else" "$(comm -13 explained offered)" ""
done

# is_there SHELL: whether it is installed; all that are not are one test that is skipped.
is_there() {
	command -v "$1" >/dev/null && return
	missing="$missing $1"
	false
}
missing=

# -- bash -------------------------------------------------------------------------

cat >completed.bash <<'END'
source "$1"
shift
for text; do
	COMP_LINE=$text COMP_POINT=${#text}
	_costgrind costgrind
	printf "%s\n" "${COMPREPLY[@]}" | LC_ALL=C sort | paste -s -d " "
done
END
# completed TEXT...: a line of candidates for each.
completed() {
	bash completed.bash "$completions/bash/costgrind" "$@"
}

if is_there bash; then
	# After the last = or :, as in readline.
	is "bash" "$(completed "costgrind anno" "costgrind annotate profile" \
		"costgrind annotate --tree=calli" "costgrind annotate --sort=Ir:5,Spl" \
		"costgrind annotate --sort=Ir:5,SpL" "costgrind annotate --output=profile.o" \
		"costgrind annotate --sysroot=" "costgrind run --simulate-h" \
		"costgrind run costgrin" "costgrind run ls profile.t" "costgrind annotate --auto ")" "\
annotate
profile.one profile.two
calling

5,SpLoss1 5,SpLoss2
profile.one
bin dir
--simulate-hwpref=
costgrind
profile.two
$(completed "costgrind annotate ")"
fi

# -- fish -------------------------------------------------------------------------

if is_there fish; then
	# In the locale C it does not find programs in folders whose names are not ASCII.
	is "fish" "$(HOME=$PWD LC_ALL=C.UTF-8 fish --no-config -c '
		source $argv[1]/fish/costgrind.fish
		for text in "costgrind anno" "costgrind annotate profile" \
			"costgrind annotate --tree=calli" "costgrind annotate --sort=Ir:5,SpL" \
			"costgrind annotate --output=profile.o" "costgrind annotate --sysroot=d" \
			"costgrind run --simulate-h" "costgrind run costgrin"
			string replace -r "\t.*" "" -- (complete -C $text) | string join " "
		end' "$completions")" "\
annotate
profile.one profile.two
--tree=calling
--sort=Ir:5,SpLoss1 --sort=Ir:5,SpLoss2
--output=profile.one
--sysroot=dir/
--simulate-hwpref=
costgrind"
fi

# -- zsh --------------------------------------------------------------------------

# A single candidate is put in, of several what they have in common.
if is_there zsh; then
	is "zsh" "$(python3 "$top_srcdir/tests/cmds/type_in_zsh.py" "$completions/zsh" \
		"costgrind anno" "costgrind annotate profile.o" "costgrind annotate --tree=calli" \
		"costgrind annotate --sort=Ir:5,SpL" "costgrind annotate --output=profile.o" \
		"costgrind annotate --sysroot=d" "costgrind run --simulate-h" "costgrind run costgrin")" "\
costgrind annotate
costgrind annotate profile.one
costgrind annotate --tree=calling
costgrind annotate --sort=Ir:5,SpLoss
costgrind annotate --output=profile.one
costgrind annotate --sysroot=dir
costgrind run --simulate-hwpref=
costgrind run costgrind"
fi

[ -z "$missing" ] || skip "completion by shells" "not installed:$missing"
done_testing
