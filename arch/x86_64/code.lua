-- This file holds what reading x86-64's code needs to know (portolan.code.facts).
return {
  title = "x86-64",
  machine = 62, -- e_machine of ELF files

  -- The GNU assembler: its names on a machine of this architecture and on others, the package of the latter, and arguments.
  assembler = { here = "as", elsewhere = "x86_64-linux-gnu-as", package = "binutils-x86-64-linux-gnu", arguments = { "--64" } },

  -- Lines that it alone understands, besides those with directives: AT&T syntax.
  foreign_lines = { "^[^#;]*%%%a%w+" },

  -- Marks of regions: IACA's, which OSACA takes, too: mov ebx, 111 (222 at the end), and a prefixed nop.
  marks = { { begin = "\xbb\x6f\0\0\0\x64\x67\x90", stop = "\xbb\xde\0\0\0\x64\x67\x90" } },

  -- Patterns of schemes: direct branches; what nothing follows; what goes where a register or memory says. Compilers' tables of jumps have notrack
  -- ahead of them, where control flow is protected.
  direct = { "^j%l+ rel", "^bnd j%l+ rel", "^loop%l* rel" },
  ends = { "^jmp", "^notrack jmp", "^bnd jmp", "^ret", "^bnd ret", "^ud%d" },
  anywhere = { "^jmp", "^notrack jmp", "^bnd jmp" },

  -- A direct branch goes to where a number in its text says, counted from its end.
  distance = { pattern = "(0x%x+)$", from_end = true },

  relocations = {},
}
