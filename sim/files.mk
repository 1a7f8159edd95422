# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/basics.h \
	%D%/cache.c %D%/cache.h \
	%D%/cpuid.h \
	%D%/eviction.c %D%/eviction.h \
	%D%/geometry.c %D%/geometry.h \
	%D%/hierarchy.c %D%/hierarchy.h \
	%D%/lastlevel.c %D%/lastlevel.h \
	%D%/lower.c %D%/lower.h \
	%D%/machine.c %D%/machine.h \
	%D%/machinefilter.h \
	%D%/machinelayout.c \
	%D%/machineprefetch.c %D%/machineprefetch.h \
	%D%/newest.c %D%/newest.h \
	%D%/policy.c %D%/policy.h \
	%D%/shorttags.h \
	%D%/stamped.h
