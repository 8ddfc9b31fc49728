-- This file holds what reading A64's code needs to know (portolan.code.facts).
return {
  title = "AArch64",
  machine = 183, -- e_machine of ELF files

  -- The GNU assembler: its names on a machine of this architecture and on others, the package of the latter, and arguments. Clang's text does not say
  -- which extensions it uses.
  assembler = { here = "as", elsewhere = "aarch64-linux-gnu-as", package = "binutils-aarch64-linux-gnu", arguments = { "-mcpu=all" } },

  -- Instructions are words of so many bytes; the GNU disassembler, which names those that Portolan does not know.
  word = 4,
  disassembler = { here = "objdump", elsewhere = "aarch64-linux-gnu-objdump", arguments = { "-D", "-b", "binary", "-m", "aarch64" } },

  -- Lines that it alone understands, besides those with directives: parts of addresses of symbols, and marks of regions, as the syntax is the same.
  foreign_lines = { ":lo12:", ":%l[%l%d_]*:[%a_.]", "^%s*[#/]+%s*LLVM%-MCA%-", "^%s*[#/]+%s*OSACA%-" },

  -- Marks of regions: OSACA's, mov x1, 111 (222 at the end) and four bytes that are a nop backwards.
  marks = { { begin = "\xe1\x0d\x80\xd2\xd5\x03\x20\x1f", stop = "\xc1\x1b\x80\xd2\xd5\x03\x20\x1f" } },

  -- Patterns of schemes: direct branches; what nothing follows; what goes where a register says.
  direct = { "^b rel", "^b%.cond ", "^cbn?z ", "^tbn?z " },
  ends = { "^b rel", "^br ", "^ret ", "^eret", "^drps", "^brk ", "^hlt " },
  anywhere = { "^br " },

  -- A direct branch goes to where a number in its text says, counted from its beginning.
  distance = { pattern = "#(%-?%w+)$", from_end = false },

  -- Distances that the linker fills in, by the type of the relocation: the field's first bit and how many it has, in words of 4 bytes.
  relocations = { [279] = { 5, 14 }, [280] = { 5, 19 }, [282] = { 0, 26 } },
}
