#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs in other languages than C: with each kind of debug information their profiles match the one which
# Valgrind's core reads.  Compilers that are not there are named in a comment.
#
#	languages.sh [all]
#
# Without "all", it is one kind a compiler, which the core does not read.
. "$top_srcdir/tests/lib.sh"

all=${1-}
missing=

# there NAME COMMAND...: true if a compiler works.
there() {
	there_name=$1
	shift
	"$@" >build.log 2>&1 && return
	missing="$missing $there_name"
	return 1
}

# shellcheck disable=SC2317 # there() and same() call it
# rust ARGS...: rustc, where rustup has it below the user's own home, too.
rust() {
	HOME=$(getent passwd "$(id -u)" | cut -d : -f 6) rustc "$@"
}

# found OUT: costs by line of all code that has an absolute path, which the C library's has not, and calls in it.
found() {
	python3 "$top_srcdir/tests/profile.py" cells "$1" | awk -F '\t' '
		/^\// {
			n = split($4, words, " ")
			line = $1 ":" $3 " " $2 ":"
			for (i = 1; i <= n; i++)
				if (words[i] ~ /^(Ir|Dr|Dw)=/)
					line = line " " words[i]
			print line
		}' | LC_ALL=C sort
}

# profiled OUT [OPTIONS...]: of ./program.
profiled() {
	profiled_out=$1
	shift
	rm -f "$profiled_out"
	costgrind -q "$@" --costgrind-out-file="$profiled_out" ./program >run.log 2>&1
}

# same NAME REFERENCE COMMAND...: builds the program, which is profiled as the reference says, or makes that if there is none.
same() {
	same_name=$1
	same_reference=$2
	shift 2
	rm -f program
	if ! "$@" >build.log 2>&1; then
		missing="$missing $(echo "$same_name" | tr ' ' _)"
		return
	fi
	for inline in calls no; do
		profiled out --inline=$inline
		is "$same_name: --inline=$inline: status" $? 0
		[ -f "$same_reference.$inline" ] || cp out "$same_reference.$inline"
		is "$same_name: --inline=$inline" "$(found out)" "$(found "$same_reference.$inline")"
	done
}

# calls OUT CALLER CALLEE: how often.
calls() {
	python3 "$top_srcdir/tests/profile.py" calls "$1" | awk -F '\t' -v caller="$2" -v callee="$3" '
		$2 == caller && $5 == callee { n += $6 }
		END { print n + 0 }'
}

# --- C++ -----------------------------------------------------------------------------

# Not -O2, where each version of the library has other code.
cat >program.cpp <<'END'
#include <map>
#include <string>
#include <vector>

namespace shapes {
template <typename T> struct point {
	T x, y;
	T sum() const { return x + y; }
	bool operator<(const point &other) const { return sum() < other.sum(); }
};
struct shape {
	virtual ~shape() {}
	virtual int area() const = 0;
};
struct square : shape {
	explicit square(int side) : side(side) {}
	int area() const override { return side * side; }
	int side;
};
}

__attribute__((noinline)) static int total(const std::vector<shapes::shape *> &all)
{
	int sum = 0;
	for (const auto *shape : all)
		sum += shape->area();
	return sum;
}

int main()
{
	std::map<shapes::point<int>, std::string> names;
	std::vector<shapes::shape *> all;
	for (int i = 0; i < 50; i++) {
		names[shapes::point<int>{i, -2 * i}] = std::string(i, 'x');
		all.push_back(new shapes::square(i));
	}
	int sum = total(all);
	for (auto *shape : all)
		delete shape;
	return sum + int(names.size()) == 0;
}
END
cp program.cpp other.cpp
echo 'int second(int n) { return n + 1; }' >second.cpp
for compiler in g++ clang++; do
	there $compiler $compiler -o program second.cpp -c || continue
	same "$compiler -gdwarf-4" $compiler $compiler -O1 -gdwarf-4 -o program "$PWD/program.cpp" "$PWD/second.cpp"
	is "$compiler: areas" "$(calls $compiler.no 'total(std::vector<shapes::shape*, std::allocator<shapes::shape*> > const&)' \
		'shapes::square::area() const')" 50
	same "$compiler -g -fdebug-types-section" $compiler $compiler -O1 -g -fdebug-types-section -o program \
		"$PWD/program.cpp" "$PWD/second.cpp"
	[ -n "$all" ] || continue
	same "$compiler -g" $compiler $compiler -O1 -g -o program "$PWD/program.cpp" "$PWD/second.cpp"
	same "$compiler -g -gsplit-dwarf" $compiler $compiler -O1 -g -gsplit-dwarf -o program "$PWD/program.cpp" "$PWD/second.cpp"
	same "$compiler -gdwarf-4 -fdebug-types-section" $compiler $compiler -O1 -gdwarf-4 -fdebug-types-section -o program \
		"$PWD/program.cpp" "$PWD/second.cpp"
