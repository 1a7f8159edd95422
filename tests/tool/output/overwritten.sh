#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What becomes of a file that has the profile's name: replaced or overwritten, and never lost.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
build_program refusing
build parts "$programs/parts.c" -O1 -g -static -I"$top_srcdir" -I/usr/include/valgrind

p=--costgrind-out-file=p

# run_through COMMAND [OPTIONS...] PROGRAM ARGUMENTS...: a run as by run, started by the command.
run_through() {
	through=$1
	shift
	# shellcheck disable=SC2086 # several words each
	$through env VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind --counting=valgrind \
		$caches "$@" >"$scratch/$scene.out" 2>"$scratch/$scene.err"
	status=$?
}

# stat_of FORMAT FILE: what stat says.
stat_of() {
	stat -c "$1" "$2"
}

# An old profile, longer than any new one here.
old_profile() {
	yes "old profile" | head -n 30000
}

# is_old FILE: it is untouched.
is_old() {
	is "$scene: the old one is whole in $1" "$(old_profile | cmp - "$1" 2>&1)" ""
}

# --- which way ---------------------------------------------------------------------------------

# What CI scripts do: they open a temporary file, name it to the tool, and read from the handle.
scene empty
: >p
inode=$(stat_of %i p)
chmod 640 p
exec 9<p
run $p ../script spin 10
cat <&9 >handle
exec 9<&-
exits 0
says "$(replaced "$PWD/p")"
is "empty: the same file, with its mode" "$(stat_of '%i %a' p)" "$inode 640"
holds handle 10
leaves handle p

scene plain
old_profile >p
chmod 640 p
inode=$(stat_of %i p)
exec 9<p
run $p ../script spin 10
cat <&9 >handle
exec 9<&-
says "$(replaced "$PWD/p")"
is_old handle
is "plain: another file, with the old one's mode" "$(stat_of %a p) $(test "$(stat_of %i p)" = "$inode" && echo same)" "640 "
holds p 10

scene link
mkdir sub
old_profile >sub/target
chmod 640 sub/target
inode=$(stat_of %i sub/target)
ln -s sub/../sub/target second
ln -s "$PWD/second" p
run $p ../script spin 10
exits 0
says "$(replaced "$PWD/p")"
is "link: it and the links after it stay" "$(readlink p second)" "$PWD/second${newline}sub/../sub/target"
is "link: the file stays the same" "$(stat_of '%i %a %h' sub/target)" "$inode 640 1"
holds sub/target 10
leaves p second sub
is "link: in the file's folder" "$(ls -A sub)" target

scene link_to_nothing
mkdir sub
ln -s sub/target p
run $p ../script spin 10
exits 0
says "$(written "$PWD/p")"
is "link_to_nothing: it stays" "$(readlink p)" sub/target
is "link_to_nothing: mode" "$(stat_of %a sub/target)" 600
holds sub/target 10
leaves p sub

scene several_links
old_profile >p
ln p other
run $p ../script spin 10
says "$(replaced "$PWD/p")"
is "several_links: still two names of one file" "$(stat_of '%h %i' p)" "2 $(stat_of %i other)"
holds other 10
leaves other p

# Each part, and the child's profile, by its own name.
scene part_names
: >target
ln -s target p.1
cd ..
costgrind -q --costgrind-out-file=part_names/p ./parts 10 dump 20
cd part_names || exit 1
is "part_names: a link" "$(readlink p.1; grep -c '^part: 1$' target)" "target${newline}1"
leaves p p.1 target

scene fork
old_profile >target
ln -s target p
run -q $p ../script spin 10 fork print_pid spin 20 end spin 30
child=$(cat "$scratch/fork.out")
is "fork: the parent's stays a link" "$(readlink p)" target
holds target 10 30
holds "p-$child" 20
leaves p "p-$child" target

# A file that grows is written over first, and added to then.
scene grows
: >target
exec 9<target
ln -s target p
costgrind -q $p --combine-dumps=yes --trace-children=yes ../parts 10 dump 20 exec 30 dump 40
is "grows: parts in the file that was there" "$(grep -c '^part: ' <&9; readlink p)" "4${newline}target"
exec 9<&-
leaves p target
scene grows_read_only
old_profile >p
chmod 440 p
weakly env VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind -q $p --combine-dumps=yes ../parts 10 dump 20
is "grows_read_only: parts" "$(grep -c '^part: ' p; stat_of %a p)" "2${newline}640"

# --- what is new -------------------------------------------------------------------------------

