# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/work.c %D%/work.h
