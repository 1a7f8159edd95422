# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes odd profiles, as writers of PHP, Ruby and Python make them, into the current directory."""
import bz2
import gzip
import lzma

def put(name, text):
    with open(name, "wb") as out:
        out.write(text if isinstance(text, bytes) else text.encode())

# Headers of other writers.
put("massif.cg", "version: 1\ncreator: pymassif\npid: N/A\ncmd: N/A\npart: 1\npositions: line\nevents: Bytes\nsummary: 30\n"
    "fl=??\nob=??\nfn=main\n1 10\ncfn=grow\ncalls=2 1\n1 20\nfn=grow\n3 20\n")
put("stackprof.cg", "version: 1\ncreator: stackprof\npid: 0\ncmd: ruby\npart: 1\ndesc: mode: wall(1000)\ndesc: missed: 3)\n"
    "positions: line\nevents: Instructions\nsummary: 9\nfl=\nfn=(garbage collection)\n\nfl=/srv/app.rb\nfn=block (2 levels) in Foo#bar\n"
    "12 4\ncfl=\ncfn=Integer#times\ncalls=5 0\n12 5\n\nfl=\nfn=Integer#times\n0 5\n\ntotals: 9\n")
put("rubyprof.cg", "events: wall_time\n\nfl=/srv/rt\nfn=IO::puts(d2191592)\n0 12\ncfl=/srv/rt\ncfn=IO::write^\ncalls=2 5\n5 41\n\n"
    "fl=/srv/rt\nfn=IO::write^\n0 41\n")
put("vmprof.cg", "version: 1\ncreator: vmprof\n\nevents: Ticks\nsummary: 7\n\nob=<Python>\nfl=/a/b.py\nfn=run /a/b.py:10\n0 3\n"
    "cob=<unknown>\ncfl=<unknown>\ncfn=memcpy\ncalls=4 0\n0 4\nob=<unknown>\nfl=<unknown>\nfn=memcpy\n0 4\nfn=<None>\n0 0\n")
put("samples.cg", "# callgrind format\nversion: 1\ncreator: rbspy\nevents: Samples\n\nfl=a.rb\nfn=<main>\n1 1\ncfl=b.rb\ncfn=block in run\n"
    "calls=2 7\n1 3\n\nfl=b.rb\nfn=block in run\n7 3\n")
# Counts below 0, as such or modulo 2^64.
spx = ("# callgrind format\nevent: wt : Wall time\nevent: zm : ZE memory\nevents: wt zm \nfl=/a.php\nfn=f\n3 10 %s\n\n"
       "fl=/a.php\nfn=main\ncfi=/a.php\ncfn=f\ncalls=1 3\n9 12 -4000\n\nfl=/a.php\nfn=main\n1 5 8192\n\n")
put("negative.cg", spx % "-4096")
put("wrapped.cg", spx % "18446744073709547520")
put("int.cg", (spx % "-4096").replace("3 10 ", "3 -2147483648 "))
put("many.cg", "# callgrind format\nevent: wt : Wall time\nevents: wt \n" + "".join(
    "fl=/a.php\nfn=f%d\n3 %d\n\nfl=/a.php\nfn=main\ncfi=/a.php\ncfn=f%d\ncalls=1 3\n9 %d\n\n" % (i % 50, i % 7, i % 50, i % 7)
    for i in range(20000)))  # a block for each call
put("decimals.cg", "version: 1\ncreator: rbprof\nevents: wall_time memory\nfl=a.rb\nfn=main\n1 12.5 1.0E+3\n2 .49 2e-5\n"
    "cfn=sub\ncalls=2.0 5\n3 41.49999 7.5\nfn=sub\n5 41.49999 7.5\ntotals: 54.48999 1007.5\n")
# Encodings.
text = open("vmprof.cg").read()
put("bom.cg", b"\xef\xbb\xbf" + text.encode())
put("utf16.cg", text.encode("utf-16-le"))
put("utf16bom.cg", b"\xff\xfe" + text.replace("\n", "\r\n").encode("utf-16-le"))
# Xdebug's, whole and not.
x = ("version: 1\ncreator: xdebug 3.5.3\ncmd: /srv/i.php\npart: 1\npositions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n"
     "fl=(1) php:internal\nfn=(1) php::strlen\n3 2 0\n\nfl=(2) /srv/i.php\nfn=(2) class@anonymous\0/srv/i.php:4$0->run\n4 7 -16\n"
     "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 2 0\n\nfl=(2)\nfn=(3) {closure:/srv/i.php:9-12}\n9 1 0\n\nfl=(2)\nfn=(4) {main}\n1 5 400\n"
     "cfl=(2)\ncfn=(2)\ncalls=1 0 0\n4 9 -16\ncfl=(2)\ncfn=(3)\ncalls=1 0 0\n9 1 0\n\nsummary: 15 384\n\n")