scene mode
(umask 022 && costgrind -q $p ../script)
(umask 0 && costgrind -q --call-tree=yes --costgrind-out-file=tree ../script)
(umask 0200 && costgrind -q --costgrind-out-file=less ../script)
is "mode: for the owner alone, less the umask" "$(stat_of '%a' p; stat_of '%a' tree; stat_of '%a' costgrind.tree.tree.costgrind;
	stat_of '%a' less)" "600${newline}600${newline}600${newline}400"

# --- another's ---------------------------------------------------------------------------------

# as_nobody COMMAND...
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

test_owners() {
	scene owner
	old_profile >p
	chown 65534:65533 p
	chmod 604 p
	run $p ../script spin 10
	is "owner: both and the mode are kept" "$(stat_of '%u %g %a' p)" "65534 65533 604"
	holds p 10

	# Who may write the file but not give another one away overwrites it.
	scene owner_of_writable
	chmod 777 .
	old_profile >p
	chmod 666 p
	inode=$(stat_of %i p)
	run_through as_nobody $p ../script spin 10
	says "$(replaced "$PWD/p")"
	is "owner_of_writable: the same file" "$(stat_of '%i %u %a' p)" "$inode 0 666"
	holds p 10
	leaves p

	# Who may only replace it gets no more readers than it had.
	scene owner_of_read_only
	chmod 777 .
	old_profile >p
	chmod 640 p
	run_through as_nobody $p ../script spin 10
	says "$(replaced "$PWD/p")"
	is "owner_of_read_only: another file" "$(stat_of '%u %g %a' p)" "65534 65534 600"
	holds p 10

	scene setuid_and_link
	mkdir -m 700 own
	old_profile >own/target
	ln -s own/target p
	run -q $p ../script spin 10 setuid 65534 spin 20
	is "setuid_and_link: it stays" "$(readlink p)" own/target
	holds own/target 10 20
	leaves own p
	chmod 777 . # now the partial file can be made, but the target cannot be opened
	run -q $p ../script spin 10 setuid 65534 spin 20
	holds own/target 10 20
	leaves own p
}

foreign="another user's file or link, in a directory that all may write"
# distrusts NAME [PATH]: no run with this output, and nothing has become of the victim.
distrusts() {
	run -q "--costgrind-out-file=$2" ../script print ran
	is "$scene: $1" "$status $(cat "$scratch/$scene.out" "$scratch/$scene.err")" \
		"1 costgrind: $PWD/$2: the profile cannot be written here: $3$foreign"
	is "$scene: $1: the victim" "$(cat victim 2>&1)" mine
}

