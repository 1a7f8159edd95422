#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names and lines of code that Valgrind's core has none of: read by our own reader, and said to be.
. "$top_srcdir/tests/lib.sh"

# The same source everywhere: work() loops in lines 6 and 7.
cat >program.c <<'END'
int work(int);
__attribute__((noinline)) int work(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}
int main(void)
{
	return work(1000) & 1;
}
END

# compile OUT SOURCE... [FLAGS...]: with the compiler's newest DWARF, which build() leaves out.
compile() {
	compile_out=$1
	shift
	# shellcheck disable=SC2086 # the compiler may be several words
	$CC -gdwarf-5 -O1 -o "$compile_out" "$@" >build.log 2>&1 && return
	not_ok "compile $compile_out" "$(cat build.log)"
	done_testing
}

# lines PROFILE FUNCTION: the source lines of a function that ran more than 100 times, and the file.
lines() {
	python3 "$top_srcdir/tests/profile.py" cells "$1" | awk -F '\t' -v name="$2" '
		$2 == name && $4 ~ /Ir=/ {
			n = $4
			sub(/.*Ir=/, "", n)
			if (n + 0 > 100) {
				sub(/.*\//, "", $1)
				print $1 ":" $3
			}
		}' | sort -u
}

# named NAME READER PROGRAM [ARGUMENTS...]: function and lines are there, and READER says who read them.
named() {
	named_name=$1
	named_reader=$2
	shift 2
	costgrind -q --costgrind-out-file=out "$@" >log 2>&1
	is "$named_name: messages" "$(cat log)" ""
	is "$named_name: lines" "$(lines out work)" "program.c:6
program.c:7"
	is "$named_name: reader" "$(sed -n 's/^desc: Names: //p' out | sed 's,/[^ ]*[/:],,')" "$named_reader"
}

build plain ./program.c -g -O1
named "as the core reads it" "" ./plain

if command -v clang >/dev/null; then
	clang -g -O1 -o clang5 program.c
	named "clang" "own reader, DWARF 5: clang5" ./clang5
	clang -g -O1 -gdwarf-4 -o clang4 program.c
	named "clang, DWARF 4" "" ./clang4
else
	skip "clang" "there is no clang"
fi
compile split program.c -gsplit-dwarf
named "split" "own reader, DWARF 5: split" ./split

sed 's/noinline/noinline, section("mycode")/' program.c >sub.c && mv program.c whole.c && mv sub.c program.c
compile section program.c
named "a section of its own" "own reader, DWARF 5: section" ./section
mv whole.c program.c

# -- no DebugInfo at all --

cat >start.S <<'END'
	.globl	_start, start
	.type	_start, @function
_start:	call	main
	mov	%eax, %edi
	mov	$60, %eax
	syscall
	.size	_start, . - _start
	.section .note.GNU-stack, "", @progbits
END
compile bare program.c start.S -nostdlib -static -fno-asynchronous-unwind-tables
named "no writable section" "own reader, DWARF 5: bare" ./bare
compile omagic program.c start.S -nostdlib -static -Wl,--omagic -Wl,--no-warn-rwx-segments
named "omagic" "own reader, DWARF 5: omagic" ./omagic

# -- second copies --

cat >copies.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static int work_of(void *library)
{
	int (*work)(int) = library ? (int (*)(int))dlsym(library, "work") : NULL;

	if (!work) {
		puts(dlerror());
		exit(1);
	}
	return work(1000);
}
static void *in_memory(const char *path)
{
	char buffer[4096], name[64];
	int in = open(path, O_RDONLY), out = memfd_create("plug", 0);
	ssize_t n;

	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, (size_t)n) != n)
			return NULL;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", out);
	return dlopen(name, RTLD_NOW);
}
int main(int argc, char **argv)
{
	(void)argc;
	if (strcmp(argv[1], "copy") == 0)
		return work_of(dlmopen(LM_ID_NEWLM, "./plug.so", RTLD_NOW)) < work_of(dlopen("./plug.so", RTLD_NOW));
	if (strcmp(argv[1], "memory") == 0)
		return work_of(in_memory("./plug.so")) < 0;
	return 2;
}
END
build copies ./copies.c -g
compile plug.so program.c -shared -fPIC
named "in memory" "own reader, DWARF 5: plug (deleted)" ./copies memory
mv plug.so whole.so
strip -o plug.so whole.so
costgrind -v --costgrind-out-file=out ./copies memory >log 2>&1
is "in memory, stripped: the name" "$(python3 "$top_srcdir/tests/profile.py" calls out | awk -F '\t' '$5 == "work" { print $6 }')" 1
is "in memory, stripped: reader" "$(grep '^desc: Names: ' out)" "desc: Names: own reader, no lines: /memfd:plug (deleted)"
is "in memory, stripped: -v" "$(sed -n 's/.*costgrind: names of .memfd:plug (deleted): //p' log)" "own reader, no lines
it is stripped: use it as it was linked, or install the package of its debug information"
mv whole.so plug.so
costgrind -q --costgrind-out-file=out ./copies copy >log 2>&1
is "two copies: exit status, messages" "$? $(cat log)" "0 "
is "two copies: both are work(), in one object" "$(python3 "$top_srcdir/tests/profile.py" calls out |
	awk -F '\t' '$5 == "work" { n += $6 } END { print n }') $(lines out work | tr '\n' ' ')" "2 program.c:6 program.c:7 "

