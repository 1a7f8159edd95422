# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/roofline.c %D%/roofline.h \
	%D%/rooflinedrawing.c \
	%D%/rooflinereport.c \
	%D%/roofs.c %D%/roofs.h \
	%D%/traffic.c %D%/traffic.h
