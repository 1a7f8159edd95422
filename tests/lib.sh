# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154
# What shell tests share: assertions that print TAP, and ways to build and run
# test programs.  tests/run sets the environment; see docs/TESTING.md.

tests_run=0
tests_failed=0

# _result WORD NAME [DETAIL...]
_result()
{
	tests_run=$((tests_run + 1))
	_word=$1
	_name=$2
	shift 2
	echo "$_word $tests_run - $_name"
	for _detail; do
		printf '%s\n' "$_detail" | sed 's/^/# /'
	done
}

# ok NAME
ok()
{
	_result ok "$1"
}

# not_ok NAME [DETAIL...]
not_ok()
{
	tests_failed=$((tests_failed + 1))
	_result 'not ok' "$@"
}

# skip NAME REASON
skip()
{
	_result ok "$1 # SKIP $2"
}

# is NAME GOT WANT: equal strings
is()
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "got:" "$2" "want:" "$3"
	fi
}

# costgrind ARGS...: the tool, as it was built here
costgrind()
{
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind --counting=valgrind "$@"
}

# build OUT SRC [FLAGS...]: SRC is a name in tests/cases or a path
build()
{
	_out=$1
	_src=$2
	shift 2
	case $_src in
	*/*) ;;
	*) _src=$top_srcdir/tests/cases/$_src ;;
	esac
	# The flags stand last: libraries must follow the source.
	$CC -o "$_out" "$_src" "$@"
}

# done_testing: the plan, and the exit status
done_testing()
{
	echo "1..$tests_run"
	[ "$tests_failed" -eq 0 ] || exit 1
	exit 0
}
