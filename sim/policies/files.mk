# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/drrip.c \
	%D%/lru.c \
	%D%/mru.c \
	%D%/plru.c \
	%D%/qlru.c %D%/qlru.h
