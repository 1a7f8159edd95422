#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --data=yes: thread-local variables, by name and of all threads together; variables without a name; variables of libraries that
# come and go.
. "$top_srcdir/tests/programs/scenes.sh"
use_oracle

printf '%s\n' "machine tiny" "line 64" "L1I 32K 8 lru" "L1D 4K 4 lru" "L2 8M 16 lru" "L3 32M 16 lru" >tiny.machine

# data_run ENGINE PROGRAM: p and its data file d, whose sums are right.
data_run() {
	costgrind -q --machine=tiny.machine --fair-sched=yes --data=yes --engine="$1" --costgrind-out-file=p "$2" >/dev/null 2>err
	is "$2, $1: what it says" "$(cat err)" ""
	mv data.*.costgrind d
	is "$2, $1: sums" "$(data sums p d)" ""
}

# reads FUNCTION OBJECT...: read misses of a function on each of the objects; misses of other functions are not ours.
reads() {
	reads_function=$1
	shift
	for reads_object; do
		data users d "^$reads_object\$" | sed -n "s/^$reads_function:.* \(D1mr=[0-9]*\) .*/\1/p"
	done | xargs
}

# --- thread-local variables: three threads and the first one, 32 lines and 16 each; another thread's, three times 8 ---

build_program threadvars -O1 -pthread -I"$top_srcdir" -static
mv threadvars threadvars-static
build_program threadvars -O1 -pthread -I"$top_srcdir"
for engine in inline plain; do
	for program in threadvars threadvars-static; do
		data_run $engine ./$program
		is "$program, $engine: own variables" "$(reads read_first 'first \(thread-local\)') $(reads read_second 'second \(thread-local\)')" \
			"D1mr=128 D1mr=64"
		is "$program, $engine: another thread's" "$(reads read_of_other 'first \(thread-local\)')" D1mr=24
		is "$program, $engine: which file" "$(data objects d '^first ' | sed 's,^[^ ]*/\([^ /]*\) first.*,\1,')" "$program"
	done
done
is "offsets are the variable's" "$(data rows d '^second \(thread-local\)' | sed 's/:.*//' | sed -n '1p; $p' | xargs)" "0 $((64 * 15))"
# A block that does not begin at a multiple of its alignment.
"$CC" -Wl,--verbose 2>/dev/null | sed '/^=====/,/^=====/!d; /^=====/d' |
	sed 's/^  \.tdata.*:/  . = ALIGN(64) + 24;\n  .tdata . :/' >shifted.ld
if grep -q '^  \.tdata \. :' shifted.ld; then
	build "$PWD/threadvars-shifted" "$programs/threadvars.c" -g -O1 -pthread -I"$top_srcdir" -Wl,-T,shifted.ld
	is "not aligned: by 24 bytes" "$(readelf -lW threadvars-shifted | grep -cE '^ *TLS .* 0x[0-9a-f]*[159d]8 .* 0x40$')" 1
	data_run inline ./threadvars-shifted
	is "not aligned: own variables" "$(reads read_first 'first \(thread-local\)') $(reads read_second 'second \(thread-local\)')" \
		"D1mr=128 D1mr=64"
	is "not aligned: offsets that are read" "$(data rows d '^second \(thread-local\)' | grep D1mr | sed 's/:.*//' | sed -n '1p; $p' | xargs)" "0 $((64 * 15))"
else
	skip "a block that is not aligned" "the linker has no script to change"
fi
strip -o threadvars-stripped threadvars
data_run inline ./threadvars-stripped
is "stripped: without a name" "$(data objects d '^.thread-local variables.$' | grep threadvars-stripped | sed 's/.*: \(D1mr=[0-9]*\).*/\1/')" D1mr=216

for model in initial-exec global-dynamic; do
	build "$PWD/libthreadvars-$model.so" "$programs/threadvars.c" -g -gdwarf-4 -O1 -fPIC -shared -DLIBRARY "-DMODEL=\"$model\"" -I"$top_srcdir"
	build "$PWD/threadvars-$model" "$programs/threadvars.c" -g -gdwarf-4 -O1 -pthread -DLIBRARY_VARIABLES -I"$top_srcdir" \
		"$PWD/libthreadvars-$model.so"
	for engine in inline plain; do
		data_run $engine ./threadvars-$model
		is "library, $model, $engine" "$(reads library_read 'of_library \(thread-local\)' 'more_of_library \(thread-local\)')" "D1mr=128 D1mr=64"
		is "library, $model, $engine: the program's" "$(reads read_first 'first \(thread-local\)')" D1mr=128
	done
