# SPDX-License-Identifier: GPL-3.0-or-later

# Of nothing but bytes.
TESTED_TOOL_SOURCES += \
	%D%/elftables.c %D%/elftables.h \
	%D%/littleendian.h
