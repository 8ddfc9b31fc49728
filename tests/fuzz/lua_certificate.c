/* Any bytes as a mapping with a certificate: refused in one line, or checked by a solver to an end. */
static const char chunk[] =
    "require 'portolan'\n"
    "local certificate, verify = require 'portolan.infer.cegis.certificate', require 'portolan.infer.cegis.verify'\n"
    "local json, mapping = require 'portolan.support.json', require 'portolan.mapping'\n"
    "local function refused(message) assert(message ~= '' and not message:find('\\n'), message) end\n"
    "return function(text)\n"
    "  local m, message = mapping.parse(text, 'f')\n"
    "  if not m then return refused(message) end\n"
    "  local ok, fault = certificate.check(m.certificate)\n"
    "  if not ok then return refused(fault) end\n"
    "  if #m.certificate.schemes > 3 or m.certificate.ports > 4 then return end\n"
    "  local result, why = verify.mapping(m, { time_limit = 1 })\n"
    "  if not result then return refused(why) end\n"
    "  for _, one in ipairs(result.faults) do assert(type(one.text) == 'string') end\n"
    "  assert(json.encode(result))\n"
    "end\n";

#include "lua_harness.h"
