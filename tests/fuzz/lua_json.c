/* Any bytes: a value that is written and read back the same, or nil and one line. */
static const char chunk[] =
    "local json = require 'portolan.support.json'\n"
    "return function(text)\n"
    "  local value, message = json.decode(text, 'f')\n"
    "  if value == nil then return assert(message:find('^f:') and not message:find('\\n'), message) end\n"
    "  local again = assert(json.encode(value, { pretty = true }))\n"
    "  local value2 = json.decode(again)\n"
    "  assert(value2 ~= nil and json.encode(value2, { pretty = true }) == again, again)\n"
    "end\n";

#include "lua_harness.h"