done

# --- Rust ------------------------------------------------------------------------------

cat >program.rs <<'END'
use std::hint::black_box;
mod sums {
    pub trait Sum {
        fn sum(&self) -> u64;
    }
    impl Sum for Vec<u8> {
        #[inline(never)]
        fn sum(&self) -> u64 {
            self.iter().map(|x| *x as u64).sum()
        }
    }
    #[inline(never)]
    pub fn up_to<const N: usize, F: Fn(usize) -> u64>(f: F) -> u64 {
        (0..N).map(|i| f(i)).sum()
    }
}
use sums::Sum;
fn main() {
    let bytes = vec![1u8; black_box(1000)];
    let factor = black_box(3u64);
    let mut all = 0;
    for _ in 0..black_box(20) {
        all += bytes.sum() + sums::up_to::<100, _>(|i| i as u64 * factor);
    }
    black_box(all);
}
END
echo 'fn main() {}' >nothing.rs
if there rustc rust -o program nothing.rs; then
	flags="-C opt-level=1 -C debuginfo=2 -C codegen-units=2 -o program program.rs"
	# shellcheck disable=SC2086 # several flags in one variable
	{
		same "rustc, DWARF 4" rustc rust -C dwarf-version=4 $flags
		same "rustc, DWARF 5" rustc rust -C dwarf-version=5 $flags
		for split in ${all:+unpacked packed}; do
			same "rustc, DWARF 5, $split" rustc rust -C dwarf-version=5 -C split-debuginfo=$split $flags
		done
	}
	is "rustc: sums" "$(calls rustc.no program::main '<alloc::vec::Vec<u8> as program::sums::Sum>::sum')" 20
fi

# --- D ---------------------------------------------------------------------------------

cat >program.d <<'END'
pragma(inline, false) int sum(T)(T n)
{
	int s = 0;
	foreach (i; 0 .. cast(int) n)
		s += i;
	return s;
}
void main()
{
	int t = 0;
	foreach (k; 0 .. 100)
		t += sum!int(k) + sum!long(50L);
	if (t == 0)
		throw new Exception("0");
}
END
if [ -n "$all" ] && there ldc2 ldc2 -of=program program.d; then
	for version in 4 5; do
		same "ldc2, DWARF $version" ldc ldc2 -O1 -g --dwarf-version=$version -of=program "$PWD/program.d"
	done
	is "ldc2: sums" "$(calls ldc.no 'D main' 'program.sum!(int).sum(int)') $(calls ldc.no 'D main' 'program.sum!(long).sum(long)')" \
		"100 100"
fi

# --- Fortran and Ada ---------------------------------------------------------------------

cat >program.f90 <<'END'
module sums
contains
  subroutine add(n)
    integer, intent(inout) :: n
    call one()
  contains
    subroutine one()
      n = n + 1
    end subroutine
  end subroutine
end module
program main
  use sums
  integer, volatile :: n
  integer :: i, k
  n = 0
  do i = 1, 100
    k = n
    call add(k)
    n = k
  end do
end program
END
if [ -n "$all" ] && there gfortran gfortran -o program program.f90; then
	for debug in -gdwarf-4 -gdwarf-5 "-gdwarf-5 -gsplit-dwarf"; do
		# shellcheck disable=SC2086 # several flags in one variable
		same "gfortran $debug" gfortran gfortran -O1 -fno-inline $debug -o program "$PWD/program.f90"
	done
	is "gfortran: calls" "$(calls gfortran.no MAIN__ __sums_MOD_add)" 100
fi

mkdir ada
cat >ada/program.adb <<'END'
procedure Program is
   Cell : Integer := 1 with Volatile;

   function Sum (N : Integer) return Integer is
      Total : Integer := 0;
   begin
      for I in 1 .. N loop
         Total := Total + Cell;
      end loop;
      return Total;
   end Sum;
begin
   for I in 1 .. 100 loop
      Cell := Sum (10) - 9;
   end loop;
end Program;
END
if [ -n "$all" ] && there gnatmake gnatmake -q -D ada -o program ada/program.adb; then
	for debug in -gdwarf-4 -gdwarf-5 "-gdwarf-5 -gsplit-dwarf"; do
		# shellcheck disable=SC2086 # several flags in one variable
		same "gnatmake $debug" gnatmake gnatmake -q -f -D ada -O1 -fno-inline $debug -o program "$PWD/ada/program.adb"
	done
fi

[ -z "$missing" ] || echo "# not built here:$missing"

done_testing
