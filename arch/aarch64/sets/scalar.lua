-- All usable schemes of general registers, and those that load and store them.
local general = 'not uses("b", "h", "s", "d", "q", "v") and '
return {
  { name = "Arithmetic and logic", filter = general .. 'category == "INTEGER" and not mnemonic:match("div$") and not mnemonic:match("^crc") and '
    .. 'not (mnemonic:match("m.*add") or mnemonic:match("m.*sub") or mnemonic:match("mulh$"))' },
  { name = "Multiplication, division, checksums", filter = general .. 'category == "INTEGER"' },
  { name = "Loads", filter = general .. 'category == "LOAD"' },
  { name = "Stores", filter = general .. 'category == "STORE"' },
  { name = "Others", filter = general .. 'true' },
}
