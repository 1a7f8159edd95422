# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/command.c %D%/command.h \
	%D%/completion.c %D%/completion.h \
	%D%/eventhelp.c %D%/eventhelp.h \
	%D%/main.c
