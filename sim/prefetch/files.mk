# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/prefetchers.c %D%/prefetchers.h
