-- Shifts and rotations of registers, and the additions to compare them with.
return {
  { name = "Shifts", filter = '(mnemonic:find "^sh[lr]$" or mnemonic:find "^ro[lr]$") and not memory' },
  { name = "Additions", schemes = { "add r64, r64", "lea r64, m" } },
}
