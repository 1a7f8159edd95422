# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/expression.c \
	%D%/name_rules.c %D%/name_rules.h \
	%D%/symbolname.c %D%/symbolname.h
