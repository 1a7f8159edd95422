# SPDX-License-Identifier: GPL-3.0-or-later

ISA_SOURCES += \
	%D%/bytes.c %D%/bytes.h \
	%D%/decoder.h \
	%D%/effects.h

ISA_CAPSTONE_SOURCES += \
	%D%/decoder.c \
	%D%/effects.c

NO_CAPSTONE_SOURCES += \
	%D%/decoder_none.c
