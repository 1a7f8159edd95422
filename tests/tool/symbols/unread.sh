#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that Valgrind's core reads nothing or not everything of: names and lines are there all the same.  Counts are those that
# the source fixes: reads of a volatile variable in a loop, instructions of assembly code.  Kinds of debug information:
# matrix.sh.
. "$top_srcdir/tests/lib.sh"

# ran OUT PROGRAM [OPTIONS...]: profiles a program; its exit status is a test.
ran() {
	ran_out=$1
	ran_program=$2
	shift 2
	status=0
	# shellcheck disable=SC2086 # a program and its arguments
	costgrind -q "$@" --compress-strings=no --costgrind-out-file="$ran_out" $ran_program >run.log 2>&1 || status=$?
	is "$ran_out: status" "$status$(cat run.log)" 0
}

# count EVENT OUT FUNCTION [FILE:LINE]: of a function, or of one of its lines.
count() {
	[ -f "$2" ] || return 0
	python3 "$top_srcdir/tests/profile.py" cells "$2" | awk -F '\t' -v event="$1" -v name="$3" -v place="${4-}" '
		{ file = $1; sub(/.*\//, "", file) }
		$2 == name && (place == "" || place == file ":" $3) {
			n = split($4, words, /[ =]/)
			for (i = 1; i < n; i += 2)
				if (words[i] == event)
					sum += words[i + 1]
		}
		END { print sum + 0 }'
}

# compiled COMPILER OUT FLAGS...: or the script ends.
compiled() {
	compiled_by=$1
	compiled_out=$2
	shift 2
	$compiled_by -o "$compiled_out" "$@" >build.log 2>&1 && return
	not_ok "$compiled_out: is built" "$(cat build.log)"
	done_testing
}

# --- units of several compilers ------------------------------------------------------

cat >inner.c <<'END'
__attribute__((visibility("hidden"))) volatile int cell;
__attribute__((noinline)) int inner(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += cell;
	return sum;
}
END
cat >outer.c <<'END'
extern __attribute__((visibility("hidden"))) volatile int cell;
int inner(int n);
int outer(int n)
{
	int sum = inner(n);
	for (int i = 0; i < n; i++)
		sum += cell;
	return sum;
}
END
cat >start.c <<'END'
int outer(int n);
int main(void)
{
	return outer(1000) != 0;
}
END
for compiler in gcc clang; do
	for unit in inner outer start; do
		compiled $compiler $unit.$compiler.o -g -O1 -fPIC -c $unit.c
	done
done
# Whichever comes first, also where only one is clang's.
for units in "start.clang outer.clang inner.clang" "start.gcc outer.gcc inner.clang" "inner.clang start.gcc outer.gcc" \
	"start.clang outer.gcc inner.gcc" "outer.gcc inner.gcc start.clang"; do
	# shellcheck disable=SC2046,SC2086 # several files
	compiled gcc mixed $(printf '%s.o ' $units)
	ran "$units" ./mixed
	is "$units: reads in each" "$(count Dr "$units" inner inner.c:6) $(count Dr "$units" outer outer.c:7)" "1000 1000"
	is "$units: main has its line" "$(count Ir "$units" main start.c:4 | grep -c '^[1-9]')" 1
done

# A plugin ends no program that is made by another compiler.
cat >plugged.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
/* plugged FILE N [FILE N...]: loads each and calls outer(N); "again:FILE" once more, apart from the first. */
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		int is_again = strncmp(argv[i], "again:", 6) == 0, n;
		void *library = is_again ? dlmopen(LM_ID_NEWLM, argv[i] + 6, RTLD_NOW) : dlopen(argv[i], RTLD_NOW);
		int (*function)(int) = library ? (int (*)(int))dlsym(library, "outer") : 0;

		if (!function || sscanf(argv[i + 1], "%d", &n) != 1) {
			puts(dlerror());
			return 1;
		}
		function(n);
	}
	return 0;
}
END
compiled gcc plugged -g plugged.c -ldl
compiled clang plugin.clang.so -shared outer.clang.o inner.clang.o
compiled gcc plugin.gcc.so -shared outer.gcc.o inner.gcc.o
ran plugin.out "./plugged ./plugin.clang.so 300 ./plugin.gcc.so 40"
is "two plugins of two compilers" "$(count Dr plugin.out inner inner.c:6) $(count Dr plugin.out outer outer.c:7)" "340 340"

# --- objects that the core does not know ---------------------------------------------

# The same library once more; only the first copy is known to the core.
for compiler in gcc clang; do
	ran again.$compiler "./plugged ./plugin.$compiler.so 300 again:./plugin.$compiler.so 40 again:./plugin.$compiler.so 5"
	is "copies of a library of $compiler: lines" \
		"$(count Dr again.$compiler inner inner.c:6) $(count Dr again.$compiler outer outer.c:7)" "345 345"
done

cat >memory.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
/* Loads a library that is in memory only, and calls outer(1000). */
int main(int argc, char **argv)
{
	static char buffer[65536];
	int in = open(argv[1], O_RDONLY), out = memfd_create("plugin", 0);
	int (*function)(int);
	char name[64];
	void *library;
	ssize_t n;

	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, n) != n)
			return argc;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", out);
	library = dlopen(name, RTLD_NOW);
	function = library ? (int (*)(int))dlsym(library, "outer") : 0;
	close(out);
	if (!function)
		return 1;
	function(1000);
	return 0;
}
END
compiled gcc memory -g memory.c -ldl
for compiler in gcc clang; do
	ran memory.$compiler "./memory ./plugin.$compiler.so"
	is "a library of $compiler in memory only: lines" \
		"$(count Dr memory.$compiler inner inner.c:6) $(count Dr memory.$compiler outer outer.c:7)" "1000 1000"
