/* Any bytes as what users write of blocks: records of experiments, hexadecimal code, assembler text, names of schemes. */
static const char chunk[] =
    "require 'portolan'\n"
    "local block, experiments, lines = require 'portolan.block', require 'portolan.experiments', require 'portolan.support.lines'\n"
    "local function refused(message) assert(message ~= '' and not message:find('\\n'), message) end\n"
    "return function(text)\n"
    "  local list, message = experiments.parse(text, 'f')\n"
    "  if not list then refused(message) else\n"
    "    assert(#assert(experiments.parse(assert(experiments.encode(list)))) == #list)\n"
    "  end\n"
    "  local bytes, fault = block.from_hex(text)\n"
    "  if not bytes then refused(fault) else\n"
    "    local code, trouble = block.from_bytes(bytes)\n"
    "    if not code then refused(trouble) end\n"
    "  end\n"
    "  local code, why = block.from_text(text)\n"
    "  if not code then refused(why) else block.kernels(code, { 40 }) end\n"
    "  local n = 0\n"
    "  for number in lines.of(text, 'f') do n = n + 1 assert(number == n) end\n"
    "end\n";

#include "lua_harness.h"
