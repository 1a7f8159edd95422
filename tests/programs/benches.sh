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

# cost PROFILE REGION EVENT: prints what it cost, 0 if nothing is said of it; nothing if there is no such region.
cost() {
	awk -v region="$2" -v event="$3" '
		/^events: / {
			for (i = 2; i <= NF; i++)
				if ($i == event)
					place = i - 1
		}
		/^desc: Region: [0-9]+ times, / {
			line = costs = $0
			sub(/^desc: Region: [^:]*: /, "", line)
			sub(/^desc: Region: [^:]*, costs /, "", costs)
			sub(/:.*/, "", costs)
			found[line] = costs
			next
		}
		/^desc: Region: / {
			line = $0
			sub(/^desc: Region: /, "", line)
			texts[line]
		}
		END {
			if (region in found) {
				split(found[region], costs, " ")
				print costs[place] + 0
			}
			for (line in texts) {
				rest = substr(line, length(region) + 3)
				if (substr(line, 1, length(region) + 2) == region ": " && rest ~ /^[0-9]+ times, /)
					print match(rest, ", " event " [0-9]+") ? substr(rest, RSTART + length(event) + 3, RLENGTH - length(event) - 3) : 0
			}
		}' "$1"
}

# difference PROFILE REGION OTHER: prints how many instructions more the first region takes.
difference() {
	echo $(($(cost "$1" "$2" Ir) - $(cost "$1" "$3" Ir)))
}
