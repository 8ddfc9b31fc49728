-- All usable schemes on general registers, memory and immediates.
local scalar = 'extension ~= "TBM" and not uses("xmm", "ymm", "zmm", "mask") and '
return {
  { name = "Arithmetic", filter = scalar .. 'category == "BINARY"' },
  { name = "Logic", filter = scalar .. 'category == "LOGICAL"' },
  { name = "Moves", filter = scalar .. 'among(category, "DATAXFER", "CMOV", "CONVERT", "NOP", "WIDENOP")' },
  { name = "Shifts and rotations", filter = scalar .. 'among(category, "SHIFT", "ROTATE")' },
  { name = "Bits", filter = scalar .. 'among(category, "BITBYTE", "BMI1", "BMI2", "LZCNT", "SETCC", "FLAGOP")' },
  { name = "Other scalar", filter = scalar .. 'true' },
  { name = "AMD's TBM", filter = 'extension == "TBM"' },
}
