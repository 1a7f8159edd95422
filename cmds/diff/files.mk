# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/diff.c %D%/diff.h \
	%D%/difflimits.c \
	%D%/diffpair.c \
	%D%/diffprofile.c \
	%D%/diffreport.c