done

# --- a thread that moves its block, as runtimes do that make their threads themselves ---

cat >moving.c <<'EOF'
#include <asm/prctl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tool/costgrind.h"

enum { N = 32, BELOW = 4096, ABOVE = 2304, SIZE = 65536 };

static __thread volatile char first[64 * N] __attribute__((aligned(64)));
static volatile char *volatile moved;
static volatile int done;

static void *run(void *memory)
{
	char *old, *block = (char *)memory + SIZE / 2;

	__asm__("movq %%fs:0, %0" : "=r"(old));
	memcpy(block - BELOW, old - BELOW, BELOW + ABOVE);
	memcpy(block, &block, sizeof(block));
	memcpy(block + 16, &block, sizeof(block));
	syscall(SYS_arch_prctl, ARCH_SET_FS, block);
	moved = first;
	while (!done)
		sched_yield();
	syscall(SYS_arch_prctl, ARCH_SET_FS, old);
	return NULL;
}

static __attribute__((noinline)) int read_moved(void)
{
	int sum = 0;

	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	for (int i = 0; i < N; i++)
		sum += moved[64 * i];
	return sum;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run,
		       mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	while (!moved)
		sched_yield();
	done = read_moved() == 0;
	return pthread_join(thread, NULL);
}
EOF
build moving "$PWD/moving.c" -O1 -g -gdwarf-4 -pthread -I"$top_srcdir" -static
data_run inline ./moving
is "a block that was moved" "$(reads read_moved 'first \(thread-local\)')" D1mr=32

# --- a miss costs no more where many threads wait ---

