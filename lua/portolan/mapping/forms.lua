--- This module knows what a mapping says of forms of instructions that one scheme covers and the core treats apart (`forms` in mapping.json,
-- docs/formats.md).
--
--    relative     an address computed from the instruction pointer: lea r64, [rip + 8]
--    scaled       an address computed with a factor: lea r64, [r64 + r64 * 4]
--    summed       an address computed of three parts: lea r64, [r64 + r64 + 8]
--    summed_scaled   of three parts, one of them with a factor: lea r64, [r64 + r64 * 4 + 8]; if it is absent, as `scaled`
--    high         the second byte of a register: test ah, 1
--    flags        flags of a logical instruction, to what one condition decides: test r64, r64 and cmovz r64, r64
--    itself       a move of a register to itself: mov r64, r64
--    sums         the result of a floating-point addition, to what is none: addsd xmm, xmm and mulsd xmm, xmm behind it
--    awaited      a uop on the ports of all additions that gives another one its result, or gets one: lea r64, m and cmp r64, r64 behind it
--
-- Each has `cycles`, in which at most one instance begins, where that is more than the ports of the scheme tell, and `later`, the cycles
-- that its results come later; `later_by_index`, where it is other cycles from the index of an address than from its base (0 is one). A form
-- that is absent is like the others, or not known. `itself` has `eliminated` instead: true where such moves are, as others.
-- @module portolan.mapping.forms
local shape = require "portolan.support.shape"

local forms = {}

--- The forms, as people call what they wait for.
forms.titles = { relative = "addresses from the instruction pointer", scaled = "addresses with a factor",
  summed = "addresses of three parts", summed_scaled = "addresses of three parts, one with a factor", high = "second bytes of registers",
  flags = "flags of logical instructions", itself = "moves of a register to itself",
  awaited = "additions that wait for each other", sums = "floating-point additions" }

--- A form is like this other one if nothing is known of it.
forms.like = { summed_scaled = "scaled" }

local form = shape.object { cycles = shape.positive, later = shape.positive, later_by_index = shape.amount, eliminated = shape.boolean }

local of_all = {}
for name in pairs(forms.titles) do of_all[name] = form end

--- What the format prescribes (portolan.support.shape): name of a form -> `{ cycles =, later = }`.
forms.shape = shape.only(of_all)

return forms
