# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What tests of benchmark harnesses share; sourced after lib.sh.

# install_headers: costgrind's headers are below include, as they are installed.
install_headers() {
	make -s -C "$top_builddir" install-pkgincludeHEADERS DESTDIR="$PWD" pkgincludedir=/include/costgrind \
		>install.log 2>&1 && return
	not_ok 'headers can be installed' "$(cat install.log)"
	done_testing
}

# cost PROFILE REGION EVENT: prints what it cost, 0 if nothing is said about it; nothing if there is no such region.
cost() {
	awk -v region="$2" -v event="$3" '
		/^events: / {
			for (i = 2; i <= NF; i++)
				if ($i == event)
					place = i - 1
		}
		/^desc: Region: [0-9]+ times, / {
			name = $0
			sub(/^desc: Region: [^:]*: /, "", name)
			if (name != region)
				next
			sub(/^desc: Region: [^:]*, costs /, "")
			n = split($0, costs, "[ :]")
		}
		END {
			if (n > 0)
				print costs[place] + 0
		}' "$1"
}

# difference PROFILE REGION OTHER: prints how many instructions more the first region takes.
difference() {
	echo $(($(cost "$1" "$2" Ir) - $(cost "$1" "$3" Ir)))
}
