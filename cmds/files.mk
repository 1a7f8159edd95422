# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/command.c %D%/command.h \
	%D%/completion.c \
	%D%/main.c \
	%D%/cli/commands.h \
	%D%/cli/launch.c %D%/cli/launch.h \
	%D%/cli/loader.c %D%/cli/loader.h \
	%D%/cli/outfile.c %D%/cli/outfile.h \
	%D%/cli/viewcommand.c %D%/cli/viewcommand.h \
	%D%/listing/costcells.c %D%/listing/costcells.h \
	%D%/source/searchpath.c %D%/source/sources.h \
	%D%/code/accesses.c %D%/code/accesses.h \
	%D%/code/codework.c %D%/code/codework.h \
	%D%/code/machinecode.c %D%/code/machinecode.h \
	%D%/annotate/annotate.c %D%/annotate/annotate.h \
	%D%/annotate/annotated.c \
	%D%/annotate/annotation.c \
	%D%/annotate/annotationview.c \
	%D%/annotate/codeview.c \
	%D%/annotate/functionsview.c \
	%D%/annotate/rankbalance.c \
	%D%/annotate/pythonlist.c \
	%D%/annotate/regionview.c \
	%D%/annotate/summary.c \
	%D%/merge/merge.c \
	%D%/check/check.c \
	%D%/compare/compare.c \
	%D%/curve/curve.c %D%/curve/curve.h \
	%D%/curve/curveview.c \
	%D%/curve/misscurve.c \
	%D%/data/datafile.c \
	%D%/data/objectcosts.c \
	%D%/data/objectfiles.c \
	%D%/data/objects.h \
	%D%/data/objecttypes.c \
	%D%/data/sharing.c \
	%D%/data/objectview.c \
	%D%/roofline/roofline.c %D%/roofline/roofline.h \
	%D%/roofline/rooflineview.c \
	%D%/roofline/traffic.c \
	%D%/diff/diff.c %D%/diff/diff.h \
	%D%/diff/difflimits.c \
	%D%/diff/diffpair.c \
	%D%/diff/diffprofile.c \
	%D%/diff/diffreport.c \
	%D%/convert/convert.c \
	%D%/convert/formats.h \
	%D%/convert/to_callgrind.c \
	%D%/convert/to_collapsed.c \
	%D%/convert/to_csv.c \
	%D%/convert/to_dot.c \
	%D%/convert/to_json.c \
	%D%/convert/to_pprof.c \
	%D%/convert/to_speedscope.c \
	%D%/convert/to_types.c \
	%D%/convert/treefile.c %D%/convert/treefile.h \
	%D%/convert/xdebug.c \
	%D%/report/report.c \
	%D%/report/reportchanges.c \
	%D%/report/reportcode.c \
	%D%/report/reportviews.c \
	%D%/machine/machine.c %D%/machine/machine.h \
	%D%/machine/measure.c %D%/machine/measure.h \
	%D%/machine/probes.c %D%/machine/probes.h \
	%D%/placement/placement.c \
	%D%/placement/placementview.c \
	%D%/why/finder.c %D%/why/finder.h \
	%D%/why/findings.c %D%/why/findings.h \
	%D%/why/origins.c \
	%D%/why/why.c \
	%D%/why/whycalls.c \
	%D%/why/whydata.c \
	%D%/why/whylibraries.c \
	%D%/why/whyparts.c \
	%D%/why/whyplaces.c \
	%D%/why/whypython.c \
	%D%/why/whyreasons.c \
	%D%/why/whyview.c \
	%D%/types/typecosts.c %D%/types/typecosts.h \
	%D%/types/typeplaces.c \
	%D%/types/typeview.c \
	%D%/bench/bench.c %D%/bench/bench.h \
	%D%/bench/benchcompare.c \
	%D%/bench/benchfile.c \
	%D%/bench/benchforms.c \
	%D%/bench/benchhistory.c \
	%D%/bench/benchrun.c \
	%D%/bench/benchview.c \
	%D%/branches/branches.c \
	%D%/branches/branchlist.c \
	%D%/branches/branchview.c \
	%D%/branches/conditionloads.c \
	%D%/run/doctor.c \
	%D%/run/run.c \
	%D%/run/view.c \
	%D%/stable/relay.c \
	%D%/stable/sandbox.c \
	%D%/stable/stable.c %D%/stable/stable.h \
	%D%/stable/stablerun.c \
	%D%/stable/trials.c \
	%D%/control/control.c %D%/control/control.h \
	%D%/control/target.c \
	%D%/control/vgdb.c \
	%D%/control/watch.c

# Linked into tests and fuzz targets, too.
TESTED_COMMAND_SOURCES += \
	%D%/cli/complaint.c %D%/cli/complaint.h \
	%D%/cli/inputs.c %D%/cli/inputs.h \
	%D%/cli/option.c %D%/cli/option.h \
	%D%/cli/profileio.c %D%/cli/profileio.h \
	%D%/listing/column.c %D%/listing/column.h \
	%D%/listing/listing.c %D%/listing/listing.h \
	%D%/emit/document.c %D%/emit/document.h \
	%D%/emit/document_csv.c \
	%D%/emit/document_json.c \
	%D%/emit/document_markdown.c \
	%D%/emit/document_text.c \
	%D%/emit/drawing.c %D%/emit/drawing.h \
	%D%/emit/fitted.c %D%/emit/fitted.h \
	%D%/emit/gzipper.c %D%/emit/gzipper.h \
	%D%/emit/json.c %D%/emit/json.h \
	%D%/emit/visible.c %D%/emit/visible.h \
	%D%/merge/merger.c %D%/merge/merger.h \
	%D%/check/features.c %D%/check/features.h \
	%D%/compare/pairtimes.c %D%/compare/pairtimes.h \
	%D%/data/objectname.c \
	%D%/convert/from_tree.c \
	%D%/convert/webgrind.c \
	%D%/report/alignment.c \
	%D%/placement/loops.c %D%/placement/placement.h \
	%D%/types/typeflow.c \
	%D%/types/typelayout.c \
	%D%/types/types.h \
	%D%/types/typetable.c \
	%D%/branches/branchcounts.c %D%/branches/branchlist.h \
	%D%/control/runstate.c

OBJECT_SOURCES += \
	%D%/object/codeobject.c %D%/object/codeobject.h \
	%D%/object/disassembly.c %D%/object/disassembly.h \
	%D%/object/elf.c %D%/object/elf.h \
	%D%/object/lacking.c %D%/object/lacking.h \
	%D%/object/objectfile.c %D%/object/objectfile.h

FETCH_SOURCES += \
	%D%/object/fetcher.c

NO_FETCH_SOURCES += \
	%D%/object/fetcher_none.c

REPORT_SOURCES += \
	%D%/source/read_policy.c \
	%D%/source/sourcetext.c \
	%D%/report/report.h \
	%D%/report/reportcharges.c \
	%D%/report/reportdata.c \
	%D%/report/reportlines.c \
	%D%/report/reportpage.c \
	%D%/report/reportrows.c \
	%D%/report/reportsources.c \
	%D%/report/reporttree.c

TYPE_SOURCES += \
	%D%/types/typereader.c
