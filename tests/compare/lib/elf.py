# SPDX-License-Identifier: GPL-3.0-or-later
"""What the comparison of call graphs asks of programs and libraries: x86-64 ELF files, by
addresses as they were linked."""

import bisect
import functools
import itertools
import os
import re
import struct
import subprocess

LONGEST_INSTRUCTION = 15
DEBUG_FOLDER = '/usr/lib/debug/.build-id'

PT_LOAD = 1
SHT_SYMTAB, SHT_NOTE, SHT_DYNSYM = 2, 7, 11
NT_GNU_BUILD_ID = 3
SHN_UNDEF = 0
STT_FUNC, STT_GNU_IFUNC = 2, 10

LEGACY_PREFIXES = (0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3)


class Elf:
    """A file; all of it is empty if it is none."""

    def __init__(self, path):
        self.data = b''
        self.sections = []
        self.segments = []
        self.text = []
        try:
            with open(path, 'rb') as stream:
                data = stream.read()
        except OSError:
            return
        if data[:6] != b'\x7fELF\x02\x01':
            return
        self.data = data
        phoff, shoff = struct.unpack_from('<QQ', data, 32)
        phentsize, phnum, shentsize, shnum, names = struct.unpack_from('<HHHHH', data, 54)
        self.segments = [struct.unpack_from('<IIQQQQ', data, phoff + i * phentsize)
                         for i in range(phnum)]
        self.sections = [struct.unpack_from('<IIQQQQIIQQ', data, shoff + i * shentsize)
                         for i in range(shnum)]
        self.text = [section for section in self.sections
                     if self.string(self.sections[names][4] + section[0]) == '.text']

    def string(self, at):
        """The string at an offset."""
        return self.data[at:self.data.index(b'\0', at)].decode()

    def code(self, address):
        """The bytes of an instruction, and maybe more."""
        for kind, _, offset, start, _, size in self.segments:
            if kind == PT_LOAD and start <= address < start + size:
                at = address - start + offset
                return self.data[at:at + LONGEST_INSTRUCTION]
        return b''

    def functions(self):
        """(start, end, name) of each symbol of a function."""
        for _, kind, _, _, offset, size, link, _, _, entry in self.sections:
            if kind not in (SHT_SYMTAB, SHT_DYNSYM):
                continue
            strings = self.sections[link][4]
            for at in range(offset, offset + size, entry):
                name, info, _, section, value, length = struct.unpack_from('<IBBHQQ', self.data, at)
                if section != SHN_UNDEF and info & 15 in (STT_FUNC, STT_GNU_IFUNC) and length:
                    yield value, value + length, re.sub(
                        r'@.*', '', self.string(strings + name))

    def debug_path(self):
        """Where its debug information is, if that is a file of its own."""
        for _, kind, _, _, offset, size, _, _, _, _ in self.sections:
            if kind != SHT_NOTE or size < 12:
                continue
            names, words, note = struct.unpack_from('<III', self.data, offset)
            if note == NT_GNU_BUILD_ID:
                start = offset + 12 + (names + 3) // 4 * 4
                digits = self.data[start:start + words].hex()
                return '%s/%s/%s.debug' % (DEBUG_FOLDER, digits[:2], digits[2:])
        return None


class Symbols:
    """The functions of a file and of its debug information."""

    def __init__(self, path):
        elf = Elf(path)
        ranges = set(elf.functions())
        debug = elf.debug_path()
        if debug and os.path.exists(debug):
            ranges |= set(Elf(debug).functions())
        self.ranges = sorted(ranges)

        # How far those reach that begin no later than the one at the same index.
        self.ends = list(itertools.accumulate((end for _, end, _ in self.ranges), max))

    def at(self, address):
        """(start, name) of each function that has an address."""
        at = bisect.bisect_right(self.ranges, (address + 1,))
        while at > 0 and self.ends[at - 1] > address:
            at -= 1
            start, end, name = self.ranges[at]
            if address < end:
                yield start, name

    @functools.cached_property
    def clear(self):
        """Names of C++ -> the same in clear text."""
        mangled = sorted({name for _, _, name in self.ranges if name.startswith('_Z')})
        output = subprocess.run(['c++filt'], input=''.join(name + '\n' for name in mangled),
                                check=True, capture_output=True, text=True)
        return dict(zip(mangled, output.stdout.splitlines()))

    def starts(self, address, name):
        """Where those functions of a name start that have an address; the name is as it is in the
        file, or in clear text."""
        name = re.sub(r'@.*', '', name)
        return {start for start, one in self.at(address) if name in (one, self.clear.get(one))}

    def is_in(self, address, name):
        """True if an address is in a function of that name."""
        return bool(self.starts(address, name))


@functools.lru_cache(maxsize=None)
def file(path):
    """The Elf of a path."""
    return Elf(path)


@functools.lru_cache(maxsize=None)
def symbols(path):
    """The Symbols of a path."""
    return Symbols(path)


def opcode(path, address):
    """The bytes of an instruction from its opcode on, and maybe more; then three bits of the second
    byte, which tell what the opcode 0xff is."""
    code = file(path).code(address)
    while code and code[0] in LEGACY_PREFIXES:
        code = code[1:]
    if code and code[0] & 0xf0 == 0x40:
        code = code[1:]
    return code, code[1] >> 3 & 7 if len(code) > 1 else None


def is_call(path, address):
    """True if an instruction is a call."""
    code, variant = opcode(path, address)
    return code[:1] == b'\xe8' or (code[:1] == b'\xff' and variant in (2, 3))


def call_target(path, address):
    """Where a direct call goes; None of an indirect one."""
    code = file(path).code(address)
    if code[:1] != b'\xe8':
        return None
    return address + 5 + struct.unpack_from('<i', code, 1)[0]


def is_jump(path, address):
    """True if an instruction is an unconditional jump."""
    code, variant = opcode(path, address)
    return code[:1] in (b'\xe9', b'\xeb') or (code[:1] == b'\xff' and variant in (4, 5))


def is_in_text(path, address):
    """True if an address is in the section .text."""
    return any(section[3] <= address < section[3] + section[5] for section in file(path).text)


def is_sigreturn(path, address):
    """True if the code at an address is what signal handlers return to: mov $15,%rax; syscall."""
    return file(path).code(address)[:9] == b'\x48\xc7\xc0\x0f\0\0\0\x0f\x05'


def is_system_call(path, address):
    """True if an instruction is syscall."""
    return file(path).code(address)[:2] == b'\x0f\x05'
