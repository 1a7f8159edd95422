# SPDX-License-Identifier: GPL-3.0-or-later

WRITER_SOURCES += \
	%D%/body.c \
	%D%/escape.c %D%/escape.h \
	%D%/freestanding.h \
	%D%/header.c \
	%D%/order.h \
	%D%/origin.c %D%/origin.h \
	%D%/out.c %D%/out.h \
	%D%/rank.c %D%/rank.h \
	%D%/writer.c %D%/writer.h