# The program itself is in memory: only the core has it open.
cat >starter.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
	char buffer[4096];
	char *args[] = { "copy", 0 };
	int in = open(argv[argc - 1], O_RDONLY), out = memfd_create("copy", 0);
	ssize_t n;

	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, (size_t)n) != n)
			return 2;
	fexecve(out, args, environ);
	return 3;
}
END
compile started program.c
compile starter starter.c
costgrind --trace-children=yes --costgrind-out-file=out ./starter ./started >log 2>&1
is "a program in memory: reader" "$(grep '^desc: Names: .*memfd' out)" "desc: Names: own reader, DWARF 5: /memfd:copy (deleted)"
is "a program in memory: lines" "$(lines out work)" "program.c:6
program.c:7"

strip plug.so
for how in copy memory; do
	costgrind -q --costgrind-out-file=out ./copies $how >log 2>&1
	is "stripped, $how: messages" "$(cat log)" ""
	is "stripped, $how: names" "$(python3 "$top_srcdir/tests/profile.py" calls out |
		awk -F '\t' '$2 == "work_of" && $5 == "work" { n += $6 } END { print n }')" "$([ $how = copy ] && echo 2 || echo 1)"
done

# -- files that come and go --

cat >change.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Code that is made at run time, in a file without a name. */
static void generate(void)
{
	static const unsigned char code[] = { 0xb8, 1, 0, 0, 0, 0xc3 };
	int fd = memfd_create("code", 0);
	void *made;

	if (write(fd, code, sizeof(code)) != sizeof(code))
		exit(1);
	made = mmap(NULL, sizeof(code), PROT_READ, MAP_SHARED, fd, 0);
	mprotect(made, sizeof(code), PROT_READ | PROT_EXEC);
	((void (*)(void))made)();
}

/* The second copy of a library, in the file that held another one before: file systems give a new file such a number, too. */
static void call(const char *path, const char *name)
{
	char buffer[1 << 16];
	FILE *from = fopen(path, "rb"), *to = fopen("./now.so", "wb");
	size_t n = fread(buffer, 1, sizeof(buffer), from);
	void *known, *copy;

	if (fwrite(buffer, 1, n, to) != n || fclose(to) != 0)
		exit(1);
	fclose(from);
	known = dlmopen(LM_ID_NEWLM, "./now.so", RTLD_NOW);
	copy = dlmopen(LM_ID_NEWLM, "./now.so", RTLD_NOW);
	if (!known || !copy) {
		puts(dlerror());
		exit(1);
	}
	((int (*)(int))dlsym(copy, name))(1000);
	dlclose(copy);
	dlclose(known);
}

int main(void)
{
	generate();
	call("./first.so", "first");
	usleep(20000); /* the clock of files has moved on */
	call("./second.so", "second");
	return 0;
}
END
build change ./change.c -g
for name in first second; do
	sed "s/work/$name/g" program.c >$name.c
	compile $name.so $name.c -shared -fPIC
done
strip --strip-debug first.so second.so
costgrind --costgrind-out-file=out ./change >log 2>&1
is "code in a file without a name is not mentioned" "$(grep 'names of' log)" ""
is "a file's names are its own" "$(python3 "$top_srcdir/tests/profile.py" calls out |
	awk -F '\t' '$2 == "call" && $6 == 1 && $7 ~ /Ir=[0-9]{4,}/ && $5 !~ /^dl/ { print $5 }')" "first
second"
compile first.so first.c -shared -fPIC
compile second.so second.c -shared -fPIC
costgrind -v --costgrind-out-file=out ./change >log 2>&1
is "a file that was there twice is reported once" "$(grep -c '^desc: Names: .*/now.so$' out) $(grep -c 'names of .*/now.so' log)" "1 1"

# -- symbols that say little --

cat >labels.S <<'END'
	.globl	main, typed, untyped
	.type	typed, @function
typed:	mov	$1000, %eax
1:	dec	%eax
	jnz	1b
	ret
untyped:
	mov	$500, %eax
2:	dec	%eax
	jnz	2b
	ret
.Llocal:
	nop
	.type	main, @function
main:	push	%rbx
	call	typed
	call	untyped
	call	.Llocal + 1 - 1
	xor	%eax, %eax
	pop	%rbx
	ret
	.size	main, . - main
	.data
word:	.long	1
	.section .note.GNU-stack, "", @progbits
END
sed -i 's/^	nop$/	ret/' labels.S
build labels ./labels.S -g
costgrind -q --costgrind-out-file=out ./labels >log 2>&1
is "symbols without a size, labels without a type" "$(python3 "$top_srcdir/tests/profile.py" calls out |
	awk -F '\t' '$2 == "main" { sub(/ .*/, "", $7); print $5, $6, $7 }')" "typed 1 Ir=2002
untyped 1 Ir=1002
untyped 1 Ir=1"

# -- what is missing --

compile missing program.c -gsplit-dwarf
rm -f ./*.dwo
costgrind --costgrind-out-file=out --inline=calls ./missing >log 2>&1
is "a missing .dwo is named" "$(grep -c 'names of .*/missing: 1 of its \.dwo files is not there' log)" 1
is "but lines are there" "$(lines out work)" "program.c:6
program.c:7"
costgrind -v --costgrind-out-file=out ./bare >log 2>&1
is "-v says who read what" "$(sed -n 's/.*costgrind: names of .*\/bare: //p' log)" "own reader, DWARF 5"

# What -v says about a file that has no lines; of the parts that ours was not asked about, it says nothing.
compile plain program.c -g0
costgrind -v --costgrind-out-file=out ./plain >log 2>&1
is "-v says what lacks -g" "$(sed -n 's/.*names of .*\/plain: //p' log)" "it has no debug information: compile it with -g"
is "-v says nothing about Valgrind's own library" "$(grep 'names of .*vgpreload_' log)" ""
strip -o naked plain
costgrind -v --costgrind-out-file=out ./naked >log 2>&1
is "-v says what is stripped" "$(sed -n 's/.*names of .*\/naked: //p' log)" \
	"it is stripped: use it as it was linked, or install the package of its debug information"

done_testing
