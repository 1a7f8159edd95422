# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/sandbox.c %D%/sandbox.h \
	%D%/stable.c %D%/stable.h \
	%D%/stablerun.c \
	%D%/supervisor.c
