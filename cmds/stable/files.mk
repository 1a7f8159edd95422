# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/sandbox.c %D%/sandbox.h \
	%D%/fixedenv.c %D%/fixedenv.h \
	%D%/stable_items.c %D%/stable_items.h \
	%D%/procstate.c %D%/procstate.h \
	%D%/progpath.c %D%/progpath.h \
	%D%/relay.c %D%/relay.h \
	%D%/stability.c %D%/stability.h \
	%D%/stable.c %D%/stable.h \
	%D%/stablereport.c \
	%D%/stablerun.c %D%/stablerun.h \
	%D%/supervisor.c %D%/supervisor.h \
	%D%/trials.c %D%/trials.h
