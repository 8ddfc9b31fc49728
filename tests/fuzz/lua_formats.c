/* Any bytes, as a mapping in whatever format they look like, and as blocks: what is read can be written and read back;
 * what is not read is refused in one line. */
static const char chunk[] =
    "require 'portolan'\n"
    "local mapping = require 'portolan.mapping'\n"
    "local bhive, csv = require 'portolan.format.bhive', require 'portolan.format.csv'\n"
    "local writer = require 'portolan.format.osaca_write'\n"
    "local function refused(message) assert(message:find('^f:') and not message:find('\\n'), message) end\n"
    "return function(text)\n"
    "  for _, meaning in ipairs { 'frequency', 'throughput' } do\n"
    "    local blocks, message = bhive.parse(text, 'f', meaning)\n"
    "    if not blocks then refused(message) end\n"
    "    for _, block in ipairs(blocks or {}) do bhive.experiment(block) end\n"
    "  end\n"
    "  local m, message = mapping.parse(text, 'f', text:find('^<') and 'A' or nil)\n"
    "  if not m then return refused(message) end\n"
    "  local encoded = assert(mapping.encode(m))\n"
    "  assert(mapping.encode(assert(mapping.parse(encoded))) == encoded)\n"
    "  local again = mapping.parse(csv.encode(m), 'g')\n"
    "  if again then assert(csv.encode(again) == csv.encode(m)) end\n"
    "  local yaml = assert(writer.encode(m))\n"
    "  assert(mapping.parse(yaml, 'y.yml'))\n"
    "end\n";

#include "lua_harness.h"
