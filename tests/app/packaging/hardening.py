"""Every installed program is built with what makes a fault in memory harder to exploit.

    hardening.py [--fortified] [--start-file FILE]… [--most-libraries N] PROGRAM

Reads the ELF file itself, so that it holds for what was linked, whatever the flags were. --fortified: the build has optimised
code without sanitizers, which call the C library's checked functions. --start-file: what the compiler links each program with;
one without the CET property note, as in Debian 12, takes that note from every program. --most-libraries: as many
as ldd lists at most, those of libraries included.
"""

import argparse
import os
import struct
import subprocess
import sys

X86_MACHINES = (3, 62)  # EM_386, EM_X86_64
ET_DYN = 3
PT_LOAD, PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 0x6474E551, 0x6474E552
PF_X = 1
SHT_SYMTAB, SHT_NOTE, SHT_DYNSYM = 2, 7, 11
DT_NEEDED, DT_BIND_NOW, DT_FLAGS, DT_FLAGS_1 = 1, 24, 30, 0x6FFFFFFB
DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 8, 1, 0x08000000
NT_GNU_PROPERTY_TYPE_0, GNU_PROPERTY_X86_FEATURE_1_AND = 5, 0xC0000002
IBT, SHSTK = 1, 2
STT_FUNC, STB_LOCAL = 2, 0
ENDBR64 = b"\xf3\x0f\x1e\xfa"


