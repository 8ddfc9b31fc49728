-- What changed in LLVM's model of AMD's Zen between versions 14 and 16? A small campaign: some minutes on two cores.
-- usage: scripts/portolan campaign scripts/examples/campaigns/znver1.lua
return {
  a = "llvm-mca-14:znver1",
  b = "llvm-mca-16:znver1",
  seed = 1,
  -- a block is interesting if the predictions differ by more than half of their mean
  kind = "relative",
  threshold = 0.5,
  -- scalar integer code only: a filter over the fields of a scheme, as in `portolan isa list --filter`
  exclude = 'uses("xmm", "ymm", "zmm", "mmx", "x87", "k")',
  -- blocks of at most three instructions; an abstract block must stand 100 samples
  length = 3,
  samples = 100,
  -- whichever comes first
  limits = { discoveries = 30, dry = 3, seconds = 600 },
  coverage = { blocks = 500, length = 4 },
  out = "campaigns/znver1-14-16",
}
