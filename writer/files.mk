# SPDX-License-Identifier: GPL-3.0-or-later

WRITER_SOURCES += \
	%D%/body.c \
	%D%/env.h \
	%D%/escape.c %D%/escape.h \
	%D%/freestanding.h \
	%D%/header.c \
	%D%/names.c %D%/names.h \
	%D%/nodes.c %D%/nodes.h \
	%D%/order.h \
	%D%/origin.c %D%/origin.h \
	%D%/out.c %D%/out.h \
	%D%/rank.c %D%/rank.h \
	%D%/writer.c %D%/writer.h