done

# 1,000 times: call, dec and jnz of begin, and the two instructions of work.
cat >bare.S <<'END'
	.globl	begin, work
	.type	begin, @function
begin:	mov	$1000, %r12d
1:	call	work
	dec	%r12d
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	.size	begin, . - begin
	.type	work, @function
work:	lea	1(%rax), %rax
	ret
	.size	work, . - work
	.section .note.GNU-stack, "", @progbits
END
for linker in bfd gold lld mold; do
	for flags in -Wl,-z,relro -Wl,--omagic; do
		gcc -g -nostdlib -static -Wl,-e,begin -fuse-ld=$linker $flags -o bare bare.S >build.log 2>&1 || continue
		name="no writable section, $linker $flags"
		ran "$name" ./bare
		is "$name: names" "$(count Ir "$name" begin) $(count Ir "$name" work)" "3004 2000"
		is "$name: lines" "$(for line in 3 4 5 6 7 8 9; do
			count Ir "$name" begin bare.S:$line
		done | xargs) $(count Ir "$name" work bare.S:12) $(count Ir "$name" work bare.S:13)" \
			"1 1000 1000 1000 1 1 1 1000 1000"
	done
done
cat >alone.c <<'END'
int outer(int n);
void _start(void)
{
	outer(1000);
	__asm__ volatile("syscall" : : "a"(60), "D"(0));
}
END
for compiler in gcc clang; do
	compiled $compiler alone.o -g -O1 -c alone.c
	compiled gcc omagic -nostdlib -static -Wl,--omagic alone.o outer.$compiler.o inner.$compiler.o
	ran omagic.$compiler ./omagic
	is "--omagic, $compiler: lines" \
		"$(count Dr omagic.$compiler inner inner.c:6) $(count Dr omagic.$compiler outer outer.c:7)" "1000 1000"
	# As the core calls it.
	is "--omagic, $compiler: _start" "$(count Ir omagic.$compiler '(below main)' alone.c:4 | grep -c '^[1-9]')" 1
done

echo 'const char text[] __attribute__((section("apart"))) = "text";' >apart.c
compiled gcc apart.o -c apart.c
for compiler in gcc clang; do
	compiled gcc rodata start.$compiler.o outer.$compiler.o inner.$compiler.o apart.o
	objcopy --rename-section apart=.rodata rodata
	is "there are two .rodata" "$(readelf -SW rodata | grep -c ' \.rodata ')" 2
	ran rodata.$compiler ./rodata
	is "two .rodata, $compiler: lines" \
		"$(count Dr rodata.$compiler inner inner.c:6) $(count Dr rodata.$compiler outer outer.c:7)" "1000 1000"
done

# --- symbols that the core leaves out -----------------------------------------------------

# Neither f nor g has a type, and no size; g ends where main begins.  last has no size, and ends with its section.
cat >untyped.S <<'END'
	.globl	main, f, g
f:	mov	$7, %eax
	ret
g:	mov	$8, %eax
	ret
	.type	main, @function
main:	push	%rbx
	call	f
	call	g
	call	last
	xor	%eax, %eax
	pop	%rbx
	ret
	.size	main, . - main
	.section .text.last, "ax", @progbits
last:	nop
	nop
	ret
	.section .note.GNU-stack, "", @progbits
END
for flags in -g0 -g; do
	compiled gcc untyped $flags untyped.S
	ran untyped.out ./untyped
	is "symbols without type and size, $flags" "$(for name in f g main last; do
		count Ir untyped.out $name
	done | xargs)" "2 2 7 3"
done
is "symbols without type and size: lines" "$(for line in 2 3; do
	count Ir untyped.out f untyped.S:$line
done | xargs) $(for line in 4 5; do
	count Ir untyped.out g untyped.S:$line
done | xargs)" "1 1 1 1"

# Each call through a thunk executes its call, mov and ret.
cat >thunk.c <<'END'
typedef int (*function)(int);
__attribute__((noinline)) int add1(int x) { return x + 1; }
__attribute__((noinline)) int add2(int x) { return x + 2; }
__attribute__((noinline)) int often(function f) { int s = 0; for (int i = 0; i < 1000; i++) s += f(i); return s; }
__attribute__((noinline)) int rarely(function f) { int s = 0; for (int i = 0; i < 100; i++) s += f(i); return s; }
int main(void) { return often(add1) + rarely(add2) == 0; }
END
compiled gcc thunk -g -O1 -mindirect-branch=thunk thunk.c
thunk=$(nm thunk | sed -n 's/.* \(__x86_indirect_thunk_[a-z0-9]*\)$/\1/p')
ran thunk.out ./thunk
is "thunks" "$(for name in $thunk; do
	count Ir thunk.out "$name"
done | awk '{ sum += $1 } END { print sum + 0 }')" 3300

# --- code in a section of its own -------------------------------------------------------

cat >section.c <<'END'
volatile int cell;
__attribute__((noinline, section("mycode"))) int apart(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += cell;
	return sum;
}
__attribute__((noinline)) static int plain(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += cell;
	return sum;
}
int main(void)
{
	return apart(2000) + plain(300);
}
END
for compiler in gcc clang; do
	for linker in bfd gold lld mold; do
		$compiler -g -O1 -fuse-ld=$linker -o section section.c >build.log 2>&1 || continue
		ran "section $compiler $linker" ./section
		is "a section of its own, $compiler, $linker" "$(count Dr "section $compiler $linker" apart section.c:6)" 2000
		is "a section of its own, $compiler, $linker: the other function" \
			"$(count Dr "section $compiler $linker" plain section.c:13)" 300
	done
done

done_testing
