# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/codework.c %D%/codework.h \
	%D%/machinecode.c %D%/machinecode.h
