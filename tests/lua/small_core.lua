-- A mapping with latencies that is easy to think about: four ports, four issue slots.
local mapping = require "portolan.mapping"

local ports = { ["add r64, r64"] = { "0", "1" }, ["cmp r64, r64"] = { "0", "1" }, ["xor r64, r64"] = { "0", "1" }, ["adc r64, r64"] = { "0" },
  ["imul r64, r64"] = { "1" }, ["jnz rel8"] = { "0" }, ["mov r64, m64"] = { "2" }, ["mov m64, r64"] = { "3" } }

-- From place to place; xor with one register for both sources waits for nothing.
local latencies = {
  ["add r64, r64"] = { { "1", "1", 1 }, { "2", "1", 1 } }, ["imul r64, r64"] = { { "1", "1", 3 }, { "2", "1", 3 } },
  ["xor r64, r64"] = { { "1", "1", 1, 0 }, { "2", "1", 1, 0 } }, ["cmp r64, r64"] = { { "1", "zf", 1 }, { "2", "zf", 1 } },
  ["adc r64, r64"] = { { "1", "1", 1 }, { "2", "1", 1 }, { "cf", "1", 1 }, { "cf", "cf", 1 } },
  ["mov r64, m64"] = { { "2", "1", 1 }, { "2.base", "1", 5 } }, ["mov m64, r64"] = { { "2", "1", 4 }, { "1.base", "1", 4 } },
}

return function()
  local m = mapping.two_level({ "0", "1", "2", "3" }, ports, { rmax = 4 })
  for name, list in pairs(latencies) do
    local made = {}
    for i, l in ipairs(list) do made[i] = { from = l[1], to = l[2], cycles = l[3], same = l[4] } end
    m.schemes[name].latencies = made
  end
  m.front_end = { fuses = { ["cmp r64, r64"] = { "jnz" } }, taken_branch = 1 }
  return m
end
