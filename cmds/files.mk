# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/command.c %D%/command.h \
	%D%/completion.c \
	%D%/main.c
