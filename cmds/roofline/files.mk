# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/roofline.c %D%/roofline.h \
	%D%/rooflineview.c \
	%D%/traffic.c
