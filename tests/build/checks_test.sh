#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The checks of make lint pass on the tree as it is, and find what is planted.
. "$top_srcdir/tests/lib.sh"

mkdir tree
for folder in bootstrap configure.ac Makefile.am m4 scripts docs isa sim writer profile tool cmds harness; do
	cp -R "$top_srcdir/$folder" tree
done
mkdir tree/tests tree/.ci
for room in build common isa oracle sim writer profile tool cmds harness fuzz freestanding.c run; do
	cp -R "$top_srcdir/tests/$room" tree/tests
done
cp "$top_srcdir/.ci/run" tree/.ci
chmod -R u+w tree
# What the build may have left there.
find tree -name '*.o' -exec rm {} +

# passes CHECK [ARGUMENT]: on the tree as it is.
passes() {
	if output=$(sh "tree/scripts/check-$1" ${2+"$2"} 2>&1); then
		ok "$1: the tree passes"
	else
		not_ok "$1: the tree passes" "$output"
	fi
}

# plant FILE TEXT: puts it at the end.
plant() {
	mkdir -p "tree/${1%/*}"
	[ ! -e "tree/$1" ] || [ -e saved ] || cp -p "tree/$1" saved
	printf '%s\n' "$2" >>"tree/$1"
}

# restore FILE
restore() {
	rm "tree/$1"
	[ ! -e saved ] || mv saved "tree/$1"
}

# check CHECK [ARGUMENT]: runs it, for said.
check() {
	checked=$1
	output=$(sh "tree/scripts/check-$1" ${2+"$2"} 2>&1)
	status=$?
}

# said MESSAGE [NAME]: it failed, with this message.
said() {
	if [ $status -ne 0 ] && printf '%s\n' "$output" | grep -qF -e "$1"; then
		ok "$checked: finds ${2-$1}"
	else
		not_ok "$checked: finds ${2-$1}" "exit status $status" "$output"
	fi
}

# finds CHECK FILE TEXT MESSAGE: planted in FILE, TEXT is found.
finds() {
	plant "$2" "$3"
	check "$1"
	said "$4" "$2: $3"
	restore "$2"
}

passes layers
# All at once: the check takes a second.
cat >wrong_includes <<'END'
sim/cache.c|#include <string.h>
sim/cache.c|#include "writer/out.h"
sim/cache.c| #  include <stdio.h>
sim/cache.c|#include "sim/../tool/tool.h"
sim/cache.c|#include "cache.h"
sim/cache.c|#include "sim/geometry.c"
sim/cache.c|#include HEADER
writer/out.h|#include "sim/cache.h"
writer/out.h|#include <string.h>
tool/main.c|#include <stdio.h>
tool/main.c|#include "cmds/command.h"
tool/main.c|#include "pub_core_basics.h"
cmds/run/run.c|#include "tool/tool.h"
cmds/run/run.c|#include "sim/cache.h"
profile/model/model.c|#include "sim/cache.h"
profile/model/model.c|#include "cmds/command.h"
END
while IFS='|' read -r file text; do
	[ -e "tree/$file.saved" ] || cp -p "tree/$file" "tree/$file.saved"
	printf '%s\n' "$text" >>"tree/$file"
done <wrong_includes
check layers
for folder in sim writer tool cmds/run profile/model; do
	said "$folder/ may not include"
done
while IFS='|' read -r file text; do
	if printf '%s\n' "$output" | sed 's/:[0-9]*:/:/' | grep -qxF -e "$file:$text"; then
		ok "layers: finds $file: $text"
	else
		not_ok "layers: finds $file: $text" "$output"
	fi
	[ ! -e "tree/$file.saved" ] || mv "tree/$file.saved" "tree/$file"
done <wrong_includes
finds layers sim/room/planted.h 'int planted;' 'sim/room/planted.h is in no room'
cp tree/docs/ARCHITECTURE.md architecture
grep -v '^| `profile/model/` |' architecture >tree/docs/ARCHITECTURE.md
check layers
said 'does not say what profile/model/ is'
mv architecture tree/docs/ARCHITECTURE.md

# The compiler at hand is enough; make lint takes all.
passes freestanding "$CC"
plant sim/cache.c '
int strcmp(const char *, const char *);
int needs_strcmp(const char *a) { return strcmp(a, "b"); }
void maybe(void) __attribute__((weak));
void needs_weak(void) { if (maybe) maybe(); }
static int local;
int *local_at(void) { return &local; }
int initialised = 1;
_Thread_local int of_thread;'
check freestanding "$CC"
for wrong in 'needs strcmp' 'needs maybe' 'has the writable object local' \
	'has the writable object initialised' 'has the writable object of_thread'; do
	said "sim/cache.c ($CC) $wrong"
done
restore sim/cache.c
# A model that goes wrong: no line is ever resident.
cp -p tree/sim/cache.c saved
sed 's/^bool cache_touch(/bool cache_touched(/' saved >tree/sim/cache.c
plant sim/cache.c '
bool cache_touch(struct cache *cache, uint64_t address)
{
	cache_touched(cache, address);
	return true;
}'
check freestanding "$CC"
said "tests/freestanding.c ($CC)" "a cache that never hits"
restore sim/cache.c

# make lint takes all.
passes headers sim/cache.h
echo 'struct planted { uint128_t x; };' >tree/sim/planted.h
check headers sim/planted.h
said "unknown type name" "a header that does not compile alone"
said 'the guard is not SIM_PLANTED_H'
rm tree/sim/planted.h

passes sources
finds sources sim/planted.c '/* SPDX-License-Identifier: GPL-3.0-or-later */' 'sim/planted.c'
finds sources sim/planted.c '/* SPDX-License-Identifier: GPL-3.0-or-later */' 'begins with a comment'
finds sources tests/common/planted.h 'int planted;' 'no SPDX-License-Identifier'
finds sources scripts/planted 'exit 0' 'no SPDX-License-Identifier'
finds sources docs/PLANTED.md 'planted' 'docs/PLANTED.md'
finds sources cmds/run/run.c 'void f(char *a) { strcpy(a, "b"); }' 'banned function'
finds sources cmds/run/run.c 'int f(void) { return atoi ("1"); }' 'banned function'
finds sources tool/main.c 'void f(char *a) { VG_(sprintf)(a, "b"); }' 'banned function'

passes words
plant docs/TRUST.md "$(awk 'BEGIN { while (n++ < 2000) print "what lies behind it" }')"
check words
said 'docs: ' 'words: too many phrases'
restore docs/TRUST.md
plant docs/TRUST.md "$(awk 'BEGIN { while (n++ < 120000) print "word" }')"
check words
said 'Markdown: ' 'words: too much Markdown'
restore docs/TRUST.md
plant docs/TRUST.md 'what has
not got it'
sh tree/scripts/check-words docs/TRUST.md >found
is "words: where" "$(sed -n '$s/.*TRUST.md:[0-9]*: \([^:]*\):.*/\1/p' found)" "has not got"
restore docs/TRUST.md

done_testing
