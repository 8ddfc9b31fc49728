-- Divisions and string instructions, with values of named kinds and lengths, beside all schemes on general registers.
return {
  { name = "Divisions", apart = "kinds", filter = 'mnemonic == "div" or mnemonic == "idiv"' },
  { name = "String instructions", apart = "kinds", filter = 'category == "STRINGOP"' },
  "scalar",
}
