#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the profile goes, under which name, and what happens if it cannot go there.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
build_program odd -static

# --- names ---

scene default_name
run ../script spin 1000 print_pid
pid=$(cat "$scratch/default_name.out")
exits 0
leaves "costgrind.out.$pid"
says "$(written "$PWD/costgrind.out.$pid")"
holds "costgrind.out.$pid" 1000
is "default_name: pid in the profile" "$(header pid "costgrind.out.$pid")" "$pid"
is "default_name: command in the profile" "$(header cmd "costgrind.out.$pid")" \
	"../script spin 1000 print_pid"
is "default_name: part in the profile" "$(header part "costgrind.out.$pid")" 1

scene format
WORD="two words"
export WORD
run --costgrind-out-file='a%%b %q{WORD} %p' ../script print_pid
pid=$(cat "$scratch/format.out")
leaves "a%b two words $pid"
says "$(written "$PWD/a%b two words $pid")"
# %n is the number of the file name that is made, so that no name is made twice.
run --costgrind-out-file='n%n' ../script spin 1000
leaves "a%b two words $pid" n1
holds n1 1000

unset UNSET
expected="expected %p, %n, %q{VARIABLE}, %r or %% after each %"
out=--costgrind-out-file
refused "$out=x%: $expected" $out=x%
refused "$out=%d: $expected" $out=%d
refused "$out=%p%P: $expected" $out=%p%P
refused "$out=x%%%: $expected" $out=x%%%
refused "$out=%q: expected %q{VARIABLE}" $out=%q
refused "$out=%qHOME: expected %q{VARIABLE}" $out=%qHOME
refused "$out=%q{}: expected %q{VARIABLE}" "$out=%q{}"
refused "$out=%q{HOME: expected %q{VARIABLE}" "$out=%q{HOME"
refused "$out=%q{UNSET}: environment variable UNSET is not set" "$out=%q{UNSET}"
refused "$out=x%p%q{UNSET}: environment variable UNSET is not set" "$out=x%p%q{UNSET}"
refused "$out=: expected a file name" $out=

scene odd_names
odd=" a${newline}b *'\\$(printf '\377')"
run --costgrind-out-file="$odd" ../script spin 1000
exits 0
leaves "$odd"
holds "$odd" 1000
mkdir -- "-dir $newline"
run --costgrind-out-file="./-dir $newline/../-dir $newline/-p" ../script spin 1000
exits 0
holds "./-dir $newline/-p" 1000
leaves "$odd" "-dir "

# The longest name that a file can have leaves no room for a temporary one made from it.
scene long_name
name=$(printf '%0255d' 0)
run --costgrind-out-file="$name" ../script spin 1000
exits 0
says "$(written "$PWD/$name")"
leaves "$name"
holds "$name" 1000
name=0$name
cd ..
refused "$scratch/$name: the profile cannot be written here: file name too long" \
	"$out=$scratch/$name"

# --- the directory ---

# Relative names are relative to the directory of the start.
scene chdir
mkdir sub
run --costgrind-out-file=sub/p ../script spin 10 chdir / spin 10
exits 0
says "$(written "$PWD/sub/p")"
holds sub/p 10 10
leaves sub

scene directory_renamed
mkdir old
run --costgrind-out-file=old/p ../script spin 10 rename old new mkdir old spin 10
exits 0
leaves new old
holds new/p 10 10
is "directory_renamed: nothing in the new one of the old name" "$(ls -A old)" ""

scene directory_removed
mkdir gone
run --costgrind-out-file=gone/p ../script spin 10 rmdir gone exit 5
exits 5
leaves
says "costgrind: $PWD/gone/p: no such file or directory; no profile was written"

# The program's own directory is another thing.
scene cwd_removed
mkdir gone
cd gone || exit 1
run --costgrind-out-file=../p ../../script rmdir ../gone spin 10 print here
cd ..
exits 0
prints here
holds p 10
leaves p

cd "$scratch" || exit 1
mkdir directory
here="the profile cannot be written here"
refused "/no/such/dir/p: $here: /no/such/dir/: no such file or directory" $out=/no/such/dir/p
refused "$scratch/script/p: $here: $scratch/script/: not a directory" "$out=$scratch/script/p"
refused "$scratch/directory: is a directory, expected the name of a file" "$out=$scratch/directory"
refused "$scratch/directory/: is a directory, expected the name of a file" "$out=$scratch/directory/"
refused "$scratch/no/: is a directory, expected the name of a file" "$out=$scratch/no/"

# --- what is there already ---

scene replaced
echo old >p
run --costgrind-out-file=p ../script spin 10
says "$(replaced "$PWD/p")"
holds p 10
leaves p

