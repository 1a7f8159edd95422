# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/curve.c %D%/curve.h \
	%D%/fullcache.c %D%/fullcache.h \
	%D%/missclasses.c %D%/missclasses.h \
	%D%/twin.c %D%/twin.h
