# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What quickstart and test share; sourced in the source directory.

# build_here [CONFIGURE-OPTIONS...]: builds in the source directory.  An existing configuration is
# kept, but for options that it lacks.
build_here() {
	[ -x configure ] || ./bootstrap # and from then on make follows its changes
	if [ ! -x config.status ]; then
		./configure -q "$@"
	else
		build_old=$(./config.status --config)
		for build_option; do
			case " $build_old " in
			*"$build_option"*) ;;
			*)
				eval "./configure -q $build_old" '"$@"'
				break
				;;
			esac
		done
	fi
	make -j "$(nproc)"
}
