/* Any bytes: a resource mapping (ours, Palmed's) that can be written and read back, and answers queries; or
 * nil and one line. */
static const char chunk[] =
    "local json, conjunctive = require 'portolan.support.json', require 'portolan.mapping.conjunctive'\n"
    "local palmed = require 'portolan.format.palmed'\n"
    "local function read(text)\n"
    "  local value, message = json.decode(text, 'f')\n"
    "  if message then return nil, message end\n"
    "  if palmed.is_mapping(value) then\n"
    "    value, message = palmed.mapping(value)\n"
    "    if not value then return nil, 'f: ' .. message end\n"
    "  end\n"
    "  return conjunctive.decode(value, 'f')\n"
    "end\n"
    "return function(text)\n"
    "  local t, message = read(text)\n"
    "  if not t then return assert(message:find('^f:') and not message:find('\\n'), message) end\n"
    "  local again = assert(conjunctive.encode(t))\n"
    "  assert(conjunctive.encode(assert(read(again))) == again, again)\n"
    "  local compiled = assert(conjunctive.compile(t))\n"
    "  for _, name in ipairs(compiled:schemes()) do compiled:predict { [name] = 3 } end\n"
    "end\n";

#include "lua_harness.h"
