# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/objectcosts.c %D%/objectcosts.h \
	%D%/objectfiles.c %D%/objectfiles.h