class Elf:
    """A 64-bit little-endian ELF file: its headers, dynamic section, symbols and notes."""

    def __init__(self, content):
        if content[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not a 64-bit little-endian ELF file")
        self.content = content
        (self.type, self.machine, _, _, segments_at, sections_at, _, _, segment_size, segment_count, section_size, section_count,
         names_at) = struct.unpack_from("<HHIQQQIHHHHHH", content, 16)
        # (type, flags, offset, address, size in the file)
        self.segments = []
        for number in range(segment_count):
            kind, flags, offset, address, _, size, _, _ = struct.unpack_from("<IIQQQQQQ", content, segments_at + number * segment_size)
            self.segments.append((kind, flags, offset, address, size))
        # (name, type, offset, size, link)
        sections = [struct.unpack_from("<IIQQQQIIQQ", content, sections_at + number * section_size) for number in range(section_count)]
        names = sections[names_at][4] if sections else 0
        self.sections = [(self.text(names + name), kind, offset, size, link)
                         for name, kind, _, _, offset, size, link, _, _, _ in sections]

    def text(self, offset):
        return self.content[offset:self.content.index(b"\0", offset)].decode(errors="replace")

    def dynamic(self, tag):
        """The values of a tag of the dynamic section."""
        values = []
        for kind, _, offset, _, size in self.segments:
            if kind == PT_DYNAMIC:
                for one, value in struct.iter_unpack("<QQ", self.content[offset:offset + size]):
                    if one == 0:
                        break
                    if one == tag:
                        values.append(value)
        return values

    def dynamic_flags(self, tag):
        return next(iter(self.dynamic(tag)), 0)

    def symbols(self, kind):
        """(name, info, section, address) of each symbol in the table of this kind."""
        found = []
        for _, one, offset, size, link in self.sections:
            if one == kind:
                names = self.sections[link][2]
                for name, info, _, section, address, _ in struct.iter_unpack("<IBBHQQ", self.content[offset:offset + size]):
                    found.append((self.text(names + name), info, section, address))
        return found

    def imports(self):
        return {name for name, _, section, _ in self.symbols(SHT_DYNSYM) if section == 0 and name}

    def cet(self):
        """IBT and SHSTK as the property note has them; 0 without the note."""
        for name, kind, offset, size, _ in self.sections:
            if kind != SHT_NOTE or name != ".note.gnu.property":
                continue
            name_size, property_size, note_type = struct.unpack_from("<III", self.content, offset)
            if note_type != NT_GNU_PROPERTY_TYPE_0 or size < 12 + name_size:
                continue
            at = offset + 12 + name_size
            end = at + property_size
            while at + 8 <= end:
                one, length = struct.unpack_from("<II", self.content, at)
                if one == GNU_PROPERTY_X86_FEATURE_1_AND:
                    return struct.unpack_from("<I", self.content, at + 8)[0]
                at += 8 + (length + 7) // 8 * 8
        return 0

    def begins_with_endbr64(self, address):
        for kind, _, offset, start, size in self.segments:
            if kind == PT_LOAD and start <= address < start + size:
                at = offset + address - start
                return self.content[at:at + 4] == ENDBR64
        return False

    def executable_bytes(self):
        return b"".join(self.content[offset:offset + size] for kind, flags, offset, _, size in self.segments
                        if kind == PT_LOAD and flags & PF_X)


def own_functions(elf):
    """(name, address) of the functions of namespace tcpscope that other files may call; none in a stripped program.

    What optimising across files has made private (".lto_priv") is called by name alone.
    """
    return [(name, address) for name, info, section, address in elf.symbols(SHT_SYMTAB)
            if info & 15 == STT_FUNC and info >> 4 != STB_LOCAL and section != 0 and ".lto_priv" not in name
            and name.startswith(("_ZN8tcpscope", "_ZNK8tcpscope"))]


def cet_faults(elf, start_files_have_note):
    if elf.machine not in X86_MACHINES:
        return []
    if start_files_have_note and elf.cet() & (IBT | SHSTK) != IBT | SHSTK:
        return ["no IBT and SHSTK in .note.gnu.property: an object or library was built without -fcf-protection"]
    # Without the note: what -fcf-protection itself does is that each function which may be called by address begins with endbr64.
    # A stripped program names none; a program that was built without the flag has at most those of the start files.
    unmarked = [name for name, address in own_functions(elf) if not elf.begins_with_endbr64(address)]
    if unmarked:
        return [f"{len(unmarked)} functions do not begin with endbr64, for example {unmarked[0]}"]
    if elf.executable_bytes().count(ENDBR64) < 100:
        return ["next to no endbr64 in the code: built without -fcf-protection"]
    return []


def faults(elf, fortified, start_files_have_note):
    """What the program lacks, one line each."""
    found = []
    flags_1 = elf.dynamic_flags(DT_FLAGS_1)
    if elf.type != ET_DYN or not flags_1 & DF_1_PIE:
        found.append("not a position-independent executable (ET_DYN with DF_1_PIE)")
    if not any(kind == PT_GNU_RELRO for kind, *_ in elf.segments):
        found.append("no GNU_RELRO segment")
    if not (elf.dynamic(DT_BIND_NOW) or elf.dynamic_flags(DT_FLAGS) & DF_BIND_NOW or flags_1 & DF_1_NOW):
        found.append("no BIND_NOW")
    stacks = [flags for kind, flags, *_ in elf.segments if kind == PT_GNU_STACK]
    if not stacks or any(flags & PF_X for flags in stacks):
        found.append("the stack is executable (PT_GNU_STACK)")
    found += cet_faults(elf, start_files_have_note)
    imports = {name.split("@")[0] for name in elf.imports()}
    if "__stack_chk_fail" not in imports:
        found.append("no __stack_chk_fail: built without a stack protector")
    if fortified and not any(name.startswith("__") and name.endswith("_chk") for name in imports):
        found.append("no __*_chk function: built without _FORTIFY_SOURCE")
    return found


def loaded_libraries(path):
    """What the program's loader lists, as ldd does (ld.so(8), LD_TRACE_LOADED_OBJECTS): itself and the vDSO, too."""
    listed = subprocess.run([path], env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}, stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, check=True)
    return [line.split()[0] for line in listed.stdout.splitlines() if line.strip()]


def library_faults(libraries, most):
    if most is None or len(libraries) <= most:
        return []
    return [f"loads {len(libraries)} libraries, {most} at most are allowed: {' '.join(libraries)}"]


def read_elf(path):
    with open(path, "rb") as file:
        return Elf(file.read())


def main(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--fortified", action="store_true")
    parser.add_argument("--start-file", action="append", default=[])
    parser.add_argument("--most-libraries", type=int)
    parser.add_argument("program")
    options = parser.parse_args(words)
    elf = read_elf(options.program)
    name = os.path.basename(options.program)
    libraries = loaded_libraries(options.program)
    print(f"{name} links {len(elf.dynamic(DT_NEEDED))} libraries (DT_NEEDED) and loads {len(libraries)} (ldd)")
    without_note = [path for path in options.start_file if read_elf(path).cet() & (IBT | SHSTK) != IBT | SHSTK]
    has_note = bool(options.start_file) and not without_note
    if elf.machine in X86_MACHINES and not has_note:
        print("the CET property note cannot be expected, only endbr64 in the functions; without the note: " +
              (", ".join(os.path.basename(path) for path in without_note) or "start files unknown"))
    found = faults(elf, options.fortified, has_note) + library_faults(libraries, options.most_libraries)
    for fault in found:
        print(f"{name}: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
