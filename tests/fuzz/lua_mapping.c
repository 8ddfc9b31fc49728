/* Any bytes: a mapping that can be saved and read back, and answers queries; or nil and one line. */
static const char chunk[] =
    "require 'portolan'\n"
    "local json, mapping = require 'portolan.support.json', require 'portolan.mapping'\n"
    "return function(text)\n"
    "  local m, message = mapping.parse(text, 'f')\n"
    "  if not m then return assert(message:find('^f:') and not message:find('\\n'), message) end\n"
    "  local again = assert(json.encode(m, { pretty = true }))\n"
    "  assert(json.encode(assert(mapping.parse(again)), { pretty = true }) == again, again)\n"
    "  local compiled = assert(mapping.compile(m))\n"
    "  local name = next(m.schemes)\n"
    "  if name then compiled:predict { [name] = 3 } end\n"
    "end\n";

#include "lua_harness.h"
