# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/references.c %D%/references.h \
	%D%/work.c %D%/work.h
