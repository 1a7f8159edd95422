# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/convert.c \
	%D%/formats.h \
	%D%/importer.c %D%/importer.h \
	%D%/invocation_tree.c %D%/invocation_tree.h \
	%D%/to_callgrind.c \
	%D%/to_collapsed.c \
	%D%/to_csv.c \
	%D%/to_dot.c \
	%D%/to_json.c \
	%D%/to_pprof.c \
	%D%/to_speedscope.c \
	%D%/to_types.c \
	%D%/to_xdebug.c \
	%D%/trace.c %D%/trace.h

TESTED_COMMAND_SOURCES += \
	%D%/from_tree.c %D%/from_tree.h \
	%D%/from_webgrind.c %D%/from_webgrind.h \
	%D%/to_webgrind.c \
	%D%/to_webgrind4.c \
	%D%/webgrind.c %D%/webgrind.h
