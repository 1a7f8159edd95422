# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What quickstart and test share; sourced in the source directory.

# build_here [CONFIGURE-OPTIONS...]: builds in the source directory.  An existing configuration is
# kept, but for options that it lacks.  Where it is called as a condition, set -e does nothing: each
# step hands on its failure.
build_here() {
	[ -x configure ] || ./bootstrap || return # and from then on make follows its changes
	if [ ! -x config.status ]; then
		./configure -q "$@" || return
	else
		build_old=$(./config.status --config) || return
		for build_option; do
			case " $build_old " in
			*"$build_option"*) ;;
			*)
				eval "./configure -q $build_old" '"$@"' || return
				break
				;;
			esac
		done
	fi
	make -j "$(nproc)"
}
