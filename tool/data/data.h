/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On which data the program misses (--data=yes): an observer of misses
 * (tool/translate/missobserver.h), which finds for each the object that it is on, and adds it to what
 * that object, a piece of it, and the instruction on that object have missed.  A hit costs nothing.
 *
 * All events of misses of caches are columns, those of fetches too, so that their sums are those of
 * the profile; so are those of uses of lines, with --cacheuse=yes (tool/data/line_uses.h).
 */
