# SPDX-License-Identifier: GPL-3.0-or-later

WRITER_SOURCES += \
	%D%/events.h \
	%D%/optionlist.h \
	%D%/edit_distance.h \
	%D%/size_event.h
