#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines and inlined functions of each instruction of real programs, of gcc and clang, in each version and kind of debug
# information: they are those that llvm-symbolizer finds; and the core reads just what we say that it reads.
. "$top_srcdir/tests/lib.sh"

printplaces=$top_builddir/tests/tool/elf/printplaces
if ! command -v llvm-symbolizer >/dev/null || ! command -v objdump >/dev/null; then
	echo "1..0 # SKIP there is no llvm-symbolizer or no objdump"
	exit 0
fi

mkdir sub
cat >sub/inner.h <<'END'
static inline __attribute__((always_inline)) long once(long n)
{
	long all = n;

	for (int i = 0; i < 3; i++)
		all += all & (12345 + i);
	return all;
}

static inline __attribute__((always_inline)) long twice(long n)
{
	return once(n) * 3 + once(n + 1);
}
END
cat >outer.c <<'END'
#include "inner.h"
extern long table[100];
long other(int n);

__attribute__((noinline)) long sum(int n)
{
	long all = 0;

	for (int i = 0; i < n; i++)
		all += twice(table[i]);
	return all;
}

int main(int argc, char **argv)
{
	(void)argv;
	return (int)(sum(argc) + other(argc)) & 1;
}
END
cat >other.c <<'END'
#include "inner.h"
long table[100];
long other(int n);

static __attribute__((noinline)) long apart(int n)
{
	return once(n);
}

__attribute__((section("elsewhere"))) long other(int n)
{
	return n > 1000 ? apart(n) : twice(n) + once(table[n]);
}

long unused(int n);
long unused(int n)
{
	return twice(n);
}
END

# symbolized FILE: what llvm-symbolizer says about the addresses in the file "addresses", as printplaces prints it.
symbolized() {
	sed 's/^/0x/' addresses | llvm-symbolizer --functions=short --inlines --obj="$1" |
		awk -F'\n' 'BEGIN {
			while ((getline address <"addresses") > 0)
				addresses[++n] = address
			RS = ""
		} {
			printf "%s", addresses[NR]
			if ($2 ~ /^\?\?:/) {
				print " -"
				next
			}
			for (i = 1; i < NF; i += 2) {
				sub(/:[0-9]+$/, "", $(i + 1))
				if (NF > 2)
					printf " %s", $i
				printf " %s", $(i + 1)
			}
			print ""
		}'
}

# core_reads FILE: "yes" if the core on this machine reads it.
core_reads() {
	"$VALGRIND" --tool=none --read-inline-info=yes "$1" >core.log 2>&1
	if grep -q 'Giving up\|unhandled\|erious error' core.log; then
		echo no
	else
		echo yes
	fi
}
minor=$("$VALGRIND" --version | sed 's/^valgrind-3\.\([0-9]*\).*/\1/')

n=0
for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		skip "$compiler" "it is not there"
		continue
	fi
	for options in -gdwarf-2 -gdwarf-3 -gdwarf-4 -gdwarf-5 "-gdwarf-5 -g1" "-gdwarf-5 -gdwarf64" \
		"-gdwarf-4 -gsplit-dwarf" "-gdwarf-5 -gsplit-dwarf" "-gdwarf-5 -flto" "-gdwarf-5 -flto=thin" \
		"-gdwarf-5 -fdebug-types-section" "-gdwarf-4 -ffunction-sections -Wl,--gc-sections" \
		"-gdwarf-5 -ffunction-sections -Wl,--gc-sections -fuse-ld=lld"; do
		what="$compiler $options"
		linker=
		case $what in
		"gcc "*lto=thin*) continue ;;
		clang*lto*) linker=-fuse-ld=lld ;;
		esac
		n=$((n + 1))
		mkdir $n
		cd $n || exit
		# shellcheck disable=SC2086 # several options
		if ! $compiler -O1 $options -I"${PWD%/*}/sub" -c ../outer.c ../other.c >build.log 2>&1 ||
			! $compiler -O1 $options $linker -o program outer.o other.o >build.log 2>&1; then
			skip "$what" "$(head -n 1 build.log)"
			cd ..
			continue
		fi
		objdump -d --no-show-raw-insn program | sed -n 's/^ *\([0-9a-f]*\):\t.*/\1/p' >addresses
		case $options in
		*split*)
			# Of split units it forgets where ranges begin: they are as the others.
			$compiler -O1 "${options% *}" -I"${PWD%/*}/sub" -o whole ../outer.c ../other.c
			"$printplaces" whole <addresses >want
			;;
		*) symbolized "$PWD/program" >want ;;
		esac
		"$printplaces" program <addresses >got 2>errors
		is "$what: exit status" $? 0
		is "$what" "$(diff want got | head -n 10)" ""
		is "$what: one in the other" "$(grep -c ' once .*/inner.h:[0-9]* twice .*/inner.h:[0-9]* ' got |
			awk '{ print ($1 > 5) }')" 1
		is "$what: read by the core" "$("$printplaces" -c "$minor" program)" "$(core_reads ./program)"
		cd ..
	done
done

# What two programs have in common goes to a file that both refer to: by GNU's forms, and by version 5's.
if command -v dwz >/dev/null && command -v gcc >/dev/null; then
	for options in -gdwarf-4 -gdwarf-5 "-gdwarf-5 --dwarf-5"; do
		what="dwz ${options#* }, of gcc ${options% *}"
		n=$((n + 1))
		mkdir $n
		cd $n || exit
		gcc -O1 "${options% *}" -I"${PWD%/*}/sub" -o program ../outer.c ../other.c
		objdump -d --no-show-raw-insn program | sed -n 's/^ *\([0-9a-f]*\):\t.*/\1/p' >addresses
		"$printplaces" program <addresses >want
		cp program other
		if [ "${options#* }" = --dwarf-5 ]; then
			dwz --dwarf-5 -m common program other 2>dwz.log
		else
			dwz -m common program other 2>dwz.log
		fi
		"$printplaces" -a common program <addresses >got
		is "$what" "$(diff want got | head -n 10)" ""
		is "$what: read by the core" "$("$printplaces" -a common -c "$minor" program)" \
			"$(core_reads ./program)"
		cd ..
	done
else
	skip "dwz" "there is no dwz or no gcc"
fi

done_testing
