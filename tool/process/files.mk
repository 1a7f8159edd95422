# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/process.c %D%/process.h
