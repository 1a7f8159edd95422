# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/convert.c \
	%D%/formats.h \
	%D%/to_callgrind.c \
	%D%/to_collapsed.c \
	%D%/to_csv.c \
	%D%/to_dot.c \
	%D%/to_json.c \
	%D%/to_pprof.c \
	%D%/to_speedscope.c \
	%D%/to_types.c \
	%D%/xdebug.c

TESTED_COMMAND_SOURCES += \
	%D%/from_tree.c \
	%D%/webgrind.c
