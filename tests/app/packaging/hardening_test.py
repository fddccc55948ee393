"""The check of the programs' hardening finds each thing that is missing, in ELF files that are made here."""

import struct
import unittest

import hardening
from hardening import Elf, faults

HEADER_BYTES, SEGMENT_BYTES, SECTION_BYTES = 64, 56, 64
CODE_ADDRESS = 0x1000


def property_note(features):
    return struct.pack("<III4sIIII", 4, 16, 5, b"GNU\0", 0xC0000002, 4, features, 0)


def symbol_table(symbols):
    """The table and its names, of (name, type and binding, section, address)."""
    names = b"\0"
    table = bytes(24)
    for name, info, section, address in symbols:
        table += struct.pack("<IBBHQQ", len(names), info, 0, section, address, 0)
        names += name.encode() + b"\0"
    return table, names


def planted(kind=3, flags_1=0x08000001, flags=8, relro=True, stack=6, cet=3, imports=("__stack_chk_fail", "__read_chk"),
            endbr64_count=200, functions=(), needed=0, machine=62):
    """A hardened program of no use; each argument takes one thing away."""
    code = hardening.ENDBR64 * endbr64_count + bytes(64)
    dynamic = struct.pack("<QQ", 1, 1) * needed
    dynamic += struct.pack("<QQQQQQ", 30, flags, 0x6FFFFFFB, flags_1, 0, 0)
    dynsym, dynstr = symbol_table([(name, 0x12, 0, 0) for name in imports])
    symtab, strtab = symbol_table(functions)
    note = property_note(cet) if cet is not None else b""
    names = b"\0.note.gnu.property\0.dynsym\0.dynstr\0.symtab\0.strtab\0.shstrtab\0"
    parts = [code, dynamic, note, dynsym, dynstr, symtab, strtab, names]
    segment_count = 3 + (1 if relro else 0)
    at = [HEADER_BYTES + segment_count * SEGMENT_BYTES]
    for part in parts:
        at.append(at[-1] + len(part))

    def segment(one, segment_flags, part, address=0):
        size = len(parts[part]) if part is not None else 0
        return struct.pack("<IIQQQQQQ", one, segment_flags, at[part or 0], address, 0, size, size, 0)

    def section(name, one, part, link=0):
        return struct.pack("<IIQQQQIIQQ", names.index(name), one, 0, 0, at[part], len(parts[part]), link, 0, 0, 0)

    segments = segment(1, 5, 0, CODE_ADDRESS) + segment(2, 6, 1) + segment(0x6474E551, stack, None)
    if relro:
        segments += segment(0x6474E552, 4, None)
    sections = [bytes(SECTION_BYTES), section(b".dynsym", 11, 3, 2), section(b".dynstr", 3, 4), section(b".symtab", 2, 5, 4),
                section(b".strtab", 3, 6), section(b".shstrtab", 3, 7)]
    if cet is not None:
        sections.append(section(b".note.gnu.property", 7, 2))
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", kind, machine, 1, 0, HEADER_BYTES, at[-1], 0, HEADER_BYTES, SEGMENT_BYTES, segment_count, SECTION_BYTES,
        len(sections), 5)
    return Elf(header + segments + b"".join(parts) + b"".join(sections))


class Hardening(unittest.TestCase):
    def assert_only_fault(self, elf, words, fortified=True, start_files_have_note=True):
        found = faults(elf, fortified, start_files_have_note)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_a_hardened_program_has_no_fault(self):
        self.assertEqual(faults(planted(), True, True), [])

    def test_a_program_at_a_fixed_address(self):
        self.assert_only_fault(planted(kind=2), "position-independent")

    def test_a_shared_library_is_no_program(self):
        self.assert_only_fault(planted(flags_1=1), "position-independent")

    def test_writable_relocations(self):
        self.assert_only_fault(planted(relro=False), "GNU_RELRO")

    def test_functions_bound_when_first_called(self):
        self.assert_only_fault(planted(flags=0, flags_1=0x08000000), "BIND_NOW")

    def test_either_flag_is_bind_now(self):
        self.assertEqual(faults(planted(flags=0), True, True), [])
        self.assertEqual(faults(planted(flags_1=0x08000000), True, True), [])

    def test_an_executable_stack(self):
        self.assert_only_fault(planted(stack=7), "executable")

    def test_a_missing_cet_note(self):
        self.assert_only_fault(planted(cet=None), ".note.gnu.property")

    def test_half_of_cet(self):
        self.assert_only_fault(planted(cet=hardening.SHSTK), "IBT")

    def test_start_files_without_the_note_leave_the_marks_in_the_code(self):
        self.assertEqual(faults(planted(cet=None), True, False), [])
        self.assert_only_fault(planted(cet=None, endbr64_count=2), "endbr64", start_files_have_note=False)

    def test_one_function_without_its_mark(self):
        functions = [("_ZN8tcpscope4goodEv", 0x12, 1, CODE_ADDRESS), ("_ZN8tcpscope3badEv", 0x12, 1, CODE_ADDRESS + 200 * 4)]
        self.assertEqual(faults(planted(cet=None, functions=functions[:1]), True, False), [])
        self.assert_only_fault(planted(cet=None, functions=functions), "_ZN8tcpscope3badEv", start_files_have_note=False)

    def test_a_local_function_needs_no_mark(self):
        local = [("_ZN8tcpscope5localEv", 0x02, 1, CODE_ADDRESS + 200 * 4)]
        self.assertEqual(faults(planted(cet=None, functions=local), True, False), [])

    def test_other_processors_have_no_cet(self):
        self.assertEqual(faults(planted(cet=None, endbr64_count=0, machine=183), True, True), [])

    def test_no_stack_protector(self):
        self.assert_only_fault(planted(imports=["__read_chk"]), "stack protector")

    def test_unchecked_calls_of_the_c_library(self):
        self.assert_only_fault(planted(imports=["__stack_chk_fail", "read"]), "_FORTIFY_SOURCE")

    def test_sanitizers_call_unchecked_functions(self):
        self.assertEqual(faults(planted(imports=["__stack_chk_fail"]), False, True), [])

    def test_everything_at_once(self):
        bare = planted(kind=2, flags_1=0, flags=0, relro=False, stack=7, cet=None, imports=[], endbr64_count=0)
        self.assertEqual(len(faults(bare, True, True)), 7)

    def test_libraries_are_counted(self):
        self.assertEqual(len(planted(needed=5).dynamic(hardening.DT_NEEDED)), 5)

    def test_anything_else_is_refused(self):
        with self.assertRaises(ValueError):
            Elf(b"#!/bin/sh\n")


class LoadedLibraries(unittest.TestCase):
    def test_a_program_may_load_so_many(self):
        self.assertEqual(hardening.library_faults(["libc.so.6"] * 12, 12), [])
        self.assertIn("loads 13 libraries", hardening.library_faults(["libc.so.6"] * 13, 12)[0])
        self.assertEqual(hardening.library_faults(["libc.so.6"] * 54, None), [])

    def test_they_are_those_that_the_loader_lists(self):
        listed = hardening.loaded_libraries("/bin/sh")
        self.assertIn("libc.so.6", listed)


if __name__ == "__main__":
    unittest.main()
