# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/relay.c \
	%D%/sandbox.c \
	%D%/stable.c %D%/stable.h \
	%D%/stablerun.c
