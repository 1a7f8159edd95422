# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Profiles of the installed Cachegrind, with small caches; sourced after lib.sh.

# profile FILE OPTIONS...: a run under Cachegrind.
profile() {
	profile_file=$1
	shift
	VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" -q --tool=cachegrind \
		--cachegrind-out-file="$profile_file" --I1=2048,2,32 --D1=4096,4,128 \
		--LL=32768,8,64 "$@" >"$profile_file.stdout" 2>"$profile_file.log"
	[ -s "$profile_file" ] && return
	not_ok "profile $profile_file" "$(cat "$profile_file.log")"
	done_testing
}