put("anon.cg", x)
put("appended.cg", x + x)
put("cut.cg", x[:-60])
put("nosummary.cg", x.replace("summary: 15 384\n\n", ""))
put("nomain.cg", x[:x.index("fl=(2)\nfn=(4)")])
put("nul.cg", x + "\0" * 5000)
put("nul-appended.cg", x + "\0" * 100 + x)
put("xdebug.gz", gzip.compress(x.encode()))
put("xdebug.xz", lzma.compress(x.encode()))
put("xdebug.bz2", bz2.compress(x.encode()))
# Sums of calls.
put("shares.cg", "version: 1\npositions: line\nevents: Ir Dr\nfn=a\n1 1 0\ncfn=s\ncalls=1 9\n2 100 1\nfn=b\n1 1 0\ncfn=s\ncalls=1 9\n2 100 1\n"
    "fn=c\n1 1 0\ncfn=s\ncalls=1 9\n2 100 0\nfn=s\n9 7 2\ncfn=t\ncalls=10 20\n9 293 0\nfn=t\n20 293 0\n")
put("ring.cg", "version: 1\npositions: line\nevents: Ir\nfn=a\n1 5\ncfn=b\ncalls=3 2\n1 30\nfn=b\n2 6\ncfn=c\ncalls=3 3\n2 20\nfn=c\n3 7\ncfn=a\ncalls=3 1\n3 10\n")
put("liar.cg", "version: 1\npositions: line\nevents: Ir\nfn=main\n1 10\ncfn=big\ncalls=1 5\n1 500\nfn=big\n5 90\n")
# Names.
names = ["node", "graph", "subgraph", "edge", "digraph", "strict", "a;b 12", "f(x) 3", "<method 'append' of 'list' objects>", "operator()",
         "operator<", "operator,", "x\\", "x\\n", "{lambda(int)#2}", "]]>", "--", "%s%n", "$(id)", "=1+1", "名前", "e\u0301", "\u00e9", "\u202egnirts",
         "std::locale::id::_M_id() const", "foo [2/7]", "foo [1/7]", "f'2", "f'g'h", "0x12", "*", "+3", "N" * 70000, "t<" * 200 + "int" + ">" * 200]
files = ["C:\\src\\a b.c", "a:12:b.c", "weird]file%d.c", " 100%/x.c", "../y.c", "<string>", "~", "http://h/x.js"]
body = "version: 1\npositions: line\nevents: Ir\nfl=m.c\nfn=main\n1 1\n"
for i, n in enumerate(names):
    body += "cfi=%s\ncfn=%s\ncalls=%d 1\n%d %d\n" % (files[i % len(files)], n, i + 1, i + 2, 10 * (i + 1))
for i, n in enumerate(names):
    body += "fl=%s\nfn=%s\n1 %d\n" % (files[i % len(files)], n, 10 * (i + 1))
put("names.cg", body)
# Bounds of numbers.
top = 2 ** 64 - 1
put("top.cg", "version: 1\npositions: line\nevents: Ir\nfn=f\n1 %d\n" % top)
put("over.cg", "version: 1\npositions: line\nevents: Ir\nfn=f\n1 %d\nfn=g\n1 1\n" % top)
put("lines.cg", "version: 1\npositions: instr line\nevents: Ir\nfn=f\n0xffffffffffffffff 4294967295 1\n+0 +1 1\n")
put("relative.cg", "version: 1\npositions: instr line\nevents: Ir\nfn=f\n0xfffffffffffffff0 5 1\n+0x20 * 1\n")
put("events.cg", "version: 1\npositions: line\nevents: %s\nfn=f\n1 %s\n" % (" ".join("E%d" % i for i in range(201)), " ".join("1" for i in range(201))))
put("calls.cg", "version: 1\npositions: line\nevents: Ir\nfn=f\n1 1\ncfn=g\ncalls=%d 1\n1 1\nfn=g\n1 1\n" % (2 ** 63))
put("part.cg", "version: 1\npid: 4294967296\npart: 0\nthread: 4294967296\npositions: line\nevents: Ir\nsummary: 1 2 3\nfn=f\n1 1\n")
