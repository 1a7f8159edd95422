# SPDX-License-Identifier: GPL-3.0-or-later

PROFILE_SOURCES += \
	%D%/common/cost.c %D%/common/cost.h \
	%D%/common/desc.c %D%/common/desc.h \
	%D%/common/dictionary.c %D%/common/dictionary.h \
	%D%/common/error.c %D%/common/error.h \
	%D%/common/event_names.c %D%/common/event_names.h \
	%D%/common/heap.c %D%/common/heap.h \
	%D%/common/region.c %D%/common/region.h \
	%D%/common/scan.h \
	%D%/common/visitor.c %D%/common/visitor.h \
	%D%/format/emit.c %D%/format/emit.h \
	%D%/format/reader.c %D%/format/reader.h \
	%D%/format/source.c %D%/format/source.h \
	%D%/model/build.c %D%/model/build.h \
	%D%/model/model.c %D%/model/model.h \
	%D%/model/segment.c %D%/model/segment.h \
	%D%/filters/filters.c %D%/filters/filters.h \
	%D%/filters/merged_header.c %D%/filters/merged_header.h \
	%D%/names/expression.c \
	%D%/names/name_rules.c %D%/names/name_rules.h \
	%D%/names/symbolname.c %D%/names/symbolname.h \
	%D%/analysis/callgraph.c %D%/analysis/callgraph.h \
	%D%/analysis/difference.c %D%/analysis/difference.h \
	%D%/analysis/inclusive.c %D%/analysis/inclusive.h \
	%D%/analysis/limit.c %D%/analysis/limit.h \
	%D%/analysis/metric.c %D%/analysis/metric.h \
	%D%/analysis/mostly.c %D%/analysis/mostly.h \
	%D%/analysis/owncode.c %D%/analysis/owncode.h \
	%D%/analysis/pythonshare.c %D%/analysis/pythonshare.h \
	%D%/analysis/regionpair.c %D%/analysis/regionpair.h
