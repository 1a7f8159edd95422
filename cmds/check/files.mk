# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/balance.c %D%/balance.h \
	%D%/check.c \
	%D%/features.c %D%/features.h

# What unit tests link.
HOST_SOURCES += \
	%D%/balance.c %D%/balance.h \
	%D%/features.c %D%/features.h