# Nobody who knows the temporary name beforehand can have anything else written to.
scene partial_is_link
echo mine >victim
ln -s victim .p.partial
run --costgrind-out-file=p ../script spin 10
exits 0
holds p 10
is "partial_is_link: the other file" "$(cat victim)" mine

# A reader that has the old profile open goes on reading that one.
scene reader
echo old >p
exec 9<p
run --costgrind-out-file=p ../script spin 10
is "reader: what was open" "$(cat <&9)" old
exec 9<&-
holds p 10

# --- no permission ---

# refused_weakly FILE
refused_weakly() {
	weakly env VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind --counting=valgrind -q --cycles=no \
		--costgrind-out-file="$1" ../script print ran >out 2>&1
	is "permission: $1" "$(echo "status $?"; cat out)" \
		"status 1${newline}costgrind: $PWD/$1: $here: permission denied"
}

test_permission() {
	mkdir readonly other
	echo old >readonly/old
	echo mine >readonly/mine
	mkfifo other/fifo
	chmod 444 readonly/old
	chmod 000 other/fifo
	chmod 555 readonly
	refused_weakly readonly/new
	refused_weakly readonly/old
	refused_weakly other/fifo
	is "permission: the old file" "$(cat readonly/old)" old
	# Where only the file itself can be written, that is done.
	weakly env VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind --counting=valgrind -q --cycles=no \
		--costgrind-out-file=readonly/mine ../script spin 10 >out 2>&1
	is "permission: a writable file" "$(echo "status $?"; cat out)" "status 0"
	holds readonly/mine 10
	is "permission: files" "$(ls -A readonly)" "mine${newline}old"
	chmod 755 readonly
}

scene permission
if weakly true 2>why; then
	test_permission
else
	skip "permission" "root cannot give up its right to write everywhere: $(head -n 1 why)"
fi

# --- full disk ---

# A file system of 16 KiB, with an old profile of 4 KiB; gone with its name space.
cat >"$scratch/on_full_disk" <<'END'
set -e
mkdir -p disk
mount -t tmpfs -o size=16k none disk
echo "$1" >disk/p
set +e
VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind --counting=valgrind $caches --costgrind-out-file=disk/p \
	../script spin 10 print ran exit 7 >out 2>err
echo $? >status
ls -A disk >files
cp disk/p old
cp disk/.p.partial partial
END
scene full_disk
export caches
if unshare -m true 2>/dev/null; then
	unshare -m sh "$scratch/on_full_disk" "old profile" 2>why
else
	unshare -rm sh "$scratch/on_full_disk" "old profile" 2>why
fi
if [ ! -e status ]; then
	skip "full disk" "no tmpfs can be mounted: $(head -n 1 why)"
else
	is "full_disk: exit status and output" "$(cat status out)" "7${newline}ran"
	cp err "$scratch/full_disk.err"
	says "costgrind: $PWD/disk/p: no space left on device; what was written is in $PWD/disk/.p.partial"
	is "full_disk: files" "$(cat files)" ".p.partial${newline}p"
	is "full_disk: the old profile" "$(cat old)" "old profile"
	is "full_disk: size of what was written" "$(wc -c <partial)" 12288
	run --costgrind-out-file=whole ../script spin 10 print ran exit 7
	begins partial whole
fi

# --- no regular files ---

# skipping LINES FILE: what is in it after that many lines, into profile.
skipping() {
	sed "1,$1d" "$2" >profile
}

scene stdout
run --costgrind-out-file=/dev/stdout ../script spin 10 print hello exit 3
exits 3
says "$(written /dev/stdout)"
is "stdout: the program's output comes first" "$(head -n 1 "$scratch/stdout.out")" hello
skipping 1 "$scratch/stdout.out"
holds profile 10
leaves profile

scene stdout_closed_by_program
run --costgrind-out-file=/dev/stdout ../script spin 10 print hello close 1 open other exit 3
exits 3
skipping 1 "$scratch/stdout_closed_by_program.out"
holds profile 10
is "stdout_closed_by_program: the file that got its number" "$(cat other)" ""

scene stdout_is_pipe
costgrind -q --costgrind-out-file=/dev/stdout ../script spin 10 | cat >profile
holds profile 10

# Who reads nothing must not get the program killed.  A profile does not fit in the pipe.
scene stdout_reader_gone
{
	# shellcheck disable=SC2086 # several options in one variable
	costgrind $caches --costgrind-out-file=/dev/stdout ../script spin 10 exit 3 2>"$scratch/stdout_reader_gone.err"
	echo $? >status
} | true
# shellcheck disable=SC2034 # read by exits
status=$(cat status)
exits 3
says "costgrind: /dev/stdout: broken pipe; no profile was written"

