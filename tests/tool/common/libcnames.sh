#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tool has each function of the C library that a static Capstone needs, whichever of these it
# was built against.  (That of this machine is linked by the build.)
. "$top_srcdir/tests/lib.sh"

set -- "$top_builddir"/tool/common/*libcnames.o
if [ ! -f "$1" ] || ! nm "$1" | grep -q ' T qsort$'; then
	echo "1..0 # SKIP the tool was built without Capstone"
	exit 0
fi

# needs NAME WORDS...: a library that refers to these links.  memcpy and memmove are the core's.
needs() {
	needs_name=$1
	shift
	{
		echo ".data"
		printf '.quad %s\n' "$@"
	} >stub.s
	build stub.o ./stub.s -c
	ld -r -o linked.o stub.o "$top_builddir"/tool/common/*libcnames.o
	is "$needs_name" "$(nm -u linked.o | sed 's/^ *U //' | grep -vxE 'vgPlain_.*|memcpy|memmove')" ""
}

usual="calloc free malloc memcpy memmove realloc strchr strcmp strcpy strlen strncmp strncpy strrchr
	strstr strtol vsnprintf __stack_chk_fail"
# shellcheck disable=SC2086 # words
{
	needs "Capstone 4.0.2 of Debian 12" $usual qsort __ctype_tolower_loc __sprintf_chk __strcpy_chk
	needs "Capstone 5.0.3" $usual __assert_fail printf puts sprintf
	needs "Capstone 5.0.3, fortified, without assertions" $usual __memcpy_chk __printf_chk __sprintf_chk \
		__strcpy_chk puts
	needs "Capstone 5 of Debian 13" $usual __assert_fail fwrite printf puts sprintf stderr
}

done_testing
