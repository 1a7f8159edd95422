# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/annotate.c %D%/annotate.h \
	%D%/annotated.c \
	%D%/annotation.c \
	%D%/annotationview.c \
	%D%/codeview.c \
	%D%/functionsview.c \
	%D%/rankbalance.c
