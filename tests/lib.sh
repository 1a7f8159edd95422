# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What test scripts share; sourced first.  tests/run sets the environment and
# starts a script in an empty directory.  Results are printed as TAP.
#
#	. "$top_srcdir/tests/lib.sh"
#
#	build t t.c -O2
#	costgrind --costgrind-out-file=out ./t >t.out 2>t.log
#	is "exit status" $? 0
#	done_testing

test_count=0
test_failures=0

# test_name NAME: sets test_named to it as TAP wants it; after a # comes a directive.
test_name() {
	test_named=$1
	case $1 in
	*\#*) test_named=$(printf '%s\n' "$1" | sed 's/#/\\#/g') ;;
	esac
}

# ok NAME: a test that passed.
ok() {
	test_count=$((test_count + 1))
	test_name "$1"
	echo "ok $test_count - $test_named"
}

# not_ok NAME [DETAIL...]: a test that failed; each detail may have several lines.
not_ok() {
	test_count=$((test_count + 1))
	test_failures=$((test_failures + 1))
	test_name "$1"
	echo "not ok $test_count - $test_named"
	shift
	for test_detail; do
		printf '%s\n' "$test_detail" | sed 's/^/#   /'
	done
}

# skip NAME REASON: a test that cannot be made here.
skip() {
	test_count=$((test_count + 1))
	test_name "$1"
	echo "ok $test_count - $test_named # SKIP $2"
}

# skip_here NAME WHAT: a test of what this machine's processor or kernel has not (WHAT), however
# completely all is installed; of these there may be any number.
skip_here() {
	skip "$1" "this machine: $2"
}

# is NAME GOT WANT: equal strings.
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
		return
	fi
	not_ok "$1"
	echo "# got:"
	printf '%s\n' "$2" | sed 's/^/#   /'
	echo "# want:"
	printf '%s\n' "$3" | sed 's/^/#   /'
	# Of long texts, one wants to know where they differ.
	[ "$(printf '%s\n%s\n' "$2" "$3" | wc -l)" -gt 10 ] || return 0
	is_dir=$(mktemp -d)
	printf '%s\n' "$2" >"$is_dir/got"
	printf '%s\n' "$3" >"$is_dir/want"
	echo "# difference:"
	(cd "$is_dir" && diff -u want got) | sed 's/^/#   /'
	rm -r "$is_dir"
}

# unspaced PATH: prints a name for it that has neither blanks nor colons, for LD_PRELOAD, VALGRIND_LIB
# and PATH; PATH is in the build directory.
unspaced() {
	echo "$unspaced_builddir${1#"$top_builddir"}"
}

# use_oracle: the tool is the test build from now on, which has both engines (make oracle).  Runs whose profiles are compared
# byte for byte are of one build, since profiles tell environments apart.
use_oracle() {
	COSTGRIND_LIB=$ORACLE_LIB
}

# tools_for ARGS...: prints the VALGRIND_LIB that has the tool: with --engine, of the test build (make oracle).
tools_for() {
	case " $* " in
	*" --engine="*)
		[ -e "$ORACLE_LIB" ] || echo "tests/lib.sh: --engine: run make oracle first" >&2
		echo "$ORACLE_LIB"
		;;
	*) echo "$COSTGRIND_LIB" ;;
	esac
}

# costgrind ARGS...: Valgrind with the tool that was built.
# What the tests are about is not cycles, mostly: those that are ask for them.
costgrind() {
	VALGRIND_LIB=$(tools_for "$@") "$VALGRIND" --tool=costgrind --counting=valgrind --cycles=no "$@"
}

# regions PROFILE...: prints the regions of profiles, a line each: name, times, instructions, with a tab between.
regions() {
	sed -n 's/^desc: Region: \([0-9]*\) times, [0-9]* threads\(, not over\)\{0,1\}, costs \([0-9]*\)[ 0-9]*: \(.*\)$/\4	\1	\3/p' "$@"
}

# kernel_cache LEVEL TYPE: size in bytes, ways and line size of processor 0's, in one line, as the kernel has them; nothing
# if it does not tell all three.
kernel_cache() {
	for kernel_cache_dir in /sys/devices/system/cpu/cpu0/cache/index*; do
		[ "$(cat "$kernel_cache_dir/level" "$kernel_cache_dir/type" 2>&1)" = "$1
$2" ] || continue
		(cd "$kernel_cache_dir" && cat size ways_of_associativity coherency_line_size 2>/dev/null) |
			tr '\n' ' ' | awk 'NF == 3 { print $1 * 1024, $2, $3 }'
	done
}

# kernel_last_level: the same, of the highest level of the first three.
kernel_last_level() {
	for kernel_level in 3 2 1; do
		kernel_last=$(kernel_cache $kernel_level Unified)
		[ -z "$kernel_last" ] || { echo "$kernel_last" && return; }
	done
}

# core_misreads_caches: whether Valgrind itself, and so Cachegrind, has another LL than the machine.
# Of AMD's processors it reads a leaf of CPUID that since 2011 is not made for it.
core_misreads_caches() {
	grep -q '^vendor_id.*\(AuthenticAMD\|HygonGenuine\)' /proc/cpuinfo &&
		grep -q '^flags.* topoext' /proc/cpuinfo
}

# has_decoder: whether the tool was built with one, for --counting=architectural.
has_decoder() {
	costgrind --help | grep -q 'counting=architectural'
}

# conserves NAME [OPTIONS...] PROFILE...: call graphs add up; the options are conserve.py's.
conserves() {
	conserves_name=$1
	shift
	conserves_text=$(python3 "$top_srcdir/tests/compare/conserve.py" "$@" 2>&1)
	is "$conserves_name" "$? $conserves_text" "0 "
}

# build OUT SRC [FLAGS...]: compiles a program of tests/cases, or of any other path.  Without the
# program there is no test: a failure ends the script.
build() {
	build_out=$1
	build_source=$2
	shift 2
	case $build_source in
	/* | ./* | ../*) ;;
	*) build_source=$top_srcdir/tests/cases/$build_source ;;
	esac
	case $build_source in
	*.cpp) build_compiler=$CXX ;;
	*) build_compiler=$CC ;;
	esac
	# Valgrind 3.19 does not understand clang's DWARF 5.
	for build_flag; do
		case $build_flag in
		-g0) ;;
		-g*) set -- "$@" -gdwarf-4 && break ;;
		esac
	done
	# shellcheck disable=SC2086 # the compiler may be several words
	$build_compiler -o "$build_out" "$build_source" "$@" >"$build_out.build.log" 2>&1 && return
	not_ok "build $build_out" "$(cat "$build_out.build.log")"
	done_testing
}

# done_testing: prints the plan and ends the script.
done_testing() {
	echo "1..$test_count"
	[ "$test_failures" -eq 0 ]
	exit
}
