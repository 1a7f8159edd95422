# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/curve.c %D%/curve.h \
	%D%/curvetally.h \
	%D%/fullcache.c %D%/fullcache.h \
	%D%/fulllevel.c %D%/fulllevel.h \
	%D%/linehash.h \
	%D%/machinetwins.c %D%/machinetwins.h \
	%D%/memory.h \
	%D%/missclasses.c %D%/missclasses.h \
	%D%/seen.c %D%/seen.h \
	%D%/twin.c %D%/twin.h
