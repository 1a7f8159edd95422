# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/faults.c %D%/faults.h

TESTED_TOOL_SOURCES += \
	%D%/touched.c %D%/touched.h