# misses_ms THREADS: what that many misses on a mapping take beyond what the threads take without them, in ms of
# processor time; the least of three.
misses_ms() {
	python3 -c 'import resource, subprocess, sys
def used(size):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(sys.argv[1:] + [size], check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
def least(size):
    return min(used(size) for _ in range(3))
print(round(1000 * (least("65536") - least("4"))))' \
		env VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool=costgrind --machine=tiny.machine --cycles=no --data=yes \
		--costgrind-out-file=p ./waiters "$1"
}
build_program waiters -pthread -static
none=$(misses_ms 0)
many=$(misses_ms 200)
# There are more mappings to search; asking each thread at each miss took eight times as long, making the threads included.
if [ "$many" -lt $((5 * none)) ]; then
	ok "200 threads that wait"
else
	not_ok "200 threads that wait" "$none ms without them, $many ms with them"
fi

# --- variables without a name, among some with one ---

cat >nameless.c <<'EOF'
#include <stdint.h>
#include "tool/costgrind.h"

enum { N = 64 };

static char before[64 * N] __attribute__((aligned(64)));
char exported[64 * N] __attribute__((aligned(64)));
static char behind[64 * N] __attribute__((aligned(64)));
static const char constant[64 * N] __attribute__((aligned(64))) = { 1 };

static __attribute__((noinline)) int read_lines(const volatile char *lines, int n)
{
	int sum = 0;

	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	for (int i = 0; i < n; i++)
		sum += lines[64 * i];
	return sum;
}

int main(void)
{
	/* What is asked for first is not where things begin. */
	return read_lines(exported + 64 * 8 + 5, N - 8) + read_lines(behind + 64 * 16 + 3, N - 16) +
	       read_lines(before + 64 * 32, N - 32) + read_lines(exported, 8) + read_lines(behind, 16) +
	       read_lines(before, 32) + read_lines(constant + 64 * 50, 4) + read_lines(constant, 30);
}
EOF
build nameless "$PWD/nameless.c" -O1 -g -gdwarf-4 -rdynamic -I"$top_srcdir"
strip -o nameless-stripped nameless
for engine in inline plain; do
	data_run $engine ./nameless
	is "names, $engine" "$(reads read_lines before exported behind constant)" "D1mr=64 D1mr=64 D1mr=64 D1mr=34"
	is "names, $engine: offsets" "$(data rows d '^exported$' | cut -d: -f1 | sed -n '1p; $p' | xargs) $(data rows d '^exported$' | wc -l)" "0 4032 64"
	data_run $engine ./nameless-stripped
	is "stripped, $engine: the one that is exported" "$(data objects d '^exported$' | sed 's/.*: \(D1mr=[0-9]*\).*/\1/')" D1mr=64
	is "stripped, $engine: the others" "$(data objects d 'variables without a name' | grep nameless | grep -c 'D1mr=1[23][0-9] ')" 1
done

# --- variables in sections that Valgrind does not know, as Go and linker scripts make them ---

cat >sections.c <<'EOF'
#include <stdint.h>
#include "tool/costgrind.h"

#define ODD(name, section, type, value)                                             \
	__asm__(".section " section ",\"aw\"," type "\n.balign 64\n.globl " #name "\n" \
		".type " #name ", @object\n" #name ":\n" value "\n.size " #name ", . - " #name "\n.previous\n"); \
	extern char name[64 * 64]

ODD(odd_zeroed, ".noptrbss", "@nobits", ".skip 4096");
ODD(odd_begun, ".noptrdata", "@progbits", ".fill 4096, 1, 1");

int main(void)
{
	int sum = 0;

	COSTGRIND_EVICT(0, ~(uintptr_t)0);
	/* What is asked for first is not where things begin. */
	for (int i = 63; i >= 0; i--)
		sum += ((volatile char *)odd_zeroed)[64 * i + 1] + ((volatile char *)odd_begun)[64 * i];
	return sum == 64 ? 0 : 1;
}
EOF
for how in -pie -no-pie; do
	build sections "$PWD/sections.c" -O1 -g -gdwarf-4 -fPIE $how -I"$top_srcdir"
	data_run inline ./sections
	is "sections, $how" "$(reads main odd_zeroed odd_begun)" "D1mr=64 D1mr=64"
	is "sections, $how: offsets" "$(data rows d '^odd_zeroed$' | cut -d: -f1 | sed -n '1p; $p' | xargs)" "0 4032"
done
strip -o sections-stripped sections
data_run inline ./sections-stripped
is "sections, stripped: without a name, in the program" \
	"$(data objects d 'variables without a name' | grep sections-stripped | grep -c 'D1mr=6[4-9] ')" 1

# --- libraries that come and go, where another one was ---

cat >plugin.c <<'EOF'
char VARIABLE[64 * 64] __attribute__((aligned(64)));

int plugin_read(void)
{
	int sum = 0;

	for (int i = 0; i < 64; i++)
		sum += ((volatile char *)VARIABLE)[64 * i];
	return sum;
}
EOF
cat >plugins.c <<'EOF'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include "tool/costgrind.h"

int main(void)
{
	static const char *const names[] = { "./one.so", "./two.so", "./one.so" };
	void *places[3];

	for (int i = 0; i < 3; i++) {
		void *library = dlopen(names[i], RTLD_NOW);
		int (*read)(void);

		if (library == NULL)
			return 1;
		*(void **)&read = dlsym(library, "plugin_read");
		places[i] = *(void **)&read;
		COSTGRIND_EVICT(0, ~(uintptr_t)0);
		read();
		dlclose(library);
	}
	puts(places[0] == places[1] ? "same place" : "other places");
	return 0;
}
EOF
build "$PWD/one.so" "$PWD/plugin.c" -O1 -g -gdwarf-4 -fPIC -shared -DVARIABLE=of_one
build "$PWD/two.so" "$PWD/plugin.c" -O1 -g -gdwarf-4 -fPIC -shared -DVARIABLE=of_two
build plugins "$PWD/plugins.c" -O1 -g -gdwarf-4 -I"$top_srcdir" -ldl
for engine in inline plain; do
	is "plugins, $engine: where" "$(costgrind -q --machine=tiny.machine --data=yes --engine=$engine --costgrind-out-file=p ./plugins)" "same place"
	mv data.*.costgrind d
	is "plugins, $engine: sums" "$(data sums p d)" ""
	is "plugins, $engine: each has its own" "$(reads plugin_read of_one of_two)" "D1mr=128 D1mr=64"
done

done_testing