test_sticky() {
	scene sticky
	echo mine >victim
	mkdir sticky sticky/folder
	chmod 1777 sticky
	ln -s ../victim sticky/link
	ln -s ../made sticky/dangling
	ln -s .. sticky/up
	echo mine >sticky/file
	mkfifo sticky/fifo
	chown -h 65534 sticky/*
	ln -s sticky/link chain
	distrusts "a link" sticky/link ""
	distrusts "a link to nothing" sticky/dangling ""
	distrusts "a link to a link" chain ""
	distrusts "a directory" sticky/up/p "$PWD/sticky/up/: "
	distrusts "a file" sticky/file ""
	distrusts "a pipe" sticky/fifo ""
	is "sticky: the file" "$(cat sticky/file)" mine
	is "sticky: nothing was made" "$(find . -name made)" ""
	# A directory is no link, whoever made it, and the owner of the directory is trusted.
	run --costgrind-out-file=sticky/folder/p ../script spin 10
	holds sticky/folder/p 10
	chown 65534 sticky
	run --costgrind-out-file=sticky/link ../script spin 10
	holds victim 10
	chown 0 sticky
	ln -s ../victim sticky/own
	run --costgrind-out-file=sticky/own ../script spin 20
	holds victim 20
	# Without the sticky bit all may do what they like, links or not.
	chmod 777 sticky
	run --costgrind-out-file=sticky/link ../script spin 30
	holds victim 30

	# A link that comes while the program runs, and names of partial files that were foreseen.
	scene sticky_later
	echo mine >victim
	mkdir sticky
	chmod 1777 sticky
	run --costgrind-out-file=sticky/p ../script spin 10 \
		system 1 "ln -s ../victim sticky/p; chown -h 65534 sticky/p"
	says "costgrind: $PWD/sticky/p: $foreign; all that was to be written is in $PWD/sticky/.p.partial" \
		"$(unseen_children /bin/sh)"
	is "sticky_later: the victim" "$(cat victim)" mine
	holds sticky/.p.partial 10
	rm sticky/p sticky/.p.partial
	# shellcheck disable=SC2016 # the program's shell has its process as parent
	run --costgrind-out-file=sticky/p ../script spin 10 system 1 \
		'for name in .p.partial .p.$PPID.partial; do
			echo mine >sticky/$name; chmod 666 sticky/$name; chown 65534 sticky/$name
		done'
	is "sticky_later: not in another's partial file" "$(stat_of '%u %a' sticky/p)" "0 600"
	holds sticky/p 10
}

if [ "$(id -u)" -eq 0 ] && as_nobody test -x "$scratch/script" 2>/dev/null &&
	as_nobody test -r "$COSTGRIND_LIB"; then
	test_owners
	test_sticky
else
	skip "owners" "not root, or others cannot read what was built"
fi

# --- no renaming -------------------------------------------------------------------------------

for error in EBUSY EXDEV EPERM; do
	scene "refused_$error"
	old_profile >p
	inode=$(stat_of %i p)
	run_through "../refusing renameat=$error --" $p ../script spin 10
	says "$(replaced "$PWD/p")"
	is "$scene: the same file" "$(stat_of %i p)" "$inode"
	holds p 10
	leaves p
done

# The only profile there is, if neither renaming nor overwriting is possible.
scene refused_both
old_profile >p
run_through "../refusing renameat=EBUSY pwrite64=EIO --" $p ../script spin 10
says "costgrind: $PWD/p: input/output error; all that was to be written is in $PWD/.p.partial"
holds .p.partial 10

cat >"$scratch/on_mount" <<'END'
mount --bind "$PWD/outside" p && VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind -q \
	--counting=valgrind $caches --costgrind-out-file=p ../script spin 10 && touch ended
END
scene mount
export caches
old_profile >outside
echo inside >p
if unshare -m true 2>/dev/null; then
	unshare -m sh "$scratch/on_mount" 2>why
else
	unshare -rm sh "$scratch/on_mount" 2>why
fi
if [ -e ended ]; then
	holds outside 10
	leaves ended outside p why
	is "mount: below it" "$(cat p)" inside
else
	skip "mount" "nothing can be mounted: $(head -n 1 why)"
fi

# --- no room -----------------------------------------------------------------------------------

# A file system of 16 KiB, with an old profile of 4 KiB; the link is outside.
cat >"$scratch/on_full_disk" <<'END'
mkdir -p disk && mount -t tmpfs -o size=16k none disk || exit
printf 'old profile\n%4084d' 0 >disk/target
ln -s disk/target p
$1 env VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind --counting=valgrind $caches \
	--costgrind-out-file=p ../script spin 10 print ran exit 7 >out 2>err
echo $? >status
cp disk/target after
df --output=avail -k disk | tail -n 1 >room
ls -A disk >files
END
# test_full_disk COMMAND: by which the run is started.
test_full_disk() {
	if unshare -m true 2>/dev/null; then
		unshare -m sh "$scratch/on_full_disk" "$1" 2>why
	else
		unshare -rm sh "$scratch/on_full_disk" "$1" 2>why
	fi
	if [ ! -e status ]; then
		skip "$scene" "no tmpfs can be mounted: $(head -n 1 why)"
		return
	fi
	is "$scene: exit status and output" "$(cat status out)" "7${newline}ran"
	cp err "$scratch/$scene.err"
	says "costgrind: $PWD/p: no space left on device; all that was to be written is in $PWD/.p.partial"
	is "$scene: the old profile" "$(head -n 1 after; wc -c <after; cat files)" \
		"old profile${newline}4096${newline}target"
	is "$scene: no room is taken" "$(tr -d ' ' <room)" 12
	holds .p.partial 10
}
scene full_disk
test_full_disk ""
# Where the file system cannot give room beforehand.
scene full_disk_no_fallocate
test_full_disk "../refusing fallocate=EOPNOTSUPP --"

scene no_fallocate
: >p
exec 9<p
run_through "../refusing fallocate=EOPNOTSUPP --" $p ../script spin 10
cat <&9 >handle
exec 9<&-
says "$(replaced "$PWD/p")"
holds handle 10
leaves handle p

scene file_size
old_profile >target
ln -s target p
run $p ../script spin 10 limit_file_size 4096 exit 3
exits 3
says "costgrind: $PWD/p: file too large; what was written is in $PWD/.p.partial"
is_old target
is "file_size: what was written" "$(wc -c <.p.partial)" 4096

# A part that cannot be written leaves an older profile whole.
scene part_too_large
old_profile >p.1
(ulimit -f 4 && run $p ../parts 10 dump 20)
is_old p.1
old_profile >target
ln -sf target p.1
(ulimit -f 4 && run $p ../parts 10 dump 20)
is_old target
is "part_too_large: a link stays" "$(readlink p.1)" target

# Killed in the midst of overwriting: the new one is whole next to it.
scene killed
old_profile >target
ln -s target p
run_through "../refusing pwrite64=kill --" $p ../script spin 10
holds .p.partial 10
run $p ../script spin 20
holds target 20
holds .p.partial 10
leaves .p.partial p target

# --- no partial file ---------------------------------------------------------------------------

# Neither a function nor what root may do.
if [ "$(id -u)" -ne 0 ]; then
	weakly_here=
else
	weakly_here="setpriv --inh-caps=-all --bounding-set=-all"
fi
# run_in_place OPTIONS... PROGRAM...: the profile is readonly/p, whose directory cannot be written.
run_in_place() {
	mkdir readonly
	old_profile >readonly/p
	chmod 555 readonly
	run_through "${by:-} $weakly_here" --costgrind-out-file=readonly/p "$@"
	by=
	is "$scene: files" "$(ls -A readonly)" p
	chmod 755 readonly
}
says_in_place() {
	says "$(replaced "$PWD/readonly/p")" "$(in_place "$PWD/readonly/p")"
}

test_in_place() {
	scene in_place
	run_in_place ../script spin 10
	says_in_place
	holds readonly/p 10
	scene in_place_quietly
	run_in_place -q ../script spin 10
	says
	holds readonly/p 10

	# It is collected in memory, so that what cannot be written does not cost the old one.
	scene in_place_too_large
	run_in_place ../script spin 10 limit_file_size 4096 exit 3
	exits 3
	says "costgrind: $PWD/readonly/p: file too large; no profile was written"
	is_old readonly/p

	scene in_place_no_memory
	by="../refusing memfd_create=ENOSYS --"
	run_in_place ../script spin 10
	says_in_place
	holds readonly/p 10

	scene in_place_grows
	run_in_place --combine-dumps=yes ../parts 10 dump 20 dump 30
	is "in_place_grows: parts" "$(grep -c '^part: ' readonly/p)" 3
}
if weakly true 2>why; then
	test_in_place
else
	skip "in place" "root cannot give up its right to write everywhere: $(head -n 1 why)"
fi

# --- links to what is no file ------------------------------------------------------------------

scene link_to_stdout
ln -s /dev/stdout p
ln -s p second
run --costgrind-out-file=second ../script spin 10 print hello
is "link_to_stdout: the program's output comes first" "$(head -n 1 "$scratch/link_to_stdout.out")" hello
sed 1d "$scratch/link_to_stdout.out" >profile
holds profile 10
leaves p profile second
costgrind -q --combine-dumps=yes $p ../parts 10 dump 20 >profile
is "link_to_stdout: parts, to a file" "$(grep -c '^part: ' profile)" 2

# A part's is a file that the program writes, too, one after the other.
scene part_to_stdout
ln -s /dev/stdout p.1
costgrind -q $p ../parts 10 dump count >got
is "part_to_stdout: one after the other" "$(head -n 1 got; tail -n 1 got; grep -c '^part: 1$' got)" \
	"# callgrind format${newline}2 611 0${newline}1"
leaves got p p.1

# The shell holds both ends, so that nothing depends on who opens first.
scene link_to_fifo
mkfifo fifo
ln -s fifo p
# shellcheck disable=SC2094
exec 7<>fifo 8<fifo
cat <&8 7>&- >got &
run $p ../script spin 10 7>&- 8<&-
exec 7>&- 8<&-
wait
says "$(written "$PWD/p")"
cp got profile
holds profile 10
leaves fifo got p profile

scene link_to_itself
ln -s p p
run -q $p ../script print ran
is "link_to_itself" "$status $(cat "$scratch/link_to_itself.out" "$scratch/link_to_itself.err")" \
	"1 costgrind: $PWD/p: the profile cannot be written here: too many levels of symbolic links"
scene link_to_no_directory
ln -s no/p p
run -q $p ../script print ran
is "link_to_no_directory" "$status $(cat "$scratch/$scene.out" "$scratch/$scene.err")" \
	"1 costgrind: $PWD/p: the profile cannot be written here: no such file or directory"

# What a link says is meant from the root of the start.
test_chroot() {
	mkdir jail jail/tmp
	old_profile >target
	ln -s "$PWD/target" p
	run_through "$chroot_by" $p ../script spin 10 chroot jail chdir / spin 20 exit 3
	exits 3
	leaves jail p target
	is "chroot: nothing in the new root" "$(ls -A jail)" tmp
	holds target 10 20
}
scene chroot
if may_chroot; then
	test_chroot
else
	skip chroot "not permitted here"
fi

done_testing