scene descriptor
run --costgrind-out-file=/dev/fd/9 ../script spin 10 close 9 9>profile
exits 0
holds profile 10
run --costgrind-out-file=/proc/self/fd/9 ../script spin 10 9>profile
exits 0
holds profile 10
run --costgrind-out-file=/dev/stderr -q ../script spin 10
cp "$scratch/descriptor.err" profile
holds profile 10
run -q --costgrind-out-file=/dev/fd/9 ../script print ran 9>&-
exits 1
prints ""
says "costgrind: /dev/fd/9: $here: bad file descriptor"

scene null
run --costgrind-out-file=/dev/null ../script exit 3
exits 3
says "$(written /dev/null)"
is "null: still a device" "$(test -c /dev/null && echo device)" device

scene full
run --costgrind-out-file=/dev/full ../script exit 3
exits 3
says "costgrind: /dev/full: no space left on device; no profile was written"
leaves

# The shell holds both ends, so that nothing depends on who opens first.
scene fifo
mkfifo fifo
# shellcheck disable=SC2094
exec 7<>fifo 8<fifo
cat <&8 7>&- >got &
run --costgrind-out-file=fifo ../script spin 10 exit 3 7>&- 8<&-
exec 7>&- 8<&-
wait
exits 3
says "$(written "$PWD/fifo")"
is "fifo: still a FIFO" "$(test -p fifo && echo FIFO)" FIFO
cp got profile
holds profile 10
leaves fifo got profile

scene fifo_without_reader
mkfifo fifo
run --costgrind-out-file=fifo ../script spin 10 exit 3
exits 3
says "costgrind: $PWD/fifo: no reader at the other end; no profile was written"
leaves fifo

# --- what is in it ---

scene same_bytes
for i in 1 2 3; do
	costgrind -q --branch-sim=yes --costgrind-out-file=p$i ../script spin 1000 system 1 :
	sed 's/^pid: [1-9][0-9]*$/pid:/' p$i >same$i
done
is "same_bytes: same run, same bytes" "$(cmp same1 same2; cmp same2 same3)" ""
is "same_bytes: one line has the pid" "$(grep -c '^pid:$' same1)" 1

scene command_line
hostile="pro gram${newline}x\\y$(printf '\377')"
cp ../script "$hostile"
# shellcheck disable=SC2086 # several options in one variable
costgrind -q $caches --costgrind-out-file=p "./$hostile" spin 10 print "two  words" \
	print "line 1${newline}line 2$newline" print 'back\slash' print "" \
	print "$(printf 'tab\there\r')" print "$(printf '\377\303')" print "$(printf '\303\251')" \
	print '"' print end >/dev/null
is "command_line: exit status" $? 0
is "command_line: one line" "$(header cmd p)" "./pro gram\\nx\\\\y\\xff spin 10 print two  words \
print line 1\\nline 2\\n print back\\\\slash print  print tab\\x09here\\x0d print \\xff\\xc3 \
print $(printf '\303\251') print \" print end"
is "command_line: the object's name" "$(profile insns p | awk -F '\t' '$2 == "spin" { print $1 }' |
	sort -u)" "$PWD/pro gram\\nx\\y\\xff"
holds p 10

scene long_arguments
long=$(printf '%0100000d' 0)
run --costgrind-out-file=p ../script spin 10 print "$long"
exits 0
prints "$long"
is "long_arguments: the command line" "$(header cmd p)" "../script spin 10 print $long"
holds p 10
many=$(yes "spin 1" | head -n 2000 | tr '\n' ' ')
# shellcheck disable=SC2086 # one argument a word
run --costgrind-out-file=p ../script $many
exits 0
is "long_arguments: many of them" "$(header cmd p)" "../script ${many% }"
is "long_arguments: all of them obeyed" "$(spun p)" $((2000 * 3))

scene odd_symbols
run --costgrind-out-file=p ../odd
exits 0
is "odd_symbols: files, functions and lines" \
	"$(profile cells p | awk -F '\t' '
		$2 == "???" || $2 == "(below main)" { next }
		$2 ~ /^in_(id|blanks|bytes)$/ || $2 ~ /[^A-Za-z0-9_@.]/ {
			sub(/ .*/, "", $4)
			print $1 "|" $2 "|" $3 "|" $4
		}')" \
	"$(e=$(printf '\303\251')
	cat <<END
$scratch/(7) id.c|in_id|103|Ir=2
$scratch/b$e \\xff=+1.c|in_bytes|303|Ir=2
$scratch/with blanks .c\\x20|in_blanks|203|Ir=2
???|\\x20blanks\\x20|0|Ir=2
???|\\x283) id|0|Ir=2
???|b$e \\xff=+1|0|Ir=2
END
	)"

done_testing
