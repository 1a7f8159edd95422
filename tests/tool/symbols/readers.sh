#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where Valgrind's core can read a program, our own reader gives the same for every address in it: function, file, line, inlined
# functions.  readers.py has the differences that there may be, and why.
#
#	readers.sh [all]
#
# Without "all", of the C library and of a program of clang's.
. "$top_srcdir/tests/lib.sh"

folder=$top_builddir/tests/tool/elf

# A directory of tools with ours in it.  It is stripped, or its own symbols are read at each start.
mkdir tools
for file in "$COSTGRIND_LIB"/*; do
	case $file in
	*/costgrind-*) platform=${file##*/costgrind-} ;;
	esac
	ln -s "$file" tools/
done
cp "$folder/coreanswers" "tools/coreanswers-$platform"
strip "tools/coreanswers-$platform"

# same NAME OBJECT PROGRAM [ARGUMENT...]: of an object that a program loads.
same() {
	same_name=$1
	same_object=$2
	shift 2
	VALGRIND_LIB=$PWD/tools "$VALGRIND" --tool=coreanswers -q --log-file=core.txt --object="$same_object" "$@" \
		>program.log 2>&1
	read -r _ _ same_first same_after <core.txt
	"$folder/ownanswers" "$same_object" "$same_first" "$same_after" >own.txt 2>own.log
	is "$same_name: status" $? 0
	is "$same_name" "$(python3 "$top_srcdir/tests/tool/symbols/readers.py" core.txt own.txt 2>known.log)" ""
	sed "s|^|# $same_name: |" known.log
	# Not just nothing compared with nothing.
	is "$same_name: lines and inlined functions" "$(awk -F '\t' 'NF > 3 && $2 ~ /:[1-9]/' core.txt | head -n 100 | wc -l)" 100
}

# The C library has its debug information in a separate file.
libc=$(ldd /bin/true | awk '$1 == "libc.so.6" { print $3 }')
same "libc" "$(realpath "$libc")" /bin/true

cat >words.cpp <<'END'
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

int main(int argc, char **argv)
{
	std::map<std::string, std::vector<std::string>> words;
	std::regex expression(argc > 1 ? argv[1] : "([a-z]+)=([0-9]*)");
	std::stringstream in("a=1 b=2 c=x dd=44");
	std::string word;
	std::smatch match;
	std::vector<int> numbers;

	while (in >> word)
		if (std::regex_match(word, match, expression))
			words[match[1]].push_back(match[2]);
	for (const auto &entry : words)
		numbers.push_back(int(entry.second.size()));
	std::sort(numbers.begin(), numbers.end(), std::greater<int>());
	return numbers.empty();
}
END
# cxx COMPILER OTHER...: the program with DWARF 4, and with other debug information, which ours reads alike.
cxx() {
	cxx_compiler=$1
	shift
	if ! $cxx_compiler -O1 -gdwarf-4 -o words words.cpp >build.log 2>&1; then
		not_ok "$cxx_compiler: is built" "$(cat build.log)"
		return
	fi
	same "$cxx_compiler" "$PWD/words" ./words
	mv own.txt words.txt
	for cxx_debug; do
		# shellcheck disable=SC2086 # several flags in one variable
		$cxx_compiler -O1 $cxx_debug -o words words.cpp >build.log 2>&1
		"$folder/ownanswers" words "$same_first" "$same_after" >own.txt 2>own.log
		is "$cxx_compiler $cxx_debug: the same as with DWARF 4" "$(cat own.log)$(diff words.txt own.txt | head -n 20)" ""
	done
}
if [ "${1-}" = all ]; then
	for compiler in g++ clang++; do
		cxx $compiler -gdwarf-5 "-gdwarf-5 -gdwarf64" "-gdwarf-4 -gsplit-dwarf" "-gdwarf-5 -gsplit-dwarf" \
			"-gdwarf-4 -fdebug-types-section" "-gdwarf-5 -fdebug-types-section" "-gdwarf-5 -gz"
	done
	# Of clang, the older versions have other rows.
	for debug in -gdwarf-2 -gdwarf-3; do
		clang++ -O1 $debug -o words words.cpp && same "clang++ $debug" "$PWD/words" ./words
	done
else
	cxx clang++ "-gdwarf-5 -gsplit-dwarf"
fi

if [ -z "${1-}" ]; then
	done_testing
fi

same "costgrind" "$top_builddir/costgrind" "$top_builddir/costgrind" --version

# With its standard library.
cat >words.rs <<'END'
use std::collections::HashMap;
fn main() {
    let mut words: HashMap<String, u32> = HashMap::new();
    for i in 0..20u32 {
        *words.entry(format!("key{}", i % 7)).or_insert(0) += i;
    }
    let mut all: Vec<_> = words.into_iter().collect();
    all.sort();
    println!("{:?}", all);
}
END
if HOME=$(getent passwd "$(id -u)" | cut -d : -f 6) rustc -g -C opt-level=2 -o words words.rs >build.log 2>&1; then
	same "rustc" "$PWD/words" ./words
else
	echo "# not here: rustc"
fi

done_testing
